// Views of neighbour lists, as force loops read them, and of the data stored for each contact.
// Every kind of list offers the same view.
#pragma once

#include "NeighborList/GhostBits.h"

#include <cstddef>
#include <cstdint>

namespace dem
{

/// Contacts of 32 neighbouring particles, stored as one group with a fixed number of slots. Pairs
/// inside the group come first and are evaluated once, by the particle of lower Id. Pairs with
/// particles outside follow; each side keeps its own copy. Entries, flags and history are indexed
/// by contact. A group with too many contacts is stored ungrouped, behind all groups, one contact a
/// slot.
struct GroupedContacts
{
  static constexpr std::uint32_t kGroup = 32;
  static constexpr std::uint32_t kContacts = 168; // most contacts of a group
  // most of them between particles of the group
  static constexpr std::uint32_t kWithin = 256 - kContacts;
  static constexpr std::uint32_t kRow = 16; // most slots of a row
  // in `counts`: the group is stored ungrouped
  static constexpr std::uint32_t kAsTheyAre = 1u << 31;
  static_assert(kContacts + kWithin <= 256, "a code is a byte");

  std::uint32_t* counts; // of each group: contacts | contacts inside the group << 16
  // Codes of slots, one byte each; a word holds eight slots of a row, and words of the same slots
  // are `stride` apart. A code is the number of the contact in its group, plus kContacts if the
  // other particle's row evaluates it.
  std::uint64_t* rows;
  std::uint32_t stride;
  const std::uint8_t* flags; // of contacts; they hold the lane of the evaluating particle

  /// First contact of particle i's group.
  DEM_HD static std::uint32_t firstOf(std::uint32_t i) { return i / kGroup * kContacts; }
  /// Contacts that the groups of n particles have room for.
  DEM_HD static std::uint32_t roomOf(std::uint32_t n)
  {
    return (n + kGroup - 1) / kGroup * kContacts;
  }
  /// Whether the contacts of particle i are grouped.
  DEM_HD bool has(std::uint32_t i) const { return counts && !(counts[i / kGroup] & kAsTheyAre); }
  /// Slots 8 k to 8 k + 7 of particle i's row, the first in the lowest byte.
  DEM_HD std::uint64_t& codes(std::uint32_t i, std::uint32_t k) const
  {
    return rows[k * std::size_t(stride) + i];
  }
  DEM_HD std::uint8_t* code(std::uint32_t i, std::uint32_t slot) const
  {
    return reinterpret_cast<std::uint8_t*>(&codes(i, slot / 8)) + slot % 8;
  }
  DEM_HD static bool isOfOther(std::uint32_t code) { return code >= kContacts; }
  DEM_HD static std::uint32_t contactOf(std::uint32_t code)
  {
    return isOfOther(code) ? code - kContacts : code;
  }
  DEM_HD static std::uint32_t contactsOf(std::uint32_t counts) { return counts & 0xffffu; }
};

/// Candidates of particle i: count[i] slots from start(i) on, in ascending neighbour Id. Each pair
/// is stored in both rows; rows are contiguous.
///
/// Contacts are numbered in one of three ways.
/// - Shared: the row of the lower Id evaluates the contact, and both slots refer to it. Numbers
///   follow the order of the evaluating rows.
/// - By slot: each row evaluates all of its contacts, and each slot is a contact of its own. Both
///   sides compute the same bits.
/// - Grouped (see GroupedContacts): rows of grouped particles have no entries in memory, and at()
///   decodes their slots. Only runs of spheres on CUDA with the default list make them.
struct ListView
{
  std::uint32_t* entries;
  const std::uint32_t* row_start;
  std::uint32_t* count;
  // Contact of each slot, with kLowerId as NumberContacts sets it; null if each slot is a contact.
  std::uint32_t* shared_contact;
  // First contact that each row evaluates, n + 1 values; not read if slots are contacts.
  const std::uint32_t* first_owned;
  GroupedContacts groups{}; // unused (null) if contacts are not grouped

  static constexpr std::uint32_t kLowerId = 0x80000000u; // the neighbour has the lower Id
  static constexpr std::uint32_t kIndex = 0x7fffffffu;
  // Slots that the CPU prefetches ahead; the last slot is followed by this number of zeros.
  static constexpr std::uint32_t kAhead = 32;

  DEM_HD std::uint32_t start(std::uint32_t i) const { return row_start[i]; }
  /// Contact of a slot. Not for grouped lists.
  DEM_HD std::uint32_t contact(std::uint32_t slot) const
  {
    return shared_contact ? shared_contact[slot] & kIndex : slot;
  }

