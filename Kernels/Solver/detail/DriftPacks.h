// The drift on the CPU: a pack of particles at a time, the same formulas as for one (Drift).
#pragma once

#include "Core/Pack.h"
#include "Solver/detail/Step.cuh"

namespace dem
{

/// Drift for ranges of particles.
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

  template <class T, int kRows>
  struct alignas(64) Rows
  {
    T at[kRows][kLanes];
    template <class V>
    void set(int row, std::uint32_t lane, const V& v)
    {
      at[row][lane] = v.x;
      at[row + 1][lane] = v.y;
      at[row + 2][lane] = v.z;
    }
    Vec3<Pack<T, static_cast<int>(kLanes)>> vector(int row) const
    {
      using P = Pack<T, static_cast<int>(kLanes)>;
      return { P::load(at[row]), P::load(at[row + 1]), P::load(at[row + 2]) };
    }
    template <class P>
    void store(int row, const Vec3<P>& v)
    {
      v.x.store(at[row]);
      v.y.store(at[row + 1]);
      v.z.store(at[row + 2]);
    }
    Vec3<T> get(int row, std::uint32_t lane) const { return { at[row][lane], at[row + 1][lane], at[row + 2][lane] }; }
  };

  void move(std::uint32_t i, std::uint32_t n) const
  {
    const StateView<Real>& state = one.state;
    Rows<double, 8> places{}; // position, radius, orientation w x y z
    // velocity, spin, their rests, force, torque, mass, radius, what the integrator keeps
    Rows<Real, 20 + 3 * kRates> reals{};
    for (std::uint32_t k = 0; k < kLanes; ++k)
    {
      const std::uint32_t p = i + (k < n ? k : 0); // lanes to spare repeat the first
      const Vec4<double> x = state.position[p], q = state.orientation[p];
      const Vec4<Real> v = state.velocity[p];
      places.set(0, k, x);
      places.at[3][k] = x.w;
      places.set(4, k, q);
      places.at[7][k] = q.w;
      reals.set(0, k, v);
      reals.set(3, k, state.spin[p]);
      reals.set(6, k, state.velocity_rest[p]);
      reals.set(9, k, state.spin_rest[p]);
      const Load<Real> load = one.loads.take(state, p);
      reals.set(12, k, load.force);
      reals.set(15, k, load.torque);
      reals.at[18][k] = v.w;
      reals.at[19][k] = static_cast<Real>(x.w);
      for (int r = 0; r < kRates; ++r)
        reals.set(20 + 3 * r, k, one.integrator.rate[r][p]);
    }
    Kinematics<Reals, Places> m{ places.vector(0),
      { Places::load(places.at[4]), Places::load(places.at[5]), Places::load(places.at[6]), Places::load(places.at[7]) },
      reals.vector(0), reals.vector(6), reals.vector(3), reals.vector(9) };
    const Vec3<Reals> gravity{ Reals(one.gravity.x), Reals(one.gravity.y), Reals(one.gravity.z) };
    Vec3<Reals> rates[kRates > 0 ? kRates : 1];
    for (int r = 0; r < kRates; ++r)
      rates[r] = reals.vector(20 + 3 * r);
    const Vec3<Places> angle = one.integrator(m, rates, Load<Reals>{ reals.vector(12), reals.vector(15) }, Reals::load(reals.at[18]),
      Reals::load(reals.at[19]), gravity, one.dt);
    const Places angle2 = dot(angle, angle);

    places.store(0, m.position);
    m.orientation.w.store(places.at[4]);
    m.orientation.x.store(places.at[5]);
    m.orientation.y.store(places.at[6]);
    m.orientation.z.store(places.at[7]);
    reals.store(0, m.velocity);
    reals.store(3, m.spin);
    reals.store(6, m.velocity_rest);
    reals.store(9, m.spin_rest);
    for (int r = 0; r < kRates; ++r)
      reals.store(20 + 3 * r, rates[r]);
    double turned2[kLanes];
    angle2.store(turned2);
    for (std::uint32_t k = 0; k < n; ++k)
    {
      const std::uint32_t p = i + k;
      if (isGone(state.position[p].x))
        continue;
      state.orientation[p] = { places.at[4][k], places.at[5][k], places.at[6][k], places.at[7][k] };
      if (!one.place(p, places.get(0, k), places.at[3][k], turned2[k]))
        continue;
      state.velocity[p] = vec4(reals.get(0, k), state.velocity[p].w);
      state.spin[p] = vec4(reals.get(3, k), state.spin[p].w);
      state.velocity_rest[p] = vec4(reals.get(6, k), Real(0));
      state.spin_rest[p] = vec4(reals.get(9, k), Real(0));
      for (int r = 0; r < kRates; ++r)
        one.integrator.rate[r][p] = vec4(reals.get(20 + 3 * r, k), Real(0));
    }
  }
};

} // namespace dem
