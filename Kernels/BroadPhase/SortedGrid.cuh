// Sorted uniform grid after Green (NVIDIA 2010) and Kureck 2016, chapters 2.3.1 and 3.2. Particles
// are sorted by cell. In row-major order the cells of a row in x are contiguous in memory, so a
// search reads nine runs, and a half search five.
#pragma once

#include "BroadPhase/Grid.cuh"
#include "Core/Algorithms.h"
#include "Core/Atomic.cuh"

#include <cstdint>

namespace dem
{

/// The cell of each particle; removed particles sort behind the last cell.
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

/// Key 1 for removed particles, else 0.
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

/// index[i] = i.
struct CountUp
{
  std::uint32_t* index;

  DEM_HD void operator()(std::uint32_t i) const { index[i] = i; }
};

/// cell_start[c] = first sorted particle of a cell >= c, for c in [0, cells]. Runs for i in [0, n].
/// Runs of more than `longest` empty cells are left to FillEmptyCells, because a single thread
/// would write them; starts must then be 0 initially.
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

/// Fills the starts that FindCellStarts left out, by bisection. Runs for c in [0, cells].
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

/// Number of particles of each cell from sorted keys; counts are initially 0. A scan of the counts
/// gives the starts of many cells faster than FillEmptyCells. Runs for i in [0, n).
struct CountRuns
{
  const std::uint32_t* keys;
  std::uint32_t n;
  std::uint32_t* count;

  DEM_HD void operator()(std::uint32_t i) const
  {
    // the end of the run of a cell minus its begin, modulo 2^32
    if (i + 1 == n || keys[i + 1] != keys[i])
      atomicGrow(&count[keys[i]], i + 1);
    if (i > 0 && keys[i - 1] != keys[i])
      atomicGrow(&count[keys[i]], 0u - i);
  }
};

// Sorting by counting (CountKeys.cuh): a scan of the counts gives the start of each cell. The order
// within a cell varies.

/// New places of particles, sorted by cell. An additional last cell contains the removed particles.
struct CellPlaces
{
  const std::uint32_t *keys, *cell_start, *place; // null: no places
  std::uint32_t cells;
  std::uint32_t* index; // output: the particle of each place
  std::uint32_t* count; // of all cells and the additional one; reset to 0 for the next use
  std::uint32_t n;

  DEM_HD std::uint32_t at(std::uint32_t i) const { return cell_start[keys[i]] + place[i]; }
  /// Writes the outputs for particle i; must run for all n particles.
  DEM_HD void note(std::uint32_t i, std::uint32_t to) const
  {
    index[to] = i;
    for (std::uint64_t c = i; c <= cells; c += n)
      count[c] = 0;
  }
  DEM_HD void operator()(std::uint32_t i) const { note(i, at(i)); }
};

/// Whether a visitor of candidates has run(cells, begin, end), which tests whole runs of places
/// itself.
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

/// Particles by cell: the places of cell c are [cell_start[c], cell_start[c + 1]). Place s holds
/// particle item[s], or particle s if the data have this order (item is null).
struct CellContents
{
  const Vec4<double>* position;
  const std::uint32_t* cell_start;
  const std::uint32_t* item;

  DEM_HD std::uint32_t particle(std::uint32_t place) const { return item ? item[place] : place; }

  // Calls visit(j) for the candidates of particle i at the places [begin, end).
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

/// Search of a sorted grid. `candidates(i, visit)` calls `visit(j)` once for every particle j != i
/// whose distance is below radius_i + radius_j + skin. All searches have this interface.
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
  /// The candidates found by one of `lanes` lanes; rows of cells are distributed over the lanes.
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

  // Half search: `after(k)` finds the candidates of the particle at place k that come later in the
  // order of the search, so each pair is found from one side.
  DEM_HD std::uint32_t particleAt(std::uint32_t place) const { return cells.particle(place); }

  /// Later are the rest of its own cell, further cells in x, further rows in y and further layers
  /// in z. Each pair is found once, because periodic axes have at least three cells, or one.
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

// ---- cells along a Z-order curve  ----

/// Morton codes of cells. The bits of the axes alternate as long as an axis has bits left, so no
/// axis uses more bits than it needs.
struct MortonGrid
{
  Grid grid;
  const std::uint32_t* code; // code of each cell number in x, then y, then z
  std::uint32_t cells;       // exceeds all codes

  DEM_HD std::uint32_t key(int x, int y, int z) const
  {
    return code[x] | code[grid.size[0] + y] | code[grid.size[0] + grid.size[1] + z];
  }
};

/// Computes MortonGrid::code.
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

/// The Morton code of each particle's cell; removed particles sort last.
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

/// The search; see GridSearch for its interface.
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
