// Kernels that choose the particles to send to other parts, and move them. Used by Subdomain.cuh.
#pragma once

#include "Core/Algorithms.h"
#include "Core/Atomic.cuh"
#include "Domain/Partition.h"
#include "NeighborList/GhostBits.h"
#include "Particles/State.cuh"

#include <cstdint>

namespace dem
{

constexpr std::uint32_t kNoPlace = 0xffffffffu;

/// Lists of particles for each part: list p begins at places[p * room]. counts[p]: its length, which
/// may exceed the room. Within a list the order varies.
struct PartLists
{
  std::uint32_t *places, *counts;
  std::uint32_t room;

  DEM_HD void add(int part, std::uint32_t i) const
  {
    const std::uint32_t at = atomicGrow(&counts[part], 1u);
    if (at < room)
      places[std::size_t(part) * room + at] = i;
  }
};

/// Lists the owned particles that are in the box of another part. Counts those that left.
struct FindMigrants
{
  const Vec4<double>* position;
  GhostBits ghosts;
  Partition partition;
  int own;
  PartLists lists;
  std::uint32_t* left;

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (ghosts.has(i))
      return;
    const Vec3d x = position[i].xyz();
    if (isGone(x.x))
    {
      atomicGrow(left, 1u);
      return;
    }
    const int part = partition.part(x);
    if (part != own)
      lists.add(part, i);
  }
};

/// Lists the owned particles that another part needs as ghosts: those that a particle in its box
/// may meet. `reach`: gap (m) up to which pairs are listed, plus the largest radius.
struct FindHalo
{
  const Vec4<double>* position;
  GhostBits ghosts;
  const PartBox* boxes;
  Periodic box;
  int parts, own;
  double reach;
  PartLists lists;

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (ghosts.has(i))
      return;
    const Vec4<double> x = position[i];
    if (isGone(x.x))
      return;
    const double far = (x.w + reach) * (1 + 1e-12);
    for (int p = 0; p < parts; ++p)
      if (p != own && boxes[p].distance2(x.xyz(), box) <= far * far)
        lists.add(p, i);
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
    to[k] = k < n && !ghosts.has(k * every) ? position[k * every].xyz()
                                            : Vec3d{ kGone, kGone, kGone };
  }
};

/// Moves the lists behind each other: list p begins at starts[p].
struct JoinLists
{
  PartLists lists;
  std::uint32_t starts[kMostParts + 1];
  int parts;
  std::uint32_t* to;

  DEM_HD void operator()(std::uint32_t k) const
  {
    int p = 0;
    while (k >= starts[p + 1])
      ++p;
    to[k] = lists.places[std::size_t(p) * lists.room + (k - starts[p])];
  }
};

/// to[place[k]] = from[k]; from need not be aligned beyond 4 bytes.
template <class T>
struct ScatterArray
{
  const T* from;
  const std::uint32_t* place;
  T* to;

  DEM_HD void operator()(std::uint32_t k) const { to[place[k]] = from[k]; }
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
  const std::int64_t* arriving;
  const std::uint64_t* present; // ascending
  const std::uint32_t* place_of;
  std::uint32_t n;
  std::uint32_t *place, *is_new, *found;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const auto wanted = static_cast<std::uint64_t>(arriving[k]);
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

/// Gives new arrivals the places behind `n`.
struct PlaceArrivals
{
  const std::uint32_t* before; // new ones before each arrival
  std::uint32_t n;
  std::uint32_t* place;

  DEM_HD void operator()(std::uint32_t k) const
  {
    if (place[k] == kNoPlace)
      place[k] = n + before[k];
  }
};

/// Marks present particles that no part sends any more as gone.
template <class Real>
struct DropUnfound
{
  StateView<Real> state;
  const std::uint32_t *place_of, *found;
  std::uint32_t* dropped; // their number

  DEM_HD void operator()(std::uint32_t k) const
  {
    if (found[k])
      return;
    const std::uint32_t i = place_of[k];
    state.position[i] = { kGone, kGone, kGone, state.position[i].w };
    atomicGrow(dropped, 1u);
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
    to[k] = { HaloRecord<Real>::of(state, i), state.position[i].w, state.id[i],
      state.velocity[i].w, state.spin[i].w };
  }
};
struct IdsOfGhosts
{
  const void* ghosts;
  std::size_t stride, offset;
  std::int64_t* id;

  DEM_HD void operator()(std::uint32_t k) const
  {
    id[k] = *reinterpret_cast<const std::int64_t*>(
      static_cast<const unsigned char*>(ghosts) + k * stride + offset);
  }
};
/// Fills the columns of new ghosts; those that only their owners use are those of a particle at
/// rest.
template <class Real>
struct ReadGhosts
{
  StateView<Real> state;
  const std::uint32_t* place;
  const GhostRecord<Real>* from;
  std::uint32_t first_new; // smaller places were ghosts before

  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::uint32_t i = place[k];
    if (i < first_new)
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
  }
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

/// Reads the halo of a step from all other parts.
template <class Real>
struct ReadHalo
{
  /// What another part sent.
  struct Source
  {
    const HaloRecord<Real>* records;
    const HaloHead* head;
    std::uint32_t begin; // of its ghosts in `place`
  };

  StateView<Real> state;
  StepControl* control;
  unsigned batch_step;
  const std::uint32_t* place;
  const Source* sources; // in the order of `begin`
  int count;
  std::uint32_t n;

  DEM_HD void operator()(std::uint32_t k) const
  {
    if (k >= n)
    {
      const HaloHead head = *sources[k - n].head;
      atomicLower(&control->stop_step, head.stop_step);
      atomicLower(&control->error, head.error);
      return;
    }
    if (control->driftHalted(batch_step))
      return;
    int s = count - 1;
    while (k < sources[s].begin)
      --s;
    sources[s].records[k - sources[s].begin].put(state, place[k]);
  }
};

} // namespace dem
