#include "Analysis/PairStatisticsOn.cuh"
#include "Core/CpuExec.h"

namespace dem
{

RadialDistribution radialDistribution(
  const Grains& grains, const RadialDistributionOptions& options, const Device& device)
{
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == DeviceKind::CUDA)
    return detail::radialDistributionOnCuda(grains, options, device);
#endif
  CpuExec exec(device.threads);
  return detail::radialDistributionOn(exec, grains, options);
}

NeighborMixing neighborMixing(
  const Grains& grains, int neighbors, const PairBox& box, const Device& device)
{
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == DeviceKind::CUDA)
    return detail::neighborMixingOnCuda(grains, neighbors, box, device);
#endif
  CpuExec exec(device.threads);
  return detail::neighborMixingOn(exec, grains, neighbors, box);
}

} // namespace dem
