// The sparse grid: blocks of 4 x 4 x 4 bins. A table over all blocks of the domain numbers the
// touched ones, whose nodes points see; only these have nodes in memory. The kernels order points
// by block, bin and place in memory: count, scan, fill, sort within bins.
#pragma once

#include "Core/Atomic.cuh"
#include "Core/SortRow.cuh"
#include "MaterialPoint/PointsView.cuh"
#include "MaterialPoint/detail/Team.cuh"

namespace mpm
{

struct BlockGrid
{
  int blocks[3];              // of the domain
  const std::uint32_t* table; // of all blocks: number among the touched ones; block b is touched if
                              // table[b + 1] > table[b]
  const std::uint32_t* list;  // touched blocks

  DEM_HD std::uint32_t total() const
  {
    return static_cast<std::uint32_t>(blocks[0]) * blocks[1] * blocks[2];
  }
  DEM_HD std::uint32_t at(int x, int y, int z) const
  {
    return (static_cast<std::uint32_t>(z) * blocks[1] + y) * blocks[0] + x;
  }
  DEM_HD void split(std::uint32_t block, int& x, int& y, int& z) const
  {
    const std::uint32_t row = block / blocks[0];
    x = static_cast<int>(block - row * blocks[0]);
    z = static_cast<int>(row / blocks[1]);
    y = static_cast<int>(row - static_cast<std::uint32_t>(z) * blocks[1]);
  }
  DEM_HD BinKey key(int x, int y, int z) const
  {
    return at(x >> 2, y >> 2, z >> 2) * kBlockBins + ((x & 3) | (y & 3) << 2 | (z & 3) << 4);
  }
  DEM_HD void bin(BinKey key, int& x, int& y, int& z) const
  {
    split(key / kBlockBins, x, y, z);
    x = 4 * x + static_cast<int>(key & 3);
    y = 4 * y + static_cast<int>(key >> 2 & 3);
    z = 4 * z + static_cast<int>(key >> 4 & 3);
  }
  static constexpr std::uint32_t kNone = 0xffffffffu;
  /// Number of a block among the touched ones, or kNone. Blocks outside the domain are none.
  DEM_HD std::uint32_t find(int x, int y, int z) const
  {
    if (x < 0 || y < 0 || z < 0 || x >= blocks[0] || y >= blocks[1] || z >= blocks[2])
      return kNone;
    const std::uint32_t b = at(x, y, z), t = table[b];
    return table[b + 1] > t ? t : kNone;
  }
};

struct MarkBlocks
{
  const BinKey* key;
  std::uint32_t* mark; // of all blocks, zeros

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (key[i] != kGone)
      dem::atomicPut(&mark[key[i] / kBlockBins], 1u);
  }
};

/// Marks the blocks whose nodes points see: the points of a block see its nodes and those of the
/// seven blocks above it.
struct TouchBlocks
{
  BlockGrid grid;
  const std::uint32_t* mark;
  std::uint32_t* touched;

  DEM_HD void operator()(std::uint32_t b) const
  {
    int x, y, z;
    grid.split(b, x, y, z);
    std::uint32_t any = 0;
    for (int k = z > 0 ? -1 : 0; k <= 0; ++k)
      for (int j = y > 0 ? -1 : 0; j <= 0; ++j)
        for (int i = x > 0 ? -1 : 0; i <= 0; ++i)
          any |= mark[grid.at(x + i, y + j, z + k)];
    touched[b] = any;
  }
};

struct ListBlocks
{
  const std::uint32_t* table;
  std::uint32_t* list;

  DEM_HD void operator()(std::uint32_t b) const
  {
    if (table[b + 1] > table[b])
      list[table[b]] = b;
  }
};

DEM_HD std::uint32_t binOf(const std::uint32_t* table, BinKey key)
{
  return table[key / kBlockBins] * kBlockBins + key % kBlockBins;
}

struct CountPoints
{
  const BinKey* key;
  const std::uint32_t* table;
  std::uint32_t* count; // of the bins of touched blocks, zeros
  std::uint32_t* rank;  // of a point within its bin, in order of arrival

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (key[i] == kGone)
    {
      rank[i] = kGone; // a sub-step in place writes the new bins of the points still in the run
                       // into this array
      return;
    }
    const std::uint32_t bin = binOf(table, key[i]);
#if defined(__CUDA_ARCH__)
    // neighbours in memory mostly share a bin: one atomic addition for all of them in a warp
    const unsigned same = __match_any_sync(__activemask(), bin), lane = threadIdx.x % 32,
                   before = __popc(same & ((1u << lane) - 1));
    std::uint32_t first = 0;
    if (before == 0)
      first = dem::atomicGrow(&count[bin], static_cast<std::uint32_t>(__popc(same)));
    rank[i] = __shfl_sync(same, first, __ffs(static_cast<int>(same)) - 1) + before;
#else
    rank[i] = dem::atomicGrow(&count[bin], 1u);
#endif
  }
};

struct PlacePoints
{
  const BinKey* key;
  const std::uint32_t *table, *start, *rank;
  std::uint32_t* order;

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (key[i] != kGone)
      order[start[binOf(table, key[i])] + rank[i]] = i;
  }
};

/// Sorts the points of each bin by their place in memory, which is the same in every run. One team
/// a block of bins.
struct SortBins
{
  static constexpr unsigned kThreads = 128;
  static constexpr std::uint32_t kMost =
    1024; // largest number of points of a block that are sorted in shared memory
  struct Shared
  {
    std::uint32_t entry[kMost], first[kBlockBins + 1];
  };
  const std::uint32_t* start;
  std::uint32_t* order;

  DEM_HD void operator()(std::uint32_t block, [[maybe_unused]] Shared& shared) const
  {
    const std::uint32_t* first = start + std::size_t(block) * kBlockBins;
    const std::uint32_t begin = first[0], n = first[kBlockBins] - begin;
    if (n == 0)
      return;
#if defined(__CUDA_ARCH__)
    if (n <= kMost)
    {
      teamFor(0, kBlockBins + 1, [&](std::uint32_t b) { shared.first[b] = first[b] - begin; });
      teamFor(0, n, [&](std::uint32_t s) { shared.entry[s] = order[begin + s]; });
      teamSync();
      teamFor(0, n, [&](std::uint32_t s) {
        std::uint32_t bin = 0; // the last bin that begins at s or before
        for (std::uint32_t half = kBlockBins / 2; half > 0; half /= 2)
          bin += shared.first[bin + half] <= s ? half : 0;
        const std::uint32_t own = shared.entry[s], from = shared.first[bin],
                            to = shared.first[bin + 1];
        std::uint32_t place = from;
        for (std::uint32_t t = from; t < to; ++t)
          place += shared.entry[t] < own ? 1 : 0;
        order[begin + place] = own;
      });
      return;
    }
#endif
    teamFor(0, kBlockBins, [&](std::uint32_t b) {
      dem::sortRow(order + first[b], first[b + 1] - first[b], [](std::uint32_t i) { return i; });
    });
  }
};

/// Copies a column of the points into the order of the bins.
template <class T>
struct InOrder
{
  const std::uint32_t *order, *alive; // number of points in the run
  const T* from;
  T* to;

  DEM_HD void operator()(std::uint32_t k) const
  {
    if (k < *alive)
      to[k] = from[order[k]];
  }
};

struct CountUp
{
  std::uint32_t* to;
  DEM_HD void operator()(std::uint32_t i) const { to[i] = i; }
};

} // namespace mpm
