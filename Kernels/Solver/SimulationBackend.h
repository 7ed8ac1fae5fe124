// Interface between Simulation and its implementations. SimulationOn.cuh implements it for each
// device and precision.
#pragma once

#include "Scene/InitialOverlaps.h"
#include "Scene/SceneWalls.h"
#include "Scene/StepPlan.h"
#include "Scene/Steering.h"
#include "Solver/Simulation.h"
#include "Walls/WallMesh.h"

#include <atomic>

namespace dem
{

/// Functions have the contracts of those in Simulation.
class SimulationBackend
{
public:
  virtual ~SimulationBackend() = default;
  virtual bool advanceTo(std::uint64_t target, const Simulation::Observer& observer) = 0;
  virtual Frame frame(const FrameSelection& selection) = 0;
  virtual Statistics statistics() = 0;
  virtual SnapshotBytes save() = 0;
  virtual void restore(const SnapshotBytes& bytes) = 0;
  virtual bool needsRestore() const = 0;
  virtual void apply(const Event& event) = 0;
  virtual std::size_t deviceBytes() const = 0;
  virtual void setEnd(double end_time) = 0;
  virtual std::vector<CandidatePair> candidatePairs() = 0;
  virtual void forceRebuild() = 0;
  virtual void rebuildEvery(unsigned steps) = 0;
  virtual void stepAsMany() = 0;
  virtual SearchCounts searchCounts() = 0;
  virtual void keepOnDevice(std::size_t bytes) = 0;

  virtual std::uint64_t step() const = 0;
  double time() const { return static_cast<double>(step()) * plan_.time_step; }
  const StepPlan& plan() const { return plan_; }
  const Device& device() const { return device_; }
  const Scene& scene() const { return scene_; }

protected:
  SimulationBackend(const Scene& scene, const Device& device)
    : scene_(scene)
    , device_(device)
    , plan_(planSteps(scene))
    , run_(nextRun())
  {
  }

  Scene scene_;
  Device device_;
  StepPlan plan_;
  const std::uint64_t run_; // number of the run, unique in this process

private:
  static std::uint64_t nextRun()
  {
    static std::atomic<std::uint64_t> last{ 0 };
    return ++last;
  }
};

/// Create an implementation for a validated scene, in the precision of the scene.
std::unique_ptr<SimulationBackend> makeCpuBackend(const Scene& scene, const Device& device);
std::unique_ptr<SimulationBackend> makeCudaBackend(const Scene& scene, const Device& device);

} // namespace dem
