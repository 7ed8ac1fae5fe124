// Contacts of spheres and tablets with cylinders, cones and lines of walls (ShapeContact.cuh).
#pragma once

#include "Shapes/RoundBody.cuh"

namespace dem
{
namespace detail
{

/// A round body and the tangent planes of a cylinder or cone. Their normals are
/// m(x, y) = cg (x e1 + y e2) + sg k about the axis k, with (x, y) on the unit circle. The search
/// maximizes s = sign f(a . m) + m . c.
template <class Real>
struct RoundAndCone
{
  const RoundBody<Real>& a;
  Vec3<Real> c;         // the body's centre, relative to the first end of the axis
  Vec3<Real> k, e1, e2; // the axis; towards the body; perpendicular to both
  Real cg, sg;
  Real sign; // 1 inside, -1 outside
  Real x, y, s;

  DEM_HD Real value(const Vec3<Real>& m) const
  {
    return sign * a.profile(dot(a.axis, m)).value + dot(m, c);
  }
  DEM_HD Vec3<Real> normalAt(Real x_, Real y_) const { return cg * (x_ * e1 + y_ * e2) + sg * k; }
  DEM_HD Vec3<Real> normal() const { return normalAt(x, y); }
  /// The surface's point with the normal n, relative to the body's centre.
  DEM_HD Vec3<Real> surface(const Vec3<Real>& n) const { return a.support(n) + a.edge * n; }

  /// Starts at the best of some angles: all around inside, on the near half outside.
  DEM_HD void start(bool inside)
  {
    using std::cos;
    using std::sin;
    x = Real(1);
    y = Real(0);
    s = value(normal());
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
  }

  /// A step of Newton's method over the angle, shortened until s does not decrease by more than
  /// `slack`. `scale`: size of the body. Returns false if the search has ended.
  DEM_HD bool step(Real slack, Real scale)
  {
    using std::sqrt;
    const Real zero(0), one(1);
    const Vec3<Real> m = normalAt(x, y), turn = cg * (x * e2 - y * e1);
    const Profile<Real> p = a.profile(dot(a.axis, m));
    const Vec3<Real> g = c + (sign * p.slope) * a.axis;
    const Real at = dot(a.axis, turn), slope = dot(g, turn);
    const Real lean = cg * dot(g, x * e1 + y * e2);
    const Real full = lean - sign * p.bend * at * at;
    const Real least = Real(0.05) * ((lean < zero ? -lean : lean) + Real(1e-3) * scale);
    Real step = slope / (full > least ? full : least);
    step = step > Real(0.3) ? Real(0.3) : (step < Real(-0.3) ? Real(-0.3) : step);
    const bool small = step * step < tolerance<Real>() * tolerance<Real>();
    Real best = s, nx = x, ny = y;
    for (int cut = 0; cut < 8; ++cut)
    {
      const Real size = one / sqrt(one + step * step);
      nx = size * (x - step * y);
      ny = size * (y + step * x);
      best = value(normalAt(nx, ny));
      if (best >= s - slack)
        break;
      step *= Real(0.3);
    }
    if (best < s - slack)
      return false;
    x = nx;
    y = ny;
    s = best;
    return !small;
  }

  /// The contact with the rim at the height `rim` with `radius`, at the present angle: the
  /// direction is tilted until the contact point is at the height of the rim. t: height of the
  /// body's centre.
  DEM_HD void touchRim(ContactGeometry<Real>& out, Real t, Real rim, Real radius) const
  {
    const Vec3<Real> m = normal();
    const bool below = rim == Real(0);
    Real near(0), far(below ? 30 : -30);
    Vec3<Real> n = sign * m;
    for (int round = 0; round < 40; ++round)
    {
      const Real middle = Real(0.5) * (near + far);
      n = normalized(sign * m + middle * k);
      ((t + dot(surface(n), k) < rim) == below ? near : far) = middle;
    }
    // point of the rim, relative to the body's centre
    const Vec3<Real> edge = rim * k + radius * (x * e1 + y * e2) - c;
    fillContact(out, a, n, dot(n, surface(n)) - dot(n, edge));
  }
};

/// Contact of a round body with a cylinder or cone. From inside the deepest tangent plane counts,
/// from outside the one that separates best.
template <class Real>
DEM_HD_CALL ContactGeometry<Real> roundCone(const ShapeView<Real>& shapes, int shape,
  const ShapePose<Real>& pose, const ContactCone<Real>& cone)
{
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
  const Vec3<Real> e1 = rho > Real(1e-6) * pose.scale ? (one / rho) * radial : perpendicular(k);
  RoundAndCone<Real> pair{ a, c, k, e1, cross(k, e1), cg, sg, inside ? one : -one, one, zero,
    zero };
  pair.start(inside);
  const Real slack = roundingOf(rho + a.core.cap);
  for (int round = 0; round < 24; ++round)
    if (!pair.step(slack, pose.scale))
      break;
  const Vec3<Real> n = pair.sign * pair.normal();
  const Real overlap = inside ? pair.s + a.edge - offset : a.edge + offset - pair.s;
  if (!(overlap > zero))
    return out;
  fillContact(out, a, n, overlap);
  out.radius = out.rolling_radius = a.equivalent;
  // beyond an end of the surface its rim is touched
  const Real reached = t + dot(pair.surface(n), k);
  if (reached < zero)
    pair.touchRim(out, t, zero, cone.radius_a);
  else if (reached > size)
    pair.touchRim(out, t, size, cone.radius_b);
  return out;
}

} // namespace detail
} // namespace dem
