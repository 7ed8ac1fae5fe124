#include "MaterialPoint/MpmScene.h"

#include "Core/Error.h"
#include "MaterialPoint/Constitutive.cuh"
#include "MaterialPoint/WallThickness.h"
#include "Walls/SteeredWall.h"
#include "Walls/WallMesh.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <utility>

namespace mpm
{
namespace
{

using dem::Error;

std::string text(double x)
{
  char t[40];
  std::snprintf(t, sizeof t, "%.6g", x);
  return t;
}
std::string text(const Vec3d& p)
{
  return "(" + text(p.x) + ", " + text(p.y) + ", " + text(p.z) + ")";
}
bool finite(const Vec3d& p)
{
  return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}
void require(bool good, const std::string& what)
{
  if (!good)
    throw Error(what);
}

double determinantOf(const Matrix3d& m)
{
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
    m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
    m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

void validateMaterial(const Material& m, std::size_t k)
{
  const std::string who = "Material " + std::to_string(k) + " (" + name(m.kind) + "): ";
  const auto positive = [&](double x, const char* what) {
    require(std::isfinite(x) && x > 0, who + what + " must be above 0, it is " + text(x) + ".");
  };
  const auto atLeastZero = [&](double x, const char* what) {
    require(std::isfinite(x) && x >= 0, who + what + " must be at least 0, it is " + text(x) + ".");
  };
  positive(m.density, "Density");
  if (m.kind == MaterialKind::Fluid)
  {
    positive(m.bulk_modulus, "BulkModulus");
    atLeastZero(m.viscosity, "Viscosity");
    require(std::isfinite(m.gamma) && m.gamma >= 1,
      who + "Gamma must be at least 1, it is " + text(m.gamma) + ".");
    return;
  }
  positive(m.youngs_modulus, "YoungsModulus");
  require(m.poissons_ratio >= 0 && m.poissons_ratio < 0.5,
    who + "PoissonsRatio must lie in [0, 0.5), it is " + text(m.poissons_ratio) +
      ". At 0.5 the material has no finite bulk modulus: use 0.49, or the kind Fluid.");
  require(m.poissons_ratio <= 0.4999,
    who + "PoissonsRatio " + text(m.poissons_ratio) + " is too close to 0.5: sound would be " +
      text(std::sqrt((lameLambda(m) + 2 * lameMu(m)) / m.density)) +
      " m/s fast. Use at most 0.4999.");
  if (m.kind == MaterialKind::DruckerPrager)
  {
    require(m.friction_angle >= 0 && m.friction_angle < 1.5707963,
      who + "FrictionAngle must lie in [0, 90) degrees, it is " +
        text(m.friction_angle * 57.29577951308232) + ".");
    atLeastZero(m.cohesion, "Cohesion");
    atLeastZero(m.grain_diameter, "GrainDiameter");
    if (m.grain_diameter > 0)
    {
      positive(m.inertial_number, "InertialNumber");
      require(m.fast_friction_angle >= m.friction_angle && m.fast_friction_angle < 1.5707963,
        who + "FastFrictionAngle must lie between FrictionAngle (" +
          text(m.friction_angle * 57.29577951308232) + " degrees) and 90 degrees, it is " +
          text(m.fast_friction_angle * 57.29577951308232) + ".");
    }
    require(m.friction_angle > 0 || m.cohesion > 0,
      who + "without FrictionAngle and Cohesion it bears no shear. Use the kind Fluid.");
  }
  if (m.kind == MaterialKind::VonMises)
  {
    positive(m.yield_stress, "YieldStress");
    atLeastZero(m.hardening_modulus, "HardeningModulus");
  }
}

void validateMaterials(const Scene& s)
{
  for (std::size_t k = 0; k < s.materials.size(); ++k)
  {
    validateMaterial(s.materials[k], k);
    const Material& m = s.materials[k];
    const bool plastic = m.kind == MaterialKind::DruckerPrager || m.kind == MaterialKind::VonMises;
    require(s.integration == TimeIntegration::Explicit ||
        (!plastic && !(m.kind == MaterialKind::Fluid && m.viscosity > 0)),
      std::string("Implicit Midpoint needs stresses with an energy: material ") +
        std::to_string(k) + " is of the kind " + name(m.kind) +
        (plastic ? ", which flows." : " with viscosity.") + " Use the integration Explicit.");
  }
}

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

void validatePoints(const Scene& s)
{
  const PointInput& p = s.points;
  const std::size_t n = p.size();
  require(n < 0xfffffff0u,
    "There are " + std::to_string(n) + " points; at most 4294967279 are possible.");
  const auto length = [&](std::size_t size, const char* what) {
    require(size == 0 || size == n,
      std::string(what) + " has " + std::to_string(size) + " entries for " + std::to_string(n) +
        " points.");
  };
  length(p.velocity.size(), "The points' velocity");
  length(p.mass.size(), "The points' mass");
  length(p.volume.size(), "The points' volume");
  length(p.material.size(), "The points' material");
  length(p.id.size(), "The points' Id");
  length(p.deformation.size(), "The points' deformation gradient");
  length(p.velocity_gradient.size(), "The points' velocity gradient");
  require(n == 0 || !p.mass.empty() || !p.volume.empty(),
    "The points have neither mass nor volume. Give one of them; the density gives the other.");
  const auto id = [&](std::size_t i) {
    return "Point " + std::to_string(p.id.empty() ? static_cast<std::int64_t>(i) : p.id[i]);
  };
  for (std::size_t i = 0; i < n; ++i)
  {
    // a text is made only where something is wrong: there may be 1e8 points
    if (!finite(p.position[i]))
      throw Error(id(i) + ": its position " + text(p.position[i]) + " is not finite.");
    for (int k = 0; k < 3; ++k)
      if (!(p.position[i][k] >= s.domain.lower[k] && p.position[i][k] <= s.domain.upper[k]))
        throw Error(id(i) + " at " + text(p.position[i]) + " lies outside of the domain " +
          text(s.domain.lower) + " to " + text(s.domain.upper) +
          ". Enlarge the domain or take it out.");
    if (!p.velocity.empty() && !finite(p.velocity[i]))
      throw Error(id(i) + ": its velocity " + text(p.velocity[i]) + " is not finite.");
    if (!p.velocity_gradient.empty())
      for (const auto& row : p.velocity_gradient[i])
        for (double x : row)
          if (!std::isfinite(x))
            throw Error(id(i) + ": its velocity gradient is not finite.");
    if (!p.mass.empty() && !(std::isfinite(p.mass[i]) && p.mass[i] > 0))
      throw Error(id(i) + ": its mass must be above 0, it is " + text(p.mass[i]) + " kg.");
    if (!p.volume.empty() && !(std::isfinite(p.volume[i]) && p.volume[i] > 0))
      throw Error(id(i) + ": its volume must be above 0, it is " + text(p.volume[i]) + " m^3.");
    if (!p.material.empty() &&
      !(p.material[i] >= 0 && static_cast<std::size_t>(p.material[i]) < s.materials.size()))
      throw Error(id(i) + " has material " + std::to_string(p.material[i]) + "; there are " +
        std::to_string(s.materials.size()) + ".");
    if (!p.deformation.empty())
    {
      const double j = determinantOf(p.deformation[i]);
      if (!(std::isfinite(j) && j > 0))
        throw Error(id(i) +
          " is inverted at the start: the determinant of its deformation gradient is " + text(j) +
          ". It must be above 0.");
    }
  }
  if (!p.id.empty())
  {
    std::vector<std::int64_t> ids = p.id;
    std::sort(ids.begin(), ids.end());
    require(ids[0] >= 0, "Point " + std::to_string(ids[0]) + ": an Id must be at least 0.");
    const auto twice = std::adjacent_find(ids.begin(), ids.end());
    require(twice == ids.end(),
      "Id " + std::to_string(twice == ids.end() ? 0 : *twice) + " is given to two points.");
  }
}

void validateWalls(const Scene& s)
{
  require(s.wall_contacts.empty() || s.wall_contacts.size() == s.walls.size(),
    "There are " + std::to_string(s.wall_contacts.size()) + " wall contacts for " +
      std::to_string(s.walls.size()) + " walls.");
  for (std::size_t w = 0; w < s.walls.size(); ++w)
  {
    dem::validateWall(s.walls[w], w);
    const std::string who = "Wall " + std::to_string(w) + " ('" + s.walls[w].name + "')";
    if (!s.wall_contacts.empty())
    {
      const double f = s.wall_contacts[w].friction;
      require(
        std::isfinite(f) && f >= 0, who + ": Friction must be at least 0, it is " + text(f) + ".");
    }
    // What has an inside is a body, and a body thinner than a cell has no nodes of its own. A sheet
    // has no inside: it bounds the material on one side.
    const dem::Wall& wall = s.walls[w];
    std::optional<ThinPlace> thin;
    if (wall.kind == dem::WallKind::Mesh || wall.kind == dem::WallKind::Box)
    {
      std::vector<Vec3d> points;
      std::vector<std::array<std::int32_t, 3>> triangles;
      dem::wallTriangles(wall, points, triangles);
      thin = findThinPlace(points, triangles, s.grid_spacing);
    }
    // a cone may end in a tip, which holds what lies in it
    const double widest = wall.kind == dem::WallKind::Cylinder
      ? 2 * wall.radius
      : 2 * std::max(wall.radius, wall.end_radius);
    if ((wall.kind == dem::WallKind::Cylinder || wall.kind == dem::WallKind::Cone) &&
      widest < s.grid_spacing * (1 - 1e-9))
      thin = ThinPlace{ widest, 0.5 * (wall.origin + wall.end) };
    if (thin)
      throw Error(who + " is " + text(thin->thickness) + " m thin at " + text(thin->place) +
        ", thinner than a cell of " + text(s.grid_spacing) +
        " m: material on both sides would feel each other through it. Use a smaller GridSpacing or "
        "a thicker wall.");
  }
}

} // namespace

void validate(const Scene& s)
{
  require(!s.materials.empty(), "There are no materials.");
  require(s.materials.size() <= 255,
    "There are " + std::to_string(s.materials.size()) + " materials; at most 255 are possible.");
  validateMaterials(s);
  require(finite(s.domain.lower) && finite(s.domain.upper), "The domain is not finite.");
  for (int k = 0; k < 3; ++k)
    require(s.domain.upper[k] > s.domain.lower[k],
      "The domain's upper corner " + text(s.domain.upper) + " must lie above its lower corner " +
        text(s.domain.lower) + " on every axis.");
  require(std::isfinite(s.grid_spacing) && s.grid_spacing > 0,
    "GridSpacing must be above 0, it is " + text(s.grid_spacing) + " m.");
  require(std::isfinite(s.domain.friction) && s.domain.friction >= 0,
    "The domain's Friction must be at least 0, it is " + text(s.domain.friction) + ".");
  gridCells(s);
  require(finite(s.gravity), "Gravity is not finite.");
  require(s.flip_fraction >= 0 && s.flip_fraction <= 1,
    "FlipFraction must lie in [0, 1], it is " + text(s.flip_fraction) + ".");
  require(s.cfl > 0 && s.cfl <= 1, "CourantNumber must lie in (0, 1], it is " + text(s.cfl) + ".");
  require(std::isfinite(s.time_step) && s.time_step >= 0,
    "TimeStep must be at least 0 (0: automatic), it is " + text(s.time_step) + " s.");
  require(std::isfinite(s.memory_limit) && s.memory_limit >= 0, "MemoryLimit must be at least 0.");
  if (s.integration == TimeIntegration::ImplicitMidpoint)
  {
    const ImplicitOptions& o = s.implicit;
    require(o.newton_tolerance > 0 && o.newton_tolerance < 1,
      "NewtonTolerance must lie in (0, 1), it is " + text(o.newton_tolerance) + ".");
    require(o.cg_tolerance > 0 && o.cg_tolerance < 1,
      "LinearTolerance must lie in (0, 1), it is " + text(o.cg_tolerance) + ".");
    require(o.newton_most >= 1 && o.cg_most >= 1,
      "Newton and conjugate gradients need at least one iteration.");
  }
  validatePoints(s);
  validateWalls(s);
  countOutputs(s);
  if (s.events.empty())
    return;
  Scene trial = s;
  trial.points = {};
  double last = 0;
  for (const dem::Event& event : s.events)
  {
    require(event.time >= last,
      "Event '" + event.property + "' at t = " + text(event.time) +
        " s: events must stand in ascending time, from 0 on.");
    last = event.time;
    applyToScene(trial, event);
  }
}

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
  Scene changed = scene; // without points by now
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

std::array<int, 3> gridCells(const Scene& s)
{
  std::array<int, 3> cells{};
  double blocks = 1;
  for (int k = 0; k < 3; ++k)
  {
    const double n =
      std::ceil((s.domain.upper[k] - s.domain.lower[k]) / s.grid_spacing * (1 - 1e-12));
    require(n < 1e8,
      "GridSpacing " + text(s.grid_spacing) + " m makes " + text(n) + " cells along " + "xyz"[k] +
        ": the grid is too large for the device. Use a larger spacing or a smaller domain.");
    cells[k] = std::max(1, static_cast<int>(n));
    blocks *= cells[k] / 4 + 2;
  }
  // bins are numbered with 32 bits, 64 of them a block
  require(blocks < (1u << 26) - 1,
    "GridSpacing " + text(s.grid_spacing) + " m makes a grid of " + std::to_string(cells[0]) +
      " x " + std::to_string(cells[1]) + " x " + std::to_string(cells[2]) +
      " cells, too large for the device: at most 4.2e9 are possible. Use a larger spacing or a "
      "smaller domain.");
  return cells;
}

dem::WallSet wallsWithin(const Scene& s)
{
  dem::WallSet set = dem::makeWallSet(s.walls, {});
  for (std::size_t w = 0; w < set.walls(); ++w)
  {
    const dem::Motion& m = set.motions[w];
    double corner = 0;
    for (int k = 0; k < 8; ++k)
    {
      const Vec3d d = Vec3d{ (k & 1 ? s.domain.upper : s.domain.lower).x,
        (k & 2 ? s.domain.upper : s.domain.lower).y, (k & 4 ? s.domain.upper : s.domain.lower).z } -
        m.origin;
      corner = std::max(corner, length(d - dot(d, m.axis) * m.axis));
    }
    set.reach[w] = std::min(set.reach[w], corner);
  }
  return set;
}

double fastestWall(const Scene& s)
{
  const dem::WallSet set = wallsWithin(s);
  double fastest = 0;
  for (std::size_t w = 0; w < set.walls(); ++w)
    fastest = std::max(fastest, set.speedBound(w, 0, 1e300));
  return fastest;
}

TimeStepAdvice adviseTimeStep(const Scene& s)
{
  TimeStepAdvice a;
  const PointInput& p = s.points;
  // sound: stiffness over density at rest, of the points as they are given (their mass and volume
  // may say another density than the material)
  std::vector<double> stiffness;
  for (const Material& m : s.materials)
    stiffness.push_back(
      m.kind == MaterialKind::Fluid ? m.bulk_modulus : lameLambda(m) + 2 * lameMu(m));
  for (std::size_t i = 0; i < p.size(); ++i)
  {
    const std::size_t k = p.material.empty() ? 0 : static_cast<std::size_t>(p.material[i]);
    const double density =
      !p.mass.empty() && !p.volume.empty() ? p.mass[i] / p.volume[i] : s.materials[k].density;
    a.sound_speed = std::max(a.sound_speed, std::sqrt(stiffness[k] / density));
    if (!p.velocity.empty())
      a.fastest = std::max(a.fastest, length(p.velocity[i]));
  }
  if (p.size() == 0)
    for (std::size_t k = 0; k < s.materials.size(); ++k)
      a.sound_speed = std::max(a.sound_speed, std::sqrt(stiffness[k] / s.materials[k].density));
  a.fastest = std::max(a.fastest, fastestWall(s));
  const double h = s.grid_spacing;
  if (s.integration == TimeIntegration::Explicit)
  {
    a.largest_allowed = h / (a.sound_speed + a.fastest);
    a.recommended = s.cfl * a.largest_allowed;
  }
  else
  {
    // what falls from rest through cfl of a cell, or flies as far
    const double g = length(s.gravity), reach = s.cfl * h;
    a.largest_allowed = a.fastest > 0 ? h / a.fastest : std::numeric_limits<double>::max();
    a.recommended = s.output_interval;
    if (a.fastest > 0)
      a.recommended = std::min(a.recommended, reach / a.fastest);
    if (g > 0)
      a.recommended = std::min(a.recommended, std::sqrt(2 * reach / g));
  }
  return a;
}

std::uint64_t countOutputs(const Scene& s)
{
  require(std::isfinite(s.end_time) && s.end_time >= 0,
    "EndTime must be at least 0, it is " + text(s.end_time) + " s.");
  require(std::isfinite(s.output_interval) && s.output_interval > 0,
    "OutputInterval must be above 0, it is " + text(s.output_interval) + " s.");
  const double n =
    std::floor(s.end_time / s.output_interval + 1e-9) + 1; // as DEM and the slider count
  require(n <= 1e7,
    "EndTime over OutputInterval makes " + text(n) + " outputs; at most 1e7 are possible.");
  return static_cast<std::uint64_t>(n);
}

StepPlan planSteps(const Scene& s)
{
  StepPlan plan;
  plan.outputs = countOutputs(s);
  const TimeStepAdvice advice = adviseTimeStep(s);
  const double step = s.time_step > 0 ? s.time_step : advice.recommended;
  if (s.time_step > 0 && s.integration == TimeIntegration::Explicit && s.points.size())
    require(step <= advice.largest_allowed * (1 + 1e-9),
      "TimeStep " + text(step) + " s is beyond the CFL bound: sound runs at " +
        text(advice.sound_speed) + " m/s, the fastest point or wall at " + text(advice.fastest) +
        " m/s, so that a cell of " + text(s.grid_spacing) + " m is passed in " +
        text(advice.largest_allowed) + " s. Use at most that, better " + text(advice.recommended) +
        " s, or 0 for the automatic step.");
  const double steps = std::ceil(s.output_interval / step * (1 - 1e-9));
  require(steps < 1e12, "TimeStep " + text(step) + " s makes " + text(steps) + " steps an output.");
  plan.steps_per_output = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(steps));
  plan.time_step = s.output_interval / static_cast<double>(plan.steps_per_output);
  return plan;
}

namespace
{

// Points of one cell share, whatever the order in which cells are visited: a generator of its own
// each. body.layer(z), then body.row(y), then body.inside(x, point), of lattice cells counted from
// `first`.
struct Lattice
{
  double edge;
  std::array<std::int64_t, 3> first, count;
};
template <class Body>
PointInput fill(const Vec3d& lower, const Vec3d& upper, double spacing, int per_axis, double jitter,
  std::uint64_t seed, Body&& body)
{
  require(std::isfinite(spacing) && spacing > 0,
    "The spacing of the cells to fill must be above 0, it is " + text(spacing) + " m.");
  require(per_axis >= 1 && per_axis <= 16,
    "Points per axis of a cell must lie in [1, 16], they are " + std::to_string(per_axis) + ".");
  require(jitter >= 0 && jitter <= 1, "Jitter must lie in [0, 1], it is " + text(jitter) + ".");
  const double a = spacing / per_axis;
  std::array<std::int64_t, 3> first{}, count{};
  double total = 1;
  for (int k = 0; k < 3; ++k)
  {
    require(upper[k] > lower[k],
      "There is nothing to fill between " + text(lower) + " and " + text(upper) + ".");
    // the lattice belongs to space, so that bodies filled one by one fit together
    first[k] = static_cast<std::int64_t>(std::floor(lower[k] / a + 1e-9));
    count[k] = static_cast<std::int64_t>(std::ceil(upper[k] / a - 1e-9)) - first[k];
    total *= static_cast<double>(count[k]);
  }
  require(
    total < 4.2e9, "Filling would make up to " + text(total) + " points. Use a larger spacing.");
  PointInput out;
  body.begin(Lattice{ a, first, count });
  for (std::int64_t z = 0; z < count[2]; ++z)
  {
    body.layer(z);
    for (std::int64_t y = 0; y < count[1]; ++y)
    {
      if (!body.row(y))
        continue;
      for (std::int64_t x = 0; x < count[0]; ++x)
      {
        std::uint64_t h = seed * 0x9e3779b97f4a7c15ull +
          static_cast<std::uint64_t>((z * count[1] + y) * count[0] + x);
        const auto next = [&h] { // splitmix64 (Steele et al. 2014)
          h += 0x9e3779b97f4a7c15ull;
          std::uint64_t v = h;
          v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9ull;
          v = (v ^ v >> 27) * 0x94d049bb133111ebull;
          return static_cast<double>((v ^ v >> 31) >> 11) * 0x1p-53;
        };
        const std::int64_t c[3] = { x, y, z };
        Vec3d p;
        for (int k = 0; k < 3; ++k)
          p[k] = (static_cast<double>(first[k] + c[k]) + 0.5 + jitter * (next() - 0.5)) * a;
        if (body.inside(x, p))
          out.position.push_back(p);
      }
    }
  }
  out.volume.assign(out.position.size(), a * a * a);
  return out;
}

struct InBox
{
  Vec3d lower, upper;
  void begin(const Lattice&) {}
  void layer(std::int64_t) {}
  bool row(std::int64_t) { return true; }
  bool inside(std::int64_t, const Vec3d& p) const
  {
    return p.x >= lower.x && p.x <= upper.x && p.y >= lower.y && p.y <= upper.y && p.z >= lower.z &&
      p.z <= upper.z;
  }
};

// Inside a closed surface: a ray along x meets it an odd number of times. Rays are moved by 1e-7 of
// a lattice step, so that they meet no edges of meshes that are lattices themselves; an edge counts
// for one of its triangles, since both compute the same side of it. Where no triangle comes near a
// run of a row's cells, one point answers for all of them: what is tested point by point grows with
// the surface, not with the volume.
class InSurface
{
public:
  InSurface(
    const std::vector<Vec3d>& points, const std::vector<std::array<std::int32_t, 3>>& triangles)
  {
    for (const auto& t : triangles)
    {
      Triangle r{ points[t[0]], points[t[1]], points[t[2]], {}, {} };
      for (int k = 0; k < 3; ++k)
      {
        r.low[k] = std::min({ r.a[k], r.b[k], r.c[k] });
        r.high[k] = std::max({ r.a[k], r.b[k], r.c[k] });
      }
      all_.push_back(r);
    }
  }

