// Queries of CUDA devices and pinned host memory for host code.
#include "Core/detail/CudaRuntime.h"

#include <cuda_runtime.h>

#include <map>
#include <mutex>

namespace dem
{
namespace detail
{
namespace
{
__global__ void probeKernel(int* out) { *out = 42; }
} // namespace

std::string cudaUnavailableReason()
{
  int count = 0;
  cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess)
  {
    cudaGetLastError();
    return cudaGetErrorString(status);
  }
  if (count == 0)
    return "no CUDA device was found";
  // A listed device may be too old for the code of this build: run a kernel once.
  static const std::string probe = [] {
    int* out = nullptr;
    int host = 0;
    cudaError_t s = cudaMalloc(&out, sizeof(int));
    if (s == cudaSuccess)
    {
      cudaLaunchConfig_t config{};
      config.gridDim = config.blockDim = dim3(1);
      s = cudaLaunchKernelEx(&config, probeKernel, out);
    }
    if (s == cudaSuccess)
      s = cudaMemcpy(&host, out, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(out);
    cudaGetLastError();
    return s == cudaSuccess && host == 42 ? std::string() : std::string(cudaGetErrorString(s));
  }();
  return probe;
}

std::string cudaDeviceName(int ordinal)
{
  // cached: called for each request, and slow
  static std::mutex mutex;
  static std::map<int, std::string> known;
  std::lock_guard<std::mutex> lock(mutex);
  std::string& name = known[ordinal];
  if (name.empty())
  {
    cudaDeviceProp properties{};
    name = cudaGetDeviceProperties(&properties, ordinal) == cudaSuccess ? properties.name
                                                                        : "unknown device";
  }
  return name;
}

int cudaDeviceCount()
{
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess)
    return count;
  cudaGetLastError();
  return 0;
}

void* cudaAllocatePinned(std::size_t bytes)
{
  void* p = nullptr;
  if (cudaHostAlloc(&p, bytes, cudaHostAllocPortable) == cudaSuccess)
    return p;
  cudaGetLastError();
  return nullptr;
}

void cudaFreePinned(void* p) { cudaFreeHost(p); }

} // namespace detail
} // namespace dem
