// Description of a simulation: particles, walls, materials, contact model, domain, times. Plain
// host data in SI units and radians. Scene/Describe.h describes each property.
#pragma once

#include "BroadPhase/BroadPhaseOptions.h"
#include "Physics/ContactModel.h"
#include "Physics/FluidModel.h"
#include "Physics/HeatModel.h"
#include "Core/Event.h"
#include "Core/Vec.h"
#include "NeighborList/NeighborListOptions.h"
#include "Shapes/Shape.h"
#include "Scene/AveragesOptions.h"
#include "Scene/IntegratorKind.h"
#include "Spray/Nozzle.h"
#include "Walls/Wall.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dem
{

struct FluidField; // Fluid/FluidField.h

/// Temperature of grains that are given none, K.
constexpr double kInitialTemperature = 293.15;

/// One entry per particle; optional vectors are empty or of the same length as `radius`.
struct ParticleInput
{
  std::vector<Vec3d> position;         ///< m
  std::vector<double> radius;          ///< m, > 0; for other shapes: of the sphere of equal volume
  std::vector<Vec3d> velocity;         ///< m/s, optional (0)
  std::vector<Vec3d> angular_velocity; ///< rad/s, optional (0)
  std::vector<Quaternion<double>> orientation; ///< optional (identity)
  std::vector<std::int64_t> id;                ///< optional (0 .. n-1), unique, >= 0
  std::vector<std::int32_t> material;          ///< index into Scene::materials, optional (0)
  std::vector<std::int32_t>
    shape; ///< index into Scene::shapes, optional (0); `position` is the centre of mass
  std::vector<double> temperature; ///< K, >= 0, optional (Scene::initial_temperature)

  std::size_t size() const { return radius.size(); }
};

/// Behaviour of the two borders of the domain on an axis.
enum class Exit
{
  Wall,    ///< the borders are walls
  Remove,  ///< grains whose centre crosses a border are removed
  Periodic ///< grains enter again on the other side
};

/// Box that bounds the simulation.
struct Domain
{
  bool limited = true;                         ///< false: without borders
  Vec3d lower{ -1, -1, -1 }, upper{ 1, 1, 1 }; ///< m
  std::array<Exit, 3> exit{ Exit::Wall, Exit::Wall, Exit::Wall };
  int wall_material = 0;       ///< material of borders with Exit::Wall
  bool automatic = false;      ///< setAutomaticDomain() sets `lower` and `upper`
  std::array<bool, 3> given{}; ///< axes that setAutomaticDomain() leaves unchanged
};

/// Number types of the solver.
enum class Precision
{
  Mixed, ///< positions double, forces and history single, velocities single with a stored
         ///< rounding error
  Double ///< all double
};

/// Checkpoint files of a case. They have no effect on the result.
struct StoreOptions
{
  double interval = 0; ///< s of simulated time between two files; 0 = none
  int kept = 2;        ///< files that are kept, the newest; 0 = all
  std::string file;    ///< names of the files come from it, as run_000012.dem-checkpoint
  std::string restart; ///< checkpoint that the run starts from; empty = the initial particles
};

/// Everything that defines a run, except the device.
struct Scene
{
  std::vector<Material> materials{ Material{} };
  std::vector<MaterialPair> pairs;
  std::vector<Shape> shapes{ makeSphere() }; ///< the first is the sphere
  ParticleInput particles;
  /// For each material, whether particles use it. Needed if `particles` were released; if empty, it
  /// is derived from `particles`.
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
  /// m, 0 = automatic: sqrt(7 u d), limited to 0.002 d to 0.5 d. u is the path of the fastest grain
  /// or wall in a step, d the mean diameter. With grouped contacts (CUDA, many grains at rest) the
  /// factor is 1.2 instead of 7.
  double skin = 0;
  bool contact_statistics = false;
  /// K, of particles whose temperature is not given. Other values than the default keep the column
  /// Temperature in the run, see Particles/Columns.h.
  double initial_temperature = kInitialTemperature;
  HeatOptions heat;
  /// Largest accepted initial overlap of two particles, as a fraction of the smaller radius.
  double initial_overlap_tolerance = 0.05;
  /// If true, particles with larger overlaps are moved apart before the run; otherwise the scene is
  /// refused.
  bool relax_initial_overlaps = false;
  /// Changes during the run, ascending in time: Gravity (3 numbers, m/s^2); a steered coefficient
  /// of material 0 (1 number), or of material 1 with the prefix `Wall`; WallRate (wall index,
  /// rad/s); WallVelocity (wall index, 3 numbers, m/s); WallTemperature (wall index, K);
  /// WallHeatFlux (wall index, W/m^2). See Scene/Steering.h.
  std::vector<Event> events;
  AveragesOptions averages;
  std::vector<Nozzle> nozzles; ///< their spray coats grains and walls, without effect on the motion
  SprayOptions spray;
  FluidOptions fluid;
  StoreOptions store;
  /// The flow around the grains; null: the same everywhere, as `fluid` says.
  std::shared_ptr<const FluidField> fluid_field;
};

} // namespace dem
