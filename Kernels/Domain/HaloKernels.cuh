// Kernels that send the ghosts of parts: once, when they are chosen, and in each step. Used by
// Halo.cuh and Subdomain.cuh.
#pragma once

#include "Bodies/BodyView.cuh"
#include "Core/Atomic.cuh"
#include "Domain/Partition.cuh"
#include "Particles/State.cuh"

#include <cstddef>
#include <cstdint>

namespace dem
{

/// What the halo reads and writes of the particles.
template <class Real>
struct HaloState
{
  Vec4<double>*position, *orientation;
  Vec4<Real>*velocity, *spin, *velocity_rest;
  float* path; // SurfacePaths::path; null: not needed, or not built yet
  Real shape;  // of spheres, as StateView::velocity_rest holds it

  static HaloState of(const StateView<Real>& s, float* path, Real shape)
  {
    return { s.position, s.orientation, s.velocity, s.spin, s.velocity_rest, path, shape };
  }
};

/// What a part sends of a particle in each step: what forces read of a neighbour.
template <class Real>
struct HaloRecord
{
  double x, y, z; // m
  Real velocity[3], spin[3];

  DEM_HD static HaloRecord of(const HaloState<Real>& s, std::uint32_t i)
  {
    const Vec4<double> p = s.position[i];
    const Vec4<Real> v = s.velocity[i], w = s.spin[i];
    return { p.x, p.y, p.z, { v.x, v.y, v.z }, { w.x, w.y, w.z } };
  }
  /// Radius, mass and material stay.
  DEM_HD void put(const HaloState<Real>& s, std::uint32_t i) const
  {
    s.position[i] = { x, y, z, s.position[i].w };
    s.velocity[i] = { velocity[0], velocity[1], velocity[2], s.velocity[i].w };
    s.spin[i] = { spin[0], spin[1], spin[2], s.spin[i].w };
  }
  /// Of a new ghost: what only its owner uses, and what stays.
  DEM_HD void begin(const HaloState<Real>& s, std::uint32_t i) const
  {
    s.velocity_rest[i] = { Real(0), Real(0), Real(0), s.shape };
    s.orientation[i] = { 1, 0, 0, 0 };
  }
};

/// The same where some grains are neither spheres nor clumps.
template <class Real>
struct TurnedRecord
{
  HaloRecord<Real> moved;
  double orientation[4]; // w x y z of the quaternion
  float path;            // SurfacePaths::path, m
  float shape;

  DEM_HD static TurnedRecord of(const HaloState<Real>& s, std::uint32_t i)
  {
    const Vec4<double> q = s.orientation[i];
    return { HaloRecord<Real>::of(s, i), { q.x, q.y, q.z, q.w }, s.path ? s.path[i] : 0.f,
      static_cast<float>(s.velocity_rest[i].w) };
  }
  DEM_HD void put(const HaloState<Real>& s, std::uint32_t i) const
  {
    moved.put(s, i);
    s.orientation[i] = { orientation[0], orientation[1], orientation[2], orientation[3] };
    if (s.path)
      s.path[i] = path;
  }
  DEM_HD void begin(const HaloState<Real>& s, std::uint32_t i) const
  {
    s.velocity_rest[i] = { Real(0), Real(0), Real(0), static_cast<Real>(shape) };
  }
};

/// A ghost as it is sent once: the record of a step, and what stays.
template <class Real, class Record>
struct GhostRecord
{
  Record now;
  double radius;
  std::int64_t id;
  Real mass, material;
};
template <class Real, class Record>
struct WriteGhosts
{
  HaloState<Real> state;
  const std::int64_t* id;
  const std::uint32_t* place;
  GhostRecord<Real, Record>* to;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::uint32_t i = place[k];
    to[k] = { Record::of(state, i), state.position[i].w, id[i], state.velocity[i].w,
      state.spin[i].w };
  }
};
/// Fills the columns of new ghosts; those that only their owners use are those of a particle at
/// rest.
template <class Real, class Record>
struct ReadGhosts
{
  static constexpr int kMostRates = 8;

