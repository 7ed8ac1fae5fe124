#include "Core/CpuExec.h"
#include "Core/Error.h"
#include "SoftSpheres.cuh"

namespace bench
{

SoftSpheresResult runSoftSpheres(std::int64_t n, const dem::BroadPhaseOptions& options, const dem::Device& device, std::int64_t most_steps,
  double seconds)
{
  if (n > dem::ListView::kIndex)
    throw dem::Error("There are " + std::to_string(n) + " spheres; a search takes 2^31 - 1 at most.");
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == dem::DeviceKind::CUDA)
    return runSoftSpheresOnCuda(n, options, device, most_steps, seconds);
#endif
  dem::CpuExec exec(device.threads);
  return runSoftSpheresOn(exec, n, options, most_steps, seconds);
}

} // namespace bench
