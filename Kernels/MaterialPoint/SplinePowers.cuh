// B-splines as polynomials of the place f of a point in its bin, in cells. All points of a bin see
// the same nodes, so a field along an axis is one polynomial a bin, p(f) = sum_i w_i(f) node_i =
// sum_a power_a f^a, and the sums of the nodes follow from sums of powers of f by the transposed
// matrix. A point then needs no weights along that axis, which saves instructions if a bin has
// several points.
#pragma once

#include "Core/Vec.h"
#include "MaterialPoint/SplineWeights.cuh"

namespace mpm
{

using dem::multiplyAdd;

template <Spline spline>
struct SplinePowers
{
  static constexpr int N = SplineTraits<spline>::kNodes; ///< number of powers, from 0 on

  /// Powers p of a field with values n at the nodes. V: numbers or vectors.
  template <class T, class V>
  DEM_HD static void fromNodes(const V (&n)[N], V (&p)[N])
  {
    if constexpr (spline == Spline::Quadratic)
    {
      p[0] = T(0.5) * (n[0] + n[1]);
      p[1] = n[1] - n[0];
      p[2] = multiplyAdd(T(0.5), n[0] + n[2], -n[1]);
    }
    else
    {
      const T sixth = T(1) / 6;
      p[0] = sixth * multiplyAdd(T(4), n[1], n[0] + n[2]);
      p[1] = T(0.5) * (n[2] - n[0]);
      p[2] = multiplyAdd(T(0.5), n[0] + n[2], -n[1]);
      p[3] = multiplyAdd(sixth, n[3] - n[0], T(0.5) * (n[1] - n[2]));
    }
  }

  /// Sums n of the nodes from sums of powers m_a = sum f^a ...
  template <class T, class V>
  DEM_HD static void toNodes(const V (&m)[N], V (&n)[N])
  {
    if constexpr (spline == Spline::Quadratic)
    {
      const V last = T(0.5) * m[2], turn = m[1] - last;
      n[0] = multiplyAdd(T(0.5), m[0], -turn);
      n[1] = multiplyAdd(T(0.5), m[0], turn - last);
      n[2] = last;
    }
    else
    {
      const T sixth = T(1) / 6;
      const V low = sixth * m[0], even = multiplyAdd(T(0.5), m[2], low);
      n[3] = sixth * m[3];
      n[0] = multiplyAdd(T(-0.5), m[1], even - n[3]);
      n[1] = multiplyAdd(T(4), low, multiplyAdd(T(0.5), m[3], -m[2]));
      n[2] = multiplyAdd(T(-0.5), m[3], multiplyAdd(T(0.5), m[1], even));
    }
  }

  /// p(f), and dp / df in `slope`.
  template <class T, class V>
  DEM_HD static V at(const V (&p)[N], T f, V& slope)
  {
    if constexpr (spline == Spline::Quadratic)
    {
      slope = multiplyAdd(f + f, p[2], p[1]);
      return multiplyAdd(f, multiplyAdd(f, p[2], p[1]), p[0]);
    }
    else
    {
      slope = multiplyAdd(f, multiplyAdd(3 * f, p[3], p[2] + p[2]), p[1]);
      return multiplyAdd(f, multiplyAdd(f, multiplyAdd(f, p[3], p[2]), p[1]), p[0]);
    }
  }
};

} // namespace mpm
