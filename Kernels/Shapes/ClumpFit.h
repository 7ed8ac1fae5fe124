// Multi-spheres fitted into a closed surface.
#pragma once

#include "Shapes/Shape.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace dem
{

/// Options of fitting spheres into a surface.
struct ClumpFit
{
  int spheres = 16;       ///< most spheres, 1 to 64
  int cells = 48;         ///< grid cells along the longest edge of the surface's box, 8 to 256
  double accuracy = 0.01; ///< stops when the uncovered fraction of the volume is below
};
/// Result of the fit.
struct ClumpQuality
{
  double volume = 0; ///< of the solid bounded by the triangles
  /// fraction of it that no sphere covers; spheres do not extend beyond the solid
  double missing = 0;
};

/// Fits spheres into a closed triangle surface of any form. Each cell of a uniform grid inside the
/// solid is a candidate: the largest sphere about its centre within the solid (exact distance to
/// the triangles). The algorithm is greedy: it takes the candidate that covers most uncovered
/// cells, and moves its centre within the cell to enlarge it, towards the medial axis. Mass, centre
/// and inertia are those of the union of the spheres.
Shape makeMultiSphere(const std::string& name, const std::vector<Vec3d>& points,
  const std::vector<std::array<std::int32_t, 3>>& triangles, const ClumpFit& fit,
  ClumpQuality* quality = nullptr);

} // namespace dem
