// Drag of Ergun, and of Wen and Yu, as Gidaspow combined them. Used by DragLaws.cuh.
#pragma once

#include "Physics/Drag/SingleGrain.cuh"

namespace dem
{

/// Below the void fraction 0.8 Ergun, Chem. Eng. Prog. 48 (1952) 89; from there on Wen and Yu,
/// Chem. Eng. Prog. Symp. Ser. 62 (1966) 100, with the Reynolds number of e |u - v| (Gidaspow,
/// Multiphase Flow and Fluidization, 1994). It jumps at 0.8.
struct GidaspowDrag
{
  DEM_HD static double coefficient(const DragState& s)
  {
    using std::pow;
    const double e = s.void_fraction, p = 1 - e;
    const double re = e * s.density * s.slip * s.diameter / s.viscosity;
    const double stokes = StokesDrag::coefficient(s);
    // both as the force on one grain: pi d^3 / (6 p) times the coefficient of a unit of volume
    if (e < 0.8)
      return stokes * (150 * p / e + 1.75 * re / e) / 18;
    return stokes * SchillerNaumannDrag::ratio(re) * pow(e, -2.65);
  }
};

} // namespace dem
