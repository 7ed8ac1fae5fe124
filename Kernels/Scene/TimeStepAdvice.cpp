// Rayleigh time, contact duration and fastest approach of a scene.
#include "Scene/TimeStepAdvice.h"

#include "Scene/SceneWalls.h"
#include "Scene/detail/BodySet.h"
#include "Scene/detail/LawFromScene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace dem
{
namespace
{

constexpr double kPi = 3.14159265358979323846;
constexpr double kNone = std::numeric_limits<double>::infinity();

// Height that a grain can fall, m: the extent of the domain along gravity, or that of particles and
// walls together. Infinite planes count where grains meet them, unless steeper than 84 degrees.
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
    const auto reaches = walls.reachesOf(w, scene.end_time);
    double speed = 0; // of all motions at once
    for (std::int32_t k = 0; k < walls.motions[w].count; ++k)
    {
      const Motion& m = walls.motions[w].part[k];
      if (m.kind == MotionKind::Rotation && m.rate != 0)
        speed += std::fabs(m.rate) * reaches[k];
      else if (m.kind == MotionKind::Translation)
        speed += length(m.velocity);
      else if (m.kind == MotionKind::Oscillation)
        speed += std::fabs(m.amplitude * m.frequency) * 2 * kPi;
    }
    fastest = std::max(fastest, speed);
  }
  return fastest;
}

// Smallest grain of one material and shape.
struct GrainKind
{
  int material, shape;
  double radius, blunt, mass; // m: smallest and largest radius of curvature at a contact; kg
  bool flat;                  // has flat faces
};

std::vector<GrainKind> grainKinds(const Scene& scene, const BodyShapes& shapes)
{
  const ParticleInput& p = scene.particles;
  std::vector<GrainKind> kinds;
  for (std::size_t i = 0; i < p.size(); ++i)
  {
    const int m = p.material.empty() ? 0 : p.material[i], s = p.shape.empty() ? 0 : p.shape[i];
    auto kind = std::find_if(kinds.begin(), kinds.end(),
      [&](const GrainKind& k) { return k.material == m && k.shape == s; });
    if (kind == kinds.end())
      kind = kinds.insert(kind, GrainKind{ m, s, kNone, kNone, kNone, false });
    kind->radius = std::min(kind->radius, p.radius[i]);
  }
  for (GrainKind& k : kinds)
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
  return kinds;
}

// Largest initial speed of any point of a grain, m/s.
double grainSpeed(const Scene& scene, const BodyShapes& shapes)
{
  const ParticleInput& p = scene.particles;
  double speed = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
  {
    double v = p.velocity.empty() ? 0 : length(p.velocity[i]);
    if (!p.angular_velocity.empty())
      v += reachOf(scene, shapes, i) * length(p.angular_velocity[i]);
    speed = std::max(speed, v);
  }
  return speed;
}

// Duration of a contact, s. `radius` (m) and `mass` (kg) are the reduced ones; `flat`: the contact
// may be between faces; `approach` in m/s.
double contactDuration(const ContactModel& contact, const PairValues& v, double radius, double mass,
  bool flat, double approach)
{
  if (contact.law == NormalLaw::HertzMindlin)
  {
    double duration = kNone;
    // Hertz: 2.868 (m*^2 / (R* E*^2 v))^(1/5); Johnson, Contact Mechanics (1985), eq. 11.24
    if (approach > 0)
      duration = 2.868 * std::pow(mass * mass / (radius * v.youngs * v.youngs * approach), 0.2);
    // contact of a face as wide as the grain: stiffness 2 E* sqrt(S / 2 pi), S = pi R^2
    // (ShapeContact.cuh)
    if (flat)
      duration = std::min(duration, kPi * std::sqrt(mass / (std::sqrt(2.) * v.youngs * radius)));
    return duration;
  }
  if (contact.normal_stiffness > 0)
  {
    const double l = std::log(v.restitution);
    return std::sqrt(mass * (kPi * kPi + l * l) / contact.normal_stiffness);
  }
  return contact.collision_time;
}

// Half the period of small oscillations of two spheres that stick together, s; infinite without
// cohesion. At zero force the contact radius is (9 pi gamma R*^2 / E*)^(1/3) and the stiffness is
// 6/5 E* times the radius (Jkr.cuh).
double stickingTime(const ContactModel& contact, const PairValues& v, double radius, double mass)
{
  if (contact.cohesion != CohesionModel::JKR || v.surface_energy == 0)
    return kNone;
  const double a = std::cbrt(9 * kPi * v.surface_energy * radius * radius / v.youngs);
  return kPi * std::sqrt(mass / (1.2 * v.youngs * a));
}

// Rayleigh time of a sphere, s: Li, Xu, Thornton, Chem. Eng. Sci. 60 (2005), after Thornton and
// Randall (1988).
double rayleighTime(const Material& m, double radius)
{
  const double g = m.youngs_modulus / (2 * (1 + m.poissons_ratio));
  return kPi * radius * std::sqrt(m.density / g) / (0.1631 * m.poissons_ratio + 0.8766);
}

} // namespace

TimeStepAdvice adviseTimeStep(const Scene& scene)
{
  const BodyShapes shapes = scene.particles.shape.empty() ? BodyShapes{} : bodyShapes(scene);
  const std::vector<GrainKind> kinds = grainKinds(scene, shapes);
  TimeStepAdvice advice;
  advice.fastest_approach = 2 * grainSpeed(scene, shapes) +
    std::sqrt(2 * length(scene.gravity) * fallHeight(scene)) + wallSpeed(scene);
  advice.rayleigh_time = advice.contact_duration = advice.damping_time = kNone;
  const auto consider = [&](int a, std::size_t b, double radius, double mass, bool flat) {
    const PairValues v = pairValues(scene, a, static_cast<int>(b));
    const double duration = std::min(stickingTime(scene.contact, v, radius, mass),
      contactDuration(scene.contact, v, radius, mass, flat, advice.fastest_approach));
    advice.contact_duration = std::min(advice.contact_duration, duration);
    if (v.restitution < 1)
      advice.damping_time =
        std::min(advice.damping_time, duration / (-2 * std::log(v.restitution)));
  };
  for (const GrainKind& a : kinds)
  {
    if (scene.contact.law == NormalLaw::HertzMindlin)
      advice.rayleigh_time =
        std::min(advice.rayleigh_time, rayleighTime(scene.materials[a.material], a.radius));
    for (const GrainKind& b : kinds)
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

} // namespace dem
