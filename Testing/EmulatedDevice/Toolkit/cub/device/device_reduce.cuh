// CUB reductions on the emulated device.
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

namespace cub
{

struct DeviceReduce
{
  template <class In, class Out, class Join, class Value>
  static cudaError_t Reduce(void* workspace, std::size_t& bytes, In in, Out out, std::size_t n,
    const Join& join, Value total, cudaStream_t)
  {
    if (!workspace)
    {
      bytes = 1;
      return cudaSuccess;
    }
    *out = n ? join(total, halves<Value>(in, 0, n, join)) : total;
    return cudaSuccess;
  }
  template <class In, class Out>
  static cudaError_t Sum(
    void* workspace, std::size_t& bytes, In in, Out out, std::size_t n, cudaStream_t stream)
  {
    using Value = std::decay_t<decltype(in[0])>;
    return Reduce(
      workspace, bytes, in, out, n, [](const Value& a, const Value& b) { return a + b; }, Value{},
      stream);
  }

private:
  // Adds in a tree, as a device does, instead of one after the other.
  template <class Value, class In, class Join>
  static Value halves(In in, std::size_t begin, std::size_t n, const Join& join)
  {
    return n == 1 ? Value(in[begin])
                  : join(halves<Value>(in, begin, n / 2, join),
                      halves<Value>(in, begin + n / 2, n - n / 2, join));
  }
};

} // namespace cub
