// Kernels that build neighbour lists: count candidates, scan the counts, let each thread fill and
// sort its own row, and copy the history of persisting contacts by Id. Only half searches use
// atomics.
#pragma once

#include "Core/Atomic.cuh"
#include "Core/DeviceHints.cuh"
#include "Core/SortRow.cuh"
#include "Core/Vec.h"
#include "NeighborList/ListView.cuh"

#include <cstdint>
#include <type_traits>

namespace dem
{

/// to[i] = value
struct FillValue
{
  std::uint32_t *to, value;

  DEM_HD void operator()(std::uint32_t i) const { to[i] = value; }
};

/// Counts the candidates of each particle.
template <class Search>
struct CountCandidates
{
  Search search;
  std::uint32_t* count;

  DEM_HD void operator()(std::uint32_t i) const
  {
    std::uint32_t c = 0;
    search.candidates(i, [&](std::uint32_t) { ++c; });
    count[i] = c;
  }
};

/// Fills the row of particle i, in ascending neighbour Id. `row` has room for all its candidates.
template <class Search>
DEM_HD void fillRow(const Search& search, std::uint32_t i, std::uint32_t* row,
  const std::int64_t* ids, const BodyIds::Range& own_parts = {})
{
  const std::int64_t own = ids[i];
  std::uint32_t c = 0;
  search.candidates(i, [&](std::uint32_t j) {
    if (own_parts.has(ids[j]))
      return;
    row[c] = j | (ids[j] < own ? ListView::kLowerId : 0u);
    ++c;
  });
  sortRow(row, c, [ids](std::uint32_t entry) { return ids[entry & ListView::kIndex]; });
}

/// Fills the rows of a list; counts and starts are set.
template <class Search>
struct FillCandidates
{
  Search search;
  ListView list;
  const std::int64_t* id;

  DEM_HD void operator()(std::uint32_t i) const
  {
    fillRow(search, i, list.entries + list.start(i), id);
  }
};

/// Counts the candidates of each particle with a half search, which finds a pair from one side and
/// enters it into both rows. Rows are filled in an order that varies, and SortRows sorts them.
template <class Search>
struct CountHalf
{
  Search search;
  std::uint32_t* count; // initially 0

  DEM_HD void operator()(std::uint32_t place) const
  {
    std::uint32_t c = 0;
    std::uint32_t* counts = count;
    search.after(place, [&c, counts](std::uint32_t j) {
      ++c;
      atomicGrow(&counts[j], 1u);
    });
    if (c)
      atomicGrow(&counts[search.particleAt(place)], c);
  }
};

/// Fills the rows of a list with a half search.
template <class Search>
struct FillHalf
{
  Search search;
  ListView list;
  const std::int64_t* id;
  std::uint32_t* used; // entries written to each row, initially 0

  DEM_HD void operator()(std::uint32_t place) const
  {
    const std::uint32_t i = search.particleAt(place);
    const FillHalf& self = *this;
    search.after(place, [i, &self](std::uint32_t j) {
      const bool lower = self.id[j] < self.id[i];
      self.enter(i, j | (lower ? ListView::kLowerId : 0u));
      self.enter(j, i | (lower ? 0u : ListView::kLowerId));
    });
  }

private:
  DEM_HD void enter(std::uint32_t row, std::uint32_t entry) const
  {
    list.entries[list.start(row) + atomicGrow(&used[row], 1u)] = entry;
  }
};

/// Sorts each row by neighbour Id.
struct SortRows
{
  ListView list;
  const std::int64_t* id;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const std::int64_t* ids = id;
    sortRow(list.entries + list.start(i), list.count[i],
      [ids](std::uint32_t entry) { return ids[entry & ListView::kIndex]; });
  }
};

/// Counts the contacts that each row evaluates.
struct CountOwned
{
  ListView list;
  std::uint32_t* owned;

  DEM_HD void operator()(std::uint32_t i) const
  {
    std::uint32_t c = 0;
    std::uint32_t slot = list.start(i);
    for (std::uint32_t s = 0; s < list.count[i]; ++s, ++slot)
      c += list.evaluates(i, list.entries[slot]) ? 1u : 0u;
    owned[i] = c;
  }
};

