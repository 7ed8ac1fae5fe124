#include "Core/CudaExec.cuh"
#include "MaterialPoint/detail/MpmEngineImpl.cuh"

namespace mpm
{

std::unique_ptr<Engine> makeCudaEngine(const Scene& scene, const dem::Device& device)
{
  if (scene.precision == Precision::Double)
    return std::make_unique<EngineImpl<dem::CudaExec, double>>(scene, device, device.ordinal);
  return std::make_unique<EngineImpl<dem::CudaExec, float>>(scene, device, device.ordinal);
}

} // namespace mpm
