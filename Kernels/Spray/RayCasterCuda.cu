// RayCaster on a CUDA device: instantiates RayCasterOn.cuh.
#include "Core/CudaExec.cuh"
#include "Spray/RayCasterOn.cuh"

namespace dem
{

std::unique_ptr<RayCasterEngine> makeCudaRayCaster(const Device& device)
{
  return std::make_unique<RayCasterOn<CudaExec>>(device.ordinal, DeviceMemory::Pooled);
}

} // namespace dem
