// Sums of what lies before, in one launch. Only nvcc reads this file.
#pragma once

#include <cstdint>

namespace dem
{

/// start[k] = sum of count[0 .. k), for k in [0, n]. Blocks look back at the sums of those before, which begin before them (Merrill and
/// Garland, Single-pass parallel prefix scan with decoupled look-back, NVIDIA 2016).
struct ScanCounts
{
  static constexpr unsigned kThreads = 128, kEach = 8, kTile = kThreads * kEach;
  struct Shared
  {
    std::uint32_t of_warp[kThreads / 32], before;
  };

  const std::uint32_t* count; // begins on 16 bytes
  std::uint32_t* start;
  unsigned long long* state; // of each tile, zero: see kOwn, kThrough
  std::uint32_t n;

  static std::uint32_t tiles(std::uint32_t n) { return n / kTile + 1; }

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
    const std::uint32_t first = block * kTile + t * kEach;
    std::uint32_t value[kEach], sum = 0;
    if (first + kEach <= n)
      for (unsigned k = 0; k < kEach; k += 4)
      {
        const uint4 four = *reinterpret_cast<const uint4*>(count + first + k);
        value[k] = four.x;
        value[k + 1] = four.y;
        value[k + 2] = four.z;
        value[k + 3] = four.w;
      }
    else
      for (unsigned k = 0; k < kEach; ++k)
        value[k] = first + k < n ? count[first + k] : 0;
    for (unsigned k = 0; k < kEach; ++k)
      sum += value[k];
    std::uint32_t through = sum;
    for (unsigned step = 1; step < 32; step *= 2)
    {
      const std::uint32_t other = __shfl_up_sync(kWhole, through, step);
      through += lane >= step ? other : 0;
    }
    if (lane == 31)
      shared.of_warp[warp] = through;
    __syncthreads();
    std::uint32_t before = through - sum, total = 0;
    for (unsigned w = 0; w < kThreads / 32; ++w)
    {
      before += w < warp ? shared.of_warp[w] : 0;
      total += shared.of_warp[w];
    }
    if (warp == 0)
    {
      const std::uint32_t of_others = lookBack(block, lane, total);
      if (lane == 0)
        shared.before = of_others;
    }
    __syncthreads();
    before += shared.before;
    for (unsigned k = 0; k < kEach; ++k)
    {
      if (first + k <= n)
        start[first + k] = before;
      before += value[k];
    }
  }

private:
  static constexpr unsigned kWhole = 0xffffffffu;
  // In the upper word, what the lower one is the sum of: the tile, or all up to its end.
  static constexpr unsigned long long kOwn = 1ull << 32, kThrough = 2ull << 32;

  __device__ std::uint32_t lookBack(unsigned block, unsigned lane, std::uint32_t total) const
  {
    volatile unsigned long long* const seen = state;
    if (lane == 0)
      seen[block] = (block ? kOwn : kThrough) | total;
    std::uint32_t before = 0;
    for (std::int64_t nearest = std::int64_t(block) - 1; nearest >= 0; nearest -= 32)
    {
      unsigned long long s = kThrough;
      if (nearest >= lane)
        do
          s = seen[nearest - lane];
        while (s == 0);
      const unsigned ends = __ballot_sync(kWhole, s >= kThrough);
      const unsigned last = ends ? __ffs(ends) - 1 : 31;
      std::uint32_t part = lane <= last ? static_cast<std::uint32_t>(s) : 0;
      for (unsigned step = 16; step > 0; step /= 2)
        part += __shfl_xor_sync(kWhole, part, step);
      before += part;
      if (ends)
        break;
    }
    if (lane == 0 && block)
      seen[block] = kThrough | static_cast<std::uint32_t>(before + total);
    return before;
  }
};

} // namespace dem
