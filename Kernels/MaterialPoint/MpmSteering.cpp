#include "MaterialPoint/MpmSteering.h"

#include "MaterialPoint/MpmValidation.h"
#include "MaterialPoint/detail/SceneText.h"
#include "Walls/SteeredWall.h"

#include <cmath>
#include <string>
#include <utility>

namespace mpm
{
namespace
{

/// What Steer changes of a material.
struct SteeredMaterial
{
  const char* name;
  double Material::*member;
};
constexpr SteeredMaterial kSteeredMaterial[] = { { "YoungsModulus", &Material::youngs_modulus },
  { "PoissonsRatio", &Material::poissons_ratio }, { "FrictionAngle", &Material::friction_angle },
  { "Cohesion", &Material::cohesion }, { "YieldStress", &Material::yield_stress },
  { "HardeningModulus", &Material::hardening_modulus }, { "BulkModulus", &Material::bulk_modulus },
  { "Gamma", &Material::gamma }, { "Viscosity", &Material::viscosity } };

} // namespace

std::vector<double*> steeredNumbers(Scene& s, const dem::Event& event)
{
  const auto components = [](Vec3d& v) { return std::vector<double*>{ &v.x, &v.y, &v.z }; };
  if (event.property == "Gravity")
    return components(s.gravity);
  if (event.property == "BorderFriction")
    return { &s.domain.friction };
  for (const SteeredMaterial& known : kSteeredMaterial)
    if (event.property == known.name && !s.materials.empty())
      return { &(s.materials[0].*known.member) };
  const bool rate = event.property == "WallRate", velocity = event.property == "WallVelocity";
  if (!rate && !velocity && event.property != "WallContactFriction")
    return {};
  const double index = event.value.empty() ? -1 : event.value.front();
  require(index >= 0 && index < static_cast<double>(s.walls.size()),
    event.property + " is of wall " + text(index) + ", but the number of walls is " +
      std::to_string(s.walls.size()) + ".");
  const auto w = static_cast<std::size_t>(index);
  if (rate)
    return { &s.walls[w].motion.rate };
  if (velocity)
    return components(s.walls[w].motion.velocity);
  s.wall_contacts.resize(s.walls.size());
  return { &s.wall_contacts[w].friction };
}

void applyToScene(Scene& scene, const dem::Event& event)
{
  Scene changed = scene; // the points have been uploaded, so the copy is small
  const std::vector<double*> numbers = steeredNumbers(changed, event);
  const std::string who = "Event '" + event.property + "' at t = " + text(event.time) + " s";
  require(!numbers.empty(),
    "'" + event.property +
      "' cannot be changed while the simulation runs. Known: Gravity, YoungsModulus, "
      "PoissonsRatio, FrictionAngle, Cohesion, YieldStress, "
      "HardeningModulus, BulkModulus, Gamma, Viscosity, BorderFriction, WallContactFriction, "
      "WallRate, WallVelocity.");
  const std::size_t before = event.property.compare(0, 4, "Wall") == 0 ? 1 : 0;
  require(event.value.size() == before + numbers.size(),
    who + " needs " + std::to_string(before + numbers.size()) + " numbers, it has " +
      std::to_string(event.value.size()) + ".");
  for (double v : event.value)
    require(std::isfinite(v), who + " has a value that is not finite.");
  if (event.property == "WallRate" || event.property == "WallVelocity")
  {
    const auto w = static_cast<std::size_t>(event.value[0]);
    dem::settleForSpeed(changed.walls[w], w, event.property, event.time);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i)
    *numbers[i] = event.value[before + i];
  validateMaterials(changed);
  require(changed.domain.friction >= 0,
    who + ": BorderFriction must be at least 0, it is " + text(changed.domain.friction) + ".");
  for (const WallContact& contact : changed.wall_contacts)
    require(contact.friction >= 0,
      who + ": WallContactFriction must be at least 0, it is " + text(contact.friction) + ".");
  scene = std::move(changed);
}

bool sameResponse(const Material& a, const Material& b)
{
  for (const SteeredMaterial& known : kSteeredMaterial)
    if (a.*known.member != b.*known.member)
      return false;
  return true;
}

} // namespace mpm
