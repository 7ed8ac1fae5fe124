// What is simulated: particles, walls, materials, law, domain, times. Plain data in SI units,
// radians, no device.
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
  std::vector<Vec3d> position; ///< m
  std::vector<double> radius;  ///< m, > 0; of a shape that is no sphere: of the sphere of equal
                               ///< volume, which says its size
  std::vector<Vec3d> velocity; ///< m/s, optional (0)
  std::vector<Vec3d> angular_velocity;         ///< rad/s, optional (0)
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
  int wall_material = 0;  ///< of the borders with Exit::Wall
  bool automatic = false; ///< lower and upper are those of setAutomaticDomain(): messages say so
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
  /// Which materials particles use, for a scene whose `particles` were dropped; empty = as
  /// `particles` say.
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
  /// m, 0 = automatic: sqrt(7 u d), u what the fastest grain or wall comes in a step; 0.002 to 0.5
  /// mean diameters d. With 1.2 for 7 where many grains rest on a CUDA device, whose lists are then
  /// grouped.
  double skin = 0;
  bool contact_statistics = false;
  /// Largest overlap of two initial particles, as a fraction of the smaller radius, that is
  /// accepted.
  double initial_overlap_tolerance = 0.05;
  /// Push particles that overlap more than that apart before the run instead of refusing the scene.
  bool relax_initial_overlaps = false;
  /// Changes under way, ascending in time: Gravity (3 numbers); YoungsModulus, PoissonsRatio,
  /// Restitution, Friction, RollingFriction (1 number, material 0), the same with `Wall` in front
  /// (1 number, material 1); WallRate (wall index, rad/s); WallVelocity (wall index, 3 numbers).
  std::vector<Event> events;
  AveragesOptions averages;
};

/// Checks all that can be checked without a device; throws dem::Error with the first thing found,
/// by name and index.
void validate(const Scene& scene);

/// The automatic time step of `scene`: the least of 20 % of the Rayleigh time and 1/40 of the
/// shortest contact at the fastest approach that initial velocities, walls and a fall through the
/// domain allow. With Gear Predictor-Corrector also 4 % of the time in which a contact is damped:
/// the scheme is stable up to 30 % of it, and the neighbours in a dense packing damp a grain some
/// eight times as fast as one contact does.
struct TimeStepAdvice
{
  double rayleigh_time = 0;    ///< s, shortest over the particles
  double contact_duration = 0; ///< s, shortest at `fastest_approach`
  double fastest_approach = 0; ///< m/s
  double damping_time = 0;     ///< s, shortest: contact duration / (2 |ln restitution|), in which
                               ///< damping takes 1/e of the approach
  double recommended = 0;      ///< s
  double largest_allowed = 0;  ///< s: a larger TimeStep is refused
};
TimeStepAdvice adviseTimeStep(const Scene& scene);

/// Throws where the scene's own time step is larger than allowed; the message quotes it as it was
/// given. An automatic step never is.
void checkTimeStep(const Scene& scene);

/// Steps per output and the step that divides the output interval: dt = output_interval / steps.
struct StepPlan
{
  double time_step = 0;
  std::uint64_t steps_per_output = 1;
  std::uint64_t outputs = 1; ///< number of output times, 0 included
};
StepPlan planSteps(const Scene& scene);
/// The grid of the scene's averages, which are enabled.
struct AveragesGrid
{
  Vec3d lower, upper; ///< m
  std::array<int, 3> cells;
  std::array<bool, 3> periodic;
};
AveragesGrid averagesGrid(const Scene& scene);
/// Throws where the averages have no grid, take more memory than their limit, or lie outside of the
/// run. Nothing if they are not enabled.
void checkAverages(const Scene& scene);

/// Output times from 0 to end_time; throws where that is no time or makes too many.
std::uint64_t countOutputs(const Scene& scene);

const char* name(NormalLaw);
const char* name(RollingModel);
const char* name(Exit);
const char* name(BroadPhaseKind);
const char* name(NeighborListKind);

} // namespace dem
