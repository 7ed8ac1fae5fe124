// The lists of Kureck 2016, chapter 4: a fixed number of slots a particle, and a list of pairs for
// entries beyond them. Runs without a list store touching pairs in such slots too.
#pragma once

#include "Core/Atomic.cuh"
#include "NeighborList/BuildList.cuh"
#include "NeighborList/ListView.cuh"

#include <cstdint>

namespace dem
{

/// Rows of entries as in ListView (neighbour, kLowerId), in ascending neighbour Id. The first
/// `size` entries of a row are stored in slots: slot s of all particles is contiguous. Further
/// entries are stored in pairs, sorted by row. Static lists have no pairs, Dynamic lists no slots,
/// Hybrid lists both.
///
/// A place is the index of an entry, slots first. Flags and history are indexed by place. A pair
/// stored in both rows has an entry, flags and history in each.
struct SlotList
{
  std::uint32_t* entries;          // of each place
  std::uint32_t* count;            // of each row
  std::uint32_t* owner;            // row of each pair
  const std::uint32_t* pair_start; // pairs before each row; not read if there are none
  std::uint32_t n, size;

  DEM_HD std::uint32_t slots() const { return n * size; }
  DEM_HD std::uint32_t place(std::uint32_t i, std::uint32_t s) const
  {
    return s < size ? s * n + i : slots() + pair_start[i] + (s - size);
  }
};

/// The pairs of the old list, with rows in the old order of the particles, and a mark for each pair
/// that the search finds again.
struct KeptPairs
{
  const std::uint32_t *start, *count; // of each old row
  const std::uint32_t* old_index;     // index of each particle in the old list
  std::uint8_t* valid;                // of each pair; null: no pairs are kept
};

/// Writes the pairs that a search finds, into both rows or, if `symmetric`, into that of the lower
/// Id.
struct CandidateSink
{
  SlotList list;
  std::uint32_t capacity; // of pairs
  // Number of pairs found, which may exceed the capacity. Length of the longest row, if it exceeds
  // the slots and no pairs are stored.
  std::uint32_t *used, *longest;
  const std::int64_t* id;
  bool symmetric;
  KeptPairs kept{};

  /// Enters neighbour j as entry s of row i. `lower`: j has the lower Id.
  DEM_HD void enter(std::uint32_t i, std::uint32_t s, std::uint32_t j, bool lower) const
  {
    const std::uint32_t entry = j | (lower ? ListView::kLowerId : 0u);
    if (kept.valid && findAgain(i, entry))
      return;
    if (s < list.size)
    {
      list.entries[list.place(i, s)] = entry;
      return;
    }
    if (capacity == 0)
    {
      atomicRaise(longest, s + 1);
      return;
    }
    const std::uint32_t k = atomicGrow(used, 1u);
    if (k < capacity)
    {
      list.owner[k] = i;
      list.entries[list.slots() + k] = entry;
    }
  }

private:
  // Marks the pair as valid and returns true if the old list has it.
  DEM_HD bool findAgain(std::uint32_t i, std::uint32_t entry) const
  {
    const std::uint32_t o = kept.old_index[i], begin = kept.start[o], end = begin + kept.count[o];
    for (std::uint32_t k = begin; k < end; ++k)
      if (list.entries[k] == entry && list.owner[k] == i)
      {
        kept.valid[k] = 1;
        return true;
      }
    return false;
  }
};

/// Enters the candidates of each particle.
template <class Search>
struct EmitCandidates
{
  Search search;
  CandidateSink sink;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const std::int64_t own = sink.id[i];
    const CandidateSink& to = sink;
    std::uint32_t c = 0;
    search.candidates(i, [&](std::uint32_t j) {
      const bool lower = to.id[j] < own;
      if (to.symmetric && lower)
        return;
      to.enter(i, c, j, lower);
      ++c;
    });
    sink.list.count[i] = c;
  }
};

/// Enters the candidates of a half search. It finds a pair from either side, so rows count by
/// atomics. Counts are initially 0.
template <class Search>
struct EmitHalf
{
  Search search;
  CandidateSink sink;

  DEM_HD void operator()(std::uint32_t place) const
  {
    const std::uint32_t i = search.particleAt(place);
    const CandidateSink& to = sink;
    search.after(place, [&](std::uint32_t j) {
      const bool lower = to.id[j] < to.id[i];
      const std::uint32_t a = lower ? j : i, b = lower ? i : j;
      to.enter(a, atomicGrow(&to.list.count[a], 1u), b, false);
      if (!to.symmetric)
        to.enter(b, atomicGrow(&to.list.count[b], 1u), a, true);
    });
  }
};

/// Number of entries of each row that are stored in pairs.
struct CountBeyondSlots
{
  const std::uint32_t* count;
  std::uint32_t size;
  std::uint32_t* beyond;

  DEM_HD void operator()(std::uint32_t i) const
  {
    beyond[i] = count[i] > size ? count[i] - size : 0;
  }
};

