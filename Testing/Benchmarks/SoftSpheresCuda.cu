#include "Core/CudaExec.cuh"

#include "SoftSpheres.cuh"

namespace bench
{

SoftSpheresResult runSoftSpheresOnCuda(const SoftState& start,
  const dem::BroadPhaseOptions& options, const dem::Device& device, std::int64_t most_steps,
  double seconds, SoftState* end)
{
  dem::CudaExec exec(device.ordinal);
  return runSoftSpheresOn(exec, start, options, most_steps, seconds, end);
}

} // namespace bench
