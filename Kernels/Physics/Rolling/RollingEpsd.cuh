// Rolling model: spring, dashpot and limit. A model of RollingModels (Families.cuh).
#pragma once

#include "Physics/ContactState.cuh"

#include <cmath>

namespace dem
{

/// Elastic-plastic spring and dashpot. Its history is the rolling spring, history.roll, rad. Ai,
/// Chen, Rotter, Ooi, Powder Technology 206 (2011) 269, model C.
struct RollingEpsd
{
  template <class Law>
  DEM_HD static bool isChosen(const Law& law)
  {
    return law.rolling == RollingModel::EPSD;
  }

  static constexpr HistoryColumn kHistory[] = { { "rolling_spring_x", true },
    { "rolling_spring_y", true }, { "rolling_spring_z", true } };
  template <class Real>
  DEM_HD static Real& column(ContactHistory<Real>& history, int c)
  {
    return c == 0 ? history.roll.x : (c == 1 ? history.roll.y : history.roll.z);
  }

  /// As in RollingCdt; sets `out.rolling`, adds to the energies of `out`, and advances
  /// `history.roll` with `kAdvance`.
  template <bool kAdvance, class Scalar, class Real>
  DEM_HD static void apply(const LawParameters<Scalar>& law, const PairCoefficients<Real>& pair,
    const ContactMotion<Real>& m, const ContactTerms<Real>& t, Scalar, const Vec3<Real>& rolling,
    const Real& torque_limit, ContactHistory<Real>& history, ContactForce<Real>& out)
  {
    using std::sqrt;
    const Real zero(0), half = Real(0.5) * t.dt;
    const Real lever = pair.rolling * m.radius;
    const Real kr = Real(2.25) * secant(law, pair, t.now, m.overlap) * lever * lever;
    const Real kr_before = select(t.overlap_before > zero || sticks(law, pair),
      Real(2.25) * secant(law, pair, t.before, t.overlap_before) * lever * lever, kr);
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

private:
  // Whether the surfaces stick, so that the contact also carries a load without overlap.
  template <class Scalar, class Real>
  DEM_HD static Truth<Real> sticks(
    const LawParameters<Scalar>& law, const PairCoefficients<Real>& pair)
  {
    if (law.cohesion == CohesionModel::None)
      return Truth<Real>(false);
    return pair.adhesion > Real(0);
  }

  // Normal force over overlap, N/m. For surfaces that stick it is that of Hertz at the same contact
  // radius, because the overlap may be 0.
  template <class Scalar, class Real>
  DEM_HD static Real secant(const LawParameters<Scalar>& law, const PairCoefficients<Real>& pair,
    const Stiffness<Real>& s, const Real& overlap)
  {
    const Real ratio = s.elastic_force / overlap;
    if (law.cohesion == CohesionModel::None)
      return ratio;
    return select(
      pair.adhesion > Real(0), Real(2. / 3) * s.normal, select(overlap > Real(0), ratio, Real(0)));
  }
};

} // namespace dem
