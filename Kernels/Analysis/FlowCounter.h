// Flow through a surface: grains whose centres pass through it from output to output of a run or of
// a file, counted by species.
#pragma once

#include "Analysis/FlowSurface.h"
#include "Analysis/Grains.h"
#include "Core/Vec.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace dem
{

/// Passages of one species.
struct FlowTotals
{
  std::uint64_t forward = 0, backward = 0;    ///< grains
  double mass_forward = 0, mass_backward = 0; ///< kg

  /// Net number of grains, forward positive.
  std::int64_t count() const
  {
    return static_cast<std::int64_t>(forward) - static_cast<std::int64_t>(backward);
  }
  /// Net mass, forward positive, kg.
  double mass() const { return mass_forward - mass_backward; }
};

/// Grains that a run has removed so far, each with its first place beyond the border.
struct GrainExits
{
  std::size_t size = 0;
  const std::int64_t* id = nullptr; ///< in any order
  const double* position = nullptr; ///< 3, m
};

/// The flow up to one output.
struct FlowRecord
{
  double time = 0;                          ///< s
  double interval = 0;                      ///< s since the previous output; 0 for the first one
  std::uint64_t fingerprint = 0;            ///< of the grains and the surface
  std::map<std::int32_t, FlowTotals> total; ///< since the first output, by species
  std::map<std::int32_t, FlowTotals> last;  ///< since the previous output, by species
};

/// Counts passages from output to output and keeps the record of each, so that earlier times can be
/// shown again. Grains are identified by Id. Their paths are straight from output to output, and
/// from the last output to their exit. A grain that appears between two outputs, or disappears
/// without an exit, is not counted in that interval. On periodic axes the shorter way is assumed: a
/// grain that moves by more than half a period in one interval counts in the wrong direction.
class FlowCounter
{
public:
  /// Deletes all records.
  void reset();
  /// Adds the next output; the first one only starts the count. `grains`: in host memory, with
  /// masses; `material` is the species. `period`: of the box, m; 0 on axes that are not periodic.
  /// Throws dem::Error if times do not ascend, without masses, and for repeated Ids.
  void add(double time, const Grains& grains, const FlowSurface& surface, const Vec3d& period,
    const GrainExits& exits = {});

  const std::vector<FlowRecord>& records() const { return records_; }
  /// The record of the last output at or before `time` (s); null before the first one.
  const FlowRecord* find(double time) const;

  /// A hash of the grains' Ids, places, masses and species, the surface and the exits.
  static std::uint64_t fingerprint(
    const Grains& grains, const FlowSurface& surface, const GrainExits& exits = {});

private:
  std::vector<FlowRecord> records_;
  // grains of the last output
  std::vector<std::int64_t> id_;
  std::vector<double> position_, mass_;
  std::vector<std::int32_t> species_;
};

} // namespace dem
