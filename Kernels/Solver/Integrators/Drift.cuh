// The motion of one particle in a step: integration, rotation, borders, and the test whether lists
// are still valid. Used by DriftPacks.cuh on the CPU, and by Forces/StepWarps.cuh,
// Bodies/DriftBodies.cuh and Solver/MotionStage.cuh.
#pragma once

#include "Core/Algorithms.h"
#include "Core/Atomic.cuh"
#include "Particles/State.cuh"
#include "Solver/Integrators/GearPredictorCorrector.cuh"
#include "Solver/Integrators/SemiImplicitEuler.cuh"
#include "Solver/Integrators/VelocityVerlet.cuh"

#include <cmath>
#include <cstdint>

namespace dem
{

/// Kernel functor of the drift: integrates every particle, removes particles that leave the domain,
/// and stops the batch when the list is no longer valid. Reports positions that are not finite.
template <class Real, class Integrator>
struct Drift
{
  StateView<Real> state;
  Moved<Real> to;
  StepControl* control;
  Vec3<Real> gravity;
  Real dt;
  unsigned batch_step;
  Integrator integrator;
  Periodic box;
  Vec3d remove_lower, remove_upper; // a centre outside leaves the simulation
  double slack2;                    // (skin / 2)^2
  Real slack;                       // at most skin / 2
  // The rotation since the last update is added to `orientation` in this step: every few steps, the
  // same ones in every run.
  bool gathers_turns;

  static constexpr unsigned kTurnSteps = 16;

  static constexpr int kRates = Integrator::kRates;
  // Rounds up by more than the errors of a few operations.
  static constexpr Real kUpwards = Real(1 + 1. / (1 << 20));

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (!control->driftHalted(batch_step))
      move(i, state.position[i], state.velocity[i], state.spin[i],
        { state.force[i].xyz(), state.torque[i].xyz() });
  }

  /// Moves particle i with position x, velocity v and spin w under a load, N and N m. A particle
  /// that has left is copied unchanged.
  DEM_HD void move(std::uint32_t i, const Vec4<double>& x, const Vec4<Real>& v, const Vec4<Real>& w,
    const Load<Real>& load) const
  {
    if (isGone(x.x))
    {
      to.position[i] = x; // the next rebuild reads it
      to.velocity[i] = v;
      to.spin[i] = w;
      return;
    }
    const Vec4<Real> v_rest = state.velocity_rest[i], w_rest = state.spin_rest[i];
    Traveled<Real> traveled = state.traveled[i];
    Kinematics<Real, double> m{ x.xyz(), v.xyz(), v_rest.xyz(), w.xyz(), w_rest.xyz() };
    Vec3<Real> rates[kRates > 0 ? kRates : 1];
    for (int k = 0; k < kRates; ++k)
      rates[k] = integrator.rate[k][i].xyz();
    const Vec3<Real> angle = integrator(m, rates, load, v.w, static_cast<Real>(x.w), gravity, dt);
    const Vec3<Real> before{ v_rest.w, w_rest.w, traveled.turned_z };
    Vec3<Real> turned = before;
    if (!turnSlightly(turned, angle) || gathers_turns)
    {
      gatherTurn(i, before, angle);
      turned = {};
    }
    traveled.turned_z = turned.z;
    if (!place(i, x.xyz(), m.position, x.w, traveled.path))
      return;
    to.velocity[i] = vec4(m.velocity, v.w);
    to.spin[i] = vec4(m.spin, w.w);
    state.velocity_rest[i] = vec4(m.velocity_rest, turned.x);
    state.spin_rest[i] = vec4(m.spin_rest, turned.y);
    state.traveled[i] = traveled;
    for (int k = 0; k < kRates; ++k)
      integrator.rate[k][i] = vec4(rates[k], Real(0));
  }

  /// Stores the new position x of particle i, which was at `from`, after wrapping it into a
  /// periodic box. Returns false if the particle leaves the domain. `path`: upper bound of the
  /// distance moved since the list was built. While it is less than half the skin, the distance
  /// from the listed position is not computed.
  DEM_HD bool place(std::uint32_t i, const Vec3d& from, Vec3d x, double radius, Real& path) const
  {
    const Vec3<Real> way = (x - from).template as<Real>();
    path = (path + std::fabs(way.x) + std::fabs(way.y) + std::fabs(way.z)) * kUpwards;
    wrap(x.x, box.lower.x, box.period.x);
    wrap(x.y, box.lower.y, box.period.y);
    wrap(x.z, box.lower.z, box.period.z);
    const bool left = x.x < remove_lower.x || x.x > remove_upper.x || x.y < remove_lower.y ||
      x.y > remove_upper.y || x.z < remove_lower.z || x.z > remove_upper.z;
    if (left)
    {
      // kGone is out of reach of all other particles, so it has no more contacts. The next rebuild
      // removes it and lists the position where it left.
      to.position[i] = { kGone, kGone, kGone, radius };
      to.velocity[i] = state.velocity[i];
      to.spin[i] = state.spin[i];
      state.listed[i] = x;
      atomicNext(&control->removed);
      return false;
    }
    to.position[i] = vec4(x, radius);
    if (!(path < slack))
      path = static_cast<Real>(std::sqrt(follow(i, x, 0))) * kUpwards;
    return true;
  }

  /// Updates `orientation` of particle i by the rotation since its last update, `before`, and by
  /// the angle of this step, rad.
  DEM_HD void gatherTurn(std::uint32_t i, const Vec3<Real>& before, const Vec3<Real>& angle) const
  {
    const Vec4<double> q = state.orientation[i];
    Quaternion<double> now = turnOf(before) * Quaternion<double>{ q.x, q.y, q.z, q.w };
    const Vec3d a = angle.template as<double>();
    turn(now, a);
    state.orientation[i] = { now.w, now.x, now.y, now.z };
    if (!(dot(a, a) < 1e300))
      atomicLower(&control->error, packError(batch_step, FailureKind::NotFinite, state.id[i]));
  }

  /// Stops the batch if particle i, now at x, has moved more than half the skin since the list was
  /// built. Reports a failure if x or `angle2` is not finite. Returns the square of the distance
  /// moved, m^2.
  DEM_HD double follow(std::uint32_t i, const Vec3d& x, double angle2) const
  {
    Vec3d moved = x - state.listed[i];
    if (box.any())
      moved = box.nearImage(moved);
    const double moved2 = dot(moved, moved);
    const bool finite = moved2 < 1e300 && angle2 < 1e300;
    if (!finite)
      atomicLower(&control->error, packError(batch_step, FailureKind::NotFinite, state.id[i]));
    if (moved2 > slack2)
      atomicLower(&control->stop_step, batch_step);
    return moved2;
  }

  DEM_HD static void wrap(double& x, double lower, double period)
  {
    if (period > 0)
    {
      if (x < lower)
        x += period;
      else if (x >= lower + period)
        x -= period;
      else
        return;
      if (x < lower || x > lower + period)
        x -= period * std::floor((x - lower) / period); // it moved by more than a period
    }
  }
};

} // namespace dem
