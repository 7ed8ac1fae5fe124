// The contact law as passed to kernels, and access to the history columns of a contact. Used by all
// force loops.
#pragma once

#include "BroadPhase/SortedGrid.cuh"
#include "NeighborList/ListView.cuh"
#include "Physics/ContactLaw.cuh"

#include <cstddef>
#include <cstdint>

namespace dem
{

/// Everything that a force depends on besides the state.
template <class Real>
struct LawView
{
  LawParameters<Real> law;
  const PairCoefficients<Real>* pairs; // materials x materials
  int materials;
  Periodic box;
  PairCoefficients<Real> first{}; // of the first material with itself

  /// Coefficients of materials a and b, given by their indices.
  DEM_HD const PairCoefficients<Real>& pair(Real a, Real b) const
  {
    return pairs[materials == 1 ? 0 : static_cast<int>(a) * materials + static_cast<int>(b)];
  }
};

template <class Real>
DEM_HD ContactHistory<Real> loadHistory(
  const LawParameters<Real>& law, const HistoryColumns<Real>& columns, std::size_t contact)
{
  return readHistory<Real>(law, [&](int c) { return columns.at(c, contact); });
}

template <class Real>
DEM_HD void storeHistory(const LawParameters<Real>& law, const HistoryColumns<Real>& columns,
  std::size_t contact, ContactHistory<Real>& h)
{
  writeHistory<Real>(law, h, [&](int c, Real value) { columns.at(c, contact) = value; });
}

} // namespace dem
