// Normal model: a linear spring. A model of NormalModels (Families.cuh).
#pragma once

#include "Physics/ContactState.cuh"

namespace dem
{

/// A linear spring, Fn = kn d. Either the stiffness kn or the collision time tc is given. In the
/// latter case kn = m* (pi^2 + ln^2 e) / tc^2.
struct LinearSpringDashpot
{
  template <class Law>
  DEM_HD static bool isChosen(const Law& law)
  {
    return law.law == NormalLaw::LinearSpringDashpot;
  }

  /// Spheres at `overlap` (m, >= 0) with m* = `mass` (kg).
  template <class Scalar, class Real>
  DEM_HD static Stiffness<Real> stiffness(const LawParameters<Scalar>& law,
    const PairCoefficients<Real>& pair, const Real&, const Real& mass, const Real& overlap)
  {
    const Real kn = law.normal_stiffness > Scalar(0)
      ? Real(law.normal_stiffness)
      : mass * pair.linear / Real(law.collision_time * law.collision_time);
    const Real force = kn * overlap;
    return { kn, law.stiffness_ratio * kn, force, Real(0.5) * force * overlap };
  }
};

} // namespace dem
