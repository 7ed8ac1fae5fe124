#include "Core/CpuExec.h"
#include "MaterialPoint/MpmEngineImpl.cuh"

namespace mpm
{

std::unique_ptr<Engine> makeCpuEngine(const Scene& scene, const dem::Device& device)
{
  if (scene.precision == Precision::Double)
    return std::make_unique<EngineImpl<dem::CpuExec, double>>(scene, device, device.threads);
  return std::make_unique<EngineImpl<dem::CpuExec, float>>(scene, device, device.threads);
}

} // namespace mpm