/// Writes the number of its contact to both slots of a pair. If `a` and `b` are given, it also
/// writes the particles of each contact, and marks slots whose neighbour has the lower Id with
/// kLowerId. Sums over a row then need not read its entries.
struct NumberContacts
{
  ListView list;
  std::uint32_t *a = nullptr, *b = nullptr; // particles of each contact, or null

  DEM_HD void operator()(std::uint32_t i) const
  {
    std::uint32_t own = list.first_owned[i];
    std::uint32_t slot = list.start(i);
    for (std::uint32_t s = 0; s < list.count[i]; ++s, ++slot)
    {
      const std::uint32_t entry = list.entries[slot];
      if (!list.evaluates(i, entry))
      {
        list.shared_contact[slot] =
          evaluatedBy(entry & ListView::kIndex, i) | (a ? ListView::kLowerId : 0u);
        continue;
      }
      if (a)
      {
        a[own] = i;
        b[own] = entry & ListView::kIndex;
      }
      list.shared_contact[slot] = own++;
    }
  }

private:
  // Returns the number of the contact that row `owner` evaluates with `other`. Its entries of
  // higher Ids are in the order of contacts.
  DEM_HD std::uint32_t evaluatedBy(std::uint32_t owner, std::uint32_t other) const
  {
    const std::uint32_t* entry = list.entries + list.higher(owner);
    std::uint32_t contact = list.first_owned[owner];
    for (; *entry != other; ++entry)
      ++contact;
    return contact;
  }
};

/// Lists the groups of 2^shift particles with long rows, in any order. Kernels that process a group
/// at a time handle them separately.
struct FindCrowded
{
  const std::uint32_t* count;
  std::uint32_t n;
  unsigned shift;
  std::uint32_t *groups, *found; // groups that were found and their number, which is initially 0

  /// Whether rows have more than 32 entries on average.
  DEM_HD static bool isCrowded(std::uint32_t entries, unsigned shift)
  {
    return entries > 32u << shift;
  }

  DEM_HD void operator()(std::uint32_t group) const
  {
    std::uint32_t entries = 0;
    for (std::uint32_t i = group << shift; i < n && i >> shift == group; ++i)
      entries += count[i];
    if (isCrowded(entries, shift))
      groups[atomicGrow(found, 1u)] = group;
  }
};

/// Copies the flag and history of one contact from the old list.
template <class Real>
struct SlotCopier
{
  const std::uint8_t* old_flags;
  HistoryColumns<Real> old_history;
  std::uint8_t* flags;
  HistoryColumns<Real> history;
  int columns;

  DEM_HD void operator()(std::size_t to, std::size_t from) const
  {
    flags[to] = old_flags[from];
    for (int c = 0; c < columns; ++c)
      history.at(c, to) = old_history.at(c, from);
  }
};

/// The old list, if its slots are contacts or its contacts are grouped, and the functions that copy
/// its history to a new list. Old neighbours are recognised by their index in the old list.
template <class Real>
struct OldRows
{
  ListView list;
  const std::uint32_t* index; // index of each particle in the old list; null: no history is kept
  SlotCopier<Real> copy;      // if its flags are null, slots are not contacts and nothing is copied

  /// Prefetches what inherit() reads of the row that begins at `first`. Neighbouring threads
  /// prefetch its end.
  DEM_HD void expect(std::uint32_t first) const
  {
    if (!copy.flags)
      return;
    expectRead(list.entries + first);
    expectRead(copy.old_flags + first);
    for (int c = 0; c < copy.columns; ++c)
      expectRead(&copy.old_history.at(c, first));
  }

