#include "Scene/Scene.h"

#include "Analysis/CellAverage.h"
#include "Analysis/TimeAverage.h"
#include "Core/Error.h"
#include "Scene/AutomaticDomain.h"
#include "Solver/SimulationBackend.h"
#include "Scene/detail/BodySet.h"
#include "Scene/detail/LawFromScene.h"
#include "Walls/SteeredWall.h"
#include "Walls/WallMesh.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <unordered_set>

namespace dem
{
namespace
{

constexpr double kPi = 3.14159265358979323846;

std::string number(double x)
{
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x);
  return text;
}

bool finite(const Vec3d& v)
{
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

void require(bool good, const std::string& what)
{
  if (!good)
    throw Error(what);
}

void validateMaterial(const Material& m, std::size_t index)
{
  const std::string who = "Material " + std::to_string(index) + " ('" + m.name + "'): ";
  require(m.youngs_modulus > 0 && std::isfinite(m.youngs_modulus),
    who + "YoungsModulus is " + number(m.youngs_modulus) + " Pa; it must be above 0.");
  require(m.poissons_ratio > -1 && m.poissons_ratio <= 0.5,
    who + "PoissonsRatio is " + number(m.poissons_ratio) + "; it must lie in (-1, 0.5].");
  require(m.density > 0 && std::isfinite(m.density),
    who + "Density is " + number(m.density) + " kg/m^3; it must be above 0.");
  require(m.restitution > 0 && m.restitution <= 1,
    who + "Restitution is " + number(m.restitution) + "; it must lie in (0, 1].");
  require(m.friction >= 0 && std::isfinite(m.friction),
    who + "Friction is " + number(m.friction) + "; it must be at least 0.");
  require(m.rolling_friction >= 0 && std::isfinite(m.rolling_friction),
    who + "RollingFriction is " + number(m.rolling_friction) + "; it must be at least 0.");
}

void validateParticles(const Scene& scene)
{
  const ParticleInput& p = scene.particles;
  const std::size_t n = p.size();
  require(n > 0 || p.position.empty(),
    "The particles have " + std::to_string(p.position.size()) + " positions but no Radius.");
  require(n > 0,
    "There are no particles: the Particles input is empty. Check the packing, or the filter in "
    "front of the simulation.");
  require(n < 0x7fffffffu, std::to_string(n) + " particles pass the limit of 2^31 - 2.");
  const auto sized = [&](std::size_t size, const char* what) {
    require(size == 0 || size == n,
      std::string("The particles have ") + std::to_string(n) + " radii but " +
        std::to_string(size) + " " + what + ".");
  };
  require(p.position.size() == n,
    "The particles have " + std::to_string(n) + " radii but " + std::to_string(p.position.size()) +
      " positions.");
  sized(p.velocity.size(), "velocities");
  sized(p.angular_velocity.size(), "angular velocities");
  sized(p.orientation.size(), "orientations");
  sized(p.id.size(), "Ids");
  sized(p.material.size(), "materials");
  sized(p.shape.size(), "shapes");
  for (std::size_t i = 0; i < n; ++i)
  {
    const std::string who = "Particle " + std::to_string(i) + ": ";
    if (!(p.radius[i] > 0 && std::isfinite(p.radius[i])))
      throw Error(
        who + "Radius is " + number(p.radius[i]) + " m; it must be a finite number above 0.");
    if (!finite(p.position[i]))
      throw Error(who + "its position is not finite.");
    if (!p.velocity.empty() && !finite(p.velocity[i]))
      throw Error(who + "Velocity is not finite.");
    if (!p.angular_velocity.empty() && !finite(p.angular_velocity[i]))
      throw Error(who + "AngularVelocity is not finite.");
    if (!p.orientation.empty())
    {
      const auto& q = p.orientation[i];
      const double q2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
      if (!(q2 > 1e-12 && std::isfinite(q2)))
        throw Error(who + "Orientation is not a quaternion (w x y z) of a length above 0.");
    }
    if (!p.material.empty() &&
      (p.material[i] < 0 || p.material[i] >= static_cast<int>(scene.materials.size())))
      throw Error(who + "Material is " + std::to_string(p.material[i]) +
        "; the scene has materials 0 to " + std::to_string(scene.materials.size() - 1) + ".");
  }
  for (std::size_t i = 0; i < p.shape.size(); ++i)
    if (p.shape[i] < 0 || p.shape[i] >= static_cast<int>(scene.shapes.size()))
      throw Error("Particle " + std::to_string(i) + ": Shape is " + std::to_string(p.shape[i]) +
        "; the scene has shapes 0 to " + std::to_string(scene.shapes.size() - 1) + ".");
  if (!p.id.empty())
  {
    std::unordered_set<std::int64_t> seen;
    seen.reserve(n);
    for (std::size_t i = 0; i < n; ++i)
    {
      if (p.id[i] < 0 || p.id[i] >= (std::int64_t(1) << 42))
        throw Error("Particle " + std::to_string(i) + ": Id is " + std::to_string(p.id[i]) +
          "; it must lie in [0, 2^42).");
      if (!seen.insert(p.id[i]).second)
        throw Error("Id " + std::to_string(p.id[i]) +
          " stands twice. Ids must be unique: when two inputs are appended, drop the Id array of "
          "one.");
    }
  }
}

// The farthest that a grain reaches from its centre.
double reachOf(const Scene& scene, const BodyShapes& shapes, std::size_t i)
{
  const double r = scene.particles.radius[i];
  if (scene.particles.shape.empty())
    return r;
  const std::int32_t s = scene.particles.shape[i];
  return r / std::cbrt(0.75 / kPi * shapes.volume[s]) * shapes.bounding_radius[s];
}

double largestReach(const Scene& scene)
{
  const BodyShapes shapes = scene.particles.shape.empty() ? BodyShapes{} : bodyShapes(scene);
  double reach = 0;
  for (std::size_t i = 0; i < scene.particles.size(); ++i)
    reach = std::max(reach, reachOf(scene, shapes, i));
  return reach;
}

// What grains that are no spheres do not go with.
void validateBodies(const Scene& scene)
{
  const std::int32_t first =
    *std::find_if(scene.particles.shape.begin(), scene.particles.shape.end(),
      [&](std::int32_t s) { return scene.shapes[s].kind != ShapeKind::Sphere; });
  const std::string who = "Shape '" + scene.shapes[first].name + "'";
  require(scene.integrator != IntegratorKind::GearPredictorCorrector,
    "Integrator '" + std::string(kIntegratorNames[static_cast<int>(scene.integrator)]) +
      "' does not go with " + who +
      ": its rates know no tumbling. Use Velocity Verlet or Semi-Implicit Euler.");
  require(scene.neighbor_list.kind == NeighborListKind::Automatic,
    std::string("NeighborList '") + name(scene.neighbor_list.kind) + "' does not go with " + who +
      ": grains that are not spheres need Automatic; the other kinds are for comparisons of "
      "spheres.");
  const auto solid = std::find_if(scene.particles.shape.begin(), scene.particles.shape.end(),
    [&](std::int32_t s) { return scene.shapes[s].kind == ShapeKind::ConvexPolyhedron; });
  for (std::size_t w = 0; w < scene.walls.size() && solid != scene.particles.shape.end(); ++w)
    require(scene.walls[w].kind != WallKind::Line,
      "Wall " + std::to_string(w) + " ('" + scene.walls[w].name +
        "') is a Line, which does not go with Shape '" + scene.shapes[*solid].name +
        "': polyhedra are pushed by the volume that they share with a wall, and a line has none. "
        "Make it a Cylinder of a small radius, or a Mesh.");
}

void validateDomain(const Scene& scene)
{
  const Domain& d = scene.domain;
  if (!d.limited)
    return;
  require(d.wall_material >= 0 && d.wall_material < static_cast<int>(scene.materials.size()),
    "Domain: its wall material " + std::to_string(d.wall_material) +
      " is not in the scene, which has materials 0 to " +
      std::to_string(scene.materials.size() - 1) + ".");
  static const char* axis_name[3] = { "X", "Y", "Z" };
  const double radius_max = largestReach(scene);
  for (int k = 0; k < 3; ++k)
  {
    require(std::isfinite(d.lower[k]) && std::isfinite(d.upper[k]) && d.upper[k] > d.lower[k],
      std::string("Domain: on axis ") + axis_name[k] + " the upper border " + number(d.upper[k]) +
        " must lie above the lower " + number(d.lower[k]) + ".");
    if (d.exit[k] == Exit::Periodic)
      require(d.upper[k] - d.lower[k] >= 4.4 * radius_max,
        std::string("Domain: the period on axis ") + axis_name[k] + " is " +
          number(d.upper[k] - d.lower[k]) + " m, too short for grains of radius " +
          number(radius_max) +
          " m: it must be at least 4.4 radii, so that no grain meets another twice.");
  }
  std::size_t out = 0, first = 0;
  for (std::size_t i = 0; i < scene.particles.size(); ++i)
    for (int k = 0; k < 3; ++k)
    {
      const double x = scene.particles.position[i][k];
      if (d.exit[k] != Exit::Periodic && (x < d.lower[k] || x > d.upper[k]))
      {
        if (!out++)
          first = i;
        break;
      }
    }
  if (out)
  {
    const Vec3d& x = scene.particles.position[first];
    throw Error(domainName(d) + " leaves out " + std::to_string(out) +
      " particles, the first is number " + std::to_string(first) + " at (" + number(x.x) + ", " +
      number(x.y) + ", " + number(x.z) + "). Enlarge Domain, or switch Automatic Domain on.");
  }
}

// Height that a grain can fall: the domain's extent along gravity, or that of particles and walls
// together. Endless planes count where grains meet them, unless they are steeper than 84 degrees.
double fallHeight(const Scene& scene)
{
  const double g = length(scene.gravity);
  if (g == 0)
    return 0;
  const Vec3d down = (1 / g) * scene.gravity;
  double low = 1e300, high = -1e300;
  const auto include = [&](const Vec3d& p, double reach = 0) {
    const double h = dot(p, down);
    low = std::min(low, h - reach);
    high = std::max(high, h + reach);
  };
  if (scene.domain.limited)
  {
    for (int k = 0; k < 8; ++k)
      include({ k & 1 ? scene.domain.upper.x : scene.domain.lower.x,
        k & 2 ? scene.domain.upper.y : scene.domain.lower.y,
        k & 4 ? scene.domain.upper.z : scene.domain.lower.z });
    return high - low;
  }
  for (const Vec3d& p : scene.particles.position)
    include(p);
  for (const Wall& wall : scene.walls)
  {
    if (wall.kind == WallKind::Plane)
    {
      const Vec3d normal = normalized(wall.normal);
      const double slope = -dot(normal, down);
      for (const Vec3d& p : scene.particles.position)
        if (const double distance = dot(normal, p - wall.origin); slope > 0.1 && distance > 0)
          include(p + (distance / slope) * down);
    }
    else if (wall.kind == WallKind::Line || wall.kind == WallKind::Cylinder ||
      wall.kind == WallKind::Cone)
    {
      const double along = dot(normalized(wall.end - wall.origin), down),
                   across = std::sqrt(std::max(0., 1 - along * along));
      const bool line = wall.kind == WallKind::Line;
      include(wall.origin, line ? 0 : wall.radius * across);
      include(wall.end,
        line ? 0 : (wall.kind == WallKind::Cylinder ? wall.radius : wall.end_radius) * across);
    }
    else
    {
      std::vector<Vec3d> points;
      std::vector<std::array<std::int32_t, 3>> triangles;
      wallTriangles(wall, points, triangles);
      for (const Vec3d& p : points)
        include(p);
    }
  }
  return high > low ? high - low : 0;
}

double wallSpeed(const Scene& scene)
{
  const WallSet walls = sceneWalls(scene);
  double fastest = 0;
  for (std::size_t w = 0; w < walls.walls(); ++w)
  {
    const Motion& m = walls.motions[w];
    if (m.kind == MotionKind::Rotation)
      fastest = std::max(fastest, std::fabs(m.rate) * walls.reach[w]);
    else if (m.kind == MotionKind::Translation)
      fastest = std::max(fastest, length(m.velocity));
    else if (m.kind == MotionKind::Oscillation)
      fastest = std::max(fastest, std::fabs(m.amplitude * m.frequency) * 2 * kPi);
  }
  return fastest;
}

void validateBroadPhase(const BroadPhaseOptions& o)
{
  const auto range = [](const char* what, int value, int least, int most) {
    require(value >= least && value <= most,
      std::string(what) + " is " + std::to_string(value) + "; it must lie in [" +
        std::to_string(least) + ", " + std::to_string(most) + "].");
  };
  range("CellCapacity", o.cell_capacity, 1, 65535);
  range("HashTableFactor", o.hash_table_factor, 1, 5);
  require(o.bvh_key_bits == 30 || o.bvh_key_bits == 63,
    "BVHKeyBits is " + std::to_string(o.bvh_key_bits) + "; it must be 30 or 63.");
  require(
    o.sort_steps >= 1, "SortSteps is " + std::to_string(o.sort_steps) + "; it must be at least 1.");
  require(o.sort_time > 0 && std::isfinite(o.sort_time),
    "SortTime is " + number(o.sort_time) + " s; it must be above 0.");
  if (!o.half_search)
    return;
  require(o.kind == BroadPhaseKind::SortedGrid || o.kind == BroadPhaseKind::Bvh,
    std::string("HalfSearch does not go with BroadPhase '") + name(o.kind) +
      "': only Sorted Grid and BVH find a pair from one side. Choose one of them, or switch "
      "HalfSearch off.");
  require(o.kind == BroadPhaseKind::Bvh || o.cell_order != CellOrder::Morton,
    "HalfSearch does not go with CellOrder 'Morton': it reads rows of cells. Use Row Major or "
    "Tiles.");
}

void validateNeighborList(const Scene& scene)
{
  const NeighborListOptions& o = scene.neighbor_list;
  const BroadPhaseOptions& search = scene.broad_phase;
  const std::string kind = std::string("NeighborList '") + name(o.kind) + "'";
  const std::string per =
    std::string("ThreadPer '") + kThreadPerNames[static_cast<int>(o.thread_per)] + "'";
  require(o.static_size >= 0 && o.static_size <= 65535,
    "StaticSize is " + std::to_string(o.static_size) +
      "; it must lie in [1, 65535], or be 0 (tuned from counts).");
  const bool listed = o.kind == NeighborListKind::Static || o.kind == NeighborListKind::Dynamic ||
    o.kind == NeighborListKind::Hybrid;
  require(o.static_size == 0 ||
      (o.kind != NeighborListKind::Automatic && o.kind != NeighborListKind::Dynamic),
    "StaticSize " + std::to_string(o.static_size) + " does not go with " + kind +
      ", which has no slots. Set it to 0.");
  require(!o.symmetric || listed,
    "SymmetricList does not go with " + kind +
      (o.kind == NeighborListKind::Automatic
          ? ", which chooses by itself who evaluates a pair."
          : ", where each particle looks at all of its neighbours.") +
      " Switch SymmetricList off, or choose Static, Dynamic or Hybrid.");
  require(o.thread_per == ThreadPer::Particle ||
      (o.kind != NeighborListKind::Automatic && o.kind != NeighborListKind::None),
    per + " does not go with " + kind +
      (o.kind == NeighborListKind::Automatic
          ? ", which shares out contacts and particles by itself."
          : ", where search and force are one loop of a particle.") +
      " Set ThreadPer to Particle.");
  require(o.thread_per != ThreadPer::ContactReduced || !o.symmetric,
    per + " does not go with SymmetricList, whose sums are atomics. Use Contact.");
  if (!o.everyStep())
    return;
  require(search.kind == BroadPhaseKind::Automatic || search.kind == BroadPhaseKind::SortedGrid ||
      search.kind == BroadPhaseKind::Bvh,
    kind + " does not go with BroadPhase '" + name(search.kind) +
      "': only Sorted Grid and BVH are asked in every step. Choose one of them, or another "
      "NeighborList.");
  require(search.kind == BroadPhaseKind::Bvh || search.cell_order == CellOrder::RowMajor,
    kind + " does not go with CellOrder '" + kCellOrderNames[static_cast<int>(search.cell_order)] +
      "': it is asked in rows of cells. Use Row Major.");
  require(!search.half_search,
    kind +
      " does not go with HalfSearch: each particle looks at all of its neighbours. Switch "
      "HalfSearch off.");
}

bool usedByParticles(const Scene& scene, int material)
{
  if (scene.particle_materials.empty())
  {
    const auto& m = scene.particles.material;
    return m.empty() ? material == 0 : std::find(m.begin(), m.end(), material) != m.end();
  }
  return scene.particle_materials[material];
}

bool usedByWalls(const Scene& scene, int material)
{
  for (const Wall& wall : scene.walls)
    if (wall.material == material)
      return true;
  return scene.domain.limited && scene.domain.wall_material == material;
}

} // namespace

WallSet sceneWalls(const Scene& scene)
{
  std::vector<BorderPlane> borders;
  if (scene.domain.limited)
    for (int axis = 0; axis < 3; ++axis)
      if (scene.domain.exit[axis] == Exit::Wall)
        for (int side = 0; side < 2; ++side)
        {
          BorderPlane border;
          border.origin = side == 0 ? scene.domain.lower : scene.domain.upper;
          border.normal[axis] = side == 0 ? 1 : -1;
          border.material = scene.domain.wall_material;
          borders.push_back(border);
        }
  return makeWallSet(scene.walls, borders);
}

void validate(const Scene& scene)
{
  require(!scene.materials.empty(), "The scene has no material.");
  for (std::size_t m = 0; m < scene.materials.size(); ++m)
    validateMaterial(scene.materials[m], m);
  const int materials = static_cast<int>(scene.materials.size());
  for (const MaterialPair& pair : scene.pairs)
  {
    const std::string who =
      "Material pair (" + std::to_string(pair.first) + ", " + std::to_string(pair.second) + "): ";
    require(
      pair.first >= 0 && pair.first < materials && pair.second >= 0 && pair.second < materials,
      who + "the scene has materials 0 to " + std::to_string(materials - 1) + ".");
    require(!pair.restitution || (*pair.restitution > 0 && *pair.restitution <= 1),
      who + "Restitution must lie in (0, 1].");
    require(!pair.friction || *pair.friction >= 0, who + "Friction must be at least 0.");
    require(!pair.rolling_friction || *pair.rolling_friction >= 0,
      who + "RollingFriction must be at least 0.");
  }
  validateParticles(scene);
  for (std::size_t w = 0; w < scene.walls.size(); ++w)
  {
    validateWall(scene.walls[w], w);
    require(scene.walls[w].material >= 0 && scene.walls[w].material < materials,
      "Wall " + std::to_string(w) + " ('" + scene.walls[w].name + "'): its material " +
        std::to_string(scene.walls[w].material) + " is not in the scene.");
  }
  validateDomain(scene);
  if (usesBodies(scene))
    validateBodies(scene);
  require(finite(scene.gravity), "Gravity is not finite.");
  require(scene.output_interval > 0 && std::isfinite(scene.output_interval),
    "OutputInterval is " + number(scene.output_interval) + " s; it must be above 0.");
  countOutputs(scene);
  checkAverages(scene);
  require(scene.time_step >= 0 && std::isfinite(scene.time_step),
    "TimeStep is " + number(scene.time_step) +
      " s; it must be above 0, or 0 for the automatic step.");
  require(scene.skin >= 0 && std::isfinite(scene.skin),
    "Skin is " + number(scene.skin) + " m; it must be above 0, or 0 for the automatic skin.");
  validateBroadPhase(scene.broad_phase);
  validateNeighborList(scene);
  require(scene.integrator != IntegratorKind::GearPredictorCorrector ||
      scene.contact.rolling != RollingModel::CDT,
    "Integrator 'Gear Predictor-Corrector' does not go with RollingModel 'CDT', whose torque stops "
    "a rolling grain within one step: the scheme "
    "damps stably over more than three. Use EPSD, or another Integrator.");
  const ContactModel& c = scene.contact;
  if (c.law == NormalLaw::LinearSpringDashpot)
  {
    require(c.normal_stiffness > 0 || c.collision_time > 0,
      "Linear Spring-Dashpot needs a CollisionTime or a NormalStiffness above 0.");
    require(c.normal_stiffness >= 0 && std::isfinite(c.normal_stiffness),
      "NormalStiffness is " + number(c.normal_stiffness) + " N/m; it must be at least 0.");
    require(c.stiffness_ratio >= 0 && std::isfinite(c.stiffness_ratio),
      "StiffnessRatio is " + number(c.stiffness_ratio) + "; it must be at least 0.");
  }
  require(c.rolling_damping >= 0 && std::isfinite(c.rolling_damping),
    "RollingDamping is " + number(c.rolling_damping) + "; it must be at least 0.");
  require(scene.initial_overlap_tolerance >= 0 && scene.initial_overlap_tolerance <= 0.5,
    "Initial Overlap Tolerance is " + number(scene.initial_overlap_tolerance) +
      "; it must lie in [0, 0.5].");
  Scene trial;
  trial.materials = scene.materials;
  trial.walls.resize(scene.walls.size());
  for (std::size_t k = 0; k < scene.walls.size(); ++k)
  {
    trial.walls[k].name = scene.walls[k].name;
    trial.walls[k].motion = scene.walls[k].motion;
  }
  for (std::size_t k = 0; k < scene.events.size(); ++k)
  {
    require(
      scene.events[k].time >= 0 && (k == 0 || scene.events[k].time >= scene.events[k - 1].time),
      "Event " + std::to_string(k) + " ('" + scene.events[k].property + "') at t = " +
        number(scene.events[k].time) + " s: events must stand in ascending time, from 0 on.");
    applyToScene(trial, scene.events[k]);
  }
}

AveragesGrid averagesGrid(const Scene& scene)
{
  const AveragesOptions& a = scene.averages;
  const Domain& d = scene.domain;
  AveragesGrid grid{ a.whole_domain ? d.lower : a.lower, a.whole_domain ? d.upper : a.upper,
    a.cells, {} };
  for (int k = 0; k < 3; ++k)
    grid.periodic[k] = d.limited && d.exit[k] == Exit::Periodic && grid.lower[k] == d.lower[k] &&
      grid.upper[k] == d.upper[k];
  return grid;
}

void checkAverages(const Scene& scene)
{
  const AveragesOptions& a = scene.averages;
  if (!a.enabled)
    return;
  require(!a.whole_domain || scene.domain.limited,
    "The averages have no bounds: the domain has no limits. Limit it, or give the averages' grid "
    "lower and upper bounds.");
  const AveragesGrid grid = averagesGrid(scene);
  static constexpr const char* kAxes[] = { "x", "y", "z" };
  double cells = 1;
  for (int k = 0; k < 3; ++k)
  {
    require(
      std::isfinite(grid.lower[k]) && std::isfinite(grid.upper[k]) && grid.lower[k] < grid.upper[k],
      std::string("The averages' grid goes from ") + number(grid.lower[k]) + " m to " +
        number(grid.upper[k]) + " m along " + kAxes[k] +
        ": its upper bound must lie above its lower one.");
    require(a.cells[k] >= 1,
      std::string("The averages' grid has ") + std::to_string(a.cells[k]) + " cells along " +
        kAxes[k] + "; it must have 1 or more.");
    cells *= a.cells[k];
  }
  require(std::isfinite(a.from) && a.from >= 0,
    "The averages begin at " + number(a.from) + " s; that must be 0 or later.");
  require(std::isfinite(a.to) && a.to >= 0,
    "The averages end at " + number(a.to) + " s; that must be 0, the end of the run, or later.");
  require(std::isfinite(a.interval) && a.interval >= 0,
    "The interval between samples of the averages is " + number(a.interval) +
      " s; it must be above 0, or 0 for the output interval.");
  require(a.to == 0 || a.to >= a.from,
    "The averages end at " + number(a.to) + " s, before they begin at " + number(a.from) +
      " s. Let them end later, or at 0, which is the end of the run.");
  const double last = std::max(a.from, a.to);
  require(last <= scene.end_time * (1 + 1e-9),
    "The averages " + std::string(a.to > 0 ? "go on to " : "begin at ") + number(last) +
      " s, but the run ends at " + number(scene.end_time) +
      " s. Make the window shorter, or the run longer.");
  const auto species = static_cast<int>(scene.materials.size());
  const std::vector<AveragedField> fields = cellAverageFields(species);
  double numbers = 0;
  for (const AveragedField& field : fields)
    numbers += field.components;
  const double sample = CellAverage::bytes(cells, species);
  const double means = (2 * sizeof(double) * numbers + sizeof(std::int32_t)) * cells;
  requireMemory("Averages during the run on " + std::to_string(a.cells[0]) + " x " +
      std::to_string(a.cells[1]) + " x " + std::to_string(a.cells[2]) + " cells",
    sample + means + TimeAverage::bytes(fields, cells), a.memory_limit,
    "Use fewer cells, or raise the averages' memory limit.");
  require(cells <= 4e9,
    "Averages during the run on " + number(cells) + " cells are more than 4e9. Use fewer.");
}

double dampingRatio(double restitution)
{
  const double l = std::log(restitution);
  return -l / std::sqrt(l * l + kPi * kPi);
}

PairValues pairValues(const Scene& scene, int a, int b)
{
  const Material &ma = scene.materials[a], &mb = scene.materials[b];
  PairValues v;
  v.youngs = 1 /
    ((1 - ma.poissons_ratio * ma.poissons_ratio) / ma.youngs_modulus +
      (1 - mb.poissons_ratio * mb.poissons_ratio) / mb.youngs_modulus);
  const double ga = ma.youngs_modulus / (2 * (1 + ma.poissons_ratio)),
               gb = mb.youngs_modulus / (2 * (1 + mb.poissons_ratio));
  v.shear = 1 / ((2 - ma.poissons_ratio) / ga + (2 - mb.poissons_ratio) / gb);
  v.restitution = std::sqrt(ma.restitution * mb.restitution);
  v.friction = std::sqrt(ma.friction * mb.friction);
  v.rolling = std::sqrt(ma.rolling_friction * mb.rolling_friction);
  if (a == b)
  {
    v.restitution = ma.restitution;
    v.friction = ma.friction;
    v.rolling = ma.rolling_friction;
  }
  const auto wallOnly = [&](int m) { return usedByWalls(scene, m) && !usedByParticles(scene, m); };
  if (wallOnly(a) != wallOnly(b))
  {
    const Material& wall = wallOnly(a) ? ma : mb;
    v.restitution = wall.restitution;
    v.friction = wall.friction;
    v.rolling = wall.rolling_friction;
  }
  for (const MaterialPair& pair : scene.pairs)
    if ((pair.first == a && pair.second == b) || (pair.first == b && pair.second == a))
    {
      v.restitution = pair.restitution.value_or(v.restitution);
      v.friction = pair.friction.value_or(v.friction);
      v.rolling = pair.rolling_friction.value_or(v.rolling);
    }
  return v;
}

TimeStepAdvice adviseTimeStep(const Scene& scene)
{
  const ParticleInput& p = scene.particles;
  const double none = std::numeric_limits<double>::infinity();
  // the smallest grain of each material and shape
  struct Kind
  {
    int material, shape;
    double radius, blunt, mass; // least and greatest radius of a contact, mass
    bool flat;                  // has faces
  };
  std::vector<Kind> kinds;
  double speed = 0;
  const BodyShapes shapes = p.shape.empty() ? BodyShapes{} : bodyShapes(scene);
  for (std::size_t i = 0; i < p.size(); ++i)
  {
    const int m = p.material.empty() ? 0 : p.material[i], s = p.shape.empty() ? 0 : p.shape[i];
    auto kind = std::find_if(
      kinds.begin(), kinds.end(), [&](const Kind& k) { return k.material == m && k.shape == s; });
    if (kind == kinds.end())
      kind = kinds.insert(kind, Kind{ m, s, none, none, none, false });
    kind->radius = std::min(kind->radius, p.radius[i]);
    double v = p.velocity.empty() ? 0 : length(p.velocity[i]);
    if (!p.angular_velocity.empty())
      v += reachOf(scene, shapes, i) * length(p.angular_velocity[i]);
    speed = std::max(speed, v);
  }
  for (Kind& k : kinds)
  {
    const double r = k.radius;
    k.blunt = r;
    k.mass = 4. / 3 * kPi * r * r * r * scene.materials[k.material].density;
    if (p.shape.empty() || scene.shapes[k.shape].kind == ShapeKind::Sphere)
      continue;
    const double scale = r / std::cbrt(0.75 / kPi * shapes.volume[k.shape]);
    k.radius = scale * shapes.sharpest[k.shape];
    k.blunt = scale * shapes.bluntest[k.shape];
    k.flat = scene.shapes[k.shape].kind == ShapeKind::ConvexPolyhedron;
  }
  TimeStepAdvice advice;
  advice.fastest_approach =
    2 * speed + std::sqrt(2 * length(scene.gravity) * fallHeight(scene)) + wallSpeed(scene);
  advice.rayleigh_time = advice.contact_duration = advice.damping_time = none;
  const bool hertz = scene.contact.law == NormalLaw::HertzMindlin;
  const auto consider = [&](int a, std::size_t b, double radius, double mass, bool flat) {
    const PairValues v = pairValues(scene, a, static_cast<int>(b));
    double duration = none;
    if (hertz)
    {
      // Hertz: 2.868 (m*^2 / (R* E*^2 v))^(1/5); Johnson, Contact Mechanics (1985), eq. 11.24
      if (advice.fastest_approach > 0)
        duration = 2.868 *
          std::pow(mass * mass / (radius * v.youngs * v.youngs * advice.fastest_approach), 0.2);
      // a face as wide as the grain: a spring of 2 E* sqrt(S / 2 pi), S = pi R^2 (ShapeContact.cuh)
      if (flat)
        duration = std::min(duration, kPi * std::sqrt(mass / (std::sqrt(2.) * v.youngs * radius)));
    }
    else if (scene.contact.normal_stiffness > 0)
    {
      const double l = std::log(v.restitution);
      duration = std::sqrt(mass * (kPi * kPi + l * l) / scene.contact.normal_stiffness);
    }
    else
      duration = scene.contact.collision_time;
    advice.contact_duration = std::min(advice.contact_duration, duration);
    if (v.restitution < 1)
      advice.damping_time =
        std::min(advice.damping_time, duration / (-2 * std::log(v.restitution)));
  };
  for (const Kind& a : kinds)
  {
    const Material& m = scene.materials[a.material];
    if (hertz)
    {
      // Rayleigh time: Li, Xu, Thornton, Chem. Eng. Sci. 60 (2005), after Thornton and Randall
      // (1988)
      const double g = m.youngs_modulus / (2 * (1 + m.poissons_ratio));
      advice.rayleigh_time = std::min(advice.rayleigh_time,
        kPi * a.radius * std::sqrt(m.density / g) / (0.1631 * m.poissons_ratio + 0.8766));
    }
    for (const Kind& b : kinds)
      consider(a.material, b.material, a.blunt * b.blunt / (a.blunt + b.blunt),
        a.mass * b.mass / (a.mass + b.mass), a.flat && b.flat);
    for (std::size_t b = 0; b < scene.materials.size(); ++b)
      if (usedByWalls(scene, static_cast<int>(b)))
        consider(a.material, b, a.blunt, a.mass, a.flat);
  }
  advice.recommended = std::min(0.2 * advice.rayleigh_time, advice.contact_duration / 40);
  advice.largest_allowed = std::min(advice.rayleigh_time, advice.contact_duration / 8);
  if (scene.integrator == IntegratorKind::GearPredictorCorrector)
  {
    advice.recommended = std::min(advice.recommended, 0.04 * advice.damping_time);
    advice.largest_allowed = std::min(advice.largest_allowed, 0.2 * advice.damping_time);
  }
  return advice;
}

void checkTimeStep(const Scene& scene)
{
  if (!(scene.time_step > 0) || scene.particles.size() == 0)
    return;
  const TimeStepAdvice advice = adviseTimeStep(scene);
  if (!(planSteps(scene).time_step > advice.largest_allowed))
    return;
  char text[500];
  std::snprintf(text, sizeof text,
    "TimeStep %.4g s is too large for these materials: the Rayleigh time is %.4g s and the "
    "shortest contact lasts %.4g s (at an "
    "approach of %.3g m/s). Use at most %.4g s, better %.4g s, or 0 for the automatic step.%s",
    scene.time_step, advice.rayleigh_time, advice.contact_duration, advice.fastest_approach,
    advice.largest_allowed, advice.recommended,
    scene.integrator == IntegratorKind::GearPredictorCorrector &&
        advice.largest_allowed == 0.2 * advice.damping_time
      ? " The Integrator 'Gear Predictor-Corrector' needs steps below a fifth of the time that "
        "damps a contact."
      : "");
  throw Error(text);
}

std::uint64_t countOutputs(const Scene& scene)
{
  require(scene.end_time >= 0 && std::isfinite(scene.end_time),
    "EndTime is " + number(scene.end_time) + " s; it must be at least 0.");
  require(scene.end_time / scene.output_interval < 1e7,
    "EndTime over OutputInterval makes " + number(scene.end_time / scene.output_interval) +
      " outputs; at most 1e7 are allowed.");
  return static_cast<std::uint64_t>(std::floor(scene.end_time / scene.output_interval + 1e-9)) + 1;
}

StepPlan planSteps(const Scene& scene)
{
  StepPlan plan;
  const double wanted = scene.time_step > 0 ? scene.time_step : adviseTimeStep(scene).recommended;
  const double steps = std::ceil(scene.output_interval / wanted * (1 - 1e-12));
  if (!(steps < 1e12))
    throw Error("OutputInterval " + number(scene.output_interval) + " s at a step of " +
      number(wanted) + " s makes too many steps.");
  plan.steps_per_output = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(steps));
  plan.time_step = scene.output_interval / static_cast<double>(plan.steps_per_output);
  plan.outputs = countOutputs(scene);
  return plan;
}

