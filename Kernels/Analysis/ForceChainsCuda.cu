#include "Core/CudaExec.cuh"

#include "Analysis/ForceChainsOn.cuh"
#include "Analysis/StrongNetworkOn.cuh"

namespace dem
{
namespace detail
{

ForceChains findForceChainsOnCuda(const Grains& grains, const GrainContacts& contacts,
  const ChainOptions& options, const Device& device)
{
  CudaExec exec(device.ordinal, DeviceMemory::Pooled);
  return findForceChainsOn(exec, grains, contacts, options);
}

StrongNetwork findStrongNetworkOnCuda(
  const Grains& grains, const GrainContacts& contacts, double force_factor, const Device& device)
{
  CudaExec exec(device.ordinal, DeviceMemory::Pooled);
  return findStrongNetworkOn(exec, grains, contacts, force_factor);
}

} // namespace detail
} // namespace dem
