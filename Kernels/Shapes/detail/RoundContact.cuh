// Contacts of spheres and tablets, by the signed distance along the best direction
// (ShapeContact.cuh).
#pragma once

#include "Shapes/detail/ContactTypes.cuh"
#include "Shapes/detail/Gjk.cuh"

namespace dem
{
namespace detail
{

/// The support function of a tablet's core as a function of the cosine u between direction and
/// axis, with its first two derivatives.
template <class Real>
struct Profile
{
  Real value, slope, bend;
};

/// A sphere (a point with a rounding) or a tablet in space.
template <class Real>
struct RoundBody
{
  Vec3<Real> center, axis;
  Real edge;                // radius of the rounding
  Real equivalent;          // radius of the sphere of equal volume
  TabletNumbers<Real> core; // all 0 for a sphere

  DEM_HD RoundBody(const ShapeView<Real>& shapes, int shape, const ShapePose<Real>& pose)
    : center(pose.center)
    , axis(pose.ez)
    , edge(pose.scale)
    , equivalent(pose.scale)
    , core{}
  {
    if (shape >= 0 && shapes.shapes[shape].kind == ShapeKind::BiConvexTablet)
    {
      const ShapeNumbers<Real>& n = shapes.shapes[shape];
      const TabletNumbers<Real>& t = n.tablet;
      const Real s = pose.scale;
      core = { s * t.cap, s * t.cap_center, s * t.rim, s * t.height, t.crown, s * t.edge,
        t.cap_cosine };
      edge = core.edge;
      equivalent = s * n.equivalent_radius;
    }
  }

  DEM_HD bool isSphere() const { return core.cap == Real(0); }

  DEM_HD Profile<Real> profile(Real u) const
  {
    using std::sqrt;
    const Real v = u < Real(0) ? -u : u;
    if (v >= core.cap_cosine)
      return { core.cap + core.cap_center * v, u < Real(0) ? -core.cap_center : core.cap_center,
        Real(0) };
    const Real r2 = (Real(1) - v) * (Real(1) + v), r = sqrt(r2);
    Profile<Real> p{ core.rim * r, -core.rim * u / r, -core.rim / (r2 * r) };
    if (core.height > Real(0))
    {
      const Real e2 = core.crown * core.crown, q2 = e2 + (Real(1) - e2) * u * u, q = sqrt(q2);
      p.value += core.height * q;
      p.slope += core.height * (Real(1) - e2) * u / q;
      p.bend += core.height * (Real(1) - e2) * e2 / (q2 * q);
    }
    return p;
  }

