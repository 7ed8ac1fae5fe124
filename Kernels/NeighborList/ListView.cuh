// The one view of a neighbour list that a force loop sees, whatever kind made it.
#pragma once

#include "Core/HostDevice.h"

#include <cstddef>
#include <cstdint>

namespace dem
{

/// Where contacts are numbered by groups of 32 particles that lie together, with room for equally
/// many each: first those of two of its own, which the row of the lower Id has evaluated, then
/// those with others, each side of which is a contact of its own. So a group's contacts are
/// evaluated once, but those with others. Entries and what contacts remember lie by contact. The
/// rows of a group that has too many lie behind all groups as they are, a contact a slot.
struct GroupedContacts
{
  static constexpr std::uint32_t kGroup = 32;
  static constexpr std::uint32_t kContacts = 168;           // of a group, at most
  static constexpr std::uint32_t kWithin = 256 - kContacts; // of two of its own, at most
  static constexpr std::uint32_t kRow = 16;                 // slots of a row, at most
  static constexpr std::uint32_t kAsTheyAre = 1u << 31;     // in place of both counts
  static_assert(kContacts + kWithin <= 256, "a code is a byte");

  std::uint32_t* counts; // of each group: contacts, and those of two of its own << 16
  // Eight slots of a row each, `stride` numbers apart: a slot's contact in its group, or kContacts
  // more where the other particle's row has it evaluated.
  std::uint64_t* rows;
  std::uint32_t stride;
  const std::uint8_t* flags; // of contacts, which tell whose they are

  /// Where the contacts of particle i's group begin.
  DEM_HD static std::uint32_t firstOf(std::uint32_t i) { return i / kGroup * kContacts; }
  /// How many those of n particles have room for.
  DEM_HD static std::uint32_t roomOf(std::uint32_t n)
  {
    return (n + kGroup - 1) / kGroup * kContacts;
  }
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
/// stands in both rows; rows lie one behind the other.
///
/// A pair's contact is evaluated by the row of its lower Id, which both slots point to, and
/// contacts are numbered in the order of the rows that evaluate them. Or each row evaluates all of
/// its contacts, and each slot is a contact of its own: then both sides' have the same bits. Or
/// contacts are numbered by groups: then rows of groups lie nowhere, their slots are but numbers,
/// and at() says what stands there. Who asks otherwise (the CPU, bodies, other kinds of lists)
/// never sees such lists.
struct ListView
{
  std::uint32_t* entries;
  const std::uint32_t* row_start;
  std::uint32_t* count;
  std::uint32_t*
    shared_contact; // of each slot, and kLowerId as NumberContacts says; null where each is its own
  const std::uint32_t* first_owned; // contact that each particle's row evaluates, n + 1; not read
                                    // where slots are contacts
  GroupedContacts groups{};         // if there are

  static constexpr std::uint32_t kLowerId = 0x80000000u; // the neighbour has the lower Id
  static constexpr std::uint32_t kIndex = 0x7fffffffu;
  static constexpr std::uint32_t kAhead =
    32; // slots by which the CPU fetches memory early; as many zeros follow its last

  DEM_HD std::uint32_t start(std::uint32_t i) const { return row_start[i]; }
  /// Of a list without groups.
  DEM_HD std::uint32_t contact(std::uint32_t slot) const
  {
    return shared_contact ? shared_contact[slot] & kIndex : slot;
  }

  /// What stands in a slot of particle i, and its contact.
  struct Slot
  {
    std::uint32_t entry, contact;
  };
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

  /// Whether the row of particle i evaluates the contact of one of its entries.
  DEM_HD bool evaluates(std::uint32_t i, std::uint32_t entry) const
  {
    if (!(entry & kLowerId))
      return true;
    const bool within = (entry & kIndex) / GroupedContacts::kGroup == i / GroupedContacts::kGroup;
    return !shared_contact && !(within && groups.has(i));
  }
  /// How many of particle i's neighbours have lower Ids, the first of its row. Where contacts are
  /// shared.
  DEM_HD std::uint32_t lower(std::uint32_t i) const
  {
    return count[i] - (first_owned[i + 1] - first_owned[i]);
  }
  /// The first of particle i's slots that may be of a higher Id.
  DEM_HD std::uint32_t higher(std::uint32_t i) const
  {
    return start(i) + (shared_contact ? lower(i) : 0);
  }

  // Where slots are contacts, or contacts are grouped, a flag byte also tells whose row evaluates
  // it, among 32 particles.
  DEM_HD static std::uint32_t ownerOf(std::uint32_t flags) { return flags >> 3; }
  DEM_HD static std::uint32_t flagsOfOwner(std::uint32_t i) { return i % 32 << 3; }
};

/// Ids that are no candidates of a particle: those of the parts of its own rigid body, its own
/// among them; none where bodies have one part.
struct OwnIds
{
  const std::uint32_t *body, *first_part; // of each part Id, of each body and one more; null: none

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

/// Where the rows of a list go as they are made, groups of 32 in any order. What does not fit into
/// `room` entries is counted but not written.
struct NewRows
{
  std::uint32_t *entries, *row_start, *count; // as in ListView
  unsigned long long* taken; // entries in all, 0 before; with `groups` those of rows as they are,
                             // which begin at `first`
  std::uint32_t room;
  const std::int64_t* id;
  std::uint32_t *crowded = nullptr, *crowded_groups = nullptr; // see FindCrowded; null: nobody asks
  unsigned crowded_shift = 0;                                  // at most 5: groups of a warp's
  OwnIds own = { nullptr, nullptr };
  GroupedContacts groups{}; // to be made, where rows are found by tiles; or none
  std::uint32_t first = 0;
  unsigned long long* candidates = nullptr; // with `groups`: entries in all, 0 before
};

constexpr std::uint32_t kNoRow = 0xffffffffu; // of a particle without wall candidates

/// Wall candidates: row k belongs to particle `particle[k]`, its elements ascend in
/// entries[start[k] .. start[k + 1]).
struct WallListView
{
  std::uint32_t* entries;
  const std::uint32_t* start;
  const std::uint32_t* particle;
  std::uint32_t rows;
};

/// Columns of contact history as they lie in memory: column c of contact s at data[c * capacity +
/// s].
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

/// What contacts remember: flags and history, by contact.
template <class Real>
struct ContactSlots
{
  std::uint8_t* flags;
  HistoryColumns<Real> history;
};

/// What a contact's flag byte says.
enum ContactFlag : std::uint8_t
{
  kTouching = 1,
  kSliding = 2,
  kContactFlags = 3, // what a contact remembers
  kActiveNow = 4,    // within one wall pass only
  kHandedOn = 8,     // within one wall pass only
  kJoined = 16       // within one wall pass only
};

} // namespace dem
