// Floating-point sums in a fixed order: blocks of fixed size, each added from its first to its last
// element, then the blocks in order. The result is the same for any number of threads.
#pragma once

#include "Core/HostDevice.h"

#include <cstddef>
#include <vector>

namespace dem
{

constexpr std::size_t kSumBlock = 256;

/// Kernel: partial[b] = sum of block b of `values`, added by one thread. T needs `+=` and a zero
/// default. Values: an array, or an object whose operator[](i) computes value i.
template <class T, class Values = const T*>
struct SumBlocks
{
  Values values;
  std::size_t n;
  T* partial;

  DEM_HD void operator()(unsigned block) const
  {
    T sum{};
    const std::size_t begin = block * kSumBlock,
                      end = begin + kSumBlock < n ? begin + kSumBlock : n;
    for (std::size_t i = begin; i < end; ++i)
      sum += values[i];
    partial[block] = sum;
  }
};

inline std::size_t sumBlocks(std::size_t n) { return (n + kSumBlock - 1) / kSumBlock; }

} // namespace dem
