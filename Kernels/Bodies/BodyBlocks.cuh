// The drift of bodies on a device. Used by Bodies.cuh.
#pragma once

#include "Core/Warp.cuh"
#include "Bodies/Bodies.cuh"

namespace dem
{

/// DriftBodies as a block kernel; pairs of threads store together (StoreInPairs). `kClumps`: see
/// BodyView::clumps.
template <class Real, class Integrator, bool kClumps>
struct DriftBodiesBlock
{
  static constexpr unsigned kThreads = 128;
  static constexpr unsigned kResidentBlocks = 4; // with more, registers are spilled to memory
  struct Shared
  {
  };

  DriftBodies<Real, Integrator> drift;
  const std::uint32_t* present; // number of bodies that have parts here; null: all
  std::uint32_t all;

  __device__ void operator()(unsigned block, Shared&) const
  {
    const std::uint32_t k = block * kThreads + threadIdx.x, at = k < all ? k : all - 1;
    OrderedBody one = drift.order.of(drift.bodies, at);
    const std::uint32_t n = present ? *present : all;
    if (k - threadIdx.x % 32 >= n)
      return; // the same for all lanes of a warp
    if (k >= n)
      one = {};
    drift.template move<StoreInPairs, kClumps, 4>(at, one, k < n);
  }
};

} // namespace dem
