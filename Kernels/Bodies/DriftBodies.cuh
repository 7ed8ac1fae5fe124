// Kick and drift of a body by the loads on its parts, and the new positions of its parts. Used by
// Bodies.cuh.
#pragma once

#include "Bodies/BodyView.cuh"
#include "Solver/Integrators/Drift.cuh"

#include <cmath>
#include <cstdint>

namespace dem
{

/// Fractions of a step by which a drift kicks the bodies (`kick`), and by which it predicts their
/// velocities afterwards (`ahead`).
struct BodyKicks
{
  double kick, ahead;
};
/// The kicks of bodies that belong to an integrator.
template <class Real>
BodyKicks bodyKicks(const VelocityVerlet<Real>& verlet)
{
  return { verlet.close_last ? 1 : 0.5, 0.5 };
}
template <class Real>
BodyKicks bodyKicks(const SemiImplicitEuler<Real>&)
{
  return { 1, 0 };
}

/// Stores by single threads. On a device the lanes of a warp store together (StoreInPairs).
struct StoreAlone
{
  DEM_HD static unsigned most(unsigned x) { return x; }
  DEM_HD static void put(Vec4<double>* to, unsigned at, const Vec4<double>& value, bool does)
  {
    if (does)
      to[at] = value;
  }
};

/// Kick and drift of every body, and positions and velocities of its parts. With Velocity Verlet
/// the kick joins the closing half kick of the last step and the opening one of this step.
template <class Real, class Integrator>
struct DriftBodies
{
  Drift<Real, Integrator> drift; // of the parts; its borders are infinite, as only bodies leave
  BodyView bodies;
  OrderedBodies order;
  Vec3d remove_lower, remove_upper; // a centre outside leaves the simulation
  BodyKicks kicks;
  SurfacePaths surface;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const OrderedBody one = order.of(bodies, k);
    if (order.place[one.first] == BodyView::kNowhere)
      return; // it left, or another part of the run owns it
    if (bodies.clumps)
      move<StoreAlone, true, 1>(k, one, true);
    else
      move<StoreAlone, false, 1>(k, one, true);
  }

