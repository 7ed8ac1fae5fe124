// Sorted uniform grid after Green (NVIDIA 2010) and Kureck 2016, chapters 2.3.1 and 3.2: particles
// are sorted by cell. In row-major order the cells of a row in x are one run of memory, so a search
// reads nine runs, or five where each pair is found from one side.
#pragma once

#include "BroadPhase/Grid.cuh"
#include "Core/Algorithms.h"
#include "Core/Atomic.cuh"

#include <cstdint>

namespace dem
{

/// Particles that are gone sort behind the last cell.
struct ComputeCellKeys
{
  Grid grid;
  const Vec4<double>* position;
  std::uint32_t* keys;
  std::uint32_t* index;

  DEM_HD std::uint32_t key(const Vec4<double>& p) const
  {
    return isGone(p.x) ? grid.cells() : grid.keyOf(p);
  }
  DEM_HD void operator()(std::uint32_t i) const
  {
    keys[i] = key(position[i]);
    index[i] = i;
  }
};

/// Only tells who is gone.
struct ComputeGoneKeys
{
  const Vec4<double>* position;
  std::uint32_t* keys;
  std::uint32_t* index;

  DEM_HD void operator()(std::uint32_t i) const
  {
    keys[i] = isGone(position[i].x) ? 1 : 0;
    index[i] = i;
  }
};

struct CountUp
{
  std::uint32_t* index;

  DEM_HD void operator()(std::uint32_t i) const { index[i] = i; }
};

/// cell_start[c] = first sorted particle of a cell >= c, for c in [0, cells]. Run for i in [0, n].
/// Longer runs of empty cells than `longest` are left to FillEmptyCells, for one thread would write
/// them all; then the starts are zeros before.
struct FindCellStarts
{
  const std::uint32_t* keys;
  std::uint32_t n, cells, longest;
  std::uint32_t* cell_start;

  DEM_HD void operator()(std::uint32_t i) const
  {
    std::uint32_t first = i == 0 ? 0 : keys[i - 1] + 1;
    const std::uint32_t last = i == n ? cells : keys[i];
    if (last >= first && last - first > longest)
      first = last;
    for (std::uint32_t c = first; c <= last && c <= cells; ++c)
      cell_start[c] = i;
  }
};

/// Looks up what FindCellStarts left out. Run for c in [0, cells].
struct FillEmptyCells
{
  const std::uint32_t* keys;
  std::uint32_t n;
  std::uint32_t* cell_start;

  DEM_HD void operator()(std::uint32_t c) const
  {
    if (cell_start[c] != 0)
      return;
    std::uint32_t low = 0, high = n; // first key >= c
    while (low < high)
    {
      const std::uint32_t middle = low + (high - low) / 2;
      if (keys[middle] < c)
        low = middle + 1;
      else
        high = middle;
    }
    cell_start[c] = low;
  }
};

// Sorting by counting (CountKeys.cuh): how many stand in each cell gives where the cells begin.
// Within a cell they stand as they were counted, in any order.

/// Where particles go. The cell behind the last holds those that are gone.
struct CellPlaces
{
  const std::uint32_t *keys, *cell_start, *place; // null: nowhere
  std::uint32_t cells;
  std::uint32_t* index; // becomes the particle of each place
  std::uint32_t* count; // of cells and one more: becomes zeros, for the next time
  std::uint32_t n;

  DEM_HD std::uint32_t at(std::uint32_t i) const { return cell_start[keys[i]] + place[i]; }
  /// Run for all n.
  DEM_HD void note(std::uint32_t i, std::uint32_t to) const
  {
    index[to] = i;
    for (std::uint64_t c = i; c <= cells; c += n)
      count[c] = 0;
  }
  DEM_HD void operator()(std::uint32_t i) const { note(i, at(i)); }
};

/// Whether a visitor of candidates takes whole runs of places and tests them itself: run(cells,
/// begin, end).
template <class Visit, class = void>
struct TakesRuns
{
  static constexpr bool value = false;
};
template <class Visit>
struct TakesRuns<Visit, decltype(static_cast<void>(&Visit::run))>
{
  static constexpr bool value = true;
};

/// Particles by cell: place s of [start[c], start[c + 1]) holds particle item[s], or s itself where
/// the data lie in this order.
struct CellContents
{
  const Vec4<double>* position;
  const std::uint32_t* cell_start;
  const std::uint32_t* item;

  DEM_HD std::uint32_t particle(std::uint32_t place) const { return item ? item[place] : place; }

  template <class Visit>
  DEM_HD void test(const PairTest& near, std::uint32_t i, const Vec4<double>& p,
    std::uint32_t begin, std::uint32_t end, const Visit& visit) const
  {
    if constexpr (TakesRuns<Visit>::value)
      return visit.run(*this, begin, end);
    for (std::uint32_t s = begin; s < end; ++s)
    {
      const std::uint32_t j = particle(s);
      if (j != i && near(p, position[j]))
        visit(j);
    }
  }
};

/// `candidates(i, visit)` calls `visit(j)` once for every particle j != i whose distance is below
/// radius_i + radius_j + skin. So do all searches.
struct GridSearch
{
  Grid grid;
  PairTest near;
  CellContents cells;
  double radius_max;

