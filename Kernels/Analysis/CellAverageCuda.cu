#include "Analysis/detail/CellAverageImpl.cuh"
#include "Core/CudaExec.cuh"

namespace dem
{

std::unique_ptr<CellAverageEngine> makeCudaCellAverage(const Device& device)
{
  return std::make_unique<CellAverageImpl<CudaExec>>(device.ordinal, DeviceMemory::Pooled);
}

} // namespace dem
