// Kernels that choose the particles to send to other parts, and move them. Used by Subdomain.cuh.
#pragma once

#include "Bodies/BodyView.cuh"
#include "Core/Algorithms.h"
#include "Core/Atomic.cuh"
#include "Domain/Partition.cuh"
#include "NeighborList/GhostBits.h"
#include "Particles/State.cuh"

#include <cstddef>
#include <cstdint>

namespace dem
{

constexpr std::uint32_t kNoPlace = 0xffffffffu;

/// Whether a part needs a particle as a ghost: one of its own may meet it before the next rebuild.
struct HaloTest
{
  const PartBox* boxes;
  Periodic box;
  // m: gap up to which pairs are listed, plus the largest radius, plus the distance from which
  // particles of a part may stand out of its box
  double reach;

  DEM_HD bool operator()(const Vec4<double>& x, int part) const
  {
    const double far = (x.w + reach) * (1 + 1e-12);
    return boxes[part].distance2(x.xyz(), box) <= far * far;
  }
};

/// Numbers that a part finds before an exchange.
struct MoveCounts
{
  std::uint32_t leaving[kMostParts]; // own particles in the box of each part
  std::uint32_t halo[kMostParts];    // own ones that stay, and that each part needs as ghosts
  std::uint32_t left;                // own ones that left the run
  // of those that leave for the first part, what the second one needs
  std::uint32_t halo_of_leaving[kMostParts][kMostParts];
};

/// The particle whose place decides which part owns a particle: the first part of its body.
struct OwningPlace
{
  const std::int64_t* id;
  const std::uint32_t *body, *first_part, *place; // of BodyView; null: bodies have one part

  DEM_HD std::uint32_t of(std::uint32_t i) const
  {
    return body ? place[first_part[body[id[i]]]] : i;
  }
};

/// Lists the own particles that leave for other parts, and those that stay and are needed there.
struct FindMoves
{
  const Vec4<double>* position;
  OwningPlace owning;
  GhostBits ghosts;
  Partition partition;
  int own;
  HaloTest near;
  MoveCounts* counts;
  std::uint32_t *leaving, *halo; // `room` places for each part
  std::uint32_t room;

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (ghosts.has(i))
      return;
    const Vec4<double> x = position[i];
    if (isGone(x.x))
    {
      atomicGrow(&counts->left, 1u);
      return;
    }
    const int part = partition.part(position[owning.of(i)].xyz());
    if (part != own)
      add(leaving, counts->leaving, part, i);
    for (int p = 0; p < partition.parts; ++p)
      if (p != part && near(x, p))
      {
        if (part == own)
          add(halo, counts->halo, p, i);
        else
          atomicGrow(&counts->halo_of_leaving[part][p], 1u);
      }
  }

private:
  DEM_HD void add(std::uint32_t* lists, std::uint32_t* lengths, int part, std::uint32_t i) const
  {
    const std::uint32_t at = atomicGrow(&lengths[part], 1u);
    if (at < room)
      lists[std::size_t(part) * room + at] = i;
  }
};

/// Adds arrivals to the lists of ghosts for other parts, behind those that were here.
struct AddArrivals
{
  const Vec4<double>* position;
  const std::uint32_t* place;
  HaloTest near;
  int parts, own;
  std::uint32_t starts[kMostParts]; // where the arrivals of each list begin
  std::uint32_t *added, *to;        // `added`: of each list, initially 0

  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::uint32_t i = place[k];
    for (int p = 0; p < parts; ++p)
      if (p != own && near(position[i], p))
        to[starts[p] + atomicGrow(&added[p], 1u)] = i;
  }
};

/// Writes the place of every k-th particle; kGone for ghosts, those that left, and beyond `n`.
struct SamplePlaces
{
  const Vec4<double>* position;
  GhostBits ghosts;
  std::uint32_t every, n;
  Vec3d* to;

  DEM_HD void operator()(std::uint32_t k) const
  {
    to[k] =
      k < n && !ghosts.has(k * every) ? position[k * every].xyz() : Vec3d{ kGone, kGone, kGone };
  }
};

