// Execution policy for CUDA: one stream, device memory from plain allocations or a pool, and the
// launch of kernels. All kernels of the engines are launched here.
#pragma once

#include "Core/Device.h"
#include "Core/Error.h"
#include "Core/Ptx.cuh"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

namespace dem
{

/// Throws dem::Error with the name of the operation if a CUDA call failed.
inline void checkCuda(cudaError_t status, const char* what)
{
  if (status != cudaSuccess)
    throw Error(std::string("CUDA: ") + what + " failed: " + cudaGetErrorString(status) + ".");
}

namespace detail
{
// Threads of a block in forEach(), and the count below which blocks have 32 threads.
constexpr unsigned kBlock = 128;
constexpr std::size_t kFew = 32768;

/// Blocks of a kernel that should be resident on a multiprocessor at the same time. A higher number
/// leaves fewer registers a thread and more threads to hide latency.
template <class Kernel, class = void>
constexpr unsigned residentBlocks = 1;
template <class Kernel>
constexpr unsigned residentBlocks<Kernel, std::void_t<decltype(Kernel::kResidentBlocks)>> =
  Kernel::kResidentBlocks;

/// Kernels with kAwaitsItself read data that earlier kernels do not write, then call awaitEarlier()
/// themselves. Before the call they must read through __ldcg, because the first-level cache may
/// hold older values.
template <class Kernel, class = void>
constexpr bool awaitsItself = false;
template <class Kernel>
constexpr bool awaitsItself<Kernel, std::void_t<decltype(Kernel::kAwaitsItself)>> =
  Kernel::kAwaitsItself;

/// First statement of a kernel. Waits until all earlier kernels are complete and their results
/// visible, and allows the next kernel to start up to its own call. This hides the launch time
/// (programmatic dependent launch, from compute capability 9.0 on).
__device__ inline void awaitEarlier()
{
  ptx::awaitGrids();
  ptx::launchDependents();
}

/// Body of forEach(): one thread an index.
template <class Kernel>
__global__ void __launch_bounds__(kBlock, residentBlocks<Kernel>)
  forEachKernel(std::size_t n, Kernel kernel)
{
  awaitEarlier();
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i < n)
    kernel(static_cast<unsigned>(i));
}

// Body of forEachBlock(). The functor is a grid constant, so functions that are not inlined read it
// from constant memory.
template <class Kernel>
__global__ void __launch_bounds__(Kernel::kThreads, residentBlocks<Kernel>)
  forEachBlockKernel(const __grid_constant__ Kernel kernel)
{
  __shared__ typename Kernel::Shared shared;
  ptx::beginBlock(shared);
  if constexpr (!awaitsItself<Kernel>)
    awaitEarlier();
  kernel(blockIdx.x, shared);
}

/// Body of forEachBlockBeside(). With `beside` it starts once all blocks of the kernel before have
/// started. Its last block waits for that kernel, so it ends after it. Only one block waits, so the
/// number of blocks is not limited.
template <class Kernel>
__global__ void __launch_bounds__(Kernel::kThreads, residentBlocks<Kernel>)
  forEachBlockBesideKernel(const __grid_constant__ Kernel kernel, bool beside)
{
  __shared__ typename Kernel::Shared shared;
  ptx::beginBlock(shared);
  if (beside)
  {
    ptx::launchDependents();
    __threadfence(); // earlier results are complete, but were not awaited here
  }
  else
    awaitEarlier();
  kernel(blockIdx.x, shared);
  if (beside && blockIdx.x + 1 == gridDim.x)
    ptx::awaitGrids();
}

/// Body of forEachBlockAlongside(): starts while the kernel before runs, and ends after it.
template <class Kernel>
__global__ void __launch_bounds__(Kernel::kThreads, residentBlocks<Kernel>)
  forEachBlockAlongsideKernel(Kernel kernel)
{
  __shared__ typename Kernel::Shared shared;
  ptx::beginBlock(shared);
  __threadfence(); // earlier results are complete, but were not awaited here
  kernel(blockIdx.x, shared);
  awaitEarlier();
}

constexpr std::size_t kStaticShared = 49152; // static limit; more must be requested

/// Body of forEachBlock() for more shared memory than the static limit.
template <class Kernel>
__global__ void __launch_bounds__(Kernel::kThreads, residentBlocks<Kernel>)
  forEachLargeBlockKernel(Kernel kernel)
{
  extern __shared__ __align__(16) unsigned char block_memory[];
  auto& shared = *reinterpret_cast<typename Kernel::Shared*>(block_memory);
  ptx::beginBlock(shared);
  if constexpr (!awaitsItself<Kernel>)
    awaitEarlier();
  kernel(blockIdx.x, shared);
}

struct EmptyKernel
{
  __device__ void operator()(unsigned) const {}
};

/// Whether awaitEarlier() and clusters of blocks have an effect on the current device: its code was
/// compiled for compute capability 9.0 or higher.
inline bool awaitsEarlier()
{
  cudaFuncAttributes attributes{};
  const bool known = cudaFuncGetAttributes(&attributes, forEachKernel<EmptyKernel>) == cudaSuccess;
  cudaGetLastError();
  return known && attributes.ptxVersion >= 90;
}

/// The pool for short-lived allocations on a device. Up to kKeep bytes of free memory stay in the
/// pool for reuse. Null if the device has no pools. Thread-safe.
inline cudaMemPool_t memoryPool(int ordinal)
{
  constexpr std::uint64_t kKeep = std::uint64_t(2) << 30;
  constexpr int kMost = 64;
  static std::mutex mutex;
  static cudaMemPool_t pools[kMost] = {};
  static bool known[kMost] = {};
  std::lock_guard<std::mutex> lock(mutex);
  if (ordinal < 0 || ordinal >= kMost)
    return nullptr;
  if (!known[ordinal])
  {
    known[ordinal] = true;
    int supported = 0;
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = ordinal;
    std::uint64_t keep = kKeep;
    if (cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, ordinal) !=
        cudaSuccess ||
      !supported || cudaMemPoolCreate(&pools[ordinal], &properties) != cudaSuccess)
      pools[ordinal] = nullptr;
    else
      cudaMemPoolSetAttribute(pools[ordinal], cudaMemPoolAttrReleaseThreshold, &keep);
    cudaGetLastError();
  }
  return pools[ordinal];
}
} // namespace detail

