// Chooses the time step, and checks the numbers of steps and outputs.
#include "Scene/StepPlan.h"

#include "Scene/TimeStepAdvice.h"
#include "Core/Text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace dem
{

void checkTimeStep(const Scene& scene)
{
  if (!(scene.time_step > 0) || scene.particles.size() == 0)
    return;
  const TimeStepAdvice advice = adviseTimeStep(scene);
  if (!(planSteps(scene).time_step > advice.largest_allowed))
    return;
  char text[500];
  std::snprintf(text, sizeof text,
    "TimeStep %.4g s is too large for these materials: the Rayleigh time is %.4g s and the "
    "shortest contact lasts %.4g s (at an "
    "approach of %.3g m/s). Use at most %.4g s, better %.4g s, or 0 for the automatic step.%s",
    scene.time_step, advice.rayleigh_time, advice.contact_duration, advice.fastest_approach,
    advice.largest_allowed, advice.recommended,
    scene.integrator == IntegratorKind::GearPredictorCorrector &&
        advice.largest_allowed == 0.2 * advice.damping_time
      ? " The Integrator 'Gear Predictor-Corrector' needs steps below a fifth of the time that "
        "damps a contact."
      : "");
  throw Error(text);
}

std::uint64_t countOutputs(const Scene& scene)
{
  require(scene.end_time >= 0 && std::isfinite(scene.end_time),
    "EndTime is " + number(scene.end_time) + " s; it must be at least 0.");
  require(scene.end_time / scene.output_interval < 1e7,
    "EndTime over OutputInterval makes " + number(scene.end_time / scene.output_interval) +
      " outputs; at most 1e7 are allowed.");
  return static_cast<std::uint64_t>(std::floor(scene.end_time / scene.output_interval + 1e-9)) + 1;
}

StepPlan planSteps(const Scene& scene)
{
  StepPlan plan;
  const double wanted = scene.time_step > 0 ? scene.time_step : adviseTimeStep(scene).recommended;
  const double steps = std::ceil(scene.output_interval / wanted * (1 - 1e-12));
  if (!(steps < 1e12))
    throw Error("OutputInterval " + number(scene.output_interval) + " s at a step of " +
      number(wanted) + " s makes too many steps.");
  plan.steps_per_output = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(steps));
  plan.time_step = scene.output_interval / static_cast<double>(plan.steps_per_output);
  plan.outputs = countOutputs(scene);
  return plan;
}

} // namespace dem
