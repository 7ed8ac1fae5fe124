// What a whole warp knows together. Devices before compute capability 8.0 have no instruction for
// it.
#pragma once

#include "Core/Ptx.cuh"
#include "Core/Vec.h"

namespace dem
{

/// All lanes come here and get the same.
__device__ inline unsigned orOfWarp(unsigned x)
{
#if __CUDA_ARCH__ >= 800
  return __reduce_or_sync(0xffffffffu, x);
#else
  for (int step = 16; step > 0; step /= 2)
    x |= __shfl_xor_sync(0xffffffffu, x, step);
  return x;
#endif
}

__device__ inline unsigned maxOfWarp(unsigned x)
{
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync(0xffffffffu, x);
#else
  for (int step = 16; step > 0; step /= 2)
  {
    const unsigned other = __shfl_xor_sync(0xffffffffu, x, step);
    x = x > other ? x : other;
  }
  return x;
#endif
}

/// The sum of x over a lane and those before it. All lanes come here.
template <class Number>
__device__ inline Number sumUpToLane(Number x)
{
  for (unsigned step = 1; step < 32; step *= 2)
  {
    const Number other = __shfl_up_sync(0xffffffffu, x, step);
    x += threadIdx.x % 32 >= step ? other : Number(0);
  }
  return x;
}

/// Counts one more for those who wait for a count. Who sees it in announced() sees what this lane
/// wrote before, and others before a __syncwarp() with it. A fence for the whole device would take
/// both sides longer.
__device__ inline void announce(unsigned* count) { ptx::addRelease(count); }
__device__ inline unsigned announced(const unsigned* count) { return ptx::loadAcquire(count); }
/// The count alone: announced() empties the multiprocessor's first cache.
template <class Count>
__device__ inline Count counted(const Count* count)
{
  return ptx::loadRelaxed(count);
}

/// A value in the middle of others that will be read soon: the second cache takes the 256 bytes
/// around it along. Nobody else writes them; a thread that does itself, later, derives from this
/// value what it writes (the compiler may order it before another store).
template <class T>
__device__ inline T loadOfRun(const T* address)
{
  return ptx::loadOfRun(address);
}

/// Memory takes 32 bytes at once, a thread stores 16: neighbouring lanes store the values of both,
/// one after the other. All lanes come here.
struct StoreInPairs
{
  __device__ static unsigned most(unsigned x) { return maxOfWarp(x); }
  __device__ static void put(Vec4<double>* to, unsigned at, const Vec4<double>& value, bool does)
  {
    struct alignas(16) Half
    {
      double first, second;
    };
    constexpr unsigned kWhole = 0xffffffffu, kNowhere = 0xffffffffu;
    const bool odd = threadIdx.x % 2;
    const unsigned own = does ? at : kNowhere, other = __shfl_xor_sync(kWhole, own, 1);
    const double x = __shfl_xor_sync(kWhole, odd ? value.x : value.z, 1),
                 y = __shfl_xor_sync(kWhole, odd ? value.y : value.w, 1);
    const unsigned at_even = odd ? other : own, at_odd = odd ? own : other;
    if (at_even != kNowhere)
      reinterpret_cast<Half*>(to + at_even)[odd] = odd ? Half{ x, y } : Half{ value.x, value.y };
    if (at_odd != kNowhere)
      reinterpret_cast<Half*>(to + at_odd)[odd] = odd ? Half{ value.z, value.w } : Half{ x, y };
  }
};

} // namespace dem
