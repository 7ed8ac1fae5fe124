#include "Core/CudaExec.cuh"
#include "Solver/detail/EngineImpl.cuh"

namespace dem
{

std::unique_ptr<Engine> makeCudaEngine(const Scene& scene, const Device& device)
{
  if (scene.precision == Precision::Double)
    return std::make_unique<EngineImpl<CudaExec, double>>(scene, device, device.ordinal);
  return std::make_unique<EngineImpl<CudaExec, float>>(scene, device, device.ordinal);
}

} // namespace dem
