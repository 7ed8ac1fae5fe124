// Running time averages of cell averages during a run (Scene::averages). SimulationOn.cuh adds the
// samples and saves the sums as part of the run's state.
#pragma once

#include "Analysis/CellAverage.h"
#include "Analysis/TimeAverage.h"
#include "Measure/Frame.h"
#include "Scene/Scene.h"
#include "Scene/StepPlan.h"

#include <cstdint>
#include <vector>

namespace dem
{

/// Samples are taken at fixed steps that the scene defines, so replays and restored runs repeat
/// them.
class RunAverages
{
public:
  static constexpr std::uint64_t kNever = ~std::uint64_t(0);

  /// Requires a scene with averages that passed checkAverages().
  RunAverages(const Scene& scene, const StepPlan& plan, const Device& device);

  /// Step of the next sample; kNever after the last.
  std::uint64_t nextStep() const { return stepOf(samples_); }

  /// Arrays of a frame that a sample needs. `heat`: the scene has heat transfer.
  static FrameSelection selection(bool heat);

  /// Adds a sample: a frame with that selection() at nextStep(), on the device of the run.
  void add(const DeviceFrame& frame);

  /// Means, standard errors and counts over the samples added so far, in host memory.
  AverageArrays result() const;

  /// Returns the sums as bytes, for a saved state.
  std::vector<std::uint8_t> save() const;
  struct Saved
  {
    std::uint64_t samples = 0;
    std::vector<TimeAverage::Sums> sums;
  };
  /// Reads the sums of a state saved at `step`. Empty bytes, or those of averages with other cells
  /// or times, give zero samples if no sample was due before `step`. Throws dem::Error if one was
  /// due, or if the bytes are broken. Changes nothing; use() takes over the result.
  Saved read(const std::vector<std::uint8_t>& bytes, std::uint64_t step) const;
  void use(Saved&& saved);

private:
  /// Step of a sample, counted from 0; kNever after the last.
  std::uint64_t stepOf(std::uint64_t sample) const;
  /// Number of samples due before `step`, or at or before it with `and_at`.
  std::uint64_t samplesBefore(std::uint64_t step, bool and_at) const;

  double time_step_;
  double interval_; // s
  std::uint64_t first_step_, last_step_;
  std::uint64_t fingerprint_;
  CellGrid grid_;
  CellAverageOptions options_;
  std::vector<AveragedField> fields_;
  CellAverage average_;
  TimeAverage sums_;
  std::uint64_t samples_ = 0;
};

} // namespace dem
