// Builds the rows of wall candidates on CUDA in one launch. Most particles are far from all walls:
// a warp tests its 32 (or 128) particles against each wall with one bounding sphere.
#pragma once

#include "Core/SortRow.cuh"
#include "Core/Warp.cuh"
#include "NeighborList/BuildList.cuh"

#include <cstdint>
#include <cstring>

namespace dem
{

/// Destination of the rows. Groups of 32 particles are written in any order. Rows beyond the room
/// are counted but not written.
struct NewWallRows
{
  std::uint32_t *entries, *start, *particle; // as in WallListView
  std::uint32_t* row_of;                     // row of each particle, or kNoRow
  unsigned long long* taken;                 // rows << 32 | entries, initially 0
  std::uint32_t room, entry_room;
};

/// Kernel functor: one warp for 32 particles, or for 128 if there are at least kMany. Takes over
/// flags and history from the old list.
template <class Search, class Real>
struct BuildWallRows
{
  static constexpr unsigned kThreads = 128;
  static constexpr int kResidentBlocks = 8;
  // Six blocks on each multiprocessor of an H200; warps loop over the remaining particles.
  static constexpr std::size_t kMostBlocks = 792;
  // from this number on a warp tests 128 particles at once
  static constexpr std::uint32_t kMany = 400000;
  static constexpr unsigned kGroups = 4;
  // Most candidates stored for a particle; a longer row is searched again.
  static constexpr unsigned kKept = 4;
  struct Shared
  {
    std::uint32_t kept[kKept][kThreads];
  };

  Search search;
  NewWallRows rows;
  WallListView old_list;
  const std::uint32_t* old_row_of; // row of each particle in the old list; null: no history
  const std::uint32_t* old_index;
  SlotCopier<Real> copy;
  std::uint32_t n;
  GhostBits ghosts;

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    const unsigned lane = threadIdx.x % 32;
    const std::uint32_t warp = (block * kThreads + threadIdx.x) / 32,
                        warps = gridDim.x * (kThreads / 32);
    if (n < kMany)
    {
      for (std::uint32_t first = 32 * warp; first < n; first += 32 * warps)
        makeRows(first + lane, lane, shared);
      return;
    }
    for (std::uint32_t first = 32 * kGroups * warp; first < n; first += 32 * kGroups * warps)
    {
      const bool near = nearWalls<kGroups>(first + lane, lane) != 0;
      for (std::uint32_t i = first + lane; i - lane < n && i < first + 32 * kGroups; i += 32)
        if (near)
          makeRows(i, lane, shared);
        else if (i < n)
          rows.row_of[i] = kNoRow;
    }
  }

private:
  static constexpr unsigned kWhole = 0xffffffffu;

  // Makes the rows of 32 particles; all lanes of the warp must call it.
  __device__ void makeRows(std::uint32_t i, unsigned lane, Shared& shared) const
  {
    const unsigned near = nearWalls<1>(i, lane);
    std::uint32_t count = 0;
    if (near && i < n && !ghosts.has(i))
      search.candidatesAmong(near, i, [&](std::uint32_t e) {
        if (count < kKept)
          shared.kept[count][threadIdx.x] = e;
        ++count;
      });
    if (!__any_sync(kWhole, count > 0))
    {
      if (i < n)
        rows.row_of[i] = kNoRow;
      return;
    }
    const unsigned long long own = count ? 1ull << 32 | count : 0, before = sumUpToLane(own);
    unsigned long long base = 0;
    if (lane == 31)
      base = atomicAdd(rows.taken, before);
    base = __shfl_sync(kWhole, base, 31);
    const unsigned long long end = base + before, begin = end - own;
    const auto row = static_cast<std::uint32_t>(begin >> 32),
               first = static_cast<std::uint32_t>(begin);
    if (i < n)
      rows.row_of[i] = count ? row : kNoRow;
    if (!count || row >= rows.room || first + count > rows.entry_room)
      return;
    rows.particle[row] = i;
    rows.start[row] = first;
    // equals the start that the next row writes
    rows.start[row + 1] = static_cast<std::uint32_t>(end);
    fill(i, first, count, near, shared);
  }

  // Bit mask of walls that may have candidates among the particles i, i + 32, ... of all lanes, as
  // WallSearch::candidatesAmong takes it. Lane l tests the walls l, l + 32, ... against a sphere
  // around all particles. All bits are set if a particle is near a periodic border.
  template <unsigned kEach>
  __device__ unsigned nearWalls(std::uint32_t i, unsigned lane) const
  {
    Vec4<double> p[kEach];
    for (unsigned k = 0; k < kEach; ++k)
      p[k] = search.position[i + 32 * k < n ? i + 32 * k : n - 1];
    const Vec3d first{ __shfl_sync(kWhole, p[0].x, 0), __shfl_sync(kWhole, p[0].y, 0),
      __shfl_sync(kWhole, p[0].z, 0) };
    Vec3<float> sum{};
    for (unsigned k = 0; k < kEach; ++k)
      sum = sum + (p[k].xyz() - first).template as<float>();
    for (int step = 16; step > 0; step /= 2)
    {
      sum.x += __shfl_xor_sync(kWhole, sum.x, step);
      sum.y += __shfl_xor_sync(kWhole, sum.y, step);
      sum.z += __shfl_xor_sync(kWhole, sum.z, step);
    }
    const Vec3<float> mean = (1.0f / (32 * kEach)) * sum;
    unsigned bits = 0; // of distances; non-negative floats ascend as their bits
    bool at_border = false;
    for (unsigned k = 0; k < kEach; ++k)
    {
      const Vec3<float> d = (p[k].xyz() - first).template as<float>();
      const float far = (length(d - mean) + static_cast<float>(p[k].w + search.skin)) * (1 + 1e-5f);
      unsigned own;
      static_assert(sizeof own == sizeof far, "");
      memcpy(&own, &far, sizeof own);
      bits = own > bits ? own : bits;
      at_border = at_border || search.atPeriodicBorder(p[k].xyz());
    }
    bits = maxOfWarp(bits);
    float reach;
    memcpy(&reach, &bits, sizeof reach);
    const Vec3d middle = first + mean.template as<double>();
    if (__any_sync(kWhole, !(reach < 1e30f) || at_border))
      return kWhole;
    bool near = false;
    for (std::uint32_t w = lane; w < search.wall_count; w += 32)
      near = near || search.mayMeet(w, middle, reach);
    return __ballot_sync(kWhole, near);
  }

  __device__ void fill(std::uint32_t i, std::uint32_t first, std::uint32_t count, unsigned near,
    const Shared& shared) const
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
