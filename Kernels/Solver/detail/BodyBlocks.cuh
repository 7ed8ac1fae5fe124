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
  std::uint32_t n;

  __device__ void operator()(unsigned block, Shared&) const
  {
    const std::uint32_t b = block * kThreads + threadIdx.x;
    drift.template move<StoreInPairs>(b < n ? b : n - 1, b < n);
  }
};

} // namespace dem
