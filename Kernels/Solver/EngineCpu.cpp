// Instantiates the solver for CPU, in both precisions.
#include "Core/CpuExec.h"
#include "Solver/SimulationOn.cuh"

namespace dem
{

std::unique_ptr<SimulationBackend> SimulationBackend::makeCpu(
  const Scene& scene, const Device& device)
{
  return makeInPrecision<SimulationBackend, CpuExec, SimulationOn>(scene, device, device.threads);
}

} // namespace dem
