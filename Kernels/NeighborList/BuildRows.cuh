// Builds the rows of a neighbour list on CUDA in one launch. Warps find the candidates of their
// particles, sort them by Id and copy the history of contacts that persist. Used by
// CandidateSearch::queueRows.
#pragma once

#include "Core/Warp.cuh"
#include "NeighborList/BuildList.cuh"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace dem
{

/// Kernel functor: one thread a particle, one warp for 32 consecutive rows. The rows of a warp are
/// contiguous; warps reserve space by an atomic counter, so their order in memory varies.
///
/// If particle data are ordered in tiles of cells, a block first copies all particles within reach
/// to shared memory. Positions there are relative to the centre of a tile column, in units of the
/// longest reach, in single precision. Pairs whose distance is within rounding error of their reach
/// are tested again in double. So the rows do not depend on the path taken.
///
/// The kernel is bound by instructions and leaves half of the memory bandwidth idle. `also` uses
/// it: also(i) is called once for each i < also.n.
template <class Search, class Real, class Also>
struct BuildRows
{
  static constexpr unsigned kThreads = 128;
  static constexpr int kResidentBlocks = 8;
  // Several grids; only the particles of the finest one are ordered in tiles.
  static constexpr bool kLevels = std::is_same_v<Search, HierarchicalSearch>;
  static constexpr bool kTiles = kLevels || std::is_same_v<Search, GridSearch>;
  static constexpr unsigned kWarps = kThreads / 32;
  // most tile columns that the particles of a block may span
  static constexpr unsigned kSegments = 4;
  // most cell layers in these columns, including neighbouring ones
  static constexpr unsigned kLayers = 24;
  static constexpr unsigned kWidth = 6; // cells across a tile, including neighbouring ones
  static constexpr unsigned kLayer = kWidth * kWidth;
  static constexpr unsigned kStaged = 672; // most particles in shared memory
  // Most candidates stored for a particle. If there are more, its row is found by a second search.
  static constexpr unsigned kHits = 24;
  // groups of 32 entries whose history is read at the same time
  static constexpr unsigned kAtOnce = 2;
  // Keys of a warp's rows; they reuse the memory of the positions.
  static constexpr unsigned kPool = kStaged * 4 / kWarps;
  using Groups = GroupedContacts;

  // A row as the other lanes of its warp read it.
  struct alignas(16) Row
  {
    // Entries in earlier rows of the warp; own Id as a key; start of the particle's row in the old
    // list.
    std::uint32_t before, key, old_start;
    // Length of the old row << 8 | length of the new row; the latter is 0 if writeAlone() writes
    // it.
    std::uint32_t counts;
  };
  // Contacts of a row as the other lanes read them, if contacts are grouped. Stored behind the
  // keys.
  struct alignas(16) Contacts
  {
    // bit l: the pair with lane l is evaluated by this row
    unsigned within;
    // bit k: candidate k belongs to another warp
    std::uint16_t others;
    // contacts evaluated by earlier rows of the warp
    std::uint8_t before_within, before_others;
    // index of the particle in the old list
    std::uint32_t was;
    // its old contacts were grouped
    bool old_group;
    std::uint64_t old_codes[Groups::kRow / 8];
  };
  static_assert(
    Groups::kRow <= 16 && Groups::kContacts < 256 && kHits <= 32, "as small as these are");
  static_assert(Groups::kRow + Groups::kRow / 2 <= kHits, "see code()");
  static constexpr unsigned kPoolWithContacts = kPool - 32 * sizeof(Contacts) / 4;
  struct Staged
  {
    float4 place[kStaged]; // w: radius
    std::uint32_t particle[kStaged], key[kStaged],
      was[kStaged]; // its number, Id, number in the list before
    union
    {
      // first particle of each cell, used while particles are copied
      std::uint32_t begin[kLayers * kLayer];
      // indices of candidates; the last row takes discarded ones
      std::uint16_t hit[kHits + 1][kThreads];
    };
    union
    {
      struct
      {
        std::uint16_t first[kLayers * kLayer + 1]; // first position of each cell
        std::uint32_t column[kThreads];
      };
      Row row[kThreads]; // used once all candidates are found
    };
    int tile_x[kSegments], tile_y[kSegments], z[kSegments], end_z[kSegments];
    double middle[kSegments][3];
    std::uint32_t total; // particles in shared memory
  };
  // most candidates stored for a particle if tiles are not used
  static constexpr unsigned kFound = 24;
  struct Found
  {
    std::uint32_t particle[kFound][kThreads], key[kFound][kThreads];
  };
  static_assert(sizeof(Found) <= offsetof(Staged, row), "rows lie behind what was found");
  struct Shared
  {
    union
    {
      Staged staged;
      Found found;
    };
    std::uint32_t of_warp[kWarps];
    std::uint8_t lane[kWarps][32]; // lanes with rows that are not empty
  };

  Search search;
  NewRows rows;
  OldRows<Real> old;
  Also also;
  std::uint32_t n;
  // Device pointer to the number of particles to process, rounded down to whole warps; null: n.
  const std::uint32_t* end;
  // 1/m, inverse of the longest reach; 0 if tiles are not used.
  float unit;
  // Bound of a coordinate, and error bound of a squared distance, in units of the longest reach.
  float bound, band;

  static std::size_t blocks(std::uint32_t n) { return (n + kThreads - 1) / kThreads; }
  static BuildRows make(const Search& search, const NewRows& rows, const OldRows<Real>& old,
    const Also& also, std::uint32_t n, const std::uint32_t* end)
  {
    BuildRows build{ search, rows, old, also, n, end, 0, 0, 0 };
    if constexpr (kTiles)
      build.measureTiles();
    return build;
  }

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    const std::uint32_t t = threadIdx.x, i = block * kThreads + t;
    const std::uint32_t last = end ? *end / 32 * 32 : n;
    if (block * kThreads >= last)
      return;
    if (i < last && i < also.n)
      also(i);
    if constexpr (kTiles)
    {
      if (unit > 0)
      {
        Mine mine = begin(block, last);
        if (findByTiles(block, mine, shared))
          return list<true>(i, mine, shared);
      }
      listRarely(block, last, shared);
    }
    else
      listAlone(block, last, shared);
  }

private:
  static constexpr unsigned kWhole = 0xffffffffu;
  static constexpr std::uint32_t kNone = 0xffffffffu;

  // State of a thread and its row.
  struct Mine
  {
    bool there, alone; // alone: writeAlone() writes the row
    std::uint32_t count, key;
    // Ids are compared as 32-bit keys, their difference to near_id, if all fit
    std::int64_t near_id;
    std::uint32_t was, old_start, old_count; // index and row in the old list
    // Keys of the parts of its own body, which are below 2^31 (see OwnIds).
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

  __device__ Mine begin(unsigned block, std::uint32_t last) const
  {
    const std::uint32_t i = block * kThreads + threadIdx.x;
    Mine mine{};
    mine.there = i < last;
    mine.near_id = rows.id[block * kThreads] - (std::int64_t(1) << 31);
    mine.was = mine.there && old.index ? old.index[i] : kNone;
    const OwnIds::Range own = rows.own.of(rows.id[mine.there ? i : block * kThreads]);
    mine.own_first = static_cast<std::uint32_t>(own.first - mine.near_id);
    mine.own_count = static_cast<std::uint32_t>(own.count);
    return mine;
  }

  // Separate from begin() so that searches need not wait for these reads.
  __device__ void readOld(Mine& mine) const
  {
    if (mine.was == kNone)
      return;
    mine.old_start = old.list.start(mine.was);
    mine.old_count = old.list.count[mine.was];
  }

  __device__ std::uint32_t keyOf(std::int64_t id, const Mine& mine, bool& narrow) const
  {
    const std::int64_t key = id - mine.near_id;
    narrow = narrow && (key >> 32) == 0;
    return static_cast<std::uint32_t>(key);
  }

  // ---- with tiles  ----

  __host__ __device__ const Grid& tiles() const
  {
    if constexpr (kLevels)
      return search.lowest.grid;
    else
      return search.grid;
  }

  // Finds the candidates of all particles of a block. Returns false for the whole block if its
  // surroundings do not fit into shared memory; no row is written then.
  __device__ bool findByTiles(unsigned block, Mine& mine, Shared& all) const
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
    Staged& shared, const unsigned (&first_layer)[kSegments + 1], const Mine& mine) const
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
    std::uint32_t i, unsigned x, unsigned y, unsigned layer, Mine& mine, Staged& shared) const
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
    unsigned first_cell, unsigned self, const Mine& mine, float& closest, Staged& shared) const
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

  // ---- without tiles  ----

  // Not inlined, so that its registers do not add to those of the common path. The same holds for
  // writeAlone().
  __device__ DEM_NOINLINE void listRarely(unsigned block, std::uint32_t last, Shared& shared) const
  {
    listAlone(block, last, shared);
  }

  __device__ void listAlone(unsigned block, std::uint32_t last, Shared& shared) const
  {
    __syncthreads(); // other threads may still read the shared memory of findByTiles()
    const std::uint32_t i = block * kThreads + threadIdx.x;
    Mine mine = begin(block, last);
    findAlone(i, mine, shared);
    list<false>(i, mine, shared);
  }

  __device__ void findAlone(std::uint32_t i, Mine& mine, Shared& shared) const
  {
    unsigned count = 0;
    bool narrow = true;
    readOld(mine);
    if (mine.there)
    {
      mine.key = keyOf(rows.id[i], mine, narrow);
      search.candidates(i, [&](std::uint32_t j) {
        const std::uint32_t key = keyOf(rows.id[j], mine, narrow);
        if (mine.isOwn(key))
          return;
        if (count < kFound)
        {
          shared.found.particle[count][threadIdx.x] = j;
          shared.found.key[count][threadIdx.x] = key;
        }
        ++count;
      });
    }
    mine.count = count;
    mine.alone = count > kFound || !narrow;
  }

  // ---- writing rows  ----

  // Writes the 32 rows of a warp: entries, contact numbers and history.
  template <bool kByTiles>
  __device__ void list(std::uint32_t i, Mine& mine, Shared& all) const
  {
    const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
    const std::uint32_t count = mine.there ? mine.count : 0, group = i / Groups::kGroup;
    std::uint32_t before = sumUpToLane(count);
    const std::uint32_t total = __shfl_sync(kWhole, before, 31);
    before -= count;
    unsigned long long base = 0;
    if (lane == 0 && rows.groups.counts)
      atomicAdd(rows.candidates, static_cast<unsigned long long>(total));
    else if (lane == 0)
      base = atomicAdd(rows.taken, static_cast<unsigned long long>(total));
    if (rows.crowded)
    {
      std::uint32_t of_group = total;
      if (rows.crowded_shift < 5)
      {
        of_group = count;
        for (unsigned step = 1; step < 1u << rows.crowded_shift; step *= 2)
          of_group += __shfl_xor_sync(kWhole, of_group, step);
      }
      if (mine.there && !(i & ((1u << rows.crowded_shift) - 1)) &&
        FindCrowded::isCrowded(of_group, rows.crowded_shift))
        rows.crowded[atomicAdd(rows.crowded_groups, 1u)] = i >> rows.crowded_shift;
    }
    const unsigned filled = __ballot_sync(kWhole, count > 0);
    if (count)
      all.lane[warp][__popc(filled & ((1u << lane) - 1))] = static_cast<std::uint8_t>(lane);

    // keys by row; they reuse the memory of the positions
    std::uint32_t* pool = reinterpret_cast<std::uint32_t*>(all.staged.place) + warp * kPool;
    const bool groups = rows.groups.counts || old.list.groups.counts;
    Contacts contacts{};
    unsigned others = 0;
    if constexpr (kByTiles)
    {
      if (groups)
        recallContacts(mine, contacts);
      const std::uint32_t own_pool = poolOf(before, lane),
                          quads_end = own_pool + (count + 3) / 4 * 4;
      mine.alone = mine.alone || count > kHits || quads_end > (groups ? kPoolWithContacts : kPool);
      if (!mine.alone)
      {
        for (unsigned k = 0; k < count; ++k)
        {
          const std::uint16_t hit = all.staged.hit[k][t];
          const std::uint32_t key = all.staged.key[hit];
          pool[own_pool + k] = key;
          if (groups)
          {
            const std::uint32_t j = all.staged.particle[hit];
            const bool near = j / Groups::kGroup == group;
            contacts.within |= (near && key > mine.key ? 1u : 0u) << j % 32;
            others |= (near ? 0u : 1u) << k;
          }
        }
        for (unsigned k = own_pool + count; k < quads_end; ++k)
          pool[k] = ~0u; // sorts behind all keys
      }
    }
    Row* const row_of = all.staged.row + warp * 32;
    row_of[lane] = { before, mine.key, mine.old_start,
      mine.old_count << 8 | (mine.alone ? 0 : count) };
    Contacts* const contacts_of = reinterpret_cast<Contacts*>(pool + kPoolWithContacts);
    std::uint32_t within = 0; // contacts between particles of the warp
    bool grouped = false;
    if (groups)
    {
      if constexpr (kByTiles)
        grouped =
          groupContacts(count, mine, contacts, others, contacts_of, within) && rows.groups.counts;
      if (lane == 0 && mine.there && rows.groups.counts)
      {
        rows.groups.counts[group] = grouped ? within : Groups::kAsTheyAre;
        base = grouped ? Groups::firstOf(i)
                       : rows.first + atomicAdd(rows.taken, static_cast<unsigned long long>(total));
      }
      within >>= 16;
    }
    base = __shfl_sync(kWhole, base, 0);
    const auto start = static_cast<std::uint32_t>(base);
    if (mine.there)
    {
      rows.row_start[i] = start + before;
      rows.count[i] = count;
    }
    __syncwarp();
    if (!grouped && base + total > rows.room)
      return;

    std::uint32_t rows_before = 0;
    for (std::uint32_t e = 0; e < total; e += 32 * kAtOnce)
    {
      typename OldRows<Real>::Heir heirs[kAtOnce];
#if defined(__CUDACC__)
#pragma unroll
#endif
      for (unsigned r = 0; r < kAtOnce; ++r)
      {
        const std::uint32_t begin = e + 32 * r, entry = begin + lane;
        const unsigned heads =
          orOfWarp(count && before - begin < 32u ? 1u << (before - begin) : 0u);
        const unsigned row = rows_before + __popc(heads & (kWhole >> (31 - lane))) - 1;
        rows_before += __popc(heads);
        const bool there = entry < total;
        const unsigned owner = there ? all.lane[warp][row] : lane;
        const Row own = row_of[owner];
        const std::uint32_t first = own.before, size = own.counts & 0xffu;
        heirs[r] = { 0, owner, 0, 0, own.old_start, own.counts >> 8, 0, OldRows<Real>::kNoCode,
          there && size };
        if (!heirs[r].there)
          continue;
        const unsigned k = entry - first, column = warp * 32 + owner;
        std::uint32_t j, key, place = 0;
        if constexpr (kByTiles)
        {
          const std::uint32_t at = poolOf(first, owner), hit = all.staged.hit[k][column];
          j = all.staged.particle[hit];
          heirs[r].wanted = all.staged.was[hit];
          key = pool[at + k];
          for (unsigned s = 0; s < size; s += 4)
          {
            const uint4 keys = *reinterpret_cast<const uint4*>(pool + at + s);
            place += (keys.x < key ? 1 : 0) + (keys.y < key ? 1 : 0) + (keys.z < key ? 1 : 0) +
              (keys.w < key ? 1 : 0);
          }
        }
        else
        {
          j = all.found.particle[k][column];
          heirs[r].wanted = old.index ? old.index[j] : 0;
          key = all.found.key[k][column];
          for (unsigned s = 0; s < size; ++s)
            place += all.found.key[s][column] < key ? 1 : 0;
        }
        const std::uint32_t lower = key < own.key ? ListView::kLowerId : 0u;
        heirs[r].contact = start + first + place;
        heirs[r].k = place;
        if (kByTiles && grouped)
        {
          const bool near = j / Groups::kGroup == group, by_other = near && lower;
          const unsigned other = j % 32, evaluating = by_other ? other : owner;
          const Contacts& evaluated = contacts_of[evaluating];
          const std::uint32_t before_it = near
            ? evaluated.within & ((1u << (by_other ? owner : other)) - 1)
            : evaluated.others & ((1u << k) - 1);
          const std::uint32_t contact =
            (near ? evaluated.before_within : within + evaluated.before_others) + __popc(before_it);
          heirs[r].there = !by_other;
          code(all.staged, place, column) =
            static_cast<std::uint8_t>(contact + (by_other ? Groups::kContacts : 0));
          heirs[r].contact = start + contact;
        }
        if (kByTiles && groups)
        {
          const Contacts& of_owner = contacts_of[owner];
          heirs[r].was = of_owner.was;
          if (of_owner.old_group && heirs[r].count)
            heirs[r].code = reinterpret_cast<const std::uint8_t*>(
              of_owner.old_codes)[OldRows<Real>::samePlace(heirs[r])];
        }
        if (heirs[r].there)
          rows.entries[heirs[r].contact] = j | lower;
      }
      if (kByTiles || !old.list.groups.counts)
        old.inherit(heirs);
      else
        for (unsigned r = 0; r < kAtOnce; ++r)
        {
          heirs[r].was =
            old.index && heirs[r].there ? old.index[group * Groups::kGroup + heirs[r].i] : 0;
          old.inheritOne(heirs[r]);
        }
      __syncwarp();
    }
    const Row own = row_of[lane];
    if (kByTiles && grouped)
      writeCodes(i, own.counts & 0xffu, all.staged);
    if (mine.there && !(own.counts & 0xffu))
      writeAlone(i, start + own.before, rows.count[i], own.old_start, own.counts >> 8);
  }

  // The code of a slot in a grouped row. Codes are stored in the unused places of the hits.
  __device__ static std::uint8_t& code(Staged& shared, unsigned slot, unsigned column)
  {
    return reinterpret_cast<std::uint8_t*>(&shared.hit[Groups::kRow + slot / 2][column])[slot % 2];
  }
  __device__ void writeCodes(std::uint32_t i, unsigned count, const Staged& shared) const
  {
    for (unsigned eight = 0; eight < Groups::kRow / 8; ++eight)
    {
      if (count <= 8 * eight)
        return;
      std::uint64_t codes = 0;
      for (unsigned two = 0; two < 4; ++two)
        codes |= static_cast<std::uint64_t>(shared.hit[Groups::kRow + 4 * eight + two][threadIdx.x])
          << 16 * two;
      rows.groups.codes(i, eight) = codes;
    }
  }

  // Requests all that is needed of the old row at once.
  __device__ void recallContacts(const Mine& mine, Contacts& own) const
  {
    own.was = mine.was;
    if (mine.old_count && old.list.groups.counts)
    {
      own.old_group = old.list.groups.has(mine.was);
      own.old_codes[0] = old.list.groups.codes(mine.was, 0);
      if (mine.old_count > 8)
        own.old_codes[1] = old.list.groups.codes(mine.was, 1);
    }
  }

  // Numbers the contacts of a warp's rows. Returns false for the whole warp if there are too many.
  // `counts` has the format of GroupedContacts::counts.
  __device__ bool groupContacts(std::uint32_t count, const Mine& mine, Contacts& own,
    unsigned others, Contacts* contacts_of, std::uint32_t& counts) const
  {
    const unsigned lane = threadIdx.x % 32;
    const bool fits = !mine.there || (!mine.alone && count <= Groups::kRow);
    const std::uint32_t mine_here = __popc(own.within) | __popc(others) << 16;
    const std::uint32_t before = sumUpToLane(mine_here);
    own.others = static_cast<std::uint16_t>(others);
    own.before_within = static_cast<std::uint8_t>(before - mine_here);
    own.before_others = static_cast<std::uint8_t>((before - mine_here) >> 16);
    contacts_of[lane] = own;
    const std::uint32_t last = __shfl_sync(kWhole, before, 31), within = last & 0xffffu,
                        contacts = within + (last >> 16);
    counts = contacts | within << 16;
    return __all_sync(kWhole, fits) && within <= Groups::kWithin && contacts <= Groups::kContacts;
  }

  // First place of a row's keys, if `before` keys are stored before them. Rounds up to whole groups
  // of four.
  __device__ static std::uint32_t poolOf(std::uint32_t before, unsigned lane)
  {
    return (before + 3 * lane + 3) / 4 * 4;
  }

  // Writes a row that does not fit into shared memory with one thread.
  __device__ DEM_NOINLINE void writeAlone(std::uint32_t i, std::uint32_t start, std::uint32_t count,
    std::uint32_t old_start, std::uint32_t old_count) const
  {
    if (!count)
      return;
    fillRow(search, i, rows.entries + start, rows.id, rows.own.of(rows.id[i]));
    for (std::uint32_t k = 0; k < count; ++k)
      old.inherit(
        start + k, i, rows.entries[start + k] & ListView::kIndex, k, old_start, old_count);
  }
};

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
    const OwnIds::Range own = rows.own.of(rows.id[i]);
    search.candidatesOfLane(
      i, threadIdx.x, kThreads, [&](std::uint32_t j) { count += own.has(rows.id[j]) ? 0u : 1u; });
    atomicAdd(&shared.count, count);
    __syncthreads();
    if (threadIdx.x == 0)
      rows.count[i] = shared.count;
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
    const std::int64_t near_id = rows.id[i] - (std::int64_t(1) << 31);
    const OwnIds::Range own = rows.own.of(rows.id[i]);
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
