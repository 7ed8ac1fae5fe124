// Chooses the time step, and checks one that is given.
#include "Scene/StepPlan.h"

#include "Core/Error.h"
#include "Scene/TimeStepAdvice.h"

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

StepPlan planSteps(const Scene& scene)
{
  const double wanted = scene.time_step > 0 ? scene.time_step : adviseTimeStep(scene).recommended;
  return planSteps(scene.end_time, scene.output_interval, wanted, 1e-12);
}

} // namespace dem
