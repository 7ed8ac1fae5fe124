// Closed surface that contains the grains of a packing. Used by Packing.cpp.
#pragma once

#include "Core/Vec.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dem
{
namespace detail
{

/// Closed surface of triangles. A point is inside if a ray along +z crosses the surface an odd
/// number of times. Crossings are computed in integers, with x and y rounded to 2^-30 of the
/// surface's width. Ties are broken as if the ray were at (x + e, y + e^2). Both triangles of an
/// edge give the same result for it, so the parity of a closed surface is always right. Heights are
/// compared in floating point. This is safe, because points nearer to the surface than their radius
/// are rejected before.
class Region
{
public:
  /// Throws dem::Error for a surface that is not closed, not finite or without volume.
  Region(
    const std::vector<Vec3d>& points, const std::vector<std::array<std::int32_t, 3>>& triangles);

  const Vec3d& lower() const { return lower_; }
  const Vec3d& upper() const { return upper_; }

  /// Returns true if a sphere is completely inside; touching the surface counts as inside.
  bool contains(const Vec3d& p, double radius) const;

private:
  struct Cell
  {
    std::int64_t x, y;
  };

  void mergePoints(
    const std::vector<Vec3d>& points, const std::vector<std::array<std::int32_t, 3>>& triangles);

  void checkClosed() const;

  void snap();

  Cell snapped(const Vec3d& p) const;

  std::int64_t binOf(std::int64_t coordinate) const;

  template <class Visit>
  void forBins(const std::array<std::int32_t, 3>& t, const Visit& visit) const
  {
    const Cell &a = snapped_[t[0]], &b = snapped_[t[1]], &c = snapped_[t[2]];
    const std::int64_t x0 = binOf(std::min({ a.x, b.x, c.x })),
                       x1 = binOf(std::max({ a.x, b.x, c.x }));
    const std::int64_t y0 = binOf(std::min({ a.y, b.y, c.y })),
                       y1 = binOf(std::max({ a.y, b.y, c.y }));
    visit(x0, x1, y0, y1);
  }

  // Builds a square grid of triangle lists over x and y. It is fine, but not so fine that slivers
  // across the whole surface make the lists too long.
  void bin();

  bool isClear(const Vec3d& p, double radius) const;

  static std::int64_t area(const Cell& a, const Cell& b, const Cell& p);

  static int side(const Cell& a, const Cell& b, std::int64_t doubled_area);

  bool isInside(const Vec3d& p) const;

  static constexpr int snap_bits = 30;
  static constexpr double snap_range = 1 << snap_bits;

  std::vector<Vec3d> points_;
  std::vector<Cell> snapped_;
  std::vector<std::array<std::int32_t, 3>> triangles_;
  Vec3d lower_{}, upper_{}, scale_{};
  std::int64_t bins_ = 1;
  int shift_ = snap_bits;
  std::vector<std::size_t> start_;
  std::vector<std::int32_t> entries_;
};

} // namespace detail
} // namespace dem
