// The layout of a saved state, format version 7. Little endian. An element count (u64) precedes
// each array.
//
// - u32 'PGSS', u32 version, u32 bytes of a Real (4 or 8), u32 history columns, u32 integrator
//   (IntegratorKind), u64 particles, u64 step, f64 time step
// - u64 x 6 fingerprints of the scene (SceneFingerprints.h), 2 x 3 f64 borders of its domain,
//   3 f64 gravity
// - u64 lost particles, f64 energy at the start (J), grains that left: each i64 Id, 3 f64 position,
//   f64 energy
// - energies dissipated, of stiffness changes, of walls (EnergyBooks.cuh): i32 unit (2^unit J),
//   3 x (u64 low, u64 high)
// - events: u64 count, each f64 time, string property, f64 array value
// - in ascending Id: position (4 f64); velocity, spin, velocity rest, spin rest (4 Real each);
//   orientation (4 f64) and the turn since (1 Real: z of StateView::turned, whose x and y are w of
//   the rests); force, torque (4 Real each); what the integrator keeps (Gear: 6 arrays of 4 Real);
//   id (i64)
// - pair contacts, each once, in the row of its lower Id: row starts (u32, particles + 1),
//   neighbour Id (i64), flags (u8), history (Real, column after column)
// - wall contacts, the same with the element number (u32)
// - averages of the run (u8; none in a scene without): u64 fingerprint of grid and times,
//   u64 samples; for each field the sums of TimeAverage: weight, weight^2 (f64), count (i32) a
//   cell; first, linear, squared, product (f64) a component
// - rigid bodies that are not one sphere each, also those that left (none in a scene of spheres;
//   else the particles above are their parts, numbered by Id): id (i64), shape (i32), then 4 f64
//   each: centre and radius (x = 1e150: gone), orientation, velocity and mass, angular momentum and
//   material, principal moments of inertia and scale
#pragma once

#include "Core/Bytes.h"

#include <cstdint>

namespace dem
{

constexpr std::uint32_t kSnapshotMagic = 0x53534750; // "PGSS"
constexpr std::uint32_t kSnapshotVersion = 7;
constexpr std::uint32_t kSnapshotVersionNoExits =
  6; // no borders, which are in the fingerprint of the domain; no gravity, energy at the start,
     // grains that left
constexpr std::uint32_t kSnapshotVersionWholeTurns =
  5; // nothing has been turned since `orientation`
constexpr std::uint32_t kSnapshotVersionSpheres =
  4; // it has neither bodies nor a fingerprint of shapes
// The energies of lost particles (unit 2^-80 J) stand where the totals stand now, those of the
// others behind the integrator's: 3 f64 each.
constexpr std::uint32_t kSnapshotVersionAccounts = 3;
constexpr std::uint32_t kSnapshotVersionNoAverages = 2; // it ends before the averages
constexpr std::uint32_t kSnapshotVersionVerletOnly =
  1; // nor is an integrator in it: Velocity Verlet

} // namespace dem
