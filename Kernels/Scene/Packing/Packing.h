// Packings of initial particles: lattice, jittered lattice or random, in a box or inside a closed
// surface. Used by the reader of .dem files and the filter DEM Packing.
#pragma once

#include "Scene/Packing/PackingLimits.h"
#include "Scene/Scene.h"

namespace dem
{

/// Arrangement of the grains.
enum class PackingKind
{
  Lattice,         ///< simple cubic, with the centre distance `spacing`
  JitteredLattice, ///< lattice with shifts of up to `jitter` times the free gap
  Random           ///< random sequential addition without overlap
};

/// Distribution of the radii.
enum class RadiusKind
{
  Single,
  Uniform,   ///< in [radius_min, radius_max]
  Normal,    ///< mean `radius`, `radius_deviation`, cut to [radius_min, radius_max]
  LogNormal, ///< median `radius`, `radius_deviation` of ln r, cut to [radius_min, radius_max]
  Tabulated  ///< radii with number fractions
};

/// Parameters of a packing.
struct PackingSpec
{
  PackingKind kind = PackingKind::JitteredLattice;
  Vec3d lower{ -0.05, -0.05, 0 }, upper{ 0.05, 0.05, 0.1 }; ///< box, m; contains all spheres
  std::int64_t count = 0; ///< 0 = maximum that fits (Random: up to 30 % solid volume)
  double spacing =
    0; ///< m, 0 = 2.02 times the largest radius; times `reach` for shapes other than spheres
  double jitter = 0.9; ///< -, in [0, 1]
  RadiusKind radius_kind = RadiusKind::Single;
  double radius = 0.004, radius_min = 0.003, radius_max = 0.005, radius_deviation = 0.0005; ///< m
  std::vector<double> table_radius, table_fraction;
  int material = 0;
  int shape = 0;      ///< index into Scene::shapes
  double reach = 1;   ///< bounding radius / radius of the shape; bounding spheres do not overlap
  bool turned = true; ///< random orientations, for shapes other than spheres
  Vec3d velocity{}, angular_velocity{};
  std::uint64_t seed = 1;
  /// Closed surface of triangles, oriented outward or inward, that contains all grains. Empty: only
  /// the box bounds the packing.
  std::vector<Vec3d> region_points;
  std::vector<std::array<std::int32_t, 3>> region_triangles;
};

/// Returns the particles of a packing. The same spec gives the same bits on every machine. Throws
/// dem::Error for an invalid radius, if no grain fits, and if `count` grains cannot be placed; the
/// message then states how many could be placed.
ParticleInput makePacking(const PackingSpec& spec);

/// As above. Also throws dem::Error if the packing exceeds `limits`.
ParticleInput makePacking(const PackingSpec& spec, const PackingLimits& limits);

} // namespace dem
