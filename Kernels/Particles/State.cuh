// The particles' state as kernels see it.
//
// Between steps a state stands "before the closing half kick": positions and forces of time t;
// velocity + velocity_rest is the velocity of t - dt/2, velocity alone the prediction for t that
// the forces were computed with. So the forces shown at t are a pure function of the state, and a
// saved state continues with the same bits. This is Velocity Verlet's; what the sum is with another
// integrator, and what else it keeps, stands with it (Integrators/). `velocity` is always what
// forces see.
#pragma once

#include "BroadPhase/SortedGrid.cuh"
#include "Physics/ContactLaw.cuh"
#include "Core/Vec.h"
#include "Particles/EnergyBooks.cuh"

#include <cstdint>

namespace dem
{

/// What a particle alone reads and writes of itself besides.
template <class Real>
struct alignas(2 * sizeof(Real)) Traveled
{
  Real turned_z; // see StateView::turned
  Real path;     // since the list was built: no less than the distance from there
};

template <class Real>
struct StateView
{
  Vec4<double>* position;    // w = radius
  Vec4<Real>* velocity;      // w = mass
  Vec4<Real>* spin;          // w = material
  Vec4<Real>* velocity_rest; // w = turned.x; of a part of a body its shape
  Vec4<Real>* spin_rest;     // w = turned.y
  Vec4<double>* orientation; // x y z w = the quaternion's w x y z, of a few steps ago: `turned` is
                             // what came since
  Traveled<Real>* traveled;  // null for parts of bodies, which stand as `orientation` says
  Vec4<Real>* force;         // of the contacts
  Vec4<Real>* torque;
  EnergyBooks books;
  Vec3d* listed; // position when the list was built
  std::int64_t* id;

  /// The turn since `orientation`, as x, y, z of its quaternion: so a small turn has all digits of
  /// Real, and a step touches 24 bytes instead of 64 for it.
  DEM_HD Vec3<Real> turned(std::uint32_t i) const
  {
    return { velocity_rest[i].w, spin_rest[i].w, traveled[i].turned_z };
  }
};

template <class Real>
struct Load
{
  Vec3<Real> force{}, torque{};
};

/// Where a drift writes what others read of a particle: the state itself, or memory beside it where
/// others still read the state.
template <class Real>
struct Moved
{
  Vec4<double>* position;
  Vec4<Real>*velocity, *spin;
};

/// Lets kernels that were queued too early return at once, and carries errors. Steps count from the
/// start of a batch.
struct StepControl
{
  unsigned long long stop_step; // first step after whose drift the list no longer holds
  unsigned long long error;     // lowest (step, kind, id) of a failure: see packError
  unsigned removed;             // particles that left since the list was built

  static constexpr unsigned long long kNone = ~0ull;

  /// Whether the drift of batch step b must not run: an earlier step stopped or failed.
  DEM_HD bool driftHalted(unsigned b) const { return stop_step < b || (error >> 44) < b; }
  /// Whether the forces of batch step b must not be computed.
  DEM_HD bool forceHalted(unsigned b) const { return stop_step <= b || (error >> 44) < b; }
};

enum class FailureKind : unsigned
{
  NotFinite = 0,
  Overlap = 1
};

DEM_HD unsigned long long packError(unsigned step, FailureKind kind, std::int64_t id)
{
  return static_cast<unsigned long long>(step) << 44 | static_cast<unsigned long long>(kind) << 42 |
    (static_cast<unsigned long long>(id) & ((1ull << 42) - 1));
}

/// Adds `d` to the pair (sum, rest) so that nothing is lost to rounding (Knuth's two-sum).
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
