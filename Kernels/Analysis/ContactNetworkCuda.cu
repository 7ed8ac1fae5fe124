// describeNetwork and estimateForces on a CUDA device.
#include "Core/CudaExec.cuh"

#include "Analysis/ContactNetworkOn.cuh"

namespace dem
{
namespace detail
{

ContactNetwork describeNetworkOnCuda(const Grains& grains, const GrainContacts& contacts,
  const NetworkOptions& options, const Device& device)
{
  CudaExec exec(device.ordinal, DeviceMemory::Pooled);
  return describeNetworkOn(exec, grains, contacts, options);
}

HostArray<double> estimateForcesOnCuda(const Grains& grains, const GrainContacts& contacts,
  const double* overlap, const ForceEstimate& estimate, const Device& device)
{
  CudaExec exec(device.ordinal, DeviceMemory::Pooled);
  return estimateForcesOn(exec, grains, contacts, overlap, estimate);
}

} // namespace detail
} // namespace dem
