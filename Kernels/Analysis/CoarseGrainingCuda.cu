#include "Analysis/detail/CoarseGrainingImpl.cuh"
#include "Core/CudaExec.cuh"

namespace dem
{

std::unique_ptr<CoarseGrainingEngine> makeCudaCoarseGraining(const Device& device)
{
  return std::make_unique<CoarseGrainingImpl<CudaExec>>(device.ordinal, DeviceMemory::Pooled);
}

} // namespace dem
