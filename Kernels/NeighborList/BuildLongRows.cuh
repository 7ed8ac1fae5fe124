// Builds the rows of particles with many neighbours on CUDA, one block a row. Used by
// CandidateSearch::queueRows for large particles among small ones.
#pragma once

#include "NeighborList/BuildList.cuh"

#include <cstdint>

namespace dem
{

/// Rows of large particles among small ones, which have many neighbours: one block a row. Three
/// launches: CountLongRows counts, PlaceLongRows reserves space for 32 rows at a time, FillLongRows
/// writes.
template <class Search, class Also>
struct CountLongRows
{
  static constexpr unsigned kThreads = 128;
  struct Shared
  {
    std::uint32_t count;
  };

  Search search;
  NewRows rows;
  // See BuildRows.
  Also also;
  // Device pointer to the first large particle. Processing starts at the multiple of 32 below it.
  const std::uint32_t* first;
  std::uint32_t n;

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    const std::uint32_t i = *first / 32 * 32 + block;
    if (i >= n)
      return;
    if (threadIdx.x == 0)
    {
      shared.count = 0;
      if (i < also.n)
        also(i);
    }
    __syncthreads();
    std::uint32_t count = 0;
    const BodyIds::Range own = rows.own.of(rows.id[i]);
    search.candidatesOfLane(
      i, threadIdx.x, kThreads, [&](std::uint32_t j) { count += own.has(rows.id[j]) ? 0u : 1u; });
    atomicAdd(&shared.count, count);
    __syncthreads();
    if (threadIdx.x == 0)
      rows.count[i] = rows.ghosts.has(i) ? 0 : shared.count;
  }
};

struct PlaceLongRows
{
  NewRows rows;
  const std::uint32_t* first;
  std::uint32_t n;

  __device__ void operator()(std::uint32_t group) const
  {
    const std::uint32_t begin = *first / 32 * 32 + 32 * group,
                        end = n < begin + 32 ? n : begin + 32;
    if (begin >= n) // the launch has an upper bound of the groups
      return;
    unsigned long long total = 0;
    for (std::uint32_t i = begin; i < end; ++i)
      total += rows.count[i];
    auto start = static_cast<std::uint32_t>(rows.first + atomicAdd(rows.taken, total));
    if (rows.groups.counts)
      atomicAdd(rows.candidates, total);
    if (rows.groups.counts)
      rows.groups.counts[begin / GroupedContacts::kGroup] = GroupedContacts::kAsTheyAre;
    for (std::uint32_t i = begin; i < end; ++i)
    {
      rows.row_start[i] = start;
      start += rows.count[i];
    }
    for (std::uint32_t g = begin; rows.crowded && g < end; g += 1u << rows.crowded_shift)
    {
      std::uint32_t of_group = 0;
      for (std::uint32_t i = g; i < end && i < g + (1u << rows.crowded_shift); ++i)
        of_group += rows.count[i];
      if (FindCrowded::isCrowded(of_group, rows.crowded_shift))
        rows.crowded[atomicAdd(rows.crowded_groups, 1u)] = g >> rows.crowded_shift;
    }
  }
};

template <class Search, class Real>
struct FillLongRows
{
  static constexpr unsigned kThreads = 128;
  // Most entries of a row in shared memory; a longer row is written by one thread.
  static constexpr unsigned kMost = 4096;
  struct Shared
  {
    std::uint32_t count, wide;
    std::uint32_t particle[kMost], key[kMost];
  };

  Search search;
  NewRows rows;
  OldRows<Real> old;
  const std::uint32_t* first;
  std::uint32_t n;

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    const std::uint32_t i = *first / 32 * 32 + block;
    if (i >= n || rows.first + *rows.taken > rows.room)
      return;
    const std::uint32_t count = rows.count[i], start = rows.row_start[i];
    if (count == 0)
      return;
    const std::int64_t near_id = rows.id[i] - (std::int64_t(1) << 31);
    const BodyIds::Range own = rows.own.of(rows.id[i]);
    std::uint32_t old_start = 0, old_count = 0;
    if (old.index)
    {
      const std::uint32_t o = old.index[i];
      old_start = old.list.start(o);
      old_count = old.list.count[o];
    }
    if (threadIdx.x == 0)
      shared.count = shared.wide = 0;
    __syncthreads();
    if (count <= kMost)
      search.candidatesOfLane(i, threadIdx.x, kThreads, [&](std::uint32_t j) {
        if (own.has(rows.id[j]))
          return;
        const std::uint32_t at = atomicAdd(&shared.count, 1u);
        const std::int64_t key = rows.id[j] - near_id;
        if (key >> 32)
          shared.wide = 1;
        shared.particle[at] = j;
        shared.key[at] = static_cast<std::uint32_t>(key);
      });
    __syncthreads();
    if (count > kMost || shared.wide)
    {
      if (threadIdx.x == 0)
      {
        fillRow(search, i, rows.entries + start, rows.id, rows.own.of(rows.id[i]));
        for (std::uint32_t k = 0; k < count; ++k)
          old.inherit(
            start + k, i, rows.entries[start + k] & ListView::kIndex, k, old_start, old_count);
      }
      return;
    }
    for (std::uint32_t e = threadIdx.x; e < count; e += kThreads)
    {
      const std::uint32_t j = shared.particle[e], key = shared.key[e];
      std::uint32_t place = 0;
      for (std::uint32_t s = 0; s < count; ++s)
        place += shared.key[s] < key ? 1 : 0;
      rows.entries[start + place] = j | (key < 0x80000000u ? ListView::kLowerId : 0u);
      old.inherit(start + place, i, j, place, old_start, old_count);
    }
  }
};

} // namespace dem
