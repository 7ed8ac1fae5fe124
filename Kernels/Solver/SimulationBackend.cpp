#include "Solver/SimulationBackend.h"

#include "Core/CpuLevel.h"

namespace dem
{

DEM_DECLARE_CPU_LEVELS(
  std::unique_ptr<SimulationBackend>, makeSimulation, (const Scene& scene, const Device& device))

std::unique_ptr<SimulationBackend> SimulationBackend::makeCpu(
  const Scene& scene, const Device& device)
{
  return DEM_CALL_CPU_LEVEL(makeSimulation, scene, device);
}

} // namespace dem
