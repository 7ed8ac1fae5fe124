// How a device moves bodies (Bodies.cuh). Only nvcc reads this file.
#pragma once

#include "Core/Warp.cuh"
#include "Solver/detail/Bodies.cuh"

namespace dem
{

/// Sends for memory that will be read.
__device__ inline void fetch(const void* address)
{
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
}

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
    if (drift.drift.control->driftHalted(drift.drift.batch_step))
      return; // all threads agree
    if (b < n)
      expect(b);
    drift.template move<StoreInPairs>(b < n ? b : n - 1, b < n);
  }

private:
  // What its parts bear and where they were listed.
  __device__ void expect(std::uint32_t b) const
  {
    const StateView<Real>& state = drift.drift.state;
    const std::uint32_t end = drift.bodies.first_part[b + 1];
    for (std::uint32_t p = drift.bodies.first_part[b]; p < end; ++p)
    {
      const std::uint32_t i = drift.bodies.place[p];
      fetch(&state.force[i]);
      fetch(&state.torque[i]);
      fetch(&state.listed[i]);
    }
  }
};

} // namespace dem
