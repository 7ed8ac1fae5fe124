// A saved state on the host, after StateReader.cuh has read it and before it replaces the state of
// a run. SnapshotFormat.h defines its layout in bytes.
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

/// Touching contacts, one row per particle in ascending Id. Key: Id of the neighbour, or index of a
/// wall element.
template <class Real, class Key>
struct SavedContacts
{
  std::vector<std::uint32_t> start; // particles + 1
  std::vector<Key> key;
  std::vector<std::uint8_t> flags;
  std::vector<Real> history; // column after column
};

/// All values of a saved state. SI units.
template <class Real>
struct SavedState
{
  std::uint64_t step = 0;
  bool has_borders = true;    // false up to format 6, which has no borders, gravity and exits
  Vec3d gravity{};            // m/s^2
  std::uint64_t lost = 0;     // grains removed at borders
  double energy_at_start = 0; // J
  std::vector<ExitedGrain> exited;
  EnergyTotals totals;
  std::vector<Event> events; // due up to the step of the state
  ParticleColumns<Real> particles;
  SavedContacts<Real, std::int64_t> pairs;
  SavedContacts<Real, std::uint32_t> walls;
  std::vector<std::uint8_t> samples; // RunAverages::save()
  std::vector<std::uint8_t> spray;   // RunSpray::save()
  BodyArrays bodies;
  std::vector<std::uint8_t> heat;  // HeatStage::save()
  std::vector<std::uint8_t> fluid; // FluidCoupling::save()

  std::uint32_t size() const { return static_cast<std::uint32_t>(particles.id.size()); }
};

} // namespace dem
