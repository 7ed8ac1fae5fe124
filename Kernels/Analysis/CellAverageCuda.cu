// CellAverage on a CUDA device: instantiates CellAverageOn.cuh.
#include "Analysis/CellAverageOn.cuh"
#include "Core/CudaExec.cuh"

namespace dem
{

std::unique_ptr<CellAverageEngine> makeCudaCellAverage(const Device& device)
{
  return std::make_unique<CellAverageOn<CudaExec>>(device.ordinal, DeviceMemory::Pooled);
}

} // namespace dem
