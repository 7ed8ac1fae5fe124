// Collective operations of a warp, and memory operations between warps. Devices before compute
// capability 8.0 lack some instructions and use loops.
#pragma once

#include "Core/Ptx.cuh"
#include "Core/Vec.h"

namespace dem
{

/// Bitwise or of x over all lanes. All 32 lanes must call it.
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

/// Largest x of all lanes. All 32 lanes must call it.
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

/// Inclusive prefix sum of x over the lanes. All 32 lanes must call it.
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

/// Adds 1 to a counter with release order. A thread that reads the new value by announced() also
/// sees earlier writes of this lane, and of lanes that passed a __syncwarp() with it. This is
/// cheaper than a device-wide fence on both sides.
__device__ inline void announce(unsigned* count) { ptx::addRelease(count); }
/// Reads a counter with acquire order.
__device__ inline unsigned announced(const unsigned* count) { return ptx::loadAcquire(count); }
/// Reads a counter without ordering. Unlike announced() it does not invalidate the first-level
/// cache.
template <class Count>
__device__ inline Count counted(const Count* count)
{
  return ptx::loadRelaxed(count);
}

/// Loads a value whose neighbours will be read soon: the second-level cache fetches the 256 bytes
/// around it. No other thread may write the value. If the calling thread writes it later, the new
/// value must depend on the loaded one, because the compiler may reorder the load after another
/// store.
template <class T>
__device__ inline T loadOfRun(const T* address)
{
  return ptx::loadOfRun(address);
}

/// Stores of Vec4<double> by all lanes of a warp. Memory transactions have 32 bytes but a thread
/// stores 16 at a time, so neighbouring lanes store the two halves of each value together. All 32
/// lanes must call it.
struct StoreInPairs
{
  // Largest x of all lanes.
  __device__ static unsigned most(unsigned x) { return maxOfWarp(x); }
  // Stores `value` at to[at] if `does`.
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
