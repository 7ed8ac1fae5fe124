#include "Core/Algorithms.h"

#include "Core/CpuExec.h"

// This unit is the CPU's in every build: without this Thrust would look for the CUDA runtime.
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_TBB

#include <thrust/scan.h>
#include <thrust/system/tbb/execution_policy.h>
#include <thrust/transform_reduce.h>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "Core/detail/Algorithms.inl"

namespace dem
{
namespace
{
constexpr std::size_t kDigits = 256;
constexpr std::size_t kChunk = 16384;

// Least digit first. Chunks count their digits, then each moves its own to the places behind those of lower digits and earlier chunks: stable on
// any number of threads.
template <class Key>
void sortAny(CpuExec& exec, Key* keys, Key* keys_other, std::uint32_t* values, std::uint32_t* values_other, std::size_t n, int bits)
{
  if (n < 2)
    return;
  const std::size_t chunks = (n + kChunk - 1) / kChunk;
  std::vector<std::array<std::uint32_t, kDigits>> places(chunks);
  const auto forChunks = [&](const auto& work) {
    const auto chunk = [&](std::size_t c) { work(c, c * kChunk, std::min(n, (c + 1) * kChunk)); };
    if (chunks == 1)
      chunk(0);
    else
      exec.inArena([&] { tbb::parallel_for(std::size_t(0), chunks, chunk); });
  };
  Key *from = keys, *to = keys_other;
  std::uint32_t *from_values = values, *to_values = values_other;
  for (int shift = 0; shift < bits; shift += 8)
  {
    const auto digit = [&](Key key) { return static_cast<std::size_t>(key >> shift) & (kDigits - 1); };
    forChunks([&](std::size_t c, std::size_t begin, std::size_t end) {
      places[c].fill(0);
      for (std::size_t i = begin; i < end; ++i)
        ++places[c][digit(from[i])];
    });
    std::uint32_t at = 0;
    bool one = false; // all keys have the same digit
    for (std::size_t d = 0; d < kDigits && !one; ++d)
    {
      const std::uint32_t before = at;
      for (auto& place : places)
        at += std::exchange(place[d], at);
      one = at - before == n;
    }
    if (one)
      continue;
    forChunks([&](std::size_t c, std::size_t begin, std::size_t end) {
      auto& place = places[c];
      for (std::size_t i = begin; i < end; ++i)
      {
        const std::uint32_t k = place[digit(from[i])]++;
        to[k] = from[i];
        to_values[k] = from_values[i];
      }
    });
    std::swap(from, to);
    std::swap(from_values, to_values);
  }
  if (from != keys)
  {
    std::copy_n(from, n, keys);
    std::copy_n(from_values, n, values);
  }
}
} // namespace

void sortPairs(CpuExec& exec, std::uint32_t* keys, std::uint32_t* keys_other, std::uint32_t* values, std::uint32_t* values_other,
  std::size_t n, int bits)
{
  sortAny(exec, keys, keys_other, values, values_other, n, bits);
}

void sortPairs(CpuExec& exec, std::uint64_t* keys, std::uint64_t* keys_other, std::uint32_t* values, std::uint32_t* values_other,
  std::size_t n, int bits)
{
  sortAny(exec, keys, keys_other, values, values_other, n, bits);
}

void queueScan(CpuExec& exec, const std::uint32_t* counts, std::uint32_t* offsets, std::size_t n)
{
  offsets[0] = 0;
  if (n)
    exec.inArena([&] { thrust::inclusive_scan(thrust::tbb::par, counts, counts + n, offsets + 1, AddUpToLimit{}); });
}

std::uint64_t scanCounts(CpuExec& exec, const std::uint32_t* counts, std::uint32_t* offsets, std::size_t n)
{
  queueScan(exec, counts, offsets, n);
  return checkedTotal(offsets[n]);
}

std::uint64_t checkedTotal(std::uint32_t total)
{
  // places a little past the end are computed too
  if (total > 0xffffffffu - 4096)
    throw Error("A list of 2^32 - 4096 entries or more passes the limit. Use fewer particles or a smaller Skin.");
  return total;
}

void queueBounds(CpuExec& exec, const Vec4<double>* points, std::size_t n, Vec3d* box)
{
  Box all = PointToBox::emptyBox();
  exec.inArena([&] { all = thrust::transform_reduce(thrust::tbb::par, points, points + n, PointToBox{}, all, JoinBoxes{}); });
  box[0] = all.lower;
  box[1] = all.upper;
}

} // namespace dem
