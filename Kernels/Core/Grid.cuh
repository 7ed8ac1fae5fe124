// All blocks of a kernel that CudaExec::forEachBlockTogether() launched, which may wait for each
// other. On the CPU there is one block of one thread. Used by the flow solver.
#pragma once

#include "Core/Team.cuh"

#if defined(__CUDACC__)
#include "Core/Ptx.cuh"

#include <cooperative_groups.h>
#endif

#include <cstdint>

namespace dem
{

DEM_HD std::uint32_t gridBlock()
{
#if defined(__CUDA_ARCH__)
  return blockIdx.x;
#else
  return 0;
#endif
}
DEM_HD std::uint32_t gridBlocks()
{
#if defined(__CUDA_ARCH__)
  return gridDim.x;
#else
  return 1;
#endif
}

/// Every block waits until all have arrived, and then sees what they wrote.
DEM_HD void gridSync()
{
#if defined(__CUDA_ARCH__)
  if (ptx::isOneCluster())
    ptx::clusterSync();
  else
    cooperative_groups::this_grid().sync();
#endif
}

/// Calls body(i) for i < n, distributed over the warps of all blocks: the first 32 to a warp of the
/// first block, the next to one of the second. Blocks consist of whole warps.
template <class Body>
DEM_HD void gridFor(std::uint32_t n, const Body& body)
{
#if defined(__CUDA_ARCH__)
  const std::uint32_t warp = threadIdx.x / 32 * gridDim.x + blockIdx.x;
  for (std::uint32_t i = 32 * warp + threadIdx.x % 32; i < n; i += gridDim.x * blockDim.x)
    body(i);
#else
  for (std::uint32_t i = 0; i < n; ++i)
    body(i);
#endif
}

/// Numbers that gridSum() needs in global memory, for a kernel with blocks of `threads`.
DEM_HD std::uint32_t gridSumParts(std::uint32_t n, std::uint32_t threads)
{
  return (n + threads - 1) / threads;
}
/// Calls then(sum) in the first thread of every block, with the sum of each(i) over i < n. The
/// order of the terms depends on the number of threads of a block, not on the number of blocks. All
/// threads of the block see what then() wrote to its memory. `scratch`, of the block, holds 32
/// numbers. `part` holds gridSumParts(n) in global memory; blocks may still read them after the
/// call, so the next call needs others. They are free once all blocks have passed one more
/// gridSync().
DEM_ANY_SIDE
template <class Each, class Then>
DEM_HD void gridSum(
  std::uint32_t n, const Each& each, double* part, double* scratch, const Then& then)
{
#if defined(__CUDA_ARCH__)
  const std::uint32_t thread = threadIdx.x, threads = blockDim.x;
#else
  const std::uint32_t thread = 0, threads = 1;
#endif
  const std::uint32_t parts = gridSumParts(n, threads);
  for (std::uint32_t p = gridBlock(); p < parts; p += gridBlocks())
  {
    const std::uint32_t i = p * threads + thread;
    const double sum = teamSum(i < n ? each(i) : 0, scratch);
    if (teamFirst())
      part[p] = sum;
    teamSync();
  }
  gridSync();
  double sum = 0;
  teamFor(0, parts, [&](std::uint32_t p) { sum += part[p]; });
  sum = teamSum(sum, scratch);
  if (teamFirst())
    then(sum);
  teamSync();
}

} // namespace dem
