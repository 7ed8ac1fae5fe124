// Counting the particles of each cell, on CUDA.
#pragma once

#include "BroadPhase/SortedGrid.cuh"

#include <cstdint>

namespace dem
{

/// What `compute` gives, and how many have it. Several particles a thread: memory gives more where
/// many are asked for at once.
template <class Compute>
struct CountKeys
{
  static constexpr unsigned kThreads = 128, kEach = 4, kTile = kThreads * kEach;
  struct Shared
  {
  };

  Compute compute;      // of keys
  std::uint32_t* count; // of each cell, zeros
  std::uint32_t* place; // of each particle in its cell
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
