// The closed surface that the grains of a packing lie in.
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

/// A closed surface. A point is inside if a ray along +z crosses the surface an odd number of
/// times. Crossings are decided in integers on x and y snapped to 2^-30 of the surface's width,
/// with ties broken as if the ray stood at (x + e, y + e^2): each edge is decided alike for both of
/// its triangles, so a closed surface never gives a wrong parity. Heights are compared in floating
/// point; this is safe because points nearer to the surface than their radius are refused before.
class Region
{
public:
  /// Throws dem::Error for a surface that is not closed, not finite or without volume.
  Region(
    const std::vector<Vec3d>& points, const std::vector<std::array<std::int32_t, 3>>& triangles);

  const Vec3d& lower() const { return lower_; }
  const Vec3d& upper() const { return upper_; }

  /// Whether a sphere lies wholly inside; touching counts as inside.
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

  // A square grid over x and y, as fine as keeps the lists short even for slivers that span the
  // whole surface.
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
