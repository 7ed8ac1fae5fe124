// Recommended and largest allowed time step of a scene. Used by StepPlan.cpp and Engine.cuh.
#pragma once

#include "Scene/Scene.h"

namespace dem
{

/// The recommended step is the minimum of 20 % of the Rayleigh time and 1/40 of the shortest
/// contact. The shortest contact is that at the fastest approach, which follows from initial
/// velocities, walls and a fall through the domain. With Gear Predictor-Corrector the step is also
/// at most 4 % of the damping time. This scheme is stable up to 30 % of it. In a dense packing the
/// neighbours damp a grain about eight times as fast as a single contact.
struct TimeStepAdvice
{
  double rayleigh_time = 0;    ///< s, shortest over the particles
  double contact_duration = 0; ///< s, shortest at `fastest_approach`
  double fastest_approach = 0; ///< m/s
  double damping_time = 0;     ///< s, shortest: contact duration / (2 |ln restitution|), the decay
                               ///< time of damping
  double recommended = 0;      ///< s
  double largest_allowed = 0;  ///< s: a larger TimeStep is refused
};

/// Returns the advice for a valid scene. The same scene gives the same bits.
TimeStepAdvice adviseTimeStep(const Scene& scene);

} // namespace dem
