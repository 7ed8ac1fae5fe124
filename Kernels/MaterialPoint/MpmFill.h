// Bodies filled with points.
#pragma once

#include "MaterialPoint/MpmScene.h"

#include <array>
#include <cstdint>
#include <vector>

namespace mpm
{

/// Fills the inside of a closed triangle surface with points on a jittered lattice: `per_axis`^3
/// points in a cell of `spacing` m, in [1, 16]. `jitter`: 0 = the regular lattice, 1 = anywhere in
/// the point's share of the cell. The same `seed` gives the same points. All points have the volume
/// spacing^3 / per_axis^3. Throws dem::Error if the surface is not closed.
PointInput fillSurface(const std::vector<Vec3d>& points,
  const std::vector<std::array<std::int32_t, 3>>& triangles, double spacing, int per_axis,
  double jitter, std::uint64_t seed);

/// Fills a box in the same way.
PointInput fillBox(const Vec3d& lower, const Vec3d& upper, double spacing, int per_axis,
  double jitter, std::uint64_t seed);

} // namespace mpm
