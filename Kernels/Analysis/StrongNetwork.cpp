#include "Analysis/StrongNetwork.h"

#include "Analysis/StrongNetworkOn.cuh"
#include "Core/CpuExec.h"

namespace dem
{

StrongNetwork findStrongNetwork(
  const Grains& grains, const GrainContacts& contacts, double force_factor, const Device& device)
{
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == DeviceKind::CUDA)
    return detail::findStrongNetworkOnCuda(grains, contacts, force_factor, device);
#endif
  CpuExec exec(device.threads);
  return detail::findStrongNetworkOn(exec, grains, contacts, force_factor);
}

} // namespace dem
