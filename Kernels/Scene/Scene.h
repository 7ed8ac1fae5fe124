// What is simulated: particles, walls, materials, law, domain, times. Plain data in SI units and
// radians, without a device. Each property is described in Scene/Describe.h.
#pragma once

#include "BroadPhase/BroadPhaseOptions.h"
#include "Physics/ContactModel.h"
#include "Core/Event.h"
#include "Core/Vec.h"
#include "NeighborList/NeighborListOptions.h"
#include "Shapes/Shape.h"
#include "Scene/AveragesOptions.h"
#include "Scene/IntegratorKind.h"
#include "Walls/Wall.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace dem
{

/// One entry per particle; optional vectors are empty or of the same length as `radius`.
struct ParticleInput
{
  std::vector<Vec3d> position;         ///< m
  std::vector<double> radius;          ///< m, > 0; of other shapes: of the sphere of equal volume
  std::vector<Vec3d> velocity;         ///< m/s, optional (0)
  std::vector<Vec3d> angular_velocity; ///< rad/s, optional (0)
  std::vector<Quaternion<double>> orientation; ///< optional (identity)
  std::vector<std::int64_t> id;                ///< optional (0 .. n-1), unique, >= 0
  std::vector<std::int32_t> material;          ///< index into Scene::materials, optional (0)
  std::vector<std::int32_t>
    shape; ///< index into Scene::shapes, optional (0); position is that of the centre of mass

  std::size_t size() const { return radius.size(); }
};

enum class Exit
{
  Wall,
  Remove,
  Periodic
};

struct Domain
{
  bool limited = true;
  Vec3d lower{ -1, -1, -1 }, upper{ 1, 1, 1 }; ///< m
  std::array<Exit, 3> exit{ Exit::Wall, Exit::Wall, Exit::Wall };
  int wall_material = 0;       ///< of the borders with Exit::Wall
  bool automatic = false;      ///< lower and upper come from setAutomaticDomain()
  std::array<bool, 3> given{}; ///< axes whose borders setAutomaticDomain() keeps
};

enum class Precision
{
  Mixed, ///< positions double, forces and history single, velocities single with a carried
         ///< remainder
  Double
};

struct Scene
{
  std::vector<Material> materials{ Material{} };
  std::vector<MaterialPair> pairs;
  std::vector<Shape> shapes{ makeSphere() }; ///< the first is the sphere
  ParticleInput particles;
  /// Whether particles use a material, for a scene whose `particles` were released; empty: derived
  /// from `particles`.
  std::vector<bool> particle_materials;
  std::vector<Wall> walls;
  Domain domain;
  Vec3d gravity{ 0, 0, -9.81 }; ///< m/s^2
  ContactModel contact;
  double time_step = 0;          ///< s, 0 = automatic
  double end_time = 1;           ///< s
  double output_interval = 0.01; ///< s
  Precision precision = Precision::Mixed;
  IntegratorKind integrator = IntegratorKind::VelocityVerlet;
  BroadPhaseOptions broad_phase;
  NeighborListOptions neighbor_list;
  /// m, 0 = automatic: sqrt(7 u d), limited to 0.002 to 0.5 d, with u the way of the fastest grain
  /// or wall in a step and d the mean diameter; 1.2 instead of 7 if many grains rest on a CUDA
  /// device, whose lists are then grouped.
  double skin = 0;
  bool contact_statistics = false;
  /// Largest overlap of two initial particles, as a fraction of the smaller radius, that is
  /// accepted.
  double initial_overlap_tolerance = 0.05;
  /// Before the run, move particles apart that overlap more; otherwise the scene is refused.
  bool relax_initial_overlaps = false;
  /// Changes during the run, ascending in time: Gravity (3 numbers); a coefficient of material 0
  /// that is steered (1 number), with `Wall` in front of material 1; WallRate (wall index, rad/s);
  /// WallVelocity (wall index, 3 numbers). See Scene/Steering.h.
  std::vector<Event> events;
  AveragesOptions averages;
};

} // namespace dem
