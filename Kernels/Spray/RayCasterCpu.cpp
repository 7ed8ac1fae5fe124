// RayCaster on the CPU: instantiates RayCasterOn.cuh.
#include "Core/CpuExec.h"
#include "Spray/RayCasterOn.cuh"

namespace dem
{

std::unique_ptr<RayCasterEngine> makeCpuRayCaster(const Device& device)
{
  return std::make_unique<RayCasterOn<CpuExec>>(device.threads);
}

} // namespace dem