/// Owns a stream and scratch memory on one device. All work is queued on the stream; functions
/// return without waiting unless stated otherwise. Not thread-safe. CUDA errors throw dem::Error.
class CudaExec
{
public:
  static constexpr bool kDevice = true;

  explicit CudaExec(int ordinal, DeviceMemory memory = DeviceMemory::Plain)
    : ordinal_(ordinal)
  {
    checkCuda(cudaSetDevice(ordinal), "choosing the device");
    checkCuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
    pool_ = memory == DeviceMemory::Pooled ? detail::memoryPool(ordinal) : nullptr;
    overlaps_ = detail::awaitsEarlier();
  }
  ~CudaExec()
  {
    free(workspace_);
    if (copies_)
      cudaStreamDestroy(copies_);
    for (Side& side : sides_)
    {
      if (side.stream)
        cudaStreamDestroy(side.stream);
      for (cudaEvent_t event : { side.begin, side.end })
        if (event)
          cudaEventDestroy(event);
    }
    for (cudaEvent_t event : marks_)
      if (event)
        cudaEventDestroy(event);
    if (copies_begin_)
      cudaEventDestroy(copies_begin_);
    if (stream_)
      cudaStreamDestroy(stream_);
  }
  CudaExec(const CudaExec&) = delete;
  CudaExec& operator=(const CudaExec&) = delete;

  cudaStream_t stream() const { return stream_; }

