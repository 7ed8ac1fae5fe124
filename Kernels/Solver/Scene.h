// What is simulated: particles, walls, materials, law, domain, times. Plain data in SI units, radians, no device.
#pragma once

#include "Core/Vec.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dem
{

/// A bulk material with the coefficients of a contact with itself.
struct Material
{
  std::string name = "Grain";
  double youngs_modulus = 1e7;   ///< Pa, > 0
  double poissons_ratio = 0.3;   ///< -, in (-1, 0.5]
  double density = 2500;         ///< kg/m^3, > 0
  double restitution = 0.5;      ///< -, in (0, 1]
  double friction = 0.5;         ///< -, >= 0
  double rolling_friction = 0.0; ///< -, >= 0; used by a rolling model only
};

/// Coefficients of a contact between two different materials. What is not given is combined: where one of the two belongs to walls
/// alone, its coefficients hold (they describe the contact of a grain with that wall); else the geometric mean.
struct MaterialPair
{
  int first = 0, second = 0; ///< indices into Scene::materials
  std::optional<double> restitution, friction, rolling_friction;
};

/// One entry per particle; optional vectors are empty or of the same length as `radius`.
struct ParticleInput
{
  std::vector<Vec3d> position;          ///< m
  std::vector<double> radius;           ///< m, > 0
  std::vector<Vec3d> velocity;          ///< m/s, optional (0)
  std::vector<Vec3d> angular_velocity;  ///< rad/s, optional (0)
  std::vector<Quaternion<double>> orientation; ///< optional (identity)
  std::vector<std::int64_t> id;         ///< optional (0 .. n-1), unique, >= 0
  std::vector<std::int32_t> material;   ///< index into Scene::materials, optional (0)

  std::size_t size() const { return radius.size(); }
};

enum class MotionKind
{
  Fixed,
  Rotation,    ///< about the axis through `origin` along `axis` with `rate` rad/s
  Translation, ///< with `velocity` m/s
  Oscillation  ///< along `axis`: amplitude * (sin(2 pi frequency (t - start) + phase) - sin(phase))
};

/// Prescribed rigid motion of a wall, a closed function of time: at rest before `start` and after `stop`.
struct Motion
{
  MotionKind kind = MotionKind::Fixed;
  Vec3d origin{};
  Vec3d axis{ 0, 0, 1 };
  double rate = 0;       ///< rad/s
  Vec3d velocity{};      ///< m/s
  double amplitude = 0;  ///< m
  double frequency = 0;  ///< Hz
  double phase = 0;      ///< rad
  double start = 0;      ///< s
  double stop = 1e300;   ///< s
  // The pose reached before `start`, where steering changed a motion under way.
  double angle_before = 0; ///< rad
  Vec3d shift_before{};    ///< m
};

enum class WallKind
{
  Mesh,      ///< triangles, two-sided
  Plane,     ///< through `origin`, the solid half space behind `normal`
  Rectangle, ///< corner `origin`, edges `edge_u`, `edge_v`; two-sided
  Line,      ///< segment from `origin` to `end`
  Box,       ///< the surface of the axis-aligned box from `origin` to `end`, two-sided: a container or an obstacle
  Cylinder,  ///< lateral surface around the axis from `origin` to `end`, radius `radius`; open, two-sided
  Cone       ///< lateral surface from radius `radius` at `origin` to `end_radius` at `end`; open, two-sided
};

struct Wall
{
  std::string name = "Wall";
  WallKind kind = WallKind::Mesh;
  std::vector<Vec3d> points;                         ///< Mesh: m; equal points are merged
  std::vector<std::array<std::int32_t, 3>> triangles; ///< Mesh
  Vec3d origin{}, normal{ 0, 0, 1 }, edge_u{}, edge_v{}, end{};
  double radius = 0, end_radius = 0;
  int material = 0; ///< index into Scene::materials
  Motion motion;
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
  int wall_material = 0; ///< of the borders with Exit::Wall
};

enum class NormalLaw
{
  HertzMindlin,
  LinearSpringDashpot
};
enum class FrictionLimit
{
  Total,  ///< mu |Fn|
  Elastic ///< mu times the elastic part of Fn
};
enum class TangentialDamping
{
  Mindlin,
  EqualToNormal,
  None
};
enum class RollingModel
{
  None,
  CDT, ///< constant directional torque, Ai et al. 2011 model A
  EPSD ///< elastic-plastic spring-dashpot, Ai et al. 2011 model C
};

struct ContactModel
{
  NormalLaw law = NormalLaw::HertzMindlin;
  bool tangential_history = true;
  FrictionLimit friction_limit = FrictionLimit::Total;
  TangentialDamping tangential_damping = TangentialDamping::Mindlin;
  bool clamp_normal_force = false;
  RollingModel rolling = RollingModel::None;
  double rolling_damping = 0.3; ///< EPSD: fraction of the critical damping, >= 0
  // Linear spring-dashpot only: a collision time, or a stiffness when `normal_stiffness` > 0.
  double collision_time = 1e-3;    ///< s, > 0, the same for all pairs
  double normal_stiffness = 0;     ///< N/m
  double stiffness_ratio = 2. / 7; ///< kt / kn, >= 0
};

enum class Precision
{
  Mixed, ///< positions double, forces and history single, velocities single with a carried remainder
  Double
};
enum class IntegratorKind
{
  VelocityVerlet
};
enum class BroadPhaseKind
{
  SortedGrid
};
enum class NeighborListKind
{
  Static ///< candidate slots of a fixed width for each group of particles, sized at every rebuild
};

/// A change while the simulation runs (`Steer`): a property by its public name takes a value from `time` on.
/// Names: Gravity (3 numbers); YoungsModulus, PoissonsRatio, Restitution, Friction, RollingFriction (1 number, material
/// 0), the same with `Wall` in front (1 number, material 1); WallRate (wall index, rad/s); WallVelocity (wall index, 3 numbers).
struct Event
{
  double time = 0;
  std::string property;
  std::vector<double> value;

  bool operator==(const Event& o) const { return time == o.time && property == o.property && value == o.value; }
};

struct Scene
{
  std::vector<Material> materials{ Material{} };
  std::vector<MaterialPair> pairs;
  ParticleInput particles;
  /// Which materials particles use, for a scene whose `particles` were dropped; empty = as `particles` say.
  std::vector<bool> particle_materials;
  std::vector<Wall> walls;
  Domain domain;
  Vec3d gravity{ 0, 0, -9.81 }; ///< m/s^2
  ContactModel contact;
  double time_step = 0;         ///< s, 0 = automatic
  double end_time = 1;          ///< s
  double output_interval = 0.01; ///< s
  Precision precision = Precision::Mixed;
  IntegratorKind integrator = IntegratorKind::VelocityVerlet;
  BroadPhaseKind broad_phase = BroadPhaseKind::SortedGrid;
  NeighborListKind neighbor_list = NeighborListKind::Static;
  double skin = 0;              ///< m, 0 = automatic: a tenth of the mean diameter
  bool contact_statistics = false;
  /// Largest overlap of two initial particles, as a fraction of the smaller radius, that is accepted.
  double initial_overlap_tolerance = 0.05;
  /// Push particles that overlap more than that apart before the run instead of refusing the scene.
  bool relax_initial_overlaps = false;
  std::vector<Event> events;    ///< ascending in time
};

/// Checks all that can be checked without a device; throws dem::Error with the first thing found, by name and index.
void validate(const Scene& scene);

/// The automatic time step of `scene`: the least of 20 % of the Rayleigh time and 1/40 of the shortest contact at the fastest
/// approach that initial velocities, walls and a fall through the domain allow.
struct TimeStepAdvice
{
  double rayleigh_time = 0;      ///< s, shortest over the particles
  double contact_duration = 0;   ///< s, shortest at `fastest_approach`
  double fastest_approach = 0;   ///< m/s
  double recommended = 0;        ///< s
  double largest_allowed = 0;    ///< s: a larger TimeStep is refused
};
TimeStepAdvice adviseTimeStep(const Scene& scene);

/// Steps per output and the step that divides the output interval: dt = output_interval / steps.
struct StepPlan
{
  double time_step = 0;
  std::uint64_t steps_per_output = 1;
  std::uint64_t outputs = 1; ///< number of output times, 0 included
};
StepPlan planSteps(const Scene& scene);

const char* name(NormalLaw);
const char* name(RollingModel);
const char* name(Exit);

} // namespace dem
