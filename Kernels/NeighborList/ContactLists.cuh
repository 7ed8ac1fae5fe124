// The arrays of one list of pairs and of one list of wall contacts, with the flags and history of
// their contacts.
#pragma once

#include "Core/Array.h"
#include "NeighborList/BuildList.cuh"
#include "NeighborList/ListView.cuh"

#include <cstdint>

namespace dem
{

/// Candidate pairs, a row a particle (ListView), and the contacts among them.
template <class Exec, class Real>
struct PairList
{
  template <class T>
  using Buffer = Array<T, Exec>;

  explicit PairList(Exec& e)
    : entries(e)
    , row_start(e)
    , count(e)
    , shared_contact(e)
    , first_owned(e)
    , group_counts(e)
    , group_rows(e)
    , flags(e)
    , history(e)
  {
  }

  Buffer<std::uint32_t> entries, row_start, count, shared_contact, first_owned, group_counts;
  Buffer<std::uint64_t> group_rows;
  Buffer<std::uint8_t> flags;
  Buffer<Real> history;
  bool shared = true;   // the two slots of a pair share one contact
  bool grouped = false; // contacts are grouped, see GroupedContacts

  ListView view()
  {
    return { entries.data(), row_start.data(), count.data(),
      shared ? shared_contact.data() : nullptr, first_owned.data(), groups() };
  }
  GroupedContacts groups()
  {
    if (!grouped)
      return {};
    return { group_counts.data(), group_rows.data(),
      static_cast<std::uint32_t>(group_rows.size() / 2), flags.data() };
  }
  ContactSlots<Real> slots() { return { flags.data(), { history.data(), flags.size() } }; }
};

/// Wall elements near particles, a row each particle that has some (WallListView).
template <class Exec, class Real>
struct WallList
{
  template <class T>
  using Buffer = Array<T, Exec>;

  explicit WallList(Exec& e)
    : entries(e)
    , start(e)
    , particle(e)
    , row_of(e)
    , flags(e)
    , history(e)
  {
  }

  Buffer<std::uint32_t> entries, start, particle, row_of;
  Buffer<std::uint8_t> flags;
  Buffer<Real> history;
  std::uint32_t rows = 0; // at most, while the sizes of a rebuild have not been read

  WallListView view() { return { entries.data(), start.data(), particle.data(), rows }; }
  ContactSlots<Real> slots() { return { flags.data(), { history.data(), flags.size() } }; }
};

/// Makes room for the contacts of a list and marks all as not touching: without a flag a history is
/// not read.
template <class List>
void resizeContacts(List& list, std::size_t contacts, int columns)
{
  list.flags.resize(contacts, 1.1);
  list.history.resize(contacts * columns, 1.1);
  list.flags.zero();
}

/// Copies what a contact remembers from one list to another.
template <class Real, class List>
SlotCopier<Real> slotCopier(List& from, List& to, int columns)
{
  const ContactSlots<Real> a = from.slots(), b = to.slots();
  return { a.flags, a.history, b.flags, b.history, columns };
}

} // namespace dem
