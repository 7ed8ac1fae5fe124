// Marks a function as callable from host and device. Empty when no CUDA compiler reads the file.
#pragma once

#if defined(__CUDACC__)
#define DEM_HD __host__ __device__ __forceinline__
#define DEM_HD_CALL __host__ __device__ // too large for every call to hold a copy
#else
#define DEM_HD inline __attribute__((always_inline))
#define DEM_HD_CALL
#endif

/// Of a function that is to stay one. Not __noinline__, a word that GCC's own headers use as the
/// attribute's name.
#define DEM_NOINLINE __attribute__((noinline))
