// findContacts on a CUDA device.
#include "Core/CudaExec.cuh"

#include "Analysis/ContactSearchOn.cuh"

namespace dem
{
namespace detail
{

FoundContacts findContactsOnCuda(
  const Grains& grains, const ContactSearchOptions& options, const Device& device)
{
  return findContactsOn(
    std::make_shared<FoundOn<CudaExec>>(device.ordinal, DeviceMemory::Pooled), grains, options);
}

} // namespace detail
} // namespace dem
