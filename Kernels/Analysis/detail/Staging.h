// Staging of arrays for kernels and of their results for the host. Memory that a kernel can reach
// is used in place; other memory is copied. Copies keep their memory from use to use. All analysis
// stages its arrays here.
#pragma once

#include "Analysis/Grains.h"
#include "Core/Array.h"
#include "Core/Error.h"
#include "Core/HostArray.h"

#include <cstddef>
#include <string>

namespace dem
{
namespace detail
{

/// Throws dem::Error if `memory` is that of a device other than the one of `exec`.
template <class Exec>
void requireReachable(const Exec& exec, MemoryPlace memory)
{
  if (memory == kHostMemory)
    return;
  if constexpr (Exec::kDevice)
  {
    if (memory == exec.ordinal())
      return;
  }
  (void)exec;
  throw Error("Arrays in the memory of CUDA device " + std::to_string(memory) +
    " were given to another device.");
}

/// Throws dem::Error if `memory` is that of a device. For code that reads arrays on the host.
inline void requireHost(MemoryPlace memory)
{
  if (memory != kHostMemory)
    throw Error("Arrays in the memory of CUDA device " + std::to_string(memory) +
      " were given to code that reads them on the host.");
}

/// Stages an array of n values in `memory` for kernels and returns where they read it. Null stays
/// null.
template <class T, class Exec>
class Input
{
public:
  explicit Input(Exec& exec)
    : exec_(exec)
    , copy_(exec)
  {
  }
  const T* operator()(const T* given, std::size_t n, MemoryPlace memory = kHostMemory)
  {
    if (!given || !Exec::kDevice || memory != kHostMemory)
      return given;
    copy_.resize(n);
    exec_.toDevice(copy_.data(), given, n * sizeof(T));
    return copy_.data();
  }

private:
  Exec& exec_;
  Array<T, Exec> copy_;
};

/// An array that kernels write and the caller gets. Call operator() for the memory that kernels
/// write to, launch them, then fetch(). The copy runs concurrently with kernels queued after
/// fetch(); it is complete after finishCopies() of the policy, until when this object must live.
template <class T, class Exec>
class Output
{
public:
  explicit Output(Exec& exec)
    : exec_(exec)
    , copy_(exec)
  {
  }
  Output(Exec& exec, HostArray<T>& host, std::size_t n)
    : Output(exec)
  {
    (*this)(host, n);
  }

  /// The result goes to the caller's memory, on the host or on the device; null: no result.
  T* operator()(T* host, std::size_t n, MemoryPlace memory = kHostMemory)
  {
    host_ = host;
    n_ = n;
    kept_ = Exec::kDevice && memory != kHostMemory;
    if (!host || !Exec::kDevice || kept_)
      return host;
    copy_.resize(n);
    return copy_.data();
  }
  /// The result goes to a new host array, which is pinned if the result is copied.
  T* operator()(HostArray<T>& host, std::size_t n)
  {
    host = HostArray<T>(n, Exec::kDevice);
    return (*this)(host.data(), n);
  }
  T* data() { return Exec::kDevice && host_ && !kept_ ? copy_.data() : host_; }
  void fetch()
  {
    if (host_ && Exec::kDevice && !kept_)
      exec_.toHostBeside(host_, copy_.data(), n_ * sizeof(T));
  }

private:
  Exec& exec_;
  Array<T, Exec> copy_;
  T* host_ = nullptr;
  std::size_t n_ = 0;
  bool kept_ = false; // the caller's memory is that of the device
};

} // namespace detail
} // namespace dem
