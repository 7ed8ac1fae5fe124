// Contacts of spheres and tablets with bodies that have corners: triangles of walls and polyhedra
// (ShapeContact.cuh).
#pragma once

#include "Shapes/HullDepth.cuh"

namespace dem
{
namespace detail
{

/// The nearest point of a triangle, with a bit mask of the corners that have a weight in it.
/// Regions as in Ericson, Real-Time Collision Detection (2005), 5.1.5.
template <class Real>
struct TrianglePoint
{
  Vec3<Real> point;
  unsigned feature;
};
template <class Real>
DEM_HD TrianglePoint<Real> nearestOnTriangle(
  const Vec3<Real>& a, const Vec3<Real>& b, const Vec3<Real>& c, const Vec3<Real>& p)
{
  const Real zero(0), one(1), band = sizeof(Real) == 4 ? Real(1e-5) : Real(1e-6);
  const Vec3<Real> ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const Real d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp),
             d5 = dot(ab, cp), d6 = dot(ac, cp);
  const Real va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  Real wa(0), wb(0), wc(0);
  if (d1 <= zero && d2 <= zero)
    wa = one;
  else if (d3 >= zero && d4 <= d3)
    wb = one;
  else if (d6 >= zero && d5 <= d6)
    wc = one;
  else if (vc <= zero && d1 >= zero && d3 <= zero)
  {
    wb = d1 / (d1 - d3);
    wa = one - wb;
  }
  else if (vb <= zero && d2 >= zero && d6 <= zero)
  {
    wc = d2 / (d2 - d6);
    wa = one - wc;
  }
  else if (va <= zero && d4 - d3 >= zero && d5 - d6 >= zero)
  {
    wc = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    wb = one - wc;
  }
  else
  {
    const Real s = one / (va + vb + vc);
    wb = vb * s;
    wc = vc * s;
    wa = one - wb - wc;
  }
  return { a + wb * ab + wc * ac,
    (wa > band ? 1u : 0u) | (wb > band ? 2u : 0u) | (wc > band ? 4u : 0u) };
}

/// Overlap of a tablet or sphere with the convex hull of points. corner(k): point k relative to the
/// body's centre; farthest(n): index of the farthest point along n; `inside`: a point of the hull.
/// deep(toward, slack, n) finds the direction if the cores overlap, and returns its value; toward:
/// to `inside`. Returns the overlap, negative for separate bodies, and n from the round body to the
/// hull.
template <class Real, class Corner, class Farthest, class Deep>
DEM_HD_CALL Real roundHull(const RoundBody<Real>& a, const Vec3<Real>& inside, const Corner& corner,
  const Farthest& farthest, const Deep& deep, Vec3<Real>& n)
{
  using std::sqrt;
  const Real zero(0), one(1);
  const auto value = [&](const Vec3<Real>& m) {
    return dot(corner(farthest(-m)), m) - a.profile(dot(a.axis, m)).value;
  };
  HullSearch<Real> search;
  const Real i2 = dot(inside, inside), slack = roundingOf(sqrt(i2) + a.core.cap);
  const Vec3<Real> start = i2 > zero ? (one / sqrt(i2)) * inside : Vec3<Real>{ zero, zero, one };
  // A coarse search mostly finds the right feature, which can be verified; if not, a fine search
  // follows.
  Real s(0);
  bool solved = false;
  for (int pass = 0; pass < 2 && !solved; ++pass)
  {
    const Real accuracy = pass == 0 ? Real(3e-3) : (sizeof(Real) == 4 ? Real(1e-6) : Real(1e-12));
    const HullState state = search.run(
      start, a.edge, accuracy, [&](const Vec3<Real>& m) { return a.support(m); }, corner, farthest);
    if (state == HullState::Apart)
      return -one;
    if (state == HullState::Inside)
      return a.edge - deep(start, slack, n);
    n = search.normal();
    s = value(n);
    const auto consider = [&](const Vec3<Real>& m) {
      const Real t = value(m);
      if (t > s - slack)
      {
        s = t;
        n = m;
      }
    };
    // The search ends near the result. With the right feature the result is exact.
    HullFeature<Real> feature;
    feature.count = search.feature(feature.corner);
    solved = followFeature(a, feature, corner, farthest, slack, consider, n);
  }
  return a.edge - s;
}

/// Contact of a round body with a triangle.
template <class Real>
DEM_HD_CALL ContactGeometry<Real> roundTriangle(const ShapeView<Real>& shapes, int shape,
  const ShapePose<Real>& pose, const ContactTriangle<Real>& triangle)
{
  using std::sqrt;
  ContactGeometry<Real> out;
  const Vec3<Real> v[3] = { triangle.a - pose.center, triangle.b - pose.center,
    triangle.c - pose.center };
  const Vec3<Real> origin{};
  const TrianglePoint<Real> nearest = nearestOnTriangle(v[0], v[1], v[2], origin);
  const Real distance2 = dot(nearest.point, nearest.point);
  if (distance2 >= pose.scale * pose.scale)
    return out;
  const RoundBody<Real> a(shapes, shape, pose);
  Vec3<Real> face = normalized(cross(v[1] - v[0], v[2] - v[0]));
  if (dot(face, v[0]) < Real(0)) // from the body's centre to the triangle
    face = -face;
  out.radius = out.rolling_radius = a.equivalent;
  if (a.isSphere())
  {
    const Real distance = sqrt(distance2);
    fillContact(
      out, a, distance > Real(0) ? (Real(1) / distance) * nearest.point : face, a.edge - distance);
    out.feature = nearest.feature;
    return out;
  }
  const auto corner = [&](int k) { return v[k]; };
  const auto farthest = [&](const Vec3<Real>& m) {
    const Real x = dot(v[0], m), y = dot(v[1], m), z = dot(v[2], m);
    return x >= y && x >= z ? 0 : (y >= z ? 1 : 2);
  };
  Vec3<Real> n;
  const Real overlap = roundHull(
    a, nearest.point, corner, farthest,
    [&](const Vec3<Real>& toward, Real slack, Vec3<Real>& m) {
      return partTriangle(a, corner, farthest, face, toward, slack, m);
    },
    n);
  if (!(overlap > Real(0)))
    return out;
  fillContact(out, a, n, overlap);
  out.feature =
    nearestOnTriangle(v[0], v[1], v[2], out.point - pose.center - Real(0.5) * overlap * n).feature;
  return out;
}

/// Signed distance of the point p (in the body's unit) from a polyhedron, and the outward direction
/// there.
template <class Real>
DEM_HD_CALL Real nearestOnPolyhedron(
  const ShapeView<Real>& shapes, const ShapeNumbers<Real>& n, const Vec3<Real>& p, Vec3<Real>& out)
{
  using std::sqrt;
  Real deepest(-1e30), nearest2(1e30);
  int face = n.faces_begin;
  for (int f = n.faces_begin; f < n.faces_end; ++f)
  {
    const Real h = dot(shapes.planes[f].xyz(), p) - shapes.planes[f].w;
    if (h > deepest)
    {
      deepest = h;
      face = f;
    }
  }
  out = shapes.planes[face].xyz();
  if (deepest <= Real(0))
    return deepest;
  for (int f = n.faces_begin; f < n.faces_end; ++f)
  {
    const Real h = dot(shapes.planes[f].xyz(), p) - shapes.planes[f].w;
    if (!(h > Real(0)) || h * h >= nearest2)
      continue;
    const std::int32_t* corners = shapes.corners + shapes.corners_begin[f];
    const int size = shapes.corners_begin[f + 1] - shapes.corners_begin[f];
    const Vec3<Real>* vertex = shapes.vertices + n.vertices_begin;
    for (int k = 1; k + 1 < size; ++k)
    {
      const TrianglePoint<Real> q =
        nearestOnTriangle(vertex[corners[0]], vertex[corners[k]], vertex[corners[k + 1]], p);
      const Vec3<Real> d = p - q.point;
      const Real d2 = dot(d, d);
      if (d2 < nearest2)
      {
        nearest2 = d2;
        out = d;
      }
    }
  }
  const Real distance = sqrt(nearest2);
  if (distance > Real(0))
    out = (Real(1) / distance) * out;
  else
    out = shapes.planes[face].xyz();
  return distance;
}

/// Contact of a sphere or tablet (a) with a polyhedron (b).
template <class Real>
DEM_HD_CALL ContactGeometry<Real> roundPolyhedron(const ShapeView<Real>& shapes, int shape_a,
  const ShapePose<Real>& pose_a, int shape_b, const ShapePose<Real>& pose_b)
{
  ContactGeometry<Real> out;
  const Vec3<Real> d = pose_b.center - pose_a.center;
  const Real reach = pose_a.scale + pose_b.scale;
  if (dot(d, d) >= reach * reach)
    return out;
  const RoundBody<Real> a(shapes, shape_a, pose_a);
  const ShapeNumbers<Real>& solid = shapes.shapes[shape_b];
  const Real equivalent = pose_b.scale * solid.equivalent_radius;
  out.radius = out.rolling_radius = a.equivalent * equivalent / (a.equivalent + equivalent);
  Vec3<Real> n;
  if (a.isSphere())
  {
    const Real distance = pose_b.scale *
      nearestOnPolyhedron(shapes, solid, pose_b.toBody((Real(-1) / pose_b.scale) * d), n);
    if (distance < a.edge)
      fillContact(out, a, -pose_b.toSpace(n), a.edge - distance);
    return out;
  }
  const Vec3<Real>* vertex = shapes.vertices + solid.vertices_begin;
  const int vertices = solid.vertices_end - solid.vertices_begin;
  const auto corner = [&](int k) { return d + pose_b.scale * pose_b.toSpace(vertex[k]); };
  const auto farthest = [&](const Vec3<Real>& m) {
    const Vec3<Real> local = pose_b.toBody(m);
    int best = 0;
    Real most = dot(local, vertex[0]);
    for (int k = 1; k < vertices; ++k)
    {
      const Real h = dot(local, vertex[k]);
      if (h > most)
      {
        most = h;
        best = k;
      }
    }
    return best;
  };
  const auto faces = [&](const auto& consider) {
    for (int f = solid.faces_begin; f < solid.faces_end; ++f)
      consider(-pose_b.toSpace(shapes.planes[f].xyz()), shapes.corners + shapes.corners_begin[f],
        shapes.corners_begin[f + 1] - shapes.corners_begin[f]);
  };
  const Real overlap = roundHull(
    a, d, corner, farthest,
    [&](const Vec3<Real>& toward, Real slack, Vec3<Real>& m) {
      return partHull(a, vertices, corner, farthest, faces, toward, slack, m);
    },
    n);
  if (overlap > Real(0))
    fillContact(out, a, n, overlap);
  return out;
}

} // namespace detail
} // namespace dem
