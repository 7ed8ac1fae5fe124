// Input of all analysis: grains and the contacts between them as plain arrays, from a running
// simulation or from a file of any code.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dem
{

/// Memory that holds an array: the host's (kHostMemory), or that of the CUDA device with this
/// number. Analysis on that device reads the array in place; any other device throws dem::Error.
/// Functions that do not mention device memory expect host memory.
using MemoryPlace = int;
constexpr MemoryPlace kHostMemory = -1;

/// Spheres, as arrays of `size` entries. A null array means that the quantity is not given.
/// Vectors have three numbers per grain.
struct Grains
{
  std::size_t size = 0;
  MemoryPlace memory = kHostMemory;         ///< of all arrays
  const double* position = nullptr;         ///< 3, m
  const double* radius = nullptr;           ///< m, > 0
  const std::int64_t* id = nullptr;         ///< unique, in any order; null: the index
  const double* mass = nullptr;             ///< kg
  const double* velocity = nullptr;         ///< 3, m/s
  const double* angular_velocity = nullptr; ///< 3, rad/s
  const std::int32_t* material = nullptr;   ///< species
  const double* temperature = nullptr;      ///< K
};

/// Contacts between two grains, or between a grain and a wall. Each contact occurs once. Forces act
/// on the first grain.
struct GrainContacts
{
  static constexpr std::int64_t kWall = -1; ///< `second` of a contact with wall 0

  std::size_t size = 0;
  MemoryPlace memory = kHostMemory;     ///< of all arrays
  const std::int64_t* first = nullptr;  ///< index of a grain (not its Id)
  const std::int64_t* second = nullptr; ///< index of a grain; kWall - w for wall number w
  const double* first_place = nullptr;  ///< 3, m: centre of the first grain
  /// 3, m: centre of the second grain, as the image next to the first one on periodic axes; the
  /// contact point for a wall.
  const double* second_place = nullptr;
  /// 3, m: contact point; null: the middle of the overlap, see PointsInMidOverlap.
  const double* point = nullptr;
  const double* normal_force = nullptr;     ///< 3, N; null: forces are unknown
  const double* tangential_force = nullptr; ///< 3, N; null: none
  const double* overlap = nullptr;          ///< m; null: unknown
  const std::uint8_t* sliding = nullptr;    ///< 1 at the friction limit; null: unknown
  /// Grains are not spheres: the normal of a contact is the direction of its normal force, if
  /// given.
  bool shaped = false;
};

} // namespace dem
