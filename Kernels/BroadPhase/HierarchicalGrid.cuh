// One sorted grid for each doubling of the radius, for wide size distributions: a particle stands
// in the grid of its own level and searches all of them. Cells of a level are as large as its own
// pairs need, so equal spheres have the one grid of the Sorted Grid. After the hierarchical grids
// of Ogarko and Luding, Comput. Phys. Commun. 183 (2012), with sorted levels instead of linked
// lists.
#pragma once

#include "BroadPhase/SortedGrid.cuh"

#include <cstdint>

namespace dem
{

struct GridLevel
{
  Grid grid;
  double radius_max;       // largest of this level; levels ascend
  std::uint32_t first_key; // of its cells among those of all levels
};

constexpr int kMostLevels =
  16; // a span of radii of 2^15; what is smaller stands in the lowest level

/// Levels lie one behind the other, particles that are gone behind all.
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

struct HierarchicalSearch
{
  const GridLevel* levels;
  int count;
  PairTest near;
  CellContents cells;
  GridLevel lowest; // levels[0], for who calls

  template <class Visit>
  DEM_HD void candidates(std::uint32_t i, const Visit& visit) const
  {
    search(i, 0, 0, 1, visit);
  }
  /// Those that one of some lanes finds: rows of cells in x are dealt out.
  template <class Visit>
  DEM_HD void candidatesOfLane(
    std::uint32_t i, unsigned lane, unsigned lanes, const Visit& visit) const
  {
    search(i, 0, lane, lanes, visit);
  }
  /// Those above the lowest level.
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
  /// Distance of a place from what the cell c of an axis holds, at least: cells at a rim also hold
  /// what is beyond, so the place is taken to the rim as well. 0 where the axis holds each cell
  /// once as it comes (its images are not told apart).
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
  /// Cuts row (y, z) of a large particle among small ones down to the sphere it reaches; false:
  /// nothing of it is left.
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
