// CUB radix sort on the emulated device.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace cub
{

template <class T>
struct DoubleBuffer
{
  T* buffers[2];
  int selector = 0;

  DoubleBuffer(T* first, T* second)
    : buffers{ first, second }
  {
  }
  T* Current() const { return buffers[selector]; }
};

struct DeviceRadixSort
{
  template <class Key, class Value>
  static cudaError_t SortPairs(void* workspace, std::size_t& bytes, DoubleBuffer<Key>& keys,
    DoubleBuffer<Value>& values, std::size_t n, int begin_bit, int end_bit, cudaStream_t)
  {
    if (!workspace)
    {
      bytes = 1;
      return cudaSuccess;
    }
    const int bits = end_bit - begin_bit;
    const Key mask = bits >= int(8 * sizeof(Key)) ? ~Key(0) : (Key(1) << bits) - 1;
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t(0));
    const Key* const key = keys.Current();
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return (key[a] >> begin_bit & mask) < (key[b] >> begin_bit & mask);
    });
    for (std::size_t i = 0; i < n; ++i)
    {
      keys.buffers[1 - keys.selector][i] = keys.Current()[order[i]];
      values.buffers[1 - values.selector][i] = values.Current()[order[i]];
    }
    keys.selector = 1 - keys.selector;
    values.selector = 1 - values.selector;
    return cudaSuccess;
  }
};

} // namespace cub
