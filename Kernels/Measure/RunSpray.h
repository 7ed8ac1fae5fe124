// Spray coating during a run (Scene::nozzles): samples of the nozzles at fixed steps, and what they
// left on grains and walls. SimulationOn.cuh adds the samples and saves the coating as part of the
// run's state.
#pragma once

#include "Measure/Frame.h"
#include "Scene/Scene.h"
#include "Scene/StepPlan.h"
#include "Spray/SprayLedger.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dem
{

/// Samples are taken at steps that the scene defines, so coating does not depend on outputs,
/// requests, threads or batches, and replays and restored runs repeat it. Sample s of a nozzle is
/// at the step nearest to start + s * interval, for times before `stop`. It stands for the time up
/// to the next sample or to `stop`, so a nozzle sprays mass_rate * (stop - start). An event changes
/// a nozzle from its next sample on.
class RunSpray
{
public:
  static constexpr std::uint64_t kNever = ~std::uint64_t(0);

  /// Requires a valid scene with nozzles. Throws dem::Error if an interval is below the time step.
  RunSpray(const Scene& scene, const StepPlan& plan, const Device& device);

  /// Step of the next sample of any nozzle; kNever after the last.
  std::uint64_t nextStep() const;

  /// Takes the samples due at nextStep(). `grains`: at this step; `ids`: their Ids on the host, in
  /// ascending order. `walls`, `nozzles`: of the scene at this step, which events may have changed.
  /// Throws dem::Error if the patches of these grains exceed kPatchMemory.
  void sample(const RayGrains& grains, const std::vector<std::int64_t>& ids,
    const std::vector<Wall>& walls, const std::vector<Nozzle>& nozzles);

  /// Adds the coating to a frame. Requires its Ids, statistics and walls.
  void write(Frame& frame) const;
  /// Sets the sums of the statistics. `left`: whether a grain left the run.
  void complete(Statistics& statistics, const std::function<bool(std::int64_t)>& left) const;

  /// Bytes of the coating for a saved state. There are none before the first sample.
  std::vector<std::uint8_t> save() const;
  struct Saved
  {
    std::vector<std::uint64_t> samples;
    SprayLedger ledger;
  };
  /// Reads the coating of a state saved at `step`. Empty bytes give no coating; throws dem::Error
  /// if a sample was due before `step`. Throws dem::Error for bytes of other nozzles, patches or
  /// walls, and for broken bytes. `stop` of a nozzle may differ if no sample up to `step` depends
  /// on it. Changes nothing; use() takes over the result.
  Saved read(const std::vector<std::uint8_t>& bytes, std::uint64_t step) const;
  void use(Saved&& saved);

private:
  /// Step of a sample of a nozzle; kNever after the last.
  std::uint64_t stepOf(std::size_t nozzle, std::uint64_t sample) const;
  /// Number of samples due before `step`, or at or before it with `and_at`.
  std::uint64_t samplesBefore(std::size_t nozzle, std::uint64_t step, bool and_at) const;
  void moveWalls(const std::vector<Wall>& walls, double time);
  /// Throws dem::Error if `fingerprints`, `patches` and `wall_elements` of a state are others.
  void requireSameSpray(
    const std::vector<std::uint64_t>& fingerprints, int patches, std::uint64_t wall_elements) const;
  /// Throws dem::Error if samples of nozzle k up to `step`, of which `taken` were taken, depend on
  /// whether it stops at its `stop` or at `stop` of the state.
  void requireSameSamples(
    std::size_t k, double stop, std::uint64_t taken, std::uint64_t step) const;
  double timeOf(std::size_t nozzle, std::uint64_t sample) const;
  std::string nameOf(std::size_t nozzle) const; // for messages

  double time_step_;
  std::vector<Nozzle> nozzles_; // as at the start of the run
  std::vector<int> carrier_;    // wall that carries each nozzle; -1: none
  SprayOptions options_;
  RayBox box_;
  std::vector<std::uint64_t> fingerprints_; // of each nozzle, without `stop`
  WallSet walls_;
  bool walls_set_ = false;
  RayCaster caster_;
  SprayLedger ledger_;
  std::vector<std::uint64_t> samples_; // taken, of each nozzle
  std::vector<RayHit> hits_;
};

} // namespace dem
