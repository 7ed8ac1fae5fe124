// Shared memory of the kernel that builds rows (BuildRows.cuh): its layout and sizes.
#pragma once

#include "NeighborList/ListView.cuh"

#include <cstddef>
#include <cstdint>

namespace dem
{

/// Shared memory of a block of BuildRows: first the particles that were copied and the candidates
/// found among them, then the rows.
struct RowMemory
{
  static constexpr unsigned kThreads = 128;
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
};

} // namespace dem
