// Macros that mark functions as callable from host and device. Plain C++ if the file is not read by
// a CUDA compiler.
#pragma once

#if defined(__CUDACC__)
#define DEM_HD __host__ __device__ __forceinline__
#define DEM_HD_CALL __host__ __device__ // not inlined: too large to be copied into every caller
/// In front of a template for host and device whose arguments may be of the host only.
#define DEM_ANY_SIDE _Pragma("nv_exec_check_disable")
#define DEM_LAMBDA
#else
#define DEM_HD inline __attribute__((always_inline))
#define DEM_HD_CALL
#define DEM_ANY_SIDE
/// Marks a lambda that must be inlined, behind its parameters. Packs of numbers that are passed to
/// a function that is not inlined go through memory.
#define DEM_LAMBDA __attribute__((always_inline))
#endif

/// Marks a function that must not be inlined. Not __noinline__, because GCC's own headers use that
/// word as an attribute name.
#define DEM_NOINLINE __attribute__((noinline))
