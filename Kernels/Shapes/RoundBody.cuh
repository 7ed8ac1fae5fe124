// Spheres and tablets in space by their support functions, and the best direction between two of
// them (ShapeContact.cuh).
#pragma once

#include "Shapes/ContactTypes.cuh"

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

/// State of bestDirection(): the direction n, the profiles of both cores along it, and the value
/// s(n) = d . n - f_A(a . n) - f_B(b . n).
template <class Real>
struct DirectionSearch
{
  const Vec3<Real>& d;
  const RoundBody<Real>& a;
  const RoundBody<Real>& b;
  Real d2, slack; // |d|^2; bound of the rounding error of s
  Vec3<Real> n;
  Profile<Real> p, q;
  Real s;

  DEM_HD DirectionSearch(const Vec3<Real>& d_, const RoundBody<Real>& a_, const RoundBody<Real>& b_,
    const Vec3<Real>& n_)
    : d(d_)
    , a(a_)
    , b(b_)
    , d2(dot(d_, d_))
    , slack(roundingOf(std::sqrt(d2) + a_.core.cap + b_.core.cap))
    , n(n_)
    , p(a_.profile(dot(a_.axis, n_)))
    , q(b_.profile(dot(b_.axis, n_)))
    , s(dot(d_, n_) - p.value - q.value)
  {
  }

  /// Takes the direction of m, or the opposite one, if its value is larger.
  DEM_HD void consider(const Vec3<Real>& m)
  {
    using std::sqrt;
    const Real m2 = dot(m, m);
    if (!(m2 > Real(1e-10)))
      return;
    Vec3<Real> e = (Real(1) / sqrt(m2)) * m;
    if (dot(e, d) < Real(0))
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
  }

  /// Considers the directions that belts and caps prefer; stops if s exceeds `apart`.
  DEM_HD void considerCandidates(Real apart)
  {
    using std::sqrt;
    const Real zero(0), one(1);
    if (d2 > zero)
      consider((one / sqrt(d2)) * d);
    if (s > apart)
      return;
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

  /// Considers the directions perpendicular to the axes of bodies with a belt.
  DEM_HD void considerBelts()
  {
    if (a.core.height > Real(0))
      consider(n - dot(n, a.axis) * a.axis);
    if (b.core.height > Real(0))
      consider(n - dot(n, b.axis) * b.axis);
  }

  /// A step of Newton's method on the unit sphere, shortened until s does not decrease. Returns
  /// false if the search has ended.
  DEM_HD bool step()
  {
    using std::sqrt;
    const Real zero(0), one(1);
    // Of an angle; the error after the next step is of the order of its square.
    const Real accuracy = sizeof(Real) == 4 ? Real(1e-4) : Real(1e-7);
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
      return false;
    n = m;
    s = best;
    return !(size2 < accuracy * accuracy);
  }
};

/// Finds the direction n that maximizes s(n) = d . n - f_A(a . n) - f_B(b . n) of two round cores,
/// by Newton's method on the unit sphere with steps that never decrease s. Starts from the given n
/// if `known`, else from the best of a few candidate directions of belts and caps. Returns s, and
/// stops as soon as s exceeds `apart`.
template <class Real>
DEM_HD Real bestDirection(const Vec3<Real>& d, const RoundBody<Real>& a, const RoundBody<Real>& b,
  Real apart, Vec3<Real>& n, bool known = false)
{
  DirectionSearch<Real> search(d, a, b, n);
  if (!known)
    search.considerCandidates(apart);
  for (int again = 0;; ++again)
  {
    for (int round = 0; round < 24 && !(search.s > apart); ++round)
      if (!search.step())
        break;
    // Newton's method may stop before a belt, because its curvature is high.
    const Real found = search.s;
    if (!known && again == 0 && !(search.s > apart))
      search.considerBelts();
    if (!(search.s > found + search.slack))
      break;
  }
  n = search.n;
  return search.s;
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

} // namespace detail
} // namespace dem