  /// One slot of a new row and where to look for its history.
  struct NewSlot
  {
    // contact: of the slot. i: particle of the row, or its index modulo 32. wanted: old index of
    // the neighbour. k: position in the row. The old row of particle i is [first, first + count);
    // its old index is `was`. code: if its contacts were grouped, the code of slot samePlace(),
    // else kNoCode. there: false if there is no slot.
    std::uint32_t contact, i, wanted, k, first, count, was, code;
    bool there;
  };
  static constexpr std::uint32_t kNoCode = 256;
  /// Position of the slot in the old row if the entries before it are unchanged. The old row is not
  /// empty.
  DEM_HD static std::uint32_t samePlace(const NewSlot& slot)
  {
    return slot.k < slot.count ? slot.k : slot.count - 1;
  }

  /// Copies flags and history for several slots at once, so that their reads overlap. Most lists
  /// change little. So flags and history of the slot at the same position are read together with
  /// its entry. If the entry is another neighbour, the slot is searched near that position, because
  /// both rows ascend in neighbour Id.
  template <unsigned kSlots>
  DEM_HD void inherit(const NewSlot (&slots)[kSlots]) const
  {
    if (!copy.flags)
      return;
    if (copy.columns == kColumns)
      // the count is a compile-time constant here
      inheritColumns(slots, std::integral_constant<int, kColumns>{});
    else
      inheritColumns(slots, copy.columns);
  }
  /// The same for one slot; reads the code if contacts were grouped.
  DEM_HD void inheritOne(NewSlot slot) const
  {
    if (!copy.flags)
      return;
    if (slot.there && slot.count && list.groups.has(slot.was))
      slot.code = *list.groups.code(slot.was, samePlace(slot));
    const NewSlot slots[1] = { slot };
    inherit(slots);
  }
  /// The same for a slot that is its own contact.
  DEM_HD void inherit(std::uint32_t slot, std::uint32_t i, std::uint32_t j, std::uint32_t k,
    std::uint32_t first, std::uint32_t count) const
  {
    inheritOne(
      { slot, i, index ? index[j] : 0, k, first, count, index ? index[i] : 0, kNoCode, true });
  }

private:
  static constexpr std::uint32_t kNowhere = 0xffffffffu;
  static constexpr int kColumns = 3; // columns read at once: a tangential spring

  // Addresses of the first columns.
  template <class Value>
  struct Columns
  {
    Value* of[kColumns];

    DEM_HD explicit Columns(const HistoryColumns<Real>& history)
    {
      for (int m = 0; m < kColumns; ++m)
        of[m] = history.data + m * history.capacity;
    }
  };

  template <unsigned kSlots, class Count>
  DEM_HD void inheritColumns(const NewSlot (&slots)[kSlots], Count columns) const
  {
    std::uint32_t at[kSlots], entry[kSlots], flags[kSlots]; // at: index of the old contact
    bool of_other[kSlots];
    Real column[kSlots][kColumns] = {};
    const Columns<const Real> from(copy.old_history);
    const Columns<Real> to(copy.history);
    for (unsigned h = 0; h < kSlots; ++h)
    {
      at[h] = slots[h].there && slots[h].count ? slots[h].first + samePlace(slots[h]) : kNowhere;
      of_other[h] = false;
      if (slots[h].code != kNoCode && at[h] != kNowhere)
      {
        of_other[h] = GroupedContacts::isOfOther(slots[h].code);
        at[h] = GroupedContacts::firstOf(slots[h].was) + GroupedContacts::contactOf(slots[h].code);
      }
      entry[h] = at[h] != kNowhere ? list.entries[at[h]] : 0;
      flags[h] = at[h] != kNowhere ? copy.old_flags[at[h]] : 0u;
      for (int m = 0; m < kColumns; ++m)
        if (at[h] != kNowhere && m < columns)
          column[h][m] = from.of[m][at[h]];
    }
    for (unsigned h = 0; h < kSlots; ++h)
    {
      if (of_other[h])
        entry[h] = slots[h].was / GroupedContacts::kGroup * GroupedContacts::kGroup +
          ListView::ownerOf(flags[h]);
      flags[h] &= kContactFlags;
      if (at[h] != kNowhere && (entry[h] & ListView::kIndex) != slots[h].wanted)
      {
        at[h] = lookAround(slots[h]);
        flags[h] = at[h] != kNowhere ? copy.old_flags[at[h]] & kContactFlags : 0u;
        for (int m = 0; m < kColumns; ++m)
          if (flags[h] && m < columns)
            column[h][m] = from.of[m][at[h]];
      }
    }
    for (unsigned h = 0; h < kSlots; ++h)
    {
      for (int m = 0; m < kColumns; ++m)
        if (flags[h] && m < columns)
          to.of[m][slots[h].contact] = column[h][m];
      for (int c = kColumns; c < columns; ++c)
        if (flags[h])
          copy.history.at(c, slots[h].contact) = copy.old_history.at(c, at[h]);
    }
    for (unsigned h = 0; h < kSlots; ++h)
      if (slots[h].there)
        copy.flags[slots[h].contact] =
          static_cast<std::uint8_t>(flags[h] | ListView::flagsOfOwner(slots[h].i));
  }

