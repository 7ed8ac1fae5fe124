// Walls as a flat list of elements: triangles and analytic surfaces. Closest points of elements,
// and the tests that decide which elements a grain has contacts with.
#pragma once

#include "Core/Vec.h"
#include "Walls/Wall.h"

#include <cstdint>

namespace dem
{

enum class ElementKind : std::int32_t
{
  Triangle,
  Plane,
  Line,
  Cylinder,
  Cone
};

/// One element, in the wall's own frame (its pose at time 0).
struct WallElement
{
  ElementKind kind;
  std::int32_t wall;
  // Triangle: corners. Plane: a = origin, b = unit normal. Others: a, b = ends of the axis (m).
  Vec3d a, b, c;
  double radius_a, radius_b;
  std::uint32_t vertex[3]; // Triangle: numbers of the merged corners, unique over all walls
};

/// Pose and velocity of a wall at one instant.
struct WallBody
{
  Quaternion<double> rotation;
  Vec3d origin, shift;
  Vec3d velocity, spin;
  std::int32_t material;
  std::int32_t moving;

  DEM_HD Vec3d toLocal(const Vec3d& p) const
  {
    return moving ? origin + rotate(conjugate(rotation), p - origin - shift) : p;
  }
  DEM_HD Vec3d toWorld(const Vec3d& p) const
  {
    return moving ? origin + shift + rotate(rotation, p - origin) : p;
  }
  DEM_HD Vec3d directionToWorld(const Vec3d& d) const { return moving ? rotate(rotation, d) : d; }
  DEM_HD Vec3d velocityAt(const Vec3d& p) const
  {
    return velocity + cross(spin, p - origin - shift);
  }
};

/// Pose and velocity at time `t` (s). They are closed functions of time, so results do not depend
/// on earlier calls.
DEM_HD WallBody wallBody(const Motion& motion, std::int32_t material, double t)
{
  WallBody body{};
  body.material = material;
  body.origin = motion.origin;
  body.moving = motion.kind != MotionKind::Fixed;
  const double run =
    (t < motion.start ? motion.start : (t > motion.stop ? motion.stop : t)) - motion.start;
  const bool in_motion = t > motion.start && t < motion.stop;
  if (motion.kind == MotionKind::Rotation)
  {
    body.rotation =
      rotationVectorToQuaternion((motion.angle_before + motion.rate * run) * motion.axis);
    if (in_motion)
      body.spin = motion.rate * motion.axis;
  }
  else if (motion.kind == MotionKind::Translation)
  {
    body.shift = motion.shift_before + run * motion.velocity;
    if (in_motion)
      body.velocity = motion.velocity;
  }
  else if (motion.kind == MotionKind::Oscillation)
  {
    const double omega = 2 * 3.14159265358979323846 * motion.frequency;
    body.shift =
      (motion.amplitude * (std::sin(omega * run + motion.phase) - std::sin(motion.phase))) *
      motion.axis;
    if (in_motion)
      body.velocity =
        (motion.amplitude * omega * std::cos(omega * (t - motion.start) + motion.phase)) *
        motion.axis;
  }
  return body;
}

/// A wall that moves as `inner` within a frame that moves as `outer`.
DEM_HD WallBody carriedBody(const WallBody& outer, const WallBody& inner)
{
  if (!outer.moving)
    return inner;
  WallBody body = inner;
  const Vec3d place = inner.origin + inner.shift;
  body.moving = 1;
  body.rotation = normalized(outer.rotation * inner.rotation);
  body.shift = outer.toWorld(place) - inner.origin;
  body.velocity =
    outer.velocityAt(inner.origin + body.shift) + rotate(outer.rotation, inner.velocity);
  body.spin = outer.spin + rotate(outer.rotation, inner.spin);
  return body;
}

DEM_HD WallBody wallBody(const WallMotion& motion, std::int32_t material, double t)
{
  WallBody body = wallBody(motion.part[0], material, t);
  for (std::int32_t k = 1; k < motion.count; ++k)
    body = carriedBody(wallBody(motion.part[k], material, t), body);
  return body;
}

/// The closest point of an element to a given point.
struct ClosestPoint
{
  Vec3d point;
  double distance2;
  // Triangle: bit k is set if corner k has a weight in the point; 7 = inside the face. Points
  // within kEdgeBand of an edge count as points of the edge.
  unsigned feature;
  bool in_face; // the exact result, without the band
};

constexpr double kEdgeBand = 1e-6; // in units of barycentric weight

/// Faces that meet at less than this angle form one smooth surface, and a sphere has one contact
/// with both: the nearer one. Sharper concave seams are real grooves and keep a contact on each
/// side.
constexpr double kSmoothSeamCosine = 0.9659258262890683; // 15 degrees

DEM_HD ClosestPoint closestOnTriangle(const WallElement& t, const Vec3d& p)
{
  // Regions of the plane as in Ericson, Real-Time Collision Detection (2005), 5.1.5, expressed by
  // weights of the corners.
  const Vec3d ab = t.b - t.a, ac = t.c - t.a, ap = p - t.a;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  const Vec3d bp = p - t.b;
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  const Vec3d cp = p - t.c;
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  double wa = 0, wb = 0, wc = 0;
  bool in_face = false;
  if (d1 <= 0 && d2 <= 0)
    wa = 1;
  else if (d3 >= 0 && d4 <= d3)
    wb = 1;
  else if (d6 >= 0 && d5 <= d6)
    wc = 1;
  else if (vc <= 0 && d1 >= 0 && d3 <= 0)
  {
    wb = d1 / (d1 - d3);
    wa = 1 - wb;
  }
  else if (vb <= 0 && d2 >= 0 && d6 <= 0)
  {
    wc = d2 / (d2 - d6);
    wa = 1 - wc;
  }
  else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
  {
    wc = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    wb = 1 - wc;
  }
  else
  {
    const double s = 1 / (va + vb + vc);
    wb = vb * s;
    wc = vc * s;
    wa = 1 - wb - wc;
    in_face = true;
  }
  ClosestPoint out;
  out.point = t.a + wb * ab + wc * ac;
  const Vec3d d = p - out.point;
  out.distance2 = dot(d, d);
  out.feature =
    (wa > kEdgeBand ? 1u : 0u) | (wb > kEdgeBand ? 2u : 0u) | (wc > kEdgeBand ? 4u : 0u);
  out.in_face = in_face;
  return out;
}

/// A unit vector perpendicular to `axis`.
DEM_HD Vec3d anyPerpendicular(const Vec3d& axis)
{
  const double ax = std::fabs(axis.x), ay = std::fabs(axis.y), az = std::fabs(axis.z);
  const Vec3d e =
    ax <= ay && ax <= az ? Vec3d{ 1, 0, 0 } : (ay <= az ? Vec3d{ 0, 1, 0 } : Vec3d{ 0, 0, 1 });
  return normalized(cross(axis, e));
}

/// The closest point of an analytic surface. For a plane `distance2` is the squared distance to the
/// foot point; see signedDistance().
DEM_HD ClosestPoint closestOnAnalytic(const WallElement& e, const Vec3d& p)
{
  ClosestPoint out{ {}, 0, 7u, true };
  if (e.kind == ElementKind::Plane)
    out.point = p - dot(e.b, p - e.a) * e.b;
  else
  {
    const Vec3d along = e.b - e.a;
    const double size = length(along);
    const Vec3d axis = (1 / size) * along;
    const Vec3d ap = p - e.a;
    const double t = dot(ap, axis);
    if (e.kind == ElementKind::Line)
      out.point = e.a + (t < 0 ? 0 : (t > size ? size : t)) * axis;
    else
    {
      // in the half plane through the axis and p: a segment from (0, radius_a) to (size, radius_b)
      const Vec3d radial = ap - t * axis;
      const double rho = length(radial);
      const Vec3d outward = rho > 1e-14 * size ? (1 / rho) * radial : anyPerpendicular(axis);
      const double dr = e.radius_b - e.radius_a;
      double s = (t * size + (rho - e.radius_a) * dr) / (size * size + dr * dr);
      s = s < 0 ? 0 : (s > 1 ? 1 : s);
      out.point = e.a + (s * size) * axis + (e.radius_a + s * dr) * outward;
    }
  }
  const Vec3d d = p - out.point;
  out.distance2 = dot(d, d);
  return out;
}

DEM_HD ClosestPoint closestOnElement(const WallElement& e, const Vec3d& p)
{
  return e.kind == ElementKind::Triangle ? closestOnTriangle(e, p) : closestOnAnalytic(e, p);
}

/// Distance (m) from p to the element; negative behind a plane, which is a solid half space.
DEM_HD double signedDistance(const WallElement& e, const Vec3d& p, const ClosestPoint& closest)
{
  return e.kind == ElementKind::Plane ? dot(e.b, p - e.a) : std::sqrt(closest.distance2);
}

/// Whether two walls have the same pose and motion at this instant, so that points of their frames
/// can be compared.
DEM_HD bool atRestTogether(const WallBody& a, const WallBody& b)
{
  const auto equal = [](const Vec3d& u, const Vec3d& v) {
    return u.x == v.x && u.y == v.y && u.z == v.z;
  };
  const auto turned = [](const WallBody& w) { return w.rotation.w != 1; };
  const bool turn = turned(a) || turned(b);
  return equal(a.shift, b.shift) && equal(a.velocity, b.velocity) && equal(a.spin, b.spin) &&
    a.rotation.w == b.rotation.w && a.rotation.x == b.rotation.x && a.rotation.y == b.rotation.y &&
    a.rotation.z == b.rotation.z &&
    (!(turn || dot(a.spin, a.spin) > 0) || equal(a.origin, b.origin));
}

/// The walls in device memory.
struct WallView
{
  const WallElement* elements;
  const WallBody* bodies;
  // Triangles around corner v: ring[ring_start[v] .. ring_start[v + 1]).
  const std::uint32_t* ring_start;
  const std::uint32_t* ring;
  // Elements that meet without common corners (WallSeams.h). All null if there are none.
  // Triangles that meet element e: seam[seam_start[e] .. seam_start[e + 1]), ascending.
  const std::uint32_t* seam_start;
  const std::uint32_t* seam;
  const double* tolerance; // of each element (m): smaller gaps count as closed

