// From tiles to nodes: velocities after forces and borders, or sums alone.
#pragma once

#include "MaterialPoint/NodeBorders.cuh"
#include "MaterialPoint/Tiles.cuh"

namespace mpm
{

/// Velocities of the nodes after forces, gravity and borders. node: velocity and mass. Sum:
/// TileSum, or NodeSum.
template <class Sum, class Real>
struct UpdateNodes
{
  Sum sum;
  NodeBorders<Real> borders;
  Vec3<Real> kick; // gravity times dt
  Real least_mass;
  Vec4<Real>* node;

  DEM_HD void operator()(std::uint32_t i) const
  {
    int place[3];
    const Vec4<Real> s = sum(i, place);
    if (!(s.w > least_mass))
    {
      node[i] = {};
      return;
    }
    Vec3<Real> v = (1 / s.w) * s.xyz() + kick;
    borders.apply(place, v);
    node[i] = vec4(v, s.w);
  }
};

/// The sums, or these divided by the fourth component (`divide`; nodes with at most `least` become
/// zero).
template <class Sum, class Real>
struct GatherNodes
{
  Sum sum;
  bool divide;
  Real least;
  Vec4<Real>* node;

  DEM_HD void operator()(std::uint32_t i) const
  {
    int place[3];
    Vec4<Real> s = sum(i, place);
    if (divide)
      s = s.w > least ? vec4((1 / s.w) * s.xyz(), s.w) : Vec4<Real>{};
    node[i] = s;
  }
};

} // namespace mpm
