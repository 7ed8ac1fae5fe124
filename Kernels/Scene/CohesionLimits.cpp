// Combinations, overlaps and periods that cohesion allows.
#include "Scene/CohesionLimits.h"

#include "Core/Error.h"
#include "Core/Text.h"
#include "Scene/Names.h"
#include "Scene/detail/BodySet.h"
#include "Scene/detail/LawFromScene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace dem
{
namespace
{

void requireModels(const Scene& scene)
{
  const ContactModel& c = scene.contact;
  const std::string model = std::string("Cohesion '") + name(c.cohesion) + "'";
  require(c.law == NormalLaw::HertzMindlin,
    model + " does not go with ContactModel '" + name(c.law) +
      "': it is the contact of elastic spheres with surface energy. Use Hertz-Mindlin, or Cohesion "
      "'None'.");
  require(c.rolling != RollingModel::CDT,
    model +
      " does not go with RollingModel 'CDT', whose torque stops a rolling grain within one step: "
      "grains that stick to several others would oscillate. Use EPSD.");
  for (std::size_t s = 0; s < scene.shapes.size(); ++s)
    require(
      scene.shapes[s].kind == ShapeKind::Sphere || scene.shapes[s].kind == ShapeKind::MultiSphere,
      model + " does not go with Shape " + std::to_string(s) + " ('" + scene.shapes[s].name +
        "'), a " + shapeKindName(scene.shapes[s].kind) +
        ": it applies to spheres only. Use spheres or clumps of spheres, or Cohesion 'None'.");
}

void requireSize(const Scene& scene, const SphereRadii& radii, int a, int b)
{
  const PairValues values = pairValues(scene, a, b);
  const PairCoefficients<double> pair = pairCoefficientsOf<double>(scene.contact, values);
  const LawParameters<double> law = lawParameters<double>(scene);
  // R* of two of the smallest spheres; with a wall the ratio to the radius is smaller.
  const double reduced = 0.5 * radii.smallest, reach = reachOf(law, pair, reduced);
  // At zero force s^3 = 6, so that d = 2 6^(1/3) a_s^2 / R* = 1.21 reach (Jkr.cuh).
  const double overlap = 2 * std::cbrt(6.) / 3 * reach;
  require(overlap < 0.5 * radii.smallest,
    "SurfaceEnergy " + number(values.surface_energy) + " J/m^2 of the materials '" +
      scene.materials[a].name + "' and '" + scene.materials[b].name +
      "' is too large for spheres of radius " + number(radii.smallest) + " m with E* = " +
      number(values.youngs) + " Pa: it draws them together by " + number(overlap) +
      " m, and the law holds up to half the radius. Lower it, or raise YoungsModulus.");
  const double longest = reachOf(law, pair, radii.farthest);
  static const char* axis_name[3] = { "X", "Y", "Z" };
  for (int k = 0; k < 3; ++k)
  {
    const double period = scene.domain.upper[k] - scene.domain.lower[k];
    require(!scene.domain.limited || scene.domain.exit[k] != Exit::Periodic ||
        period >= 4.4 * radii.farthest + 2 * longest,
      std::string("Domain: the period on axis ") + axis_name[k] + " is " + number(period) +
        " m, too short for grains of radius " + number(radii.farthest) +
        " m that stick together up to a gap of " + number(longest) +
        " m: it must be at least 4.4 radii and two gaps, so that no grain meets another twice.");
  }
}

} // namespace

SphereRadii sphereRadii(const Scene& scene)
{
  const ParticleInput& p = scene.particles;
  const BodyShapes shapes = p.shape.empty() ? BodyShapes{} : bodyShapes(scene);
  SphereRadii radii{ std::numeric_limits<double>::infinity(), 0 };
  for (std::size_t i = 0; i < p.size(); ++i)
  {
    double sharpest = p.radius[i];
    if (!p.shape.empty() && scene.shapes[p.shape[i]].kind != ShapeKind::Sphere)
    {
      const int s = p.shape[i];
      sharpest *= shapes.sharpest[s] / std::cbrt(0.75 / 3.14159265358979323846 * shapes.volume[s]);
    }
    radii.smallest = std::min(radii.smallest, sharpest);
    radii.farthest = std::max(radii.farthest, reachOf(scene, shapes, i));
  }
  return radii;
}

void validateCohesion(const Scene& scene, const SphereRadii& radii)
{
  if (scene.contact.cohesion == CohesionModel::None)
    return;
  requireModels(scene);
  if (!(radii.farthest > 0))
    return; // no grains
  const int n = static_cast<int>(scene.materials.size());
  for (int a = 0; a < n; ++a)
    for (int b = a; b < n; ++b)
      requireSize(scene, radii, a, b);
}

} // namespace dem
