// TimeAverage on a CUDA device: instantiates TimeAverageOn.cuh.
#include "Analysis/TimeAverageOn.cuh"
#include "Core/CudaExec.cuh"

namespace dem
{

std::unique_ptr<TimeAverageEngine> makeCudaTimeAverage(
  const std::vector<AveragedField>& fields, std::size_t places, const Device& device)
{
  return std::make_unique<TimeAverageOn<CudaExec>>(
    fields, places, device.ordinal, DeviceMemory::Pooled);
}

} // namespace dem
