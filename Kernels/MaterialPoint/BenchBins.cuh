// The order of the points by bin, and the blocks of bins that hold points, for the transfers that
// are compared.
#pragma once

#include "Core/Algorithms.h"
#include "Core/Atomic.cuh"
#include "MaterialPoint/BenchPointSet.cuh"
#include "MaterialPoint/MpmTransfers.h"

namespace mpm
{

namespace detail
{

template <Spline spline, class Real>
struct CountBins
{
  BenchGrid grid;
  const Vec4<Real>* place;
  std::uint32_t *count, *offset;

  DEM_HD void operator()(std::uint32_t i) const
  {
    int b[3];
    Vec3<Real> f;
    binOf<spline>(place[i], b, f);
    offset[i] = dem::atomicGrow(&count[grid.bin(b[0], b[1], b[2])], 1u);
  }
};

template <Spline spline, class Real>
struct Reorder
{
  BenchGrid grid;
  BenchPoints<Real> from, to;
  const std::uint32_t *start, *offset, *id;
  std::uint32_t *order, *id_to;
  bool deep;

  DEM_HD void operator()(std::uint32_t i) const
  {
    int b[3];
    Vec3<Real> f;
    binOf<spline>(from.column[0][i], b, f);
    const std::uint32_t k = start[grid.bin(b[0], b[1], b[2])] + offset[i];
    if (!deep)
    {
      order[k] = i;
      return;
    }
    for (int c = 0; c < BenchPoints<Real>::kColumns; ++c)
      to.column[c][k] = from.column[c][i];
    id_to[k] = id[i];
  }
};

struct BlockCounts
{
  BenchGrid grid;
  const std::uint32_t* count;
  std::uint32_t *most, *active; // points of the fullest bin of the block; 1 if the block has points

  DEM_HD void operator()(std::uint32_t b) const
  {
    std::uint32_t m = 0;
    for (std::uint32_t k = 0; k < grid.bins(); ++k)
    {
      const std::uint32_t c = count[b * grid.bins() + k];
      m = c > m ? c : m;
    }
    most[b] = m;
    active[b] = m > 0;
  }
};
/// Counts for blocks that read the bins around them (Pull).
struct HaloCounts
{
  BenchGrid grid;
  const std::uint32_t* most;
  std::uint32_t *halo, *active;

  DEM_HD void operator()(std::uint32_t b) const
  {
    const int x = static_cast<int>(b % grid.blocks[0]),
              y = static_cast<int>(b / grid.blocks[0] % grid.blocks[1]),
              z = static_cast<int>(b / grid.blocks[0] / grid.blocks[1]);
    std::uint32_t m = 0;
    for (int k = z > 0 ? z - 1 : 0; k <= z + 1 && k < grid.blocks[2]; ++k)
      for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < grid.blocks[1]; ++j)
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < grid.blocks[0]; ++i)
        {
          const std::uint32_t c =
            most[(static_cast<std::uint32_t>(k) * grid.blocks[1] + j) * grid.blocks[0] + i];
          m = c > m ? c : m;
        }
    halo[b] = m;
    active[b] = m > 0;
  }
};
struct ListActive
{
  const std::uint32_t *active, *place;
  std::uint32_t* list;

  DEM_HD void operator()(std::uint32_t b) const
  {
    if (active[b])
      list[place[b]] = b;
  }
};

/// Input of kernels that work by blocks. `order` (an index of the points) and `list` (of blocks)
/// may be null.
template <Spline spline, class Real>
struct BlockInput
{
  BenchGrid grid;
  BenchPoints<Real> points;
  const std::uint32_t *order, *start, *list, *most;
  bool affine;
  Vec4<Real>* node;

  DEM_HD std::uint32_t block(std::uint32_t b) const { return list ? list[b] : b; }
  DEM_HD std::uint32_t point(std::uint32_t k) const { return order ? order[k] : k; }
};

template <class Exec, Spline spline, class Real>
class BenchBins
{
public:
  BenchBins(Exec& exec, BenchPointSet<Exec, Real>& points)
    : exec_(exec)
    , points_(points)
  {
  }

