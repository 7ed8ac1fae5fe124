// Layout of a saved state, format version 11, and its earlier versions. Used by StateWriter.cuh,
// StateReader.cuh and Snapshot.cpp. Little endian. An element count (u64) precedes each array.
//
// - u32 'PGSS', u32 version, u32 bytes of a Real (4 or 8), u32 history columns, u32 integrator
//   (IntegratorKind), u64 particles, u64 step, f64 time step
// - u64 x 6 fingerprints of the scene (SceneFingerprints.h), 2 x 3 f64 borders of its domain,
//   3 f64 gravity
// - u64 lost particles, f64 energy balance at the start (J), grains that left: each i64 Id, 3 f64
//   position, f64 energy
// - totals of dissipated energy, stiffness work and wall work (EnergyBooks.cuh): i32 unit
//   (2^unit J), 3 x (u64 low, u64 high)
// - events: u64 count, each f64 time, string property, f64 array value
// - in ascending Id: position (4 f64); velocity, spin, velocity rest, spin rest (4 Real each);
//   orientation (4 f64); z of StateView::turned (1 Real), whose x and y are w of the rests; force,
//   torque (4 Real each); vectors of the integrator (Gear: 6 arrays of 4 Real); id (i64)
// - pair contacts, each once, in the row of its lower Id: row starts (u32, particles + 1),
//   neighbour Id (i64), flags (u8), history (Real, column after column)
// - wall contacts: likewise, with the index of the wall element (u32) instead of the neighbour Id
// - averages of the run (u8; empty without averages): u64 fingerprint of grid and times,
//   u64 samples; for each field the sums of TimeAverage: weight, weight^2 (f64), count (i32) per
//   cell; first, linear, squared, product (f64) per component
// - rigid bodies, including those that left: id (i64), shape (i32), then 4 f64 each: centre and
//   radius (x = 1e150: left), orientation, velocity and mass, angular momentum and material,
//   principal moments of inertia and scale. Empty if all grains are spheres; otherwise the
//   particles above are the parts of the bodies, numbered by Id.
// - passive columns of the particles (kPassiveColumns of Columns.h): u32 count, each string name,
//   f64 array in ascending Id. A state without any is written as format 7, which ends before.
// - heat (u8; empty without heat transfer): time steps between two steps of the temperatures (u32),
//   time step of the last one (u64) and its length in time steps (u32), i32 unit (2^unit J), then
//   two u64 (low, high) of each total of HeatTotals
// - coating by a spray (u8; empty before the first sample of a nozzle): fingerprint of each nozzle
//   without its end (u64 array), n of the patches (i32), number of wall elements (u64), samples of
//   each nozzle (u64 array), end of each (f64 array, s); rays emitted, on grains, on walls, missed
//   (4 u64), mass sprayed (f64, kg); of each grain that was hit, in ascending Id: Id (i64), hits
//   (i64), mass (f64, kg), time in the spray (f64, s), mass of its patches (f64); mass on each wall
//   element (f64). A state without heat and coating is written as format 8 or 7, which end before.
// - fluid (u8): time steps between two void fractions (u32), step of the last one (u64), work of
//   the fluid on the grains: i32 unit (2^unit J), u64 low, u64 high; void fraction of each cell
//   (f64 array, x fastest). A computed flow (`FlowSolver::save`, `AveragedFlow::save`) writes: step
//   of the last exchange and steps to the next (2 u64), factor of the inlets (f64), grains outside
//   (u32), FlowLimits of the last step (5 u64), work and impulse as totals (each i32 unit, three
//   times two u64); cells (3 i32), rounds (u32) and residual (f64) of the last solve; velocities at
//   the faces (3 f64 arrays, by entry of FlowGrid), pressure, void fraction and drag of the cells
//   (6 f64 arrays); impulses of the last step on the grains along x, y, z, in ascending Id (3 f64
//   arrays). A state without a fluid is written as format 9 or less, which end before.
#pragma once

#include "Core/Bytes.h"

#include <cstdint>

namespace dem
{

constexpr std::uint32_t kSnapshotMagic = 0x53534750; // "PGSS"
constexpr std::uint32_t kSnapshotVersion = 11;
constexpr std::uint32_t kSnapshotVersionNoImpulses = 10; // ends before those of a computed flow
constexpr std::uint32_t kSnapshotVersionNoFluid = 9;     // ends before the fluid
constexpr std::uint32_t kSnapshotVersionNoHeat = 8;      // ends before heat and coating
constexpr std::uint32_t kSnapshotVersionNoPassive = 7;   // ends before the passive columns
constexpr std::uint32_t kSnapshotVersionNoExits =
  6; // no borders (the fingerprint of the domain includes them), no gravity, no energy balance at
     // the start, no grains that left
constexpr std::uint32_t kSnapshotVersionWholeTurns =
  5; // no z of StateView::turned; `orientation` is up to date
constexpr std::uint32_t kSnapshotVersionSpheres = 4; // no bodies, no fingerprint of shapes
// The energies of lost particles (unit 2^-80 J) are at the position of the present totals. Those of
// the other particles follow the vectors of the integrator, 3 f64 each.
constexpr std::uint32_t kSnapshotVersionAccounts = 3;
constexpr std::uint32_t kSnapshotVersionNoAverages = 2; // ends before the averages
constexpr std::uint32_t kSnapshotVersionVerletOnly =
  1; // as 2, and no integrator, which is Velocity Verlet

} // namespace dem