  /// Entry of a slot and its contact.
  struct Slot
  {
    std::uint32_t entry, contact;
  };
  /// Decodes a slot of particle i; for all kinds of lists.
  DEM_HD Slot at(std::uint32_t i, std::uint32_t slot) const
  {
    if (!groups.has(i))
      return { entries[slot], contact(slot) };
    const std::uint32_t code = *groups.code(i, slot - start(i)),
                        contact = GroupedContacts::firstOf(i) + GroupedContacts::contactOf(code);
    if (!GroupedContacts::isOfOther(code))
      return { entries[contact], contact };
    return { (i / GroupedContacts::kGroup * GroupedContacts::kGroup +
               ownerOf(groups.flags[contact])) |
        kLowerId,
      contact };
  }

  /// Whether the row of particle i evaluates the contact of this entry.
  DEM_HD bool evaluates(std::uint32_t i, std::uint32_t entry) const
  {
    if (!(entry & kLowerId))
      return true;
    const bool within = (entry & kIndex) / GroupedContacts::kGroup == i / GroupedContacts::kGroup;
    return !shared_contact && !(within && groups.has(i));
  }
  /// Number of particle i's neighbours with lower Ids; they come first in its row. Only if contacts
  /// are shared.
  DEM_HD std::uint32_t lower(std::uint32_t i) const
  {
    return count[i] - (first_owned[i + 1] - first_owned[i]);
  }
  /// First slot of particle i whose neighbour may have the higher Id.
  DEM_HD std::uint32_t higher(std::uint32_t i) const
  {
    return start(i) + (shared_contact ? lower(i) : 0);
  }

  // If slots are contacts, or contacts are grouped, the upper bits of a flag byte hold the index of
  // the evaluating particle modulo 32.
  DEM_HD static std::uint32_t ownerOf(std::uint32_t flags) { return flags >> 3; }
  DEM_HD static std::uint32_t flagsOfOwner(std::uint32_t i) { return i % 32 << 3; }
};

/// Ids excluded from a particle's candidates: those of the parts of its own rigid body, including
/// itself. Empty if bodies have one part.
struct BodyIds
{
  // Body of each part Id; first part of each body, with one value more. Null: no exclusions.
  const std::uint32_t *body, *first_part;

  struct Range
  {
    std::int64_t first;
    std::uint64_t count;

    DEM_HD bool has(std::int64_t id) const
    {
      return static_cast<std::uint64_t>(id - first) < count;
    }
  };
  DEM_HD Range of(std::int64_t id) const
  {
    if (!body)
      return { 0, 0 };
    const std::uint32_t b = body[id];
    return { first_part[b], first_part[b + 1] - first_part[b] };
  }
};

/// Destination of the rows of a new list. Groups of 32 rows are written in any order. Rows beyond
/// `room` entries are counted but not written.
struct NewRows
{
  std::uint32_t *entries, *row_start, *count; // as in ListView
  // Number of entries reserved, initially 0. With `groups` only entries of ungrouped rows, which
  // begin at `first`.
  unsigned long long* taken;
  std::uint32_t room;
  const std::int64_t* id;
  // Output of FindCrowded; null if not needed.
  std::uint32_t *crowded = nullptr, *crowded_groups = nullptr;
  // At most 5, so that a group lies within a warp.
  unsigned crowded_shift = 0;
  BodyIds own = { nullptr, nullptr };
  // Groups to be made if rows are found by tiles; null counts: none.
  GroupedContacts groups{};
  std::uint32_t first = 0;
  unsigned long long* candidates = nullptr; // with `groups`: number of all entries, initially 0
  GhostBits ghosts{};                       // they have empty rows
};

constexpr std::uint32_t kNoRow = 0xffffffffu; // a particle without wall candidates

/// Wall candidates: row k belongs to particle `particle[k]`. Its elements are entries[start[k] ..
/// start[k + 1]), in ascending order.
struct WallListView
{
  std::uint32_t* entries;
  const std::uint32_t* start;
  const std::uint32_t* particle;
  std::uint32_t rows;
};

/// Columns of contact history: column c of contact s is data[c * capacity + s].
template <class Real>
struct HistoryColumns
{
  Real* data;
  std::size_t capacity;

  DEM_HD Real& at(int column, std::size_t slot) const { return data[column * capacity + slot]; }

  DEM_HD void clear(int columns, std::size_t slot) const
  {
    for (int c = 0; c < columns; ++c)
      at(c, slot) = Real(0);
  }
};

/// Flags and history of contacts, indexed by contact.
template <class Real>
struct ContactSlots
{
  std::uint8_t* flags;
  HistoryColumns<Real> history;
};

/// Bits of a contact's flag byte.
enum ContactFlag : std::uint8_t
{
  kTouching = 1,
  kSliding = 2,
  kContactFlags = 3, // mask of the bits kept between steps
  kActiveNow = 4,    // within one wall pass only
  kHandedOn = 8,     // within one wall pass only
  kJoined = 16       // within one wall pass only
};

} // namespace dem
