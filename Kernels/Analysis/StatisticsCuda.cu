// bulkStatistics and laceyIndex on a CUDA device.
#include "Core/CudaExec.cuh"

#include "Analysis/LaceyIndexOn.cuh"
#include "Analysis/StatisticsOn.cuh"

namespace dem
{
namespace detail
{

BulkStatistics bulkStatisticsOnCuda(
  const Grains& grains, const Vec3d& up, double percentile, const Device& device)
{
  CudaExec exec(device.ordinal, DeviceMemory::Pooled);
  return bulkStatisticsOn(exec, grains, up, percentile);
}

double laceyIndexOnCuda(const Grains& grains, double cell, const Device& device)
{
  CudaExec exec(device.ordinal, DeviceMemory::Pooled);
  return laceyIndexOn(exec, grains, cell);
}

} // namespace detail
} // namespace dem
