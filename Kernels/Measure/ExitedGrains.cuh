// Kernels that list the grains that left through removing borders: Id, position and energy. A
// rebuild runs them before it reuses the memory of these grains (Solver/Rebuild.cuh).
#pragma once

#include "Core/Algorithms.h"
#include "Core/Atomic.cuh"
#include "Measure/ExitedGrain.h"
#include "Bodies/Bodies.cuh"

#include <cstdint>

namespace dem
{

/// Appends the particles that left since the last rebuild to `list`, in any order.
/// StateView::listed holds the position where each left. Velocities are those before the step in
/// which it left, so the potential energy is taken one step earlier, too.
template <class Real>
struct ListExited
{
  StateView<Real> state;
  GhostBits ghosts;
  Vec3<Real> gravity;
  Real dt;
  ExitedGrain* list;
  unsigned* count;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<double> x = state.position[i];
    if (!isGone(x.x) || ghosts.has(i))
      return;
    const Vec3d place = state.listed[i], g = gravity.template as<double>();
    const Vec3d v = state.velocity[i].xyz().template as<double>(),
                w = state.spin[i].xyz().template as<double>();
    const double mass = state.velocity[i].w, inertia = 0.4 * mass * x.w * x.w;
    const double kinetic = 0.5 * mass * dot(v, v) + 0.5 * inertia * dot(w, w);
    list[atomicNext(count)] = { state.id[i], place,
      kinetic - mass * dot(g, place - double(dt) * v) };
  }
};

/// Appends the bodies that left since the last rebuild to `list`, in any order, and marks each as
/// listed by the centre kGone. Velocities are those of half a step before a body left, so the
/// potential energy is taken half a step earlier, too.
template <class Real>
struct ListExitedBodies
{
  BodyView bodies;
  Vec3<Real> gravity;
  Real dt;
  ExitedGrain* list;
  unsigned* count;

  DEM_HD void operator()(std::uint32_t b) const
  {
    const Vec3d place = bodies.centre[b].xyz();
    if (bodies.place[bodies.firstPart(b)] != BodyView::kNowhere || isGone(place.x))
      return;
    const Vec3d g = gravity.template as<double>(), v = bodies.velocity[b].xyz(),
                momentum = bodies.momentum[b].xyz();
    const double mass = bodies.velocity[b].w;
    const Vec3d spin = spinOf(bodies.orientationOf(b), momentum, bodies.inertia[b].xyz());
    const double kinetic = 0.5 * mass * dot(v, v) + 0.5 * dot(spin, momentum);
    list[atomicNext(count)] = { bodies.id[b], place,
      kinetic - mass * dot(g, place - 0.5 * double(dt) * v) };
    bodies.centre[b].x = bodies.centre[b].y = bodies.centre[b].z = kGone;
  }
};

} // namespace dem
