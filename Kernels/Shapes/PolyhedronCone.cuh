// Contact of a polyhedron with a cylinder or cone: the overlap's volume, its centroid and the area
// vector of the round surface within the body (ShapeContact.cuh), by one integral over the angle
// about the axis.
//
// In the half plane at an angle, with rho off and z along the axis, the overlap is bounded by the
// round surface rho = R(z) and by the cuts of the body's faces, which are straight. Green's theorem
// is applied with primitives in rho that vanish at R(z). Then only the cuts contribute, each
// integrated along z separately and exactly. The round surface contributes nothing, nor do the ends
// of the wall, where z does not change. The integrand is smooth between the angles of vertices and
// of points where an edge of the body passes through the surface. It is integrated between these
// angles by Gauss's rule.
#pragma once

#include "Shapes/PolyhedronContact.cuh"

namespace dem
{
namespace detail
{

/// Sorted angles between which an integrand is smooth.
template <class Real>
struct SmoothBetween
{
  // Enough for the vertices and edges of a polyhedron of 64 vertices, and 76 for the ends of a
  // wall.
  static constexpr int kMost = 512;
  Real angle[kMost];
  int size = 0;

  DEM_HD void add(Real a)
  {
    if (size == kMost)
      return;
    int at = size++;
    for (; at > 0 && angle[at - 1] > a; --at)
      angle[at] = angle[at - 1];
    angle[at] = a;
  }
};

/// Contribution of the half plane at one angle.
template <class Real>
struct ConeSlice
{
  Real volume = 0, radial = 0, axial = 0; // integrals of rho, rho^2 and rho z over the overlap
  Real patch = 0;                         // integral of R dz along the cuts
};

/// A polyhedron in the frame of a wall's axis, in units of its scale: x towards its centre, z along
/// the axis from the wall's first end.
template <class Real>
struct ConeAndSolid
{
  SolidView<Real> solid;
  RawPoints<Real, kMaxShapeVertices> at;
  Real radius, widening, length; // of the wall: R(z) = radius + widening z
  bool inside;                   // the body's centre is inside the surface
  bool pierced = false;          // the axis passes through the body, from axis_low to axis_high
  Real axis_low = 0, axis_high = 0;
  Vec3<Real> ex{}, ey{}, ez{}; // axes of the body

  // Distance off the axis beyond the surface.
  DEM_HD Real height(Real rho, Real z) const { return rho - radius - widening * z; }
  DEM_HD Real height(const Vec3<Real>& p) const
  {
    using std::sqrt;
    return height(sqrt(p.x * p.x + p.y * p.y), p.z);
  }
  /// On the solid side of the wall, and between its ends.
  DEM_HD bool behind(const Vec3<Real>& p) const
  {
    const Real h = height(p);
    return (inside ? h > Real(0) : h < Real(0)) && p.z >= Real(0) && p.z <= length;
  }

  // Calls visit(p, q) for each edge of the body.
  template <class Visit>
  DEM_HD void edges(const Visit& visit) const
  {
    for (int f = 0; f < solid.faces; ++f)
    {
      int p = solid.corner[solid.begin[f + 1] - 1];
      for (int k = solid.begin[f]; k < solid.begin[f + 1]; ++k)
      {
        const int q = solid.corner[k];
        if (p < q)
          visit(at[p], at[q]);
        p = q;
      }
    }
  }

