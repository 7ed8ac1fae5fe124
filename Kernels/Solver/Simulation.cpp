// Checks of a scene before a run, and forwarding to the implementation for its device.
#include "Solver/Simulation.h"

#include "Scene/InitialOverlaps.h"
#include "Scene/StepPlan.h"
#include "Scene/Validate.h"
#include "Solver/PartLimits.h"
#include "Solver/SimulationBackend.h"

namespace dem
{
namespace
{

std::unique_ptr<SimulationBackend> start(const Scene& given, const RunOptions& options)
{
  validate(given);
  Scene scene = given;
  if (scene.relax_initial_overlaps)
    relaxOverlaps(scene);
  checkWallOverlaps(scene);
  checkTimeStep(scene);
  const Device device = chooseDevice(options, scene.particles.size());
  if (device.parts > 1 || device.ranks)
    checkParts(scene, device);
  return makeBackend<SimulationBackend>(scene, device);
}

} // namespace

Simulation::Simulation(const Scene& scene, const RunOptions& options)
  : RunSimulation(start(scene, options))
{
}

SimulationBackend& Simulation::backend() { return static_cast<SimulationBackend&>(*backend_); }

SearchCounts Simulation::searchCounts() { return backend().searchCounts(); }
std::vector<CandidatePair> Simulation::candidatePairs() { return backend().candidatePairs(); }
void Simulation::forceRebuild() { backend().forceRebuild(); }
void Simulation::rebuildEvery(unsigned steps) { backend().rebuildEvery(steps); }
void Simulation::stepAsMany() { backend().stepAsMany(); }

} // namespace dem
