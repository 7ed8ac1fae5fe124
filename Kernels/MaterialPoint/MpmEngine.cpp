#include "MaterialPoint/MpmEngine.h"

#include "Core/CpuLevel.h"

namespace mpm
{

DEM_DECLARE_CPU_LEVELS(
  std::unique_ptr<Engine>, makeEngine, (const Scene& scene, const dem::Device& device))

std::unique_ptr<Engine> Engine::makeCpu(const Scene& scene, const dem::Device& device)
{
  return DEM_CALL_CPU_LEVEL(makeEngine, scene, device);
}

} // namespace mpm