  template <class Visit>
  DEM_HD void candidates(std::uint32_t i, const Visit& visit) const
  {
    const Vec4<double> p = cells.position[i];
    const CellRange r = grid.around(p.xyz(), p.w + radius_max + near.skin);
    for (int z = r.lo[2]; z <= r.hi[2]; ++z)
      for (int y = r.lo[1]; y <= r.hi[1]; ++y)
        testRow(i, p, r, y, z, visit);
  }
  /// Those that one of some lanes finds: rows of cells in x are dealt out.
  template <class Visit>
  DEM_HD void candidatesOfLane(
    std::uint32_t i, unsigned lane, unsigned lanes, const Visit& visit) const
  {
    const Vec4<double> p = cells.position[i];
    const CellRange r = grid.around(p.xyz(), p.w + radius_max + near.skin);
    const int ny = r.hi[1] - r.lo[1] + 1, rows = ny * (r.hi[2] - r.lo[2] + 1);
    for (int k = static_cast<int>(lane); k < rows; k += static_cast<int>(lanes))
      testRow(i, p, r, r.lo[1] + k % ny, r.lo[2] + k / ny, visit);
  }

  // A half search runs over places: `after(k)` finds those of the pairs of the particle at place k
  // that stand behind it.
  DEM_HD std::uint32_t particleAt(std::uint32_t place) const { return cells.particle(place); }

  /// Behind are the rest of its own cell, the next cell in x, the next row in y and the rows of the
  /// next layer in z: one of the two sees the other, as periodic axes have three cells or one.
  template <class Visit>
  DEM_HD void after(std::uint32_t place, const Visit& visit) const
  {
    const std::uint32_t i = cells.particle(place);
    const Vec4<double> p = cells.position[i];
    const CellRange r = grid.around(p.xyz(), p.w + radius_max + near.skin);
    const int own[3] = { grid.placeOf(p.x, 0), grid.placeOf(p.y, 1), grid.placeOf(p.z, 2) };
    const auto read = [&](std::uint32_t cell, int run) {
      cells.test(near, i, p, cells.cell_start[cell], cells.cell_start[cell + run], visit);
    };
    cells.test(near, i, p, place + 1, cells.cell_start[grid.keyOf(p) + 1], visit);
    if (own[0] < r.hi[0])
      grid.forRun(own[0] + 1, r.hi[0], own[1], own[2], read);
    for (int y = own[1] + 1; y <= r.hi[1]; ++y)
      grid.forRun(r.lo[0], r.hi[0], y, own[2], read);
    for (int z = own[2] + 1; z <= r.hi[2]; ++z)
      for (int y = r.lo[1]; y <= r.hi[1]; ++y)
        grid.forRun(r.lo[0], r.hi[0], y, z, read);
  }

private:
  template <class Visit>
  DEM_HD void testRow(std::uint32_t i, const Vec4<double>& p, const CellRange& r, int y, int z,
    const Visit& visit) const
  {
    grid.forRun(r.lo[0], r.hi[0], y, z, [&](std::uint32_t cell, int run) {
      cells.test(near, i, p, cells.cell_start[cell], cells.cell_start[cell + run], visit);
    });
  }
};

// ---- cells along the Z-order curve  ----

/// Where the bits of each axis go in a cell's code: bits of the axes alternate while they have any,
/// so no axis needs more than its own.
struct MortonGrid
{
  Grid grid;
  const std::uint32_t* code; // of each cell number in x, then y, then z
  std::uint32_t cells;       // above all codes

  DEM_HD std::uint32_t key(int x, int y, int z) const
  {
    return code[x] | code[grid.size[0] + y] | code[grid.size[0] + grid.size[1] + z];
  }
};

struct ComputeAxisCodes
{
  int size[3], bits[3];
  std::uint32_t* code;

  DEM_HD void operator()(std::uint32_t i) const
  {
    std::uint32_t c = i;
    int axis = 0;
    for (; axis < 2 && c >= static_cast<std::uint32_t>(size[axis]); ++axis)
      c -= size[axis];
    std::uint32_t out = 0;
    int at = 0;
    for (int b = 0; b < 31; ++b)
      for (int k = 0; k < 3; ++k)
        if (b < bits[k])
        {
          if (k == axis)
            out |= (c >> b & 1u) << at;
          ++at;
        }
    code[i] = out;
  }
};

struct ComputeMortonCellKeys
{
  MortonGrid cells;
  const Vec4<double>* position;
  std::uint32_t* keys;
  std::uint32_t* index;

  DEM_HD std::uint32_t key(const Vec4<double>& p) const
  {
    const Grid& g = cells.grid;
    return isGone(p.x) ? cells.cells
                       : cells.key(g.cellOf(p.x, 0), g.cellOf(p.y, 1), g.cellOf(p.z, 2));
  }
  DEM_HD void operator()(std::uint32_t i) const
  {
    keys[i] = key(position[i]);
    index[i] = i;
  }
};

struct MortonGridSearch
{
  MortonGrid grid;
  PairTest near;
  CellContents cells;
  double radius_max;

  template <class Visit>
  DEM_HD void candidates(std::uint32_t i, const Visit& visit) const
  {
    const Vec4<double> p = cells.position[i];
    const Grid& g = grid.grid;
    const CellRange r = g.around(p.xyz(), p.w + radius_max + near.skin);
    for (int z = r.lo[2]; z <= r.hi[2]; ++z)
      for (int y = r.lo[1]; y <= r.hi[1]; ++y)
        for (int x = r.lo[0]; x <= r.hi[0]; ++x)
        {
          const std::uint32_t cell = grid.key(g.wrap(x, 0), g.wrap(y, 1), g.wrap(z, 2));
          cells.test(near, i, p, cells.cell_start[cell], cells.cell_start[cell + 1], visit);
        }
  }
};

} // namespace dem
