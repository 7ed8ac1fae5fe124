// Cohesion model: elastic spheres with surface energy. A model of CohesionModels (Families.cuh).
#pragma once

#include "Physics/ContactState.cuh"

#include <cmath>

namespace dem
{

/// Johnson, Kendall, Roberts, Proc. R. Soc. A 324 (1971) 301. With the surface energy gamma of like
/// materials (work of adhesion 2 gamma) and the contact radius a:
/// - force F = 4 E* a^3 / (3 R*) - 4 sqrt(pi gamma E* a^3), least at -3 pi gamma R* (pull-off);
/// - overlap d = a^2 / R* - 2 sqrt(pi gamma a / E*), least at -3 a_s^2 / R*, where the bodies
///   separate. a_s = (pi gamma R*^2 / (4 E*))^(1/3) is the contact radius there.
///
/// With s = sqrt(a / a_s) these are
/// - F = pi gamma R* s^3 (s^3 / 3 - 2);
/// - d = (s^4 - 4 s) a_s^2 / R*.
///
/// Bodies meet at d = 0 and stay in contact until d is below -3 a_s^2 / R*, so each meeting costs
/// the area of this loop. The quartic for a is solved in closed form, as in Parteli et al.,
/// Scientific Reports 4 (2014) 6227; here with a resolvent cubic that has no cancellation.
///
/// Coulomb's limit and the limit of rolling models use |Fn + 2 Fpo|, Fpo = 3 pi gamma R*; Thornton,
/// J. Phys. D 24 (1991) 1942. Dashpots use the stiffness of Hertz and Mindlin at the radius a.
struct Jkr
{
  template <class Law>
  DEM_HD static bool isChosen(const Law& law)
  {
    return law.cohesion == CohesionModel::JKR;
  }

  /// Gap up to which a contact acts after it touched, m. `radius`: R*, m.
  template <class Real>
  DEM_HD static Real reach(const PairCoefficients<Real>& pair, const Real& radius)
  {
    using std::cbrt;
    return Real(3) * lengthUnit(pair, cbrt(radius));
  }

  /// Twice the pull-off force, N.
  template <class Real>
  DEM_HD static Real addedToLimit(const PairCoefficients<Real>& pair, const Real& radius)
  {
    return Real(6) * pair.adhesion * radius;
  }

  /// Part of the normal force with which the surface energy pulls, N: 4 sqrt(pi gamma E* a^3).
  template <class Real>
  DEM_HD static Real pull(
    const PairCoefficients<Real>& pair, const Real& radius, const Real& overlap)
  {
    using std::cbrt;
    const Truth<Real> sticks = pair.adhesion > Real(0);
    const Real s = rootOfQuartic(overlap / select(sticks, lengthUnit(pair, cbrt(radius)), Real(1)));
    return Real(2) * pair.adhesion * radius * s * s * s;
  }

  /// Stiffness, force and energy at `overlap` (m), which may be down to -reach(). `bare`: those
  /// without cohesion; the result for pairs without surface energy. The energy is 0 at separation.
  template <class Real>
  DEM_HD static Stiffness<Real> changed(const PairCoefficients<Real>& pair, const Real& radius,
    const Real& overlap, const Stiffness<Real>& bare)
  {
    using std::cbrt;
    const Truth<Real> sticks = pair.adhesion > Real(0);
    const Real root = cbrt(radius); // of R*
    const Real unit = select(sticks, lengthUnit(pair, root), Real(1));
    const Real s = rootOfQuartic(overlap / unit), s2 = s * s, s3 = s2 * s;
    const Real at_separation = pair.adhesive_radius * root * root, a = at_separation * s2;
    const Real pull = pair.adhesion * radius; // a third of the pull-off force
    // 4/3 pi gamma a_s^2 (s^10 / 10 - s^7 + 3/2 s^4 - 3/5), multiplied in an order that does not
    // overflow
    const Real whole = Real(4. / 3) * pair.adhesion * at_separation * at_separation,
               fourth = whole * s * s3;
    const Real energy =
      fourth * s3 * (Real(0.1) * s3 - Real(1)) + Real(1.5) * fourth - Real(0.6) * whole;
    return { select(sticks, pair.normal * a, bare.normal),
      select(sticks, pair.tangential * a, bare.tangential),
      select(sticks, pull * s3 * (Real(1. / 3) * s3 - Real(2)), bare.elastic_force),
      select(sticks, energy, bare.energy) };
  }

  /// Radius of the contact, m; `overlap` as in changed(). Requires a surface energy.
  template <class Real>
  DEM_HD static Real contactRadius(
    const PairCoefficients<Real>& pair, const Real& radius, const Real& overlap)
  {
    using std::cbrt;
    const Real root = cbrt(radius), s = rootOfQuartic(overlap / lengthUnit(pair, root));
    return pair.adhesive_radius * root * root * s * s;
  }

private:
  // a_s^2 / R*, m. `root`: cube root of R*.
  template <class Real>
  DEM_HD static Real lengthUnit(const PairCoefficients<Real>& pair, const Real& root)
  {
    return pair.adhesive_radius * pair.adhesive_radius * root;
  }

  // The root s >= 1 of s^4 - 4 s = y, for y >= -3. The quartic is the product of
  // s^2 + m s + (m^2 + 4 / m) / 2 and s^2 - m s + (m^2 - 4 / m) / 2, with u = m^2 from
  // u^3 + 4 y u = 16.
  template <class Real>
  DEM_HD static Real rootOfQuartic(const Real& y)
  {
    using std::cbrt;
    using std::sqrt;
    const Real one(1), zero(0), least(-1);
    const Real third = Real(1. / 3) * y, t = select(third > least, third, least);
    // sqrt(1 + t^3), also where t^3 is too large for a float
    const Truth<Real> large = t > one;
    const Real inner = select(large, t, one);
    const Real d = select(large, t * sqrt(inner + one / (inner * inner)), sqrt(one + t * t * t));
    const Real c = cbrt(one + d), c2 = c * c;
    const Real u = Real(4) / (c2 + t + t * (t / c2)), m = sqrt(u);
    const Real rest = Real(8) / m - u;
    return Real(0.5) * (m + sqrt(select(rest > zero, rest, zero)));
  }
};

} // namespace dem
