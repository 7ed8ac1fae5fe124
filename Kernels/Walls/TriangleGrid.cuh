// Triangles of a mesh wall in a uniform grid: Kureck 2016, 2.3.3. Each triangle is in every cell
// that its box meets. Built once, by count, scan, fill and sort, in the wall's own frame, which
// does not change with its motion.
#pragma once

#include "BroadPhase/Bvh.cuh"
#include "BroadPhase/Grid.cuh"
#include "Walls/WallElement.cuh"

namespace dem
{

/// Bounding box of a triangle.
DEM_HD BvhBox triangleBox(const WallElement& e)
{
  BvhBox box;
  for (int k = 0; k < 3; ++k)
  {
    const double x = e.a[k], y = e.b[k], z = e.c[k];
    box.lower[k] = x < y ? (x < z ? x : z) : (y < z ? y : z);
    box.upper[k] = x > y ? (x > z ? x : z) : (y > z ? y : z);
  }
  return box;
}

/// The cells that a triangle's box meets.
DEM_HD CellRange triangleCells(const Grid& grid, const WallElement& e)
{
  const BvhBox box = triangleBox(e);
  CellRange r;
  for (int k = 0; k < 3; ++k)
  {
    r.lo[k] = grid.placeOf(box.lower[k], k);
    r.hi[k] = grid.placeOf(box.upper[k], k);
  }
  return r;
}

/// The grid of one wall, with the search interface of BvhView.
struct TriangleGrid
{
  Grid grid;
  BvhBox bounds;               // of all triangles
  const WallElement* elements; // of all walls
  const std::uint32_t* start;  // first item of each cell, and the end
  const std::uint32_t* item;   // elements, cell by cell
  std::uint32_t n;             // number of triangles; 0 if the wall is analytic

  /// Calls visit(element) once for every triangle whose box may be within `reach` of the centre. A
  /// triangle is reported in the first cell that it shares with the search.
  template <class Visit>
  DEM_HD void search(const Vec3d& center, double reach, const Visit& visit) const
  {
    if (!bounds.touches(center, reach))
      return;
    const CellRange r = grid.around(center, reach);
    for (int z = r.lo[2]; z <= r.hi[2]; ++z)
      for (int y = r.lo[1]; y <= r.hi[1]; ++y)
        for (int x = r.lo[0]; x <= r.hi[0]; ++x)
        {
          const std::uint32_t key = grid.key(x, y, z);
          for (std::uint32_t k = start[key]; k < start[key + 1]; ++k)
          {
            const CellRange t = triangleCells(grid, elements[item[k]]);
            if (x == later(r.lo[0], t.lo[0]) && y == later(r.lo[1], t.lo[1]) &&
              z == later(r.lo[2], t.lo[2]))
              visit(item[k]);
          }
        }
  }

  /// Whether there may be such a triangle.
  DEM_HD bool mayMeet(const Vec3d& center, double reach) const
  {
    return bounds.touches(center, reach);
  }

private:
  DEM_HD static int later(int a, int b) { return a > b ? a : b; }
};

/// Counts the cells of each triangle.
struct CountTriangleCells
{
  Grid grid;
  const WallElement* elements; // of one wall
  std::uint32_t* count;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const CellRange r = triangleCells(grid, elements[i]);
    count[i] = static_cast<std::uint32_t>(r.hi[0] - r.lo[0] + 1) * (r.hi[1] - r.lo[1] + 1) *
      (r.hi[2] - r.lo[2] + 1);
  }
};

/// Writes the cell and element of each entry.
struct FillTriangleCells
{
  Grid grid;
  const WallElement* elements; // of one wall
  std::uint32_t first;         // its first element
  const std::uint32_t* offset;
  std::uint32_t *key, *item;

  DEM_HD void operator()(std::uint32_t i) const
  {
    std::uint32_t at = offset[i];
    grid.forCells(triangleCells(grid, elements[i]), [&](std::uint32_t cell) {
      key[at] = cell;
      item[at] = first + i;
      ++at;
    });
  }
};

/// Bounding box of n > 0 triangles.
inline BvhBox trianglesBox(const WallElement* elements, std::uint32_t n)
{
  BvhBox all = triangleBox(elements[0]);
  for (std::uint32_t i = 1; i < n; ++i)
  {
    const BvhBox one = triangleBox(elements[i]);
    for (int k = 0; k < 3; ++k)
    {
      all.lower[k] = std::min(all.lower[k], one.lower[k]);
      all.upper[k] = std::max(all.upper[k], one.upper[k]);
    }
  }
  return all;
}

/// Chooses a grid with cells of at least `cell` (m); Kureck uses the largest particle diameter.
/// Cells grow until the number of cells and of entries is in proportion to the number of triangles,
/// because a fine grid under a few large triangles would waste memory.
inline Grid chooseTriangleGrid(
  const WallElement* elements, std::uint32_t n, const BvhBox& box, double cell)
{
  const double cells_most = std::max(4096., 8. * n), places_most = std::max(4096., 32. * n);
  for (;; cell *= 1.26)
  {
    const Grid grid = chooseGrid(box.lower, box.upper, Periodic{}, cell, cells_most, false);
    double places = 0;
    for (std::uint32_t i = 0; i < n && places <= places_most; ++i)
    {
      const CellRange r = triangleCells(grid, elements[i]);
      places += (r.hi[0] - r.lo[0] + 1.) * (r.hi[1] - r.lo[1] + 1.) * (r.hi[2] - r.lo[2] + 1.);
    }
    if (places <= places_most || grid.cells() == 1)
      return grid;
  }
}

} // namespace dem
