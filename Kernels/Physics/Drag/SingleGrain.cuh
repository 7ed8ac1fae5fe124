// Drag of single grains: Stokes, and Schiller and Naumann. Used by DragLaws.cuh.
#pragma once

#include "Core/HostDevice.h"
#include "Physics/Drag/DragState.h"

#include <cmath>

namespace dem
{

/// 3 pi mu d; Reynolds numbers far below 1.
struct StokesDrag
{
  DEM_HD static double coefficient(const DragState& s)
  {
    return 9.4247779607693797 * s.viscosity * s.diameter;
  }
};

/// Stokes' drag times 1 + 0.15 Re^0.687 up to Re = 1000, with Re of the slip velocity; drag
/// coefficient 0.44 above (Schiller and Naumann, Z. Ver. Deutsch. Ing. 77 (1935) 318).
struct SchillerNaumannDrag
{
  /// Ratio to Stokes' drag at the Reynolds number `re`.
  DEM_HD static double ratio(double re)
  {
    using std::pow;
    return re < 1000 ? 1 + 0.15 * pow(re, 0.687) : 0.44 / 24 * re;
  }
  DEM_HD static double coefficient(const DragState& s)
  {
    return StokesDrag::coefficient(s) * ratio(s.density * s.slip * s.diameter / s.viscosity);
  }
};

} // namespace dem