/// The entries of one row, for sortRow().
struct SlotRow
{
  SlotList list;
  std::uint32_t row;

  DEM_HD std::uint32_t& operator[](std::uint32_t s) const
  {
    return list.entries[list.place(row, s)];
  }
};

/// Sorts each row, slots and pairs, by neighbour Id. This removes the varying order in which pairs
/// were found.
struct SortSlotRows
{
  SlotList list;
  const std::int64_t* id;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const std::int64_t* ids = id;
    sortRow(SlotRow{ list, i }, list.count[i],
      [ids](std::uint32_t entry) { return ids[entry & ListView::kIndex]; });
  }
};

/// Moves the flags of a list with unsorted rows to the same list with sorted ones. Runs over the
/// places of the unsorted list. The flags are initially 0.
struct MoveFlags
{
  SlotList from, to;
  const std::uint8_t* from_flags;
  std::uint8_t* to_flags;

  DEM_HD void operator()(std::uint32_t place) const
  {
    const bool in_slots = place < from.slots();
    const std::uint32_t i = in_slots ? place % from.n : from.owner[place - from.slots()];
    if ((in_slots && place / from.n >= to.count[i]) || !from_flags[place])
      return;
    for (std::uint32_t s = 0; s < to.count[i]; ++s)
    {
      const std::uint32_t other = to.place(i, s);
      if (to.entries[other] == from.entries[place])
        to_flags[other] = from_flags[place];
    }
  }
};

/// Copies flags and history of persisting contacts. Both rows ascend in neighbour Id, so one merge
/// finds them.
template <class Real>
struct CarrySlotHistory
{
  SlotList list, old_list;
  const std::int64_t *id, *old_id;
  const std::uint32_t* old_index; // index of each particle in the old list
  SlotCopier<Real> copy;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const std::uint32_t o = old_index[i], old_count = old_list.count[o], count = list.count[i];
    std::uint32_t s = 0;
    for (std::uint32_t t = 0; t < old_count; ++t)
    {
      const std::uint32_t old_place = old_list.place(o, t);
      if (!copy.old_flags[old_place])
        continue;
      const std::int64_t wanted = old_id[old_list.entries[old_place] & ListView::kIndex];
      while (s < count && id[list.entries[list.place(i, s)] & ListView::kIndex] < wanted)
        ++s;
      if (s == count)
        return;
      const std::uint32_t place = list.place(i, s);
      if (id[list.entries[place] & ListView::kIndex] == wanted)
        copy(place, old_place);
    }
  }
};

// ---- a list of pairs updated in place, Kureck 2016, 5.5  ----

constexpr std::uint32_t kLeft = 0xffffffffu; // new index of a removed particle

/// Inverts an order: writes the new index of each particle (Kureck 2016, 5.5.1). Runs over all old
/// particles.
struct NumberAnew
{
  const std::uint32_t* old_index; // particles that stay come first
  std::uint32_t n;
  std::uint32_t* new_index;

  DEM_HD void operator()(std::uint32_t i) const { new_index[old_index[i]] = i < n ? i : kLeft; }
};

/// Replaces the particle indices of pairs by the new ones and marks pairs with a removed particle
/// (Kureck 2016, 5.5.1).
struct ReplaceNumbers
{
  std::uint32_t *entries, *owner;
  const std::uint32_t* new_index;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::uint32_t entry = entries[k], a = new_index[owner[k]],
                        b = new_index[entry & ListView::kIndex];
    owner[k] = a == kLeft || b == kLeft ? kLeft : a;
    entries[k] = b == kLeft ? 0 : b | (entry & ListView::kLowerId);
  }
};

/// Keys that sort pairs by row, with the old pairs that were not found again last.
struct KeyPairs
{
  const std::uint32_t* owner;
  const std::uint8_t* valid;
  std::uint32_t kept, n; // kept: number of old pairs; n: number of rows
  std::uint32_t *key, *place;

  DEM_HD void operator()(std::uint32_t k) const
  {
    key[k] = k < kept && !valid[k] ? n : owner[k];
    place[k] = k;
  }
};

/// Sorts the places of each row's pairs by neighbour Id.
struct SortPlaces
{
  const std::uint32_t *entries, *start, *count;
  const std::int64_t* id;
  std::uint32_t* place;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const std::uint32_t* all = entries;
    const std::int64_t* ids = id;
    sortRow(place + start[i], count[i],
      [all, ids](std::uint32_t k) { return ids[all[k] & ListView::kIndex]; });
  }
};

/// Brings pairs, and the history of the old ones, into the order of their rows.
template <class Real>
struct GatherPairs
{
  const std::uint32_t *from, *place;
  std::uint32_t kept;
  std::uint32_t* to;
  SlotCopier<Real> copy;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::uint32_t old = place[k];
    to[k] = from[old];
    if (old < kept && copy.old_flags[old])
      copy(k, old);
  }
};

// ---- touching pairs without a list  ----

