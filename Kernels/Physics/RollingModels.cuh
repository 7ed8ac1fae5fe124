// Rolling models after Ai, Chen, Rotter, Ooi, Powder Technology 206 (2011) 269. Used by
// ContactLaw.cuh. `rolling` is the relative spin across the normal, rad/s, and `torque_limit` is
// mu_r R* |Fn|, N m.
#pragma once

#include "Physics/ContactState.cuh"

#include <cmath>

namespace dem
{

/// Constant directional torque, model A: mu_r R* |Fn| against the relative rolling. No history.
struct RollingCdt
{
  /// Sets `out.rolling`, and adds to `out.dissipated`. `step`: s.
  template <class Scalar, class Real>
  DEM_HD static void apply(const ContactMotion<Real>& m, const ContactTerms<Real>& t, Scalar step,
    const Vec3<Real>& rolling, const Real& torque_limit, ContactForce<Real>& out)
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

/// Elastic-plastic spring and dashpot, model C. Its history is the rolling spring, history.roll,
/// rad.
struct RollingEpsd
{
  /// Sets `out.rolling`, adds to the energies of `out`, and advances `history.roll` with
  /// `kAdvance`.
  template <bool kAdvance, class Scalar, class Real>
  DEM_HD static void apply(const LawParameters<Scalar>& law, const PairCoefficients<Real>& pair,
    const ContactMotion<Real>& m, const ContactTerms<Real>& t, const Vec3<Real>& rolling,
    const Real& torque_limit, ContactHistory<Real>& history, ContactForce<Real>& out)
  {
    using std::sqrt;
    const Real zero(0), half = Real(0.5) * t.dt;
    const Real lever = pair.rolling * m.radius;
    const Real kr = Real(2.25) * (t.now.elastic_force / m.overlap) * lever * lever;
    const Real kr_before = select(t.overlap_before > zero,
      Real(2.25) * (t.before.elastic_force / t.overlap_before) * lever * lever, kr);
    Vec3<Real> roll;
    if (kAdvance)
    {
      roll = turnedIntoPlane(history.roll + t.opening * rolling, m.normal).spring;
      out.stiffness_work -= Real(0.5) * dot(history.roll, history.roll) * (kr - kr_before);
    }
    else
      roll = history.roll - half * rolling;
    const Vec3<Real> spring = (-kr) * roll;
    const Real size = length(spring);
    const Truth<Real> full = size >= torque_limit;
    const Truth<Real> wound = size > zero && kr > zero;
    const Real kept = select(size > zero, torque_limit / size, Real(1));
    const Real damping = Real(2) * law.rolling_damping * sqrt(m.rolling_inertia * kr);
    out.rolling = select(full, kept * spring, spring - damping * rolling);
    const Real unwound = select(wound, torque_limit * (size - torque_limit) / kr, zero);
    out.dissipated +=
      select(full, kAdvance ? unwound : zero, damping * dot(rolling, rolling) * t.dt);
    if (kAdvance)
      roll = select(full && wound, kept * roll, roll);
    out.elastic_energy += Real(0.5) * kr * dot(roll, roll);
    if (kAdvance)
      history.roll = roll + half * rolling;
  }
};

} // namespace dem
