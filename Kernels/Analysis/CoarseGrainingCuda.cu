// CoarseGraining on a CUDA device: instantiates CoarseGrainingOn.cuh.
#include "Analysis/CoarseGrainingOn.cuh"
#include "Core/CudaExec.cuh"

namespace dem
{

std::unique_ptr<CoarseGrainingEngine> makeCudaCoarseGraining(const Device& device)
{
  return std::make_unique<CoarseGrainingOn<CudaExec>>(device.ordinal, DeviceMemory::Pooled);
}

} // namespace dem
