// The computed flow of a frame, in the cells of its grid. Part of Frame.
#pragma once

#include "Core/HostArray.h"
#include "Core/Vec.h"

namespace dem
{

/// Cells x fastest. Empty without a computed flow.
struct FluidImage
{
  Vec3d origin{}, spacing{ 1, 1, 1 }; ///< m: first corner, and size of a cell
  int cells[3] = { 0, 0, 0 };
  HostArray<double> velocity;      ///< 3, m/s, in the voids
  HostArray<double> pressure;      ///< Pa, without the weight of the fluid
  HostArray<double> void_fraction; ///< 0 in cells without fluid
  HostArray<double> drag_force;    ///< 3, N/m^3: drag on the grains by volume

  bool empty() const { return cells[0] == 0; }
};

} // namespace dem
