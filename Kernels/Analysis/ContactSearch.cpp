#include "Analysis/ContactSearchOn.cuh"
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
  contacts.overlap = overlap.data();
  return contacts;
}

GrainContacts FoundContacts::viewOn(const Device& device) const
{
  return kept && device.kind == DeviceKind::CUDA && device.ordinal == ordinal ? on_device : view();
}

FoundContacts findContacts(
  const Grains& grains, const ContactSearchOptions& options, const Device& device)
{
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == DeviceKind::CUDA)
    return detail::findContactsOnCuda(grains, options, device);
#endif
  return detail::findContactsOn(
    std::make_shared<detail::FoundOn<CpuExec>>(device.threads), grains, options);
}

} // namespace dem
