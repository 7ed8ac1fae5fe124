// Bodies filled with points.
#pragma once

#include "MaterialPoint/MpmScene.h"

#include <array>
#include <cstdint>
#include <vector>

namespace mpm
{

/// Fills the inside of a closed triangle surface with points, on a jittered lattice: `per_axis`^3 a
/// cell of `spacing`, the same `seed` giving the same points; `jitter` 0 = the regular lattice, 1 =
/// anywhere in its share of the cell. All points get the volume spacing^3 / per_axis^3. Throws for
/// a surface that is not closed.
PointInput fillSurface(const std::vector<Vec3d>& points,
  const std::vector<std::array<std::int32_t, 3>>& triangles, double spacing, int per_axis,
  double jitter, std::uint64_t seed);

/// The same for a box.
PointInput fillBox(const Vec3d& lower, const Vec3d& upper, double spacing, int per_axis,
  double jitter, std::uint64_t seed);

} // namespace mpm
