// Stresses of points at the start of a run and after a change of their material.
#pragma once

#include "Core/Atomic.cuh"
#include "MaterialPoint/Constitutive.cuh"
#include "MaterialPoint/PointsView.cuh"
#include "MaterialPoint/StepReport.cuh"

namespace mpm
{

/// Stress of a point for its deformation, and the speed that bounds the next sub-step.
template <class Real>
struct StartPoints
{
  PointsView<Real> points;
  const MaterialParameters<Real>* materials;
  Control* control;

  DEM_HD void operator()(std::uint32_t i) const
  {
    using std::sqrt;
    Matrix3<Real> f = points.deformation(i);
    const Vec4<Real> place = points.column[0][i], velocity = points.column[1][i];
    Real plastic = velocity.w;
    const PointStress<Real> r = respond(materials[points.material[i]], Matrix3<Real>{}, f, plastic);
    points.putStress(i, points.affine(i).c[2].z, r.tau, f);
    points.column[1][i].w = plastic;
    const Real v = length(velocity.xyz()), sound = sqrt(r.stiffness * points.volume[i] / place.w);
    dem::atomicRaise(&control->speed, bitsOf(static_cast<float>(v + sound)));
    dem::atomicRaise(&control->point_speed, bitsOf(static_cast<float>(v)));
    if (!r.good)
      dem::atomicLower(&control->fault,
        static_cast<unsigned long long>(points.id[i]) << 8 |
          static_cast<unsigned>(FaultKind::Inverted));
  }
};

/// StartPoints under way, after the first material has changed.
template <class Real>
struct ChangePoints
{
  StartPoints<Real> start;
  Real thicker; // ratio of its new to its old viscosity

  DEM_HD void operator()(std::uint32_t i) const
  {
    const PointsView<Real>& p = start.points;
    if (p.key[i] == kGone)
      return;
    const Symmetric3<Real> before = p.stress(i);
    start(i);
    if (p.material[i] == 0 && start.materials[0].kind == MaterialKind::Fluid)
    {
      // the deviator is the viscous stress, of the strain rate of the last sub-step
      const Real mean = (before.xx + before.yy + before.zz) / 3;
      Symmetric3<Real> t = p.stress(i);
      t = { t.xx + thicker * (before.xx - mean), t.yy + thicker * (before.yy - mean),
        t.zz + thicker * (before.zz - mean), thicker * before.xy, thicker * before.yz,
        thicker * before.xz };
      p.putStress(i, p.affine(i).c[2].z, t, p.deformation(i));
    }
  }
};

} // namespace mpm
