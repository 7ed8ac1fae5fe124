// Kernels that run beside each other on one stream. Only nvcc reads this file.
#pragma once

#include "Core/CudaExec.cuh"

#include <cstddef>

namespace dem
{
namespace detail
{

/// `beside`: begins when all blocks of the kernel before it have begun, and ends behind it, as its last block awaits that one. The others end when
/// they are done, so they may be many.
template <class Kernel>
__global__ void __launch_bounds__(Kernel::kThreads, residentBlocks<Kernel>) forEachBlockBesideKernel(const __grid_constant__ Kernel kernel, bool beside)
{
  __shared__ typename Kernel::Shared shared;
  if (beside)
  {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
    __threadfence(); // it has not awaited those whose results it reads, which are complete
  }
  else
    awaitEarlier();
  kernel(blockIdx.x, shared);
#if __CUDA_ARCH__ >= 900
  if (beside && blockIdx.x + 1 == gridDim.x)
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

} // namespace detail

/// Runs `kernel(b, shared)` for b in [0, blocks) as CudaExec::forEachBlock() does, behind some other kernel of the policy. `beside`: it may begin while
/// that one is running, and while those run that it was itself queued beside: none uses what another writes, and each is done with what was queued
/// before all of them. What is queued behind waits for all. Unlike forEachBlockAlongside() it may have many more blocks than a device holds.
template <class Kernel>
void forEachBlockBeside(CudaExec& exec, std::size_t blocks, const Kernel& kernel, bool beside)
{
  if (blocks == 0)
    return;
  static_assert(sizeof(typename Kernel::Shared) <= detail::kStaticShared, "");
  static const bool overlaps = detail::awaitsEarlier();
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(Kernel::kThreads);
  config.stream = exec.stream();
  config.attrs = &overlap;
  config.numAttrs = overlaps ? 1 : 0;
  checkCuda(cudaLaunchKernelEx(&config, detail::forEachBlockBesideKernel<Kernel>, kernel, beside), "launching a kernel");
}

} // namespace dem