  void begin(const Lattice& l)
  {
    lattice_ = l;
    cell_.resize(static_cast<std::size_t>(l.count[0]));
    rows_.resize(static_cast<std::size_t>(l.count[1]));
    by_low_.resize(all_.size());
    std::iota(by_low_.begin(), by_low_.end(), 0u);
    std::sort(by_low_.begin(), by_low_.end(),
      [&](std::uint32_t u, std::uint32_t v) { return all_[u].low.z < all_[v].low.z; });
  }

  void layer(std::int64_t z)
  {
    const double margin = 1e-6 * lattice_.edge;
    low_z_ = static_cast<double>(lattice_.first[2] + z) * lattice_.edge - margin;
    high_z_ = low_z_ + lattice_.edge + 2 * margin;
    active_.erase(std::remove_if(active_.begin(), active_.end(),
                    [&](std::uint32_t t) { return all_[t].high.z < low_z_; }),
      active_.end());
    for (; next_ < by_low_.size() && all_[by_low_[next_]].low.z <= high_z_; ++next_)
      if (all_[by_low_[next_]].high.z >= low_z_)
        active_.push_back(by_low_[next_]);
    for (auto& r : rows_)
      r.clear();
    for (std::uint32_t t : active_)
      for (std::int64_t y = cellOf(all_[t].low.y - margin, 1);
           y <= cellOf(all_[t].high.y + margin, 1); ++y)
        rows_[static_cast<std::size_t>(y)].push_back(t);
  }

