// findForceChains on a CUDA device.
#include "Core/CudaExec.cuh"

#include "Analysis/ForceChainsOn.cuh"

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

} // namespace detail
} // namespace dem
