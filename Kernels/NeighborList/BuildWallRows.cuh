// Wall candidates on CUDA, in one launch: most particles are far from all walls, which a warp finds out for 32 of them at once. Only nvcc
// reads this file.
#pragma once

#include "Core/SortRow.cuh"
#include "Core/Warp.cuh"
#include "NeighborList/BuildList.cuh"

#include <cstdint>
#include <cstring>

namespace dem
{

/// Where the rows go, those of 32 particles in any order. What does not fit is counted but not written.
struct NewWallRows
{
  std::uint32_t *entries, *start, *particle; // as in WallListView
  std::uint32_t* row_of;                     // of each particle
  unsigned long long* taken;                 // rows in the upper word, entries in the lower; 0 before
  std::uint32_t room, entry_room;
};

template <class Search, class Real>
struct BuildWallRows
{
  static constexpr unsigned kThreads = 128;
  static constexpr int kResidentBlocks = 6;
  static constexpr unsigned kKept = 4; // candidates of a particle that need not be searched for again
  struct Shared
  {
    std::uint32_t kept[kKept][kThreads];
  };

  Search search;
  NewWallRows rows;
  WallListView old_list;
  const std::uint32_t* old_row_of; // of the old index; null: nothing is kept
  const std::uint32_t* old_index;
  SlotCopier<Real> copy;
  std::uint32_t n;

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    const unsigned lane = threadIdx.x % 32;
    const std::uint32_t i = block * kThreads + threadIdx.x;
    if (i - lane >= n)
      return; // with its whole warp
    std::uint32_t count = 0;
    const unsigned near = nearWalls(i, lane);
    if (near && i < n)
      search.candidatesAmong(near, i, [&](std::uint32_t e) {
        if (count < kKept)
          shared.kept[count][threadIdx.x] = e;
        ++count;
      });
    unsigned long long before = count ? 1ull << 32 | count : 0, own = before;
    for (unsigned step = 1; step < 32; step *= 2)
    {
      const unsigned long long other = __shfl_up_sync(kWhole, before, step);
      before += lane >= step ? other : 0;
    }
    unsigned long long base = 0;
    if (lane == 31 && before)
      base = atomicAdd(rows.taken, before);
    base = __shfl_sync(kWhole, base, 31);
    const unsigned long long end = base + before, begin = end - own;
    const auto row = static_cast<std::uint32_t>(begin >> 32), first = static_cast<std::uint32_t>(begin);
    if (i < n)
      rows.row_of[i] = count ? row : kNoRow;
    if (!count || row >= rows.room || first + count > rows.entry_room)
      return;
    rows.particle[row] = i;
    rows.start[row] = first;
    rows.start[row + 1] = static_cast<std::uint32_t>(end); // the next row says so too
    fill(i, first, count, near, shared);
  }

private:
  static constexpr unsigned kWhole = 0xffffffffu;

  // Among which walls, by WallSearch::candidatesAmong, the warp's particles may have candidates: each lane asks some about a sphere around
  // all.
  __device__ unsigned nearWalls(std::uint32_t i, unsigned lane) const
  {
    const Vec4<double> p = search.position[i < n ? i : n - 1];
    const Vec3d first{ __shfl_sync(kWhole, p.x, 0), __shfl_sync(kWhole, p.y, 0), __shfl_sync(kWhole, p.z, 0) };
    const Vec3<float> d = (p.xyz() - first).template as<float>();
    Vec3<float> sum = d;
    for (int step = 16; step > 0; step /= 2)
    {
      sum.x += __shfl_xor_sync(kWhole, sum.x, step);
      sum.y += __shfl_xor_sync(kWhole, sum.y, step);
      sum.z += __shfl_xor_sync(kWhole, sum.z, step);
    }
    const Vec3<float> mean = (1.0f / 32) * sum;
    const float far = (length(d - mean) + static_cast<float>(p.w + search.skin)) * (1 + 1e-5f); // above zero: its bits ascend as it does
    unsigned bits;
    static_assert(sizeof bits == sizeof far, "");
    memcpy(&bits, &far, sizeof bits);
    bits = maxOfWarp(bits);
    float reach;
    memcpy(&reach, &bits, sizeof reach);
    const Vec3d middle = first + mean.template as<double>();
    if (__any_sync(kWhole, !(reach < 1e30f) || search.atPeriodicBorder(p.xyz())))
      return kWhole;
    bool near = false;
    for (std::uint32_t w = lane; w < search.wall_count; w += 32)
      near = near || search.mayMeet(w, middle, reach);
    return __ballot_sync(kWhole, near);
  }

  __device__ void fill(std::uint32_t i, std::uint32_t first, std::uint32_t count, unsigned near, const Shared& shared) const
  {
    std::uint32_t* entries = rows.entries + first;
    std::uint32_t c = 0;
    if (count <= kKept)
      for (; c < count; ++c)
        entries[c] = shared.kept[c][threadIdx.x];
    else
      search.candidatesAmong(near, i, [&](std::uint32_t e) { entries[c++] = e; });
    sortRow(entries, count, [](std::uint32_t e) { return e; });
    const std::uint32_t old_row = old_row_of ? old_row_of[old_index[i]] : kNoRow;
    std::uint32_t t = old_row == kNoRow ? 0 : old_list.start[old_row];
    const std::uint32_t old_end = old_row == kNoRow ? 0 : old_list.start[old_row + 1];
    for (std::uint32_t s = 0; s < count; ++s)
    {
      while (t < old_end && old_list.entries[t] < entries[s])
        ++t;
      if (t < old_end && old_list.entries[t] == entries[s] && copy.old_flags[t])
        copy(first + s, t);
      else
      {
        copy.flags[first + s] = 0;
        copy.history.clear(copy.columns, first + s);
      }
    }
  }
};

} // namespace dem
