// The contact of two spheres: geometry, then forces and torques on both. Used by PairsOnce.cuh on
// the CPU, by StepWarps.cuh on CUDA, and by the list kinds (ForceKinds.cuh).
#pragma once

#include "Forces/LawView.cuh"
#include "Particles/State.cuh"

#include <cmath>

namespace dem
{

/// Result of a contact for its particle b: the force on a, N, and the torque on b, N m.
template <class Real>
struct PairRecord
{
  Vec4<Real> on_a, torque_b;
};

/// Selects a or b by value. Selecting a reference would put both in local memory on a device.
template <class T>
DEM_HD Vec4<T> pick(bool first, const Vec4<T>& a, const Vec4<T>& b)
{
  return { first ? a.x : b.x, first ? a.y : b.y, first ? a.z : b.z, first ? a.w : b.w };
}

/// Distance of a pair, seen from the particle a of lower Id, so that both sides compute the same
/// bits.
template <class Real>
struct PairGeometry
{
  Vec3d apart;      // from a to b, m
  double distance2; // of the centres, m^2
  double reach;     // sum of the radii, m

  DEM_HD double gap2() const { return reach * reach - distance2; }
  DEM_HD bool overlapping() const
  {
    return !(distance2 >= reach * reach); // NaN counts as overlap, so that it is reported
  }
};

/// Geometry of spheres a and b; w = radius. `periodic`: some axis of the box is periodic.
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

/// Input of a contact: two touching particles. SI units.
template <class Real>
struct PairSides
{
  Vec3<Real> normal; // from a to b
  Real overlap;
  Real radius_a, radius_b, mass_a, mass_b;
  Vec3<Real> velocity_a, velocity_b, spin_a, spin_b;
};

/// Result of a contact: forces and torques on both particles. SI units.
template <class Real>
struct PairContact
{
  ContactForce<Real> force;
  Vec3<Real> on_a; // force on a
  // normal x tangential force; times an arm, it is the torque without the rolling torque
  Vec3<Real> lever;
  Vec3<Real> torque_a, torque_b;
  Vec3<Real> normal;
  Real overlap;
  Real arm_a, arm_b;
};

/// Sets normal and overlap of `p` from apart = b - a, m, and gap2 = reach^2 - distance^2, m^2. Both
/// are differences computed in double and then rounded. So the overlap, gap2 / (reach + distance),
/// has the relative precision of Real however small it is. If the centres coincide, the normal is
/// (0, 0, `up`).
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

/// Whether spheres i and j, which do not overlap, are held together by cohesion, if they touched in
/// the previous step. `spin`: w = material. Both sides of a pair get the same result.
template <class Real>
DEM_HD bool isStretched(const LawView<Real>& view, const Vec4<Real>* spin, std::uint32_t i,
  std::uint32_t j, const PairGeometry<Real>& g, Real radius_i, Real radius_j)
{
  PairSides<Real> sides{};
  sides.radius_a = radius_i;
  sides.radius_b = radius_j;
  touch(sides, g.apart.template as<Real>(), static_cast<Real>(g.gap2()));
  const Real radius = quotient(radius_i * radius_j, radius_i + radius_j);
  return -sides.overlap < reachOf(view.law, view.pair(spin[i].w, spin[j].w), radius);
}

/// Whether the contact of spheres i and j acts. `touched`: it did in the previous step. Other
/// arguments as in isStretched().
template <class Real>
DEM_HD bool touching(const LawView<Real>& view, const Vec4<Real>* spin, std::uint32_t i,
  std::uint32_t j, const PairGeometry<Real>& g, double radius_i, double radius_j, bool touched)
{
  return g.overlapping() ||
    (view.law.cohesion != CohesionModel::None && touched &&
      isStretched(view, spin, i, j, g, static_cast<Real>(radius_i), static_cast<Real>(radius_j)));
}

/// Forces and torques of a touching pair, or of a pack of them. `kAdvance`, `dt` (s), `begins` and
/// `history` are as in contactForce().
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

/// The same from state vectors of a and b: position (w = radius), velocity (w = mass) and spin (w =
/// material).
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
