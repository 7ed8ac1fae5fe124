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
#include <vector>

namespace dem
{

/// Samples are taken at steps that the scene defines, so coating does not depend on outputs,
/// requests, threads or batches, and replays and restored runs repeat it. Sample s of a nozzle is
/// at the step nearest to start + s * interval, for times before `stop`.
class RunSpray
{
public:
  static constexpr std::uint64_t kNever = ~std::uint64_t(0);

  /// Requires a valid scene with nozzles. Throws dem::Error if an interval is below the time step.
  RunSpray(const Scene& scene, const StepPlan& plan, const Device& device);

  /// Step of the next sample of any nozzle; kNever after the last.
  std::uint64_t nextStep() const;

  /// Takes the samples due at nextStep(). `grains`: at this step; `ids`: their Ids on the host, in
  /// ascending order. `walls`: of the scene, with their present motions.
  void sample(
    const RayGrains& grains, const std::vector<std::int64_t>& ids, const std::vector<Wall>& walls);

  /// Adds the coating to a frame. Requires its Ids, statistics and walls.
  void write(Frame& frame) const;
  /// Sets the sums of the statistics. `left`: whether a grain left the run.
  void complete(Statistics& statistics, const std::function<bool(std::int64_t)>& left) const;

  /// The coating so far as bytes, for a saved state; empty before the first sample.
  std::vector<std::uint8_t> save() const;
  struct Saved
  {
    std::vector<std::uint64_t> samples;
    SprayLedger ledger;
  };
  /// Reads the coating of a state saved at `step`. Empty bytes, or those of other nozzles, give no
  /// coating if no sample was due before `step`. Throws dem::Error if one was due, or if the bytes
  /// are broken. Changes nothing; use() takes over the result.
  Saved read(const std::vector<std::uint8_t>& bytes, std::uint64_t step) const;
  void use(Saved&& saved);

private:
  /// Step of a sample of a nozzle; kNever after the last.
  std::uint64_t stepOf(std::size_t nozzle, std::uint64_t sample) const;
  /// Number of samples due before `step`, or at or before it with `and_at`.
  std::uint64_t samplesBefore(std::size_t nozzle, std::uint64_t step, bool and_at) const;
  void moveWalls(const std::vector<Wall>& walls, double time);

  double time_step_;
  std::vector<Nozzle> nozzles_;
  std::vector<int> carrier_; // wall that carries each nozzle; -1: none
  SprayOptions options_;
  RayBox box_;
  std::uint64_t fingerprint_;
  WallSet walls_;
  bool walls_set_ = false;
  RayCaster caster_;
  SprayLedger ledger_;
  std::vector<std::uint64_t> samples_; // taken, of each nozzle
  std::vector<RayHit> hits_;
};

} // namespace dem
