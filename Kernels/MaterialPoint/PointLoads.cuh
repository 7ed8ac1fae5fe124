// What a point gives to the nodes that it sees: momentum with forces, momentum alone, the centre of
// mass, or the pressure. Used by the transfer from points to tiles (Tiles.cuh).
#pragma once

#include "MaterialPoint/Constitutive.cuh"
#include "MaterialPoint/PointsView.cuh"

namespace mpm
{

/// What a point adds to the node at distance d (cells), weight w and gradient g of w: mass w m,
/// momentum w (mv + mc d) + t g.
template <class Real>
struct PointLoad
{
  Real m;
  Vec3<Real> mv;
  Matrix3<Real> mc, t;
};

/// Momentum after the stresses have acted for dt: f = -sum V0 tau grad w (Meyer 2019, eq. 86 and
/// 106).
template <class Real>
struct MomentumLoad
{
  static constexpr bool kMomentum = true;
  static constexpr int kStress = 6; // numbers of t: 0, 6 (symmetric) or 9
  PointsView<Real> points;
  Real spacing, dt_over_h;

  DEM_HD PointLoad<Real> operator()(std::uint32_t i) const
  {
    const Vec4<Real> a = points.column[0][i], b = points.column[1][i];
    return { a.w, a.w * b.xyz(), (a.w * spacing) * points.affine(i),
      (-dt_over_h * points.volume[i]) * points.stress(i).full() };
  }
};

/// MomentumLoad for scenes with a LinearElastic material, whose P F^T is not symmetric. The points
/// store its symmetric part; the load uses all of it, so that forces are derivatives of the energy.
template <class Real>
struct AnyMomentumLoad
{
  static constexpr bool kMomentum = true;
  static constexpr int kStress = 9;
  PointsView<Real> points;
  const MaterialParameters<Real>* materials;
  Real spacing, dt_over_h;

  DEM_HD PointLoad<Real> operator()(std::uint32_t i) const
  {
    const Vec4<Real> a = points.column[0][i], b = points.column[1][i];
    const MaterialParameters<Real>& m = materials[points.material[i]];
    const Real push = -dt_over_h * points.volume[i];
    PointLoad<Real> p{ a.w, a.w * b.xyz(), (a.w * spacing) * points.affine(i), {} };
    if (m.kind == MaterialKind::LinearElastic)
    {
      const Matrix3<Real> f = points.deformation(i);
      p.t = push * timesTransposed(linearStress(m, f), f);
    }
    else
      p.t = push * points.stress(i).full();
    return p;
  }
};

/// Momentum without forces.
template <class Real>
struct PlainLoad
{
  static constexpr bool kMomentum = true;
  static constexpr int kStress = 0;
  PointsView<Real> points;
  Real spacing;

  DEM_HD PointLoad<Real> operator()(std::uint32_t i) const
  {
    const Vec4<Real> a = points.column[0][i], b = points.column[1][i];
    return { a.w, a.w * b.xyz(), (a.w * spacing) * points.affine(i), {} };
  }
};

/// Mass times the vector from the point to the node (cells): the centre of mass of what a node
/// sees, by which walls find its side.
template <class Real>
struct CentroidLoad
{
  static constexpr bool kMomentum = true;
  static constexpr int kStress = 0;
  PointsView<Real> points;

  DEM_HD PointLoad<Real> operator()(std::uint32_t i) const
  {
    const Real m = points.column[0][i].w;
    return { m, {}, Matrix3<Real>::diagonal(m, m, m), {} };
  }
};

/// Volume, and volume times pressure in x.
template <class Real>
struct PressureLoad
{
  static constexpr bool kMomentum = true;
  static constexpr int kStress = 0;
  PointsView<Real> points;

  DEM_HD PointLoad<Real> operator()(std::uint32_t i) const
  {
    const Symmetric3<Real> t = points.stress(i);
    const Real j = determinant(points.deformation(i)), v = points.volume[i];
    return { v * j, { -v * (t.xx + t.yy + t.zz) / 3, 0, 0 }, {}, {} };
  }
};

} // namespace mpm
