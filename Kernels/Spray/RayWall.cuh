// The first point at which a ray meets a wall element in space. Used by all searches.
#pragma once

#include "Spray/RayGrain.cuh"
#include "Walls/WallElement.cuh"

#include <cmath>

namespace dem
{
namespace ray
{

/// Triangles are two-sided (Moeller and Trumbore 1997). The tolerance closes the seams between
/// neighbours.
DEM_HD double enterTriangle(const Vec3d& x, const Vec3d& d, const WallElement& t)
{
  constexpr double kSeam = 1e-12;
  const Vec3d ab = t.b - t.a, ac = t.c - t.a, h = ray::cross(d, ac);
  const double det = ray::dot(ab, h);
  if (det == 0)
    return kNever;
  const double inverse = 1 / det;
  const Vec3d from = x - t.a;
  const double u = inverse * ray::dot(from, h);
  if (!(u >= -kSeam && u <= 1 + kSeam))
    return kNever;
  const Vec3d q = ray::cross(from, ab);
  const double v = inverse * ray::dot(d, q);
  if (!(v >= -kSeam && u + v <= 1 + kSeam))
    return kNever;
  const double s = inverse * ray::dot(ac, q);
  return s > 0 ? s : kNever;
}

/// A plane is the face of a solid half space: rays from behind it pass.
DEM_HD double enterPlane(const Vec3d& x, const Vec3d& d, const WallElement& e)
{
  const double speed = ray::dot(d, e.b);
  if (!(speed < 0))
    return kNever;
  const double s = ray::dot(e.a - x, e.b) / speed;
  return s > 0 ? s : kNever;
}

/// The lateral surface of a cylinder or cone, open and two-sided.
DEM_HD double enterCone(const Vec3d& x, const Vec3d& d, const WallElement& e)
{
  const Vec3d along = e.b - e.a;
  const double size = std::sqrt(ray::dot(along, along));
  const Vec3d axis = (1 / size) * along, from = x - e.a;
  const double widening = (e.radius_b - e.radius_a) / size;
  const double z = ray::dot(from, axis), dz = ray::dot(d, axis);
  const Vec3d off = from - z * axis, across = d - dz * axis;
  const double r = e.radius_a + widening * z, dr = widening * dz; // radius at z, its change
  const double a = ray::dot(across, across) - dr * dr, b = ray::dot(off, across) - r * dr,
               c = ray::dot(off, off) - r * r;
  double root[2] = { kNever, kNever };
  if (std::fabs(a) < 1e-14) // parallel to a line of the cone
    root[0] = b != 0 ? -0.5 * c / b : kNever;
  else
  {
    const double inside = b * b - a * c;
    if (!(inside >= 0))
      return kNever;
    const double q = -(b + (b < 0 ? -std::sqrt(inside) : std::sqrt(inside)));
    root[0] = q / a;
    root[1] = q != 0 ? c / q : kNever;
  }
  double first = kNever;
  for (const double s : root)
  {
    const double at = z + s * dz;
    if (s > 0 && s < first && at >= 0 && at <= size && r + s * dr >= 0)
      first = s;
  }
  return first;
}

/// Distance (m) along a ray to a wall element whose corners are given in space; kNever if it
/// misses. Lines have no surface.
DEM_HD double enterElement(const Vec3d& x, const Vec3d& d, const WallElement& e)
{
  if (e.kind == ElementKind::Triangle)
    return enterTriangle(x, d, e);
  if (e.kind == ElementKind::Plane)
    return enterPlane(x, d, e);
  return e.kind == ElementKind::Line ? kNever : enterCone(x, d, e);
}

} // namespace ray
} // namespace dem
