// The order of the points by block and bin, and the blocks of the grid that they touch.
#pragma once

#include "Core/Algorithms.h"
#include "Core/Array.h"
#include "Core/Error.h"
#include "MaterialPoint/Blocks.cuh"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace mpm
{

/// Counts the points of each bin, scans the counts, and writes the index of each point to its
/// place. The order is valid until keysChanged() or forget() is called.
template <class Exec>
class PointOrder
{
public:
  explicit PointOrder(Exec& exec)
    : exec_(exec)
  {
  }

  /// Allocates the tables over all blocks of the domain.
  void setUp(const int (&blocks)[3])
  {
    for (int k = 0; k < 3; ++k)
      grid_.blocks[k] = blocks[k];
    const std::size_t total = grid_.total();
    mark_.resize(total);
    touched_.resize(total);
    table_.resize(total + 1);
  }

  /// Orders `entries` points by bin, if that is not done already. `capacity`: number of points at
  /// the start of the run. `equal_bits`: points of a bin ascend in their place in memory; otherwise
  /// their order within a bin varies between runs.
  void make(const BinKey* key, std::uint32_t entries, std::uint32_t capacity, bool equal_bits)
  {
    if (made_)
      return;
    findBlocks(key, entries);
    const std::size_t bins = nodes();
    if (bins >= 0xfffff000u)
      throw dem::Error("The points touch " + std::to_string(blocks_) +
        " blocks of cells, too many for the device. Use a larger GridSpacing.");
    count_.resize(bins, 1.2);
    start_.resize(bins + 1, 1.2);
    rank_.resize(capacity);
    order_.resize(capacity);
    count_.zero();
    exec_.forEach(entries, CountPoints{ key, table_.data(), count_.data(), rank_.data() });
    dem::queueScan(exec_, count_.data(), start_.data(), bins);
    exec_.forEach(
      entries, PlacePoints{ key, table_.data(), start_.data(), rank_.data(), order_.data() });
    if (equal_bits)
      exec_.forEachBlock(blocks_, SortBins{ start_.data(), order_.data() });
    made_ = true;
    marked_ = false;
  }

  /// Declares that the points are sorted in memory in this order.
  void setToIdentity(std::uint32_t entries) { exec_.forEach(entries, CountUp{ order_.data() }); }
  /// The points have new bins, and mark() holds the blocks of these.
  void keysChanged()
  {
    made_ = false;
    marked_ = true;
  }
  /// The points have new bins.
  void forget() { made_ = marked_ = false; }
  /// Clears mark(), into which a kernel then writes the blocks of the points' new bins.
  void clearMarks() { mark_.zero(); }

  const BlockGrid& grid() const { return grid_; }
  /// Number of touched blocks.
  std::uint32_t blocks() const { return blocks_; }
  /// Number of nodes of touched blocks, which is also that of their bins.
  std::size_t nodes() const { return std::size_t(blocks_) * kBlockBins; }
  /// First entry of each bin in order(), followed by the number of points.
  const std::uint32_t* start() { return start_.data(); }
  const std::uint32_t* order() { return order_.data(); }
  /// Address on the device of the number of ordered points, which are those still in the run.
  const std::uint32_t* alive() { return start_.data() + nodes(); }
  std::uint32_t* mark() { return mark_.data(); }
  std::vector<std::uint32_t> touchedBlocks() const { return list_.host(); }
  /// An array of one number a point that is free once the order is made.
  dem::Array<std::uint32_t, Exec>& spare() { return rank_; }

  /// Number of blocks that hold points.
  std::uint64_t activeBlocks() const
  {
    std::vector<std::uint32_t> mark = mark_.host();
    return static_cast<std::uint64_t>(
      std::count_if(mark.begin(), mark.end(), [](std::uint32_t m) { return m != 0; }));
  }

private:
  template <class T>
  using Buffer = dem::Array<T, Exec>;

  void findBlocks(const BinKey* key, std::uint32_t entries)
  {
    const std::uint32_t total = grid_.total();
    if (!marked_)
    {
      mark_.zero();
      exec_.forEach(entries, MarkBlocks{ key, mark_.data() });
    }
    exec_.forEach(total, TouchBlocks{ grid_, mark_.data(), touched_.data() });
    blocks_ =
      static_cast<std::uint32_t>(dem::scanCounts(exec_, touched_.data(), table_.data(), total));
    list_.resize(blocks_, 1.2);
    grid_.table = table_.data();
    grid_.list = list_.data();
    exec_.forEach(total, ListBlocks{ table_.data(), list_.data() });
  }

  Exec& exec_;
  BlockGrid grid_{};
  std::uint32_t blocks_ = 0;
  bool made_ = false;
  bool marked_ = false; // mark_ holds the blocks of the present bins
  Buffer<std::uint32_t> mark_{ exec_ }, touched_{ exec_ }, table_{ exec_ }, list_{ exec_ };
  Buffer<std::uint32_t> count_{ exec_ }, start_{ exec_ }, rank_{ exec_ }, order_{ exec_ };
};

} // namespace mpm