  bool row(std::int64_t y)
  {
    row_ = &rows_[static_cast<std::size_t>(y)];
    if (row_->empty())
      return false;
    std::fill(cell_.begin(), cell_.end(), kFar);
    const double margin = 1e-6 * lattice_.edge,
                 low_y = static_cast<double>(lattice_.first[1] + y) * lattice_.edge - margin,
                 high_y = low_y + lattice_.edge + 2 * margin;
    for (std::uint32_t t : *row_)
    {
      const Triangle& r = all_[t];
      double low = r.low.x, high = r.high.x;
      const Vec3d n = cross(r.b - r.a, r.c - r.a);
      if (std::fabs(n.x) >
        1e-3 * length(n)) // over this row its plane spans less than the triangle does
      {
        double from = 1e300, to = -1e300;
        for (double py : { std::max(low_y, r.low.y), std::min(high_y, r.high.y) })
          for (double pz : { std::max(low_z_, r.low.z), std::min(high_z_, r.high.z) })
          {
            const double x = r.a.x - (n.y * (py - r.a.y) + n.z * (pz - r.a.z)) / n.x;
            from = std::min(from, x);
            to = std::max(to, x);
          }
        low = std::max(low, from);
        high = std::min(high, to);
      }
      for (std::int64_t x = cellOf(low - margin - 1e-9 * std::fabs(low), 0);
           x <= cellOf(high + margin + 1e-9 * std::fabs(high), 0); ++x)
        cell_[static_cast<std::size_t>(x)] = kNear;
    }
    known_ = false;
    return true;
  }