  // Searches the old row from samePlace() outwards. Returns the old contact, or kNowhere.
  DEM_HD std::uint32_t lookAround(const NewSlot& slot) const
  {
    const std::uint32_t middle = samePlace(slot);
    for (std::uint32_t far = 1; far <= middle || middle + far < slot.count; ++far)
      for (const bool before : { true, false })
        if (before ? far <= middle : middle + far < slot.count)
        {
          const ListView::Slot old =
            list.at(slot.was, slot.first + (before ? middle - far : middle + far));
          if ((old.entry & ListView::kIndex) == slot.wanted)
            return old.contact;
        }
    return kNowhere;
  }
};

/// Copies flags and history for a list of shared contacts. Both rows ascend in neighbour Id, so
/// persisting contacts have the same order in both. They are recognised by their old index.
template <class Real>
struct CarryPairHistory
{
  ListView list, old_list;
  const std::uint32_t* old_index; // index of each particle in the old list
  SlotCopier<Real> copy;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const std::uint32_t o = old_index[i];
    const std::uint32_t old_end = old_list.start(o) + old_list.count[o],
                        end = list.start(i) + list.count[i];
    std::uint32_t next = old_list.start(o); // in the old row; earlier entries have been passed
    for (std::uint32_t slot = list.start(i); slot < end && next < old_end; ++slot)
    {
      const std::uint32_t entry = list.entries[slot];
      if (!list.evaluates(i, entry))
        continue;
      const std::uint32_t wanted = old_index[entry & ListView::kIndex];
      for (std::uint32_t t = next; t < old_end; ++t)
        if ((old_list.entries[t] & ListView::kIndex) == wanted)
        {
          const std::uint32_t from = old_list.contact(t);
          if (copy.old_flags[from])
            copy(list.contact(slot), from);
          next = t + 1;
          break;
        }
    }
  }
};

/// The same on CUDA with one thread a slot, so that neighbouring threads access neighbouring
/// memory. A block processes 32 consecutive rows. If slots are contacts, the flags also store the
/// evaluating particle.
template <class Real>
struct CarryRowHistory
{
  static constexpr unsigned kThreads = 128;
  static constexpr std::uint32_t kRows = 32;
  struct Shared
  {
    std::uint32_t start[kRows];
  };

