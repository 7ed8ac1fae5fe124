// Core/Algorithms.h on CUDA, by CUB.
#include "Core/Algorithms.h"

#include "Core/CudaExec.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "Core/detail/Algorithms.inl"

namespace dem
{
namespace
{

// CUB is called twice: first for the size of its scratch memory, then to run.
template <class Call>
void runCub(CudaExec& exec, const char* what, const Call& call)
{
  std::size_t bytes = 0;
  checkCuda(call(nullptr, bytes), what);
  void* workspace = exec.workspace(bytes + 256);
  checkCuda(call(workspace, bytes), what);
}

/// counts[i - 1], and 0 for i = 0.
struct CountBefore
{
  const std::uint32_t* counts;

  DEM_HD std::uint32_t operator()(std::size_t i) const { return i ? counts[i - 1] : 0; }
};

template <class Key>
void sortAny(CudaExec& exec, Key* keys, Key* keys_other, std::uint32_t* values,
  std::uint32_t* values_other, std::size_t n, int bits)
{
  if (n == 0)
    return;
  cub::DoubleBuffer<Key> key_buffer(keys, keys_other);
  cub::DoubleBuffer<std::uint32_t> value_buffer(values, values_other);
  runCub(exec, "sorting", [&](void* workspace, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(
      workspace, bytes, key_buffer, value_buffer, n, 0, bits, exec.stream());
  });
  if (key_buffer.Current() != keys)
    exec.copy(keys, key_buffer.Current(), n * sizeof(Key));
  if (value_buffer.Current() != values)
    exec.copy(values, value_buffer.Current(), n * sizeof(std::uint32_t));
}

} // namespace

void sortPairs(CudaExec& exec, std::uint32_t* keys, std::uint32_t* keys_other,
  std::uint32_t* values, std::uint32_t* values_other, std::size_t n, int bits)
{
  sortAny(exec, keys, keys_other, values, values_other, n, bits);
}

void sortPairs(CudaExec& exec, std::uint64_t* keys, std::uint64_t* keys_other,
  std::uint32_t* values, std::uint32_t* values_other, std::size_t n, int bits)
{
  sortAny(exec, keys, keys_other, values, values_other, n, bits);
}

void queueScan(CudaExec& exec, const std::uint32_t* counts, std::uint32_t* offsets, std::size_t n)
{
  const auto before = thrust::make_transform_iterator(
    thrust::make_counting_iterator(std::size_t(0)), CountBefore{ counts });
  runCub(exec, "scanning", [&](void* workspace, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveScan(
      workspace, bytes, before, offsets, AddUpToLimit{}, n + 1, exec.stream());
  });
}

std::uint64_t scanCounts(
  CudaExec& exec, const std::uint32_t* counts, std::uint32_t* offsets, std::size_t n)
{
  queueScan(exec, counts, offsets, n);
  std::uint32_t total = 0;
  exec.toHost(&total, offsets + n, sizeof total);
  exec.synchronize();
  return checkedTotal(total);
}

void queueBounds(CudaExec& exec, const Vec4<double>* points, std::size_t n, Vec3d* box)
{
  const auto boxes = thrust::make_transform_iterator(points, PointToBox{});
  runCub(exec, "reducing", [&](void* workspace, std::size_t& bytes) {
    return cub::DeviceReduce::Reduce(workspace, bytes, boxes, reinterpret_cast<Box*>(box), n,
      JoinBoxes{}, PointToBox::emptyBox(), exec.stream());
  });
}

} // namespace dem
