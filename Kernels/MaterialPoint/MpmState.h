// The layout of a saved MPM state, format version 4, and its parts that do not depend on the
// device. Little endian; every array is preceded by its element count (u64).
//
//   u32 'PGMP', u32 version, u32 bytes per Real (4 or 8), u32 spline, u64 fingerprint of the scene
//   (the part of it that a state depends on), u64 step, f64 time step, u64 sub-steps, u64 lost
//   points, the points that left (each i64 rank of the Id, i64 step, 3 f64 place), u64 Newton
//   iterations, u64 Hessian products, f32 speed, f32 speed of points, f64 largest CFL number, u64
//   number of changes under way so far, each f64 time, property and numbers, u64 points at the
//   start, u64 entries, then in the order of the device's memory (on which sums depend): 8 columns
//   of 4 Real, volume (Real), bin (u32), rank of the Id (u32), material (u8): see PointsView.cuh.
//   With walls: the force on each of their elements, 3 f64.
#pragma once

#include "Core/Bytes.h"
#include "MaterialPoint/MpmScene.h"
#include "MaterialPoint/RunTotals.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpm
{

constexpr std::uint32_t kStateMagic = 0x504d4750; // "PGMP"
constexpr std::uint32_t kStateVersion =
  4; ///< versions 3 (without points that left) and 2 (also without changes) can be read

/// A hash of what the meaning of a state depends on: the members whose rows in MpmDescribe.h are in
/// the fingerprint. Gravity, times and transfers may change. `points`: number of points of the
/// scene. The hash is part of the format of saved states, so it must stay the same in later
/// versions.
std::uint64_t fingerprint(const Scene& scene, std::size_t points);

/// What a saved state has to agree with.
struct StateOwner
{
  Spline spline;
  std::uint64_t fingerprint;
  double time_step;
  std::uint32_t points; ///< at the start
  std::uint32_t blocks; ///< of the domain
  double mass;          ///< kg, of all points at the start
  std::size_t materials;
  bool walls;
  std::size_t wall_elements;
};

// Parts of a state, in the order of its layout.

/// Everything before the points that left.
void writeHead(dem::SnapshotWriter& writer, std::uint32_t bytes_per_real, const StateOwner& owner,
  std::uint64_t step, const RunTotals& totals);
/// Everything between the points that left and the changes under way.
void writeCounts(dem::SnapshotWriter& writer, std::uint64_t newton_iterations,
  std::uint64_t hessian_products, const RunTotals& totals);

} // namespace mpm
