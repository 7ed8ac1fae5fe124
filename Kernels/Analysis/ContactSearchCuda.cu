#include "Core/CudaExec.cuh"

#include "Analysis/detail/ContactSearchImpl.cuh"

namespace dem
{
namespace detail
{

FoundContacts findContactsOnCuda(const Grains& grains, const ContactSearchOptions& options, const Device& device)
{
  CudaExec exec(device.ordinal, DeviceMemory::Pooled);
  return findContactsOn(exec, grains, options);
}

} // namespace detail
} // namespace dem
