// Wall elements that meet without common corners: unmerged facets, T-junctions, facets listed
// twice, walls placed flush beside each other.
#pragma once

#include "Walls/WallMesh.h"

#include <cstdint>
#include <vector>

namespace dem
{

/// The result of findWallSeams().
struct WallSeams
{
  /// Whether any two triangles or analytic surfaces meet without common corners, or a triangle
  /// meets an analytic surface at less than 15 degrees. If false, all arrays are empty.
  bool any = false;
  /// other[start[e] .. start[e + 1]): the triangles that meet triangle e apart from common corners,
  /// ascending.
  std::vector<std::uint32_t> start, other;
  /// Of each element (m). Two elements meet if their distance is below the smaller of their
  /// tolerances.
  std::vector<double> tolerance;
};

/// Finds the seams of the walls in their pose at time 0. Cost: O(n log n) for n triangles of
/// similar size. The tolerance is 5e-6 of the diagonal of all meshes together, at most 2 % of a
/// triangle's longest edge. This exceeds errors of rounding and of file formats, and is too small
/// to affect grains.
WallSeams findWallSeams(const WallSet& walls);

} // namespace dem
