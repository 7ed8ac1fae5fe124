// Instantiates the Material Point Method for CPU, in both precisions. Compiled once for each level
// of Core/CpuLevel.h.
#include "Core/CpuExec.h"
#include "Core/CpuLevel.h"
#include "MaterialPoint/MpmEngineImpl.cuh"

namespace mpm
{

DEM_DECLARE_CPU_LEVELS(
  std::unique_ptr<Engine>, makeEngine, (const Scene& scene, const dem::Device& device))

std::unique_ptr<Engine> DEM_CPU_LEVEL::makeEngine(const Scene& scene, const dem::Device& device)
{
  return dem::makeInPrecision<Engine, dem::CpuExec, EngineImpl>(scene, device, device.threads);
}

} // namespace mpm
