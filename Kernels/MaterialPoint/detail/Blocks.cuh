// The sparse grid: blocks of 4 x 4 x 4 bins. A table over all blocks of the domain numbers those that points see; only these have nodes.
// Points are ordered by block, bin and Id: count, scan, fill, each bin sorted by its owner.
#pragma once

#include "Core/Atomic.cuh"
#include "Core/SortRow.cuh"
#include "MaterialPoint/detail/Points.cuh"

namespace mpm
{

struct BlockGrid
{
  int blocks[3];              // of the domain
  const std::uint32_t* table; // of all blocks: number among the touched ones, where table[b + 1] > table[b]
  const std::uint32_t* list;  // touched blocks

  DEM_HD std::uint32_t total() const { return static_cast<std::uint32_t>(blocks[0]) * blocks[1] * blocks[2]; }
  DEM_HD std::uint32_t at(int x, int y, int z) const { return (static_cast<std::uint32_t>(z) * blocks[1] + y) * blocks[0] + x; }
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
  /// Number of a block among the touched, or none; places beyond the domain are none.
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

/// Points of a block see its nodes and those of the seven blocks above it.
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
  std::uint32_t* rank;  // of a point among those of its bin, in order of arrival

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (key[i] != kGone)
      rank[i] = dem::atomicGrow(&count[binOf(table, key[i])], 1u);
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

/// One bin a thread.
struct SortBins
{
  const std::uint32_t *start, *id;
  std::uint32_t* order;

  DEM_HD void operator()(std::uint32_t bin) const
  {
    const std::uint32_t* ids = id;
    dem::sortRow(order + start[bin], start[bin + 1] - start[bin], [ids](std::uint32_t i) { return ids[i]; });
  }
};

} // namespace mpm
