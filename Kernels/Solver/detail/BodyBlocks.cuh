// How a device moves bodies (Bodies.cuh). Only nvcc reads this file.
#pragma once

#include "Core/Warp.cuh"
#include "Solver/detail/Bodies.cuh"

namespace dem
{

/// DriftBodies by blocks of threads, whose neighbours store together.
template <class Real, class Integrator>
struct DriftBodiesBlock
{
  static constexpr unsigned kThreads = 128;
  static constexpr unsigned kResidentBlocks = 5; // it waits for what it reads
  struct Shared
  {
  };

  DriftBodies<Real, Integrator> drift;
  const std::uint32_t *order, *present; // the bodies in the order of their first parts in memory, and how many there are; or null
  std::uint32_t all;

  __device__ void operator()(unsigned block, Shared&) const
  {
    const std::uint32_t k = block * kThreads + threadIdx.x, n = order ? *present : all;
    if (k - threadIdx.x % 32 >= n)
      return; // the whole warp
    const std::uint32_t at = k < n ? k : n - 1;
    drift.template move<StoreInPairs>(order ? order[at] : at, k < n);
  }
};

} // namespace dem
