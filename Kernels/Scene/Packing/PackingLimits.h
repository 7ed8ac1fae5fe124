// The limits above which a packing is refused: memory and time. Tests and fuzzers lower them.
#pragma once

#include <cstdint>

namespace dem
{

struct PackingLimits
{
  std::int64_t particles = 2147483647; ///< also bounded by the machine's memory
  std::int64_t sites = 4000000000;     ///< lattice sites looked at
  std::int64_t attempts = 20000;       ///< tries for one particle of a random packing
};

} // namespace dem
