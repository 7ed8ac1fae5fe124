#include "Beds.h"

#include "Random.h"

#include <algorithm>
#include <cmath>

namespace validation
{

double sphereMass(double radius) { return 4. / 3 * M_PI * radius * radius * radius * kDensity; }

dem::Scene grainScene(double wall_friction)
{
  dem::Scene s;
  s.gravity = { 0, 0, -kGravity };
  s.materials[0] = { "grain", kYoung, 0.3, kDensity, 0.5, 0.5, 0 };
  s.materials.push_back({ "wall", kYoung, 0.3, kDensity, 0.5, wall_friction, 0 });
  s.time_step = kStep;
  return s;
}

void settleGently(dem::Scene& scene, double time)
{
  scene.gravity = { 0, 0, -0.25 * kGravity };
  for (int k = 1; k <= 6; ++k)
    scene.events.push_back(
      { time + 0.01 * (k - 1), "Gravity", { 0, 0, -kGravity * (0.25 + 0.125 * k) } });
}

double fillCylinder(dem::Scene& scene, double D, std::size_t count, std::uint32_t seed)
{
  test::Uniform uniform(seed);
  const double r_max = 0.5 * kDiameter * (1 + kSpread), h = 2.02 * r_max;
  const int side = static_cast<int>(D / h) + 1;
  dem::ParticleInput& p = scene.particles;
  double top = 0;
  for (int layer = 0; p.size() < count; ++layer)
    for (int j = -side; j <= side; ++j)
      for (int i = -side; i <= side && p.size() < count; ++i)
      {
        const double x = (i + 0.5) * h, y = (j + 0.5) * h;
        if (std::hypot(x, y) + 1.01 * r_max > 0.5 * D)
          continue;
        const double r = static_cast<float>(0.5 * kDiameter * (1 + uniform(-kSpread, kSpread)));
        const double gap = std::min(0.45 * (h - 2 * r), 0.7 * (0.5 * D - std::hypot(x, y) - r));
        const double z = (layer + 0.5) * h + uniform(-gap, gap);
        p.position.push_back({ x + uniform(-gap, gap), y + uniform(-gap, gap), z });
        p.radius.push_back(r);
        p.velocity.push_back({ uniform(-0.1, 0.1), uniform(-0.1, 0.1), uniform(-0.1, 0.1) });
        p.material.push_back(0);
        top = std::max(top, z + r);
      }
  return top;
}

dem::Wall floorPlane(int material)
{
  dem::Wall w;
  w.name = "Floor";
  w.kind = dem::WallKind::Plane;
  w.normal = { 0, 0, 1 };
  w.material = material;
  return w;
}

dem::Wall cylinderWall(double D, double bottom, double top, int material)
{
  dem::Wall w;
  w.name = "Cylinder";
  w.kind = dem::WallKind::Cylinder;
  w.origin = { 0, 0, bottom };
  w.end = { 0, 0, top };
  w.radius = 0.5 * D;
  w.material = material;
  return w;
}

dem::Wall ringMesh(double inner, double outer, int segments, int material)
{
  dem::Wall w;
  w.name = "Plate";
  w.kind = dem::WallKind::Mesh;
  w.material = material;
  const double angle = 2 * M_PI / segments;
  const double corner =
    inner * std::sqrt(angle / std::sin(angle)); // the polygon's area is the circle's
  const int rings = 4;
  if (inner == 0)
    w.points.push_back({ 0, 0, 0 });
  for (int ring = inner == 0 ? 1 : 0; ring <= rings; ++ring)
    for (int k = 0; k < segments; ++k)
    {
      const double r = corner + (outer - corner) * ring / rings;
      w.points.push_back({ r * std::cos(k * angle), r * std::sin(k * angle), 0 });
    }
  const int first = inner == 0 ? 1 : 0, circles = inner == 0 ? rings : rings + 1;
  for (int k = 0; k < segments; ++k)
  {
    const int next = (k + 1) % segments;
    if (inner == 0)
      w.triangles.push_back({ 0, first + k, first + next });
    for (int c = 0; c + 1 < circles; ++c)
    {
      const int a = first + c * segments, b = a + segments;
      w.triangles.push_back({ a + k, b + k, b + next });
      w.triangles.push_back({ a + k, b + next, a + next });
    }
  }
  return w;
}

dem::Wall cylinderMesh(double D, double bottom, double top, int segments, int rings, int material)
{
  dem::Wall w;
  w.name = "Cylinder";
  w.kind = dem::WallKind::Mesh;
  w.material = material;
  const double angle = 2 * M_PI / segments,
               r = 0.5 * D / std::cos(0.5 * angle); // the faces touch the circle
  for (int c = 0; c <= rings; ++c)
    for (int k = 0; k < segments; ++k)
      w.points.push_back(
        { r * std::cos(k * angle), r * std::sin(k * angle), bottom + (top - bottom) * c / rings });
  for (int c = 0; c < rings; ++c)
    for (int k = 0; k < segments; ++k)
    {
      const int a = c * segments, b = a + segments, next = (k + 1) % segments;
      w.triangles.push_back({ a + k, a + next, b + next });
      w.triangles.push_back({ a + k, b + next, b + k });
    }
  return w;
}

dem::FrameSelection selection(bool walls)
{
  dem::FrameSelection f;
  f.velocity = f.angular_velocity = f.orientation = f.force = f.torque = f.mass = f.material =
    f.shape = false;
  f.coordination_number = f.stress = f.contacts = false;
  f.walls = walls;
  return f;
}

double totalMass(const dem::Frame& f)
{
  double m = 0;
  for (std::size_t i = 0; i < f.size; ++i)
    m += sphereMass(f.radius[i]);
  return m;
}

double bedHeight(const dem::Frame& f)
{
  double m = 0, mz = 0;
  for (std::size_t i = 0; i < f.size; ++i)
  {
    m += sphereMass(f.radius[i]);
    mz += sphereMass(f.radius[i]) * f.position[3 * i + 2];
  }
  return 2 * mz / m;
}

double bulkDensity(const dem::Frame& f, double D, double bottom, double top)
{
  // volume of a sphere below the height h over its lowest point
  const auto cap = [](double r, double h) {
    h = std::clamp(h, 0., 2 * r);
    return M_PI * h * h * (r - h / 3);
  };
  double volume = 0;
  for (std::size_t i = 0; i < f.size; ++i)
  {
    const double r = f.radius[i], low = f.position[3 * i + 2] - r;
    volume += cap(r, top - low) - cap(r, bottom - low);
  }
  return kDensity * volume / (0.25 * M_PI * D * D * (top - bottom));
}

} // namespace validation
