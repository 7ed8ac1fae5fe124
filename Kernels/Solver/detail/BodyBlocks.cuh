// How a device moves bodies (Bodies.cuh).
#pragma once

#include "Core/Warp.cuh"
#include "Solver/detail/Bodies.cuh"

namespace dem
{

/// DriftBodies by blocks of threads, whose neighbours store together. `kClumps`: see BodyView.
template <class Real, class Integrator, bool kClumps>
struct DriftBodiesBlock
{
  static constexpr unsigned kThreads = 128;
  static constexpr unsigned kResidentBlocks = 4; // of more, registers would go to memory
  struct Shared
  {
  };

  DriftBodies<Real, Integrator> drift;
  const std::uint32_t *order, *present; // of clumps: the bodies in the order of their first parts in memory, and how many there are
  std::uint32_t all;

  __device__ void operator()(unsigned block, Shared&) const
  {
    const std::uint32_t k = block * kThreads + threadIdx.x, n = kClumps ? *present : all;
    if (k - threadIdx.x % 32 >= n)
      return; // the whole warp
    const std::uint32_t at = k < n ? k : n - 1;
    drift.template move<StoreInPairs, kClumps, 4>(kClumps ? order[at] : at, k < n);
  }
};

} // namespace dem
