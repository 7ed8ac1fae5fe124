// Sorting particles by Id: keys, and ranks from the sorted order.
#pragma once

#include "Core/HostDevice.h"

#include <cstdint>

namespace dem
{

/// Keys that sort particles by Id.
struct IdKeys
{
  const std::int64_t* id;
  std::uint64_t* key;
  std::uint32_t* index;

  DEM_HD void operator()(std::uint32_t i) const
  {
    key[i] = static_cast<std::uint64_t>(id[i]);
    index[i] = i;
  }
};

/// The places of particles in ascending Id, from the particles in that order.
struct Ranks
{
  const std::uint32_t* order;
  std::uint32_t* rank;

  DEM_HD void operator()(std::uint32_t k) const { rank[order[k]] = k; }
};

} // namespace dem
