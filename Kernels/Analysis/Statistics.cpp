#include "Analysis/Statistics.h"

#include "Analysis/LaceyIndexOn.cuh"
#include "Analysis/StatisticsOn.cuh"
#include "Core/CpuExec.h"

namespace dem
{
namespace
{

int threadsOf(const Device& device)
{
  return device.threads > 0 ? device.threads : int(tbb::task_arena::automatic);
}

} // namespace

BulkStatistics bulkStatistics(
  const Grains& grains, const Vec3d& up, double percentile, const Device& device)
{
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == DeviceKind::CUDA)
    return detail::bulkStatisticsOnCuda(grains, up, percentile, device);
#endif
  CpuExec exec(threadsOf(device));
  return detail::bulkStatisticsOn(exec, grains, up, percentile);
}

double laceyIndex(const Grains& grains, double cell, const Device& device)
{
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == DeviceKind::CUDA)
    return detail::laceyIndexOnCuda(grains, cell, device);
#endif
  CpuExec exec(threadsOf(device));
  return detail::laceyIndexOn(exec, grains, cell);
}

} // namespace dem
