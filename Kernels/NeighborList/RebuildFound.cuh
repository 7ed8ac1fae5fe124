// Sizes, bounds and longest path that a rebuild of the lists computes on the device. The host reads
// them at once, or together with the next batch of steps (Solver/BatchReports.cuh).
#pragma once

#include "Core/Atomic.cuh"
#include "Core/Vec.h"

#include <cstdint>
#include <cstring>

namespace dem
{

/// Results of a rebuild in device memory. All fields must be zero before the rebuild.
struct RebuildFound
{
  unsigned long long entries, candidates, wall_rows; // see NewRows and NewWallRows
  std::uint32_t crowded_groups;
  std::uint32_t wide_bounds[6]; // encoded bounds of the positions, see WideBounds; otherwise
                                // `bounds` is filled on the device
  Vec3d bounds[2];              // m, lower and upper corner of the positions
  unsigned longest_path; // maximum over the particles since the last rebuild, see LongestPath
};

/// Maximum of the paths (m) of all particles, found by many threads. Stored as the bits of a float,
/// which have the order of the values for paths >= 0.
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
    if (own <= atomicSeen(longest)) // without a warp reduction; few paths exceed the maximum
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

/// Capacity of the lists before a rebuild.
struct ListRoom
{
  std::uint64_t entries, wall_rows, wall_entries;

  /// True if all sizes found by the rebuild are within the capacity.
  DEM_HD bool holds(const RebuildFound& found) const
  {
    return found.entries <= entries && found.wall_rows >> 32 <= wall_rows &&
      (found.wall_rows & 0xffffffffu) <= wall_entries;
  }
};

} // namespace dem
