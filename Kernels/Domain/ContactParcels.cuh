// Contacts that move with their particles to another part: flags and history by Ids. Used by
// Subdomain.cuh.
#pragma once

#include "Core/Atomic.cuh"
#include "Domain/Partition.cuh"
#include "NeighborList/ContactLists.cuh"
#include "Particles/State.cuh"

#include <cstddef>
#include <cstdint>

namespace dem
{

/// Head of the record of a touching contact; the history follows.
struct ContactHead
{
  std::uint32_t owner; // index of the particle among those that leave for one part
  std::uint32_t flags;
  std::int64_t other; // Id of the neighbour, or -1 - wall element
};

/// Memory for records of contacts.
template <class Real>
struct ContactRecords
{
  std::uint8_t* bytes;
  int columns; // of history

  DEM_HD static std::size_t strideOf(int columns)
  {
    return sizeof(ContactHead) + (columns * sizeof(Real) + 7) / 8 * 8;
  }
  DEM_HD ContactHead& head(std::size_t k) const
  {
    return *reinterpret_cast<ContactHead*>(bytes + k * strideOf(columns));
  }
  DEM_HD Real* history(std::size_t k) const { return reinterpret_cast<Real*>(&head(k) + 1); }
};

/// Lists and places that the kernels read.
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
};

/// Writes the touching contacts of the particles that leave, for each part to a list of its own.
template <class Real>
struct PackContacts
{
  ParcelLists<Real> lists;
  std::uint32_t starts[kMostParts + 1]; // of the particles for each part
  ContactRecords<Real> to;              // `room` records for each part
  std::uint32_t room;
  std::uint32_t* counts; // of each part; may exceed the room

  DEM_HD void operator()(std::uint32_t k) const
  {
    int part = 0;
    while (k >= starts[part + 1])
      ++part;
    const std::uint32_t i = lists.place[k], owner = k - starts[part];
    for (std::uint32_t s = 0; s < lists.list.count[i]; ++s)
    {
      const auto [entry, contact] = lists.list.at(i, lists.list.start(i) + s);
      const std::uint8_t flags = lists.pair_slots.flags[contact] & kContactFlags;
      if (flags & kTouching)
        write(part, { owner, flags, lists.id[entry & ListView::kIndex] }, lists.pair_slots.history,
          contact);
    }
    const std::uint32_t row = lists.wall_row_of[i];
    if (row == kNoRow)
      return;
    for (std::uint32_t w = lists.wall_list.start[row]; w < lists.wall_list.start[row + 1]; ++w)
      if (lists.wall_slots.flags[w] & kTouching)
        write(part,
          { owner, lists.wall_slots.flags[w],
            -1 - static_cast<std::int64_t>(lists.wall_list.entries[w]) },
          lists.wall_slots.history, w);
  }

private:
  DEM_HD void write(
    int part, const ContactHead& head, const HistoryColumns<Real>& history, std::size_t slot) const
  {
    const std::uint32_t at = atomicGrow(&counts[part], 1u);
    if (at >= room)
      return;
    const std::size_t k = std::size_t(part) * room + at;
    to.head(k) = head;
    for (int c = 0; c < to.columns; ++c)
      to.history(k)[c] = history.at(c, slot);
  }
};

/// Ends the contacts of arrivals as the lists of this part have them: those with ghosts are out of
/// date.
template <class Real>
struct ClearContacts
{
  ParcelLists<Real> lists;
  int columns;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::uint32_t i = lists.place[k];
    const ListView& list = lists.list;
    for (std::uint32_t s = 0; s < list.count[i]; ++s)
    {
      const std::uint32_t contact = list.at(i, list.start(i) + s).contact;
      std::uint8_t& flags = lists.pair_slots.flags[contact];
      flags = static_cast<std::uint8_t>(flags & ~kContactFlags);
      lists.pair_slots.history.clear(columns, contact);
    }
  }
};

/// Gives the contacts of arrivals to the lists of this part; a thread a contact. Records of one
/// other part lie together, as do its arrivals in ParcelLists::place.
template <class Real>
struct UnpackContacts
{
  ParcelLists<Real> lists;
  ContactRecords<Real> from;
  // first contact and first arrival of each source, in ascending order
  std::uint32_t contacts[kMostParts], arrivals[kMostParts];
  int sources;

  DEM_HD void operator()(std::uint32_t k) const
  {
    int s = sources - 1;
    while (k < contacts[s])
      --s;
    const ContactHead head = from.head(k);
    const std::uint32_t i = lists.place[arrivals[s] + head.owner];
    if (head.other >= 0)
      return unpackPair(k, i, head);
    unpackWall(k, i, head);
  }

private:
  DEM_HD void unpackPair(std::uint32_t k, std::uint32_t i, const ContactHead& head) const
  {
    const ListView& list = lists.list;
    for (std::uint32_t s = 0; s < list.count[i]; ++s)
    {
      const auto [entry, contact] = list.at(i, list.start(i) + s);
      if (lists.id[entry & ListView::kIndex] != head.other)
        continue;
      std::uint8_t& flags = lists.pair_slots.flags[contact];
      flags = static_cast<std::uint8_t>((flags & ~kContactFlags) | head.flags);
      return copy(k, lists.pair_slots.history, contact);
    }
  }
  DEM_HD void unpackWall(std::uint32_t k, std::uint32_t i, const ContactHead& head) const
  {
    const std::uint32_t row = lists.wall_row_of[i];
    if (row == kNoRow)
      return;
    const auto element = static_cast<std::uint32_t>(-1 - head.other);
    for (std::uint32_t w = lists.wall_list.start[row]; w < lists.wall_list.start[row + 1]; ++w)
      if (lists.wall_list.entries[w] == element)
      {
        lists.wall_slots.flags[w] = static_cast<std::uint8_t>(head.flags);
        copy(k, lists.wall_slots.history, w);
      }
  }
  DEM_HD void copy(std::uint32_t k, const HistoryColumns<Real>& history, std::size_t slot) const
  {
    for (int c = 0; c < from.columns; ++c)
      history.at(c, slot) = from.history(k)[c];
  }
};

} // namespace dem
