// Frame of a run on one device, the same for all methods: step plan, events, the loop of an
// advance, failures, and the order of a restore. A method derives its implementation and adds what
// a step is. Used by Solver/SimulationOn.cuh and MaterialPoint/MpmEngineImpl.cuh.
#pragma once

#include "Core/EventQueue.h"
#include "Core/RunBackend.h"
#include "Core/RunFailure.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace dem
{

/// Returns a number that no other run of this process has.
std::uint64_t nextRunNumber();

/// `Backend`: the RunBackend of the method. The namespace of its scene has planSteps(scene) and
/// applyToScene(scene, event).
template <class Backend>
class RunFrame : public Backend
{
public:
  using Scene = typename Backend::Scene;
  using Statistics = typename Backend::Statistics;

  double time() const final { return static_cast<double>(this->step()) * plan_.time_step; }
  const StepPlan& plan() const final { return plan_; }
  const Device& device() const final { return device_; }
  const Scene& scene() const final { return scene_; }
  bool needsRestore() const final { return failure_.isHalfDone(); }
  void apply(const Event& event) final
  {
    events_.add(event, time(), [this](const Scene& changed) { checkEvent(changed); });
  }
  void setEnd(double end_time) final
  {
    Scene changed = scene_;
    changed.end_time = end_time;
    checkEnd(changed);
    plan_.outputs = countOutputs(end_time, scene_.output_interval);
    scene_.end_time = base_scene_.end_time = end_time;
  }

protected:
  RunFrame(const Scene& scene, const Device& device)
    : scene_(scene)
    , device_(device)
    , plan_(planSteps(scene))
  {
  }

  // What a method adds to an advance.

  /// Applies due events, and does what else belongs between two steps.
  virtual void prepareStep() = 0;
  /// Takes one step or more, at most up to `until`.
  virtual void takeSteps(std::uint64_t until) = 0;
  /// Completes the last step and waits for the device.
  virtual void finishSteps() = 0;
  /// Throws dem::Error if the scene cannot be as an event has made it.
  virtual void checkEvent(const Scene&) const {}
  /// Whether `stops` returns true in this process, or in another one that shares the run.
  virtual bool anyStops(const std::function<bool()>& stops) { return stops(); }
  /// Throws dem::Error if the scene cannot have its new end.
  virtual void checkEnd(const Scene&) const {}

  /// Steps until `target`, with the events before each step. Returns false if the observer stopped
  /// it. Throws the failure of a step, or that of an earlier one.
  bool advance(std::uint64_t target, const RunObserver& observer)
  {
    failure_.throwIfHappened();
    const auto begin = std::chrono::steady_clock::now();
    const std::uint64_t first = this->step();
    bool reached = true;
    while (this->step() < target)
    {
      if (anyStops([&] { return observer && !observer(this->step(), time()); }))
      {
        reached = false;
        break;
      }
      failure_.guarded([&] {
        prepareStep();
        takeSteps(events_.nextStep(target));
      });
    }
    finishSteps();
    const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (this->step() > first && seconds > 0)
      steps_per_second_ = static_cast<double>(this->step() - first) / seconds;
    return reached;
  }

  /// Keeps the scene as it is before all events. Must be called once its particles are uploaded.
  void keepBaseScene() { base_scene_ = scene_; }

  /// Replaces the present state by a saved one that is read and checked: the scene gets the events
  /// of the state, and use() takes the rest. If use() throws, only another restore continues the
  /// run.
  template <class State, class Use>
  void useState(State& state, const Use& use)
  {
    std::size_t past = 0;
    Scene scene = events_.replayed(base_scene_, std::move(state.events), state.step, past);
    try
    {
      std::swap(scene_, scene);
      failure_.clear();
      use();
      events_.restart(past); // last: it belongs to the events of this scene
    }
    catch (const std::exception& e)
    {
      std::swap(scene_, scene); // the next restore still needs the later events of this scene
      failure_.set(e.what());
      failure_.setHalfDone(true);
      throw;
    }
  }

  /// Sets the values of the statistics that do not depend on the particles.
  void completeStatistics(Statistics& s) const
  {
    s.time = time();
    s.step = this->step();
    s.time_step = plan_.time_step;
    s.steps_per_second = steps_per_second_;
  }

  Scene scene_;
  Device device_;
  StepPlan plan_;
  const std::uint64_t run_ = nextRunNumber();
  EventQueue<Scene> events_{ scene_, plan_ };
  RunFailure failure_;

private:
  Scene base_scene_;            // before any event
  double steps_per_second_ = 0; // in the last advance
};

/// Makes a run in the precision of its scene. `argument` of the execution policy: number of threads
/// or of the CUDA device; or a list of them, if a run may have several parts.
template <class Backend, class Exec, template <class, class> class Run, class Argument>
std::unique_ptr<Backend> makeInPrecision(
  const typename Backend::Scene& scene, const Device& device, const Argument& argument)
{
  if (scene.precision == std::decay_t<decltype(scene.precision)>::Double)
    return std::make_unique<Run<Exec, double>>(scene, device, argument);
  return std::make_unique<Run<Exec, float>>(scene, device, argument);
}

} // namespace dem
