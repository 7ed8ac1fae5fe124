#include "Analysis/Continuum.h"

#include "Analysis/detail/StressPairs.cuh"
#include "Core/CpuExec.h"

namespace dem
{

StressAsContacts stressAsContacts(const Grains& points, const double* stress)
{
  const std::size_t n = points.size;
  StressAsContacts out;
  out.first = HostArray<std::int64_t>(3 * n);
  out.second = HostArray<std::int64_t>(3 * n);
  out.first_place = HostArray<double>(9 * n);
  out.second_place = HostArray<double>(9 * n);
  out.normal_force = HostArray<double>(stress ? 9 * n : 0);
  CpuExec exec(0);
  exec.forEach(n,
    detail::StressPairs<double>{ points.position, points.radius, stress, out.first.data(),
      out.second.data(), out.first_place.data(), out.second_place.data(),
      out.normal_force.data() });
  out.view.size = 3 * n;
  out.view.first = out.first.data();
  out.view.second = out.second.data();
  out.view.first_place = out.first_place.data();
  out.view.second_place = out.second_place.data();
  out.view.normal_force = stress ? out.normal_force.data() : nullptr;
  return out;
}

} // namespace dem
