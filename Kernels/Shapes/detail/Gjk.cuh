// Distance of a smooth convex body and the convex hull of points: Gilbert, Johnson, Keerthi, IEEE
// J. Robotics and Automation 4 (1988) 193. Steps and storage are bounded.
#pragma once

#include "Core/Vec.h"

namespace dem
{
namespace detail
{

enum class HullState
{
  Apart, // their distance exceeds the margin
  Near,
  Inside // the bodies overlap
};

/// Searches the point of the difference hull - body that is nearest to the origin. It is the vector
/// from the body to the hull.
template <class Real>
class HullSearch
{
public:
  /// support(n): the body's farthest point along n. corner(i), farthest(n): corner i of the hull,
  /// and the index of the farthest one along n. Stops as soon as the distance is known to exceed
  /// `margin`.
  template <class Support, class Corner, class Farthest>
  DEM_HD_CALL HullState run(const Vec3<Real>& start, Real margin, Real accuracy,
    const Support& support, const Corner& corner, const Farthest& farthest)
  {
    using std::sqrt;
    Vec3<Real> n = start;
    size_ = 0;
    Real before(1e30);
    Real best(-1e30);
    count_ = 0;
    bool separate = false; // a separating plane was found
    for (int round = 0; round < 48; ++round)
    {
      const int k = farthest(-n);
      const Vec3<Real> w = corner(k) - support(n);
      const Real along = dot(n, w);
      if (along > margin)
        return HullState::Apart;
      if (along > best)
      {
        // simplices get flat near the end and later results may be worse, so the best one is kept
        best = along;
        best_ = n;
        held_[0] = k;
        count_ = size_ == 0 ? 1 : hold();
      }
      if (size_ > 0)
      {
        const Real v2 = dot(v_, v_), distance = sqrt(v2);
        if (distance - along <= accuracy * distance)
          break;
        bool known = false;
        for (int i = 0; i < size_; ++i)
          known = known || (w_[i] == w);
        if (known)
          break;
      }
      w_[size_] = w;
      corner_[size_] = k;
      ++size_;
      separate = separate || along > Real(0);
      if (!reduce(separate))
        return HullState::Inside;
      const Real v2 = dot(v_, v_);
      if (!(v2 > Real(1e-12) * margin * margin))
        return HullState::Inside;
      if (v2 >= before)
        break;
      before = v2;
      n = (Real(1) / sqrt(v2)) * v_;
    }
    return HullState::Near;
  }

  // Unit direction of the nearest point.
  DEM_HD Vec3<Real> normal() const { return best_; }

  /// The corners of the hull that span the nearest point; returns their number, 1 to 3.
  DEM_HD int feature(int* corners) const
  {
    for (int i = 0; i < count_; ++i)
      corners[i] = held_[i];
    return count_;
  }

private:
  /// Stores the distinct corners of the simplex; returns their number.
  DEM_HD int hold()
  {
    int count = 0;
    for (int i = 0; i < size_; ++i)
    {
      bool known = false;
      for (int j = 0; j < count; ++j)
        known = known || held_[j] == corner_[i];
      if (!known && count < 3)
        held_[count++] = corner_[i];
    }
    return count;
  }

  DEM_HD void keep(int i, int j, int k, int count)
  {
    const Vec3<Real> a = w_[i], b = w_[j], c = w_[k];
    const int p = corner_[i], q = corner_[j], r = corner_[k];
    w_[0] = a;
    w_[1] = b;
    w_[2] = c;
    corner_[0] = p;
    corner_[1] = q;
    corner_[2] = r;
    size_ = count;
  }

  /// The point of triangle i, j, k nearest to the origin. `held`: bit mask of the corners that span
  /// it.
  DEM_HD_CALL Vec3<Real> onTriangle(int i, int j, int k, unsigned& held) const
  {
    const Real zero(0);
    const Vec3<Real>&a = w_[i], &b = w_[j], &c = w_[k];
    const Vec3<Real> ab = b - a, ac = c - a;
    const Real d1 = -dot(ab, a), d2 = -dot(ac, a), d3 = -dot(ab, b), d4 = -dot(ac, b),
               d5 = -dot(ab, c), d6 = -dot(ac, c);
    if (d1 <= zero && d2 <= zero)
      return held = 1, a;
    if (d3 >= zero && d4 <= d3)
      return held = 2, b;
    if (d6 >= zero && d5 <= d6)
      return held = 4, c;
    const Real vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    if (vc <= zero && d1 >= zero && d3 <= zero)
      return held = 3, a + (d1 / (d1 - d3)) * ab;
    if (vb <= zero && d2 >= zero && d6 <= zero)
      return held = 5, a + (d2 / (d2 - d6)) * ac;
    if (va <= zero && d4 - d3 >= zero && d5 - d6 >= zero)
      return held = 6, b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b);
    held = 7;
    const Vec3<Real> n = cross(ab, ac);
    const Real n2 = dot(n, n);
    return (dot(a, n) / n2) * n;
  }

  /// Reduces the simplex to the corners that span its point nearest to the origin. Returns false if
  /// it contains the origin. If the bodies are known to be `separate`, a flat simplex may seem to
  /// contain it by rounding, which is ignored.
  DEM_HD_CALL bool reduce(bool separate)
  {
    const Real zero(0);
    if (size_ == 1)
    {
      v_ = w_[0];
      return true;
    }
    if (size_ == 2)
    {
      const Vec3<Real> ab = w_[1] - w_[0];
      const Real t = -dot(w_[0], ab), l2 = dot(ab, ab);
      if (t <= zero)
        keep(0, 0, 0, 1);
      else if (t >= l2)
        keep(1, 1, 1, 1);
      v_ = size_ == 1 ? w_[0] : w_[0] + (t / l2) * ab;
      return true;
    }
    unsigned held = 0;
    int at[3] = { 0, 1, 2 };
    if (size_ == 3)
      v_ = onTriangle(0, 1, 2, held);
    else
    {
      // corner 3 is the newest: its three sides, and the opposite one
      constexpr int sides[4][4] = { { 0, 1, 3, 2 }, { 0, 2, 3, 1 }, { 1, 2, 3, 0 },
        { 0, 1, 2, 3 } };
      Real best(1e30);
      bool inside = true;
      for (int s = 0; s < 4; ++s)
      {
        const Vec3<Real>&a = w_[sides[s][0]], &b = w_[sides[s][1]], &c = w_[sides[s][2]],
              &o = w_[sides[s][3]];
        const Vec3<Real> n = cross(b - a, c - a);
        const Real origin = -dot(n, a), other = dot(n, o - a);
        if (origin * other > zero && !separate) // the origin is on the inner side
          continue;
        inside = false;
        unsigned h = 0;
        const Vec3<Real> p = onTriangle(sides[s][0], sides[s][1], sides[s][2], h);
        const Real p2 = dot(p, p);
        if (p2 < best)
        {
          best = p2;
          v_ = p;
          held = h;
          at[0] = sides[s][0];
          at[1] = sides[s][1];
          at[2] = sides[s][2];
        }
      }
      if (inside)
        return false;
    }
    int kept[3] = { at[0], at[0], at[0] }, count = 0;
    for (int i = 0; i < 3; ++i)
      if (held & (1u << i))
        kept[count++] = at[i];
    keep(kept[0], kept[1], kept[2], count);
    return true;
  }

  Vec3<Real> w_[4], v_{}, best_{};
  int corner_[4] = { 0, 0, 0, 0 }, held_[3] = { 0, 0, 0 };
  int size_ = 0, count_ = 0;
};

} // namespace detail
} // namespace dem
