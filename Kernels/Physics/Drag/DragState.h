// What a drag law depends on. Used by Physics/Drag/.
#pragma once

namespace dem
{

/// A grain and the fluid around it. Drag laws return the coefficient B (kg/s) of the force
/// B (u - v), with the velocities u of the fluid in the voids and v of the grain. The pressure
/// gradient acts on the grain apart from it.
struct DragState
{
  double diameter;      // m
  double void_fraction; // in (0, 1]
  double density;       // kg/m^3
  double viscosity;     // Pa s
  double slip;          // m/s, |u - v|
};

} // namespace dem
