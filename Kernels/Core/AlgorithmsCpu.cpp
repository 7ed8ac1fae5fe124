// Core/Algorithms.h on the CPU, by Thrust with TBB.
#include "Core/Algorithms.h"

#include "Core/CpuExec.h"

// This file is for the CPU in every build. Without the macro Thrust would need the CUDA runtime.
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_TBB

#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/system/tbb/execution_policy.h>
#include <thrust/transform_reduce.h>

#include "Core/detail/Algorithms.inl"

namespace dem
{
namespace
{
template <class Key>
void sortAny(CpuExec& exec, Key* keys, std::uint32_t* values, std::size_t n)
{
  exec.inArena([&] { thrust::stable_sort_by_key(thrust::tbb::par, keys, keys + n, values); });
}
} // namespace

void sortPairs(CpuExec& exec, std::uint32_t* keys, std::uint32_t*, std::uint32_t* values,
  std::uint32_t*, std::size_t n, int)
{
  sortAny(exec, keys, values, n);
}

void sortPairs(CpuExec& exec, std::uint64_t* keys, std::uint64_t*, std::uint32_t* values,
  std::uint32_t*, std::size_t n, int)
{
  sortAny(exec, keys, values, n);
}

void queueScan(CpuExec& exec, const std::uint32_t* counts, std::uint32_t* offsets, std::size_t n)
{
  offsets[0] = 0;
  if (n)
    exec.inArena([&] {
      thrust::inclusive_scan(thrust::tbb::par, counts, counts + n, offsets + 1, AddUpToLimit{});
    });
}

std::uint64_t scanCounts(
  CpuExec& exec, const std::uint32_t* counts, std::uint32_t* offsets, std::size_t n)
{
  queueScan(exec, counts, offsets, n);
  return checkedTotal(offsets[n]);
}

std::uint64_t checkedTotal(std::uint32_t total)
{
  // indices slightly beyond the end are computed too
  if (total > 0xffffffffu - 4096)
    throw Error("A list of 2^32 - 4096 entries or more passes the limit. Use fewer particles or a "
                "smaller Skin.");
  return total;
}

void queueBounds(CpuExec& exec, const Vec4<double>* points, std::size_t n, Vec3d* box)
{
  Box all = PointToBox::emptyBox();
  exec.inArena([&] {
    all = thrust::transform_reduce(
      thrust::tbb::par, points, points + n, PointToBox{}, all, JoinBoxes{});
  });
  box[0] = all.lower;
  box[1] = all.upper;
}

} // namespace dem
