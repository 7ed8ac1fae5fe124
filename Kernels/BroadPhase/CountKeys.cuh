// Counts the particles of each cell on CUDA, for sorting by counting.
#pragma once

#include "BroadPhase/SortedGrid.cuh"

#include <cstdint>

namespace dem
{

/// Kernel functor: computes the key of each particle, counts the particles of each key, and stores
/// the rank of each particle in its cell, in an order that varies. Each thread processes several
/// particles, so that more memory requests are in flight.
template <class Compute>
struct CountKeys
{
  static constexpr unsigned kThreads = 128, kEach = 4, kTile = kThreads * kEach;
  struct Shared
  {
  };

  Compute compute;      // the functor of keys
  std::uint32_t* count; // of each cell, initially 0
  std::uint32_t* place; // rank of each particle in its cell
  std::uint32_t n;

  __device__ void operator()(unsigned block, Shared&) const
  {
    const std::uint32_t first = block * kTile + threadIdx.x;
    Vec4<double> p[kEach];
    std::uint32_t key[kEach], at[kEach];
    for (unsigned k = 0; k < kEach; ++k)
      if (first + k * kThreads < n)
        p[k] = compute.position[first + k * kThreads];
    for (unsigned k = 0; k < kEach; ++k)
      if (first + k * kThreads < n)
        key[k] = compute.key(p[k]);
    for (unsigned k = 0; k < kEach; ++k)
      if (first + k * kThreads < n)
        at[k] = atomicAdd(&count[key[k]], 1u);
    for (unsigned k = 0; k < kEach; ++k)
      if (first + k * kThreads < n)
      {
        compute.keys[first + k * kThreads] = key[k];
        place[first + k * kThreads] = at[k];
      }
  }
};

} // namespace dem
