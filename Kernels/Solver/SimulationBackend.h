// Interface between Simulation and its implementations. SimulationOn.cuh implements it for each
// device and precision.
#pragma once

#include "Core/RunBackend.h"
#include "Solver/Simulation.h"

#include <memory>
#include <vector>

namespace dem
{

/// Functions have the contracts of those in Simulation.
class SimulationBackend : public RunBackend<RunTypes>
{
public:
  /// Make an implementation for a validated scene, in the precision of the scene.
  static std::unique_ptr<SimulationBackend> makeCpu(const Scene& scene, const Device& device);
  static std::unique_ptr<SimulationBackend> makeCuda(const Scene& scene, const Device& device);

  virtual std::vector<CandidatePair> candidatePairs() = 0;
  virtual void forceRebuild() = 0;
  virtual void rebuildEvery(unsigned steps) = 0;
  virtual void timeStages() = 0;
  virtual void stepAsMany() = 0;
  virtual SearchCounts searchCounts() = 0;
};

} // namespace dem