  /// Moves body k of the order if `does`; its data are readable in any case. `kClumps`: see
  /// BodyView::clumps. Independent data are read before they are needed, and then the loads of
  /// `kAtOnce` parts together, to hide latency. `Store`: StoreAlone or StoreInPairs.
  template <class Store, bool kClumps, unsigned kAtOnce>
  DEM_HD void move(std::uint32_t k, const OrderedBody& one, bool does) const
  {
    const std::uint32_t b = one.body, n = kClumps ? one.parts : 1;
    std::uint32_t* const places = order.place + one.first;
    const Vec4<double> v = bodies.velocity[b], l = bodies.momentum[b], inertia = bodies.inertia[b];
    const float came = bodies.path[k];
    Vec4<double> x{}, turned{};
    if (kClumps)
    {
      x = bodies.centre[b];
      turned = bodies.orientation[b];
    }
    const bool halted = drift.control->driftHalted(drift.batch_step);
    BodyView::Places<kAtOnce> some;
    some.read(places, 0, n);
    const std::uint32_t at_first = some.at[0];
    if (halted)
      return;
    does = does && at_first != BodyView::kNowhere;
    const Vec4<double>* const offset = bodies.offsets(one.shape);
    const double farthest = bodies.farthest[one.shape];
    if (does && n == 1) // stored with the part
    {
      x = drift.state.position[at_first];
      turned = drift.state.orientation[at_first];
    }
    const float surface_came = surface.path && does ? surface.path[at_first] : 0.f;
    Quaternion<double> q{ turned.x, turned.y, turned.z, turned.w };
    Load<double> load;
    if (does) // otherwise its parts have left
      load = n == 1 ? bodies.loadOfPart(drift.state, at_first)
                    : bodies.loadOfParts(drift.state, places, some, n, q, inertia.w, offset);
    const double dt = drift.dt, kick = kicks.kick * dt, ahead = kicks.ahead * dt;
    const Vec3d acceleration = (1 / v.w) * load.force + drift.gravity.template as<double>();
    const Vec3d velocity = v.xyz() + kick * acceleration;
    const Vec3d momentum = l.xyz() + kick * load.torque;
    Vec3d centre = x.xyz() + dt * velocity;
    const Vec3d way = centre - x.xyz(); // includes the rounding of `centre`, which may accumulate
    wrap(centre);
    if (does &&
      (centre.x < remove_lower.x || centre.x > remove_upper.x || centre.y < remove_lower.y ||
        centre.y > remove_upper.y || centre.z < remove_lower.z || centre.z > remove_upper.z))
    {
      bodies.velocity[b] = vec4(velocity, v.w);
      bodies.momentum[b] = vec4(momentum, l.w);
      bodies.orientation[b] = turned;
      remove(b, places, n, centre);
      does = false;
    }
    turnFreely(q, momentum, inertia.xyz(), dt);
    if (kClumps && Store::most(does && n > 1))
    {
      Store::put(bodies.centre, b, vec4(centre, x.w), does && n > 1);
      Store::put(bodies.orientation, b, { q.w, q.x, q.y, q.z }, does && n > 1);
    }
    Store::put(bodies.velocity, b, vec4(velocity, v.w), does);
    Store::put(bodies.momentum, b, vec4(momentum, l.w), does);

    const Vec3d predicted = velocity + ahead * acceleration;
    const Vec3d spin = spinOf(q, momentum + ahead * load.torque, inertia.xyz());
    const Vec3<Real> turning = spin.template as<Real>();
    const double spin2 = dot(spin, spin);
    // The way of a part is at most that of the centre plus its own about it. While the sum over the
    // steps is less than half the skin, the distance from the listed position is not computed.
    const double turn = dt * length(momentum) * mostTurn(inertia.xyz()),
                 own = turn * inertia.w * farthest;
    const double farther = std::fabs(way.x) + std::fabs(way.y) + std::fabs(way.z) + own;
    float path = static_cast<float>((came + farther) * kUpwards);
    const bool near = path < static_cast<float>(drift.slack);
    double farthest2 = 0;
    const std::uint32_t most = kClumps ? Store::most(does ? n : 0) : 1;
    std::uint32_t next = at_first; // read one part ahead
    for (std::uint32_t p = 0; p < most; ++p)
    {
      const bool here = does && p < n;
      const std::uint32_t i = next;
      if (p + 1 < n)
        next = places[p + 1];
      const Vec4<double> part = here ? offset[p] : Vec4<double>{};
      const Vec3d arm = n > 1 ? rotate(q, inertia.w * part.xyz()) : Vec3d{};
      Vec3d at = centre + arm;
      wrap(at);
      Store::put(drift.to.position, i, vec4(at, inertia.w * part.w), here);
      Store::put(drift.state.orientation, i, { q.w, q.x, q.y, q.z },
        here && n == 1); // parts of clumps are spheres
      if (!here)
        continue;
      if (!near)
      {
        const double moved2 = drift.follow(i, at, spin2);
        farthest2 = moved2 < farthest2 ? farthest2 : moved2;
      }
      // mass and material of a part are those of its body
      drift.state.velocity[i] =
        vec4((predicted + cross(spin, arm)).template as<Real>(), static_cast<Real>(v.w));
      drift.state.spin[i] = vec4(turning, static_cast<Real>(l.w));
      if (surface.path)
        surface.path[i] =
          surface.after(p == 0 ? surface_came : surface.path[i], length(way) + own, turn);
    }
    if (does)
      bodies.path[k] = near ? path : static_cast<float>(std::sqrt(farthest2) * kUpwards);
  }

private:
  // Rounds up by more than the errors of a few operations in single precision.
  static constexpr double kUpwards = 1 + 1. / (1 << 20);

  DEM_HD void wrap(Vec3d& x) const
  {
    drift.wrap(x.x, drift.box.lower.x, drift.box.period.x);
    drift.wrap(x.y, drift.box.lower.y, drift.box.period.y);
    drift.wrap(x.z, drift.box.lower.z, drift.box.period.z);
  }
  // Removes the parts of a body that left. The body keeps its last position until the next rebuild
  // lists it.
  DEM_HD void remove(
    std::uint32_t b, std::uint32_t* places, std::uint32_t n, const Vec3d& centre) const
  {
    bodies.centre[b] = vec4(centre, bodies.centre[b].w);
    const std::uint32_t first = bodies.firstPart(b);
    for (std::uint32_t p = 0; p < n; ++p)
    {
      Vec4<double>& x = drift.state.position[places[p]];
      x.x = x.y = x.z = kGone;
      if (surface.path)
        surface.path[places[p]] = INFINITY;
      places[p] = bodies.place[first + p] = BodyView::kNowhere;
      atomicNext(&drift.control->removed);
    }
  }
};

} // namespace dem
