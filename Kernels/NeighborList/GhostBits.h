// Marks the ghosts among the particles of a part: copies of particles that other parts own. Used by
// searches, lists and measurements.
#pragma once

#include "Core/HostDevice.h"

#include <cstdint>

namespace dem
{

/// A bit for each particle, 32 a word. Without words no particle is a ghost.
struct GhostBits
{
  const std::uint32_t* words = nullptr;

  DEM_HD bool has(std::uint32_t i) const { return words && (words[i / 32] >> i % 32 & 1); }
  explicit operator bool() const { return words; }
};

/// count[i] = 0 for ghosts.
struct DropGhosts
{
  GhostBits ghosts;
  std::uint32_t* count;

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (ghosts.has(i))
      count[i] = 0;
  }
};

} // namespace dem
