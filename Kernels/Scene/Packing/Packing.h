// Initial particles: lattice, jittered lattice, random; in a box or inside a closed surface.
#pragma once

#include "Scene/Packing/PackingLimits.h"
#include "Scene/Scene.h"

namespace dem
{

enum class PackingKind
{
  Lattice,         ///< simple cubic, `spacing` centre distance
  JitteredLattice, ///< lattice moved by up to `jitter` times the free gap
  Random           ///< random sequential addition without overlap
};

enum class RadiusKind
{
  Single,
  Uniform,   ///< between radius_min and radius_max
  Normal,    ///< mean, deviation, cut to [radius_min, radius_max]
  LogNormal, ///< median `radius`, `radius_deviation` of ln r, cut to [radius_min, radius_max]
  Tabulated  ///< radii with number fractions
};

struct PackingSpec
{
  PackingKind kind = PackingKind::JitteredLattice;
  Vec3d lower{ -0.05, -0.05, 0 }, upper{ 0.05, 0.05, 0.1 }; ///< box, m; spheres lie wholly inside
  std::int64_t count = 0; ///< 0 = as many as fit (Random: up to 30 % solid volume)
  double spacing =
    0; ///< m, 0 = 2.02 times the largest radius; for other shapes than the sphere times `reach`
  double jitter = 0.9; ///< -, in [0, 1]
  RadiusKind radius_kind = RadiusKind::Single;
  double radius = 0.004, radius_min = 0.003, radius_max = 0.005, radius_deviation = 0.0005; ///< m
  std::vector<double> table_radius, table_fraction;
  int material = 0;
  int shape = 0;      ///< index into Scene::shapes
  double reach = 1;   ///< bounding radius of the shape over its radius: bounding spheres stay apart
  bool turned = true; ///< at random, for other shapes than the sphere
  Vec3d velocity{}, angular_velocity{};
  std::uint64_t seed = 1;
  /// A closed surface of triangles, oriented outward or inward, that grains lie inside; empty =
  /// the box alone.
  std::vector<Vec3d> region_points;
  std::vector<std::array<std::int32_t, 3>> region_triangles;
};

/// Makes the particles of a packing. The same spec gives the same bits on every machine. Throws
/// dem::Error for a bad radius, if nothing fits, and if the count cannot be placed; the message
/// states how many could.
ParticleInput makePacking(const PackingSpec& spec);

/// The same under `limits`; throws dem::Error also if they do not suffice.
ParticleInput makePacking(const PackingSpec& spec, const PackingLimits& limits);

} // namespace dem
