#include "PaperScenes.h"

#include "Core/Error.h"
#include "Scene/Packing/Packing.h"
#include "Scene/File/SceneFile.h"
#include "Scene/File/Stl.h"

#include <algorithm>
#include <cmath>

namespace bench
{
namespace
{

using dem::Vec3d;

constexpr double kPi = 3.14159265358979323846;

dem::Scene emptyScene()
{
  dem::Scene scene;
  scene.output_interval = 1e-3;
  scene.end_time = 100;
  scene.initial_overlap_tolerance = 0.3;
  return scene;
}

dem::Material material(
  const char* name, double youngs, double poisson, double density, double friction)
{
  dem::Material m;
  m.name = name;
  m.youngs_modulus = youngs;
  m.poissons_ratio = poisson;
  m.density = density;
  m.restitution = 0.5;
  m.friction = friction;
  return m;
}

dem::Wall rectangle(const char* name, const Vec3d& corner, const Vec3d& u, const Vec3d& v)
{
  dem::Wall wall;
  wall.name = name;
  wall.kind = dem::WallKind::Rectangle;
  wall.origin = corner;
  wall.edge_u = u;
  wall.edge_v = v;
  return wall;
}

// A lattice that begins at the lower corner, cut off at n.
dem::ParticleInput lattice(std::int64_t n, double radius, const Vec3d& lower, const Vec3d& upper)
{
  dem::PackingSpec spec;
  spec.radius = radius;
  spec.spacing = 2.02 * radius;
  spec.lower = lower;
  spec.upper = upper;
  spec.count = n;
  return dem::makePacking(spec);
}

// A grain at rest in each corner of the floor of the domain.
void addCorners(dem::Scene& scene, double radius)
{
  const Vec3d &lower = scene.domain.lower, &upper = scene.domain.upper;
  for (const double x : { lower.x + 2 * radius, upper.x - 2 * radius })
    for (const double y : { lower.y + 2 * radius, upper.y - 2 * radius })
    {
      scene.particles.position.push_back({ x, y, lower.z + radius });
      scene.particles.radius.push_back(radius);
      if (!scene.particles.velocity.empty())
        scene.particles.velocity.push_back({});
      if (!scene.particles.angular_velocity.empty())
        scene.particles.angular_velocity.push_back({});
      if (!scene.particles.material.empty())
        scene.particles.material.push_back(0);
    }
}

} // namespace

dem::Scene hopperScene(std::int64_t n, bool discharge, const std::string& data)
{
  dem::Scene scene = emptyScene();
  scene.materials = { material("Grain", 2.36e8, 0.2, 1290, 0.4),
    material("Wall", 2.63e9, 0.35, 7800, 0.4) };
  const double side = std::ceil(std::cbrt(static_cast<double>(n)) - 1e-9), radius = 0.49 / side;
  scene.particles = lattice(n, radius, { -0.5, -0.5, 0.9 }, { 0.5, 0.5, 1.9 });
  const auto mesh = [&](const char* name, const char* file) {
    dem::Wall wall;
    wall.name = name;
    wall.material = 1;
    dem::readStl(data + "/Geometry/" + file, wall.points, wall.triangles);
    scene.walls.push_back(std::move(wall));
  };
  mesh("Hopper", "hopper.stl");
  if (discharge)
  {
    scene.domain.lower = { -4, -4,
      0 }; // the box: its rim is lower than the domain, which nothing reaches
    scene.domain.upper = { 4, 4, 2 };
    addCorners(scene, radius);
  }
  else
  {
    mesh("Gate", "hopper_gate.stl");
    scene.domain.lower = { -0.55, -0.55, 0.45 };
    scene.domain.upper = { 0.55, 0.55, 2 };
    scene.domain.exit = { dem::Exit::Remove, dem::Exit::Remove, dem::Exit::Remove };
  }
  scene.domain.wall_material = 1;
  return scene;
}

dem::Scene avalancheScene(std::int64_t n)
{
  dem::Scene scene = emptyScene();
  scene.materials = { material("Grain", 9.33e6, 0.3, 920, 0.05) };
  const double radius = 0.037 * std::cbrt(108640. / static_cast<double>(n));
  const double angle = 10 * kPi / 180, length = 12, width = 4, start = -15;
  const Vec3d foot{ start + length * std::cos(angle), -width / 2, 6 - length * std::sin(angle) };
  const Vec3d along = Vec3d{ start, -width / 2, 6 } - foot, across{ 0, width, 0 },
              up{ 5.5 * std::sin(angle), 0, 5.5 * std::cos(angle) };
  scene.walls = { rectangle("Channel", foot, along, across), rectangle("Right", foot, along, up),
    rectangle("Left", foot + across, along, up) };
  scene.domain.lower = { -16, -10, 0 };
  scene.domain.upper = { 16, 10, 9.5 };
  scene.particles = lattice(n, radius, { -14.8, -1.3, 6.05 }, { -7.6, 1.3, 9.4 });
  addCorners(scene, radius);
  return scene;
}

Drum::Drum(std::int64_t n, std::int64_t base, double grain_radius, std::vector<dem::Shape> shapes,
  double reach)
  : n_(n)
  , grain_(grain_radius)
  , reach_(reach)
  , shapes_(std::move(shapes))
{
  const double diameter = 410 * std::cbrt(static_cast<double>(n) / 1e7) * 2 * grain_;
  radius_ = diameter / 2;
  length_ = diameter * 655 / 410;
  // a slice is at least five grains long
  slices_ = std::max<std::int64_t>(1,
    std::min((n + base - 1) / base, static_cast<std::int64_t>(length_ / (10 * grain_ * reach_))));
}

dem::Scene Drum::scene(double length, double angle) const
{
  dem::Scene scene = emptyScene();
  scene.materials = { material("Grain", 1e7, 0.3, 2500, 0.4), material("End", 1e7, 0.3, 2500, 0) };
  scene.time_step = 2e-5;
  scene.shapes = shapes_;
  constexpr int kAround = 180, kBaffles = 6;
  // triangles about as long as wide; a slice has its share of them
  const int rings =
    std::max(1, static_cast<int>(std::lround(kAround / kPi * length / (2 * radius_))));
  dem::Wall drum;
  drum.name = "Drum";
  // a strip along the drum between two points of its cross-section
  const auto strip = [&](double r0, double a0, double r1, double a1) {
    const auto first = static_cast<std::int32_t>(drum.points.size());
    for (int k = 0; k <= rings; ++k)
    {
      const double y = length * k / rings;
      drum.points.push_back({ r0 * std::cos(a0), y, r0 * std::sin(a0) });
      drum.points.push_back({ r1 * std::cos(a1), y, r1 * std::sin(a1) });
    }
    for (std::int32_t p = first; p < first + 2 * rings; p += 2)
    {
      drum.triangles.push_back({ p, p + 1, p + 3 });
      drum.triangles.push_back({ p, p + 3, p + 2 });
    }
  };
  for (int i = 0; i < kAround; ++i)
    strip(radius_, 2 * kPi * i / kAround, radius_, 2 * kPi * (i + 1) / kAround);
  for (int i = 0; i < kBaffles; ++i)
    strip(radius_, 2 * kPi * i / kBaffles, 0.88 * radius_, 2 * kPi * i / kBaffles);
  drum.motion.kind = dem::MotionKind::Rotation;
  drum.motion.axis = { 0, 1, 0 };
  drum.motion.rate = rate();
  drum.motion.angle_before = angle;
  scene.walls = { std::move(drum) };
  scene.domain.lower = { -1.05 * radius_, 0, -1.05 * radius_ };
  scene.domain.upper = { 1.05 * radius_, length, 1.05 * radius_ };
  scene.domain.exit = { dem::Exit::Remove, dem::Exit::Wall, dem::Exit::Remove };
  return scene;
}

dem::Scene Drum::slice(double start) const
{
  dem::Scene out = scene(sliceLength(), 0);
  out.walls[0].motion.start = start;
  out.domain.wall_material = 1;
  const double bound = grain_ * reach_, pitch = 2.04 * bound, inner = 0.88 * radius_ - 1.1 * bound;
  const auto wanted = static_cast<std::size_t>((n_ + slices_ - 1) / slices_);
  const int along = std::max(1, static_cast<int>(sliceLength() / pitch));
  std::uint64_t seed = 1;
  for (double z = -inner; z < inner && out.particles.size() < wanted; z += pitch)
    for (double x = -std::floor(std::sqrt(inner * inner - z * z) / pitch) * pitch;
         x * x + z * z <= inner * inner && out.particles.size() < wanted; x += pitch)
      for (int k = 0; k < along && out.particles.size() < wanted; ++k)
      {
        const auto random = [&] { // between -1 and 1
          seed = seed * 6364136223846793005ull + 1442695040888963407ull;
          return static_cast<double>(seed >> 11) / 4503599627370496.0 - 1;
        };
        const double jitter = 0.018 * bound * random(); // so that rows do not stand on each other
        out.particles.position.push_back(
          { x + jitter, (k + 0.5) * sliceLength() / along, z + jitter });
        out.particles.radius.push_back(grain_);
        if (shapes_.size() < 2)
          continue;
        out.particles.shape.push_back(1);
        dem::Quaternion<double> q;
        double size2 = 0; // uniform over all orientations: from a ball onto its surface (Marsaglia,
                          // Ann. Math. Statist. 43 (1972) 645)
        do
        {
          q = { random(), random(), random(), random() };
          size2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
        }
        while (size2 > 1 || size2 < 1e-4);
        out.particles.orientation.push_back(dem::normalized(q));
      }
  if (out.particles.size() < wanted)
    throw dem::Error(
      "The drum of " + std::to_string(n_) + " grains cannot be filled: raise --particles.");
  return out;
}

dem::Scene Drum::whole(const dem::ParticleInput& slice, double angle) const
{
  dem::Scene out = scene(length_, angle);
  for (std::int64_t t = 0; t < slices_; ++t)
    for (std::size_t i = 0; i < slice.size(); ++i)
    {
      Vec3d p = slice.position[i], v = slice.velocity[i], w = slice.angular_velocity[i];
      if (t % 2)
      {
        p.y = sliceLength() - p.y;
        v.y = -v.y;
        w = { -w.x, w.y, -w.z };
      }
      p.y += static_cast<double>(t) * sliceLength();
      out.particles.position.push_back(p);
      out.particles.radius.push_back(slice.radius[i]);
      out.particles.velocity.push_back(v);
      out.particles.angular_velocity.push_back(w);
      if (slice.shape.empty())
        continue;
      const dem::Quaternion<double> q = slice.orientation[i];
      out.particles.shape.push_back(slice.shape[i]);
      out.particles.orientation.push_back(
        t % 2 ? dem::Quaternion<double>{ q.w, -q.x, q.y, -q.z } : q);
    }
  return out;
}

} // namespace bench
