// How much a packing may cost before it is refused. Readers of untrusted files narrow it; tests and
// fuzzers narrow it further.
#pragma once

#include "Scene/Packing/Packing.h"

#include <cstdint>

namespace dem
{

struct PackingLimits
{
  std::int64_t particles = 2147483647; ///< also bounded by the machine's memory
  std::int64_t sites = 4000000000;     ///< lattice sites looked at
  std::int64_t attempts = 20000;       ///< tries for one particle of a random packing
};

/// makePacking under `limits`; throws dem::Error when they do not suffice.
ParticleInput makePacking(const PackingSpec& spec, const PackingLimits& limits);

} // namespace dem
