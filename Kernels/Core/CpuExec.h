// Execution policy for the CPU: a TBB arena with a fixed number of threads, and host memory. Same
// interface as CudaExec.
#pragma once

#include "Core/Error.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <sys/mman.h>

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace dem
{

/// Functions return when their work is done; kernels may run in parallel within one call.
class CpuExec
{
public:
  static constexpr bool kDevice = false;

  explicit CpuExec(int threads)
    : arena_(std::make_shared<tbb::task_arena>(threads))
  {
  }

  void* allocate(std::size_t bytes)
  {
    const std::size_t page = bytes >= kHugePage ? kHugePage : 64;
    const std::size_t whole = (bytes + page - 1) / page * page;
    void* p = std::aligned_alloc(page, whole);
    // Huge pages reduce TLB misses: neighbouring particles may be far apart in memory.
    if (p && page == kHugePage)
      madvise(p, whole, MADV_HUGEPAGE);
    if (!p)
      throw Error(
        "Out of memory: " + std::to_string(bytes >> 20) + " MiB more were needed on the CPU.");
    allocated_ += bytes;
    return p;
  }
  void release(void* p, std::size_t bytes)
  {
    std::free(p);
    allocated_ -= bytes;
  }
  std::size_t allocatedBytes() const { return allocated_; }

  void toHost(void* dst, const void* src, std::size_t bytes) { copy(dst, src, bytes); }
  void toDevice(void* dst, const void* src, std::size_t bytes) { copy(dst, src, bytes); }
  void copy(void* dst, const void* src, std::size_t bytes)
  {
    if (bytes)
      std::memcpy(dst, src, bytes);
  }
  void zero(void* dst, std::size_t bytes)
  {
    if (bytes)
      std::memset(dst, 0, bytes);
  }
  void synchronize() {}
  // As CudaExec, but queue() is complete when it returns.
  void markBeside(unsigned) {}
  template <class Queue>
  void beside(unsigned, const Queue& queue)
  {
    queue();
  }
  void joinBeside(unsigned) {}
  void toHostBeside(void* dst, const void* src, std::size_t bytes) { copy(dst, src, bytes); }
  void finishCopies() {}

  /// Adds up the time between start() and stop().
  class Stopwatch
  {
  public:
    explicit Stopwatch(CpuExec&) {}
    void start() { begin_ = Clock::now(); }
    void stop() { seconds_ += std::chrono::duration<double>(Clock::now() - begin_).count(); }
    void addEarlier() {}
    double seconds() { return seconds_; }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin_{};
    double seconds_ = 0;
  };

  /// Returns the result of body(), called inside the arena.
  template <class Body>
  auto inArena(const Body& body)
  {
    return arena_->execute(body);
  }

  /// Runs `kernel(i)` for i in [0, n), in any order.
  template <class Kernel>
  void forEach(std::size_t n, const Kernel& kernel)
  {
    forEachRange(n, [&kernel](unsigned begin, unsigned end) {
      for (unsigned i = begin; i != end; ++i)
        kernel(i);
    });
  }

  /// Runs `kernel(begin, end)` for disjoint ranges that cover [0, n), in any order.
  template <class Kernel>
  void forEachRange(std::size_t n, const Kernel& kernel)
  {
    checkCount(n);
    if (n < kSerialBelow || arena_->max_concurrency() == 1)
    {
      kernel(0u, static_cast<unsigned>(n));
      return;
    }
    arena_->execute([&] {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, kGrain),
        [&](const tbb::blocked_range<std::size_t>& range) {
          kernel(static_cast<unsigned>(range.begin()), static_cast<unsigned>(range.end()));
        });
    });
  }

  /// Runs `kernel(b, shared)` for b in [0, blocks), in any order. Each call has its own
  /// Kernel::Shared.
  template <class Kernel>
  void forEachBlock(std::size_t blocks, const Kernel& kernel)
  {
    const auto one = [&kernel](std::size_t b) {
      typename Kernel::Shared shared;
      kernel(static_cast<unsigned>(b), shared);
    };
    if (blocks < 2 || arena_->max_concurrency() == 1)
    {
      for (std::size_t b = 0; b < blocks; ++b)
        one(b);
      return;
    }
    arena_->execute([&] { tbb::parallel_for(std::size_t(0), blocks, one); });
  }

  // As CudaExec, for several parts in one process.
  void mark(unsigned) {}
  void await(const CpuExec&, unsigned) {}
  bool reads(const CpuExec&) const { return true; }
  void copyFrom(const CpuExec&, void* dst, const void* src, std::size_t bytes)
  {
    copy(dst, src, bytes);
  }

private:
  // below it, waking threads costs more than the work
  static constexpr std::size_t kSerialBelow = 256;
  static constexpr std::size_t kGrain = 128;
  static constexpr std::size_t kHugePage = std::size_t(2) << 20;
  std::shared_ptr<tbb::task_arena> arena_;
  std::size_t allocated_ = 0;
};

} // namespace dem