  // Finds the angles at which the integrand is not smooth.
  DEM_HD_CALL void findBreaks(SmoothBetween<Real>& breaks) const
  {
    using std::atan2;
    using std::sqrt;
    const Real zero(0), one(1);
    Real low = Real(1e30), high = -Real(1e30);
    for (int v = 0; v < solid.vertices; ++v)
    {
      const Vec3<Real> p = at[v];
      low = p.z < low ? p.z : low;
      high = p.z > high ? p.z : high;
      if (behind(p))
        breaks.add(atan2(p.y, p.x));
    }
    edges([&](const Vec3<Real>& p, const Vec3<Real>& q) {
      // (rho - R)(rho + R) = 0 along the edge; numerically stable roots
      const Vec3<Real> d = q - p;
      const Real r = radius + widening * p.z, grows = widening * d.z;
      const Real a = d.x * d.x + d.y * d.y - grows * grows, b = p.x * d.x + p.y * d.y - r * grows,
                 c = p.x * p.x + p.y * p.y - r * r;
      const Real under = b * b - a * c;
      if (!(under > zero))
        return;
      const Real s = b > zero ? -b - sqrt(under) : -b + sqrt(under);
      const Real roots[2] = { a != zero ? s / a : -one, s != zero ? c / s : -one };
      for (int k = 0; k < 2; ++k)
        if (roots[k] > zero && roots[k] < one)
        {
          const Vec3<Real> x = p + roots[k] * d;
          if (x.z >= zero && x.z <= length)
            breaks.add(atan2(x.y, x.x));
        }
    });
    for (int end = 0; end < 2; ++end)
    {
      const Real z = end ? length : zero;
      if (low >= z || high <= z)
        continue;
      edges([&](const Vec3<Real>& p, const Vec3<Real>& q) {
        if ((p.z < z) == (q.z < z))
          return;
        const Vec3<Real> x = p + ((z - p.z) / (q.z - p.z)) * (q - p);
        const Real h = height(x);
        if (inside ? h > zero : h < zero)
          breaks.add(atan2(x.y, x.x));
      });
      // where the wall's rim passes through a face
      const Real r = radius + widening * z;
      for (int f = 0; f < solid.faces && r > zero; ++f)
      {
        const Vec3<Real> n = normalOf(f);
        const Real w = dot(n, at[solid.corner[solid.begin[f]]]) - n.z * z,
                   across = sqrt(n.x * n.x + n.y * n.y) * r;
        if (!(across > zero) || w >= across || w <= -across)
          continue;
        const Real side = sqrt(across * across - w * w);
        for (int k = 0; k < 2; ++k)
        {
          const Real s = k ? side : -side;
          const Vec3<Real> x{ (n.x * w - n.y * s) * r * r / (across * across),
            (n.y * w + n.x * s) * r * r / (across * across), z };
          bool within = true;
          for (int g = 0; g < solid.faces && within; ++g)
            within = g == f || dot(normalOf(g), x - at[solid.corner[solid.begin[g]]]) < Real(1e-6);
          if (within)
            breaks.add(atan2(x.y, x.x));
        }
      }
    }
    if (pierced)
    {
      breaks.add(-Real(kTwoPi * 0.5));
      breaks.add(Real(kTwoPi * 0.5));
    }
  }

  // Normal of face f in the wall's frame.
  DEM_HD Vec3<Real> normalOf(int f) const
  {
    const Vec4<Real> p = solid.plane[f];
    return p.x * ex + p.y * ey + p.z * ez;
  }

  /// Finds the section of the wall's axis, extended beyond its ends, with the body.
  DEM_HD void findAxis()
  {
    const Real zero(0);
    axis_low = -Real(1e30);
    axis_high = Real(1e30);
    for (int f = 0; f < solid.faces; ++f)
    {
      const Vec3<Real> n = normalOf(f);
      const Real w = dot(n, at[solid.corner[solid.begin[f]]]);
      if (n.z > zero)
        axis_high = w / n.z < axis_high ? w / n.z : axis_high;
      else if (n.z < zero)
        axis_low = w / n.z > axis_low ? w / n.z : axis_low;
      else if (w < zero)
        axis_high = -Real(1e30);
    }
    pierced = axis_low < axis_high;
  }

