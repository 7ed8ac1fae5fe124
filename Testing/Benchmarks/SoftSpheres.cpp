#include "Core/CpuExec.h"
#include "Core/Error.h"
#include "SoftSpheres.cuh"

#include <limits>

namespace bench
{
namespace
{

SoftSpheresResult run(const SoftState& start, const dem::BroadPhaseOptions& options,
  const dem::Device& device, std::int64_t most_steps, double seconds, SoftState* end)
{
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == dem::DeviceKind::CUDA)
    return runSoftSpheresOnCuda(start, options, device, most_steps, seconds, end);
#endif
  dem::CpuExec exec(device.threads);
  return runSoftSpheresOn(exec, start, options, most_steps, seconds, end);
}

} // namespace

SoftState softState(std::int64_t n, std::int64_t steps, const dem::Device& device)
{
  if (n > dem::ListView::kIndex)
    throw dem::Error(
      "There are " + std::to_string(n) + " spheres; a search takes 2^31 - 1 at most.");
  SoftState out{ softStart(n), std::vector<dem::Vec3<float>>(static_cast<std::size_t>(n)) };
  dem::BroadPhaseOptions options; // leaves the data in their order
  options.kind = dem::BroadPhaseKind::FixedCells;
  options.fixed_cells = dem::FixedCellsForm::Counted;
  if (steps > 0)
    run(SoftState(out), options, device, steps, std::numeric_limits<double>::infinity(), &out);
  return out;
}

SoftSpheresResult runSoftSpheres(const SoftState& start, const dem::BroadPhaseOptions& options,
  const dem::Device& device, std::int64_t most_steps, double seconds)
{
  return run(start, options, device, most_steps, seconds, nullptr);
}

} // namespace bench
