// CUDA block kernels of GatherState. Used by Reorder.cuh.
#pragma once

#include "Core/Warp.cuh"
#include "Particles/GatherState.cuh"

#include <cstdint>

namespace dem
{

/// Runs GatherState in the old order: each thread reads one particle, computes its new place and
/// writes there. Fills CellPlaces::index. `arrays.index` is not read.
template <class Real>
struct GatherCells
{
  static constexpr unsigned kThreads = 128;
  struct Shared
  {
  };

  GatherState<Real> arrays; // `wide` must have a target
  CellPlaces cells;

  __device__ void operator()(unsigned block, Shared&) const
  {
    const std::uint32_t i = block * kThreads + threadIdx.x;
    const bool any = i < cells.n;
    std::uint32_t to = 0;
    typename GatherState<Real>::Data data{};
    if (any)
    {
      to = cells.at(i);
      arrays.read(i, data);
      cells.note(i, to);
    }
    const bool there = any && to < arrays.n;
    StoreInPairs::put(arrays.wide.to, to, data.wide, there);
    if (there)
      arrays.write(to, data);
  }
};

/// Runs GatherState in the new order, kEach particles per thread.
template <class Real>
struct GatherMany
{
  static constexpr unsigned kThreads = 128, kEach = sizeof(Real) == 4 ? 2 : 1,
                            kTile = kThreads * kEach;
  static constexpr int kResidentBlocks = 8;
  struct Shared
  {
  };

  GatherState<Real> arrays;

  __device__ void operator()(unsigned block, Shared&) const
  {
    const std::uint32_t first = block * kTile + threadIdx.x;
    if (first >= arrays.n)
      return;
    typename GatherState<Real>::Data data[kEach] = {};
    std::uint32_t from[kEach];
    for (unsigned k = 0; k < kEach; ++k)
      from[k] = first + k * kThreads < arrays.n ? arrays.index[first + k * kThreads] : 0;
    for (unsigned k = 0; k < kEach; ++k)
      arrays.read(from[k], data[k]);
    for (unsigned k = 0; k < kEach; ++k)
      if (first + k * kThreads < arrays.n)
      {
        arrays.writeWide(first + k * kThreads, data[k]);
        arrays.write(first + k * kThreads, data[k]);
      }
  }
};

} // namespace dem
