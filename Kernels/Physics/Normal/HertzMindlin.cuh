// Normal model: elastic spheres after Hertz. A model of NormalModels (Families.cuh).
#pragma once

#include "Physics/ContactState.cuh"

#include <cmath>

namespace dem
{

/// Hertz: Fn = 4/3 E* sqrt(R*) d^1.5. Tsuji, Tanaka, Ishida, Powder Technology 71 (1992) 239, with
/// the tangential stiffness 8 G* sqrt(R* d) after Mindlin, J. Appl. Mech. 16 (1949) 259.
struct HertzMindlin
{
  template <class Law>
  DEM_HD static bool isChosen(const Law& law)
  {
    return law.law == NormalLaw::HertzMindlin;
  }

  /// Spheres at `overlap` (m, >= 0) with R* = `radius` (m).
  template <class Scalar, class Real>
  DEM_HD static Stiffness<Real> stiffness(const LawParameters<Scalar>&,
    const PairCoefficients<Real>& pair, const Real& radius, const Real&, const Real& overlap)
  {
    using std::sqrt;
    const Real a = sqrt(radius * overlap); // contact radius
    const Real sn = pair.normal * a, force = Real(2. / 3) * sn * overlap;
    return { sn, pair.tangential * a, force, Real(0.4) * force * overlap };
  }
};

} // namespace dem
