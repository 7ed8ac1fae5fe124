// What only the device's own instructions say, each under a name: no other file holds any. Where
// device code runs on the CPU, Testing/EmulatedDevice has a file in place of this one.
#pragma once

#include <cstring>

namespace dem::ptx
{

/// Programmatic dependent launch (from compute capability 9.0 on): waits until the kernels queued
/// before are complete and seen.
__device__ inline void awaitGrids()
{
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
/// The kernel queued next may begin when all blocks have come here.
__device__ inline void launchDependents()
{
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// Shared memory is what a block makes of it: nothing is done. Where device code runs on the CPU it
/// is filled with rubbish.
template <class Shared>
__device__ inline void beginBlock(Shared&)
{
}

__device__ inline unsigned laneOfWarp()
{
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

/// base + i, as an address of which the compiler does not know in which memory it is: it then keeps
/// a load from there apart from those of shared memory, and a warp that waits for these does not
/// wait for it.
template <class T>
__device__ inline T* elementAnywhere(T* base, unsigned i)
{
  unsigned long long address;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(address) : "r"(i), "n"(sizeof(T)), "l"(base));
  return reinterpret_cast<T*>(address);
}

/// One half of what lies at `from`, at a whole multiple of its size: for a compiler that does not
/// know that, each half takes an addition more.
template <class Half, class T>
__device__ inline Half halfOf(const T* from, unsigned which)
{
  static_assert(2 * sizeof(Half) == sizeof(T), "");
  const Half* half = reinterpret_cast<const Half*>(
    reinterpret_cast<unsigned long long>(from) ^ sizeof(Half) * which);
  __builtin_assume(__isGlobal(half));
  return *half;
}

__device__ inline void prefetch(const void* address)
{
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
}

/// Adds 1. Who reads it by loadAcquire() sees what this thread wrote before.
__device__ inline void addRelease(unsigned* address)
{
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(address) : "memory");
}
__device__ inline unsigned loadAcquire(const unsigned* address)
{
  unsigned seen;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(address) : "memory");
  return seen;
}
__device__ inline unsigned loadRelaxed(const unsigned* address)
{
  unsigned seen;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(address) : "memory");
  return seen;
}
__device__ inline unsigned long long loadRelaxed(const unsigned long long* address)
{
  unsigned long long seen;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(seen) : "l"(address) : "memory");
  return seen;
}

/// The second cache takes the 256 bytes around it along (from compute capability 8.0 on).
template <class T>
__device__ inline T loadOfRun(const T* address)
{
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "");
#if __CUDA_ARCH__ >= 800
  T value;
  if constexpr (sizeof(T) == 8)
  {
    long long bits;
    asm volatile("ld.global.L2::256B.b64 %0, [%1];" : "=l"(bits) : "l"(address));
    memcpy(&value, &bits, sizeof value);
  }
  else
  {
    unsigned bits;
    asm volatile("ld.global.L2::256B.b32 %0, [%1];" : "=r"(bits) : "l"(address));
    memcpy(&value, &bits, sizeof value);
  }
  return value;
#else
  return *address;
#endif
}

/// To the nearest, numbers below 1e-38 too, whatever the compiler was told to do with those.
__device__ inline float nearestFloat(double x)
{
  float y;
  asm("cvt.rn.f32.f64 %0, %1;" : "=f"(y) : "d"(x));
  return y;
}

} // namespace dem::ptx
