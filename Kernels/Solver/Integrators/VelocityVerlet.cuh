// Velocity Verlet: Swope, Andersen, Berens, Wilson, J. Chem. Phys. 76 (1982) 637. Order 2. Used by
// Drift and by bodies (Bodies/DriftBodies.cuh).
#pragma once

#include "Solver/Integrators/Kinematics.cuh"

namespace dem
{

/// Closing half kick of the last step, opening half kick of this one, drift. Damping needs the
/// velocities of the new time before its forces have been computed. They are predicted with the
/// last forces, which keeps damped contacts of second order. The integrated velocity is the sum of
/// `velocity`, which is the prediction, and `velocity_rest`. The rest subtracts the predicted kick
/// and carries the rounding error, so that a kick far below the last bit is not lost.
template <class Real>
struct VelocityVerlet
{
  static constexpr int kRates = 0;
  RatePointers<Real, 0> rate;
  bool close_last; // false only for the first step of a scene

  explicit VelocityVerlet(std::uint64_t step)
    : close_last(step > 0)
  {
  }
  static Real closing(std::uint64_t) { return Real(0.5); }

  template <class R, class D>
  DEM_HD Vec3<R> operator()(Kinematics<R, D>& m, Vec3<R>*, const Load<R>& load, const R& mass,
    const R& radius, const Vec3<R>& gravity, Real dt) const
  {
    const R half = R(Real(0.5) * dt), kicks = R(close_last ? 2 : 1);
    const Vec3<R> dv = half * ((R(1) / mass) * load.force + gravity);
    const Vec3<R> dw = (half * perInertia(mass, radius)) * load.torque;
    m.velocity_rest += kicks * dv;
    m.spin_rest += kicks * dw;

    const D h(dt);
    m.position =
      multiplyAdd(h, m.velocity.template as<D>() + m.velocity_rest.template as<D>(), m.position);
    const Vec3<R> angle = R(dt) * (m.spin + m.spin_rest);

    kick(m.velocity, m.velocity_rest, dv);
    kick(m.spin, m.spin_rest, dw);
    m.velocity_rest -= dv;
    m.spin_rest -= dw;
    return angle;
  }
};

} // namespace dem
