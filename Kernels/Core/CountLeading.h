// Counts numbers below a bound. Used by samples at regular times.
#pragma once

#include <cstdint>

namespace dem
{

/// Returns the smallest k for which is(k) does not hold, where is(i) holds for all i below some
/// bound and for none from there on. Calls `is` about 2 log2(k) times.
template <class Is>
std::uint64_t countLeading(const Is& is)
{
  std::uint64_t low = 0, high = 1; // is() holds below `low`, not at `high`
  while (is(high))
    high *= 2;
  while (low < high)
  {
    const std::uint64_t middle = low + (high - low) / 2;
    if (is(middle))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

} // namespace dem
