// Hints for the device: loop unrolling and prefetching. They change no result and do nothing on the
// host.
#pragma once

#include "Core/HostDevice.h"
#if defined(__CUDACC__)
#include "Core/Ptx.cuh"
#endif

/// Precedes a loop that must not be unrolled. In a long kernel whose warps are at different places,
/// instruction fetches get slower with the length of the code.
#if defined(__CUDA_ARCH__) // host compilers do not know this pragma
#define DEM_ROLLED _Pragma("unroll 1")
#else
#define DEM_ROLLED
#endif

namespace dem
{

/// Prefetches memory that will be read soon.
DEM_HD void expectRead(const void* address)
{
#if defined(__CUDA_ARCH__)
  ptx::prefetch(address);
#else
  (void)address;
#endif
}

} // namespace dem
