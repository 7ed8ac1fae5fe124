// Kernels that sort particles by Id: keys, and ranks from the sorted order. Used by
// ParticleStore::findIdOrder().
#pragma once

#include "NeighborList/GhostBits.h"

#include <cstdint>

namespace dem
{

/// Writes the sort keys, which are the Ids, and the places to sort with them. Ghosts come last.
struct IdKeys
{
  const std::int64_t* id;
  GhostBits ghosts;
  int bits; // of the largest Id
  std::uint64_t* key;
  std::uint32_t* index;

  DEM_HD void operator()(std::uint32_t i) const
  {
    key[i] = static_cast<std::uint64_t>(id[i]) | static_cast<std::uint64_t>(ghosts.has(i)) << bits;
    index[i] = i;
  }
};

/// Writes the rank of each place in ascending Id; `order`: place of each rank.
struct Ranks
{
  const std::uint32_t* order;
  std::uint32_t* rank;

  DEM_HD void operator()(std::uint32_t k) const { rank[order[k]] = k; }
};

} // namespace dem
