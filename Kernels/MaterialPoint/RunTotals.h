// Counts and bounds of an MPM run that a failed step leaves as they were.
#pragma once

#include <cstdint>

namespace mpm
{

struct RunTotals
{
  std::uint64_t sub_steps = 0;      ///< since the start
  std::uint64_t lost = 0;           ///< points that left, since the start
  float speed = 0, point_speed = 0; ///< m/s: |v| + sound and |v|, which bound the next sub-step
  double largest_cfl = 0;           ///< of the last step
};

} // namespace mpm
