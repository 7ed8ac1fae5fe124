// Public interface of a run, the same for all methods: one scene on one device. dem::Simulation and
// mpm::Simulation derive from it. RunTimeline.h uses it.
#pragma once

#include "Core/CheckpointFile.h"
#include "Core/Error.h"
#include "Core/RunBackend.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace dem
{

/// `Types` defines Scene, Frame, FrameSelection and Statistics of the method. The state at a step
/// does not depend on how the step was reached. Not thread-safe.
template <class Types>
class RunSimulation
{
public:
  using Scene = typename Types::Scene;
  using Frame = typename Types::Frame;
  using FrameSelection = typename Types::FrameSelection;
  using Statistics = typename Types::Statistics;
  using Observer = RunObserver;

  RunSimulation(RunSimulation&&) noexcept = default;
  RunSimulation& operator=(RunSimulation&&) noexcept = default;

  /// Steps until `step() == target`. Returns false if the observer stopped it; the state is then
  /// complete and can be continued. Throws dem::Error with particle, time and cure if a step fails.
  /// After such a failure advanceTo() throws until restore() succeeds. The class of the method
  /// tells whether the last whole step can still be shown and saved.
  bool advanceTo(std::uint64_t target, const Observer& observer = {})
  {
    if (target < step())
      throw Error("A simulation steps forward only: step " + std::to_string(target) +
        " lies before step " + std::to_string(step()) + ".");
    return backend_->advanceTo(target, observer);
  }

  std::uint64_t step() const { return backend_->step(); }
  double time() const { return backend_->time(); }
  const StepPlan& plan() const { return backend_->plan(); }
  const Device& device() const { return backend_->device(); }
  /// Present scene, including past events. It has no particles, since they are on the device.
  const Scene& scene() const { return backend_->scene(); }
  std::size_t deviceBytes() const { return backend_->deviceBytes(); } ///< memory of the solver

  /// Limits the device memory, in bytes, that keeps the newest frame for analysis on the device
  /// (Frame::on_device). With 0, the default, no frame is kept.
  void keepOnDevice(std::size_t bytes) { backend_->keepOnDevice(bytes); }

  /// Returns arrays and statistics of the present instant. Does not change the state.
  Frame frame(const FrameSelection& selection = {}) { return backend_->frame(selection); }
  Statistics statistics() { return backend_->statistics(); }

  /// Saves and restores the state of the run. A restored simulation of the same scene continues
  /// with the same bits. restore() throws dem::Error if the bytes are broken or belong to another
  /// scene; the state is then unchanged unless needsRestore() returns true.
  ///
  /// A state belongs to a scene with the same
  /// - number of particles or points at the start, precision and time step, given or automatic;
  /// - materials (with pairs of materials) and walls (surface, material, motion), both in their
  ///   order; their names may differ;
  /// - domain: its borders and what they do;
  /// - DEM: contact model, integrator, shapes, and averages (cells and times) that have begun;
  /// - MPM: grid spacing and kernel.
  /// The fingerprints of a scene (SceneFingerprints.h, MpmState.h) and the head of a state keep
  /// this.
  ///
  /// The rest is not compared. The state brings its particles or points (places, velocities, sizes,
  /// materials) and the events up to its step. So a state of another packing with as many grains,
  /// or with other values at the start, is accepted: the run continues with the grains of the
  /// state. The scene gives gravity, later events, end time and output interval, and what belongs
  /// to the method: search, lists, skin, device, threads; MPM: friction of borders and walls,
  /// transfer, integrator.
  SnapshotBytes save() { return backend_->save(); }
  void restore(const SnapshotBytes& bytes) { backend_->restore(bytes); }
  /// True if an exception interrupted a change of the state, for example for lack of memory. Only
  /// restore() can then continue the run.
  bool needsRestore() const { return backend_->needsRestore(); }

  /// Schedules a change at event.time, or now if that time has passed. The event is added to
  /// scene().events, so replays repeat it. The present frame shows the state before it. Throws
  /// dem::Error if it cannot be applied.
  void apply(const Event& event) { backend_->apply(event); }

  /// Changes the end time of the run, s. The state does not change.
  void setEnd(double end_time) { backend_->setEnd(end_time); }

protected:
  explicit RunSimulation(std::unique_ptr<RunBackend<Types>> backend)
    : backend_(std::move(backend))
  {
  }
  ~RunSimulation() = default;

  std::unique_ptr<RunBackend<Types>> backend_;
};

} // namespace dem
