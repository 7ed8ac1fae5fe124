#include "vtkDEMSceneChanges.h"

#include "Scene/AutomaticDomain.h"
#include "Scene/Compare.h"
#include "Scene/Describe.h"
#include "Solver/Simulation.h"

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
bool Same(const mpm::PointInput& a, const mpm::PointInput& b)
{
  return SameBytes(a.position, b.position) && SameBytes(a.velocity, b.velocity) &&
    SameBytes(a.mass, b.mass) && SameBytes(a.volume, b.volume) &&
    SameBytes(a.material, b.material) && SameBytes(a.id, b.id) &&
    SameBytes(a.deformation, b.deformation) && SameBytes(a.velocity_gradient, b.velocity_gradient);
}

// The comparisons below name each member. Whoever adds one compares it and counts it here.
static_assert(dem::memberCount<mpm::PointInput>() == 8 && dem::memberCount<mpm::Material>() == 15 &&
    dem::memberCount<mpm::Scene>() == 20 && dem::memberCount<mpm::WallContact>() == 2 &&
    dem::memberCount<mpm::ImplicitOptions>() == 5, // hold_points is for tests
  "a member of a scene of material points is not compared");

//------------------------------------------------------------------------------
// Without what can be steered, and the end.
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
  changes.Restart = dem::needsNewRun(before, after) || (!steered && Outgrown(before, after));
  if (!changes.Restart)
  {
    changes.Steerable = dem::steeredDifferences(before, after);
  }
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
  if (dem::needsNewRun(before, after))
  {
    this->Restart = true;
    return;
  }
  for (const dem::Event& event : dem::steeredDifferences(before, after))
  {
    this->Steerable.push_back(event);
  }
}
