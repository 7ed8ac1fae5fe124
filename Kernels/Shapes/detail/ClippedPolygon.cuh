// Convex polygons and their clipping by planes.
#pragma once

#include "Core/DeviceHints.cuh"
#include "Core/Vec.h"

namespace dem
{
namespace detail
{

constexpr int kMaxPolygon = 128; // two faces of a 64-vertex polyhedron: corners and cuts

/// Clips a convex polygon to normal . x <= w. With `open`, points in the plane are outside, and so
/// is a polygon that is nearer to it than `noise` everywhere; without, both are inside. The
/// remaining corners are a contiguous run: keep() is called for it and add() for the two points of
/// the cut. If rounding makes several runs, all within rounding error of the plane, one is kept.
template <class Real, class Corners>
DEM_HD void clipPolygon(
  Corners& polygon, const Vec3<Real>& normal, Real w, bool open, Real noise = 0)
{
  const int size = polygon.size;
  if (size == 0)
    return;
  const auto height = [&](const Vec3<Real>& p) { return dot(normal, p) - w; };
  const auto inside = [&](Real h) { return open ? h < Real(0) : h <= Real(0); };
  // A corner behind a cut, with its height and that of the corner before.
  struct Cut
  {
    int at = -1;
    Real from = 0, to = 0;
  } enter, leave; // first corner inside; first corner outside, after `enter` if possible
  Real last = height(polygon[size - 1]);
  bool before = inside(last), flat = true, behind = false;
  DEM_ROLLED
  for (int k = 0; k < size; ++k)
  {
    const Real h = height(polygon[k]);
    const bool now = inside(h);
    flat = flat && h < noise && h > -noise;
    if (now && !before && enter.at < 0)
      enter = { k, last, h };
    if (!now && before && (leave.at < 0 || (enter.at >= 0 && !behind)))
    {
      leave = { k, last, h };
      behind = enter.at >= 0;
    }
    before = now;
    last = h;
  }
  if (flat)
  {
    if (open)
      polygon.clear();
    return;
  }
  if (enter.at < 0) // all corners are on one side
  {
    if (!before)
      polygon.clear();
    return;
  }
  const int count = leave.at > enter.at ? leave.at - enter.at : leave.at - enter.at + size;
  const auto point = [&](const Cut& cut) {
    const Vec3<Real> p = polygon[cut.at > 0 ? cut.at - 1 : size - 1], q = polygon[cut.at];
    return p + (cut.from / (cut.from - cut.to)) * (q - p);
  };
  const Vec3<Real> out = point(leave), in = point(enter);
  polygon.keep(enter.at, count);
  polygon.add(out);
  polygon.add(in);
}

/// The point of height 0 between two points of which one has a height below 0. Independent of their
/// order.
template <class Real>
DEM_HD Vec3<Real> crossing(const Vec4<Real>& a, const Vec4<Real>& b)
{
  const Vec4<Real> from = a.w < Real(0) ? a : b, to = a.w < Real(0) ? b : a;
  return multiplyAdd(from.w / (from.w - to.w), to.xyz() - from.xyz(), from.xyz());
}

/// Adds the part of a face below height 0 to a polygon. corner(k): position and height of corner k.
template <class Real, class Corners, class Corner>
DEM_HD void addBelow(Corners& polygon, int corners, const Corner& corner)
{
  Vec4<Real> before = corner(corners - 1);
  DEM_ROLLED
  for (int k = 0; k < corners; ++k)
  {
    const Vec4<Real> now = corner(k);
    const bool in = now.w < Real(0);
    if (in != (before.w < Real(0)))
      polygon.add(crossing(before, now));
    if (in)
      polygon.add(now.xyz());
    before = now;
  }
}

/// Points without initial values: clearing many takes longer than using a few.
template <class Real, int kSize>
struct RawPoints
{
  Real of[kSize][3];

  DEM_HD Vec3<Real> operator[](int k) const { return { of[k][0], of[k][1], of[k][2] }; }
  DEM_HD void set(int k, const Vec3<Real>& p)
  {
    of[k][0] = p.x;
    of[k][1] = p.y;
    of[k][2] = p.z;
  }
};

/// A convex polygon in local memory.
template <class Real>
struct Polygon
{
  RawPoints<Real, kMaxPolygon> corner[2];
  int size, side;

  DEM_HD Polygon()
    : size(0)
    , side(0)
  {
  }
  DEM_HD void clear() { size = 0; }
  DEM_HD void add(const Vec3<Real>& p)
  {
    if (size < kMaxPolygon)
      corner[side].set(size++, p);
  }
  DEM_HD Vec3<Real> operator[](int k) const { return corner[side][k]; }
  /// Keeps `count` corners from `first` on, cyclically.
  DEM_HD void keep(int first, int count)
  {
    for (int k = 0; k < count; ++k)
      corner[1 - side].set(k, corner[side][first + k < size ? first + k : first + k - size]);
    side = 1 - side;
    size = count;
  }
  DEM_HD_CALL void clip(const Vec3<Real>& normal, Real w, bool open, Real noise = 0)
  {
    clipPolygon(*this, normal, w, open, noise);
  }
};

} // namespace detail
} // namespace dem
