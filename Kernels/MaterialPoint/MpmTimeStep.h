// The time step of an MPM run: bounds, advice, and the plan of its outputs.
#pragma once

#include "Core/StepPlan.h"
#include "MaterialPoint/MpmScene.h"

namespace mpm
{

using dem::StepPlan;

/// The bound of an explicit step, h / (c + |v|): within it no sound passes a cell and no point
/// moves by a cell (Meyer 2019, 4.5.4, eq. 92, with the speed of points). The affine term of eq.
/// 93, which bounds the speed of nodes by that of points, is not part of it: points move with the
/// mean of the nodes that they see, and rotating blocks keep their momentum without it
/// (TestMpmSpin).
struct TimeStepAdvice
{
  double sound_speed = 0;     ///< m/s, the fastest of the materials at rest
  double fastest = 0;         ///< m/s, of the points and walls
  double largest_allowed = 0; ///< s
  double recommended =
    0; ///< s: cfl times the bound; implicit: the time in which the fastest point moves cfl cells
};

TimeStepAdvice adviseTimeStep(const Scene& scene);
/// Throws dem::Error if a given TimeStep is beyond the bound of explicit steps.
StepPlan planSteps(const Scene& scene);

} // namespace mpm
