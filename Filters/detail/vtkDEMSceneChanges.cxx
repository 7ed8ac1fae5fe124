#include "vtkDEMSceneChanges.h"

#include "Solver/ShapeText.h"

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
  return a.limited == b.limited && a.lower == b.lower && a.upper == b.upper && a.exit == b.exit &&
    a.wall_material == b.wall_material;
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
        a.precision == b.precision &&
        a.integrator == b.integrator && a.broad_phase == b.broad_phase &&
        a.neighbor_list == b.neighbor_list && a.skin == b.skin &&
        a.contact_statistics == b.contact_statistics &&
        a.initial_overlap_tolerance == b.initial_overlap_tolerance &&
        a.relax_initial_overlaps == b.relax_initial_overlaps &&
        a.averages == b.averages && a.pairs.size() == b.pairs.size() &&
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
void CompareMaterials(
  const dem::Material& a, const dem::Material& b, std::size_t index, vtkDEMSceneChanges& changes)
{
  if (a.name != b.name || a.density != b.density)
  {
    changes.Restart = true;
  }
  const std::string prefix = index == 1 ? "Wall" : "";
  const auto compare = [&](const char* name, double before, double after)
  {
    if (before == after)
    {
      return;
    }
    if (index > 1)
    {
      changes.Restart = true;
      return;
    }
    changes.Steerable.push_back({ 0, prefix + name, { after } });
  };
  compare("YoungsModulus", a.youngs_modulus, b.youngs_modulus);
  compare("PoissonsRatio", a.poissons_ratio, b.poissons_ratio);
  compare("Restitution", a.restitution, b.restitution);
  compare("Friction", a.friction, b.friction);
  compare("RollingFriction", a.rolling_friction, b.rolling_friction);
}

} // namespace

//------------------------------------------------------------------------------
vtkDEMSceneChanges vtkDEMSceneChanges::Between(const dem::Scene& before, const dem::Scene& after)
{
  vtkDEMSceneChanges changes;
  if (!SameRest(before, after))
  {
    changes.Restart = true;
    return changes;
  }
  if (!(before.gravity == after.gravity))
  {
    changes.Steerable.push_back(
      { 0, "Gravity", { after.gravity.x, after.gravity.y, after.gravity.z } });
  }
  for (std::size_t i = 0; i < before.materials.size(); ++i)
  {
    CompareMaterials(before.materials[i], after.materials[i], i, changes);
  }
  for (std::size_t i = 0; i < before.walls.size(); ++i)
  {
    const dem::Wall& a = before.walls[i];
    const dem::Wall& b = after.walls[i];
    if (!SameShape(a, b) || !Same(a.motion, b.motion))
    {
      changes.Restart = true;
      return changes;
    }
    const auto index = static_cast<double>(i);
    if (a.motion.rate != b.motion.rate)
    {
      changes.Steerable.push_back({ 0, "WallRate", { index, b.motion.rate } });
    }
    if (!(a.motion.velocity == b.motion.velocity))
    {
      const dem::Vec3d& v = b.motion.velocity;
      changes.Steerable.push_back({ 0, "WallVelocity", { index, v.x, v.y, v.z } });
    }
  }
  return changes;
}

//------------------------------------------------------------------------------
bool vtkDEMSceneChanges::SameWall(const dem::Wall& a, const dem::Wall& b)
{
  return SameShape(a, b) && Same(a.motion, b.motion) && a.motion.rate == b.motion.rate &&
    a.motion.velocity == b.motion.velocity;
}
