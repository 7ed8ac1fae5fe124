// Which time steps suit a scene.
#pragma once

#include "Scene/Scene.h"

namespace dem
{

/// The recommended step is the least of 20 % of the Rayleigh time and 1/40 of the shortest contact
/// at the fastest approach that initial velocities, walls and a fall through the domain allow. With
/// Gear Predictor-Corrector also 4 % of the time in which a contact is damped: the scheme is stable
/// up to 30 % of it, and the neighbours in a dense packing damp a grain some eight times as fast as
/// one contact does.
struct TimeStepAdvice
{
  double rayleigh_time = 0;    ///< s, shortest over the particles
  double contact_duration = 0; ///< s, shortest at `fastest_approach`
  double fastest_approach = 0; ///< m/s
  double damping_time = 0;     ///< s, shortest: contact duration / (2 |ln restitution|), in which
                               ///< damping takes 1/e of the approach
  double recommended = 0;      ///< s
  double largest_allowed = 0;  ///< s: a larger TimeStep is refused
};

/// The advice for a valid scene. The same scene gives the same bits.
TimeStepAdvice adviseTimeStep(const Scene& scene);

} // namespace dem
