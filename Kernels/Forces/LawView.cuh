// The contact law as forces see it, and a contact's history in its columns.
#pragma once

#include "BroadPhase/SortedGrid.cuh"
#include "NeighborList/ListView.cuh"
#include "Physics/ContactLaw.cuh"

#include <cstddef>
#include <cstdint>

namespace dem
{

/// All that a force needs besides the state.
template <class Real>
struct LawView
{
  LawParameters<Real> law;
  const PairCoefficients<Real>* pairs; // materials x materials
  int materials;
  Periodic box;
  PairCoefficients<Real> first{}; // of the first material with itself

  DEM_HD const PairCoefficients<Real>& pair(Real a, Real b) const
  {
    return pairs[materials == 1 ? 0 : static_cast<int>(a) * materials + static_cast<int>(b)];
  }
};

/// A contact's history as it lies in columns: tangential spring, rolling spring, statistics, as far
/// as the law has them. read(c) gives its value in column c.
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

/// write(c, value) takes the value of column c.
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
