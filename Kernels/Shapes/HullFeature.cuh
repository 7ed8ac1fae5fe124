// Features of a hull of points (corner, edge, triangle) and the best direction between each and a
// round body.
#pragma once

#include "Shapes/RoundBody.cuh"

namespace dem
{
namespace detail
{

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

/// The corners of a hull that are assumed to hold the nearest point, 1 to 3, with their positions.
template <class Real>
struct HullFeature
{
  int corner[3];
  int count;
  Vec3<Real> p, q, r;

  DEM_HD bool has(int k) const
  {
    bool known = false;
    for (int i = 0; i < count; ++i)
      known = known || corner[i] == k;
    return known;
  }

  /// Sets m to the best direction between a round core and these corners; start: a direction near
  /// it. at(k): position of corner k. Returns false if the corners are degenerate.
  template <class Corner>
  DEM_HD bool direction(
    const RoundBody<Real>& a, const Corner& at, const Vec3<Real>& start, Vec3<Real>& m)
  {
    using std::sqrt;
    const Real zero(0), one(1);
    m = start;
    p = at(corner[0]);
    q = p;
    r = p;
    if (count == 1)
    {
      RoundBody<Real> point = a;
      point.core = {};
      bestDirection(p, a, point, Real(1e30), m);
    }
    else if (count == 2)
    {
      q = at(corner[1]);
      if (!bestAcross(a, p, q, m))
        return false;
    }
    else
    {
      q = at(corner[1]);
      r = at(corner[2]);
      m = cross(q - p, r - p);
      const Real m2 = dot(m, m);
      if (!(m2 > zero))
        return false;
      m = (one / sqrt(m2)) * m;
      if (dot(m, start) < zero)
        m = -m;
    }
    return true;
  }

  /// Drops a corner that has no weight in the nearest point along m; returns whether it did.
  DEM_HD bool dropWeightless(const RoundBody<Real>& a, const Vec3<Real>& m)
  {
    const Real zero(0), one(1);
    if (count == 2)
    {
      const Real t = dot(a.support(m) - p, q - p) / dot(q - p, q - p);
      if (t < zero || t > one)
      {
        corner[0] = corner[t < zero ? 0 : 1];
        count = 1;
        return true;
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
          corner[0] = corner[2];
        else if (least == w1)
          corner[1] = corner[2];
        count = 2;
        return true;
      }
    }
    return false;
  }
};

/// Follows the feature at which a search ended to the best direction: corners without weight are
/// dropped, nearer ones are added. consider(m) takes the direction m if it is better than n, the
/// best direction so far. Returns whether the feature is the right one, so that the direction is
/// exact.
template <class Real, class Corner, class Farthest, class Consider>
DEM_HD bool followFeature(const RoundBody<Real>& a, HullFeature<Real>& feature,
  const Corner& corner, const Farthest& farthest, Real slack, const Consider& consider,
  const Vec3<Real>& n)
{
  bool solved = false;
  for (int round = 0; round < 6; ++round)
  {
    Vec3<Real> m;
    if (!feature.direction(a, corner, n, m))
      break;
    consider(m);
    if (feature.dropWeightless(a, m))
      continue;
    const int k = farthest(-m);
    solved = !(dot(feature.p - corner(k), m) > slack);
    if (solved || feature.has(k) || feature.count == 3)
      break;
    feature.corner[feature.count++] = k;
  }
  return solved;
}

} // namespace detail
} // namespace dem