  ListView list, old_list;
  const std::uint32_t* old_index; // index of each particle in the old list; null: no history
  SlotCopier<Real> copy;
  std::uint32_t n;

#if defined(__CUDACC__)
  __device__ void operator()(unsigned block, Shared& shared) const
  {
    const std::uint32_t first = block * kRows, rows = n - first < kRows ? n - first : kRows;
    if (threadIdx.x < kRows)
      shared.start[threadIdx.x] = threadIdx.x < rows ? list.start(first + threadIdx.x) : ~0u;
    const std::uint32_t end = list.start(first + rows - 1) + list.count[first + rows - 1];
    __syncthreads();
    for (std::uint32_t slot = shared.start[0] + threadIdx.x; slot < end; slot += kThreads)
    {
      const std::uint32_t entry = list.entries[slot];
      std::uint32_t own = 0;
      for (std::uint32_t step = kRows / 2; step > 0; step /= 2)
        own += shared.start[own + step] <= slot ? step : 0;
      if (!list.evaluates(first + own, entry))
        continue;
      const std::uint32_t contact = list.contact(slot);
      std::uint8_t flags = 0;
      if (old_index)
        flags = carry(contact, first + own, entry & ListView::kIndex, slot - shared.start[own]);
      copy.flags[contact] =
        static_cast<std::uint8_t>(flags | (list.shared_contact ? 0 : ListView::flagsOfOwner(own)));
    }
  }

private:
  // Copies history and returns the flags for contact `to` of i with j, entry k of its row. Searches
  // the old row from position k outwards, because most entries move little.
  __device__ std::uint8_t carry(
    std::uint32_t to, std::uint32_t i, std::uint32_t j, std::uint32_t k) const
  {
    const std::uint32_t o = old_index[i], wanted = old_index[j], begin = old_list.start(o),
                        end = begin + old_list.count[o];
    const auto holds = [&](std::uint32_t t) {
      return (old_list.at(o, t).entry & ListView::kIndex) == wanted;
    };
    std::uint32_t up = begin + k < end ? begin + k : end, down = up, at = end;
    while (at == end && (up < end || down > begin))
    {
      if (up < end && holds(up))
        at = up;
      else if (down > begin && holds(down - 1))
        at = down - 1;
      up += up < end ? 1 : 0;
      down -= down > begin ? 1 : 0;
    }
    if (at == end)
      return 0;
    const std::uint32_t from = old_list.at(o, at).contact;
    const std::uint8_t flags = copy.old_flags[from] & kContactFlags;
    if (flags)
      copy(to, from);
    return flags;
  }
#endif
};

/// Marks the particles that have wall candidates.
struct MarkWallRows
{
  const std::uint32_t* count;
  std::uint32_t* has;

  DEM_HD void operator()(std::uint32_t i) const { has[i] = count[i] ? 1u : 0u; }
};

/// Makes one row for each particle with wall candidates.
struct MakeWallRows
{
  const std::uint32_t* row;    // rows before each particle, n + 1
  const std::uint32_t* offset; // entries before each particle, n + 1
  std::uint32_t n;
  std::uint32_t *row_of, *particle, *start;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const bool has = offset[i + 1] > offset[i];
    row_of[i] = has ? row[i] : kNoRow;
    if (has)
    {
      particle[row[i]] = i;
      start[row[i]] = offset[i];
    }
    if (i + 1 == n)
      start[row[n]] = offset[n];
  }
};

/// Fills the wall rows, in ascending element, and copies flags and history from the old list.
template <class Search, class Real>
struct FillWallRows
{
  Search search;
  WallListView list, old_list;
  const std::uint32_t* old_row_of; // row of each particle in the old list; null: no history
  const std::uint32_t* old_index;
  SlotCopier<Real> copy;

  DEM_HD void operator()(std::uint32_t row) const
  {
    const std::uint32_t i = list.particle[row];
    std::uint32_t* entries = list.entries + list.start[row];
    std::uint32_t n = 0;
    search.candidates(i, [&](std::uint32_t e) { entries[n++] = e; });
    sortRow(entries, n, [](std::uint32_t e) { return e; });
    const std::uint32_t old_row = old_row_of ? old_row_of[old_index[i]] : kNoRow;
    if (old_row == kNoRow)
      return;
    std::uint32_t s = 0;
    for (std::uint32_t t = old_list.start[old_row]; t < old_list.start[old_row + 1]; ++t)
    {
      if (!copy.old_flags[t])
        continue;
      while (s < n && entries[s] < old_list.entries[t])
        ++s;
      if (s < n && entries[s] == old_list.entries[t])
        copy(list.start[row] + s, t);
    }
  }
};

/// to[i] = from[index[i]]
template <class T>
struct GatherArray
{
  const T* from;
  const std::uint32_t* index;
  T* to;

  DEM_HD void operator()(std::uint32_t i) const { to[i] = from[index[i]]; }
};

} // namespace dem