  /// Blocks of 8 x 4 x 4 bins (`wide`) or 4 x 4 x 4, of a grid of `cells` along each axis.
  void setUp(int cells, bool wide)
  {
    grid_.cells = cells;
    grid_.sx = wide ? 3 : 2;
    grid_.blocks[0] = (cells + grid_.edge(0) - 1) >> grid_.sx;
    grid_.blocks[1] = grid_.blocks[2] = (cells + 3) / 4;
    const std::size_t bins = std::size_t(grid_.count()) * grid_.bins();
    count_.resize(bins);
    start_.resize(bins + 1);
    offset_.resize(points_.size());
    for (Buffer* b : { &most_, &halo_, &active_, &active_halo_, &list_, &list_halo_ })
      b->resize(grid_.count());
    places_.resize(grid_.count() + 1);
    if (order_.size() == 0)
      order_.assign(points_.readIds());
  }

  // ---- the stages of sorting  ----

  void bin()
  {
    count_.zero();
    exec_.forEach(points_.size(),
      CountBins<spline, Real>{ grid_, points_.view().column[0], count_.data(), offset_.data() });
  }
  void scan() { dem::queueScan(exec_, count_.data(), start_.data(), count_.size()); }
  /// Makes the index, or moves all columns (`deep`); moved columns are used if `keep`.
  void reorder(bool deep, bool keep)
  {
    exec_.forEach(points_.size(),
      Reorder<spline, Real>{ grid_, points_.view(), points_.otherView(), start_.data(),
        offset_.data(), points_.id(), order_.data(), points_.otherId(), deep });
    if (deep && keep)
      points_.swap();
  }
  /// Lists the blocks that hold points, and those that see some.
  void filter()
  {
    exec_.forEach(grid_.count(), BlockCounts{ grid_, count_.data(), most_.data(), active_.data() });
    exec_.forEach(
      grid_.count(), HaloCounts{ grid_, most_.data(), halo_.data(), active_halo_.data() });
    active_count_ = dem::scanCounts(exec_, active_.data(), places_.data(), grid_.count());
    exec_.forEach(grid_.count(), ListActive{ active_.data(), places_.data(), list_.data() });
    active_halo_count_ = dem::scanCounts(exec_, active_halo_.data(), places_.data(), grid_.count());
    exec_.forEach(
      grid_.count(), ListActive{ active_halo_.data(), places_.data(), list_halo_.data() });
  }

  // ---- what transfers read  ----

  const BenchGrid& grid() const { return grid_; }
  /// The index of the points in the order of bins; null unless the points are sorted by it.
  const std::uint32_t* order(const TransferOptions& options)
  {
    return options.sort == SortMethod::Index ? order_.data() : nullptr;
  }
  std::vector<std::uint32_t> readOrder() { return order_.host(); }
  /// Input of kernels by blocks. `halo`: of the blocks that see points.
  BlockInput<spline, Real> input(const TransferOptions& options, bool halo, Vec4<Real>* node)
  {
    const std::uint32_t* list =
      !options.active_blocks ? nullptr : (halo ? list_halo_.data() : list_.data());
    return { grid_, points_.view(), order(options), start_.data(), list,
      halo ? halo_.data() : most_.data(), options.affine, node };
  }
  std::size_t blocks(const TransferOptions& options, bool halo) const
  {
    return !options.active_blocks ? grid_.count() : (halo ? active_halo_count_ : active_count_);
  }

private:
  using Buffer = dem::Array<std::uint32_t, Exec>;

  Exec& exec_;
  BenchPointSet<Exec, Real>& points_;
  BenchGrid grid_{};
  Buffer count_{ exec_ }, start_{ exec_ };  // of bins
  Buffer offset_{ exec_ }, order_{ exec_ }; // of points
  Buffer most_{ exec_ }, halo_{ exec_ }, active_{ exec_ }, active_halo_{ exec_ }, list_{ exec_ },
    list_halo_{ exec_ }, places_{ exec_ }; // of blocks
  std::size_t active_count_ = 0, active_halo_count_ = 0;
};

} // namespace detail
} // namespace mpm
