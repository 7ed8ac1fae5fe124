// Device instructions that have no CUDA function, each behind a name. No other file may contain
// assembly. The emulated device replaces this file by Testing/EmulatedDevice/Core/Ptx.cuh.
#pragma once

#include <cstring>

namespace dem::ptx
{

/// Programmatic dependent launch (from compute capability 9.0 on): waits until all kernels queued
/// before are complete and their writes visible.
__device__ inline void awaitGrids()
{
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
/// Allows the next kernel to start when all blocks have called this.
__device__ inline void launchDependents()
{
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// Called at the start of a block. Shared memory is uninitialized, so this does nothing; the
/// emulated device fills it with rubbish.
template <class Shared>
__device__ inline void beginBlock(Shared&)
{
}

/// Whether all blocks of the kernel form one cluster (from compute capability 9.0 on).
__device__ inline bool isOneCluster()
{
#if __CUDA_ARCH__ >= 900
  unsigned blocks;
  asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(blocks));
  return blocks == gridDim.x;
#else
  return false;
#endif
}
/// All threads of the cluster wait for each other, and then see what the others wrote. This takes
/// less time than a wait for all blocks of a grid.
__device__ inline void clusterSync()
{
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
#endif
}

__device__ inline unsigned laneOfWarp()
{
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

/// Returns base + i as an address of unknown memory space. The compiler then does not combine its
/// load with loads of shared memory, and a warp that waits for those does not wait for this load.
template <class T>
__device__ inline T* elementAnywhere(T* base, unsigned i)
{
  unsigned long long address;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(address) : "r"(i), "n"(sizeof(T)), "l"(base));
  return reinterpret_cast<T*>(address);
}

/// Loads half `which` (0 or 1) of the value at `from`, which must be aligned to its size. Telling
/// the compiler of the alignment saves an addition.
template <class Half, class T>
__device__ inline Half halfOf(const T* from, unsigned which)
{
  static_assert(2 * sizeof(Half) == sizeof(T), "");
  const Half* half = reinterpret_cast<const Half*>(
    reinterpret_cast<unsigned long long>(from) ^ sizeof(Half) * which);
  __builtin_assume(__isGlobal(half));
  return *half;
}

/// Prefetches an address into the second-level cache.
__device__ inline void prefetch(const void* address)
{
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
}

/// Adds 1 with release order: a thread that reads the value by loadAcquire() sees earlier writes of
/// this thread.
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

/// Loads a value; the second-level cache fetches the 256 bytes around it (from compute capability
/// 8.0 on).
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

/// Rounds to the nearest float, including subnormals (below 1e-38), independent of the compiler's
/// flush-to-zero option.
__device__ inline float nearestFloat(double x)
{
  float y;
  asm("cvt.rn.f32.f64 %0, %1;" : "=f"(y) : "d"(x));
  return y;
}

} // namespace dem::ptx
