// Common parts of all grids: periodic images, cells, the ranges of cells that a search reads, and
// the test for candidate pairs.
#pragma once

#include "Core/Vec.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace dem
{

/// A periodic box (m). The period is 0 for axes that are not periodic.
struct Periodic
{
  Vec3d lower, period;

  DEM_HD bool any() const { return period.x > 0 || period.y > 0 || period.z > 0; }

  // The image of a difference d along one axis that is nearest to 0.
  template <class T>
  DEM_HD static T nearest(const T& d, double period)
  {
    using std::rint;
    return period > 0 ? d - period * rint(d / period) : d;
  }
  DEM_HD static double nearestOfBox(double d, double period)
  {
    const double half = 0.5 * period;
    return period > 0 ? (d > half ? d - period : (d < -half ? d + period : d)) : d;
  }
  /// The image for a difference of two positions within the box. Cheaper than image().
  DEM_HD Vec3d nearImage(const Vec3d& d) const
  {
    return { nearestOfBox(d.x, period.x), nearestOfBox(d.y, period.y),
      nearestOfBox(d.z, period.z) };
  }
  /// The shortest image of a difference of positions.
  template <class T>
  DEM_HD Vec3<T> image(const Vec3<T>& d) const
  {
    return { nearest(d.x, period.x), nearest(d.y, period.y), nearest(d.z, period.z) };
  }
};

/// x * x + y * y + z * z, rounded after each operation on all devices, so that counting and filling
/// find the same pairs.
DEM_HD double squaredLength(const Vec3d& d)
{
#if defined(__CUDA_ARCH__)
  return __dadd_rn(__dadd_rn(__dmul_rn(d.x, d.x), __dmul_rn(d.y, d.y)), __dmul_rn(d.z, d.z));
#else
  return d.x * d.x + d.y * d.y + d.z * d.z;
#endif
}

/// Whether two particles (w = radius) are candidates: their distance is below the sum of radii and
/// skin (m). All searches use this test, so all find the same pairs.
struct PairTest
{
  Periodic box;
  double skin;

  DEM_HD bool operator()(const Vec4<double>& p, const Vec4<double>& q) const
  {
    Vec3d d{ q.x - p.x, q.y - p.y, q.z - p.z };
    if (box.any())
      d = box.image(d);
    const double reach = p.w + q.w + skin;
    return squaredLength(d) < reach * reach;
  }
};

/// A box of cells. On a periodic axis numbers may exceed the range by less than the size and refer
/// to images.
struct CellRange
{
  int lo[3], hi[3];
};

/// A uniform grid of cells.
struct Grid
{
  Vec3d lower;
  Vec3d inverse_cell; // 1/m
  int size[3];
  bool periodic[3];
  double pad; // m, exceeds the rounding error of a position's cell
  // Cells are numbered in columns of 2^tile x 2^tile cells in x and y, layer by layer in z; 0: row
  // by row.
  int tile;
  // Tile columns are grouped in strips of this width, so that neighbours in y are near in memory
  // even if rows are long.
  static constexpr int kStrip = 16;

  /// The cell of a position on an axis. On a periodic axis rounding may give a cell just outside,
  /// which refers to its image.
  DEM_HD int placeOf(double x, int axis) const
  {
    const double c = std::floor((x - lower[axis]) * inverse_cell[axis]);
    return static_cast<int>(
      periodic[axis] ? c : (c < 0 ? 0 : (c >= size[axis] ? size[axis] - 1 : c)));
  }
  DEM_HD int cellOf(double x, int axis) const { return wrap(placeOf(x, axis), axis); }
  DEM_HD std::uint32_t keyOf(const Vec4<double>& p) const
  {
    return key(cellOf(p.x, 0), cellOf(p.y, 1), cellOf(p.z, 2));
  }
  /// Count of cell numbers; tiles at the end of an axis may have unused numbers.
  DEM_HD std::uint32_t cells() const
  {
    return static_cast<std::uint32_t>(tiles(0)) * tiles(1) * size[2] << 2 * tile;
  }
  DEM_HD int tiles(int axis) const { return (size[axis] + (1 << tile) - 1) >> tile; }
  DEM_HD std::uint32_t key(int x, int y, int z) const
  {
    if (tile == 0)
      return (static_cast<std::uint32_t>(z) * size[1] + y) * size[0] + x;
    const int in_tile = (1 << tile) - 1;
    const int strip = (x >> tile) / kStrip * kStrip,
              width = tiles(0) - strip < kStrip ? tiles(0) - strip : kStrip;
    const std::uint32_t column =
      static_cast<std::uint32_t>(strip) * tiles(1) + (y >> tile) * width + ((x >> tile) - strip);
    return ((column * size[2] + z) << 2 * tile) + ((y & in_tile) << tile) + (x & in_tile);
  }
  /// Difference between the numbers of a cell and the cell above it.
  DEM_HD std::uint32_t layer() const
  {
    return tile == 0 ? static_cast<std::uint32_t>(size[1]) * size[0] : 1u << 2 * tile;
  }
  // Maps a cell number to the periodic image within the grid.
  DEM_HD int wrap(int c, int axis) const
  {
    return c < 0 ? c + size[axis] : (c >= size[axis] ? c - size[axis] : c);
  }

  /// The cells between two positions on an axis, each once. Limited to the grid on axes that are
  /// not periodic.
  DEM_HD void range(double from, double to, int axis, int& lo, int& hi) const
  {
    const double a = std::floor((from - lower[axis]) * inverse_cell[axis]),
                 b = std::floor((to - lower[axis]) * inverse_cell[axis]);
    const double last = size[axis] - 1;
    if (periodic[axis] && b - a <= last)
    {
      lo = static_cast<int>(a);
      hi = static_cast<int>(b);
      return;
    }
    lo = periodic[axis] || a < 0 ? 0 : static_cast<int>(a < last ? a : last);
    hi = periodic[axis] || b > last ? size[axis] - 1 : static_cast<int>(b > 0 ? b : 0);
  }
  DEM_HD CellRange range(const Vec3d& from, const Vec3d& to) const
  {
    CellRange r;
    for (int k = 0; k < 3; ++k)
      range(from[k], to[k], k, r.lo[k], r.hi[k]);
    return r;
  }
  /// The cells of all particles whose centres are within `reach` of p along each axis.
  DEM_HD CellRange around(const Vec3d& p, double reach) const
  {
    const double r = reach * (1 + 1e-12) + pad;
    return range({ p.x - r, p.y - r, p.z - r }, { p.x + r, p.y + r, p.z + r });
  }

  /// Calls visit(key) for each cell of a range.
  template <class Visit>
  DEM_HD void forCells(const CellRange& r, const Visit& visit) const
  {
    for (int z = r.lo[2]; z <= r.hi[2]; ++z)
      for (int y = r.lo[1]; y <= r.hi[1]; ++y)
        for (int x = r.lo[0]; x <= r.hi[0]; ++x)
          visit(key(wrap(x, 0), wrap(y, 1), wrap(z, 2)));
  }
  /// Calls visit(first key, count) for contiguous runs of cells that cover [x0, x1] of row (y, z).
  template <class Visit>
  DEM_HD void forRun(int x0, int x1, int y, int z, const Visit& visit) const
  {
    const int row_y = wrap(y, 1), row_z = wrap(z, 2), nx = size[0];
    if (x0 < 0)
    {
      const int end = x1 < 0 ? x1 : -1;
      forTiles(x0 + nx, end + nx, row_y, row_z, visit);
      x0 = 0;
    }
    if (x1 >= nx)
    {
      const int begin = x0 > nx ? x0 : nx;
      forTiles(begin - nx, x1 - nx, row_y, row_z, visit);
      x1 = nx - 1;
    }
    if (x0 <= x1)
      forTiles(x0, x1, row_y, row_z, visit);
  }

private:
  template <class Visit>
  DEM_HD void forTiles(int x0, int x1, int y, int z, const Visit& visit) const
  {
    if (tile == 0)
    {
      visit(key(x0, y, z), x1 - x0 + 1);
      return;
    }
    while (x0 <= x1)
    {
      const int last = x0 | ((1 << tile) - 1), end = last < x1 ? last : x1;
      visit(key(x0, y, z), end - x0 + 1);
      x0 = end + 1;
    }
  }
};

/// The smallest cell size for which a search of 3 x 3 x 3 cells finds all particles within `reach`
/// (m).
inline double smallestCell(double reach, double pad)
{
  return reach > 0 ? reach * (1 + 1e-6) + 4 * pad : 1;
}

/// A length that exceeds the rounding error of positions between `lower` and `upper` (m).
inline double positionPad(const Vec3d& lower, const Vec3d& upper)
{
  double most = 0;
  for (int k = 0; k < 3; ++k)
    most = std::max({ most, std::fabs(lower[k]), std::fabs(upper[k]), upper[k] - lower[k] });
  return 4e-15 * most;
}

/// Chooses a grid for particles between `lower` and `upper` (lower > upper: no particles). On
/// periodic axes it covers the period. Cells have at least the size that `reach` requires and grow
/// until their number is at most `most`. `padded`: counts each axis rounded up to a power of two. A
/// periodic axis has at least three cells, or one.
inline Grid chooseGrid(Vec3d lower, Vec3d upper, const Periodic& box, double reach, double most,
  bool padded, int tile = 0)
{
  if (lower.x > upper.x)
    lower = upper = Vec3d{};
  for (int k = 0; k < 3; ++k)
    if (box.period[k] > 0)
    {
      lower[k] = box.lower[k];
      upper[k] = lower[k] + box.period[k];
    }
  Grid grid{};
  grid.lower = lower;
  grid.tile = tile;
  grid.pad = positionPad(lower, upper);
  for (double cell = smallestCell(reach, grid.pad);; cell *= 1.26)
  {
    double cells = 1;
    for (int k = 0; k < 3; ++k)
    {
      const double extent = upper[k] - lower[k];
      double count = std::max(1., std::floor(extent / cell));
      grid.periodic[k] = box.period[k] > 0;
      if (grid.periodic[k] && count < 3)
        count = 1;
      grid.inverse_cell[k] = extent > 0 && count > 1 ? std::min(count / extent, 1e300) : 0;
      grid.size[k] = static_cast<int>(std::min(count, 1e9));
      cells *=
        padded ? std::exp2(std::ceil(std::log2(count))) : count + (k < 2 ? (1 << tile) - 1 : 0);
    }
    if (cells <= most)
      return grid;
  }
}

} // namespace dem
