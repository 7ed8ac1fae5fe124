// The steps of a run: their length and number.
#pragma once

#include "Scene/Scene.h"

#include <cstdint>

namespace dem
{

/// The largest step that divides the output interval and is not longer than the scene's time step,
/// or than the automatic one: time_step = output_interval / steps_per_output.
struct StepPlan
{
  double time_step = 0; ///< s
  std::uint64_t steps_per_output = 1;
  std::uint64_t outputs = 1; ///< number of output times, 0 included
};

/// Throws dem::Error if there are too many steps or outputs.
StepPlan planSteps(const Scene& scene);

/// The number of output times from 0 to end_time. Throws dem::Error if end_time is not a time or
/// there are more than 1e7.
std::uint64_t countOutputs(const Scene& scene);

/// Throws dem::Error if the scene states a time step and it is larger than
/// TimeStepAdvice::largest_allowed. The message quotes it as it was stated.
void checkTimeStep(const Scene& scene);

} // namespace dem
