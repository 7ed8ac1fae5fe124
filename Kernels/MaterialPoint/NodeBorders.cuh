// The domain's borders on nodes.
#pragma once

#include "MaterialPoint/MpmScene.h"
#include "MaterialPoint/SmallMatrix.cuh"

namespace mpm
{

/// Applies the borders of the domain to nodes at or behind their planes.
template <class Real>
struct NodeBorders
{
  int lower, upper[3]; // of the nodes that obey: at `lower` or below, at `upper` or above
  Border kind[6];
  Real friction;

  DEM_HD void apply(const int (&place)[3], Vec3<Real>& v) const
  {
    for (int k = 0; k < 3; ++k)
    {
      if (place[k] <= lower)
        obey(kind[2 * k], k, Real(1), v);
      if (place[k] >= upper[k])
        obey(kind[2 * k + 1], k, Real(-1), v);
    }
  }

private:
  DEM_HD void obey(Border border, int axis, Real inward, Vec3<Real>& v) const
  {
    using std::sqrt;
    if (border == Border::Remove)
      return;
    if (border == Border::Stick)
      v = {};
    const Real out = -inward * v[axis];
    if (border == Border::Separate)
    {
      if (!(out > 0))
        return;
      v[axis] = 0;
      if (friction > 0)
      {
        const Real speed = length(v), left = speed - friction * out;
        v = left > 0 ? (left / speed) * v : Vec3<Real>{};
      }
    }
    v[axis] = 0;
  }
};

} // namespace mpm
