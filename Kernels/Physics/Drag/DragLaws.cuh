// The family of drag laws. A new law is a struct in a file of its own, a value of DragLaw, and a
// line here.
#pragma once

#include "Physics/Drag/Beetstra.cuh"
#include "Physics/Drag/DiFelice.cuh"
#include "Physics/Drag/Gidaspow.cuh"
#include "Physics/Drag/KochHill.cuh"
#include "Physics/Drag/SingleGrain.cuh"
#include "Physics/FluidModel.h"

namespace dem
{

/// Coefficient B (kg/s) of the drag B (u - v) on a grain.
DEM_HD double dragCoefficient(DragLaw law, const DragState& s)
{
  switch (law)
  {
    case DragLaw::KochHill:
      return KochHillDrag::coefficient(s);
    case DragLaw::DiFelice:
      return DiFeliceDrag::coefficient(s);
    case DragLaw::Gidaspow:
      return GidaspowDrag::coefficient(s);
    case DragLaw::Beetstra:
      return BeetstraDrag::coefficient(s);
    case DragLaw::SchillerNaumann:
      return SchillerNaumannDrag::coefficient(s);
    case DragLaw::Stokes:
      return StokesDrag::coefficient(s);
  }
  return 0;
}

} // namespace dem
