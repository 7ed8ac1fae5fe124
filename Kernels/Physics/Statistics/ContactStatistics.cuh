// Statistics of a contact: its age, slip distance and dissipated energy. The model of
// StatisticsModels (Families.cuh).
#pragma once

#include "Physics/ContactState.cuh"

namespace dem
{

/// Sums over the life of a contact. Its history is the result: age (s), slip (m) and dissipated
/// energy (J). The tangential models add the slip.
struct ContactStatistics
{
  template <class Law>
  DEM_HD static bool isChosen(const Law& law)
  {
    return law.statistics;
  }

  static constexpr HistoryColumn kHistory[] = { { "age", false }, { "slip_distance", false },
    { "dissipated_energy", false } };
  template <class Real>
  DEM_HD static Real& column(ContactHistory<Real>& history, int c)
  {
    return c == 0 ? history.age : (c == 1 ? history.slip : history.dissipated);
  }

  /// Adds one step to `history`.
  template <class Real>
  DEM_HD static void advance(
    const ContactTerms<Real>& t, const ContactForce<Real>& force, ContactHistory<Real>& history)
  {
    history.age += t.dt;
    history.dissipated += force.dissipated;
  }
};

} // namespace dem
