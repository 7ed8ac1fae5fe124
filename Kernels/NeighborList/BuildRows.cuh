// Builds the rows of a neighbour list on CUDA in one launch. Warps find the candidates of their
// particles, sort them by Id and copy the history of contacts that persist. Used by
// CandidateSearch::queueRows.
#pragma once

#include "Core/Warp.cuh"
#include "NeighborList/FindInTiles.cuh"

#include <cstddef>
#include <cstdint>

namespace dem
{

/// Kernel functor: one thread a particle, one warp for 32 consecutive rows. The rows of a warp are
/// contiguous; warps reserve space by an atomic counter, so their order in memory varies.
///
/// If particle data are ordered in tiles of cells, candidates are found in shared memory
/// (FindInTiles), else by a search for each particle. The rows are the same.
///
/// The kernel is bound by instructions and leaves half of the memory bandwidth idle. `also` uses
/// it: also(i) is called once for each i < also.n.
template <class Search, class Real, class Also>
struct BuildRows : FindInTiles<Search, Real>
{
  using Base = FindInTiles<Search, Real>;
  using Contacts = RowMemory::Contacts;
  using Groups = RowMemory::Groups;
  using Row = RowMemory::Row;
  using Staged = RowMemory::Staged;
  using Shared = RowMemory::Shared;
  using Base::begin;
  using Base::findByTiles;
  using Base::kAtOnce;
  using Base::keyOf;
  using Base::kFound;
  using Base::kHits;
  using Base::kPool;
  using Base::kPoolWithContacts;
  using Base::kThreads;
  using Base::kTiles;
  using Base::kWhole;
  using Base::n;
  using Base::old;
  using Base::readOld;
  using Base::rows;
  using Base::search;
  using Base::unit;
  using typename Base::ThreadRow;
  static constexpr int kResidentBlocks = 8;

  Also also;
  // Device pointer to the number of particles to process, rounded down to whole warps; null: n.
  const std::uint32_t* end;

  static std::size_t blocks(std::uint32_t n) { return (n + kThreads - 1) / kThreads; }
  static BuildRows make(const Search& search, const NewRows& rows, const OldRows<Real>& old,
    const Also& also, std::uint32_t n, const std::uint32_t* end)
  {
    BuildRows build{ { {}, search, rows, old, n, 0, 0, 0 }, also, end };
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
        ThreadRow mine = begin(block, last);
        if (findByTiles(block, mine, shared))
          return list<true>(i, mine, shared);
      }
      listRarely(block, last, shared);
    }
    else
      listAlone(block, last, shared);
  }

private:
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
    ThreadRow mine = begin(block, last);
    findAlone(i, mine, shared);
    list<false>(i, mine, shared);
  }

  __device__ void findAlone(std::uint32_t i, ThreadRow& mine, Shared& shared) const
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
  __device__ void list(std::uint32_t i, ThreadRow& mine, Shared& all) const
  {
    const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
    const bool ghost = mine.there && rows.ghosts.has(i);
    const std::uint32_t count = mine.there && !ghost ? mine.count : 0, group = i / Groups::kGroup;
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
        grouped = groupContacts(count, mine, contacts, others, contacts_of, within, ghost) &&
          rows.groups.counts;
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
      typename OldRows<Real>::NewSlot slots[kAtOnce];
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
        slots[r] = { 0, owner, 0, 0, own.old_start, own.counts >> 8, 0, OldRows<Real>::kNoCode,
          there && size };
        if (!slots[r].there)
          continue;
        const unsigned k = entry - first, column = warp * 32 + owner;
        std::uint32_t j, key, place = 0;
        if constexpr (kByTiles)
        {
          const std::uint32_t at = poolOf(first, owner), hit = all.staged.hit[k][column];
          j = all.staged.particle[hit];
          slots[r].wanted = all.staged.was[hit];
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
          slots[r].wanted = old.index ? old.index[j] : 0;
          key = all.found.key[k][column];
          for (unsigned s = 0; s < size; ++s)
            place += all.found.key[s][column] < key ? 1 : 0;
        }
        const std::uint32_t lower = key < own.key ? ListView::kLowerId : 0u;
        slots[r].contact = start + first + place;
        slots[r].k = place;
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
          slots[r].there = !by_other;
          code(all.staged, place, column) =
            static_cast<std::uint8_t>(contact + (by_other ? Groups::kContacts : 0));
          slots[r].contact = start + contact;
        }
        if (kByTiles && groups)
        {
          const Contacts& of_owner = contacts_of[owner];
          slots[r].was = of_owner.was;
          if (of_owner.old_group && slots[r].count)
            slots[r].code = reinterpret_cast<const std::uint8_t*>(
              of_owner.old_codes)[OldRows<Real>::samePlace(slots[r])];
        }
        if (slots[r].there)
          rows.entries[slots[r].contact] = j | lower;
      }
      if (kByTiles || !old.list.groups.counts)
        old.inherit(slots);
      else
        for (unsigned r = 0; r < kAtOnce; ++r)
        {
          slots[r].was =
            old.index && slots[r].there ? old.index[group * Groups::kGroup + slots[r].i] : 0;
          old.inheritOne(slots[r]);
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
  __device__ void recallContacts(const ThreadRow& mine, Contacts& own) const
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

  // Numbers the contacts of a warp's rows. Returns false for the whole warp if there are too many,
  // or if there is a ghost, whose row would evaluate none. `counts` has the format of
  // GroupedContacts::counts.
  __device__ bool groupContacts(std::uint32_t count, const ThreadRow& mine, Contacts& own,
    unsigned others, Contacts* contacts_of, std::uint32_t& counts, bool ghost) const
  {
    const unsigned lane = threadIdx.x % 32;
    const bool fits = !mine.there || (!mine.alone && count <= Groups::kRow && !ghost);
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

} // namespace dem
