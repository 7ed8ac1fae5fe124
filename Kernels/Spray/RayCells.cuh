// A uniform grid of grains that a ray crosses cell by cell: Kureck 2016, section 1.1; the walk is
// that of Amanatides and Woo, "A fast voxel traversal algorithm for ray tracing", Eurographics
// 1987. Used by RayCasterOn.cuh.
#pragma once

#include "Spray/RayTree.cuh"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace dem
{
namespace ray
{

/// Each item is listed in all cells that its box meets.
struct CellsView
{
  const std::uint32_t* start; // of each cell in `items`, cells + 1
  const std::uint32_t* items;
  std::uint32_t n;           // of items
  BvhBox bounds;             // of the cells
  int size[3];               // cells along each axis
  double edge, inverse_edge; // m, 1/m: of a cell
  double pad;                // m: enlargement of the boxes, above all rounding errors of the walk

  DEM_HD int cellOf(double x, int k) const
  {
    const double at = (x - bounds.lower[k]) * inverse_edge;
    return at < 0 ? 0 : (at >= size[k] ? size[k] - 1 : static_cast<int>(at));
  }
  DEM_HD std::uint32_t cell(int x, int y, int z) const
  {
    return (static_cast<std::uint32_t>(z) * size[1] + y) * size[0] + x;
  }

  /// Calls visit(cell) for the cells that a box meets, enlarged by `pad`.
  template <class Visit>
  DEM_HD void cellsOf(const BvhBox& box, const Visit& visit) const
  {
    const int x0 = cellOf(box.lower.x - pad, 0), x1 = cellOf(box.upper.x + pad, 0);
    const int y0 = cellOf(box.lower.y - pad, 1), y1 = cellOf(box.upper.y + pad, 1);
    const int z0 = cellOf(box.lower.z - pad, 2), z1 = cellOf(box.upper.z + pad, 2);
    for (int z = z0; z <= z1; ++z)
      for (int y = y0; y <= y1; ++y)
        for (int x = x0; x <= x1; ++x)
          visit(cell(x, y, z));
  }

  /// See TreeView::along().
  template <class Visit>
  DEM_HD void along(const Vec3d& x, const Vec3d& d, double from, double to, const double& best,
    const Visit& visit) const
  {
    if (n == 0)
      return;
    const Clip clip(bounds, x, d, from - pad, to + pad);
    if (clip.enter > clip.leave)
      return;
    int at[3], step[3];
    double next[3], by[3]; // ray parameter at the next border of each axis, and between two
    for (int k = 0; k < 3; ++k)
    {
      at[k] = cellOf(x[k] + clip.enter * d[k], k);
      step[k] = d[k] < 0 ? -1 : 1;
      const bool moves = std::fabs(d[k]) > 1e-300;
      by[k] = moves ? edge / std::fabs(d[k]) : 1e300;
      next[k] =
        moves ? (bounds.lower[k] + (at[k] + (d[k] < 0 ? 0 : 1)) * edge - x[k]) / d[k] : 1e300;
    }
    double entered = clip.enter;
    while (entered <= clip.leave && entered <= best + pad)
    {
      const std::uint32_t here = cell(at[0], at[1], at[2]);
      for (std::uint32_t s = start[here]; s < start[here + 1]; ++s)
        visit(items[s]);
      const int k =
        next[0] <= next[1] ? (next[0] <= next[2] ? 0 : 2) : (next[1] <= next[2] ? 1 : 2);
      entered = next[k];
      next[k] += by[k];
      at[k] += step[k];
      if (at[k] < 0 || at[k] >= size[k])
        return;
    }
  }
};

struct CountCells
{
  const BvhBox* box;
  CellsView cells;
  std::uint32_t* count;

  DEM_HD void operator()(std::uint32_t i) const
  {
    cells.cellsOf(box[i], [&](std::uint32_t c) { atomicGrow(&count[c], 1u); });
  }
};

/// The order of the items of a cell is not fixed; the first hit does not depend on it.
struct FillCells
{
  const BvhBox* box;
  CellsView cells;
  const std::uint32_t* start;
  std::uint32_t* count; // of items still to place
  std::uint32_t* items;

  DEM_HD void operator()(std::uint32_t i) const
  {
    cells.cellsOf(
      box[i], [&](std::uint32_t c) { items[start[c] + atomicGrow(&count[c], ~0u) - 1] = i; });
  }
};

/// Sums of the squares of the entries of each block of kSumBlock cells.
struct SquareEntries
{
  const std::uint32_t* start;
  std::size_t cells;
  double* partial; // whole numbers

  DEM_HD void operator()(std::uint32_t block) const
  {
    double sum = 0;
    const std::size_t begin = block * kSumBlock,
                      end = begin + kSumBlock < cells ? begin + kSumBlock : cells;
    for (std::size_t c = begin; c < end; ++c)
    {
      const double entries = start[c + 1] - start[c];
      sum += entries * entries;
    }
    partial[block] = sum;
  }
};

/// Owns a grid in the memory of a policy.
template <class Exec>
class Cells
{
public:
  explicit Cells(Exec& exec)
    : exec_(exec)
  {
  }

  /// Builds the grid over n boxes with these bounds and mean edge (m).
  void build(const BvhBox* boxes, std::uint32_t n, const BvhBox& bounds, double mean_edge)
  {
    view_ = CellsView{};
    view_.n = n;
    if (n == 0)
      return;
    for (double edge = mean_edge;; edge *= kWider)
    {
      layOut(bounds, edge, n);
      const std::size_t cells = std::size_t(view_.size[0]) * view_.size[1] * view_.size[2];
      count_.resize(cells);
      start_.resize(cells + 1);
      count_.zero();
      exec_.forEach(n, CountCells{ boxes, view_, count_.data() });
      const std::uint64_t entries = scanCounts(exec_, count_.data(), start_.data(), cells);
      if (entries > kMostEntries * std::uint64_t(n) && cells > 1)
        continue;
      items_.resize(entries, 1.2);
      break;
    }
    exec_.forEach(n, FillCells{ boxes, view_, start_.data(), count_.data(), items_.data() });
    view_.start = start_.data();
    view_.items = items_.data();
  }

  const CellsView& view() const { return view_; }

  /// Mean number of entries in the cell of an entry; waits.
  double crowding()
  {
    const std::size_t cells = std::size_t(view_.size[0]) * view_.size[1] * view_.size[2];
    squares_.resize(sumBlocks(cells));
    exec_.forEach(sumBlocks(cells), SquareEntries{ start_.data(), cells, squares_.data() });
    double sum = 0;
    for (const double part : squares_.host())
      sum += part;
    return sum / static_cast<double>(items_.size());
  }

private:
  static constexpr std::uint64_t kMostEntries = 16; // per item
  static constexpr double kMostCells = 4;           // per item
  static constexpr double kWider = 1.4142135623730951;

  // Sets the cells of a wanted edge, or of the smallest that needs no more than kMostCells.
  void layOut(const BvhBox& bounds, double edge, std::uint32_t n)
  {
    double most = 0;
    for (int k = 0; k < 3; ++k)
      most = std::max({ most, std::fabs(bounds.lower[k]), std::fabs(bounds.upper[k]) });
    view_.pad = 1e-9 * most;
    const double allowed = std::max(64., kMostCells * n);
    for (;; edge *= 1.1)
    {
      double cells = 1;
      for (int k = 0; k < 3; ++k)
        cells *= std::ceil((bounds.upper[k] - bounds.lower[k] + 4 * view_.pad) / edge);
      if (cells <= allowed)
        break;
    }
    view_.edge = edge;
    view_.inverse_edge = 1 / edge;
    for (int k = 0; k < 3; ++k)
    {
      view_.bounds.lower[k] = bounds.lower[k] - 2 * view_.pad;
      view_.size[k] =
        static_cast<int>(std::ceil((bounds.upper[k] - bounds.lower[k] + 4 * view_.pad) / edge));
      view_.bounds.upper[k] = view_.bounds.lower[k] + view_.size[k] * edge;
    }
  }

  Exec& exec_;
  Array<std::uint32_t, Exec> count_{ exec_ }, start_{ exec_ }, items_{ exec_ };
  Array<double, Exec> squares_{ exec_ };
  CellsView view_{};
};

} // namespace ray
} // namespace dem