/// Copies lists that begin at multiples of `room` to places[to[p] ..].
struct JoinLists
{
  const std::uint32_t* lists;
  std::uint32_t room;
  int parts;
  std::uint32_t before[kMostParts + 1]; // entries of earlier lists
  std::uint32_t to[kMostParts];
  std::uint32_t* places;

  DEM_HD void operator()(std::uint32_t k) const
  {
    int p = 0;
    while (k >= before[p + 1])
      ++p;
    places[to[p] + (k - before[p])] = lists[std::size_t(p) * room + (k - before[p])];
  }
};

/// The state of bodies in the records of their particles. Only that of the first part is used.
struct BodyWords
{
  static constexpr std::uint32_t kVectors = 4,
                                 kWords = kVectors * sizeof(Vec4<double>) / sizeof(std::uint64_t);

  BodyView bodies;
  bool any; // the particles are parts of bodies

  std::uint32_t words() const { return any ? kWords : 0; }

  DEM_HD void pack(std::int64_t id, std::uint64_t* to) const
  {
    if (!any)
      return;
    const std::uint32_t b = bodies.body[id];
    for (std::uint32_t v = 0; v < kVectors; ++v)
      for (std::uint32_t w = 0; w < kWords / kVectors; ++w)
        *to++ = reinterpret_cast<const std::uint64_t*>(vector(v) + b)[w];
  }
  DEM_HD void unpack(std::int64_t id, const std::uint64_t* from) const
  {
    if (!any || bodies.first_part[bodies.body[id]] != id)
      return;
    const std::uint32_t b = bodies.body[id];
    for (std::uint32_t v = 0; v < kVectors; ++v)
      for (std::uint32_t w = 0; w < kWords / kVectors; ++w)
        reinterpret_cast<std::uint64_t*>(vector(v) + b)[w] = *from++;
  }

private:
  DEM_HD Vec4<double>* vector(std::uint32_t v) const
  {
    return v == 0 ? bodies.centre
      : v == 1    ? bodies.orientation
      : v == 2    ? bodies.velocity
                  : bodies.momentum;
  }
};
/// Marks the bodies of particles that have left for another part.
struct LeaveBodies
{
  BodyView bodies;
  const std::int64_t* id;
  const std::uint32_t* place;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::int64_t part = id[place[k]];
    if (bodies.first_part[bodies.body[part]] == part)
      bodies.setElsewhere(bodies.body[part]);
  }
};

/// All columns of the particles, as words of 8 bytes. A record has the values of one particle, and
/// those of BodyWords.
struct ColumnWords
{
  static constexpr int kMost = 32;

  std::uint64_t* columns[kMost];
  std::uint32_t words[kMost]; // of a value
  int count;
  std::uint32_t record; // words of all values
  std::uint32_t id;     // word of the Id in a record

  template <class T>
  void add(T* values)
  {
    static_assert(sizeof(T) % 8 == 0, "columns are copied in words of 8 bytes");
    columns[count] = reinterpret_cast<std::uint64_t*>(values);
    words[count] = sizeof(T) / 8;
    ++count;
    record += sizeof(T) / 8;
  }
};
/// The Id in a record.
DEM_HD std::int64_t idOf(const ColumnWords& columns, const std::uint64_t* record)
{
  return static_cast<std::int64_t>(record[columns.id]);
}
struct PackColumns
{
  ColumnWords from;
  BodyWords of_bodies;
  const std::uint32_t* place;
  std::uint64_t* records;

  DEM_HD void operator()(std::uint32_t k) const
  {
    std::uint64_t* to = records + std::size_t(k) * from.record;
    for (int c = 0; c < from.count; ++c)
      for (std::uint32_t w = 0; w < from.words[c]; ++w)
        *to++ = from.columns[c][std::size_t(place[k]) * from.words[c] + w];
    of_bodies.pack(idOf(from, records + std::size_t(k) * from.record), to);
  }
};
struct UnpackColumns
{
  ColumnWords to;
  BodyWords of_bodies;
  const std::uint32_t* place;
  const std::uint64_t* records;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::uint64_t* from = records + std::size_t(k) * to.record;
    for (int c = 0; c < to.count; ++c)
      for (std::uint32_t w = 0; w < to.words[c]; ++w)
        to.columns[c][std::size_t(place[k]) * to.words[c] + w] = *from++;
    of_bodies.unpack(idOf(to, records + std::size_t(k) * to.record), from);
  }
};

