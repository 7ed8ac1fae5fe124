// What a whole warp knows together. Devices before compute capability 8.0 have no instruction for it. Only nvcc reads this file.
#pragma once

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

} // namespace dem
