// One sorted grid for each doubling of the radius, for wide size distributions. A particle is
// stored in the grid of its own level and searches the grids of all levels. The cell size of a
// level fits pairs of that level, so equal spheres need one grid. After the hierarchical grids of
// Ogarko and Luding, Comput. Phys. Commun. 183 (2012), with sorted levels instead of linked lists.
#pragma once

#include "BroadPhase/SortedGrid.cuh"

#include <cstdint>

namespace dem
{

/// The grid of one level.
struct GridLevel
{
  Grid grid;
  double radius_max;       // largest radius of this level (m); levels ascend
  std::uint32_t first_key; // number of its first cell among the cells of all levels
};

// A range of radii of 2^15; smaller particles belong to the lowest level.
constexpr int kMostLevels = 16;

/// Keys that sort particles by level and cell, with removed particles last.
struct ComputeLevelKeys
{
  const GridLevel* levels;
  int count;
  std::uint32_t cells; // of all levels
  const Vec4<double>* position;
  std::uint32_t* keys;
  std::uint32_t* index;

  DEM_HD std::uint32_t key(const Vec4<double>& p) const
  {
    int l = 0;
    while (l < count - 1 && p.w > levels[l].radius_max)
      ++l;
    return isGone(p.x) ? cells : levels[l].first_key + levels[l].grid.keyOf(p);
  }
  DEM_HD void operator()(std::uint32_t i) const
  {
    keys[i] = key(position[i]);
    index[i] = i;
  }
};

/// The search; see GridSearch for its interface.
struct HierarchicalSearch
{
  const GridLevel* levels;
  int count;
  PairTest near;
  CellContents cells;
  GridLevel lowest; // copy of levels[0], for callers

  template <class Visit>
  DEM_HD void candidates(std::uint32_t i, const Visit& visit) const
  {
    search(i, 0, 0, 1, visit);
  }
  /// The candidates found by one of `lanes` lanes; rows of cells are distributed over the lanes.
  template <class Visit>
  DEM_HD void candidatesOfLane(
    std::uint32_t i, unsigned lane, unsigned lanes, const Visit& visit) const
  {
    search(i, 0, lane, lanes, visit);
  }
  /// The candidates of all levels except the lowest.
  template <class Visit>
  DEM_HD void candidatesAbove(std::uint32_t i, const Visit& visit) const
  {
    search(i, 1, 0, 1, visit);
  }

private:
  template <class Visit>
  DEM_HD void search(
    std::uint32_t i, int lowest, unsigned lane, unsigned lanes, const Visit& visit) const
  {
    const Vec4<double> p = cells.position[i];
    for (int l = lowest; l < count; ++l)
    {
      const GridLevel& level = levels[l];
      const Grid grid = level.grid;
      const double reach = p.w + level.radius_max + near.skin;
      const CellRange r = grid.around(p.xyz(), reach);
      const bool many = r.hi[1] - r.lo[1] > 2 || r.hi[2] - r.lo[2] > 2;
      const int ny = r.hi[1] - r.lo[1] + 1, rows = ny * (r.hi[2] - r.lo[2] + 1);
      for (int k = static_cast<int>(lane); k < rows; k += static_cast<int>(lanes))
      {
        const int y = r.lo[1] + k % ny, z = r.lo[2] + k / ny;
        int x0 = r.lo[0], x1 = r.hi[0];
        if (many && !chord(grid, p, reach, y, z, x0, x1))
          continue;
        grid.forRun(x0, x1, y, z, [&](std::uint32_t cell, int run) {
          const std::uint32_t* start = cells.cell_start + level.first_key + cell;
          cells.test(near, i, p, start[0], start[run], visit);
        });
      }
    }
  }
  /// Lower bound of the distance (m) between x and the particles of cell c on an axis. Cells at a
  /// border also contain particles outside, so x is clamped to the grid. Returns 0 for an axis on
  /// which all cells are searched, because images are not distinguished there.
  DEM_HD static double gap(const Grid& g, double x, int c, int axis, bool whole)
  {
    if (whole || !(g.inverse_cell[axis] > 0))
      return 0;
    const double cell = 1 / g.inverse_cell[axis], from = g.lower[axis] + c * cell,
                 end = g.lower[axis] + g.size[axis] * cell;
    if (!g.periodic[axis])
      x = x < g.lower[axis] ? g.lower[axis] : (x > end ? end : x);
    const double d = x < from ? from - x : (x > from + cell ? x - from - cell : 0);
    return d > 2 * g.pad ? d - 2 * g.pad : 0;
  }
  /// Limits row (y, z) to the cells within reach of a large particle among small ones. Returns
  /// false if no cell remains.
  DEM_HD static bool chord(
    const Grid& g, const Vec4<double>& p, double reach, int y, int z, int& x0, int& x1)
  {
    const double wide = reach * (1 + 1e-9) + 4 * g.pad;
    const auto whole = [&](int axis) {
      return g.periodic[axis] && 2 * wide * g.inverse_cell[axis] > g.size[axis] - 2;
    };
    const double dy = gap(g, p.y, y, 1, whole(1)), dz = gap(g, p.z, z, 2, whole(2));
    const double left = wide * wide - dy * dy - dz * dz;
    if (left < 0)
      return false;
    int lo, hi;
    const double half = std::sqrt(left) * (1 + 1e-9) + 4 * g.pad;
    g.range(p.x - half, p.x + half, 0, lo, hi);
    if (!whole(0))
    {
      x0 = lo;
      x1 = hi;
    }
    return true;
  }
};

} // namespace dem
