// What the analysis reads: grains and the contacts between them as plain arrays, of a running
// simulation or of any other code's files.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dem
{

/// Whose memory arrays lie in: the host's, or that of the CUDA device with this number. What runs
/// on that device reads them in place, other devices refuse them; where it is not said that both
/// will do, host memory is meant.
using MemoryPlace = int;
constexpr MemoryPlace kHostMemory = -1;

/// Spheres. A null array is not there; vectors take three numbers a grain.
struct Grains
{
  std::size_t size = 0;
  MemoryPlace memory = kHostMemory;
  const double* position = nullptr;         ///< 3, m
  const double* radius = nullptr;           ///< m, > 0
  const std::int64_t* id = nullptr;         ///< unique, in any order; null: the index
  const double* mass = nullptr;             ///< kg
  const double* velocity = nullptr;         ///< 3, m/s
  const double* angular_velocity = nullptr; ///< 3, rad/s
  const std::int32_t* material = nullptr;   ///< species
};

/// Contacts, each once, between grains or of a grain with a wall. Forces act on the first grain.
struct GrainContacts
{
  static constexpr std::int64_t kWall =
    -1; ///< in place of a second grain: the wall with number -1 - second

  std::size_t size = 0;
  MemoryPlace memory = kHostMemory;
  const std::int64_t* first = nullptr;  ///< index of a grain (not its Id)
  const std::int64_t* second = nullptr; ///< index of a grain, or kWall - number of the wall
  const double* first_place = nullptr;  ///< 3, m: centre of the first grain
  const double* second_place = nullptr; ///< 3, m: centre of the second, next to the first where
                                        ///< periodic; of a wall its contact point
  const double* point =
    nullptr; ///< 3, m: contact point; null: in mid overlap, see PointsInMidOverlap
  const double* normal_force = nullptr;     ///< 3, N; null: forces are not known
  const double* tangential_force = nullptr; ///< 3, N; null: none
  const double* overlap = nullptr;          ///< m; null: not known
  const std::uint8_t* sliding = nullptr;    ///< 1 at the friction limit; null: not known
  bool shaped =
    false; ///< grains are no spheres: normals are those of the normal forces, where there are any
};

} // namespace dem
