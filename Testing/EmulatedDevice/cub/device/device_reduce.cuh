#pragma once

#include <cuda_runtime.h>

#include <iterator>

namespace cub
{

struct DeviceReduce
{
  template <class In, class Out, class Join, class Value>
  static cudaError_t Reduce(void* workspace, std::size_t& bytes, In in, Out out, std::size_t n, const Join& join, Value total, cudaStream_t)
  {
    if (!workspace)
    {
      bytes = 1;
      return cudaSuccess;
    }
    for (std::size_t i = 0; i < n; ++i)
      total = join(total, in[i]);
    *out = total;
    return cudaSuccess;
  }
  template <class In, class Out>
  static cudaError_t Sum(void* workspace, std::size_t& bytes, In in, Out out, std::size_t n, cudaStream_t stream)
  {
    using Value = std::decay_t<decltype(in[0])>;
    return Reduce(
      workspace, bytes, in, out, n, [](const Value& a, const Value& b) { return a + b; }, Value{}, stream);
  }
};

} // namespace cub