  /// Adds the contribution of a cut from (r0, z0) to (r1, z1) with the overlap on its left.
  DEM_HD void addCut(Real r0, Real z0, Real r1, Real z1, ConeSlice<Real>& sum) const
  {
    const Real zero(0), one(1), side = inside ? one : -one;
    Real from(0), to(1);
    const auto keep = [&](Real f0, Real f1) { // keeps the part with f >= 0
      if (f0 < zero && f1 < zero)
        to = -one;
      else if (f0 < zero)
        from = f0 / (f0 - f1) > from ? f0 / (f0 - f1) : from;
      else if (f1 < zero)
        to = f0 / (f0 - f1) < to ? f0 / (f0 - f1) : to;
    };
    const Real h0 = height(r0, z0), h1 = height(r1, z1);
    keep(side * h0, side * h1);
    keep(r0, r1);
    keep(z0, z1);
    keep(length - z0, length - z1);
    if (!(from < to))
      return;
    const Real dz = Real(0.5) * (to - from) * (z1 - z0);
    for (int k = 0; k < 2; ++k) // exact for the cubic functions below
    {
      const Real t = Real(0.5) * (from + to) +
        (k ? Real(0.28867513459481288) : -Real(0.28867513459481288)) * (to - from);
      const Real h = h0 + t * (h1 - h0), z = z0 + t * (z1 - z0), r = radius + widening * z;
      const Real half = dz * h * (r + Real(0.5) * h);
      sum.volume += half;
      sum.axial += half * z;
      sum.radial += dz * h * (r * (r + h) + Real(1. / 3) * h * h);
      sum.patch += dz * r;
    }
  }

