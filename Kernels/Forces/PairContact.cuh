// The contact of two spheres: geometry, then forces and torques on both. PairsOnce.cuh runs it on
// the CPU, StepWarps.cuh on CUDA.
#pragma once

#include "Forces/LawView.cuh"
#include "Particles/State.cuh"

#include <cmath>

namespace dem
{

/// What a contact leaves for its particle b; zero while they do not touch.
template <class Real>
struct PairRecord
{
  Vec4<Real> on_a, torque_b;
};

/// A choice by value: a choice between references would put both in memory on a device.
template <class T>
DEM_HD Vec4<T> pick(bool first, const Vec4<T>& a, const Vec4<T>& b)
{
  return { first ? a.x : b.x, first ? a.y : b.y, first ? a.z : b.z, first ? a.w : b.w };
}

/// The contact of a pair as seen from the particle with the lower Id, a: so both sides compute the
/// same numbers.
template <class Real>
struct PairGeometry
{
  Vec3d apart; // from a to b
  double distance2;
  double reach;

  DEM_HD double gap2() const { return reach * reach - distance2; }
  DEM_HD bool touching() const
  {
    return !(distance2 >= reach * reach);
  } // what is not a number touches, and is found out
};

/// `periodic`: some axis of the box is.
template <class Real>
DEM_HD PairGeometry<Real> pairGeometry(
  const Periodic& box, const Vec4<double>& a, const Vec4<double>& b, bool periodic)
{
  PairGeometry<Real> g;
  g.apart = b.xyz() - a.xyz();
  if (periodic)
    g.apart = box.nearImage(g.apart);
  g.distance2 = dot(g.apart, g.apart);
  g.reach = a.w + b.w;
  return g;
}

/// Two touching particles as their contact sees them.
template <class Real>
struct PairSides
{
  Vec3<Real> normal; // from a to b
  Real overlap;
  Real radius_a, radius_b, mass_a, mass_b;
  Vec3<Real> velocity_a, velocity_b, spin_a, spin_b;
};

template <class Real>
struct PairContact
{
  ContactForce<Real> force;
  Vec3<Real> on_a; // force on a
  Vec3<Real>
    lever; // normal x tangential force: with the arms, torques on both but for the rolling one
  Vec3<Real> torque_a, torque_b;
  Vec3<Real> normal;
  Real overlap;
  Real arm_a, arm_b;
};

/// Normal and overlap from numbers that carry the cancellation already: apart = b - a, gap2 =
/// reach^2 - distance^2, both rounded from double. So the overlap, gap2 / (reach + distance), has
/// the relative precision of Real however small it is. Where the centres coincide the normal is
/// `up` along z.
template <class Real>
DEM_HD void touch(
  PairSides<Real>& p, const Vec3<Real>& apart, const Real& gap2, const Real& up = Real(1))
{
  using std::sqrt;
  const Real zero(0), distance2 = dot(apart, apart), distance = sqrt(distance2);
  const Truth<Real> separate = distance2 > zero;
  p.normal = select(separate, (Real(1) / distance) * apart, Vec3<Real>{ zero, zero, up });
  p.overlap = quotient(gap2, p.radius_a + p.radius_b + distance);
}

template <class Real>
DEM_HD PairGeometry<Real> pairGeometry(
  const Periodic& box, const Vec4<double>& a, const Vec4<double>& b)
{
  return pairGeometry<Real>(box, a, b, box.any());
}

template <bool kAdvance, class Scalar, class Real>
DEM_HD PairContact<Real> pairContact(const LawParameters<Scalar>& law,
  const PairCoefficients<Real>& coefficients, const PairSides<Real>& p, Scalar dt,
  const Truth<Real>& begins, ContactHistory<Real>& history)
{
  PairContact<Real> out;
  out.normal = p.normal;
  out.overlap = p.overlap;
  out.arm_a = multiplyAdd(Real(-0.5), p.overlap, p.radius_a);
  out.arm_b = multiplyAdd(Real(-0.5), p.overlap, p.radius_b);

  ContactMotion<Real> m;
  m.normal = p.normal;
  m.overlap = p.overlap;
  m.velocity =
    p.velocity_a - p.velocity_b + cross(out.arm_a * p.spin_a + out.arm_b * p.spin_b, p.normal);
  m.spin = p.spin_a - p.spin_b;
  m.radius = quotient(p.radius_a * p.radius_b, p.radius_a + p.radius_b);
  m.mass = quotient(p.mass_a * p.mass_b, p.mass_a + p.mass_b);
  const Real ia = Real(1.4) * p.mass_a * p.radius_a * p.radius_a,
             ib = Real(1.4) * p.mass_b * p.radius_b * p.radius_b;
  m.rolling_inertia = ia * ib / (ia + ib);
  out.force = contactForce<kAdvance>(law, coefficients, m, dt, begins, history);
  out.on_a = multiplyAdd(-out.force.normal, p.normal, out.force.tangential);
  out.lever = cross(p.normal, out.force.tangential);
  out.torque_a = multiplyAdd(out.arm_a, out.lever, out.force.rolling);
  out.torque_b = multiplyAdd(out.arm_b, out.lever, -out.force.rolling);
  return out;
}

template <bool kAdvance, class Real>
DEM_HD PairContact<Real> pairContact(const LawView<Real>& view, const PairGeometry<Real>& g,
  const Vec4<double>& xa, const Vec4<double>& xb, const Vec4<Real>& va, const Vec4<Real>& vb,
  const Vec4<Real>& wa, const Vec4<Real>& wb, Real dt, bool begins, ContactHistory<Real>& history)
{
  PairSides<Real> sides{ {}, {}, static_cast<Real>(xa.w), static_cast<Real>(xb.w), va.w, vb.w,
    va.xyz(), vb.xyz(), wa.xyz(), wb.xyz() };
  touch(sides, g.apart.template as<Real>(), static_cast<Real>(g.gap2()));
  return pairContact<kAdvance>(view.law, view.pair(wa.w, wb.w), sides, dt, begins, history);
}

} // namespace dem
