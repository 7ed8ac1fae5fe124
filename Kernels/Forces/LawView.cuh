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

/// Reads the history of a contact from its columns: tangential spring, rolling spring and
/// statistics, if the law has them. read(c) returns the value in column c.
template <class Real, class Scalar, class Read>
DEM_HD ContactHistory<Real> readHistory(const LawParameters<Scalar>& law, const Read& read)
{
  ContactHistory<Real> h;
  if (law.history)
    h.xi = { read(0), read(1), read(2) };
  if (law.rolling == RollingModel::EPSD)
  {
    const int c = law.rollColumn();
    h.roll = { read(c), read(c + 1), read(c + 2) };
  }
  if (law.statistics)
  {
    const int c = law.statisticsColumn();
    h.age = read(c);
    h.slip = read(c + 1);
    h.dissipated = read(c + 2);
  }
  return h;
}

/// Writes the history of a contact to its columns: write(c, value) stores the value of column c.
template <class Real, class Scalar, class Write>
DEM_HD void writeHistory(
  const LawParameters<Scalar>& law, const ContactHistory<Real>& h, const Write& write)
{
  if (law.history)
  {
    write(0, h.xi.x);
    write(1, h.xi.y);
    write(2, h.xi.z);
  }
  if (law.rolling == RollingModel::EPSD)
  {
    const int c = law.rollColumn();
    write(c, h.roll.x);
    write(c + 1, h.roll.y);
    write(c + 2, h.roll.z);
  }
  if (law.statistics)
  {
    const int c = law.statisticsColumn();
    write(c, h.age);
    write(c + 1, h.slip);
    write(c + 2, h.dissipated);
  }
}

template <class Real>
DEM_HD ContactHistory<Real> loadHistory(
  const LawParameters<Real>& law, const HistoryColumns<Real>& columns, std::size_t contact)
{
  return readHistory<Real>(law, [&](int c) { return columns.at(c, contact); });
}

template <class Real>
DEM_HD void storeHistory(const LawParameters<Real>& law, const HistoryColumns<Real>& columns,
  std::size_t contact, const ContactHistory<Real>& h)
{
  writeHistory(law, h, [&](int c, Real value) { columns.at(c, contact) = value; });
}

} // namespace dem
