// Time integration schemes that a scene can choose. Solver/Integrators implements them.
#pragma once

namespace dem
{

enum class IntegratorKind
{
  VelocityVerlet,        ///< order 2, conserves the energy of an elastic contact: Swope et al. 1982
  SemiImplicitEuler,     ///< order 1, conserves this energy up to a bounded oscillation; moves with
                         ///< the new velocity
  GearPredictorCorrector ///< order 4 for smooth forces: Gear 1971, five values, in the variant of
                         ///< Pacevic and Kaceniauskas 2022
};

/// Names in files, panels and the benchmark, in the order of the enumeration.
inline constexpr const char* kIntegratorNames[] = { "Velocity Verlet", "Semi-Implicit Euler",
  "Gear Predictor-Corrector" };

} // namespace dem
