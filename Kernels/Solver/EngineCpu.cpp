// Instantiates the solver for CPU, in both precisions.
#include "Core/CpuExec.h"
#include "Solver/SimulationOn.cuh"

namespace dem
{

std::unique_ptr<SimulationBackend> makeCpuBackend(const Scene& scene, const Device& device)
{
  if (scene.precision == Precision::Double)
    return std::make_unique<SimulationOn<CpuExec, double>>(scene, device, device.threads);
  return std::make_unique<SimulationOn<CpuExec, float>>(scene, device, device.threads);
}

} // namespace dem
