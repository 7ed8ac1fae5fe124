// Integrals over an overlap, summed face by face (PolyhedronContact.cuh).
#pragma once

#include "Core/DeviceHints.cuh"
#include "Core/Vec.h"
#include "Shapes/detail/ClippedPolygon.cuh"

namespace dem
{
namespace detail
{

/// The point of a ball about the origin that is nearest to x.
template <class Real>
DEM_HD Vec3<Real> insideBall(const Vec3<Real>& x, Real radius)
{
  using std::sqrt;
  const Real d2 = dot(x, x);
  return d2 > radius * radius ? (radius / sqrt(d2)) * x : x;
}

/// Overlaps below this volume, in units of the radius cubed, are rounding errors in any precision.
/// Their quotients would exceed the range of single precision.
inline constexpr double kNoVolume = 1e-30;

/// A lower bound, up to a factor, of the surface area of a body with this volume.
template <class Real>
DEM_HD Real areaAbout(Real volume)
{
  using std::cbrt;
  const Real edge = cbrt(volume); // not the root of the square, which underflows
  return edge * edge;
}

/// Contribution of one polygon to OverlapSums.
template <class Real>
struct FaceSums
{
  Real volume = 0, height = 0, flow = 0;
  Vec3<Real> moment{}, spread{}, area{};
  Real deepest = 0, top = -Real(1e30);
};

/// Integrates over polygon p, with heights along m from `origin`.
template <class Real, class Corners>
DEM_HD FaceSums<Real> faceSums(const Corners& p, const Vec3<Real>& m, const Vec3<Real>& origin)
{
  FaceSums<Real> out;
  if (p.size < 3)
    return out;
  const auto note = [&](Real h) {
    const Real size = h < Real(0) ? -h : h;
    out.deepest = size > out.deepest ? size : out.deepest;
    out.top = h > out.top ? h : out.top;
  };
  const Vec3<Real> a = p[0] - origin;
  const Real ha = dot(m, a);
  note(ha);
  Vec3<Real> b = p[1] - origin;
  Real hb = dot(m, b);
  note(hb);
  DEM_ROLLED
  for (int k = 2; k < p.size; ++k)
  {
    const Vec3<Real> c = p[k] - origin;
    const Real hc = dot(m, c);
    note(hc);
    const Vec3<Real> s = Real(0.5) * cross(b - a, c - a);
    out.area += s;
    const Real flow = dot(m, s) * Real(1. / 3);
    // the mean of a quadratic function over a triangle is that of its values at the edge midpoints
    const Real h1 = Real(0.5) * (ha + hb), h2 = Real(0.5) * (hb + hc), h3 = Real(0.5) * (hc + ha);
    out.volume += flow * (h1 + h2 + h3);
    out.height += Real(0.5) * flow * (h1 * h1 + h2 * h2 + h3 * h3);
    out.moment += (Real(0.5) * flow) * (h1 * (a + b) + h2 * (b + c) + h3 * (c + a));
    out.flow += Real(3) * flow;
    out.spread += flow * (a + b + c);
    b = c;
    hb = hc;
  }
  return out;
}

/// Sums over faces, with heights along m from the plane through `origin`.
template <class Real>
struct OverlapSums
{
  Vec3<Real> m;                // unit
  Vec3<Real> origin{};         // near the overlap, which limits cancellation
  Real volume = 0, height = 0; // V, and the integral of h over it
  Vec3<Real> moment{}; // its component perpendicular to m is the integral of x - origin over V
  Vec3<Real> area{};   // of the faces added since it was last cleared
  Real deepest = 0;    // largest |h| of a corner
  Real flow = 0;       // integral of m . dS; spread: integral of (x - origin) m . dS
  Vec3<Real> spread{};
  Real top = -Real(1e30); // largest h of a corner

  DEM_HD void add(const FaceSums<Real>& face)
  {
    volume += face.volume;
    height += face.height;
    moment += face.moment;
    area += face.area;
    deepest = face.deepest > deepest ? face.deepest : deepest;
    flow += face.flow;
    spread += face.spread;
    top = face.top > top ? face.top : top;
  }
  /// Accounts for the face in the plane m . x = w with the normal m, which was not added and closes
  /// the surface. If no added face reaches that plane, nothing is missing, except if the whole face
  /// is.
  DEM_HD void close(Real w, Real noise)
  {
    constexpr Real kClosed = Real(1e-5); // the area of a whole face is larger
    const Real level = w - dot(m, origin);
    if (top < level - noise && flow < kClosed && flow > -kClosed)
      return;
    // Heights are measured from the closing plane, where its face adds nothing.
    height += level * (Real(0.5) * level * flow - volume);
    moment -= level * spread;
    volume -= level * flow;
    origin += level * m;
  }
  DEM_HD_CALL void add(const Polygon<Real>& p) { add(faceSums(p, m, origin)); }
  DEM_HD Vec3<Real> centroid() const
  {
    const Vec3<Real> x = (Real(1) / volume) * moment;
    return origin + (x - dot(x, m) * m + (height / volume) * m);
  }
};

} // namespace detail
} // namespace dem
