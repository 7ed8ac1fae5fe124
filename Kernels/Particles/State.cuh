// Device views of the particles' arrays, and the control block of a batch of steps. Used by all
// kernels that read or move particles.
//
// Between two steps the closing half kick has not been applied yet. Positions and forces are those
// of time t. `velocity` is the prediction for t that the forces were computed with; with every
// integrator it is the velocity that forces read. With Velocity Verlet, velocity + velocity_rest is
// the velocity of t - dt/2. Solver/Integrators/ documents the meaning of the sum, and further
// arrays, for the other integrators. Forces at t therefore depend on the state alone, and a saved
// state continues with the same bits.
#pragma once

#include "BroadPhase/SortedGrid.cuh"
#include "Physics/ContactLaw.cuh"
#include "Core/Atomic.cuh"
#include "Core/Vec.h"
#include "Particles/EnergyBooks.cuh"

#include <cstdint>

namespace dem
{

/// Part of a particle that no other particle reads.
template <class Real>
struct alignas(2 * sizeof(Real)) Traveled
{
  Real turned_z; // see StateView::turned
  Real path;     // m, length travelled since the lists were built; at least the displacement
};

/// Heat of particles from the energy that their contacts dissipate: each side gets half, in whole
/// units, so that the order of the contacts has no effect. Kernels use it if LawParameters::heats.
struct HeatShare
{
  // Words of a total in the unit of EnergyBooks, by particle, since the last step of the
  // temperatures.
  unsigned long long *low, *high;
  double per_joule; // of EnergyBooks

  /// Gives particle i its half of the energy (J) that a contact dissipated in a step.
  DEM_HD void give(std::uint32_t i, double dissipated) const
  {
    EnergySum half;
    half.add(0.5 * dissipated * per_joule);
    EnergyBooks::addApart(&low[i], &high[i], half);
  }

  /// Energy (J) of particle i since the last step of the temperatures.
  DEM_HD double of(std::uint32_t i) const
  {
    const double high_word = static_cast<double>(static_cast<long long>(high[i]));
    return (high_word * 0x1p64 + static_cast<double>(low[i])) / per_joule * 0x1p-48;
  }
  /// Returns of(i) and sets it to 0.
  DEM_HD double take(std::uint32_t i) const
  {
    const double joule = of(i);
    low[i] = high[i] = 0;
    return joule;
  }
};

/// Arrays of all particles, one element per particle. SI units. Vec4 arrays carry a scalar in w.
template <class Real>
struct StateView
{
  Vec4<double>* position;    // w = radius
  Vec4<Real>* velocity;      // w = mass
  Vec4<Real>* spin;          // w = material
  Vec4<Real>* velocity_rest; // w = turned.x; for parts of bodies, the index of the shape
  Vec4<Real>* spin_rest;     // w = turned.y
  Vec4<double>* orientation; // x y z w = the quaternion's w x y z, a few steps old; the present
                             // one is turned() applied to it
  Traveled<Real>* traveled;  // null for parts of bodies, whose `orientation` is up to date
  Vec4<Real>* force;         // N, sum over the contacts, without gravity
  Vec4<Real>* torque;
  EnergyBooks books;
  Vec3d* listed; // position when the lists were built
  std::int64_t* id;
  HeatShare heat;

  /// Rotation since `orientation`, as x, y, z of a unit quaternion. Storing it apart keeps all
  /// digits of Real for a small rotation, and a step accesses 24 bytes instead of 64. Requires
  /// `traveled`.
  DEM_HD Vec3<Real> turned(std::uint32_t i) const
  {
    return { velocity_rest[i].w, spin_rest[i].w, traveled[i].turned_z };
  }
};

/// Force (N) and torque (N m) on a particle.
template <class Real>
struct Load
{
  Vec3<Real> force{}, torque{};
};

/// Output arrays of a drift, for the values that other particles read: the arrays of the state, or
/// separate memory while other threads still read the state.
template <class Real>
struct Moved
{
  Vec4<double>* position;
  Vec4<Real>*velocity, *spin;
};

/// Stop flag and error code of a batch. Kernels queued behind the stopping step return at once.
/// Steps count from the start of the batch.
struct StepControl
{
  unsigned long long stop_step; // first step whose drift made the lists invalid
  unsigned long long error;     // smallest packed failure, see packError()
  unsigned removed;             // particles that left since the lists were built

  static constexpr unsigned long long kNone = ~0ull;

  // Both values are read at once (|, not ||), so that a kernel waits for memory once.

  /// True if an earlier step stopped or failed, so that the drift of batch step b must not run.
  DEM_HD bool driftHalted(unsigned b) const { return (stop_step < b) | ((error >> 44) < b); }
  /// True if the forces of batch step b must not be computed.
  DEM_HD bool forceHalted(unsigned b) const { return (stop_step <= b) | ((error >> 44) < b); }
};

/// Failures that stop a run; the value is part of packError().
enum class FailureKind : unsigned
{
  NotFinite = 0,
  Overlap = 1,
  Drag = 2
};

/// Packs a failure: 20 bits of the step, 2 of the kind, 42 of the Id. The minimum over all failures
/// is the earliest one, so the reported failure does not depend on thread order.
DEM_HD unsigned long long packError(unsigned step, FailureKind kind, std::int64_t id)
{
  return static_cast<unsigned long long>(step) << 44 | static_cast<unsigned long long>(kind) << 42 |
    (static_cast<unsigned long long>(id) & ((1ull << 42) - 1));
}

/// Adds `d` to the pair (sum, rest). `rest` takes the rounding error of the sum (Knuth's two-sum).
template <class Real>
DEM_HD void addCarried(Real& sum, Real& rest, Real d)
{
  const Real y = d + rest;
  const Real s = sum + y;
  const Real part = s - sum;
  rest = (sum - (s - part)) + (y - part);
  sum = s;
}

} // namespace dem
