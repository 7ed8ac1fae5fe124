// Rolling model: a constant torque. A model of RollingModels (Families.cuh).
#pragma once

#include "Physics/ContactState.cuh"

namespace dem
{

/// Constant directional torque: mu_r R* |Fn| against the relative rolling. No history. Ai, Chen,
/// Rotter, Ooi, Powder Technology 206 (2011) 269, model A.
struct RollingCdt
{
  template <class Law>
  DEM_HD static bool isChosen(const Law& law)
  {
    return law.rolling == RollingModel::CDT;
  }

  /// Sets `out.rolling`, and adds to `out.dissipated`. `rolling`: relative spin across the normal,
  /// rad/s. `torque_limit`: mu_r R* |Fn|, N m. `step`: s.
  template <bool kAdvance, class Scalar, class Real>
  DEM_HD static void apply(const LawParameters<Scalar>&, const PairCoefficients<Real>&,
    const ContactMotion<Real>& m, const ContactTerms<Real>& t, Scalar step,
    const Vec3<Real>& rolling, const Real& torque_limit, ContactHistory<Real>&,
    ContactForce<Real>& out)
  {
    const Real zero(0);
    const Real rate = length(rolling);
    const Truth<Real> rolls = rate > zero;
    // Limited to the torque that stops the rolling in this step. A constant torque would make a
    // resting grain oscillate.
    const Real stopping = step > Scalar(0) ? m.rolling_inertia * rate / t.dt : torque_limit;
    const Real size = select(torque_limit < stopping, torque_limit, stopping);
    out.rolling = select(rolls, -size / rate, zero) * rolling;
    // If the rolling stops within the step, its rate falls linearly to zero.
    const Real mean = select(stopping > zero, Real(1) - Real(0.5) * size / stopping, Real(1));
    out.dissipated += select(rolls, size * rate * t.dt * mean, zero);
  }
};

} // namespace dem
