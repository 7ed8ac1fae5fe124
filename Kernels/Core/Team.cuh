// The threads of a block, in one source for both devices. On the CPU a block is one thread, which
// does everything in sequence. Used by the Material Point Method and the flow solver.
#pragma once

#include "Core/HostDevice.h"

#include <cstdint>

namespace dem
{

/// Calls body(i) for i in [begin, end), distributed over the threads of the block.
template <class Body>
DEM_HD void teamFor(std::uint32_t begin, std::uint32_t end, const Body& body)
{
#if defined(__CUDA_ARCH__)
  for (std::uint32_t i = begin + threadIdx.x; i < end; i += blockDim.x)
    body(i);
#else
  for (std::uint32_t i = begin; i < end; ++i)
    body(i);
#endif
}

/// Calls body(i) for i < n <= 32 on the first warp, whose threads then see what the others did. The
/// other threads return at once.
template <class Body>
DEM_HD void warpFor(std::uint32_t n, const Body& body)
{
#if defined(__CUDA_ARCH__)
  if (threadIdx.x >= 32)
    return;
  if (threadIdx.x < n)
    body(threadIdx.x);
  __syncwarp();
#else
  teamFor(0, n, body);
#endif
}

/// Sum of term(i) over i < n, in order. With kLanes = 1 the calling thread computes it. Otherwise,
/// on the device, kLanes threads with consecutive numbers call this together, each of the first n
/// computes a term, and all receive the sum; n <= kLanes, which divides 32.
template <unsigned kLanes, class Term>
DEM_HD double sumOfLanes(unsigned n, const Term& term)
{
  double sum = 0;
#if defined(__CUDA_ARCH__)
  if constexpr (kLanes > 1)
  {
    const unsigned lane = threadIdx.x % kLanes, begin = threadIdx.x % 32 - lane,
                   together = (0xffffffffu >> (32 - kLanes)) << begin;
    const double own = lane < n ? term(lane) : 0;
    for (unsigned i = 0; i < n; ++i)
      sum += __shfl_sync(together, own, static_cast<int>(begin + i));
    return sum;
  }
#endif
  for (unsigned i = 0; i < n; ++i)
    sum += term(i);
  return sum;
}

DEM_HD bool teamFirst()
{
#if defined(__CUDA_ARCH__)
  return threadIdx.x == 0;
#else
  return true;
#endif
}

DEM_HD void teamSync()
{
#if defined(__CUDA_ARCH__)
  __syncthreads();
#endif
}

/// The sum of one number a thread, in a fixed order; only the first thread receives it. `scratch`
/// holds 32 numbers; teamSync() must separate it from other uses.
DEM_HD double teamSum(double value, [[maybe_unused]] double* scratch)
{
#if defined(__CUDA_ARCH__)
  for (int step = 16; step > 0; step /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, step);
  if (threadIdx.x % 32 == 0)
    scratch[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32)
  {
    value = threadIdx.x < blockDim.x / 32 ? scratch[threadIdx.x] : 0;
    for (int step = 16; step > 0; step /= 2)
      value += __shfl_xor_sync(0xffffffffu, value, step);
  }
#endif
  return value;
}

} // namespace dem
