// The schemes of motion that a scene may choose.
#pragma once

namespace dem
{

enum class IntegratorKind
{
  VelocityVerlet,        ///< order 2, keeps the energy of an elastic contact: Swope et al. 1982
  SemiImplicitEuler,     ///< order 1, keeps it too, but for a ripple: the velocity first, then the
                         ///< place with the new velocity
  GearPredictorCorrector ///< order 4 where forces are smooth: Gear 1971, five values, as Pacevic
                         ///< and Kaceniauskas 2022 use the family
};

/// The names that files, panels and the benchmark use, in the order of the enumeration.
inline constexpr const char* kIntegratorNames[] = { "Velocity Verlet", "Semi-Implicit Euler",
  "Gear Predictor-Corrector" };

} // namespace dem