/// Sort keys of present particles: their Ids.
struct KeysOfPlaces
{
  const std::int64_t* id;
  const std::uint32_t* place;
  std::uint64_t* key;

  DEM_HD void operator()(std::uint32_t k) const
  {
    key[k] = static_cast<std::uint64_t>(id[place[k]]);
  }
};

/// Finds the places of arriving Ids among the particles that are present, in ascending Id; kNoPlace
/// for others, which have is_new[k] = 1. Marks the present ones that were found.
struct FindArrivals
{
  const std::int64_t* arriving; // in records of `stride` words
  std::uint32_t stride;
  const std::uint64_t* present; // ascending
  const std::uint32_t* place_of;
  std::uint32_t n;
  std::uint32_t *place, *is_new, *found;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const auto wanted = static_cast<std::uint64_t>(arriving[k * std::size_t(stride)]);
    std::uint32_t low = 0, high = n;
    while (low < high)
    {
      const std::uint32_t middle = low + (high - low) / 2;
      if (present[middle] < wanted)
        low = middle + 1;
      else
        high = middle;
    }
    const bool here = low < n && present[low] == wanted;
    place[k] = here ? place_of[low] : kNoPlace;
    is_new[k] = here ? 0u : 1u;
    if (here)
      found[low] = 1;
  }
};

/// Gives new arrivals the places behind `n` and those that arrived earlier.
struct PlaceArrivals
{
  const std::uint32_t* before; // new ones before each arrival
  std::uint32_t n;
  const std::uint32_t* earlier; // number of new ones that arrived earlier; null: none
  std::uint32_t* place;

  DEM_HD void operator()(std::uint32_t k) const
  {
    if (place[k] == kNoPlace)
      place[k] = n + (earlier ? *earlier : 0) + before[k];
  }
};

/// Marks present particles that no part sends any more as gone.
template <class Real>
struct DropUnfound
{
  StateView<Real> state;
  const std::uint32_t *place_of, *found;

  DEM_HD void operator()(std::uint32_t k) const
  {
    if (found[k])
      return;
    const std::uint32_t i = place_of[k];
    state.position[i] = { kGone, kGone, kGone, state.position[i].w };
  }
};

/// Sets or clears the bits of ghosts.
struct SetGhosts
{
  std::uint32_t* words;
  const std::uint32_t* place;
  bool ghost;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::uint32_t i = place[k], bit = 1u << i % 32;
    if (ghost)
      atomicSetBits(&words[i / 32], bit);
    else
      atomicClearBits(&words[i / 32], bit);
  }
};

/// The bits of ghosts after particles were reordered; word by word.
struct ReorderGhosts
{
  GhostBits before;
  const std::uint32_t* index; // old place of each particle
  std::uint32_t n;
  std::uint32_t* words;

  DEM_HD void operator()(std::uint32_t word) const
  {
    std::uint32_t bits = 0;
    for (std::uint32_t b = 0; b < 32 && 32 * word + b < n; ++b)
      bits |= static_cast<std::uint32_t>(before.has(index[32 * word + b])) << b;
    words[word] = bits;
  }
};

/// new_place[index[k]] = k
struct InvertOrder
{
  const std::uint32_t* index;
  std::uint32_t* new_place;

  DEM_HD void operator()(std::uint32_t k) const { new_place[index[k]] = k; }
};
struct Renumber
{
  const std::uint32_t* new_place;
  std::uint32_t* place;

  DEM_HD void operator()(std::uint32_t k) const { place[k] = new_place[place[k]]; }
};

} // namespace dem
