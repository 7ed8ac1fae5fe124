// Limits of memory and time above which a packing is refused. Tests and fuzzers use lower ones.
#pragma once

#include <cstdint>

namespace dem
{

struct PackingLimits
{
  std::int64_t particles = 2147483647; ///< also bounded by the machine's memory
  std::int64_t sites = 4000000000;     ///< lattice sites that are tested
  std::int64_t attempts = 20000;       ///< random positions tried per particle
};

} // namespace dem
