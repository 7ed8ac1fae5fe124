// How a step is divided into sub-steps, and the message if one fails.
#pragma once

#include "MaterialPoint/FaultKind.h"
#include "MaterialPoint/MpmScene.h"

#include <cstdint>
#include <string>

namespace mpm
{

/// What bounds the next sub-step.
struct SubStepBounds
{
  float speed;       ///< m/s, |v| + sound of the fastest point
  float point_speed; ///< m/s, |v| of the fastest point
  double wall_speed; ///< m/s, of the fastest wall in this step
  bool points;       ///< there are points
};

struct SubStep
{
  double length; ///< s
  double end;    ///< s, from the start of the step
  double cfl;    ///< share of the bound h / speed
};

/// The sub-step of number `k` in a step of `step` s, of which `done` s are over; `time`: s, at the
/// start of the step. With automatic steps the rest is divided into equal parts of at most `cfl`
/// of the bound. Throws dem::Error if a given TimeStep is beyond the bound, or a step would need
/// more than 10000 sub-steps.
SubStep nextSubStep(
  const Scene& scene, double step, double done, int k, double time, const SubStepBounds& bounds);

/// The message for a point that a sub-step made invalid. `id`: of the point; `spacing`: m, of the
/// grid; `time`: s, at the start of the step.
std::string faultText(FaultKind fault, std::int64_t id, double spacing, double time);

} // namespace mpm
