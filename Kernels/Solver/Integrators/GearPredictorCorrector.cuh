// Gear's predictor-corrector with five values (position to its fourth derivative) and one force
// evaluation a step. Used by Drift. It is the variant for equations of second order with forces
// that depend on velocities: Gear, Numerical Initial Value Problems in Ordinary Differential
// Equations (1971), chapter 9. The corrector 19/90, 3/4, 1, 1/2, 1/12 is that of Allen and
// Tildesley, Computer Simulation of Liquids (1987), appendix E. The order is 4 if forces are
// smooth. Pacevic and Kaceniauskas 2022 use a method of this family, without stating its order.
#pragma once

#include "Solver/Integrators/Kinematics.cuh"

namespace dem
{

/// Corrector weights of the error e = dt (a - predicted a): for the velocity, the second and third
/// rate, and, times dt, for the position. In these units the five-value corrector is that of Adams
/// and Moulton for the velocity; the weight of the position is its integral, 19/90 / 2.
template <class Real>
struct GearWeights
{
  Real velocity, second, third, place;
};

/// Between steps a state is not yet corrected: position and `velocity` are the predictions from
/// which the forces were computed, and the drift corrects them first. A frame shows corrected
/// velocities and predicted positions; the missing correction is of fifth order in dt. Rates are
/// stored in units of velocity: dt a, dt^2 a' / 2, dt^3 a'' / 6.
///
/// No derivatives exist at the start. The first two corrections have other weights: they compute a'
/// and a'' from the first three accelerations and correct the previous steps for them. With the
/// usual weights from the start the order would be 2. A damped contact at the start still adds one
/// error of third order. A contact that begins with a jump of its force (a dashpot) adds one of
/// first order, as in any scheme with a fixed step.
template <class Real>
struct GearPredictorCorrector
{
  static constexpr int kRates = 6; // three for the velocity, three for the spin
  RatePointers<Real, kRates> rate;
  GearWeights<Real> weight;

  explicit GearPredictorCorrector(std::uint64_t step)
    : weight(weights(step))
  {
  }
  static Real closing(std::uint64_t step) { return weights(step).velocity; }

  /// Weights of the correction that closes step `step`; none at the start of the scene, step 0.
  static GearWeights<Real> weights(std::uint64_t step)
  {
    const auto of = [](double velocity, double second, double third, double place) {
      return GearWeights<Real>{ static_cast<Real>(velocity), static_cast<Real>(second),
        static_cast<Real>(third), static_cast<Real>(place) };
    };
    switch (step)
    {
      case 0:
        return of(0, 0, 0, 0);
      case 1:
        return of(1. / 2, 1. / 2, 0, 1. / 6);
      case 2:
        return of(1. / 3, 3. / 4, 1. / 6, 0);
      default:
        return of(3. / 8, 3. / 4, 1. / 6, 19. / 180);
    }
  }

  template <class R, class D>
  DEM_HD Vec3<R> operator()(Kinematics<R, D>& m, Vec3<R>* rates, const Load<R>& load, const R& mass,
    const R& radius, const Vec3<R>& gravity, Real dt) const
  {
    const D h(dt);
    const Vec3<R> way =
      correct(m.velocity, m.velocity_rest, rates, R(dt) * ((R(1) / mass) * load.force + gravity));
    const Vec3<R> arc =
      correct(m.spin, m.spin_rest, rates + 3, (R(dt) * perInertia(mass, radius)) * load.torque);
    const Vec3<D> velocity = m.velocity.template as<D>() + m.velocity_rest.template as<D>();
    const Vec3<R> spin = m.spin + m.spin_rest;

    m.position += h * (velocity + way.template as<D>());
    // For an axis that changes direction: the second term of Magnus's series (Comm. Pure Appl.
    // Math. 7 (1954) 649), to fourth order.
    const Vec3<R> change = rates[3] + rates[4];
    const Vec3<R> angle = R(dt) * (spin + arc) + R(dt * dt * Real(1. / 12)) * cross(change, spin);
    predict(m.velocity, m.velocity_rest, rates);
    predict(m.spin, m.spin_rest, rates + 3);
    return angle;
  }

private:
  // Corrects a velocity and its rates for the change `dv` of the velocity in a step. Returns,
  // divided by dt, the distance to move besides that of the corrected velocity: the correction of
  // the position, and the terms of the rates.
  template <class R>
  DEM_HD Vec3<R> correct(Vec3<R>& v, Vec3<R>& rest, Vec3<R>* rates, const Vec3<R>& dv) const
  {
    const Vec3<R> error = dv - rates[0];
    kick(v, rest, R(weight.velocity) * error);
    rates[0] = dv;
    rates[1] += R(weight.second) * error;
    rates[2] += R(weight.third) * error;
    return R(weight.place) * error + R(1. / 2) * rates[0] + R(1. / 3) * rates[1] +
      R(1. / 4) * rates[2];
  }

  // Adds the rates to a velocity, and advances the rates by a step of their Taylor series.
  template <class R>
  DEM_HD static void predict(Vec3<R>& v, Vec3<R>& rest, Vec3<R>* rates)
  {
    kick(v, rest, rates[0] + rates[1] + rates[2]);
    rates[0] += R(2) * rates[1] + R(3) * rates[2];
    rates[1] += R(3) * rates[2];
  }
};

} // namespace dem