  HaloState<Real> ghosts;
  StateView<Real> state;
  Traveled<Real>* traveled;
  Vec4<Real>* rates[kMostRates]; // of the integrator
  int rate_count;
  const std::uint32_t* place;
  const GhostRecord<Real, Record>* from;
  const std::uint32_t* is_new; // the others are here already

  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::uint32_t i = place[k];
    if (!is_new[k])
      return;
    const GhostRecord<Real, Record>& ghost = from[k];
    state.position[i].w = ghost.radius;
    state.velocity[i].w = ghost.mass;
    state.spin[i].w = ghost.material;
    ghost.now.begin(ghosts, i);
    ghost.now.put(ghosts, i);
    state.id[i] = ghost.id;
    state.spin_rest[i] = state.force[i] = state.torque[i] = {};
    traveled[i] = {};
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

/// Gathers the orientations of the bodies of particles, for ghosts elsewhere.
struct PackTurns
{
  BodyView bodies;
  const std::int64_t* id;
  const std::uint32_t* place;
  Vec4<double>* to;

  DEM_HD void operator()(std::uint32_t k) const
  {
    to[k] = bodies.orientation[bodies.body[id[place[k]]]];
  }
};
/// First of two kernels that take them for the bodies of ghosts: several ghosts may be parts of one
/// body, of which one is chosen.
struct ChooseTurns
{
  BodyView bodies;
  const std::int64_t* id;
  const std::uint32_t* place;
  std::uint32_t* chosen; // by body

  DEM_HD void operator()(std::uint32_t k) const
  {
    atomicSwap(&chosen[bodies.body[id[place[k]]]], k);
  }
};
struct TakeTurns
{
  BodyView bodies;
  const std::int64_t* id;
  const std::uint32_t* place;
  const std::uint32_t* chosen;
  const Vec4<double>* from;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::uint32_t b = bodies.body[id[place[k]]];
    if (chosen[b] == k)
      bodies.orientation[b] = from[k];
  }
};

/// What a part tells the others after each step.
struct HaloHead
{
  unsigned long long stop_step, error; // of StepControl
};

/// Writes the halo of a step for all other parts, and the stop flag.
template <class Real, class Record>
struct PackHalo
{
  HaloState<Real> state;
  const StepControl* control;
  unsigned batch_step;
  const std::uint32_t* place;
  Record* to;
  HaloHead* head;
  std::uint32_t n;

  DEM_HD void operator()(std::uint32_t k) const
  {
    if (k == n)
      *head = { control->stop_step, control->error };
    else if (!control->driftHalted(batch_step))
      to[k] = Record::of(state, place[k]);
  }
};

/// Where a part finds the ghosts that it has from another part.
template <class Real, class Record>
struct HaloSource
{
  std::uint32_t begin; // of the ghosts in `place`
  // packed: records in the order of the ghosts, and the stop flag
  const Record* records;
  const HaloHead* head;
  // else: the state and control of the other part
  const Vec4<double>* position;
  const Vec4<Real>*velocity, *spin;
  const StepControl* control;
};

/// Reads the halo of a step from all other parts. Not packed: without orientations and paths.
template <class Real, class Record, bool kPacked>
struct ReadHalo
{
  HaloState<Real> state;
  StepControl* control;
  unsigned batch_step;
  const std::uint32_t *place, *place_there; // of each ghost, here and at its owner
  std::uint32_t n;
  int count;
  HaloSource<Real, Record> sources[kMostParts]; // in the order of `begin`

  DEM_HD void operator()(std::uint32_t k) const
  {
    if (k >= n)
      return readStop(sources[k - n]);
    if (control->driftHalted(batch_step))
      return;
    int s = count - 1;
    while (k < sources[s].begin)
      --s;
    const HaloSource<Real, Record>& from = sources[s];
    const std::uint32_t i = place[k];
    if (kPacked)
      return from.records[k - from.begin].put(state, i);
    const std::uint32_t j = place_there[k];
    state.position[i] = from.position[j];
    state.velocity[i] = from.velocity[j];
    state.spin[i] = from.spin[j];
  }

private:
  DEM_HD void readStop(const HaloSource<Real, Record>& from) const
  {
    const HaloHead head =
      kPacked ? *from.head : HaloHead{ from.control->stop_step, from.control->error };
    atomicLower(&control->stop_step, head.stop_step);
    atomicLower(&control->error, head.error);
  }
};

} // namespace dem
