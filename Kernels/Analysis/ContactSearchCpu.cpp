#include "Analysis/detail/ContactSearchImpl.cuh"
#include "Core/CpuExec.h"

namespace dem
{

GrainContacts FoundContacts::view() const
{
  GrainContacts contacts;
  contacts.size = size;
  contacts.first = first.data();
  contacts.second = second.data();
  contacts.first_place = first_place.data();
  contacts.second_place = second_place.data();
  contacts.point = point.data();
  return contacts;
}

FoundContacts findContacts(const Grains& grains, const ContactSearchOptions& options, const Device& device)
{
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == DeviceKind::CUDA)
    return detail::findContactsOnCuda(grains, options, device);
#endif
  CpuExec exec(device.threads);
  return detail::findContactsOn(exec, grains, options);
}

} // namespace dem
