// How many particles it takes to fill a CUDA device, and how a step shares them out to warps.
#pragma once

#include <algorithm>
#include <cstdint>

namespace dem
{

/// The thresholds are those of an H200.
struct DeviceFill
{
  std::uint32_t many = 300000;        // particles; fewer leave multiprocessors idle
  std::uint32_t many_beside = 400000; // so many that rows occupy a device more than once
  static constexpr std::size_t kBlocksBeside = 528; // four a multiprocessor

  /// A warp takes 2^shift of n particles: few where a step lasts as long as its longest chain of
  /// dependent work.
  unsigned warpShift(std::uint32_t n) const
  {
    if (n >= many)
      return 5;
    return n < 17000 ? 3 : n < 34000 ? 4 : 5; // 2,112 warps fit with all the registers they want
  }
  /// The same for particles near walls. With `few` each lane of a warp takes one candidate, and
  /// there are rarely more candidates than lanes.
  unsigned wallShift(std::uint32_t n, bool few) const
  {
    return few ? std::min(warpShift(n), 4u) : warpShift(n);
  }
};

} // namespace dem
