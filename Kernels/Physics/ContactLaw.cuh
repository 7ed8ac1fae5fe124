// The contact law: one function that combines the models that a scene chooses, one of each family
// (Families.cuh). It is used for pairs and walls, on host and device, for one contact and for packs
// (Core/Pack.h). Options of the law are branches, uniform over a launch. Choices that differ
// between contacts use `select`.
#pragma once

#include "Physics/Families.cuh"

namespace dem
{

/// Computes the force of one contact, or of a pack of them, with the motion `m` in SI units. The
/// contact must be touching(). The result depends on the arguments alone.
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

  const Adhesion<Real> adhesion = adhesionOf(law, pair, m.radius, t.now.elastic_force);

  Real fn = multiplyAdd(damping, vn, t.now.elastic_force);
  if (law.clamp)
    fn = select(fn < adhesion.pull, adhesion.pull, fn);
  out.normal = fn;
  out.elastic_energy = t.now.energy;
  out.dissipated = (fn - t.now.elastic_force) * vn * t.dt;
  // stiffness one step ago, for the work of its change
  const Real went = multiplyAdd(-t.dt, vn, m.overlap);
  // When sticking surfaces meet, the force acts for half of the step only. The energy that this
  // does not turn into motion leaves as elastic waves.
  if (kAdvance && law.cohesion != CohesionModel::None)
    out.dissipated += select(begins && adhesion.sticks && went < zero,
      Real(0.5) * t.now.elastic_force * vn * t.dt - t.now.energy, zero);
  t.overlap_before = select(went > adhesion.separation, went, adhesion.separation);
  t.before = kAdvance ? stiffness(law, pair, m.radius, m.mass, t.overlap_before) : t.now;

  const bool cohesive = law.cohesion != CohesionModel::None; // adding 0 would take an instruction
  t.normal_size = magnitude(cohesive ? fn + adhesion.added : fn);
  t.friction_limit = pair.friction *
    (law.friction_limit == FrictionLimit::Total ? t.normal_size
        : cohesive                              ? t.now.elastic_force + adhesion.added
                                                : t.now.elastic_force);
  t.opening = Real(0.5) * t.dt;
  if (worthwhile(begins))
    t.opening = select(begins, select(went < zero, quotient(m.overlap, vn), t.dt), t.opening);

  withChosen(TangentialModels{}, law, [&](auto model) DEM_LAMBDA {
    decltype(model)::template apply<kAdvance>(m, t, begins, history, out);
  });
  if (law.rolling != RollingModel::None)
  {
    const Vec3<Real> rolling = m.spin - dot(m.spin, m.normal) * m.normal;
    const Real torque_limit = pair.rolling * m.radius * t.normal_size;
    withChosen(RollingModels{}, law, [&](auto model) DEM_LAMBDA {
      decltype(model)::template apply<kAdvance>(
        law, pair, m, t, step, rolling, torque_limit, history, out);
    });
  }
  if (kAdvance)
    withChosen(StatisticsModels{}, law,
      [&](auto model) DEM_LAMBDA { decltype(model)::advance(t, out, history); });
  return out;
}

} // namespace dem
