// The depth of a round body in a hull of points if their cores overlap, that is, beyond the
// rounding of the body. s(n) (ShapeContact.cuh) then has several maxima, and the depth is that of
// the largest one. It continues the depth of separate cores without a jump.
#pragma once

#include "Shapes/HullFeature.cuh"
#include "Shapes/detail/Gjk.cuh"

namespace dem
{
namespace detail
{

/// The directions at which searches start: those of the largest values, none near another.
template <class Real>
class DeepStarts
{
public:
  DEM_HD_CALL void add(const Vec3<Real>& n, Real s)
  {
    int at = 0;
    while (at < count_ && !(dot(n_[at], n) > Real(0.998)))
      ++at;
    if (at == count_ && count_ < kMost)
      ++count_;
    else
    {
      at = at < count_ ? at : kMost - 1;
      if (!(s > s_[at]))
        return;
    }
    for (; at > 0 && s_[at - 1] < s; --at)
    {
      n_[at] = n_[at - 1];
      s_[at] = s_[at - 1];
    }
    n_[at] = n;
    s_[at] = s;
  }
  DEM_HD int size() const { return count_; }
  DEM_HD Vec3<Real> direction(int i) const { return n_[i]; }

private:
  static constexpr int kMost = 12;
  Vec3<Real> n_[kMost];
  Real s_[kMost];
  int count_ = 0;
};

/// The value s(n) of a round core and a hull.
template <class Real, class Corner, class Farthest>
DEM_HD Real hullValue(
  const RoundBody<Real>& a, const Corner& corner, const Farthest& farthest, const Vec3<Real>& n)
{
  return dot(corner(farthest(-n)), n) - a.profile(dot(a.axis, n)).value;
}

/// Ascends from the direction n to a maximum of s(n) of overlapping cores, and returns its value.
/// Each round shifts the hull along n by d, until the cores are apart by the rounding, and takes
/// the best direction m there, of which there is only one. As it is the best one, s(m) + d m . n >=
/// s(n)
/// + d, that is, s(m) >= s(n) + d (1 - m . n).
template <class Real, class Corner, class Farthest>
DEM_HD_CALL Real ascendInside(const RoundBody<Real>& a, const Corner& corner,
  const Farthest& farthest, Real slack, Vec3<Real>& n)
{
  HullSearch<Real> search;
  Real s = hullValue(a, corner, farthest, n);
  const auto consider = [&](const Vec3<Real>& m) {
    const Real t = hullValue(a, corner, farthest, m);
    if (t > s)
    {
      s = t;
      n = m;
    }
  };
  bool fine = false;
  for (int round = 0; round < 24; ++round)
  {
    const Real before = s, d = a.edge - s;
    const Vec3<Real> shift = d * n;
    const Real accuracy = fine ? (sizeof(Real) == 4 ? Real(1e-6) : Real(1e-12)) : Real(3e-3);
    const HullState state = search.run(
      n, Real(2) * d, accuracy, [&](const Vec3<Real>& m) { return a.support(m); },
      [&](int k) { return corner(k) + shift; }, farthest);
    if (state != HullState::Near)
      break;
    consider(search.normal());
    HullFeature<Real> feature;
    feature.count = search.feature(feature.corner);
    followFeature(a, feature, corner, farthest, slack, consider, n);
    if (s > before + slack)
      continue;
    if (fine)
      break;
    fine = true;
  }
  return s;
}

/// Calls consider(direction) for those that a round body prefers at a corner p of a hull: towards
/// the corner, and the maxima near its belt and the edges of its caps.
template <class Real, class Consider>
DEM_HD_CALL void considerCorner(
  const RoundBody<Real>& a, const Vec3<Real>& p, const Consider& consider)
{
  using std::sqrt;
  const Vec3<Real> across = p - dot(p, a.axis) * a.axis;
  const Real p2 = dot(p, p), l2 = dot(across, across);
  if (!(l2 > Real(1e-12) * p2)) // on the axis
    return;
  consider((Real(1) / sqrt(p2)) * p);
  const Vec3<Real> e = (Real(1) / sqrt(l2)) * across;
  RoundBody<Real> point = a;
  point.core = {};
  const Real up = a.core.cap_cosine, out = sqrt((Real(1) - up) * (Real(1) + up));
  for (int side = -1; side <= 1; ++side)
  {
    Vec3<Real> m = side == 0 ? e : out * e + (Real(side) * up) * a.axis;
    bestDirection(p, a, point, Real(1e30), m, true);
    consider(m);
  }
}

/// The largest value s(n) of a round body and a polyhedron whose cores overlap, and its direction.
/// Searches start at the best of the directions that faces, edges and corners prefer. faces(visit)
/// calls visit(outward normal of the face reversed, its corners, their number).
template <class Real, class Corner, class Farthest, class Faces>
DEM_HD_CALL DEM_NOINLINE Real partHull(const RoundBody<Real>& a, int corners, const Corner& corner,
  const Farthest& farthest, const Faces& faces, const Vec3<Real>& toward, Real slack, Vec3<Real>& n)
{
  DeepStarts<Real> starts;
  const auto consider = [&](const Vec3<Real>& m) {
    starts.add(m, hullValue(a, corner, farthest, m));
  };
  consider(toward);
  consider(a.axis);
  consider(-a.axis);
  faces([&](const Vec3<Real>& down, const std::int32_t* around, int size) {
    consider(down);
    // each edge once from either side, as there may be a maximum near each
    for (int k = 0; k < size; ++k)
    {
      Vec3<Real> m = down;
      if (bestAcross(a, corner(around[k]), corner(around[k + 1 < size ? k + 1 : 0]), m))
        consider(m);
    }
  });
  for (int k = 0; k < corners; ++k)
    considerCorner(a, corner(k), consider);
  n = toward;
  Real best = hullValue(a, corner, farthest, n);
  for (int i = 0; i < starts.size(); ++i)
  {
    Vec3<Real> m = starts.direction(i);
    const Real s = ascendInside(a, corner, farthest, slack, m);
    if (s > best)
    {
      best = s;
      n = m;
    }
  }
  return best;
}

/// The value s(n) of a round body and a triangle whose cores overlap, and its direction. A triangle
/// stands for the solid behind it. So its normal counts as long as the deepest point is above it,
/// else the maximum at the nearest edge or corner.
template <class Real, class Corner, class Farthest>
DEM_HD_CALL Real partTriangle(const RoundBody<Real>& a, const Corner& corner,
  const Farthest& farthest, const Vec3<Real>& face, const Vec3<Real>& toward, Real slack,
  Vec3<Real>& n)
{
  HullFeature<Real> feature{ { 0, 1, 2 }, 3, corner(0), corner(1), corner(2) };
  Real s = hullValue(a, corner, farthest, face);
  n = face;
  if (!feature.dropWeightless(a, face))
    return s;
  const auto consider = [&](const Vec3<Real>& m) {
    const Real t = hullValue(a, corner, farthest, m);
    if (t > s)
    {
      s = t;
      n = m;
    }
  };
  consider(toward);
  followFeature(a, feature, corner, farthest, slack, consider, n);
  return s;
}

} // namespace detail
} // namespace dem
