// The one way of arrays to a kernel and of its results to the host: memory that the kernel can
// reach is used in place, other is copied. The copies keep their memory from use to use.
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

/// Throws when kernels on `exec` can reach neither `memory` nor a copy of it.
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

/// For what reads arrays on the host.
inline void requireHost(MemoryPlace memory)
{
  if (memory != kHostMemory)
    throw Error("Arrays in the memory of CUDA device " + std::to_string(memory) +
      " were given to what reads them on the host.");
}

/// An array that kernels read. Null stays null.
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

/// An array that kernels write for the host: get a place, compute, fetch. A copy runs beside what
/// is queued after fetch() and is complete after finishCopies() of the policy.
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

  /// Into memory of the caller, the host's or the device's; null: nobody wants it.
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
  /// Into memory that it gets, pinned where it is copied.
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
  bool kept_ = false; // it is the device's memory
};

} // namespace detail
} // namespace dem
