#include "MaterialPoint/MpmTimeStep.h"

#include "Core/Text.h"
#include "MaterialPoint/Constitutive.cuh"
#include "MaterialPoint/MpmWalls.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace mpm
{

using dem::number;
using dem::require;

TimeStepAdvice adviseTimeStep(const Scene& s)
{
  TimeStepAdvice a;
  const PointInput& p = s.points;
  // sound: from stiffness and density at rest of the given points, whose mass and volume may imply
  // another density than that of the material
  std::vector<double> stiffness;
  for (const Material& m : s.materials)
    stiffness.push_back(
      m.kind == MaterialKind::Fluid ? m.bulk_modulus : lameLambda(m) + 2 * lameMu(m));
  for (std::size_t i = 0; i < p.size(); ++i)
  {
    const std::size_t k = p.material.empty() ? 0 : static_cast<std::size_t>(p.material[i]);
    const double density =
      !p.mass.empty() && !p.volume.empty() ? p.mass[i] / p.volume[i] : s.materials[k].density;
    a.sound_speed = std::max(a.sound_speed, std::sqrt(stiffness[k] / density));
    if (!p.velocity.empty())
      a.fastest = std::max(a.fastest, length(p.velocity[i]));
  }
  if (p.size() == 0)
    for (std::size_t k = 0; k < s.materials.size(); ++k)
      a.sound_speed = std::max(a.sound_speed, std::sqrt(stiffness[k] / s.materials[k].density));
  a.fastest = std::max(a.fastest, fastestWall(s));
  const double h = s.grid_spacing;
  if (s.integration == TimeIntegration::Explicit)
  {
    a.largest_allowed = h / (a.sound_speed + a.fastest);
    a.recommended = s.cfl * a.largest_allowed;
  }
  else
  {
    // the time to fall from rest through cfl cells, or to move as far
    const double g = length(s.gravity), reach = s.cfl * h;
    a.largest_allowed = a.fastest > 0 ? h / a.fastest : std::numeric_limits<double>::max();
    a.recommended = s.output_interval;
    if (a.fastest > 0)
      a.recommended = std::min(a.recommended, reach / a.fastest);
    if (g > 0)
      a.recommended = std::min(a.recommended, std::sqrt(2 * reach / g));
  }
  return a;
}

StepPlan planSteps(const Scene& s)
{
  const TimeStepAdvice advice = adviseTimeStep(s);
  const double step = s.time_step > 0 ? s.time_step : advice.recommended;
  if (s.time_step > 0 && s.integration == TimeIntegration::Explicit && s.points.size())
    require(step <= advice.largest_allowed * (1 + 1e-9),
      "TimeStep " + number(step) + " s is beyond the CFL bound: sound runs at " +
        number(advice.sound_speed) + " m/s, the fastest point or wall at " +
        number(advice.fastest) + " m/s, so that a cell of " + number(s.grid_spacing) +
        " m is passed in " + number(advice.largest_allowed) + " s. Use at most that, better " +
        number(advice.recommended) + " s, or 0 for the automatic step.");
  return dem::planSteps(s.end_time, s.output_interval, step, 1e-9);
}

} // namespace mpm