/// Brings the rows of touching pairs into a new order of the particles and replaces the indices
/// (Kureck 2016, 5.5.1).
template <class Real>
struct MoveTouching
{
  SlotList list, old_list;
  const std::uint32_t *old_index, *new_index;
  SlotCopier<Real> copy;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const std::uint32_t o = old_index[i], old_count = old_list.count[o];
    std::uint32_t c = 0;
    for (std::uint32_t t = 0; t < old_count; ++t)
    {
      const std::uint32_t old_place = old_list.place(o, t), entry = old_list.entries[old_place];
      const std::uint32_t j = new_index[entry & ListView::kIndex];
      if (j == kLeft)
        continue;
      const std::uint32_t place = list.place(i, c);
      list.entries[place] = j | (entry & ListView::kLowerId);
      copy(place, old_place);
      ++c;
    }
    list.count[i] = c;
  }
};

// ---- conversion to contiguous rows and back  ----

/// Calls visit(a, b) for the touching pairs of row a that has the lower Id.
struct TouchingPairs
{
  SlotList list;
  const std::uint8_t* flags;

  template <class Visit>
  DEM_HD void operator()(std::uint32_t i, const Visit& visit) const
  {
    for (std::uint32_t s = 0; s < list.count[i]; ++s)
    {
      const std::uint32_t place = list.place(i, s), entry = list.entries[place];
      if (!(entry & ListView::kLowerId) && flags[place] & kTouching)
        visit(i, entry);
    }
  }
};

/// Counts each pair in both rows. Counts are initially 0.
template <class Pairs>
struct CountPairs
{
  Pairs pairs;
  std::uint32_t* count;

  DEM_HD void operator()(std::uint32_t i) const
  {
    std::uint32_t* counts = count;
    pairs(i, [counts](std::uint32_t a, std::uint32_t b) {
      atomicGrow(&counts[a], 1u);
      atomicGrow(&counts[b], 1u);
    });
  }
};

/// Enters each pair into both rows, in an order that varies; SortRows must follow.
template <class Pairs>
struct EnterPairs
{
  Pairs pairs;
  ListView list;
  std::uint32_t* used; // entries written to each row, initially 0

  DEM_HD void operator()(std::uint32_t i) const
  {
    const EnterPairs& self = *this;
    pairs(i, [&self](std::uint32_t a, std::uint32_t b) {
      self.list.entries[self.list.start(a) + atomicGrow(&self.used[a], 1u)] = b;
      self.list.entries[self.list.start(b) + atomicGrow(&self.used[b], 1u)] =
        a | ListView::kLowerId;
    });
  }
};

/// Copies flags and history of touching pairs into rows that contain all of them.
template <class Real>
struct ShowSlotHistory
{
  SlotList from;
  ListView list;
  SlotCopier<Real> copy;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const std::uint32_t first = list.first_owned[i], owned = list.first_owned[i + 1] - first;
    const std::uint32_t begin = list.higher(i);
    for (std::uint32_t s = 0; s < from.count[i]; ++s)
    {
      const std::uint32_t place = from.place(i, s), entry = from.entries[place];
      if (entry & ListView::kLowerId || !(copy.old_flags[place] & kTouching))
        continue;
      for (std::uint32_t k = 0; k < owned; ++k)
        if (list.entries[begin + k] == entry)
          copy(first + k, place);
    }
  }
};

/// Copies flags and history of touching pairs from contiguous rows into the rows of candidates.
template <class Real>
struct TakeHistory
{
  SlotList to;
  ListView list;
  const std::int64_t* id;
  SlotCopier<Real> copy;

  DEM_HD void operator()(std::uint32_t i) const
  {
    std::uint32_t s = 0;
    for (std::uint32_t t = 0; t < list.count[i]; ++t)
    {
      const std::uint32_t slot = list.start(i) + t;
      const std::int64_t wanted = id[list.entries[slot] & ListView::kIndex];
      while (s < to.count[i] && id[to.entries[to.place(i, s)] & ListView::kIndex] < wanted)
        ++s;
      if (s == to.count[i])
        return;
      const std::uint32_t place = to.place(i, s);
      if (to.entries[place] == list.entries[slot])
        copy(place, list.contact(slot));
    }
  }
};

/// Finds the length of the longest row; `longest` is initially 0.
struct LongestRow
{
  const std::uint32_t* count;
  std::uint32_t* longest;

  DEM_HD void operator()(std::uint32_t i) const { atomicRaise(longest, count[i]); }
};

/// Copies contiguous rows with flags and history into slots, which must be long enough.
template <class Real>
struct TakeTouching
{
  SlotList to;
  ListView list;
  SlotCopier<Real> copy;

  DEM_HD void operator()(std::uint32_t i) const
  {
    to.count[i] = list.count[i];
    for (std::uint32_t s = 0; s < list.count[i]; ++s)
    {
      const std::uint32_t slot = list.start(i) + s, place = to.place(i, s);
      to.entries[place] = list.entries[slot];
      copy(place, list.contact(slot));
    }
  }
};

} // namespace dem
