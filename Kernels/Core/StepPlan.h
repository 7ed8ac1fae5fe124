// Steps and outputs of a run. Used by the scenes of all methods.
#pragma once

#include <cstdint>

namespace dem
{

/// time_step = output_interval / steps_per_output, so that outputs fall on whole steps.
struct StepPlan
{
  double time_step = 0; ///< s
  std::uint64_t steps_per_output = 1;
  std::uint64_t outputs = 1; ///< number of output times, 0 included
};

/// Number of output times from 0 to `end_time` (s). Throws dem::Error if it is not a valid time or
/// there are more than 1e7 outputs.
std::uint64_t countOutputs(double end_time, double output_interval);

/// Returns the plan with the largest step that does not exceed `wanted` (s). `rounding`: relative
/// excess that still counts as `wanted`. Throws dem::Error if there are too many steps or outputs.
StepPlan planSteps(double end_time, double output_interval, double wanted, double rounding);

} // namespace dem
