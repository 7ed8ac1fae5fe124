// What a device's engine offers to Simulation. One implementation (MpmEngineImpl.cuh), instantiated
// for each device and precision.
#pragma once

#include "MaterialPoint/MpmSimulation.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <utility>

namespace mpm
{

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
  virtual bool needsRestore() const = 0;
  virtual std::size_t deviceBytes() const = 0;
  virtual void keepOnDevice(std::size_t bytes) = 0;
  void apply(const dem::Event& event)
  {
    dem::Event due = event;
    due.time = std::max(due.time, time());
    Scene changed = scene_;
    applyToScene(changed, due); // refuses what it does not know now, not when its time comes
    std::vector<dem::Event>& events = scene_.events;
    const auto later = [](const dem::Event& a, const dem::Event& b) { return a.time < b.time; };
    events.insert(std::upper_bound(events.begin() + static_cast<std::ptrdiff_t>(next_event_),
                    events.end(), due, later),
      due);
  }

  std::uint64_t step() const { return step_; }
  double time() const { return static_cast<double>(step_) * plan_.time_step; }
  const StepPlan& plan() const { return plan_; }
  const dem::Device& device() const { return device_; }
  const Scene& scene() const { return scene_; }
  const std::vector<double>& newtonResiduals() const { return newton_residuals_; }
  void setEnd(double end_time)
  {
    Scene changed = scene_;
    changed.end_time = end_time;
    plan_.outputs = countOutputs(changed);
    scene_.end_time = end_time;
  }

protected:
  Engine(const Scene& scene, const dem::Device& device)
    : scene_(scene)
    , device_(device)
    , plan_(planSteps(scene))
    , run_(nextRun())
  {
  }

  std::uint64_t eventStep(const dem::Event& event) const
  {
    return dem::firstStepAt(event.time, plan_.time_step);
  }

  Scene scene_;
  dem::Device device_;
  StepPlan plan_;
  std::uint64_t step_ = 0;
  std::size_t next_event_ = 0; // of the scene's, the first that has not happened yet
  std::vector<double> newton_residuals_;
  const std::uint64_t run_; // tells the runs of this process apart

private:
  static std::uint64_t nextRun()
  {
    static std::atomic<std::uint64_t> last{ 0 };
    return ++last;
  }
};

std::unique_ptr<Engine> makeCpuEngine(const Scene& scene, const dem::Device& device);
std::unique_ptr<Engine> makeCudaEngine(const Scene& scene, const dem::Device& device);

} // namespace mpm
