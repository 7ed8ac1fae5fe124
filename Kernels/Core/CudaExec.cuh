// Execution policy of CUDA: one stream, device memory by plain allocations. Only nvcc reads this file.
#pragma once

#include "Core/Error.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <type_traits>

namespace dem
{

inline void checkCuda(cudaError_t status, const char* what)
{
  if (status != cudaSuccess)
    throw Error(std::string("CUDA: ") + what + " failed: " + cudaGetErrorString(status) + ".");
}

namespace detail
{
constexpr unsigned kBlock = 128;
constexpr std::size_t kFew = 32768;

/// Blocks that a kernel wants on a multiprocessor at once: fewer registers a thread, more threads to hide latency.
template <class Kernel, class = void>
constexpr unsigned residentBlocks = 1;
template <class Kernel>
constexpr unsigned residentBlocks<Kernel, std::void_t<decltype(Kernel::kResidentBlocks)>> = Kernel::kResidentBlocks;

template <class Kernel>
__global__ void __launch_bounds__(kBlock, residentBlocks<Kernel>) forEachKernel(std::size_t n, Kernel kernel)
{
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i < n)
    kernel(static_cast<unsigned>(i));
}

template <class Kernel>
__global__ void __launch_bounds__(Kernel::kThreads, residentBlocks<Kernel>) forEachBlockKernel(Kernel kernel)
{
  __shared__ typename Kernel::Shared shared;
  kernel(blockIdx.x, shared);
}
} // namespace detail

class CudaExec
{
public:
  static constexpr bool kDevice = true;

  explicit CudaExec(int ordinal)
    : ordinal_(ordinal)
  {
    checkCuda(cudaSetDevice(ordinal), "choosing the device");
    checkCuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
  }
  ~CudaExec()
  {
    if (workspace_)
      cudaFree(workspace_);
    if (stream_)
      cudaStreamDestroy(stream_);
  }
  CudaExec(const CudaExec&) = delete;
  CudaExec& operator=(const CudaExec&) = delete;

  cudaStream_t stream() const { return stream_; }

  void* allocate(std::size_t bytes)
  {
    void* p = nullptr;
    const cudaError_t status = cudaMalloc(&p, bytes);
    if (status == cudaErrorMemoryAllocation)
    {
      cudaGetLastError(); // a failed allocation is not sticky: clear it
      std::size_t free_bytes = 0, total_bytes = 0;
      cudaMemGetInfo(&free_bytes, &total_bytes);
      throw Error("Out of device memory: " + std::to_string(bytes >> 20) + " MiB more were needed, " +
        std::to_string(free_bytes >> 20) + " of " + std::to_string(total_bytes >> 20) +
        " MiB are free. Use fewer particles, a smaller Skin, or Device = CPU.");
    }
    checkCuda(status, "allocating memory");
    allocated_ += bytes;
    return p;
  }
  void release(void* p, std::size_t bytes)
  {
    cudaFree(p);
    allocated_ -= bytes;
  }
  std::size_t allocatedBytes() const { return allocated_ + workspace_bytes_; }

  /// Scratch memory for library calls, valid until the next call of this function.
  void* workspace(std::size_t bytes)
  {
    if (bytes > workspace_bytes_)
    {
      synchronize();
      if (workspace_)
        cudaFree(workspace_);
      workspace_ = nullptr;
      workspace_bytes_ = 0;
      workspace_ = allocate(bytes);
      allocated_ -= bytes;
      workspace_bytes_ = bytes;
    }
    return workspace_;
  }

  void toHost(void* dst, const void* src, std::size_t bytes)
  {
    if (bytes)
      checkCuda(cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDeviceToHost, stream_), "copying to the host");
  }
  void toDevice(void* dst, const void* src, std::size_t bytes)
  {
    if (bytes)
      checkCuda(cudaMemcpyAsync(dst, src, bytes, cudaMemcpyHostToDevice, stream_), "copying to the device");
  }
  void copy(void* dst, const void* src, std::size_t bytes)
  {
    if (bytes)
      checkCuda(cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDeviceToDevice, stream_), "copying on the device");
  }
  void zero(void* dst, std::size_t bytes)
  {
    if (bytes)
      checkCuda(cudaMemsetAsync(dst, 0, bytes, stream_), "clearing memory");
  }
  void synchronize() { checkCuda(cudaStreamSynchronize(stream_), "a kernel"); }

  /// Adds up the time between start() and stop() as the device sees it, without waiting for it.
  class Stopwatch
  {
  public:
    explicit Stopwatch(CudaExec& exec)
      : exec_(exec)
    {
      checkCuda(cudaEventCreate(&begin_), "creating an event");
      checkCuda(cudaEventCreate(&end_), "creating an event");
    }
    ~Stopwatch()
    {
      cudaEventDestroy(begin_);
      cudaEventDestroy(end_);
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

    void start()
    {
      seconds();
      checkCuda(cudaEventRecord(begin_, exec_.stream_), "recording an event");
    }
    void stop()
    {
      checkCuda(cudaEventRecord(end_, exec_.stream_), "recording an event");
      running_ = true;
    }
    double seconds()
    {
      if (running_)
      {
        float milliseconds = 0;
        checkCuda(cudaEventSynchronize(end_), "waiting for an event");
        checkCuda(cudaEventElapsedTime(&milliseconds, begin_, end_), "reading an event");
        seconds_ += 1e-3 * milliseconds;
        running_ = false;
      }
      return seconds_;
    }

  private:
    CudaExec& exec_;
    cudaEvent_t begin_ = nullptr, end_ = nullptr;
    bool running_ = false;
    double seconds_ = 0;
  };

  template <class Body>
  void inArena(const Body& body)
  {
    checkCuda(cudaSetDevice(ordinal_), "choosing the device");
    body();
  }

  /// Runs `kernel(i)` for i in [0, n) on the stream.
  template <class Kernel>
  void forEach(std::size_t n, const Kernel& kernel)
  {
    if (n == 0)
      return;
    // a few threads are spread over all multiprocessors
    const unsigned block = n < detail::kFew ? 32 : detail::kBlock;
    detail::forEachKernel<<<static_cast<unsigned>((n + block - 1) / block), block, 0, stream_>>>(n, kernel);
    checkCuda(cudaGetLastError(), "launching a kernel");
  }

  /// Runs `kernel(b, shared)` for b in [0, blocks) on the stream, each by a block of Kernel::kThreads threads that share a Kernel::Shared.
  template <class Kernel>
  void forEachBlock(std::size_t blocks, const Kernel& kernel)
  {
    if (blocks == 0)
      return;
    detail::forEachBlockKernel<<<static_cast<unsigned>(blocks), Kernel::kThreads, 0, stream_>>>(kernel);
    checkCuda(cudaGetLastError(), "launching a kernel");
  }

private:
  int ordinal_ = 0;
  cudaStream_t stream_ = nullptr;
  void* workspace_ = nullptr;
  std::size_t workspace_bytes_ = 0;
  std::size_t allocated_ = 0;
};

} // namespace dem
