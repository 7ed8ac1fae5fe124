// A spray nozzle as a scene defines it, and the options of the spray. Plain data in SI units and
// radians.
#pragma once

#include "Core/Vec.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dem
{

/// Distribution of the rays of a nozzle over the directions of its cone.
enum class SprayProfile
{
  Uniform, ///< uniform in solid angle
  /// Normal distribution on a plane across the axis. The density at the edge of the cone is exp(-2)
  /// of that on the axis; the distribution ends there.
  Gaussian
};

inline constexpr const char* kSprayProfileNames[] = { "Uniform", "Gaussian" };

/// Search for the first grain that a ray meets. All find the same grain, to the bit.
enum class RaySearch
{
  Automatic,   ///< UniformGrid, or BVH where the cells of the grid would be crowded
  UniformGrid, ///< cell by cell through a uniform grid (Amanatides and Woo 1987)
  BVH,         ///< linear bounding volume hierarchy (Karras 2012)
  EveryGrain   ///< all grains, for tests; not a choice of the panel
};

inline constexpr const char* kRaySearchNames[] = { "Automatic", "Uniform Grid", "BVH" };

struct Nozzle
{
  std::string name = "Nozzle";
  Vec3d position{};       ///< m
  Vec3d axis{ 0, 0, -1 }; ///< direction of the spray
  Vec3d up{ 1, 0, 0 };    ///< the plane of `full_angle` of a flat spray contains it
  double full_angle = 0.78539816339744828; ///< rad, opening of the cone
  double across_angle = 0; ///< rad, opening across it, for flat sprays; 0 = a round cone
  SprayProfile profile = SprayProfile::Uniform;
  double mass_rate = 1e-3; ///< kg/s; 0: it sends no rays
  int rays = 100000;       ///< of each sample
  double interval = 0.01;  ///< s between samples
  double start = 0;        ///< s
  double stop = 1e300;     ///< s
  int seed = 0;
  std::string moves_with; ///< name of the wall whose motion carries the nozzle; empty: it rests
};

/// Options of the spray of all nozzles.
struct SprayOptions
{
  RaySearch search = RaySearch::Automatic;
  int patches = 0; ///< n: 6 n^2 patches of each grain; 0: none
};

/// Throws dem::Error for a nozzle that cannot spray. `index` is named in the message. `walls`:
/// names of the walls of the scene.
void validateNozzle(const Nozzle& nozzle, std::size_t index, const std::vector<std::string>& walls);

/// Throws dem::Error for options out of their range.
void validateSpray(const SprayOptions& options);

/// Unit vectors of the spray: its axis, the direction in which FullAngle opens, which is that of Up
/// if Up is not along the axis, and the direction across both.
struct NozzleFrame
{
  Vec3d axis, first, across;
};
NozzleFrame nozzleFrame(const Nozzle& nozzle);

/// Time (s) that a sample at `time` stands for: up to the next sample, `interval` later, or to the
/// end of the spray. 0 at and after the end. The end counts to 1e-6 of the interval, so that
/// rounding adds no sample.
double sampleDuration(const Nozzle& nozzle, double time, double interval);

} // namespace dem
