// The contact law: one function that combines a normal, a tangential and a rolling model. It is
// used for pairs and walls, on host and device, for one contact and for packs (Core/Pack.h).
// Options of the law are branches, uniform over a launch. Choices that differ between contacts use
// `select`.
#pragma once

#include "Physics/NormalModels.cuh"
#include "Physics/RollingModels.cuh"
#include "Physics/TangentialModels.cuh"

namespace dem
{

/// Computes the force of one contact, or of a pack of them, with the motion `m` in SI units. The
/// overlap must be positive. The result depends on the arguments alone.
/// - `kAdvance`: the history advances by `step` (s). If the contact `begins`, it advances by the
///   part of the step since the bodies touched.
/// - Without `kAdvance` the force of the stored history is evaluated again, and the history does
///   not change.
template <bool kAdvance, class Scalar, class Real>
DEM_HD ContactForce<Real> contactForce(const LawParameters<Scalar>& law,
  const PairCoefficients<Real>& pair, const ContactMotion<Real>& m, Scalar step,
  const Truth<Real>& begins, ContactHistory<Real>& history)
{
  using std::sqrt;
  const Real zero(0);
  ContactForce<Real> out{};
  ContactTerms<Real> t;
  t.dt = Real(step);
  t.now = stiffness(law, pair, m.radius, m.mass, m.overlap);
  const Real vn = dot(m.velocity, m.normal);
  t.slip_velocity = multiplyAdd(-vn, m.normal, m.velocity);
  const Real damping = pair.damping * sqrt(t.now.normal * m.mass);
  t.tangential_damping = pair.tangential_damping * damping;

  Real fn = multiplyAdd(damping, vn, t.now.elastic_force);
  if (law.clamp)
    fn = select(fn < zero, zero, fn);
  out.normal = fn;
  out.elastic_energy = Real(elasticShare(law)) * t.now.elastic_force * m.overlap;
  out.dissipated = (fn - t.now.elastic_force) * vn * t.dt;

  // stiffness one step ago, for the work of its change
  const Real went = multiplyAdd(-t.dt, vn, m.overlap);
  t.overlap_before = select(went > zero, went, zero);
  t.before = kAdvance ? stiffness(law, pair, m.radius, m.mass, t.overlap_before) : t.now;

  t.normal_size = magnitude(fn);
  t.friction_limit = pair.friction *
    (law.friction_limit == FrictionLimit::Total ? t.normal_size : t.now.elastic_force);
  t.opening = Real(0.5) * t.dt;
  if (worthwhile(begins))
    t.opening = select(begins, select(went < zero, quotient(m.overlap, vn), t.dt), t.opening);

  if (law.history)
    TangentialSpring::apply<kAdvance>(m, t, begins, history, out);
  else
    TangentialDashpot::apply<kAdvance>(t, history, out);

  if (law.rolling != RollingModel::None)
  {
    const Vec3<Real> rolling = m.spin - dot(m.spin, m.normal) * m.normal;
    const Real torque_limit = pair.rolling * m.radius * t.normal_size;
    if (law.rolling == RollingModel::CDT)
      RollingCdt::apply(m, t, step, rolling, torque_limit, out);
    else
      RollingEpsd::apply<kAdvance>(law, pair, m, t, rolling, torque_limit, history, out);
  }

  if (kAdvance)
  {
    history.age += t.dt;
    history.dissipated += out.dissipated;
  }
  return out;
}

} // namespace dem
