// Semi-implicit (symplectic) Euler: Hairer, Lubich, Wanner, Geometric Numerical Integration (2006),
// I.1.2. Order 1. Used by Drift and by bodies (Bodies/DriftBodies.cuh).
#pragma once

#include "Solver/Integrators/Kinematics.cuh"

namespace dem
{

/// v(t + dt) = v(t) + dt a(x(t), v(t)), x(t + dt) = x(t) + dt v(t + dt). States are those after
/// complete steps, so closing() is 0. Forces read `velocity`; `velocity_rest` carries the rounding
/// error.
template <class Real>
struct SemiImplicitEuler
{
  static constexpr int kRates = 0;
  RatePointers<Real, 0> rate;

  explicit SemiImplicitEuler(std::uint64_t) {}
  static Real closing(std::uint64_t) { return Real(0); }

  template <class R, class D>
  DEM_HD Vec3<R> operator()(Kinematics<R, D>& m, Vec3<R>*, const Load<R>& load, const R& mass,
    const R& radius, const Vec3<R>& gravity, Real dt) const
  {
    kick(m.velocity, m.velocity_rest, R(dt) * ((R(1) / mass) * load.force + gravity));
    kick(m.spin, m.spin_rest, (R(dt) * perInertia(mass, radius)) * load.torque);

    const D h(dt);
    m.position += h * (m.velocity.template as<D>() + m.velocity_rest.template as<D>());
    return R(dt) * (m.spin + m.spin_rest);
  }
};

} // namespace dem
