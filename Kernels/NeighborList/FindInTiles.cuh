// Finds the candidates of a block's particles on CUDA, for particle data ordered in tiles of cells.
#pragma once

#include "BroadPhase/HierarchicalGrid.cuh"
#include "Core/DeviceHints.cuh"
#include "Core/Warp.cuh"
#include "NeighborList/BuildList.cuh"
#include "NeighborList/RowMemory.cuh"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace dem
{

/// The search of BuildRows. A block copies all particles within reach of its own ones to shared
/// memory. Positions there are relative to the centre of a tile column, in units of the longest
/// reach, in single precision. Pairs whose distance is within rounding error of their reach are
/// tested again in double.
template <class Search, class Real>
struct FindInTiles : RowMemory
{
  // Several grids; only the particles of the finest one are ordered in tiles.
  static constexpr bool kLevels = std::is_same_v<Search, HierarchicalSearch>;
  static constexpr bool kTiles = kLevels || std::is_same_v<Search, GridSearch>;

  Search search;
  NewRows rows;
  OldRows<Real> old;
  std::uint32_t n;
  // 1/m, inverse of the longest reach; 0 if tiles are not used.
  float unit;
  // Bound of a coordinate, and error bound of a squared distance, in units of the longest reach.
  float bound, band;

  static constexpr unsigned kWhole = 0xffffffffu;
  static constexpr std::uint32_t kNone = 0xffffffffu;

  // State of a thread and its row.
  struct ThreadRow
  {
    bool there, alone; // alone: writeAlone() writes the row
    std::uint32_t count, key;
    // Ids are compared as 32-bit keys, their difference to near_id, if all fit
    std::int64_t near_id;
    std::uint32_t was, old_start, old_count; // index and row in the old list
    // Keys of the parts of its own body, which are below 2^31 (see BodyIds).
    std::uint32_t own_first, own_count;

    __device__ bool isOwn(std::uint32_t key) const
    {
      return own_count && key - own_first < own_count;
    }
  };

  // The error of |d|^2 - reach^2 is below 2^-18 reach * (bound of a coordinate), because the error
  // of a coordinate is below 2^-24 bound. Holds for bounds below 2^20 reach.
  void measureTiles()
  {
    if constexpr (kTiles)
    {
      const Grid& grid = tiles();
      double reach = search.near.skin;
      if constexpr (kLevels)
        reach += 2 * search.lowest.radius_max;
      else
        reach += 2 * search.radius_max;
      double cell = reach;
      for (int k = 0; k < 3; ++k)
      {
        if (grid.inverse_cell[k] > 0)
          cell = std::max(cell, 1 / grid.inverse_cell[k]);
        if (k < 2 && grid.periodic[k] && grid.size[k] < static_cast<int>(kWidth) + 1)
          return;
      }
      if (grid.tile != 2 || search.cells.item || !(reach > 0) || !(cell < 1e4 * reach))
        return;
      unit = static_cast<float>(1 / reach);
      bound = static_cast<float>((kLayers / 2 + 2) * cell / reach);
      band = bound / (1 << 18);
    }
  }

  __device__ ThreadRow begin(unsigned block, std::uint32_t last) const
  {
    const std::uint32_t i = block * kThreads + threadIdx.x;
    ThreadRow mine{};
    mine.there = i < last;
    mine.near_id = rows.id[block * kThreads] - (std::int64_t(1) << 31);
    mine.was = mine.there && old.index ? old.index[i] : kNone;
    const BodyIds::Range own = rows.own.of(rows.id[mine.there ? i : block * kThreads]);
    mine.own_first = static_cast<std::uint32_t>(own.first - mine.near_id);
    mine.own_count = static_cast<std::uint32_t>(own.count);
    return mine;
  }

  // Separate from begin() so that searches need not wait for these reads.
  __device__ void readOld(ThreadRow& mine) const
  {
    if (mine.was == kNone)
      return;
    mine.old_start = old.list.start(mine.was);
    mine.old_count = old.list.count[mine.was];
  }

  __device__ std::uint32_t keyOf(std::int64_t id, const ThreadRow& mine, bool& narrow) const
  {
    const std::int64_t key = id - mine.near_id;
    narrow = narrow && (key >> 32) == 0;
    return static_cast<std::uint32_t>(key);
  }

  __host__ __device__ const Grid& tiles() const
  {
    if constexpr (kLevels)
      return search.lowest.grid;
    else
      return search.grid;
  }

  // Finds the candidates of all particles of a block. Returns false for the whole block if its
  // surroundings do not fit into shared memory; no row is written then.
  __device__ bool findByTiles(unsigned block, ThreadRow& mine, Shared& all) const
  {
    Staged& shared = all.staged;
    const Grid& grid = tiles();
    const std::uint32_t t = threadIdx.x, i = block * kThreads + t;
    if constexpr (kLevels)
      if (search.count > 1 &&
        (n < (block + 1) * kThreads ? n : (block + 1) * kThreads) >
          search.cells.cell_start[search.levels[1].first_key])
        return false;
    const Vec4<double> p = search.cells.position[mine.there ? i : block * kThreads];
    const int x = grid.cellOf(p.x, 0), y = grid.cellOf(p.y, 1), z = grid.cellOf(p.z, 2);
    const std::uint32_t column =
      mine.there ? static_cast<std::uint32_t>(y >> 2) * grid.tiles(0) + (x >> 2) : ~0u;
    shared.column[t] = column;
    __syncthreads();
    const bool head = mine.there && (t == 0 || shared.column[t - 1] != column);
    const bool tail = mine.there && (t + 1 == kThreads || shared.column[t + 1] != column);
    const unsigned heads = __ballot_sync(kWhole, head);
    if (t % 32 == 0)
      all.of_warp[t / 32] = __popc(heads);
    __syncthreads();
    unsigned segment = __popc(heads & (kWhole >> (31 - t % 32))) - 1, segments = 0;
    for (unsigned w = 0; w < kWarps; ++w)
    {
      segment += w < t / 32 ? all.of_warp[w] : 0;
      segments += all.of_warp[w];
    }
    if (segments > kSegments)
      return false;
    if (head)
    {
      shared.tile_x[segment] = x >> 2 << 2;
      shared.tile_y[segment] = y >> 2 << 2;
      shared.z[segment] = z;
    }
    if (tail)
      shared.end_z[segment] = z + 1;
    __syncthreads();
    unsigned first_layer[kSegments + 1] = {};
#if defined(__CUDACC__)
#pragma unroll
#endif
    for (unsigned s = 0; s < kSegments; ++s)
    {
      const int layers = s < segments ? shared.end_z[s] - shared.z[s] + 2 : 0;
      if (grid.periodic[2] && layers >= grid.size[2])
        return false;
      first_layer[s + 1] = first_layer[s] + layers;
    }
    if (first_layer[kSegments] > kLayers)
      return false;
    if (head)
    {
      shared.middle[segment][0] = middle(p.x, 0, shared.tile_x[segment] + 2);
      shared.middle[segment][1] = middle(p.y, 1, shared.tile_y[segment] + 2);
      shared.middle[segment][2] = middle(p.z, 2, 0.5 * (z + shared.end_z[segment]));
    }
    const unsigned cells = first_layer[kSegments] * kLayer;
    if (!placeCells(shared, all, first_layer, cells))
      return false;
    readOld(mine);
    if (!copyParticles(shared, first_layer, mine))
      return false;
    mine.count = 0;
    if (mine.old_count)
    {
      if (old.list.groups.counts)
      {
        expectRead(old.list.groups.code(mine.was, 0));
        old.expect(Groups::firstOf(mine.was) + t % 32 * ((Groups::kContacts + 31) / 32));
      }
      else
        old.expect(mine.old_start);
    }
    unsigned layer = 0;
#if defined(__CUDACC__)
#pragma unroll
#endif
    // a loop of constant bounds keeps first_layer in registers
    for (unsigned s = 0; s < kSegments; ++s)
      layer = s == segment ? first_layer[s] : layer;
    return __syncthreads_and(
      !mine.there || meetStaged(i, x & 3, y & 3, layer + (z - shared.z[segment]), mine, shared));
  }

  // Returns whether the cell exists. Maps cells beyond the ends of a periodic axis to their images.
  __device__ bool cellThere(int& at, int axis) const
  {
    const Grid& grid = tiles();
    bool there = true;
    if (grid.periodic[axis])
    {
      there = at <= grid.size[axis];
      at = grid.wrap(at, axis);
    }
    return there && at >= 0 && at < grid.size[axis];
  }

  __device__ double middle(double own, int axis, double cell) const
  {
    const double inverse = tiles().inverse_cell[axis];
    return inverse > 0 ? tiles().lower[axis] + cell / inverse : own;
  }

  // Lists the particles of all cells of the block. Returns false if there are more than kStaged.
  __device__ bool placeCells(
    Staged& shared, Shared& all, const unsigned (&first_layer)[kSegments + 1], unsigned cells) const
  {
    constexpr unsigned kLayersAtOnce = kThreads / kLayer;
    const Grid& grid = tiles();
    const unsigned t = threadIdx.x, in_layer = t % kLayer;
#if defined(__CUDACC__)
#pragma unroll // keeps first_layer in registers
#endif
    for (unsigned s = 0; s < kSegments; ++s)
    {
      if (first_layer[s] == first_layer[kSegments] || t >= kLayersAtOnce * kLayer)
        continue;
      int x = shared.tile_x[s] + static_cast<int>(in_layer % kWidth) - 1,
          y = shared.tile_y[s] + static_cast<int>(in_layer / kWidth) - 1;
      const bool inside = cellThere(x, 0) && cellThere(y, 1);
      const std::uint32_t* const column =
        search.cells.cell_start + (inside ? grid.key(x, y, 0) : 0);
      for (unsigned layer = first_layer[s] + t / kLayer; layer < first_layer[s + 1];
           layer += kLayersAtOnce)
      {
        int z = shared.z[s] + static_cast<int>(layer - first_layer[s]) - 1;
        std::uint32_t begin = 0, count = 0;
        if (inside && cellThere(z, 2))
        {
          const std::uint32_t* start = column + z * grid.layer();
          begin = start[0];
          count = start[1] - begin;
        }
        const unsigned c = layer * kLayer + in_layer;
        shared.begin[c] = begin;
        shared.first[c] = static_cast<std::uint16_t>(count < kStaged ? count : kStaged + 1);
      }
    }
    __syncthreads();
    const unsigned each = (cells + kThreads - 1) / kThreads, from = t * each;
    unsigned sum = 0;
    for (unsigned c = from; c < from + each && c < cells; ++c)
      sum += shared.first[c];
    unsigned before = sumUpToLane(sum);
    if (t % 32 == 31)
      all.of_warp[t / 32] = before;
    __syncthreads();
    before -= sum;
    unsigned total = 0;
    for (unsigned w = 0; w < kWarps; ++w)
    {
      before += w < t / 32 ? all.of_warp[w] : 0;
      total += all.of_warp[w];
    }
    if (total > kStaged)
      return false;
    for (unsigned c = from; c < from + each && c < cells; ++c)
    {
      const unsigned count = shared.first[c];
      shared.first[c] = static_cast<std::uint16_t>(before);
      for (unsigned k = 0; k < count; ++k)
        shared.particle[before + k] = shared.begin[c] + k;
      before += count;
    }
    if (t == 0)
      shared.first[cells] = static_cast<std::uint16_t>(total);
    __syncthreads();
    return true;
  }

  // Copies positions, keys and old indices to shared memory. Returns false if a position is out of
  // bounds or an Id does not fit into a key.
  __device__ bool copyParticles(
    Staged& shared, const unsigned (&first_layer)[kSegments + 1], const ThreadRow& mine) const
  {
    unsigned first[kSegments];
    for (unsigned s = 0; s < kSegments; ++s)
      first[s] = shared.first[first_layer[s] * kLayer];
    const unsigned total = shared.first[first_layer[kSegments] * kLayer];
    const bool periodic = search.near.box.any();
    bool fine = true;
    if (threadIdx.x == 0)
      shared.total = total;
    for (unsigned k = threadIdx.x; k < total; k += kThreads)
    {
      unsigned s = 0;
      for (unsigned other = 1; other < kSegments; ++other)
        s += k >= first[other] ? 1 : 0;
      const std::uint32_t j = shared.particle[k];
      const Vec4<double> q = search.cells.position[j];
      Vec3d d{ q.x - shared.middle[s][0], q.y - shared.middle[s][1], q.z - shared.middle[s][2] };
      if (periodic)
        d = search.near.box.image(d);
      const float4 place{ static_cast<float>(d.x * unit), static_cast<float>(d.y * unit),
        static_cast<float>(d.z * unit), static_cast<float>(q.w * unit) };
      fine = fine && fabsf(place.x) <= bound && fabsf(place.y) <= bound && fabsf(place.z) <= bound;
      shared.place[k] = place;
      shared.key[k] = keyOf(rows.id[j], mine, fine);
      shared.was[k] = old.index ? old.index[j] : 0;
    }
    return __syncthreads_and(fine);
  }

  // Finds the candidates of particle i among the staged particles. (x, y, layer) is its cell minus
  // one in each direction. Returns false if a pair needs the test in double and more candidates
  // were found than stored.
  __device__ bool meetStaged(
    std::uint32_t i, unsigned x, unsigned y, unsigned layer, ThreadRow& mine, Staged& shared) const
  {
    const unsigned t = threadIdx.x,
                   own = shared.first[((layer + 1) * kWidth + y + 1) * kWidth + x + 1];
    const unsigned self = own + (i - shared.particle[own]),
                   cell = (layer * kWidth + y) * kWidth + x;
    mine.key = shared.key[self];
    float closest = 1; // to its reach
    unsigned count = rows.own.body ? setDown<true>(cell, self, mine, closest, shared)
                                   : setDown<false>(cell, self, mine, closest, shared);
    if (closest < band) // tested again in double
    {
      if (count > kHits)
        return false;
      const Vec4<double> own_place = search.cells.position[i];
      unsigned near = 0;
      for (unsigned c = 0; c < count; ++c)
      {
        const std::uint16_t k = shared.hit[c][t];
        if (search.near(own_place, search.cells.position[shared.particle[k]]))
          shared.hit[near++][t] = k;
      }
      count = near;
    }
    bool kept = true;
    if constexpr (kLevels)
      if (search.count > 1)
        search.candidatesAbove(i, [&](std::uint32_t j) {
          bool narrow = true;
          if (mine.own_count && mine.isOwn(keyOf(rows.id[j], mine, narrow)))
            return;
          const unsigned at = atomicAdd(&shared.total, 1u);
          kept = kept && at < kStaged;
          if (kept && count < kHits)
          {
            shared.particle[at] = j;
            shared.key[at] = keyOf(rows.id[j], mine, kept);
            shared.was[at] = old.index ? old.index[j] : 0;
            shared.hit[count][t] = static_cast<std::uint16_t>(at);
          }
          ++count;
        });
    mine.count = count;
    mine.alone = count > kHits || !kept;
    return true;
  }

  // Returns the number of candidates in the 3 x 3 x 3 cells from `first_cell` on. `closest` is set
  // to the smallest distance of a pair to its reach. Every particle is written to the next free
  // place and the place is advanced for candidates only, which avoids divergent branches.
  template <bool kOwnParts>
  __device__ unsigned setDown(
    unsigned first_cell, unsigned self, const ThreadRow& mine, float& closest, Staged& shared) const
  {
    const float4 p = shared.place[self];
    const float reach = p.w + static_cast<float>(search.near.skin * unit);
    const unsigned last_hit = kHits * kThreads + threadIdx.x;
    unsigned next = threadIdx.x; // position in `hit`
#if defined(__CUDACC__)
#pragma unroll
#endif
    for (unsigned z = 0; z < 3; ++z)
#if defined(__CUDACC__)
#pragma unroll
#endif
      for (unsigned y = 0; y < 3; ++y)
      {
        const unsigned row = first_cell + z * kLayer + y * kWidth, last = shared.first[row + 3];
#if defined(__CUDACC__)
#pragma unroll 1
#endif
        for (unsigned k = shared.first[row]; k < last; ++k)
        {
          const float4 q = shared.place[k];
          const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z, r = q.w + reach;
          const float beyond = fmaf(-r, r, fmaf(dx, dx, fmaf(dy, dy, dz * dz)));
          closest = fminf(closest, fabsf(beyond));
          shared.hit[0][next < last_hit ? next : last_hit] = static_cast<std::uint16_t>(k);
          if (beyond < band && !(z == 1 && y == 1 && k == self) &&
            !(kOwnParts && mine.isOwn(shared.key[k])))
            next += kThreads;
        }
      }
    return next / kThreads;
  }
};

} // namespace dem
