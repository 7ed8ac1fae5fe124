#include "Core/Algorithms.h"

#include "Core/CpuExec.h"

// This unit is the CPU's in every build: without this Thrust would look for the CUDA runtime.
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

void sortPairs(CpuExec& exec, std::uint32_t* keys, std::uint32_t*, std::uint32_t* values, std::uint32_t*, std::size_t n, int)
{
  sortAny(exec, keys, values, n);
}

void sortPairs(CpuExec& exec, std::uint64_t* keys, std::uint64_t*, std::uint32_t* values, std::uint32_t*, std::size_t n, int)
{
  sortAny(exec, keys, values, n);
}

std::uint64_t scanCounts(CpuExec& exec, const std::uint32_t* counts, std::uint32_t* offsets, std::size_t n)
{
  std::uint64_t total = 0;
  offsets[0] = 0;
  if (n)
    exec.inArena([&] {
      total = thrust::transform_reduce(thrust::tbb::par, counts, counts + n, Widen{}, std::uint64_t(0), AddIntegers{});
      thrust::inclusive_scan(thrust::tbb::par, counts, counts + n, offsets + 1);
    });
  checkTotal(total);
  return total;
}

void boundingBox(CpuExec& exec, const Vec4<double>* points, std::size_t n, Vec3d& lower, Vec3d& upper)
{
  Box box = PointToBox::emptyBox();
  exec.inArena([&] { box = thrust::transform_reduce(thrust::tbb::par, points, points + n, PointToBox{}, box, JoinBoxes{}); });
  lower = box.lower;
  upper = box.upper;
}

} // namespace dem
