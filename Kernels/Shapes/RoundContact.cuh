// Contacts of spheres and tablets with each other and with planes (ShapeContact.cuh).
#pragma once

#include "Shapes/RoundBody.cuh"

namespace dem
{
namespace detail
{

/// Distance (see roomBetween) by which the unit vector n separates two round bodies. If it is
/// positive, roundPair() finds no contact, whatever its start.
template <class Real>
DEM_HD Real roundPartedBy(const ShapeView<Real>& shapes, int shape_a, const ShapePose<Real>& pose_a,
  int shape_b, const ShapePose<Real>& pose_b, const Vec3<Real>& n)
{
  const RoundBody<Real> a(shapes, shape_a, pose_a), b(shapes, shape_b, pose_b);
  const Real s = dot(pose_b.center - pose_a.center, n) - a.profile(dot(a.axis, n)).value -
    b.profile(dot(b.axis, n)).value;
  return roomBetween(pose_a, pose_b, s - a.edge - b.edge);
}

/// Contact of two round bodies. `before`: a direction near the result, or zero. For separate bodies
/// `normal` is a separating direction if one was found.
template <class Real>
DEM_HD ContactGeometry<Real> roundPair(const ShapeView<Real>& shapes, int shape_a,
  const ShapePose<Real>& pose_a, int shape_b, const ShapePose<Real>& pose_b,
  const Vec3<Real>& before = {})
{
  using std::sqrt;
  ContactGeometry<Real> out;
  const Vec3<Real> d = pose_b.center - pose_a.center;
  const Real reach = pose_a.scale + pose_b.scale, d2 = dot(d, d);
  if (d2 >= reach * reach)
    return out;
  const RoundBody<Real> a(shapes, shape_a, pose_a), b(shapes, shape_b, pose_b);
  Vec3<Real> n{ Real(0), Real(0), Real(1) };
  const Real edges = a.edge + b.edge;
  Real s;
  if (a.isSphere() && b.isSphere())
  {
    s = sqrt(d2);
    if (s > Real(0))
      n = (Real(1) / s) * d;
  }
  else
  {
    const bool known = dot(before, before) > Real(0);
    if (known)
      n = before;
    s = bestDirection(d, a, b, edges, n, known);
  }
  if (s >= edges)
  {
    out.normal = n;
    return out;
  }
  out.radius = out.rolling_radius = a.equivalent * b.equivalent / (a.equivalent + b.equivalent);
  fillContact(out, a, n, edges - s);
  return out;
}

/// Contact of a round body with a half space.
template <class Real>
DEM_HD_CALL ContactGeometry<Real> roundPlane(const ShapeView<Real>& shapes, int shape,
  const ShapePose<Real>& pose, const Vec3<Real>& origin, const Vec3<Real>& normal)
{
  ContactGeometry<Real> out;
  const Real height = dot(normal, pose.center - origin);
  if (height >= pose.scale)
    return out;
  const RoundBody<Real> a(shapes, shape, pose);
  const Real overlap = a.profile(dot(a.axis, normal)).value + a.edge - height;
  if (!(overlap > Real(0)))
    return out;
  out.radius = out.rolling_radius = a.equivalent;
  fillContact(out, a, -normal, overlap);
  return out;
}

} // namespace detail
} // namespace dem