  // The contribution of the half plane at the angle with cosine x and sine y.
  DEM_HD_CALL ConeSlice<Real> slice(Real x, Real y) const
  {
    const Real zero(0);
    ConeSlice<Real> sum;
    Real beyond[kMaxShapeVertices];
    for (int v = 0; v < solid.vertices; ++v)
      beyond[v] = x * at[v].y - y * at[v].x;
    for (int f = 0; f < solid.faces; ++f)
    {
      Real r[2] = {}, z[2] = {};
      int found = 0;
      int p = solid.corner[solid.begin[f + 1] - 1];
      for (int k = solid.begin[f]; k < solid.begin[f + 1]; ++k)
      {
        const int q = solid.corner[k];
        const bool in = beyond[q] > zero;
        if (in != (beyond[p] > zero))
        {
          // starts at the vertex behind, so that both faces of the edge find the same point
          const int low = in ? p : q, high = in ? q : p;
          const Vec3<Real> a = at[low], b = at[high],
                           c = a + (beyond[low] / (beyond[low] - beyond[high])) * (b - a);
          r[in ? 0 : 1] = x * c.x + y * c.y;
          z[in ? 0 : 1] = c.z;
          ++found;
        }
        p = q;
      }
      if (found == 2)
        addCut(r[0], z[0], r[1], z[1], sum);
    }
    if (pierced && !inside)
      addCut(zero, axis_high, zero, axis_low, sum);
    return sum;
  }
};

/// Integrals over the overlap in the frame of ConeAndSolid.
template <class Real>
struct ConeIntegrals
{
  Real volume = 0;
  Vec3<Real> area{};   // area vector of the round surface within the body
  Vec3<Real> moment{}; // integral of the position
};

/// Integrates over the angle about the axis, from each break to the next.
template <class Real>
DEM_HD ConeIntegrals<Real> coneIntegrals(
  const ConeAndSolid<Real>& pair, const SmoothBetween<Real>& breaks)
{
  using std::ceil;
  using std::cos;
  using std::sin;
  const Real zero(0);
  // Gauss's rule of five points
  const Real node[5] = { -Real(0.90617984593866399), -Real(0.53846931010568309), zero,
    Real(0.53846931010568309), Real(0.90617984593866399) };
  const Real weight[5] = { Real(0.23692688505618909), Real(0.47862867049936647),
    Real(0.56888888888888889), Real(0.47862867049936647), Real(0.23692688505618909) };
  ConeIntegrals<Real> sum;
  for (int i = 0; i + 1 < breaks.size; ++i)
  {
    const Real from = breaks.angle[i], whole = breaks.angle[i + 1] - from;
    if (!(whole > Real(1e-12)))
      continue;
    const int pieces = static_cast<int>(ceil(whole / Real(0.4)));
    const Real half = Real(0.5) * whole / static_cast<Real>(pieces);
    for (int j = 0; j < 5 * pieces; ++j)
    {
      const Real angle = from + half * (static_cast<Real>(2 * (j / 5) + 1) + node[j % 5]),
                 w = half * weight[j % 5];
      const Real x = cos(angle), y = sin(angle);
      const ConeSlice<Real> s = pair.slice(x, y);
      const Real patch = w * (s.patch < zero ? -s.patch : s.patch);
      sum.volume += w * s.volume;
      sum.moment += w * Vec3<Real>{ s.radial * x, s.radial * y, s.axial };
      sum.area += patch * Vec3<Real>{ x, y, -pair.widening };
    }
  }
  return sum;
}

/// Contact of a polyhedron with a cylinder or cone of a wall.
template <class Real>
DEM_HD_CALL ContactGeometry<Real> polyhedronCone(const ShapeView<Real>& shapes, int shape,
  const ShapePose<Real>& pose, const ContactCone<Real>& cone)
{
  using std::sqrt;
  const Real zero(0), one(1);
  ContactGeometry<Real> out;
  const Real unit = one / pose.scale;
  const Vec3<Real> along = unit * (cone.b - cone.a), c = unit * (pose.center - cone.a);
  const Real size = sqrt(dot(along, along)), ra = unit * cone.radius_a, rb = unit * cone.radius_b;
  const Vec3<Real> k = (one / size) * along;
  const Real t = dot(c, k), widening = (rb - ra) / size;
  if (t < -one || t > size + one)
    return out;
  const Vec3<Real> radial = c - t * k;
  const Real rho = sqrt(dot(radial, radial));
  const Real distance =
    (rho - ra - widening * t) / sqrt(one + widening * widening); // of the centre, outside positive
  if ((distance < zero ? -distance : distance) >= one)
    return out;
  const Vec3<Real> u = rho > Real(1e-6) ? (one / rho) * radial : perpendicular(k), v = cross(k, u);
  const auto seen = [&](const Vec3<Real>& d) {
    return Vec3<Real>{ dot(d, u), dot(d, v), dot(d, k) };
  };

  ConeAndSolid<Real> pair{ SolidView<Real>(shapes, shape), {}, ra, widening, size,
    distance < zero };
  pair.ex = seen(pose.ex);
  pair.ey = seen(pose.ey);
  pair.ez = seen(pose.ez);
  const Vec3<Real> centre = seen(c);
  bool any = false;
  for (int i = 0; i < pair.solid.vertices; ++i)
  {
    const Vec3<Real> b = pair.solid.vertex[i],
                     p = centre + b.x * pair.ex + b.y * pair.ey + b.z * pair.ez;
    pair.at.set(i, p);
    any = any || pair.height(p) > zero;
  }
  if (pair.inside && !any) // the inside of the surface is convex
    return out;
  pair.findAxis();
  SmoothBetween<Real> breaks;
  pair.findBreaks(breaks);

  const ConeIntegrals<Real> sum = coneIntegrals(pair, breaks);
  const Real volume = sum.volume;
  if (!(volume > Real(kNoVolume)))
    return out;
  const auto back = [&](const Vec3<Real>& d) { return d.x * u + d.y * v + d.z * k; };
  const Real open = sqrt(dot(sum.area, sum.area)), closed = areaAbout(volume),
             s = open > closed ? open : closed;
  out.overlap = pose.scale * Real(2) * volume / s;
  out.radius = pose.scale * s * s / (Real(2 * kTwoPi) * volume);
  out.rolling_radius = equivalentRadius(shapes, shape, pose);
  out.normal = (pair.inside ? one : -one) * (open > zero ? (one / open) * back(sum.area) : u);
  out.point = pose.center +
    insideBall(cone.a + pose.scale * back((one / volume) * sum.moment) - pose.center, pose.scale);
  return out;
}

} // namespace detail
} // namespace dem
