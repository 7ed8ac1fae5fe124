#include "Analysis/ContactNetworkOn.cuh"
#include "Core/CpuExec.h"

namespace dem
{

double ForceDistribution::density(std::size_t bin) const
{
  return total ? static_cast<double>(count[bin]) / (static_cast<double>(total) * width()) : 0;
}

double ForceDistribution::qModel(double f) { return 13.5 * f * f * std::exp(-3 * f); }

ContactNetwork describeNetwork(const Grains& grains, const GrainContacts& contacts,
  const NetworkOptions& options, const Device& device)
{
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == DeviceKind::CUDA)
    return detail::describeNetworkOnCuda(grains, contacts, options, device);
#endif
  CpuExec exec(device.threads);
  return detail::describeNetworkOn(exec, grains, contacts, options);
}

HostArray<double> estimateForces(const Grains& grains, const GrainContacts& contacts,
  const double* overlap, const ForceEstimate& estimate, const Device& device)
{
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == DeviceKind::CUDA)
    return detail::estimateForcesOnCuda(grains, contacts, overlap, estimate, device);
#endif
  CpuExec exec(device.threads);
  return detail::estimateForcesOn(exec, grains, contacts, overlap, estimate);
}

} // namespace dem
