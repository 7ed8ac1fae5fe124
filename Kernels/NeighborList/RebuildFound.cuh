// What a rebuild of the lists finds out on the device. The host reads it at once, or with the batch
// of steps that follows.
#pragma once

#include "Core/Atomic.cuh"
#include "Core/Vec.h"

#include <cstdint>
#include <cstring>

namespace dem
{

/// What a rebuild tells the host.
struct RebuildFound
{
  unsigned long long entries, candidates, wall_rows; // see NewRows and NewWallRows
  std::uint32_t crowded_groups;
  std::uint32_t wide_bounds[6]; // or these: WideBounds
  Vec3d bounds[2];
  unsigned longest_path; // of all since the list before, as the bits of a float, which ascend as it
                         // does: LongestPath
};

/// Many threads tell how far a particle came.
struct LongestPath
{
  unsigned* longest;

  template <class Real>
  DEM_HD void include(Real path) const
  {
    const auto single = static_cast<float>(path);
    unsigned own;
    std::memcpy(&own, &single, sizeof own);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const unsigned here = __activemask();
    own = __reduce_max_sync(here, own);
    if (threadIdx.x % 32 != static_cast<unsigned>(__ffs(here) - 1))
      return;
#else
    if (own <= atomicSeen(longest)) // where nobody speaks for a warp; hardly ever is it more
      return;
#endif
    atomicRaise(longest, own);
  }

  static double decode(unsigned longest)
  {
    float path;
    std::memcpy(&path, &longest, sizeof path);
    return path;
  }
};

/// What there was room for.
struct ListRoom
{
  std::uint64_t entries, wall_rows, wall_entries;

  DEM_HD bool holds(const RebuildFound& found) const
  {
    return found.entries <= entries && found.wall_rows >> 32 <= wall_rows &&
      (found.wall_rows & 0xffffffffu) <= wall_entries;
  }
};

} // namespace dem
