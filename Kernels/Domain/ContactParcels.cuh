// Contacts that move with their particles to another part: flags and history by Ids. Used by
// Subdomain.cuh.
#pragma once

#include "NeighborList/ContactLists.cuh"
#include "Particles/State.cuh"

#include <cstdint>

namespace dem
{

/// Touching contacts of the particles that move, in device memory. History: column after column.
template <class Real>
struct ContactParcels
{
  std::uint32_t pairs, walls; // number of contacts
  // `owner`: index of the particle among those that move together
  std::uint32_t *pair_owner, *wall_owner;
  std::int64_t* pair_id; // of the neighbour
  std::uint32_t* wall_element;
  std::uint8_t *pair_flags, *wall_flags;
  Real *pair_history, *wall_history;
};

/// Lists and places that both kernels read.
template <class Real>
struct ParcelLists
{
  ListView list;
  ContactSlots<Real> pair_slots;
  WallListView wall_list;
  const std::uint32_t* wall_row_of;
  ContactSlots<Real> wall_slots;
  const std::int64_t* id;
  const std::uint32_t* place; // of each particle that moves
  int columns;
};

/// Writes the contacts of each particle that moves. Must run twice: without `pair_start` it counts.
template <class Real>
struct PackContacts
{
  ParcelLists<Real> lists;
  std::uint32_t *pair_count, *wall_count;
  const std::uint32_t *pair_start, *wall_start; // null in the first run
  ContactParcels<Real> to;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::uint32_t i = lists.place[k];
    std::uint32_t pairs = 0, walls = 0;
    const ListView& list = lists.list;
    for (std::uint32_t s = 0; s < list.count[i]; ++s)
    {
      const auto [entry, contact] = list.at(i, list.start(i) + s);
      const std::uint8_t flags = lists.pair_slots.flags[contact] & kContactFlags;
      if (!(flags & kTouching))
        continue;
      if (pair_start)
      {
        const std::size_t at = pair_start[k] + pairs;
        to.pair_owner[at] = k;
        to.pair_id[at] = lists.id[entry & ListView::kIndex];
        to.pair_flags[at] = flags;
        for (int c = 0; c < lists.columns; ++c)
          to.pair_history[c * std::size_t(to.pairs) + at] =
            lists.pair_slots.history.at(c, contact);
      }
      ++pairs;
    }
    const std::uint32_t row = lists.wall_row_of[i];
    if (row != kNoRow)
      for (std::uint32_t w = lists.wall_list.start[row]; w < lists.wall_list.start[row + 1]; ++w)
      {
        if (!(lists.wall_slots.flags[w] & kTouching))
          continue;
        if (pair_start)
        {
          const std::size_t at = wall_start[k] + walls;
          to.wall_owner[at] = k;
          to.wall_element[at] = lists.wall_list.entries[w];
          to.wall_flags[at] = lists.wall_slots.flags[w];
          for (int c = 0; c < lists.columns; ++c)
            to.wall_history[c * std::size_t(to.walls) + at] = lists.wall_slots.history.at(c, w);
        }
        ++walls;
      }
    if (!pair_start)
    {
      pair_count[k] = pairs;
      wall_count[k] = walls;
    }
  }
};

/// Ends the contacts of arrivals as the lists of this part have them: those with ghosts are out of
/// date.
template <class Real>
struct ClearContacts
{
  ParcelLists<Real> lists;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::uint32_t i = lists.place[k];
    const ListView& list = lists.list;
    for (std::uint32_t s = 0; s < list.count[i]; ++s)
    {
      const std::uint32_t contact = list.at(i, list.start(i) + s).contact;
      std::uint8_t& flags = lists.pair_slots.flags[contact];
      flags = static_cast<std::uint8_t>(flags & ~kContactFlags);
      lists.pair_slots.history.clear(lists.columns, contact);
    }
  }
};

/// Gives the contacts of arrivals to the lists of this part. A thread a contact, pairs first.
template <class Real>
struct UnpackContacts
{
  ParcelLists<Real> lists;
  ContactParcels<Real> from;

  DEM_HD void operator()(std::uint32_t k) const
  {
    if (k < from.pairs)
      return unpackPair(k);
    unpackWall(k - from.pairs);
  }

private:
  DEM_HD void unpackPair(std::uint32_t k) const
  {
    const std::uint32_t i = lists.place[from.pair_owner[k]];
    const ListView& list = lists.list;
    for (std::uint32_t s = 0; s < list.count[i]; ++s)
    {
      const auto [entry, contact] = list.at(i, list.start(i) + s);
      if (lists.id[entry & ListView::kIndex] != from.pair_id[k])
        continue;
      std::uint8_t& flags = lists.pair_slots.flags[contact];
      flags = static_cast<std::uint8_t>((flags & ~kContactFlags) | from.pair_flags[k]);
      for (int c = 0; c < lists.columns; ++c)
        lists.pair_slots.history.at(c, contact) =
          from.pair_history[c * std::size_t(from.pairs) + k];
      return;
    }
  }
  DEM_HD void unpackWall(std::uint32_t k) const
  {
    const std::uint32_t row = lists.wall_row_of[lists.place[from.wall_owner[k]]];
    if (row == kNoRow)
      return;
    for (std::uint32_t w = lists.wall_list.start[row]; w < lists.wall_list.start[row + 1]; ++w)
      if (lists.wall_list.entries[w] == from.wall_element[k])
      {
        lists.wall_slots.flags[w] = from.wall_flags[k];
        for (int c = 0; c < lists.columns; ++c)
          lists.wall_slots.history.at(c, w) = from.wall_history[c * std::size_t(from.walls) + k];
      }
  }
};

} // namespace dem
