// Reductions and scans written by hand as in Meyer 2019, 5.2, beside those of the library
// (BenchMaps.cuh): tables 7 and 8. One dispatch each, which reduces or scans a segment a block.
#pragma once

#include "MaterialPoint/SmallMatrix.cuh"
#include "MaterialPoint/detail/Team.cuh"

#include <cstdint>

namespace mpm
{

namespace detail
{

/// The sum of the lengths of 1024 kEach vectors a block, by a tree in shared memory. kInterleaved:
/// thread t adds neighbours 2 s t and 2 s t + s, whose addresses fall into the same banks;
/// otherwise t and t + s. Each thread first adds kEach vectors, 1024 apart.
template <class Real, bool kInterleaved, int kEach>
struct ReduceBlocks
{
  static constexpr unsigned kThreads = 1024;
  struct Shared
  {
    Real value[kThreads];
  };
  const Vec4<Real>* in;
  std::uint32_t n;
  Real* out; // one a block

  DEM_HD void operator()(std::uint32_t block, Shared& shared) const
  {
    teamFor(0, kThreads, [&](std::uint32_t t) {
      Real sum = 0;
      MPM_UNROLL
      for (int e = 0; e < kEach; ++e)
      {
        const std::uint32_t i = (block * kEach + e) * kThreads + t;
        if (i < n)
          sum += length(in[i].xyz());
      }
      shared.value[t] = sum;
    });
    teamSync();
    if constexpr (kInterleaved)
      for (std::uint32_t s = 1; s < kThreads; s *= 2)
      {
        teamFor(0, kThreads / (2 * s),
          [&](std::uint32_t t) { shared.value[2 * s * t] += shared.value[2 * s * t + s]; });
        teamSync();
      }
    else
      for (std::uint32_t s = kThreads / 2; s > 0; s /= 2)
      {
        teamFor(0, s, [&](std::uint32_t t) { shared.value[t] += shared.value[t + s]; });
        teamSync();
      }
    if (teamFirst())
      out[block] = shared.value[0];
  }
};

/// The exclusive prefix sums within segments of 1024 kEach integers, one a block: up-sweep and
/// down-sweep of a tree in shared memory (Harris, Sengupta and Owens 2007). kPadded: one address
/// more after every 32, so that the threads of a warp meet different banks (Meyer 2019, eq. 141).
/// Each thread scans kEach neighbouring integers in registers (raking).
template <bool kPadded, int kEach>
struct ScanSegments
{
  static constexpr unsigned kThreads = 512;
  static constexpr std::uint32_t kLeaves = 1024, kSegment = kLeaves * kEach;
  struct Shared
  {
    std::uint32_t value[kLeaves + kLeaves / 32];
  };
  const std::uint32_t* in;
  std::uint32_t n;
  std::uint32_t* out;

  DEM_HD void operator()(std::uint32_t block, Shared& shared) const
  {
#if defined(__CUDA_ARCH__)
    constexpr int kOwn = 2; // leaves of a thread
    const std::uint32_t first = threadIdx.x;
#else
    constexpr int kOwn = kLeaves; // the only thread has all
    const std::uint32_t first = 0;
#endif
    constexpr std::uint32_t kApart = kLeaves / kOwn;
    std::uint32_t own[kOwn][kEach];
    MPM_UNROLL
    for (int l = 0; l < kOwn; ++l)
    {
      const std::uint32_t leaf = first + l * kApart, begin = block * kSegment + leaf * kEach;
      std::uint32_t sum = 0;
      MPM_UNROLL
      for (int e = 0; e < kEach; ++e)
      {
        own[l][e] = sum;
        sum += begin + e < n ? in[begin + e] : 0;
      }
      shared.value[at(leaf)] = sum;
    }
    sweep(shared);
    MPM_UNROLL
    for (int l = 0; l < kOwn; ++l)
    {
      const std::uint32_t leaf = first + l * kApart, begin = block * kSegment + leaf * kEach;
      MPM_UNROLL
      for (int e = 0; e < kEach; ++e)
        if (begin + e < n)
          out[begin + e] = shared.value[at(leaf)] + own[l][e];
    }
  }

private:
  DEM_HD static std::uint32_t at(std::uint32_t leaf) { return kPadded ? leaf + leaf / 32 : leaf; }

  /// Replaces the leaves by their exclusive prefix sums.
  DEM_HD static void sweep(Shared& shared)
  {
    teamSync();
    for (std::uint32_t s = 1; s < kLeaves; s *= 2)
    {
      teamFor(0, kLeaves / (2 * s), [&](std::uint32_t t) {
        shared.value[at((2 * t + 2) * s - 1)] += shared.value[at((2 * t + 1) * s - 1)];
      });
      teamSync();
    }
    if (teamFirst())
      shared.value[at(kLeaves - 1)] = 0;
    teamSync();
    for (std::uint32_t s = kLeaves / 2; s > 0; s /= 2)
    {
      teamFor(0, kLeaves / (2 * s), [&](std::uint32_t t) {
        std::uint32_t &left = shared.value[at((2 * t + 1) * s - 1)],
                      &right = shared.value[at((2 * t + 2) * s - 1)];
        const std::uint32_t before = left;
        left = right;
        right += before;
      });
      teamSync();
    }
  }
};

} // namespace detail
} // namespace mpm
