#include "Core/CudaExec.cuh"

#include "SoftSpheres.cuh"

namespace bench
{

SoftSpheresResult runSoftSpheresOnCuda(
  std::int64_t n, const dem::BroadPhaseOptions& options, const dem::Device& device, std::int64_t most_steps, double seconds)
{
  dem::CudaExec exec(device.ordinal);
  return runSoftSpheresOn(exec, n, options, most_steps, seconds);
}

} // namespace bench
