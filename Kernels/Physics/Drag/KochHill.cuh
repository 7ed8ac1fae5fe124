// Drag of Koch and Hill. Used by DragLaws.cuh.
#pragma once

#include "Physics/Drag/SingleGrain.cuh"

namespace dem
{

/// Koch and Hill, Annu. Rev. Fluid Mech. 33 (2001) 619, in the form of Jajcevic, Siegmann,
/// Radeke, Khinast, Chem. Eng. Sci. 98 (2013) 298: 3 pi mu d e^2 (F0 + F3 Re / 2) with the
/// Reynolds number of the superficial velocity e |u - v|. From simulations with Re up to about 120.
struct KochHillDrag
{
  DEM_HD static double coefficient(const DragState& s)
  {
    using std::log;
    using std::sqrt;
    const double e = s.void_fraction, p = 1 - e; // fraction of the solid
    const double re = e * s.density * s.slip * s.diameter / s.viscosity;
    double f0 = 1;
    if (p >= 0.4)
      f0 = 10 * p / (e * e * e);
    else if (p > 0)
      f0 = (1 + 3 * sqrt(0.5 * p) + 135. / 64 * p * log(p) + 16.14 * p) /
        (1 + p * (0.681 + p * (-8.48 + p * 8.16)));
    const double e5 = e * e * e * e * e;
    const double f3 = 0.0673 + 0.212 * p + 0.0232 / e5;
    return StokesDrag::coefficient(s) * e * e * (f0 + 0.5 * f3 * re);
  }
};

} // namespace dem
