// B-splines along one axis, in cells: weights, derivatives and distances of the nodes that a point
// sees.
#pragma once

#include "MaterialPoint/MpmScene.h"

#include "Core/HostDevice.h"

namespace mpm
{

/// A point lies `f` in [0, 1) above the start of its bin. Bin b sees the nodes b, b + 1, .. b +
/// kNodes - 1. Node b lies kBelow below the start of the bin: half a cell for quadratic splines,
/// one cell for cubic ones.
template <Spline spline>
struct SplineTraits
{
  static constexpr int kNodes = spline == Spline::Quadratic ? 3 : 4;
  static constexpr double kBelow = spline == Spline::Quadratic ? 0.5 : 1.;
  /// D_p = kD h^2 1 (Meyer 2019, eq. 91, for cubic; Jiang et al. 2015, section 5.2, for both)
  static constexpr double kD = spline == Spline::Quadratic ? 1. / 4 : 1. / 3;
  static constexpr int kTile = 3 + kNodes; ///< nodes along an axis that a block of 4 bins sees
};

template <Spline spline, class T>
struct SplineWeights
{
  static constexpr int kNodes = SplineTraits<spline>::kNodes;
  T w[kNodes], ///< Meyer 2019, eq. 74 (cubic); Steffen et al. 2008, eq. 28 (quadratic)
    g[kNodes], ///< dw / dx, 1 / cells
    d[kNodes]; ///< node - point, cells

  DEM_HD explicit SplineWeights(T f)
  {
    const T r = 1 - f;
    if constexpr (spline == Spline::Quadratic)
    {
      const T m = f - T(0.5);
      w[0] = T(0.5) * (r * r);
      w[1] = T(0.75) - m * m;
      w[2] = T(0.5) * (f * f);
      g[0] = -r;
      g[1] = -2 * m;
      g[2] = f;
    }
    else
    {
      const T f2 = f * f, r2 = r * r, sixth = T(1) / 6;
      w[0] = sixth * (r * r2);
      w[1] = sixth * (4 - 6 * f2 + 3 * (f * f2));
      w[2] = sixth * (4 - 6 * r2 + 3 * (r * r2));
      w[3] = sixth * (f * f2);
      g[0] = T(-0.5) * r2;
      g[1] = T(1.5) * f2 - 2 * f;
      g[2] = 2 * r - T(1.5) * r2;
      g[3] = T(0.5) * f2;
    }
    for (int k = 0; k < kNodes; ++k)
      d[k] = T(k) - T(SplineTraits<spline>::kBelow) - f;
  }
};

} // namespace mpm
