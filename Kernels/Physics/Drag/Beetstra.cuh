// Drag of Beetstra, van der Hoef and Kuipers. Used by DragLaws.cuh.
#pragma once

#include "Physics/Drag/SingleGrain.cuh"

namespace dem
{

/// Beetstra, van der Hoef, Kuipers, AIChE J. 53 (2007) 489, for grains of one size: lattice
/// Boltzmann simulations with Reynolds numbers of e |u - v| up to 1000.
struct BeetstraDrag
{
  DEM_HD static double coefficient(const DragState& s)
  {
    using std::pow;
    using std::sqrt;
    const double e = s.void_fraction, p = 1 - e;
    const double re = e * s.density * s.slip * s.diameter / s.viscosity;
    double f = 10 * p / (e * e) + e * e * (1 + 1.5 * sqrt(p));
    if (re > 0)
      f += 0.413 * re / (24 * e * e) * (1 / e + 3 * p * e + 8.4 * pow(re, -0.343)) /
        (1 + pow(10., 3 * p) * pow(re, -0.5 - 2 * p));
    return StokesDrag::coefficient(s) * e * f;
  }
};

} // namespace dem
