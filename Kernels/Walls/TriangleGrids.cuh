// One uniform grid for the triangles of each mesh wall, in the wall's own frame (TriangleGrid.cuh).
#pragma once

#include "BroadPhase/SortedGrid.cuh"
#include "Core/Algorithms.h"
#include "Core/Array.h"
#include "Walls/TriangleGrid.cuh"
#include "Walls/WallMesh.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dem
{

/// The grids of all walls. Their cells lie one wall behind the other in shared arrays.
template <class Exec>
class TriangleGrids
{
public:
  template <class T>
  using Buffer = Array<T, Exec>;

  explicit TriangleGrids(Exec& exec)
    : exec_(exec)
  {
  }

  /// Builds the grids with cells of `diameter` (m) or larger. `elements`: set.elements on the
  /// device, which stay there.
  void build(const WallSet& set, const WallElement* elements, double diameter)
  {
    std::vector<TriangleGrid> grids(set.walls());
    for (int fill = 0; fill < 2; ++fill) // sizes first, then contents
    {
      std::size_t cells = 0, places = 0;
      for (std::size_t w = 0; w < set.walls(); ++w)
      {
        if (!set.isMesh(w))
          continue;
        const std::uint32_t first = set.first[w], n = set.first[w + 1] - first;
        TriangleGrid& g = grids[w];
        if (!fill)
        {
          const WallElement* triangles = set.elements.data() + first;
          const BvhBox box = trianglesBox(triangles, n);
          g = { chooseTriangleGrid(triangles, n, box, diameter), box, elements, nullptr, nullptr,
            n };
        }
        places += fillGrid(g, elements, first, n, fill != 0, cells, places);
        cells += g.grid.cells() + 1;
        exec_.synchronize();
      }
      if (!fill)
      {
        start_.resize(cells);
        item_.resize(places);
      }
    }
    grids_.assign(grids);
    exec_.synchronize();
  }

  /// One a wall; n = 0 where the wall is one analytic element.
  const TriangleGrid* view() const { return grids_.data(); }
  std::size_t cells() const { return start_.size() - std::min(start_.size(), grids_.size()); }
  std::size_t places() const { return item_.size(); }

private:
  // Counts the entries of one grid; with `fill` also writes them, behind those of the walls before.
  std::size_t fillGrid(TriangleGrid& g, const WallElement* elements, std::uint32_t first,
    std::uint32_t n, bool fill, std::size_t cells, std::size_t places)
  {
    Buffer<std::uint32_t> count(exec_), offset(exec_);
    count.resize(n);
    offset.resize(n + 1);
    exec_.forEach(n, CountTriangleCells{ g.grid, elements + first, count.data() });
    const auto m = static_cast<std::uint32_t>(scanCounts(exec_, count.data(), offset.data(), n));
    if (!fill)
      return m;
    Buffer<std::uint32_t> key(exec_), key_other(exec_), item(exec_), item_other(exec_);
    key.resize(m);
    key_other.resize(m);
    item.resize(m);
    item_other.resize(m);
    exec_.forEach(n,
      FillTriangleCells{ g.grid, elements + first, first, offset.data(), key.data(), item.data() });
    sortPairs(exec_, key.data(), key_other.data(), item.data(), item_other.data(), m, 32);
    exec_.forEach(
      m + 1, FindCellStarts{ key.data(), m, g.grid.cells(), ~0u, start_.data() + cells });
    exec_.copy(item_.data() + places, item.data(), m * sizeof(std::uint32_t));
    g.start = start_.data() + cells;
    g.item = item_.data() + places;
    exec_.synchronize(); // before the scratch memory is freed
    return m;
  }

  Exec& exec_;
  Buffer<TriangleGrid> grids_{ exec_ };
  Buffer<std::uint32_t> start_{ exec_ }, item_{ exec_ };
};

} // namespace dem
