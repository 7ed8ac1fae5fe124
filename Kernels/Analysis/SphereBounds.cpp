#include "Analysis/SphereBoundsOn.cuh"
#include "Core/CpuExec.h"

namespace dem
{

SphereBounds sphereBounds(const Grains& grains, const Device& device)
{
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == DeviceKind::CUDA)
    return detail::sphereBoundsOnCuda(grains, device);
#endif
  CpuExec exec(device.threads);
  return detail::sphereBoundsOn(exec, grains);
}

} // namespace dem
