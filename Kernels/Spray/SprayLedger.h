// What the rays of all nozzles have left on grains and walls so far. Rays are counted as whole
// numbers, so emitted = grains + walls + missed holds exactly. Used by Measure/RunSpray.h and the
// filter DEM Spray Coating.
#pragma once

#include "Core/Bytes.h"
#include "Spray/RayCaster.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace dem
{

/// Numbers of rays, and the mass that they carried (kg).
struct SprayTotals
{
  std::uint64_t emitted = 0, on_grains = 0, on_walls = 0, missed = 0;
  double mass = 0;
};

/// Arrays for grains in any order; null: not wanted.
struct CoatingOutput
{
  double* mass = nullptr;       ///< kg
  std::int64_t* hits = nullptr; ///< rays
  double* time = nullptr;       ///< s in the spray: intervals of the samples with a hit
  double* patches = nullptr;    ///< kg, 6 n^2 a grain
  /// Standard deviation over mean of the patches of a grain; 0 for a grain without coating.
  double* patch_variation = nullptr;
};

/// Memory that the patches of all grains may take, bytes.
inline constexpr double kPatchMemory = 8. * (1u << 30);

/// Throws dem::Error if the coating of 6 n^2 patches of each grain exceeds kPatchMemory. `patches`:
/// n; 0: none.
void requirePatchMemory(std::size_t grains, int patches);

/// Coating of grains by Id, and of wall elements by index.
class SprayLedger
{
public:
  /// `patches`: n of the 6 n^2 patches; 0: none.
  explicit SprayLedger(std::size_t wall_elements = 0, int patches = 0);

  int patches() const { return 6 * n_ * n_; }
  const SprayTotals& totals() const { return totals_; }
  double wallMass(std::size_t element) const { return wall_mass_[element]; }
  /// Mass (kg) on all grains, also on those that are gone by now, and on all walls with borders.
  double massOnGrains() const { return std::accumulate(mass_.begin(), mass_.end(), 0.); }
  double massOnWalls() const { return std::accumulate(wall_mass_.begin(), wall_mass_.end(), 0.); }

  /// Adds the hits of one sample of a nozzle. `ids`: of the `grains` grains of the hits. A ray
  /// carries `mass` (kg), the sample stands for `interval` (s).
  void add(const std::vector<RayHit>& hits, const std::int64_t* ids, std::size_t grains,
    double mass, double interval);

  /// Writes the coating of grains with these Ids.
  void write(const std::int64_t* ids, std::size_t grains, const CoatingOutput& out) const;

  /// Standard deviation of the coating mass over its mean, of the grains with these Ids. 0 without
  /// coating.
  double variation(const std::int64_t* ids, std::size_t grains) const;
  /// The same of `grains` grains whose Ids are not at hand: all Ids of the ledger are among them,
  /// except those for which left(id) is true.
  double variation(std::size_t grains, const std::function<bool(std::int64_t)>& left) const;

  /// Mean of the patch variation of the coated grains, except those for which left(id) is true. 0
  /// without any.
  double patchVariation(const std::function<bool(std::int64_t)>& left) const;

  /// Appends the ledger to a saved state; reads it back, and throws dem::Error if it is broken or
  /// of other walls or patches.
  void save(SnapshotWriter& out) const;
  void read(SnapshotReader& in);

private:
  std::size_t slotOf(std::int64_t id) const;
  void findPatchVariation(std::size_t slot);
  void open(const std::vector<std::int64_t>& ids);

  int n_ = 0;
  SprayTotals totals_;
  // Grains that were hit, in ascending Id.
  std::vector<std::int64_t> id_, hits_;
  std::vector<double> mass_, time_, patch_mass_, patch_variation_;
  std::vector<double> wall_mass_; // kg, by element
  // Scratch memory of add().
  std::vector<std::uint32_t> count_, touched_;
};

} // namespace dem
