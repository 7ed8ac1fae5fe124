// The drift on the CPU, in packs of particles, with the formulas of Drift. Used by
// Solver/MotionStage.cuh.
#pragma once

#include "Core/PackRows.h"
#include "Solver/Integrators/Drift.cuh"

namespace dem
{

/// Drift for ranges of particles. Particles that have left are skipped.
template <class Real, class Integrator>
struct DriftPacks
{
  Drift<Real, Integrator> one;

  void operator()(std::uint32_t begin, std::uint32_t end) const
  {
    if (one.control->driftHalted(one.batch_step))
      return;
    for (std::uint32_t i = begin; i < end; i += kLanes)
      move(i, end - i < kLanes ? end - i : kLanes);
  }

private:
  using Places = Pack<double>;
  static constexpr std::uint32_t kLanes = Places::kLanes;
  using Reals = Pack<Real, static_cast<int>(kLanes)>;
  static constexpr int kRates = Integrator::kRates;

  template <class T>
  using Turned = Rows<T, static_cast<int>(kLanes)>;

  // Moves particles i to i + n - 1.
  void move(std::uint32_t i, std::uint32_t n) const
  {
    const StateView<Real>& state = one.state;
    const auto load = [n](const auto* from) {
      // unused lanes repeat the first
      return loadRows<static_cast<int>(kLanes)>([=](int k) -> const auto& {
        return from[static_cast<std::uint32_t>(k) < n ? k : 0];
      });
    };
    const auto vector = [](const auto& c) {
      return Vec3<std::decay_t<decltype(c.x)>>{ c.x, c.y, c.z };
    };
    const auto x = load(state.position + i);
    const auto v = load(state.velocity + i), w = load(state.spin + i);
    const auto v_rest = load(state.velocity_rest + i), w_rest = load(state.spin_rest + i);
    Real path[kLanes], turned_z[kLanes];
    for (std::uint32_t k = 0; k < kLanes; ++k)
    {
      const Traveled<Real>& traveled = state.traveled[k < n ? i + k : i];
      path[k] = traveled.path;
      turned_z[k] = traveled.turned_z;
    }
    Kinematics<Reals, Places> m{ vector(x), vector(v), vector(v_rest), vector(w), vector(w_rest) };
    const Vec3<Reals> gravity{ Reals(one.gravity.x), Reals(one.gravity.y), Reals(one.gravity.z) };
    Vec3<Reals> rates[kRates > 0 ? kRates : 1];
    for (int r = 0; r < kRates; ++r)
      rates[r] = vector(load(one.integrator.rate[r] + i));
    const Vec3<Reals> angle = one.integrator(m, rates,
      Load<Reals>{ vector(load(state.force + i)), vector(load(state.torque + i)) }, v.w, Reals(x.w),
      gravity, one.dt);
    const Vec3<Reals> before{ v_rest.w, w_rest.w, Reals::load(turned_z) };
    Vec3<Reals> turned = before;
    const unsigned slight = one.gathers_turns ? 0 : turnSlightly(turned, angle).ones();

    const Reals zero(0);
    const Turned<double> position({ m.position.x, m.position.y, m.position.z, x.w });
    const Turned<Real> velocity({ m.velocity.x, m.velocity.y, m.velocity.z, v.w }),
      spin({ m.spin.x, m.spin.y, m.spin.z, w.w }),
      velocity_rest({ m.velocity_rest.x, m.velocity_rest.y, m.velocity_rest.z, turned.x }),
      spin_rest({ m.spin_rest.x, m.spin_rest.y, m.spin_rest.z, turned.y });
    turned.z.store(turned_z);
    const auto lane = [](const Vec3<Reals>& of, std::uint32_t k) {
      return Vec3<Real>{ of.x.values()[k], of.y.values()[k], of.z.values()[k] };
    };
    bool stays[kLanes];
    for (std::uint32_t k = 0; k < n; ++k)
    {
      const std::uint32_t p = i + k;
      stays[k] = !isGone(state.position[p].x);
      if (!stays[k])
        continue;
      stays[k] = one.place(p, state.position[p].xyz(), position[k].xyz(), position[k].w, path[k]);
      if (!stays[k])
        continue;
      state.velocity[p] = velocity[k];
      state.spin[p] = spin[k];
      state.velocity_rest[p] = velocity_rest[k];
      state.spin_rest[p] = spin_rest[k];
      if (!(slight >> k & 1))
      {
        one.gatherTurn(p, lane(before, k), lane(angle, k));
        state.velocity_rest[p].w = state.spin_rest[p].w = turned_z[k] = 0;
      }
      state.traveled[p].path = path[k];
      state.traveled[p].turned_z = turned_z[k];
    }
    for (int r = 0; r < kRates; ++r)
    {
      const Turned<Real> rate({ rates[r].x, rates[r].y, rates[r].z, zero });
      for (std::uint32_t k = 0; k < n; ++k)
        if (stays[k])
          one.integrator.rate[r][i + k] = rate[k];
    }
  }
};

} // namespace dem