  DEM_HD bool hasSeams() const { return tolerance != nullptr; }

  /// Whether the closest point of triangle `index` is a contact of the surface: the distance has a
  /// local minimum there. A point on an edge or corner counts only if no triangle around it is
  /// nearer; among equals the lowest index counts. So a sphere has one contact with a flat
  /// triangulated floor, one with a convex edge, and one for each face in a concave corner.
  DEM_HD bool isLocalMinimum(std::uint32_t index, const Vec3d& p, const ClosestPoint& closest) const
  {
    if (closest.feature == 7u)
      return true;
    const WallElement& e = elements[index];
    const int corner = closest.feature & 1u ? 0 : (closest.feature & 2u ? 1 : 2);
    const Vec3d ab = e.b - e.a, ac = e.c - e.a;
    const double same = 16 * kEdgeBand * kEdgeBand * (dot(ab, ab) + dot(ac, ac));
    for (std::uint32_t k = ring_start[e.vertex[corner]]; k < ring_start[e.vertex[corner] + 1]; ++k)
    {
      const std::uint32_t other = ring[k];
      if (other == index)
        continue;
      const WallElement& o = elements[other];
      bool holds = true;
      for (int v = 0; v < 3; ++v)
        if (closest.feature & (1u << v))
          holds = holds &&
            (o.vertex[0] == e.vertex[v] || o.vertex[1] == e.vertex[v] ||
              o.vertex[2] == e.vertex[v]);
      if (!holds)
        continue;
      const ClosestPoint q = closestOnTriangle(o, p);
      if (q.distance2 > closest.distance2 || (q.distance2 == closest.distance2 && other > index))
        continue;
      if (closest.in_face)
      {
        // just inside this face: the neighbour is the same contact only if its closest point is the
        // same
        const Vec3d d = q.point - closest.point;
        if (dot(d, d) > same)
          continue;
      }
      return false;
    }
    return true;
  }

