// Sorted uniform grid after Green (NVIDIA 2010) and Kureck 2016, chapters 2.3.1 and 3.2: particles are sorted by cell, and the three
// cells of a row in x are one run of memory, so a search reads nine runs.
#pragma once

#include "Core/Algorithms.h"
#include "Core/Vec.h"

#include <cstdint>

namespace dem
{

/// Periodic box: length 0 where the axis is not periodic.
struct Periodic
{
  Vec3d lower, period;

  DEM_HD bool any() const { return period.x > 0 || period.y > 0 || period.z > 0; }

  DEM_HD static double nearest(double d, double period)
  {
    return period > 0 ? d - period * std::rint(d / period) : d;
  }
  /// The shortest image of a difference of positions.
  DEM_HD Vec3d image(const Vec3d& d) const
  {
    return { nearest(d.x, period.x), nearest(d.y, period.y), nearest(d.z, period.z) };
  }
};

struct Grid
{
  Vec3d lower;
  Vec3d inverse_cell; // 1/m
  int size[3];
  bool periodic[3];

  DEM_HD int cellOf(double x, int axis) const
  {
    const int c = static_cast<int>(std::floor((x - lower[axis]) * inverse_cell[axis]));
    return c < 0 ? 0 : (c >= size[axis] ? size[axis] - 1 : c);
  }
  DEM_HD std::uint32_t cells() const { return static_cast<std::uint32_t>(size[0]) * size[1] * size[2]; }
  DEM_HD std::uint32_t key(int x, int y, int z) const
  {
    return (static_cast<std::uint32_t>(z) * size[1] + y) * size[0] + x;
  }
};

/// Particles that are gone sort behind the last cell.
struct ComputeCellKeys
{
  Grid grid;
  const Vec4<double>* position;
  std::uint32_t* keys;
  std::uint32_t* index;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<double> p = position[i];
    keys[i] = isGone(p.x) ? grid.cells() : grid.key(grid.cellOf(p.x, 0), grid.cellOf(p.y, 1), grid.cellOf(p.z, 2));
    index[i] = i;
  }
};

/// cell_start[c] = first sorted particle of a cell >= c, for c in [0, cells]. Run for i in [0, n].
struct FindCellStarts
{
  const std::uint32_t* keys;
  std::uint32_t n, cells;
  std::uint32_t* cell_start;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const std::uint32_t first = i == 0 ? 0 : keys[i - 1] + 1;
    const std::uint32_t last = i == n ? cells : keys[i];
    for (std::uint32_t c = first; c <= last && c <= cells; ++c)
      cell_start[c] = i;
  }
};

/// Calls `visit(j)` once for every particle j != i whose distance is below radius_i + radius_j + skin.
struct GridSearch
{
  Grid grid;
  Periodic box;
  double skin;
  const Vec4<double>* position; // in sorted order
  const std::uint32_t* cell_start;

  template <class Visit>
  DEM_HD void candidates(std::uint32_t i, const Visit& visit) const
  {
    const Vec4<double> p = position[i];
    int lo[3], hi[3];
    for (int k = 0; k < 3; ++k)
    {
      const double x = k == 0 ? p.x : (k == 1 ? p.y : p.z);
      const int c = grid.cellOf(x, k);
      lo[k] = c - 1;
      hi[k] = c + 1;
      if (grid.periodic[k] && grid.size[k] >= 3)
        continue; // wraps below
      lo[k] = lo[k] < 0 || grid.periodic[k] ? 0 : lo[k];
      hi[k] = hi[k] >= grid.size[k] || grid.periodic[k] ? grid.size[k] - 1 : hi[k];
    }
    for (int z = lo[2]; z <= hi[2]; ++z)
      for (int y = lo[1]; y <= hi[1]; ++y)
      {
        const int row_z = wrap(z, 2), row_y = wrap(y, 1);
        int x0 = lo[0], x1 = hi[0];
        if (x0 < 0)
        {
          run(i, p, grid.key(grid.size[0] - 1, row_y, row_z), 1, visit);
          x0 = 0;
        }
        if (x1 >= grid.size[0])
        {
          run(i, p, grid.key(0, row_y, row_z), 1, visit);
          x1 = grid.size[0] - 1;
        }
        run(i, p, grid.key(x0, row_y, row_z), x1 - x0 + 1, visit);
      }
  }

private:
  DEM_HD int wrap(int c, int axis) const { return c < 0 ? c + grid.size[axis] : (c >= grid.size[axis] ? c - grid.size[axis] : c); }

  template <class Visit>
  DEM_HD void run(std::uint32_t i, const Vec4<double>& p, std::uint32_t cell, int cells, const Visit& visit) const
  {
    const std::uint32_t end = cell_start[cell + cells];
    for (std::uint32_t j = cell_start[cell]; j < end; ++j)
    {
      if (j == i)
        continue;
      const Vec4<double> q = position[j];
      Vec3d d{ q.x - p.x, q.y - p.y, q.z - p.z };
      if (box.any())
        d = box.image(d);
      const double reach = p.w + q.w + skin;
      if (dot(d, d) < reach * reach)
        visit(j);
    }
  }
};

} // namespace dem
