#include "Core/CpuExec.h"
#include "Solver/detail/EngineImpl.cuh"

namespace dem
{

std::unique_ptr<Engine> makeCpuEngine(const Scene& scene, const Device& device)
{
  if (scene.precision == Precision::Double)
    return std::make_unique<EngineImpl<CpuExec, double>>(scene, device, device.threads);
  return std::make_unique<EngineImpl<CpuExec, float>>(scene, device, device.threads);
}

} // namespace dem
