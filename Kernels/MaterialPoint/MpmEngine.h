// The interface of a device's engine to Simulation. One implementation (MpmEngineImpl.cuh) is
// instantiated for each device and precision.
#pragma once

#include "MaterialPoint/MpmSimulation.h"
#include "MaterialPoint/RunTotals.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mpm
{

/// Owns the scene, the step plan and the changes under way. The functions that Simulation calls are
/// described there.
class Engine
{
public:
  virtual ~Engine() = default;
  virtual bool advanceTo(std::uint64_t target, const Simulation::Observer& observer) = 0;
  virtual Frame frame(const FrameSelection& selection) = 0;
  virtual Statistics statistics() = 0;
  virtual DerivativeErrors derivativeErrors(double time_step, double speed) = 0;
  virtual SnapshotBytes save() = 0;
  virtual void restore(const SnapshotBytes& bytes) = 0;
  virtual std::size_t deviceBytes() const = 0;
  virtual void keepOnDevice(std::size_t bytes) = 0;
  virtual const std::vector<double>& newtonResiduals() const = 0;

  bool needsRestore() const { return half_restored_; }
  void apply(const dem::Event& event);
  void setEnd(double end_time);

  std::uint64_t step() const { return step_; }
  double time() const { return static_cast<double>(step_) * plan_.time_step; }
  const StepPlan& plan() const { return plan_; }
  const dem::Device& device() const { return device_; }
  const Scene& scene() const { return scene_; }

protected:
  Engine(const Scene& scene, const dem::Device& device);

  /// Steps until `target`, with the changes that are due before each step. Returns false if the
  /// observer stopped it. Throws if a step fails, or an earlier one has failed.
  bool stepTo(std::uint64_t target, const Simulation::Observer& observer);
  /// Applies the changes that are due before the next step, also to the points.
  virtual void takeChanges() = 0;
  /// Takes a step; if it throws, the state is that before the step.
  virtual void wholeStep() = 0;
  /// Waits for the device.
  virtual void synchronize() = 0;
  /// Throws after a restore that failed midway.
  void requireWhole() const;
  /// The statistics that do not depend on the points.
  Statistics runStatistics() const;

  /// Forgets the points of the scene, once they are uploaded, and keeps it as it was before all
  /// changes.
  void keepBaseScene();
  /// Whether a change is due before the next step.
  bool eventDue() const;
  /// Applies the changes that are due to the scene. Throws if the scene would not be valid.
  void applyDueEvents();
  /// Number of changes that a state saved at this step contains: those that happened, and those
  /// that are due.
  std::size_t pastEvents() const;
  /// The scene after the changes `past` of a state at `step`, with later changes of the present
  /// scene. `next`: receives the number of changes that have happened.
  Scene sceneAt(std::uint64_t step, std::vector<dem::Event> past, std::size_t& next) const;

  Scene scene_;
  dem::Device device_;
  StepPlan plan_;
  std::uint64_t step_ = 0;
  std::size_t next_event_ = 0; // of the scene's, the first that has not happened yet
  const std::uint64_t run_;    // number of the run in this process
  RunTotals totals_;
  std::string failure_;        // of a step or a restore
  bool half_restored_ = false; // memory ended during a restore

private:
  std::uint64_t eventStep(const dem::Event& event) const;

  Scene base_scene_;            // before all changes
  double steps_per_second_ = 0; // of the last advance
};

std::unique_ptr<Engine> makeCpuEngine(const Scene& scene, const dem::Device& device);
std::unique_ptr<Engine> makeCudaEngine(const Scene& scene, const dem::Device& device);

} // namespace mpm
