// Kernels that copy contacts between the lists and a saved state. Used by StateWriter.cuh. Rank =
// index of a particle in ascending Id.
#pragma once

#include "NeighborList/BuildList.cuh"
#include "Particles/State.cuh"

#include <cstring>

namespace dem
{

/// Copies Traveled::turned_z to an array.
template <class Real>
struct TurnedZ
{
  const Traveled<Real>* from;
  Real* to;

  DEM_HD void operator()(std::uint32_t i) const { to[i] = from[i].turned_z; }
};

/// Writes array[order[k]] to index k of an array that need not be aligned. CPU only.
template <class T>
struct GatherBytes
{
  const T* array;
  const std::uint32_t* order;
  std::uint8_t* to;

  void operator()(std::uint32_t k) const
  {
    std::memcpy(to + k * sizeof(T), array + order[k], sizeof(T));
  }
};

/// Writes the touching contacts of each particle by rank: pairs, each in the row of its lower Id,
/// and walls. Must run twice: it first counts (`pair_start` is null), then writes the contents.
template <class Real>
struct SaveContacts
{
  ListView list;
  ContactSlots<Real> pair_slots;
  WallListView wall_list;
  const std::uint32_t* wall_row_of;
  ContactSlots<Real> wall_slots;
  const std::int64_t* id;
  const std::uint32_t* rank_of;
  std::uint32_t ranks; // particles that are saved; ghosts of a part have higher ranks
  int columns;
  // outputs of the first run, by rank
  std::uint32_t *pair_count, *wall_count;
  // row starts by rank, and outputs of the second run; null in the first
  const std::uint32_t *pair_start, *wall_start;
  std::int64_t* pair_id;
  std::uint32_t* wall_element;
  std::uint8_t *pair_flags, *wall_flags;
  HistoryColumns<Real> pair_history, wall_history;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const std::uint32_t rank = rank_of[i];
    if (rank >= ranks)
      return;
    std::uint32_t pairs = 0, walls = 0;
    const std::uint32_t end = list.start(i) + list.count[i];
    for (std::uint32_t slot = list.higher(i); slot < end; ++slot)
    {
      const auto [entry, contact] = list.at(i, slot);
      if (!(pair_slots.flags[contact] & kTouching) || (entry & ListView::kLowerId))
        continue;
      if (pair_start)
      {
        const std::size_t to = pair_start[rank] + pairs;
        pair_id[to] = id[entry & ListView::kIndex];
        pair_flags[to] = pair_slots.flags[contact] & kContactFlags;
        for (int c = 0; c < columns; ++c)
          pair_history.at(c, to) = pair_slots.history.at(c, contact);
      }
      ++pairs;
    }
    const std::uint32_t row = wall_row_of[i];
    if (row != kNoRow)
      for (std::uint32_t w = wall_list.start[row]; w < wall_list.start[row + 1]; ++w)
      {
        if (!(wall_slots.flags[w] & kTouching))
          continue;
        if (pair_start)
        {
          const std::size_t to = wall_start[rank] + walls;
          wall_element[to] = wall_list.entries[w];
          wall_flags[to] = wall_slots.flags[w];
          for (int c = 0; c < columns; ++c)
            wall_history.at(c, to) = wall_slots.history.at(c, w);
        }
        ++walls;
      }
    if (!pair_start)
    {
      pair_count[rank] = pairs;
      wall_count[rank] = walls;
    }
  }
};

/// Rank of Id `wanted` among n ascending Ids. Returns the first rank with an Id that is not lower
/// if the Id is missing.
DEM_HD std::uint32_t rankOfId(const std::int64_t* sorted_id, std::uint32_t n, std::int64_t wanted)
{
  std::uint32_t low = 0, high = n;
  while (low < high)
  {
    const std::uint32_t middle = low + (high - low) / 2;
    if (sorted_id[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Calls visit(a, b) for the saved pairs of a rank, with the present places of the two particles.
/// Pairs with a missing Id are skipped.
struct SavedPairs
{
  const std::uint32_t* order;    // place of each rank
  const std::int64_t* sorted_id; // Id of each rank
  std::uint32_t n;
  const std::uint32_t* pair_start;
  const std::int64_t* pair_id;

  template <class Visit>
  DEM_HD void operator()(std::uint32_t rank, const Visit& visit) const
  {
    for (std::uint32_t k = pair_start[rank]; k < pair_start[rank + 1]; ++k)
    {
      const std::uint32_t other = rankOfId(sorted_id, n, pair_id[k]);
      if (other > rank && other < n)
        visit(order[rank], order[other]);
    }
  }
};

/// Copies flags and history of the saved contacts to the slots of the present lists. Slots without
/// a saved contact stay unchanged.
template <class Real>
struct RestoreContacts
{
  ListView list;
  ContactSlots<Real> pair_slots;
  WallListView wall_list;
  const std::uint32_t* wall_row_of;
  ContactSlots<Real> wall_slots;
  const std::int64_t* id;
  int columns;
  std::uint32_t n;
  const std::int64_t* sorted_id; // Id of each saved row
  const std::uint32_t *pair_start, *wall_start;
  const std::int64_t* pair_id;
  const std::uint32_t* wall_element;
  const std::uint8_t *pair_flags, *wall_flags;
  HistoryColumns<Real> pair_history, wall_history;

  DEM_HD std::uint32_t rankOf(std::int64_t wanted) const { return rankOfId(sorted_id, n, wanted); }

  DEM_HD void operator()(std::uint32_t i) const
  {
    const std::int64_t own = id[i];
    const std::uint32_t own_rank = rankOf(own);
    std::uint32_t slot = list.start(i);
    for (std::uint32_t s = 0; s < list.count[i]; ++s, ++slot)
    {
      const auto [entry, contact] = list.at(i, slot);
      if (!list.evaluates(i, entry))
        continue;
      const std::int64_t other = id[entry & ListView::kIndex];
      const bool lower = entry & ListView::kLowerId;
      const std::uint32_t rank = lower ? rankOf(other) : own_rank;
      const std::int64_t wanted = lower ? own : other;
      for (std::uint32_t k = pair_start[rank]; k < pair_start[rank + 1]; ++k)
        if (pair_id[k] == wanted)
        {
          pair_slots.flags[contact] = static_cast<std::uint8_t>(
            (pair_slots.flags[contact] & ~kContactFlags) | (pair_flags[k] & kContactFlags));
          for (int c = 0; c < columns; ++c)
            pair_slots.history.at(c, contact) = pair_history.at(c, k);
        }
    }
    const std::uint32_t row = wall_row_of[i];
    if (row == kNoRow)
      return;
    for (std::uint32_t w = wall_list.start[row]; w < wall_list.start[row + 1]; ++w)
      for (std::uint32_t k = wall_start[own_rank]; k < wall_start[own_rank + 1]; ++k)
        if (wall_element[k] == wall_list.entries[w])
        {
          wall_slots.flags[w] = wall_flags[k];
          for (int c = 0; c < columns; ++c)
            wall_slots.history.at(c, w) = wall_history.at(c, k);
        }
  }
};

} // namespace dem