  /// The farthest point of the core along the unit vector n, relative to the centre.
  DEM_HD Vec3<Real> support(const Vec3<Real>& n) const
  {
    const Real u = dot(axis, n);
    const Profile<Real> p = profile(u);
    return (p.value - p.slope * u) * n + p.slope * axis;
  }
};

/// Bound of the rounding error of a value computed from numbers of this size.
template <class Real>
DEM_HD Real roundingOf(Real size)
{
  return (sizeof(Real) == 4 ? Real(1e-6) : Real(2e-15)) * size;
}

template <class Real>
DEM_HD Real tolerance()
{
  // Of an angle; the error after the next step is of the order of its square.
  return sizeof(Real) == 4 ? Real(1e-5) : Real(1e-8);
}

/// Finds the direction n that maximizes s(n) = d . n - f_A(a . n) - f_B(b . n) of two round cores,
/// by Newton's method on the unit sphere with steps that never decrease s. Starts from the given n
/// if `known`, else from the best of a few candidate directions of belts and caps. Returns s, and
/// stops as soon as s exceeds `apart`.
template <class Real>
DEM_HD Real bestDirection(const Vec3<Real>& d, const RoundBody<Real>& a, const RoundBody<Real>& b,
  Real apart, Vec3<Real>& n, bool known = false)
{
  using std::sqrt;
  const Real zero(0), one(1);
  // Of an angle; the error after the next step is of the order of its square.
  const Real accuracy = sizeof(Real) == 4 ? Real(1e-4) : Real(1e-7);
  const Real d2 = dot(d, d), slack = roundingOf(sqrt(d2) + a.core.cap + b.core.cap);
  Profile<Real> p = a.profile(dot(a.axis, n)), q = b.profile(dot(b.axis, n));
  Real s = dot(d, n) - p.value - q.value;
  const auto consider = [&](const Vec3<Real>& m) {
    const Real m2 = dot(m, m);
    if (!(m2 > Real(1e-10)))
      return;
    Vec3<Real> e = (one / sqrt(m2)) * m;
    if (dot(e, d) < zero)
      e = -e;
    const Profile<Real> r = a.profile(dot(a.axis, e)), t = b.profile(dot(b.axis, e));
    const Real at = dot(d, e) - r.value - t.value;
    if (at > s)
    {
      s = at;
      n = e;
      p = r;
      q = t;
    }
  };
  if (!known)
  {
    if (d2 > zero)
      consider((one / sqrt(d2)) * d);
    if (s > apart)
      return s;
    if (!a.isSphere())
    {
      consider(a.axis);
      if (a.core.height > zero && d2 > zero)
        consider((one / sqrt(d2)) * (d - dot(d, a.axis) * a.axis));
    }
    if (!b.isSphere())
    {
      consider(b.axis);
      if (b.core.height > zero && d2 > zero)
        consider((one / sqrt(d2)) * (d - dot(d, b.axis) * b.axis));
      if (!a.isSphere())
        consider(cross(a.axis, b.axis));
    }
  }
  for (int again = 0;; ++again)
  {
    for (int round = 0; round < 24 && !(s > apart); ++round)
    {
      const Vec3<Real> g = d - p.slope * a.axis - q.slope * b.axis;
      const Real along = dot(g, n);
      const Vec3<Real> t1 = perpendicular(n), t2 = cross(n, t1);
      const Real g1 = dot(g, t1), g2 = dot(g, t2);
      const Real a1 = dot(a.axis, t1), a2 = dot(a.axis, t2), b1 = dot(b.axis, t1),
                 b2 = dot(b.axis, t2);
      Real m11 = along + p.bend * a1 * a1 + q.bend * b1 * b1,
           m22 = along + p.bend * a2 * a2 + q.bend * b2 * b2;
      const Real m12 = p.bend * a1 * a2 + q.bend * b1 * b2;
      // keeping the smallest eigenvalue positive makes the step an ascent
      const Real half_trace = Real(0.5) * (m11 + m22), half_gap = Real(0.5) * (m11 - m22);
      const Real spread = sqrt(half_gap * half_gap + m12 * m12);
      const Real least =
        Real(1e-3) * (spread + (half_trace < zero ? -half_trace : half_trace)) + Real(1e-3) * slack;
      if (half_trace - spread < least)
      {
        const Real lift = least - (half_trace - spread);
        m11 += lift;
        m22 += lift;
      }
      const Real scale = one / (m11 * m22 - m12 * m12);
      Real x1 = (m22 * g1 - m12 * g2) * scale, x2 = (m11 * g2 - m12 * g1) * scale;
      const Real size2 = x1 * x1 + x2 * x2;
      // Limits a step to one radian, except for a single cap, whose step is exact.
      if (size2 > one)
      {
        if (!(p.bend == zero && q.bend == zero))
        {
          const Real cut = one / sqrt(size2);
          x1 *= cut;
          x2 *= cut;
        }
      }
      Real best = s;
      Vec3<Real> m = n;
      for (int cut = 0; cut < 8; ++cut)
      {
        m = normalized(n + x1 * t1 + x2 * t2);
        const Profile<Real> r = a.profile(dot(a.axis, m)), t = b.profile(dot(b.axis, m));
        best = dot(d, m) - r.value - t.value;
        if (best >= s - slack)
        {
          p = r;
          q = t;
          break;
        }
        x1 *= Real(0.3);
        x2 *= Real(0.3);
      }
      if (best < s - slack)
        break;
      n = m;
      s = best;
      if (size2 < accuracy * accuracy)
        break;
    }
    // Newton's method may stop before a belt, because its curvature is high.
    const Real found = s;
    if (!known && again == 0 && !(s > apart))
    {
      if (a.core.height > zero)
        consider(n - dot(n, a.axis) * a.axis);
      if (b.core.height > zero)
        consider(n - dot(n, b.axis) * b.axis);
    }
    if (!(s > found + slack))
      break;
  }
  return s;
}

/// Sets the contact for the direction n: overlap, and the point halfway between the surfaces.
template <class Real>
DEM_HD void fillContact(
  ContactGeometry<Real>& out, const RoundBody<Real>& a, const Vec3<Real>& n, Real overlap)
{
  out.overlap = overlap;
  out.normal = n;
  out.point = a.center + a.support(n) + (a.edge - Real(0.5) * overlap) * n;
}

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

/// Maximizes the signed distance of a round core and the segment from p to q (relative to the
/// core's centre) over the directions perpendicular to the segment. n: start and result. Returns
/// false if n is parallel to the segment.
template <class Real>
DEM_HD_CALL bool bestAcross(
  const RoundBody<Real>& a, const Vec3<Real>& p, const Vec3<Real>& q, Vec3<Real>& n)
{
  using std::sqrt;
  const Vec3<Real> along = q - p;
  const Real l2 = dot(along, along);
  Vec3<Real> e = n - (dot(n, along) / l2) * along;
  const Real e2 = dot(e, e);
  if (!(e2 > Real(1e-12)))
    return false;
  e = (Real(1) / sqrt(e2)) * e;
  const Vec3<Real> k = (Real(1) / sqrt(l2)) * along;
  const auto value = [&](
                       const Vec3<Real>& m) { return dot(p, m) - a.profile(dot(a.axis, m)).value; };
  Real s = value(e);
  const Real slack = roundingOf(sqrt(dot(p, p)) + a.core.cap);
  for (int round = 0; round < 20; ++round)
  {
    const Vec3<Real> t = cross(k, e);
    const Profile<Real> f = a.profile(dot(a.axis, e));
    const Vec3<Real> g = p - f.slope * a.axis;
    const Real at = dot(a.axis, t), slope = dot(g, t), full = dot(g, e) + f.bend * at * at;
    const Real least = Real(0.05) * (dot(g, e) < 0 ? -dot(g, e) : dot(g, e)) + Real(1e-30);
    Real x = slope / (full > least ? full : least);
    x = x > Real(1) ? Real(1) : (x < Real(-1) ? Real(-1) : x);
    const bool small = x * x < tolerance<Real>() * tolerance<Real>();
    Real best = s;
    Vec3<Real> m = e;
    for (int cut = 0; cut < 8; ++cut)
    {
      m = normalized(e + x * t);
      best = value(m);
      if (best >= s - slack)
        break;
      x *= Real(0.3);
    }
    if (best < s - slack)
      break;
    e = m;
    s = best;
    if (small)
      break;
  }
  n = e;
  return true;
}

/// Overlap of a tablet or sphere with the convex hull of points. corner(k): point k relative to the
/// body's centre; farthest(n): index of the farthest point along n; `inside`: a point of the hull.
/// deep(consider) calls consider(direction) for the candidates if the cores overlap. Returns the
/// overlap, negative for separate bodies, and n from the round body to the hull.
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
    {
      Real best = value(start);
      n = start;
      deep([&](const Vec3<Real>& m) {
        const Real s = value(m);
        if (s > best)
        {
          best = s;
          n = m;
        }
      });
      return a.edge - best;
    }
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
    // The search ends near the result. With the right feature the result is exact: corners without
    // weight are dropped, nearer ones are added.
    int feature[3];
    int count = search.feature(feature);
    for (int round = 0; round < 6; ++round)
    {
      Vec3<Real> m = n;
      const Vec3<Real> p = corner(feature[0]);
      Vec3<Real> q = p, r = p;
      if (count == 1)
      {
        RoundBody<Real> point = a;
        point.core = {};
        bestDirection(p, a, point, Real(1e30), m);
      }
      else if (count == 2)
      {
        q = corner(feature[1]);
        if (!bestAcross(a, p, q, m))
          break;
      }
      else
      {
        q = corner(feature[1]);
        r = corner(feature[2]);
        m = cross(q - p, r - p);
        const Real m2 = dot(m, m);
        if (!(m2 > zero))
          break;
        m = (one / sqrt(m2)) * m;
        if (dot(m, n) < zero)
          m = -m;
      }
      consider(m);
      if (count == 2)
      {
        const Real t = dot(a.support(m) - p, q - p) / dot(q - p, q - p);
        if (t < zero || t > one)
        {
          feature[0] = feature[t < zero ? 0 : 1];
          count = 1;
          continue;
        }
      }
      else if (count == 3)
      {
        const Vec3<Real> x = a.support(m) - p;
        const Real wr = dot(cross(q - p, x), m), wq = dot(cross(x, r - p), m),
                   whole = dot(cross(q - p, r - p), m);
        const Real sign = whole < zero ? -one : one, w1 = sign * wq, w2 = sign * wr,
                   w0 = sign * whole - w1 - w2;
        const Real least = w0 < w1 ? (w0 < w2 ? w0 : w2) : (w1 < w2 ? w1 : w2);
        if (least < zero)
        {
          if (least == w0)
            feature[0] = feature[2];
          else if (least == w1)
            feature[1] = feature[2];
          count = 2;
          continue;
        }
      }
      const int k = farthest(-m);
      solved = !(dot(p - corner(k), m) > slack);
      bool known = false;
      for (int i = 0; i < count; ++i)
        known = known || feature[i] == k;
      if (solved || known || count == 3)
        break;
      feature[count++] = k;
    }
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
  Vec3<Real> n;
  const Real overlap = roundHull(
    a, nearest.point, [&](int k) { return v[k]; },
    [&](const Vec3<Real>& m) {
      const Real x = dot(v[0], m), y = dot(v[1], m), z = dot(v[2], m);
      return x >= y && x >= z ? 0 : (y >= z ? 1 : 2);
    },
    [&](const auto& consider) { consider(face); }, n);
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
  const Real overlap = roundHull(
    a, d, [&](int k) { return d + pose_b.scale * pose_b.toSpace(vertex[k]); },
    [&](const Vec3<Real>& m) {
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
    },
    [&](const auto& consider) {
      for (int f = solid.faces_begin; f < solid.faces_end; ++f)
        consider(-pose_b.toSpace(shapes.planes[f].xyz()));
    },
    n);
  if (overlap > Real(0))
    fillContact(out, a, n, overlap);
  return out;
}

/// Contact of a round body with a cylinder or cone. The tangent planes have the normals m(t) = cos
/// g e(t) + sin g k about the axis k. From inside the deepest plane counts, from outside the one
/// that separates best.
template <class Real>
DEM_HD_CALL ContactGeometry<Real> roundCone(const ShapeView<Real>& shapes, int shape,
  const ShapePose<Real>& pose, const ContactCone<Real>& cone)
{
  using std::cos;
  using std::sin;
  using std::sqrt;
  const Real zero(0), one(1);
  ContactGeometry<Real> out;
  const Vec3<Real> along = cone.b - cone.a;
  const Real size = sqrt(dot(along, along));
  const Vec3<Real> k = (one / size) * along, c = pose.center - cone.a;
  const Real t = dot(c, k), widening = (cone.radius_b - cone.radius_a) / size;
  const Real cg = one / sqrt(one + widening * widening), sg = -widening * cg; // m = cg e + sg k
  const Vec3<Real> radial = c - t * k;
  const Real rho = sqrt(dot(radial, radial));
  if (t < -pose.scale || t > size + pose.scale)
    return out;
  // the surface is m . x = offset in the plane of e; height: signed distance of the centre
  const Real offset = cg * cone.radius_a, height = cg * rho + sg * t - offset;
  const bool inside = height < zero;
  if ((inside ? -height : height) >= pose.scale)
    return out;
  const RoundBody<Real> a(shapes, shape, pose);
  const Vec3<Real> e1 = rho > Real(1e-6) * pose.scale ? (one / rho) * radial : perpendicular(k),
                   e2 = cross(k, e1);
  const Real sign = inside ? one : -one;
  // maximized over the angle: sign f(a . m) + m . c
  const auto value = [&](const Vec3<Real>& m) {
    return sign * a.profile(dot(a.axis, m)).value + dot(m, c);
  };
  const auto normalAt = [&](Real x, Real y) { return cg * (x * e1 + y * e2) + sg * k; };
  Real x(1), y(0), s = value(normalAt(x, y));
  const Real slack = roundingOf(rho + a.core.cap);
  const int samples = a.isSphere() ? 0 : (inside ? 24 : 8);
  for (int j = 1; j < samples; ++j)
  {
    const Real part = Real(j) / Real(samples);
    const Real angle =
      inside ? Real(6.2831853071795865) * part : Real(3.1415926535897932) * (part - Real(0.5));
    const Real cx = cos(angle), sy = sin(angle), at = value(normalAt(cx, sy));
    if (at > s)
    {
      s = at;
      x = cx;
      y = sy;
    }
  }
  for (int round = 0; round < 24; ++round)
  {
    const Vec3<Real> m = normalAt(x, y), turn = cg * (x * e2 - y * e1);
    const Profile<Real> p = a.profile(dot(a.axis, m));
    const Vec3<Real> g = c + (sign * p.slope) * a.axis;
    const Real at = dot(a.axis, turn), slope = dot(g, turn);
    const Real lean = cg * dot(g, x * e1 + y * e2);
    const Real full = lean - sign * p.bend * at * at;
    const Real least = Real(0.05) * ((lean < zero ? -lean : lean) + Real(1e-3) * pose.scale);
    Real step = slope / (full > least ? full : least);
    step = step > Real(0.3) ? Real(0.3) : (step < Real(-0.3) ? Real(-0.3) : step);
    const bool small = step * step < tolerance<Real>() * tolerance<Real>();
    Real best = s, nx = x, ny = y;
    for (int cut = 0; cut < 8; ++cut)
    {
      const Real scale = one / sqrt(one + step * step);
      nx = scale * (x - step * y);
      ny = scale * (y + step * x);
      best = value(normalAt(nx, ny));
      if (best >= s - slack)
        break;
      step *= Real(0.3);
    }
    if (best < s - slack)
      break;
    x = nx;
    y = ny;
    s = best;
    if (small)
      break;
  }
  Vec3<Real> m = normalAt(x, y);
  Real overlap = inside ? s + a.edge - offset : a.edge + offset - s;
  if (!(overlap > zero))
    return out;
  fillContact(out, a, sign * m, overlap);
  out.radius = out.rolling_radius = a.equivalent;
  // Beyond an end of the surface its rim is touched: the direction is tilted until the contact
  // point is at the height of the rim.
  const auto surface = [&](const Vec3<Real>& n) { return a.support(n) + a.edge * n; };
  const Real reached = t + dot(surface(sign * m), k);
  if (reached < zero || reached > size)
  {
    const Real rim = reached < zero ? zero : size,
               radius = rim == zero ? cone.radius_a : cone.radius_b;
    Real near(0), far(reached < zero ? 30 : -30);
    Vec3<Real> n = sign * m;
    for (int round = 0; round < 40; ++round)
    {
      const Real middle = Real(0.5) * (near + far);
      n = normalized(sign * m + middle * k);
      ((t + dot(surface(n), k) < rim) == (reached < zero) ? near : far) = middle;
    }
    const Vec3<Real> edge =
      rim * k + radius * (x * e1 + y * e2) - c; // point of the rim, relative to the body's centre
    overlap = dot(n, surface(n)) - dot(n, edge);
    fillContact(out, a, n, overlap);
  }
  return out;
}

} // namespace detail
} // namespace dem
