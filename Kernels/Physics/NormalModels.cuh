// Normal models: stiffness and elastic normal force of a contact. Used by ContactLaw.cuh. A new
// model is a struct here and a branch in stiffness().
#pragma once

#include "Physics/ContactState.cuh"

namespace dem
{

/// Hertz: Fn = 4/3 E* sqrt(R*) d^1.5. Tsuji, Tanaka, Ishida, Powder Technology 71 (1992) 239, with
/// the tangential stiffness 8 G* sqrt(R* d) after Mindlin, J. Appl. Mech. 16 (1949) 259.
struct HertzMindlin
{
  static constexpr double kEnergy = 0.4; // elastic energy / (force * overlap)

  template <class Scalar, class Real>
  DEM_HD static Stiffness<Real> stiffness(const LawParameters<Scalar>&,
    const PairCoefficients<Real>& pair, const Real& radius, const Real&, const Real& overlap)
  {
    using std::sqrt;
    const Real a = sqrt(radius * overlap); // contact radius
    const Real sn = pair.normal * a;
    return { sn, pair.tangential * a, Real(2. / 3) * sn * overlap };
  }
};

/// A linear spring, Fn = kn d. Either the stiffness kn or the collision time tc is given. In the
/// latter case kn = m* (pi^2 + ln^2 e) / tc^2.
struct LinearSpringDashpot
{
  static constexpr double kEnergy = 0.5;

  template <class Scalar, class Real>
  DEM_HD static Stiffness<Real> stiffness(const LawParameters<Scalar>& law,
    const PairCoefficients<Real>& pair, const Real&, const Real& mass, const Real& overlap)
  {
    const Real kn = law.normal_stiffness > Scalar(0)
      ? Real(law.normal_stiffness)
      : mass * pair.linear / Real(law.collision_time * law.collision_time);
    return { kn, law.stiffness_ratio * kn, kn * overlap };
  }
};

/// Stiffness and elastic force of the law's normal model. `radius`: R*, m. `mass`: m*, kg.
/// `overlap`: m.
template <class Scalar, class Real>
DEM_HD Stiffness<Real> stiffness(const LawParameters<Scalar>& law,
  const PairCoefficients<Real>& pair, const Real& radius, const Real& mass, const Real& overlap)
{
  return law.law == NormalLaw::HertzMindlin
    ? HertzMindlin::stiffness(law, pair, radius, mass, overlap)
    : LinearSpringDashpot::stiffness(law, pair, radius, mass, overlap);
}

/// Elastic energy / (force * overlap) of the law's normal model.
template <class Scalar>
DEM_HD double elasticShare(const LawParameters<Scalar>& law)
{
  return law.law == NormalLaw::HertzMindlin ? HertzMindlin::kEnergy : LinearSpringDashpot::kEnergy;
}

/// Coefficient of the normal dashpot, N s/m. Arguments as in stiffness().
template <class Real>
DEM_HD Real normalDamping(const LawParameters<Real>& law, const PairCoefficients<Real>& pair,
  const Real& radius, const Real& mass, const Real& overlap)
{
  using std::sqrt;
  return pair.damping * sqrt(stiffness(law, pair, radius, mass, overlap).normal * mass);
}

} // namespace dem
