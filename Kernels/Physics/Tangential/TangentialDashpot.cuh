// Tangential model: friction without a spring. A model of TangentialModels (Families.cuh).
#pragma once

#include "Physics/ContactState.cuh"

namespace dem
{

/// A dashpot up to the Coulomb limit. No history.
struct TangentialDashpot
{
  template <class Law>
  DEM_HD static bool isChosen(const Law& law)
  {
    return !law.history;
  }

  /// Sets `out.tangential`, and adds to `out.dissipated`. Sets `history.sliding`, and with
  /// `kAdvance` adds to `history.slip`.
  template <bool kAdvance, class Real>
  DEM_HD static void apply(const ContactMotion<Real>&, const ContactTerms<Real>& t,
    const Truth<Real>&, ContactHistory<Real>& history, ContactForce<Real>& out)
  {
    const Real zero(0);
    const Real speed = length(t.slip_velocity);
    const Real viscous = t.tangential_damping * speed;
    const Real size = select(viscous < t.friction_limit, viscous, t.friction_limit);
    out.tangential = select(speed > zero, -size / speed, zero) * t.slip_velocity;
    history.sliding = speed > zero && viscous >= t.friction_limit;
    if (kAdvance)
      history.slip += select(history.sliding, speed * t.dt, zero);
    out.dissipated += size * speed * t.dt;
  }
};

} // namespace dem
