// findStrongNetwork on a CUDA device.
#include "Core/CudaExec.cuh"

#include "Analysis/StrongNetworkOn.cuh"

namespace dem
{
namespace detail
{

StrongNetwork findStrongNetworkOnCuda(
  const Grains& grains, const GrainContacts& contacts, double force_factor, const Device& device)
{
  CudaExec exec(device.ordinal, DeviceMemory::Pooled);
  return findStrongNetworkOn(exec, grains, contacts, force_factor);
}

} // namespace detail
} // namespace dem