  void* allocate(std::size_t bytes)
  {
    void* p = nullptr;
    const cudaError_t status =
      pool_ ? cudaMallocFromPoolAsync(&p, bytes, pool_, stream_) : cudaMalloc(&p, bytes);
    if (status == cudaErrorMemoryAllocation)
    {
      cudaGetLastError(); // a failed allocation is not sticky; clear it
      std::size_t free_bytes = 0, total_bytes = 0;
      cudaMemGetInfo(&free_bytes, &total_bytes);
      throw Error("Out of device memory: " + std::to_string(bytes >> 20) +
        " MiB more were needed, " + std::to_string(free_bytes >> 20) + " of " +
        std::to_string(total_bytes >> 20) +
        " MiB are free. Use fewer particles, a smaller Skin, or Device = CPU.");
    }
    checkCuda(status, "allocating memory");
    allocated_ += bytes;
    return p;
  }
  void release(void* p, std::size_t bytes)
  {
    free(p);
    allocated_ -= bytes;
  }
  std::size_t allocatedBytes() const { return allocated_ + workspace_bytes_; }

  /// Scratch memory for library calls, valid until the next call of this function. Growing waits
  /// for the stream.
  void* workspace(std::size_t bytes)
  {
    if (bytes > workspace_bytes_)
    {
      synchronize();
      free(workspace_);
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
      checkCuda(
        cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDeviceToHost, stream_), "copying to the host");
  }
  void toDevice(void* dst, const void* src, std::size_t bytes)
  {
    if (bytes)
      checkCuda(
        cudaMemcpyAsync(dst, src, bytes, cudaMemcpyHostToDevice, stream_), "copying to the device");
  }
  void copy(void* dst, const void* src, std::size_t bytes)
  {
    if (bytes)
      checkCuda(cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDeviceToDevice, stream_),
        "copying on the device");
  }
  void zero(void* dst, std::size_t bytes)
  {
    if (bytes)
      checkCuda(cudaMemsetAsync(dst, 0, bytes, stream_), "clearing memory");
  }
  void synchronize() { checkCuda(cudaStreamSynchronize(stream_), "a kernel"); }

  /// Copies results of the work queued so far to the host, in parallel to work queued later.
  /// Complete after finishCopies(); until then `src` must not be written and `dst` not be read.
  void toHostBeside(void* dst, const void* src, std::size_t bytes)
  {
    if (!bytes)
      return;
    if (!copies_begin_)
      checkCuda(
        cudaEventCreateWithFlags(&copies_begin_, cudaEventDisableTiming), "creating an event");
    if (!copies_)
      checkCuda(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking), "creating a stream");
    checkCuda(cudaEventRecord(copies_begin_, stream_), "recording an event");
    checkCuda(cudaStreamWaitEvent(copies_, copies_begin_, 0), "waiting for an event");
    copying_ = true;
    checkCuda(
      cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDeviceToHost, copies_), "copying to the host");
  }
  void finishCopies()
  {
    copying_ = false;
    if (copies_)
      checkCuda(cudaStreamSynchronize(copies_), "copying to the host");
    synchronize();
  }

  /// Adds up the device time between start() and stop() without waiting for the device.
  class Stopwatch
  {
  public:
    explicit Stopwatch(CudaExec& exec)
      : exec_(exec)
    {
      for (Span& span : spans_)
      {
        checkCuda(cudaEventCreate(&span.begin), "creating an event");
        checkCuda(cudaEventCreate(&span.end), "creating an event");
      }
    }
    ~Stopwatch()
    {
      for (Span& span : spans_)
      {
        cudaEventDestroy(span.begin);
        cudaEventDestroy(span.end);
      }
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

    void start()
    {
      add(now_);
      checkCuda(cudaEventRecord(spans_[now_].begin, exec_.stream_), "recording an event");
    }
    void stop()
    {
      checkCuda(cudaEventRecord(spans_[now_].end, exec_.stream_), "recording an event");
      spans_[now_].running = true;
      now_ = 1 - now_;
    }
    /// Adds the interval before the last start(). May wait for the device, so call it when the host
    /// is idle.
    void addEarlier() { add(1 - now_); }
    double seconds()
    {
      add(0);
      add(1);
      return seconds_;
    }

  private:
    struct Span
    {
      cudaEvent_t begin = nullptr, end = nullptr;
      bool running = false;
    };

    void add(int which)
    {
      Span& span = spans_[which];
      if (!span.running)
        return;
      float milliseconds = 0;
      checkCuda(cudaEventSynchronize(span.end), "waiting for an event");
      checkCuda(cudaEventElapsedTime(&milliseconds, span.begin, span.end), "reading an event");
      seconds_ += 1e-3 * milliseconds;
      span.running = false;
    }

    CudaExec& exec_;
    Span spans_[2];
    int now_ = 0;
    double seconds_ = 0;
  };

  /// Returns the result of body(), called with this device current.
  template <class Body>
  auto inArena(const Body& body)
  {
    checkCuda(cudaSetDevice(ordinal_), "choosing the device");
    return body();
  }

  /// Runs `kernel(i)` for i in [0, n) on the stream.
  template <class Kernel>
  void forEach(std::size_t n, const Kernel& kernel)
  {
    if (n == 0)
      return;
    checkCount(n);
    // small blocks spread few threads over all multiprocessors
    const unsigned block = n < detail::kFew ? 32 : detail::kBlock;
    launch(detail::forEachKernel<Kernel>, (n + block - 1) / block, block, 0, n, kernel);
  }

  /// Kernels launched by queue() run in parallel to those launched between markBeside() and
  /// joinBeside(). Neither may write data that the other uses. They start once what was queued
  /// before markBeside() is complete. `which`: 0 or 1; both may run at the same time, and blocks of
  /// 1 start first where there is room.
  template <class Queue>
  void beside(unsigned which, const Queue& queue)
  {
    Side& side = sides_[which];
    checkCuda(cudaStreamWaitEvent(side.stream, side.begin, 0), "waiting for an event");
    const bool joined = std::exchange(joined_, true); // the flag belongs to the stream
    std::swap(stream_, side.stream);
    try
    {
      queue();
    }
    catch (...)
    {
      std::swap(stream_, side.stream);
      joined_ = joined;
      cudaStreamSynchronize(side.stream);
      throw;
    }
    std::swap(stream_, side.stream);
    joined_ = joined;
    checkCuda(cudaEventRecord(side.end, side.stream), "recording an event");
  }
  void markBeside(unsigned which)
  {
    Side& side = sides_[which];
    if (!side.stream)
    {
      checkCuda(cudaStreamCreateWithPriority(
                  &side.stream, cudaStreamNonBlocking, which == 1 ? kHighestPriority : 0),
        "creating a stream");
      for (cudaEvent_t* event : { &side.begin, &side.end })
        checkCuda(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "creating an event");
    }
    checkCuda(cudaEventRecord(side.begin, stream_), "recording an event");
  }
  /// Later kernels wait for those of beside().
  void joinBeside(unsigned which)
  {
    checkCuda(cudaStreamWaitEvent(stream_, sides_[which].end, 0), "waiting for an event");
    joined_ = true;
  }

  /// The next kernel starts only when all earlier kernels have ended, without programmatic overlap.
  /// It starts slightly later, but all of its blocks start together.
  void setApart() { joined_ = true; }

  /// Runs `kernel(b, shared)` for b in [0, blocks) on the stream. Each block has Kernel::kThreads
  /// threads that share a Kernel::Shared, which is not initialized.
  template <class Kernel>
  void forEachBlock(std::size_t blocks, const Kernel& kernel)
  {
    if (blocks == 0)
      return;
    launchBlocks(BlocksOf::Grid, blocks, kernel);
  }

  /// As forEachBlock(), but may start while the kernel queued last is running. That kernel must be
  /// one of this policy and have started. Neither may write data that the other uses. Later kernels
  /// wait for both. All blocks must fit on the device at the same time.
  template <class Kernel>
  void forEachBlockAlongside(std::size_t blocks, const Kernel& kernel)
  {
    static_assert(sizeof(typename Kernel::Shared) <= detail::kStaticShared, "");
    if (blocks)
      launch(detail::forEachBlockAlongsideKernel<Kernel>, blocks, Kernel::kThreads, 0, kernel);
  }

  /// As forEachBlock(), after another kernel of this policy. With `beside` it may start while that
  /// kernel is running, and while the kernels are running that this one was itself launched beside.
  ///
  /// Conditions: none of these writes data that another uses; all work queued before the first of
  /// them is complete; no memory is released or allocated between their launches. Later kernels
  /// wait for all of them. Unlike forEachBlockAlongside(), the number of blocks is not limited.
  template <class Kernel>
  void forEachBlockBeside(std::size_t blocks, const Kernel& kernel, bool beside)
  {
    static_assert(sizeof(typename Kernel::Shared) <= detail::kStaticShared, "");
    if (blocks)
      launch(detail::forEachBlockBesideKernel<Kernel>, blocks, Kernel::kThreads, 0, kernel, beside);
  }

  /// As forEachBlock(), with all blocks on the device at the same time, so that each may wait for
  /// the others (Grid.cuh). At most mostTogether<Kernel>() blocks.
  template <class Kernel>
  void forEachBlockTogether(std::size_t blocks, const Kernel& kernel)
  {
    const bool cluster = blocks <= mostOfCluster<Kernel>(); // waits of its blocks are shorter
    launchBlocks(cluster ? BlocksOf::Cluster : BlocksOf::WaitingGrid, blocks, kernel);
  }
  template <class Kernel>
  std::size_t mostTogether() const
  {
    int on_one = 0, processors = 0;
    withBlockKernel<Kernel>([&](auto* function, std::size_t bytes) {
      checkCuda(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&on_one, function, Kernel::kThreads, bytes),
        "asking how many blocks fit");
    });
    checkCuda(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, ordinal_),
      "asking for the multiprocessors");
    return static_cast<std::size_t>(on_one) * static_cast<std::size_t>(processors);
  }

  int ordinal() const { return ordinal_; }

  // ---- several devices ----

  /// Marks a point of the stream, which another device can await. There are two marks.
  void mark(unsigned which)
  {
    if (!marks_[which])
      checkCuda(
        cudaEventCreateWithFlags(&marks_[which], cudaEventDisableTiming), "creating an event");
    checkCuda(cudaEventRecord(marks_[which], stream_), "recording an event");
  }
  /// Later work starts when another device has reached a mark.
  void await(const CudaExec& other, unsigned which)
  {
    checkCuda(cudaStreamWaitEvent(stream_, other.marks_[which], 0), "waiting for an event");
    joined_ = true;
  }
  /// Lets kernels of this device read the memory of another one. Returns false if they cannot.
  bool reads(const CudaExec& other) const
  {
    if (other.ordinal_ == ordinal_)
      return true;
    int can = 0;
    if (cudaDeviceCanAccessPeer(&can, ordinal_, other.ordinal_) != cudaSuccess || !can)
      return false;
    const cudaError_t status = cudaDeviceEnablePeerAccess(other.ordinal_, 0);
    cudaGetLastError(); // access that was enabled before is no error
    return status == cudaSuccess || status == cudaErrorPeerAccessAlreadyEnabled;
  }
  /// Copies from the memory of another device.
  void copyFrom(const CudaExec& other, void* dst, const void* src, std::size_t bytes)
  {
    if (bytes)
      checkCuda(cudaMemcpyPeerAsync(dst, ordinal_, src, other.ordinal_, bytes, stream_),
        "copying between devices");
  }

