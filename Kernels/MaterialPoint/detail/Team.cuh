// The threads of a block, and loops over short arrays in registers.
#pragma once

#include "Core/Team.cuh"

#if defined(__CUDA_ARCH__)
#define MPM_UNROLL _Pragma("unroll")
#else
#define MPM_UNROLL
#endif

namespace mpm
{

using dem::teamFirst;
using dem::teamFor;
using dem::teamSum;
using dem::teamSync;

/// Entry k of a short array in registers.
template <int kNodes, class T>
DEM_HD T pick(const T (&a)[kNodes], int k)
{
  T r = a[0];
  MPM_UNROLL
  for (int i = 1; i < kNodes; ++i)
    r = k == i ? a[i] : r;
  return r;
}

} // namespace mpm
