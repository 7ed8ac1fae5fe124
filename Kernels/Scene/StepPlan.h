// Time step and number of outputs of a run. Used by the solver.
#pragma once

#include "Scene/Scene.h"

#include <cstdint>

namespace dem
{

/// time_step = output_interval / steps_per_output. It is the largest such step that does not exceed
/// the scene's time step, or the automatic one.
struct StepPlan
{
  double time_step = 0; ///< s
  std::uint64_t steps_per_output = 1;
  std::uint64_t outputs = 1; ///< number of output times, 0 included
};

/// Returns the plan of a scene. Throws dem::Error if there are too many steps or outputs.
StepPlan planSteps(const Scene& scene);

/// Number of output times from 0 to end_time. Throws dem::Error if end_time is not a valid time or
/// there are more than 1e7 outputs.
std::uint64_t countOutputs(const Scene& scene);

/// Throws dem::Error if the scene gives a time step and the planned step exceeds
/// TimeStepAdvice::largest_allowed. The message contains the time step of the scene.
void checkTimeStep(const Scene& scene);

} // namespace dem
