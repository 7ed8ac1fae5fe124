// Instantiates the solver for CPU, in both precisions. Compiled once for each level of
// Core/CpuLevel.h.
#include "Core/CpuExec.h"
#include "Core/CpuLevel.h"
#include "Solver/SimulationOn.cuh"

namespace dem
{

DEM_DECLARE_CPU_LEVELS(
  std::unique_ptr<SimulationBackend>, makeSimulation, (const Scene& scene, const Device& device))

std::unique_ptr<SimulationBackend> DEM_CPU_LEVEL::makeSimulation(
  const Scene& scene, const Device& device)
{
  const std::vector<int> threads(device.parts, std::max(1, device.threads / device.parts));
  return makeInPrecision<SimulationBackend, CpuExec, SimulationOn>(scene, device, threads);
}

} // namespace dem
