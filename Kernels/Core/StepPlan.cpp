// Divides the interval between two outputs into whole steps.
#include "Core/StepPlan.h"

#include "Core/Text.h"

#include <algorithm>
#include <cmath>

namespace dem
{

std::uint64_t countOutputs(double end_time, double output_interval)
{
  require(end_time >= 0 && std::isfinite(end_time),
    "EndTime is " + number(end_time) + " s; it must be at least 0.");
  require(end_time / output_interval < 1e7,
    "EndTime over OutputInterval makes " + number(end_time / output_interval) +
      " outputs; at most 1e7 are allowed.");
  return static_cast<std::uint64_t>(std::floor(end_time / output_interval + 1e-9)) + 1;
}

StepPlan planSteps(double end_time, double output_interval, double wanted, double rounding)
{
  StepPlan plan;
  const double steps = std::ceil(output_interval / wanted * (1 - rounding));
  require(steps < 1e12,
    "OutputInterval " + number(output_interval) + " s at a step of " + number(wanted) +
      " s makes too many steps.");
  plan.steps_per_output = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(steps));
  plan.time_step = output_interval / static_cast<double>(plan.steps_per_output);
  plan.outputs = countOutputs(end_time, output_interval);
  return plan;
}

} // namespace dem
