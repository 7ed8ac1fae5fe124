// Wall elements that meet without common corners: unmerged facets, T-junctions, facets listed
// twice, walls set flush beside each other.
#pragma once

#include "Walls/WallMesh.h"

#include <cstdint>
#include <vector>

namespace dem
{

struct WallSeams
{
  /// Whether any two triangles or analytic surfaces meet without common corners, or a triangle
  /// meets an analytic surface at less than 15 degrees. If not, all arrays are empty.
  bool any = false;
  /// other[start[e] .. start[e + 1]): the triangles that meet triangle e beyond what their common
  /// corners tell, ascending.
  std::vector<std::uint32_t> start, other;
  /// m, one an element: two elements meet if they come nearer than the smaller of their two
  /// tolerances.
  std::vector<double> tolerance;
};

/// Finds them as the walls stand at time 0, in O(n log n) for n triangles whose size is alike. The
/// tolerance is 5e-6 of the diagonal of all meshes together, at most 2 % of a triangle's longest
/// edge: more than rounding and file formats move a corner by, less than any step that a grain
/// could feel.
WallSeams findWallSeams(const WallSet& walls);

} // namespace dem
