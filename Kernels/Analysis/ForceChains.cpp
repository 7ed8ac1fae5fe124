#include "Analysis/ForceChains.h"

#include "Analysis/ForceChainsOn.cuh"
#include "Core/CpuExec.h"

namespace dem
{

ForceChains findForceChains(const Grains& grains, const GrainContacts& contacts,
  const ChainOptions& options, const Device& device)
{
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == DeviceKind::CUDA)
    return detail::findForceChainsOnCuda(grains, contacts, options, device);
#endif
  CpuExec exec(device.threads);
  return detail::findForceChainsOn(exec, grains, contacts, options);
}

} // namespace dem
