// What a device may be told beside what it has to do. None of it changes a result, and a host takes
// no notice.
#pragma once

#include "Core/HostDevice.h"
#if defined(__CUDACC__)
#include "Core/Ptx.cuh"
#endif

/// In front of a loop that is to stay one: where neighbouring warps are at different places of a
/// long kernel its instructions come slower the more there are.
#if defined(__CUDA_ARCH__) // host compilers know no such pragma
#define DEM_ROLLED _Pragma("unroll 1")
#else
#define DEM_ROLLED
#endif

namespace dem
{

/// Asks for memory that will be read soon.
DEM_HD void expectRead(const void* address)
{
#if defined(__CUDA_ARCH__)
  ptx::prefetch(address);
#else
  (void)address;
#endif
}

} // namespace dem
