// Drag of Di Felice. Used by DragLaws.cuh.
#pragma once

#include "Physics/Drag/SingleGrain.cuh"

namespace dem
{

/// Di Felice, Int. J. Multiphase Flow 20 (1994) 153: drag of a single grain at the superficial
/// velocity e |u - v|, with the drag coefficient (0.63 + 4.8 / sqrt(Re))^2 of Dallavalle, times
/// e^-x with x = 3.7 - 0.65 exp(-(1.5 - log10 Re)^2 / 2). All Reynolds numbers below 1e5.
struct DiFeliceDrag
{
  DEM_HD static double coefficient(const DragState& s)
  {
    using std::exp;
    using std::log10;
    using std::pow;
    using std::sqrt;
    const double e = s.void_fraction;
    double re = e * s.density * s.slip * s.diameter / s.viscosity;
    re = re > 1e-9 ? re : 1e-9; // at rest the coefficient has a limit: 23.04 / Re
    const double root = 0.63 + 4.8 / sqrt(re), off = 1.5 - log10(re);
    const double exponent = 3.7 - 0.65 * exp(-0.5 * off * off);
    // pi / 8 d^2 rho Cd |U| e with |U| = Re mu / (rho d)
    return 0.39269908169872415 * s.diameter * s.viscosity * root * root * re * e *
      pow(e, -exponent);
  }
};

} // namespace dem
