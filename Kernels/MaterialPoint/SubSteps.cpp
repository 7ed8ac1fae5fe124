#include "MaterialPoint/SubSteps.h"

#include "Core/Error.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace mpm
{
namespace
{

/// The longest sub-step, s. Only the speed of walls in excess of that of all points counts.
double longest(const Scene& scene, const SubStepBounds& b)
{
  const double wall = std::max(0., b.wall_speed - static_cast<double>(b.point_speed));
  const double speed =
    wall + (scene.integration == TimeIntegration::Explicit ? b.speed : b.point_speed);
  return speed > 0 ? scene.grid_spacing / speed : std::numeric_limits<double>::max();
}

} // namespace

SubStep nextSubStep(
  const Scene& scene, double step, double done, int k, double time, const SubStepBounds& bounds)
{
  constexpr int kMost = 10000;
  const double limit = longest(scene, bounds);
  const double rest = step - done;
  double parts = 1;
  if (scene.time_step > 0)
  {
    if (bounds.points && rest > limit * (1 + 1e-9))
    {
      char text[300];
      std::snprintf(text, sizeof text,
        "TimeStep %.4g s is beyond the CFL bound at t = %.6g s: the fastest wave and point "
        "or wall pass a cell of %.4g m in %.4g s. Use a smaller "
        "TimeStep, or 0 for the automatic one.",
        rest, time, scene.grid_spacing, limit);
      throw dem::Error(text);
    }
  }
  else
    parts = std::max(1., std::ceil(rest / (scene.cfl * limit) * (1 - 1e-6)));
  if (!(parts + k <= kMost))
  {
    char text[300];
    std::snprintf(text, sizeof text,
      "A step of %.4g s would need more than %d sub-steps at t = %.6g s: something moves at "
      "%.4g m/s. The material is too soft for its load, "
      "or the run is not stable.",
      step, kMost, time, std::max(bounds.wall_speed, static_cast<double>(bounds.point_speed)));
    throw dem::Error(text);
  }
  const double part = rest / parts;
  return { part, parts == 1 ? step : done + part, limit < 1e300 ? part / limit : 0. };
}

std::string faultText(FaultKind fault, std::int64_t id, double spacing, double time)
{
  char text[300];
  std::snprintf(text, sizeof text,
    fault == FaultKind::TooFast
      ? "Point %lld moves more than a cell (%.4g m) in one step after t = %.6g s: it was thrown "
        "off. Use a smaller TimeStep or CourantNumber."
      : "Point %lld is inverted or not finite, in cells of %.4g m after t = %.6g s: it was "
        "deformed beyond what its material allows in one step. Use a "
        "smaller TimeStep or CourantNumber, a stiffer material, or more points per cell.",
    static_cast<long long>(id), spacing, time);
  return text;
}

} // namespace mpm
