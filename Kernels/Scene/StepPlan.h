// Time step of a run, given or automatic. Used by the solver.
#pragma once

#include "Core/StepPlan.h"
#include "Scene/Scene.h"

namespace dem
{

/// Returns the plan of a scene. Throws dem::Error if there are too many steps or outputs.
StepPlan planSteps(const Scene& scene);

/// Throws dem::Error if the scene gives a time step and the planned step exceeds
/// TimeStepAdvice::largest_allowed. The message contains the time step of the scene.
void checkTimeStep(const Scene& scene);

} // namespace dem