  /// Whether two triangles share a corner or, with `kSeams`, meet along a seam.
  template <bool kSeams>
  DEM_HD bool areNeighbors(std::uint32_t a, std::uint32_t b) const
  {
    const WallElement &e = elements[a], &o = elements[b];
    if (e.kind == ElementKind::Triangle && o.kind == ElementKind::Triangle && e.wall == o.wall)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          if (e.vertex[i] == o.vertex[j])
            return true;
    if constexpr (kSeams)
      return meetAlongSeam(a, b) && atRestTogether(bodies[e.wall], bodies[o.wall]);
    return false;
  }

  /// Whether element `other` passes through `q`, a point of element `index` in its wall's frame.
  /// Requires hasSeams().
  DEM_HD bool passesThrough(std::uint32_t other, std::uint32_t index, const Vec3d& q) const
  {
    const WallElement &e = elements[index], &o = elements[other];
    const double gap = tolerance[index] < tolerance[other] ? tolerance[index] : tolerance[other];
    return atRestTogether(bodies[e.wall], bodies[o.wall]) &&
      closestOnElement(o, q).distance2 <= gap * gap;
  }

  /// Whether triangle `index` lies on element `other`, so that its load must not be counted twice.
  /// Of two equal triangles the one of higher index is covered. Requires hasSeams().
  DEM_HD bool isCoveredBy(std::uint32_t other, std::uint32_t index) const
  {
    const WallElement& e = elements[index];
    if (other == index || e.kind != ElementKind::Triangle || !liesOn(other, index))
      return false;
    return elements[other].kind != ElementKind::Triangle || other < index || !liesOn(index, other);
  }

private:
  DEM_HD bool liesOn(std::uint32_t other, std::uint32_t index) const
  {
    const WallElement& e = elements[index];
    return passesThrough(other, index, e.a) && passesThrough(other, index, e.b) &&
      passesThrough(other, index, e.c);
  }

  DEM_HD bool meetAlongSeam(std::uint32_t a, std::uint32_t b) const
  {
    std::uint32_t low = seam_start[a], high = seam_start[a + 1];
    while (low < high)
    {
      const std::uint32_t middle = (low + high) / 2;
      if (seam[middle] < b)
        low = middle + 1;
      else
        high = middle;
    }
    return low < seam_start[a + 1] && seam[low] == b;
  }
};

} // namespace dem
