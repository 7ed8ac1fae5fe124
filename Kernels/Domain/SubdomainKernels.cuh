// Kernels that choose the particles to send to other parts, and move them. Used by Subdomain.cuh.
#pragma once

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
  double reach; // m, gap up to which pairs are listed, plus the largest radius

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

/// Lists the own particles that leave for other parts, and those that stay and are needed there.
struct FindMoves
{
  const Vec4<double>* position;
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
    const int part = partition.part(x.xyz());
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

/// All columns of the particles, as words of 8 bytes. A record has the values of one particle.
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
struct PackColumns
{
  ColumnWords from;
  const std::uint32_t* place;
  std::uint64_t* records;

  DEM_HD void operator()(std::uint32_t k) const
  {
    std::uint64_t* to = records + std::size_t(k) * from.record;
    for (int c = 0; c < from.count; ++c)
      for (std::uint32_t w = 0; w < from.words[c]; ++w)
        *to++ = from.columns[c][std::size_t(place[k]) * from.words[c] + w];
  }
};
struct UnpackColumns
{
  ColumnWords to;
  const std::uint32_t* place;
  const std::uint64_t* records;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::uint64_t* from = records + std::size_t(k) * to.record;
    for (int c = 0; c < to.count; ++c)
      for (std::uint32_t w = 0; w < to.words[c]; ++w)
        to.columns[c][std::size_t(place[k]) * to.words[c] + w] = *from++;
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

/// What a part sends of a particle in each step: what forces read of a neighbour.
template <class Real>
struct HaloRecord
{
  double x, y, z; // m
  Real velocity[3], spin[3];

  DEM_HD static HaloRecord of(const StateView<Real>& s, std::uint32_t i)
  {
    const Vec4<double> p = s.position[i];
    const Vec4<Real> v = s.velocity[i], w = s.spin[i];
    return { p.x, p.y, p.z, { v.x, v.y, v.z }, { w.x, w.y, w.z } };
  }
  /// Radius, mass and material stay.
  DEM_HD void put(const StateView<Real>& s, std::uint32_t i) const
  {
    s.position[i] = { x, y, z, s.position[i].w };
    s.velocity[i] = { velocity[0], velocity[1], velocity[2], s.velocity[i].w };
    s.spin[i] = { spin[0], spin[1], spin[2], s.spin[i].w };
  }
};

/// A ghost as it is sent once: HaloRecord, and what stays.
template <class Real>
struct GhostRecord
{
  HaloRecord<Real> now;
  double radius;
  std::int64_t id;
  Real mass, material;
};
template <class Real>
struct WriteGhosts
{
  StateView<Real> state;
  const std::uint32_t* place;
  GhostRecord<Real>* to;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::uint32_t i = place[k];
    to[k] = { HaloRecord<Real>::of(state, i), state.position[i].w, state.id[i], state.velocity[i].w,
      state.spin[i].w };
  }
};
/// Fills the columns of new ghosts; those that only their owners use are those of a particle at
/// rest.
template <class Real>
struct ReadGhosts
{
  static constexpr int kMostRates = 8;

  StateView<Real> state;
  Vec4<Real>* rates[kMostRates]; // of the integrator
  int rate_count;
  const std::uint32_t* place;
  const GhostRecord<Real>* from;
  const std::uint32_t* is_new; // the others are here already

  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::uint32_t i = place[k];
    if (!is_new[k])
      return;
    const GhostRecord<Real>& ghost = from[k];
    state.position[i].w = ghost.radius;
    state.velocity[i].w = ghost.mass;
    state.spin[i].w = ghost.material;
    ghost.now.put(state, i);
    state.id[i] = ghost.id;
    state.velocity_rest[i] = state.spin_rest[i] = state.force[i] = state.torque[i] = {};
    state.orientation[i] = { 1, 0, 0, 0 };
    state.traveled[i] = {};
    for (int k = 0; k < rate_count; ++k)
      rates[k][i] = {};
  }
};

/// Copies values of a list to their places in a column.
struct ScatterColumn
{
  const double* from;
  const std::uint32_t* place;
  double* column;

  DEM_HD void operator()(std::uint32_t k) const { column[place[k]] = from[k]; }
};

/// What a part tells the others after each step.
struct HaloHead
{
  unsigned long long stop_step, error; // of StepControl
};

/// Writes the halo of a step for all other parts, and the stop flag.
template <class Real>
struct PackHalo
{
  StateView<Real> state;
  const StepControl* control;
  unsigned batch_step;
  const std::uint32_t* place;
  HaloRecord<Real>* to;
  HaloHead* head;
  std::uint32_t n;

  DEM_HD void operator()(std::uint32_t k) const
  {
    if (k == n)
      *head = { control->stop_step, control->error };
    else if (!control->driftHalted(batch_step))
      to[k] = HaloRecord<Real>::of(state, place[k]);
  }
};

/// Where a part finds the ghosts that it has from another part.
template <class Real>
struct HaloSource
{
  std::uint32_t begin; // of the ghosts in `place`
  // packed: records in the order of the ghosts, and the stop flag
  const HaloRecord<Real>* records;
  const HaloHead* head;
  // else: the state and control of the other part
  const Vec4<double>* position;
  const Vec4<Real>*velocity, *spin;
  const StepControl* control;
};

/// Reads the halo of a step from all other parts.
template <class Real, bool kPacked>
struct ReadHalo
{
  StateView<Real> state;
  StepControl* control;
  unsigned batch_step;
  const std::uint32_t *place, *place_there; // of each ghost, here and at its owner
  std::uint32_t n;
  int count;
  HaloSource<Real> sources[kMostParts]; // in the order of `begin`

  DEM_HD void operator()(std::uint32_t k) const
  {
    if (k >= n)
      return readStop(sources[k - n]);
    if (control->driftHalted(batch_step))
      return;
    int s = count - 1;
    while (k < sources[s].begin)
      --s;
    const HaloSource<Real>& from = sources[s];
    const std::uint32_t i = place[k];
    if (kPacked)
      return from.records[k - from.begin].put(state, i);
    const std::uint32_t j = place_there[k];
    state.position[i] = from.position[j];
    state.velocity[i] = from.velocity[j];
    state.spin[i] = from.spin[j];
  }

private:
  DEM_HD void readStop(const HaloSource<Real>& from) const
  {
    const HaloHead head =
      kPacked ? *from.head : HaloHead{ from.control->stop_step, from.control->error };
    atomicLower(&control->stop_step, head.stop_step);
    atomicLower(&control->error, head.error);
  }
};

} // namespace dem