void applyToScene(Scene& scene, const Event& event)
{
  const auto need = [&](std::size_t n) {
    if (event.value.size() != n)
      throw Error("Event '" + event.property + "' at t = " + number(event.time) + " s needs " +
        std::to_string(n) + " numbers, it has " + std::to_string(event.value.size()) + ".");
    for (double v : event.value)
      if (!std::isfinite(v))
        throw Error("Event '" + event.property + "' at t = " + number(event.time) +
          " s has a value that is not finite.");
  };
  if (event.property == "Gravity")
  {
    need(3);
    scene.gravity = { event.value[0], event.value[1], event.value[2] };
    return;
  }
  if (event.property == "WallRate" || event.property == "WallVelocity")
  {
    need(event.property == "WallRate" ? 2 : 4);
    const double index = event.value[0];
    if (!(index >= 0 && index < static_cast<double>(scene.walls.size())))
      throw Error(
        "Event '" + event.property + "': wall " + number(index) + " is not in the scene.");
    Wall& wall = scene.walls[static_cast<std::size_t>(index)];
    settleForSpeed(wall, static_cast<std::size_t>(index), event.property, event.time);
    Motion& m = wall.motion;
    if (event.property == "WallRate")
      m.rate = event.value[1];
    else
      m.velocity = { event.value[1], event.value[2], event.value[3] };
    return;
  }
  std::string property = event.property;
  std::size_t material = 0;
  if (property.compare(0, 4, "Wall") == 0)
  {
    property.erase(0, 4);
    material = 1;
  }
  static const struct
  {
    const char* name;
    double Material::*member;
  } known[] = { { "YoungsModulus", &Material::youngs_modulus },
    { "PoissonsRatio", &Material::poissons_ratio }, { "Restitution", &Material::restitution },
    { "Friction", &Material::friction }, { "RollingFriction", &Material::rolling_friction } };
  for (const auto& k : known)
    if (property == k.name)
    {
      need(1);
      if (material >= scene.materials.size())
        throw Error("Event '" + event.property + "': the scene has no material 1 for walls.");
      Material changed = scene.materials[material];
      changed.*k.member = event.value[0];
      validateMaterial(changed, material);
      scene.materials[material] = changed;
      return;
    }
  throw Error("'" + event.property +
    "' cannot be changed while the simulation runs. Known: Gravity, YoungsModulus, PoissonsRatio, "
    "Restitution, Friction, RollingFriction, the "
    "same with Wall in front, WallRate, WallVelocity.");
}

const char* name(NormalLaw law)
{
  return law == NormalLaw::HertzMindlin ? "Hertz-Mindlin" : "Linear Spring-Dashpot";
}

const char* name(RollingModel model)
{
  return model == RollingModel::None ? "None" : (model == RollingModel::CDT ? "CDT" : "EPSD");
}

const char* name(BroadPhaseKind kind) { return kBroadPhaseNames[static_cast<int>(kind)]; }

const char* name(NeighborListKind kind) { return kNeighborListNames[static_cast<int>(kind)]; }

const char* name(Exit exit)
{
  return exit == Exit::Wall ? "Wall" : (exit == Exit::Remove ? "Remove" : "Periodic");
}

} // namespace dem