  bool inside(std::int64_t x, const Vec3d& q)
  {
    if (cell_[static_cast<std::size_t>(x)] == kNear)
    {
      known_ = false;
      return test(q);
    }
    if (!known_)
      answer_ = test(q);
    known_ = true;
    return answer_;
  }

private:
  struct Triangle
  {
    Vec3d a, b, c, low, high;
  };
  static constexpr char kFar = 0, kNear = 1;

  std::int64_t cellOf(double x, int axis) const
  {
    const double c = std::floor(x / lattice_.edge) - static_cast<double>(lattice_.first[axis]);
    return static_cast<std::int64_t>(
      std::clamp(c, 0., static_cast<double>(lattice_.count[axis] - 1)));
  }

  bool test(const Vec3d& q) const
  {
    const double py = q.y + 1.2345e-7 * lattice_.edge, pz = q.z + 2.3456e-7 * lattice_.edge;
    bool in = false;
    for (std::uint32_t t : *row_)
    {
      const Triangle& r = all_[t];
      if (py < r.low.y || py > r.high.y || pz < r.low.z || pz > r.high.z || q.x > r.high.x)
        continue;
      const auto side = [&](const Vec3d& u,
                          const Vec3d& v) { // the same number with the other sign for the neighbour
        return u.y < v.y || (u.y == v.y && u.z < v.z)
          ? (v.y - u.y) * (pz - u.z) - (v.z - u.z) * (py - u.y)
          : -((u.y - v.y) * (pz - v.z) - (u.z - v.z) * (py - v.y));
      };
      const double sa = side(r.b, r.c), sb = side(r.c, r.a), sc = side(r.a, r.b);
      if (!((sa > 0 && sb > 0 && sc > 0) || (sa < 0 && sb < 0 && sc < 0)))
        continue;
      const double x = (sa * r.a.x + sb * r.b.x + sc * r.c.x) / (sa + sb + sc);
      in = in != (x > q.x);
    }
    return in;
  }

