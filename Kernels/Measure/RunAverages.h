// Takes samples of the cell averages while a run goes on and keeps their sums, which are part of
// the run's state.
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

class RunAverages
{
public:
  static constexpr std::uint64_t kNever = ~std::uint64_t(0);

  /// `scene` is checked (checkAverages).
  RunAverages(const Scene& scene, const StepPlan& plan, const Device& device);

  /// The step at which the next sample is due.
  std::uint64_t nextStep() const { return stepOf(samples_); }

  /// What a sample needs of a frame.
  static FrameSelection selection();

  /// What selection() shows at nextStep(), on the device of the run.
  void add(const DeviceFrame& frame);

  /// The means so far.
  AverageArrays result() const;

  /// The samples as bytes. Reading those of a run that declared other averages, or none (no bytes),
  /// starts without samples where none was due before `step`; else it throws. Nothing is changed
  /// before use().
  std::vector<std::uint8_t> save() const;
  struct Saved
  {
    std::uint64_t samples = 0;
    std::vector<TimeAverage::Sums> sums;
  };
  Saved read(const std::vector<std::uint8_t>& bytes, std::uint64_t step) const;
  void use(Saved&& saved);

private:
  std::uint64_t stepOf(std::uint64_t sample) const;
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
