// Converts grains with shapes to rigid bodies and their parts.
#include "Scene/detail/BodySet.h"

#include "Shapes/ShapeTable.cuh"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace dem
{
namespace
{

constexpr double kPi = 3.14159265358979323846;

// Angular momentum of a body with angular velocity `spin`, both in space. `inertia`: principal
// moments, kg m^2. `orientation`: of the principal axes.
Vec3d momentumOf(const Quaternion<double>& orientation, const Vec3d& spin, const Vec3d& inertia)
{
  const Vec3d w = rotate(conjugate(orientation), spin);
  return rotate(orientation, { w.x * inertia.x, w.y * inertia.y, w.z * inertia.z });
}

} // namespace

bool usesBodies(const Scene& scene)
{
  const auto& shape = scene.particles.shape;
  return std::any_of(shape.begin(), shape.end(),
    [&](std::int32_t s) { return scene.shapes[s].kind != ShapeKind::Sphere; });
}

BodyShapes bodyShapes(const Scene& scene)
{
  BodyShapes out;
  for (const Shape& shape : scene.shapes)
  {
    const MassProperties& mass = shape.mass;
    if (shape.kind == ShapeKind::MultiSphere)
    {
      out.offset.insert(out.offset.end(), shape.centers.begin(), shape.centers.end());
      out.radius.insert(out.radius.end(), shape.radii.begin(), shape.radii.end());
    }
    else
    {
      out.offset.push_back({});
      out.radius.push_back(mass.bounding_radius);
    }
    const auto radii =
      std::minmax_element(out.radius.begin() + out.first_offset.back(), out.radius.end());
    const ShapeNumbers<double> numbers = ShapeTable<double>({ shape }).shapes[0];
    const bool spheres = shape.kind == ShapeKind::Sphere || shape.kind == ShapeKind::MultiSphere;
    out.sharpest.push_back(spheres ? *radii.first : mass.bounding_radius * numbers.inner_radius);
    out.bluntest.push_back(
      spheres ? *radii.second : mass.bounding_radius * numbers.equivalent_radius);
    out.first_offset.push_back(static_cast<std::uint32_t>(out.offset.size()));
    out.frame.push_back({ mass.axes.w, mass.axes.x, mass.axes.y, mass.axes.z });
    out.volume.push_back(mass.volume);
    out.bounding_radius.push_back(mass.bounding_radius);
    out.inertia.push_back(mass.moments);
  }
  return out;
}

double reachOf(const Scene& scene, const BodyShapes& shapes, std::size_t i)
{
  const double r = scene.particles.radius[i];
  if (scene.particles.shape.empty())
    return r;
  const std::int32_t s = scene.particles.shape[i];
  return r / std::cbrt(0.75 / kPi * shapes.volume[s]) * shapes.bounding_radius[s];
}

BodySet makeBodySet(const Scene& scene)
{
  BodySet set;
  if (!usesBodies(scene))
    return set;
  const ParticleInput& p = scene.particles;
  const std::size_t n = p.size();
  BodyShapes& shapes = set.shapes = bodyShapes(scene);
  for (const std::int32_t s : p.shape)
  {
    shapes.clumps = shapes.clumps || shapes.parts(s) > 1;
    shapes.shaped = shapes.shaped || isShaped(scene.shapes[s].kind);
  }
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  if (!p.id.empty())
    std::sort(order.begin(), order.end(),
      [&](std::uint32_t a, std::uint32_t b) { return p.id[a] < p.id[b]; });
  BodyArrays& a = set.arrays;
  ParticleInput& parts = set.parts;
  for (const std::uint32_t i : order)
  {
    const std::int32_t s = p.shape[i];
    const int material = p.material.empty() ? 0 : p.material[i];
    const double radius = p.radius[i], scale = radius / std::cbrt(0.75 / kPi * shapes.volume[s]);
    const double density = scene.materials[material].density,
                 mass = 4. / 3 * kPi * radius * radius * radius * density;
    const Vec3d inertia = density * std::pow(scale, 5) * shapes.inertia[s];
    const Vec4<double> f = shapes.frame[s];
    const Quaternion<double> defined =
      p.orientation.empty() ? Quaternion<double>{} : normalized(p.orientation[i]);
    const Quaternion<double> q = normalized(defined * Quaternion<double>{ f.x, f.y, f.z, f.w });
    const Vec3d velocity = p.velocity.empty() ? Vec3d{} : p.velocity[i],
                spin = p.angular_velocity.empty() ? Vec3d{} : p.angular_velocity[i];
    const Vec3d momentum = momentumOf(q, spin, inertia);
    Vec3d centre = p.position[i];
    for (int k = 0; k < 3; ++k)
      if (scene.domain.limited && scene.domain.exit[k] == Exit::Periodic)
      {
        const double lower = scene.domain.lower[k], period = scene.domain.upper[k] - lower;
        centre[k] -= period * std::floor((centre[k] - lower) / period);
      }
    a.centre.push_back(vec4(centre, radius));
    a.orientation.push_back({ q.w, q.x, q.y, q.z });
    a.velocity.push_back(vec4(velocity, mass));
    a.momentum.push_back(vec4(momentum, static_cast<double>(material)));
    a.inertia.push_back(vec4(inertia, scale));
    a.id.push_back(p.id.empty() ? i : p.id[i]);
    a.shape.push_back(s);
    for (std::uint32_t k = shapes.first_offset[s]; k < shapes.first_offset[s + 1]; ++k)
    {
      const Vec3d arm = rotate(q, scale * shapes.offset[k]);
      parts.position.push_back(centre + arm);
      parts.radius.push_back(scale * shapes.radius[k]);
      parts.velocity.push_back(velocity + cross(spin, arm));
      parts.angular_velocity.push_back(spin);
      parts.orientation.push_back(
        shapes.parts(s) == 1 ? q : Quaternion<double>{}); // parts of clumps are spheres
      parts.material.push_back(material);
      parts.shape.push_back(isShaped(scene.shapes[s].kind) ? s : -1);
      set.part_mass.push_back(mass);
      set.part_grain.push_back(i);
    }
  }
  return set;
}

std::vector<std::uint8_t> shapesAsBytes(const Scene& scene)
{
  const BodyShapes shapes = bodyShapes(scene);
  std::vector<std::uint8_t> bytes;
  const auto put = [&bytes](const auto& values) {
    for (const auto& v : values)
    {
      std::uint8_t b[sizeof v];
      std::memcpy(b, &v, sizeof v);
      bytes.insert(bytes.end(), b, b + sizeof v);
    }
  };
  for (const Shape& shape : scene.shapes)
    bytes.push_back(static_cast<std::uint8_t>(shape.kind));
  put(shapes.first_offset);
  put(shapes.offset);
  put(shapes.radius);
  put(shapes.volume);
  put(shapes.inertia);
  return bytes;
}

} // namespace dem