  std::vector<Triangle> all_;
  Lattice lattice_{};
  std::vector<std::uint32_t> by_low_, active_; // in ascending lower z; those of the present layer
  std::size_t next_ = 0;
  double low_z_ = 0, high_z_ = 0;
  std::vector<std::vector<std::uint32_t>> rows_; // of the layer
  const std::vector<std::uint32_t>* row_ = nullptr;
  std::vector<char> cell_; // of the row
  bool known_ = false, answer_ = false;
};

/// Throws dem::Error if a part of the surface has all its facets an even number of times: by the
/// count of crossings, it has no inside. `number`: of each point, equal for equal places. A facet
/// that two parts share is no fault, since others of them are single.
void requireSingleFacets(const std::vector<std::uint32_t>& number,
  const std::vector<std::array<std::int32_t, 3>>& triangles)
{
  std::vector<std::array<std::uint32_t, 3>> facets;
  std::vector<std::uint32_t> root(number.size());
  for (std::uint32_t i = 0; i < root.size(); ++i)
    root[i] = i;
  const auto rootOf = [&](std::uint32_t i) {
    while (root[i] != i)
      i = root[i] = root[root[i]];
    return i;
  };
  for (const auto& t : triangles)
  {
    std::array<std::uint32_t, 3> f{ number[t[0]], number[t[1]], number[t[2]] };
    root[rootOf(f[1])] = rootOf(f[0]);
    root[rootOf(f[2])] = rootOf(f[0]);
    std::sort(f.begin(), f.end());
    if (f[0] != f[1] && f[1] != f[2])
      facets.push_back(f);
  }
  std::sort(facets.begin(), facets.end());
  std::vector<std::uint32_t> twice(root.size(), 0), other(root.size(), 0);
  for (std::size_t k = 0, end; k < facets.size(); k = end)
  {
    for (end = k + 1; end < facets.size() && facets[end] == facets[k];)
      ++end;
    ++((end - k) % 2 == 0 ? twice : other)[rootOf(facets[k][0])];
  }
  for (std::size_t i = 0; i < root.size(); ++i)
    require(twice[i] == 0 || other[i] > 0,
      "The surface to fill has no inside: " + std::to_string(twice[i]) +
        " facets of a part of it occur twice. Connect that part once, or remove the copies.");
}

} // namespace

PointInput fillBox(const Vec3d& lower, const Vec3d& upper, double spacing, int per_axis,
  double jitter, std::uint64_t seed)
{
  return fill(lower, upper, spacing, per_axis, jitter, seed, InBox{ lower, upper });
}

PointInput fillSurface(const std::vector<Vec3d>& points,
  const std::vector<std::array<std::int32_t, 3>>& triangles, double spacing, int per_axis,
  double jitter, std::uint64_t seed)
{
  require(!triangles.empty(), "The surface to fill has no triangles.");
  // equal places are one point
  std::vector<std::uint32_t> order(points.size()), number(points.size());
  for (std::uint32_t i = 0; i < points.size(); ++i)
  {
    require(
      finite(points[i]), "A point of the surface to fill is not finite: " + text(points[i]) + ".");
    order[i] = i;
  }
  const auto place = [&](std::uint32_t i) {
    return std::array<double, 3>{ points[i].x, points[i].y, points[i].z };
  };
  std::sort(order.begin(), order.end(),
    [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
  for (std::size_t k = 0; k < order.size(); ++k)
    number[order[k]] =
      k > 0 && place(order[k]) == place(order[k - 1]) ? number[order[k - 1]] : order[k];
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  Vec3d lower{ 1e300, 1e300, 1e300 }, upper{ -1e300, -1e300, -1e300 };
  for (const auto& t : triangles)
  {
    for (int k = 0; k < 3; ++k)
      require(t[k] >= 0 && static_cast<std::size_t>(t[k]) < points.size(),
        "The surface to fill refers to point " + std::to_string(t[k]) + ", which is not there.");
    for (int k = 0; k < 3; ++k)
    {
      const std::uint32_t a = number[t[k]], b = number[t[(k + 1) % 3]];
      if (a != b)
        edges.push_back({ std::min(a, b), std::max(a, b) });
      for (int q = 0; q < 3; ++q)
      {
        lower[q] = std::min(lower[q], points[t[k]][q]);
        upper[q] = std::max(upper[q], points[t[k]][q]);
      }
    }
  }
  requireSingleFacets(number, triangles);
  std::sort(edges.begin(), edges.end());
  for (std::size_t k = 0; k < edges.size();)
  {
    std::size_t end = k + 1;
    while (end < edges.size() && edges[end] == edges[k])
      ++end;
    require((end - k) % 2 == 0,
      "The surface to fill is an open surface, it is not closed: the edge at " +
        text(points[edges[k].first]) + " has " + std::to_string(end - k) +
        (end - k == 1 ? " triangle" : " triangles") +
        ". Use Clean and Fill Holes, or a closed surface.");
    k = end;
  }
  return fill(lower, upper, spacing, per_axis, jitter, seed, InSurface(points, triangles));
}

const char* name(MaterialKind k)
{
  switch (k)
  {
    case MaterialKind::Corotated:
      return "Corotated";
    case MaterialKind::FixedCorotated:
      return "Fixed Corotated";
    case MaterialKind::NeoHookean:
      return "Neo-Hookean";
    case MaterialKind::DruckerPrager:
      return "Drucker-Prager";
    case MaterialKind::VonMises:
      return "von Mises";
    case MaterialKind::Fluid:
      return "Fluid";
  }
  return "";
}
const char* name(SandYield k)
{
  return k == SandYield::MohrCoulomb
    ? "Mohr-Coulomb"
    : (k == SandYield::PlaneStrainCone ? "Plane Strain Cone" : "Compression Cone");
}
const char* name(Contact k)
{
  return k == Contact::Stick ? "Stick" : (k == Contact::Slip ? "Slip" : "Separate");
}
const char* name(Border k)
{
  return k == Border::Stick
    ? "Stick"
    : (k == Border::Slip ? "Slip" : (k == Border::Separate ? "Separate" : "Remove"));
}
const char* name(Transfer k)
{
  return k == Transfer::APIC ? "APIC" : (k == Transfer::PIC ? "PIC" : "FLIP");
}
const char* name(Spline k) { return k == Spline::Quadratic ? "Quadratic" : "Cubic"; }
const char* name(TimeIntegration k)
{
  return k == TimeIntegration::Explicit ? "Explicit" : "Implicit Midpoint";
}

} // namespace mpm
