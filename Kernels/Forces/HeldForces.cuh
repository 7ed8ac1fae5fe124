// Forces on the particles besides those of contacts, which stay the same for several steps. Used by
// StepWarps.cuh, and by Coupling/AveragedFlow.cuh, which owns them.
#pragma once

#include "Particles/State.cuh"

#include <cstdint>

namespace dem
{

/// Held forces and the books of their work; `force[0]` is null if there are none.
struct HeldForces
{
  const double* force[3]; // N along x, y, z, by particle
  EnergyBooks work;       // booked as BookedEnergy::WallWork

  DEM_HD explicit operator bool() const { return force[0] != nullptr; }

  /// Adds the force on particle i, with velocity v, to `sum`. Returns its work in dt seconds.
  template <class Real>
  DEM_HD EnergySum addTo(Vec3<Real>& sum, std::uint32_t i, const Vec3<Real>& v, double dt) const
  {
    const Vec3d f{ force[0][i], force[1][i], force[2][i] };
    sum += f.template as<Real>();
    EnergySum done;
    done.add(dot(f, v.template as<double>()) * dt * work.per_joule);
    return done;
  }
};

/// Adds the held forces to those of the contacts, and books their work.
template <class Real>
struct AddHeldForces
{
  StateView<Real> state;
  StepControl* control;
  HeldForces held;
  double dt; // s
  unsigned batch_step;

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (control->forceHalted(batch_step) || isGone(state.position[i].x))
      return;
    const Vec4<Real> force = state.force[i];
    Vec3<Real> sum = force.xyz();
    const EnergySum done = held.addTo(sum, i, state.velocity[i].xyz(), dt);
    state.force[i] = vec4(sum, force.w);
    held.work.book(i, BookedEnergy::WallWork, done);
  }
};

} // namespace dem
