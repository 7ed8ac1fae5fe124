// When lists are rebuilt, when particles are sorted, and how thick the skin is.
#pragma once

#include "BroadPhase/BroadPhaseOptions.h"

#include <cstdint>

namespace dem
{

/// Decides from counts only, never from clocks, so that a run repeats.
class RebuildSchedule
{
public:
  /// `skin` in m, 0 = automatic. `mean_diameter` of the particles, m.
  void begin(const BroadPhaseOptions& options, double skin, double mean_diameter);

  /// m: pairs nearer than this beyond touching are listed.
  double skin() const { return skin_; }

  /// Adjusts an automatic skin before a rebuild at `step`. A list with a skin s holds for s / 2 u
  /// steps if the fastest grain or wall moves by u in one. A rebuild costs R steps, and a step
  /// grows by a s / d of itself with the skin (d: mean diameter), so the total cost is least at
  /// s^2 = 2 (R / a) u d. R is 2 to 4 and a 0.75, or 4.5 where contacts are grouped, as untouched
  /// candidates cost as much as contacts there (docs/notes/TuningSpheres.md). The bits of a run do
  /// not depend on it. `wall_travel`: how far the fastest wall came since the last list, m.
  void tuneSkin(std::uint64_t step, bool grouped, double wall_travel);

  /// Whether the rebuild at `step` also sorts the particles in memory. The bits do not depend on
  /// it.
  bool sortDue(std::uint64_t step, double time_step) const;
  bool sortsEveryRebuild() const { return options_.sort == SortKind::EveryRebuild; }
  void sorted(std::uint64_t step);
  /// The particles in memory are new, or come from a saved state made at `step`.
  void restart(std::uint64_t step);

  /// A list was built at `step`.
  void built(std::uint64_t step);
  std::uint64_t listStep() const { return list_step_; }
  /// Steps that the list before the present one lasted.
  std::uint64_t lastInterval() const { return last_interval_; }

  /// The list that ends at `step` measured the path of the fastest particle, if there was a list.
  void beginPath(std::uint64_t step, bool have_list);
  /// That path, m.
  void setLongestPath(double path);

  /// Rebuilds every so many steps at the latest; 0: when needed.
  void rebuildEvery(unsigned steps) { every_ = steps; }
  /// The batch step, counted from `step`, at which rebuildEvery() wants a rebuild; ~0 for none.
  unsigned long long stopAsAsked(std::uint64_t step) const;

  std::uint64_t rebuilds() const { return rebuilds_; }
  std::uint64_t sorts() const { return sorts_; }

private:
  BroadPhaseOptions options_;
  bool automatic_ = true;
  double skin_ = 0, mean_diameter_ = 1; // m
  unsigned every_ = 0;
  std::uint64_t rebuilds_ = 0, sorts_ = 0;
  std::uint64_t list_step_ = 0, sort_step_ = 0, last_interval_ = 16, path_steps_ = 0;
  double fastest_ = -1; // m a step, the most that a particle moved in the mean over path_steps_;
                        // below 0: unknown
  bool is_sorted_ = false;
};

} // namespace dem