private:
  // What the blocks of a launch are to each other. Those of the last two may wait for each other.
  enum class BlocksOf
  {
    Grid,
    WaitingGrid,
    Cluster
  };

  // Calls use(kernel function of forEachBlock(), bytes of dynamic shared memory).
  template <class Kernel, class Use>
  static void withBlockKernel(const Use& use)
  {
    constexpr std::size_t bytes = sizeof(typename Kernel::Shared);
    if constexpr (bytes > detail::kStaticShared)
    {
      checkCuda(cudaFuncSetAttribute(detail::forEachLargeBlockKernel<Kernel>,
                  cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        "asking for shared memory");
      use(detail::forEachLargeBlockKernel<Kernel>, bytes);
    }
    else
      use(detail::forEachBlockKernel<Kernel>, std::size_t(0));
  }
  template <class Kernel>
  void launchBlocks(BlocksOf how, std::size_t blocks, const Kernel& kernel)
  {
    withBlockKernel<Kernel>([&](auto* function, std::size_t bytes) {
      launch(how, function, blocks, Kernel::kThreads, bytes, kernel);
    });
  }
  // Most blocks of a kernel that can form one cluster; 0 without clusters.
  template <class Kernel>
  std::size_t mostOfCluster() const
  {
    int most = 0;
    if (!overlaps_)
      return 0;
    withBlockKernel<Kernel>([&](auto* function, std::size_t bytes) {
      cudaLaunchConfig_t config{};
      config.gridDim = dim3(1);
      config.blockDim = dim3(Kernel::kThreads);
      config.dynamicSmemBytes = bytes;
      checkCuda(cudaOccupancyMaxPotentialClusterSize(&most, function, &config),
        "asking for the size of clusters");
    });
    return static_cast<std::size_t>(most);
  }

  template <class... Parameters>
  void launch(void (*kernel)(Parameters...), std::size_t blocks, unsigned threads,
    std::size_t shared_bytes, const Parameters&... parameters)
  {
    launch(BlocksOf::Grid, kernel, blocks, threads, shared_bytes, parameters...);
  }
  template <class... Parameters>
  void launch(BlocksOf how, void (*kernel)(Parameters...), std::size_t blocks, unsigned threads,
    std::size_t shared_bytes, const Parameters&... parameters)
  {
    cudaLaunchAttribute attribute{};
    switch (how)
    {
      case BlocksOf::Grid:
        attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attribute.val.programmaticStreamSerializationAllowed = 1;
        break;
      case BlocksOf::WaitingGrid:
        attribute.id = cudaLaunchAttributeCooperative;
        attribute.val.cooperative = 1;
        break;
      case BlocksOf::Cluster:
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim.x = static_cast<unsigned>(blocks);
        attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
        break;
    }
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(blocks));
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream_;
    config.attrs = &attribute;
    config.numAttrs = how != BlocksOf::Grid || (overlaps_ && !joined_) ? 1 : 0;
    joined_ = false;
    checkCuda(cudaLaunchKernelEx(&config, kernel, parameters...), "launching a kernel");
  }

  void free(void* p)
  {
    if (!p)
      return;
    if (copying_) // after an exception: memory must not be reused while it is copied
      cudaStreamSynchronize(copies_);
    if (pool_)
      cudaFreeAsync(p, stream_);
    else
      cudaFree(p);
  }

  static constexpr int kHighestPriority = -100; // CUDA takes the highest that the device has

  // A second stream; events after which its work may begin, and at which it ended.
  struct Side
  {
    cudaStream_t stream = nullptr;
    cudaEvent_t begin = nullptr, end = nullptr;
  };

  int ordinal_ = 0;
  cudaStream_t stream_ = nullptr, copies_ = nullptr;
  cudaEvent_t copies_begin_ = nullptr, marks_[2] = {};
  Side sides_[2];
  cudaMemPool_t pool_ = nullptr;
  bool copying_ = false;
  bool overlaps_ = false; // launches may overlap, and blocks form a cluster (see awaitsEarlier)
  bool joined_ = false;   // the next launch must not overlap
  void* workspace_ = nullptr;
  std::size_t workspace_bytes_ = 0;
  std::size_t allocated_ = 0;
};

} // namespace dem
