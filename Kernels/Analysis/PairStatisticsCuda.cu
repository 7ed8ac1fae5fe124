// radialDistribution and neighborMixing on a CUDA device.
#include "Core/CudaExec.cuh"

#include "Analysis/PairStatisticsOn.cuh"

namespace dem
{
namespace detail
{

RadialDistribution radialDistributionOnCuda(
  const Grains& grains, const RadialDistributionOptions& options, const Device& device)
{
  CudaExec exec(device.ordinal, DeviceMemory::Pooled);
  return radialDistributionOn(exec, grains, options);
}

NeighborMixing neighborMixingOnCuda(
  const Grains& grains, int neighbors, const PairBox& box, const Device& device)
{
  CudaExec exec(device.ordinal, DeviceMemory::Pooled);
  return neighborMixingOn(exec, grains, neighbors, box);
}

} // namespace detail
} // namespace dem
