// A saved state on the host, as it is read from bytes (StateReader.cuh) and before it replaces the
// state of a run. SnapshotFormat.h has its layout.
#pragma once

#include "Core/Event.h"
#include "Measure/ExitedGrain.h"
#include "Particles/EnergyTotals.cuh"
#include "Particles/ParticleStore.cuh"
#include "Scene/detail/BodySet.h"

#include <cstdint>
#include <vector>

namespace dem
{

/// Touching contacts, a row each particle in ascending Id. Key: the neighbour's Id, or the number
/// of a wall element.
template <class Real, class Key>
struct SavedContacts
{
  std::vector<std::uint32_t> start; // particles + 1
  std::vector<Key> key;
  std::vector<std::uint8_t> flags;
  std::vector<Real> history; // column after column
};

template <class Real>
struct SavedState
{
  std::uint64_t step = 0;
  bool has_borders = true; // false up to format 6: neither borders, gravity nor exits are in it
  Vec3d gravity{};         // m/s^2
  std::uint64_t lost = 0;
  double energy_at_start = 0; // J
  std::vector<ExitedGrain> exited;
  EnergyTotals totals;
  std::vector<Event> events; // that were due before the state was saved
  ParticleColumns<Real> particles;
  SavedContacts<Real, std::int64_t> pairs;
  SavedContacts<Real, std::uint32_t> walls;
  std::vector<std::uint8_t> samples; // of the run's averages
  BodyArrays bodies;

  std::uint32_t size() const { return static_cast<std::uint32_t>(particles.id.size()); }
};

} // namespace dem
