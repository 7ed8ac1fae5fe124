#include "vtkDEMSceneChanges.h"

#include "Scene/AutomaticDomain.h"
#include "Scene/ShapeText.h"
#include "Solver/Simulation.h"
#include "Walls/SteeredWall.h"

#include <cstring>

namespace
{

//------------------------------------------------------------------------------
// NaN equals NaN here: a bad input that ran again is still the same bad input.
template <class T>
bool SameBytes(const std::vector<T>& a, const std::vector<T>& b)
{
  return a.size() == b.size() &&
    (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

//------------------------------------------------------------------------------
bool Same(const dem::ParticleInput& a, const dem::ParticleInput& b)
{
  return SameBytes(a.position, b.position) && SameBytes(a.radius, b.radius) &&
    SameBytes(a.velocity, b.velocity) && SameBytes(a.angular_velocity, b.angular_velocity) &&
    SameBytes(a.orientation, b.orientation) && SameBytes(a.id, b.id) &&
    SameBytes(a.material, b.material) && SameBytes(a.shape, b.shape);
}

//------------------------------------------------------------------------------
bool Same(const dem::Motion& a, const dem::Motion& b)
{
  return a.kind == b.kind && a.origin == b.origin && a.axis == b.axis &&
    a.amplitude == b.amplitude && a.frequency == b.frequency && a.phase == b.phase &&
    a.start == b.start && a.stop == b.stop;
}

//------------------------------------------------------------------------------
bool SameShape(const dem::Wall& a, const dem::Wall& b)
{
  return a.name == b.name && a.kind == b.kind && SameBytes(a.points, b.points) &&
    SameBytes(a.triangles, b.triangles) && a.origin == b.origin && a.normal == b.normal &&
    a.edge_u == b.edge_u && a.edge_v == b.edge_v && a.end == b.end && a.radius == b.radius &&
    a.end_radius == b.end_radius && a.material == b.material;
}

//------------------------------------------------------------------------------
bool Same(const dem::MaterialPair& a, const dem::MaterialPair& b)
{
  return a.first == b.first && a.second == b.second && a.restitution == b.restitution &&
    a.friction == b.friction && a.rolling_friction == b.rolling_friction;
}

//------------------------------------------------------------------------------
bool Same(const dem::Domain& a, const dem::Domain& b)
{
  bool same = a.limited == b.limited && a.exit == b.exit && a.wall_material == b.wall_material &&
    a.automatic == b.automatic && a.given == b.given;
  for (int k = 0; k < 3; ++k)
  {
    const bool given = !a.automatic || a.given[static_cast<std::size_t>(k)];
    same = same && (!given || (a.lower[k] == b.lower[k] && a.upper[k] == b.upper[k]));
  }
  return same;
}

//------------------------------------------------------------------------------
// Whether a longer run needs a larger automatic domain.
bool Outgrown(const dem::Scene& a, const dem::Scene& b)
{
  bool larger = false;
  for (int k = 0; k < 3; ++k)
  {
    larger =
      larger || b.domain.lower[k] < a.domain.lower[k] || b.domain.upper[k] > a.domain.upper[k];
  }
  return larger && a.domain.automatic && b.domain.automatic && b.end_time > a.end_time;
}

//------------------------------------------------------------------------------
bool Same(const dem::ContactModel& a, const dem::ContactModel& b)
{
  return a.law == b.law && a.tangential_history == b.tangential_history &&
    a.friction_limit == b.friction_limit && a.tangential_damping == b.tangential_damping &&
    a.clamp_normal_force == b.clamp_normal_force && a.rolling == b.rolling &&
    a.rolling_damping == b.rolling_damping && a.collision_time == b.collision_time &&
    a.normal_stiffness == b.normal_stiffness && a.stiffness_ratio == b.stiffness_ratio;
}

//------------------------------------------------------------------------------
bool SameRest(const dem::Scene& a, const dem::Scene& b)
{
  if (!(Same(a.particles, b.particles) && Same(a.domain, b.domain) && Same(a.contact, b.contact) &&
        a.time_step == b.time_step && a.output_interval == b.output_interval &&
        a.precision == b.precision && a.integrator == b.integrator &&
        a.broad_phase == b.broad_phase && a.neighbor_list == b.neighbor_list && a.skin == b.skin &&
        a.contact_statistics == b.contact_statistics &&
        a.initial_overlap_tolerance == b.initial_overlap_tolerance &&
        a.relax_initial_overlaps == b.relax_initial_overlaps && a.averages == b.averages &&
        a.events == b.events && a.pairs.size() == b.pairs.size() &&
        a.walls.size() == b.walls.size() && a.materials.size() == b.materials.size() &&
        a.shapes.size() == b.shapes.size()))
  {
    return false;
  }
  for (std::size_t i = 0; i < a.shapes.size(); ++i)
  {
    if (dem::shapeText(a.shapes[i]) != dem::shapeText(b.shapes[i]))
    {
      return false;
    }
  }
  for (std::size_t i = 0; i < a.pairs.size(); ++i)
  {
    if (!Same(a.pairs[i], b.pairs[i]))
    {
      return false;
    }
  }
  return true;
}

//------------------------------------------------------------------------------
void CompareNumber(
  const std::string& name, double before, double after, bool steerable, vtkDEMSceneChanges& changes)
{
  if (before == after)
  {
    return;
  }
  if (!steerable)
  {
    changes.Restart = true;
    return;
  }
  changes.Steerable.push_back({ 0, name, { after } });
}

//------------------------------------------------------------------------------
void CompareMaterials(
  const dem::Material& a, const dem::Material& b, std::size_t index, vtkDEMSceneChanges& changes)
{
  if (a.name != b.name || a.density != b.density)
  {
    changes.Restart = true;
  }
  const std::string prefix = index == 1 ? "Wall" : "";
  const auto compare = [&](const char* name, double before, double after)
  { CompareNumber(prefix + name, before, after, index <= 1, changes); };
  compare("YoungsModulus", a.youngs_modulus, b.youngs_modulus);
  compare("PoissonsRatio", a.poissons_ratio, b.poissons_ratio);
  compare("Restitution", a.restitution, b.restitution);
  compare("Friction", a.friction, b.friction);
  compare("RollingFriction", a.rolling_friction, b.rolling_friction);
}

//------------------------------------------------------------------------------
bool Same(const mpm::PointInput& a, const mpm::PointInput& b)
{
  return SameBytes(a.position, b.position) && SameBytes(a.velocity, b.velocity) &&
    SameBytes(a.mass, b.mass) && SameBytes(a.volume, b.volume) &&
    SameBytes(a.material, b.material) && SameBytes(a.id, b.id) &&
    SameBytes(a.deformation, b.deformation);
}

//------------------------------------------------------------------------------
// But for what can change under way, and the end.
bool SameRest(const mpm::Scene& a, const mpm::Scene& b)
{
  const auto& i = a.implicit;
  const auto& j = b.implicit;
  return Same(a.points, b.points) && a.events == b.events &&
    a.materials.size() == b.materials.size() && a.walls.size() == b.walls.size() &&
    a.wall_contacts.size() == b.wall_contacts.size() && a.domain.lower == b.domain.lower &&
    a.domain.upper == b.domain.upper && a.domain.border == b.domain.border &&
    a.grid_spacing == b.grid_spacing && a.spline == b.spline && a.transfer == b.transfer &&
    a.flip_fraction == b.flip_fraction && a.precision == b.precision &&
    a.integration == b.integration && i.newton_tolerance == j.newton_tolerance &&
    i.newton_most == j.newton_most && i.cg_tolerance == j.cg_tolerance && i.cg_most == j.cg_most &&
    a.equal_bits == b.equal_bits && a.time_step == b.time_step && a.cfl == b.cfl &&
    a.output_interval == b.output_interval && a.memory_limit == b.memory_limit;
}

//------------------------------------------------------------------------------
void CompareMaterials(
  const mpm::Material& a, const mpm::Material& b, std::size_t index, vtkDEMSceneChanges& changes)
{
  if (a.kind != b.kind || a.density != b.density || a.sand_yield != b.sand_yield ||
    a.grain_diameter != b.grain_diameter || a.fast_friction_angle != b.fast_friction_angle ||
    a.inertial_number != b.inertial_number)
  {
    changes.Restart = true;
  }
  const auto compare = [&](const char* name, double before, double after)
  { CompareNumber(name, before, after, index == 0, changes); };
  compare("YoungsModulus", a.youngs_modulus, b.youngs_modulus);
  compare("PoissonsRatio", a.poissons_ratio, b.poissons_ratio);
  compare("FrictionAngle", a.friction_angle, b.friction_angle);
  compare("Cohesion", a.cohesion, b.cohesion);
  compare("YieldStress", a.yield_stress, b.yield_stress);
  compare("HardeningModulus", a.hardening_modulus, b.hardening_modulus);
  compare("BulkModulus", a.bulk_modulus, b.bulk_modulus);
  compare("Gamma", a.gamma, b.gamma);
  compare("Viscosity", a.viscosity, b.viscosity);
}

//------------------------------------------------------------------------------
std::string MovedWallOf(const std::vector<dem::Wall>& before, const std::vector<dem::Wall>& after)
{
  for (std::size_t i = 0; before.size() == after.size() && i < after.size(); ++i)
  {
    if (before[i].points.size() == after[i].points.size() &&
      !SameBytes(before[i].points, after[i].points))
    {
      return after[i].name;
    }
  }
  return {};
}

} // namespace

//------------------------------------------------------------------------------
vtkDEMSceneChanges vtkDEMSceneChanges::Between(
  const dem::Scene& before, const dem::Scene& after, bool steered)
{
  vtkDEMSceneChanges changes;
  changes.MovedWall = MovedWallOf(before.walls, after.walls);
  if (!SameRest(before, after) || (!steered && Outgrown(before, after)))
  {
    changes.Restart = true;
    return changes;
  }
  changes.CompareGravity(before.gravity, after.gravity);
  for (std::size_t i = 0; i < before.materials.size(); ++i)
  {
    CompareMaterials(before.materials[i], after.materials[i], i, changes);
  }
  changes.CompareWalls(before.walls, after.walls);
  return changes;
}

//------------------------------------------------------------------------------
vtkDEMSceneChanges vtkDEMSceneChanges::Between(
  const mpm::Scene& before, const mpm::Scene& after, bool)
{
  vtkDEMSceneChanges changes;
  changes.MovedWall = MovedWallOf(before.walls, after.walls);
  if (!SameRest(before, after))
  {
    changes.Restart = true;
    return changes;
  }
  changes.CompareGravity(before.gravity, after.gravity);
  for (std::size_t i = 0; i < before.materials.size(); ++i)
  {
    CompareMaterials(before.materials[i], after.materials[i], i, changes);
  }
  if (before.domain.friction != after.domain.friction)
  {
    changes.Steerable.push_back({ 0, "BorderFriction", { after.domain.friction } });
  }
  for (std::size_t i = 0; i < before.wall_contacts.size(); ++i)
  {
    const mpm::WallContact& a = before.wall_contacts[i];
    const mpm::WallContact& b = after.wall_contacts[i];
    changes.Restart = changes.Restart || a.kind != b.kind;
    if (a.friction != b.friction)
    {
      changes.Steerable.push_back(
        { 0, "WallContactFriction", { static_cast<double>(i), b.friction } });
    }
  }
  changes.CompareWalls(before.walls, after.walls);
  return changes;
}

//------------------------------------------------------------------------------
void vtkDEMSceneChanges::KeepAutomaticDomain(const dem::Scene& before, dem::Scene& after)
{
  if (before.domain.automatic && after.domain.automatic)
  {
    after.domain.lower = before.domain.lower;
    after.domain.upper = before.domain.upper;
  }
}

//------------------------------------------------------------------------------
void vtkDEMSceneChanges::TakeBorders(const std::vector<std::uint8_t>& state, dem::Scene& scene)
{
  dem::takeBorders(state, scene.domain);
}

//------------------------------------------------------------------------------
void vtkDEMSceneChanges::RenewAutomaticDomain(dem::Scene& scene)
{
  if (scene.domain.automatic)
  {
    dem::setAutomaticDomain(scene);
  }
}

//------------------------------------------------------------------------------
void vtkDEMSceneChanges::CompareGravity(const dem::Vec3d& before, const dem::Vec3d& after)
{
  if (!(before == after))
  {
    this->Steerable.push_back({ 0, "Gravity", { after.x, after.y, after.z } });
  }
}

//------------------------------------------------------------------------------
void vtkDEMSceneChanges::CompareWalls(
  const std::vector<dem::Wall>& before, const std::vector<dem::Wall>& after)
{
  for (std::size_t i = 0; i < before.size(); ++i)
  {
    const dem::Wall& a = before[i];
    const dem::Wall& b = after[i];
    if (!SameShape(a, b) || !Same(a.motion, b.motion))
    {
      this->Restart = true;
      return;
    }
    // What its motion does not use changes nothing.
    const auto index = static_cast<double>(i);
    const auto steers = [&](const char* property)
    { return dem::hasSpeed(b.motion.kind, property); };
    if (steers("WallRate") && a.motion.rate != b.motion.rate)
    {
      this->Steerable.push_back({ 0, "WallRate", { index, b.motion.rate } });
    }
    if (steers("WallVelocity") && !(a.motion.velocity == b.motion.velocity))
    {
      const dem::Vec3d& v = b.motion.velocity;
      this->Steerable.push_back({ 0, "WallVelocity", { index, v.x, v.y, v.z } });
    }
  }
}
