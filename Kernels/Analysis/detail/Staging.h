// Host arrays for a kernel and back: on the CPU the memory itself, on a device a copy.
#pragma once

#include "Core/Array.h"
#include "Core/HostArray.h"

#include <cstddef>

namespace dem
{
namespace detail
{

/// Memory a kernel may read; `copy` holds it where it has to be copied. Null stays null.
template <class T, class Exec>
const T* staged(Exec& exec, Array<T, Exec>& copy, const T* host, std::size_t n)
{
  if constexpr (Exec::kDevice)
  {
    if (!host)
      return nullptr;
    copy.resize(n);
    exec.toDevice(copy.data(), host, n * sizeof(T));
    return copy.data();
  }
  else
    return host;
}

/// A host array that a kernel fills: written in place on the CPU, brought back by fetch() from a device.
template <class T, class Exec>
class Filled
{
public:
  Filled(Exec& exec, HostArray<T>& target, std::size_t n)
    : exec_(exec)
    , target_(target)
    , copy_(exec)
  {
    target_ = HostArray<T>(n, Exec::kDevice);
    if constexpr (Exec::kDevice)
      copy_.resize(n);
  }

  T* data()
  {
    if constexpr (Exec::kDevice)
      return copy_.data();
    else
      return target_.data();
  }
  /// The copy is complete after the next synchronize().
  void fetch()
  {
    if constexpr (Exec::kDevice)
      exec_.toHost(target_.data(), copy_.data(), target_.size() * sizeof(T));
  }

private:
  Exec& exec_;
  HostArray<T>& target_;
  Array<T, Exec> copy_;
};

} // namespace detail
} // namespace dem
