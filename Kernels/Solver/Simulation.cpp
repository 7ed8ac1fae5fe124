// Checks of a scene before a run, and forwarding to the implementation for its device.
#include "Solver/Simulation.h"

#include "Core/Error.h"
#include "Domain/RankLink.h"
#include "Scene/InitialOverlaps.h"
#include "Scene/StepPlan.h"
#include "Scene/Validate.h"
#include "Solver/PartLimits.h"
#include "Solver/SimulationBackend.h"

namespace dem
{
namespace
{

// The devices of a run. Processes that share it must agree on them.
Device devicesFor(const Scene& scene, RunOptions options)
{
  if (options.devices == 0 && !needsOnePart(scene).empty())
    options.devices = 1;
  if (!options.ranks || options.ranks->ranks() < 2)
    return chooseDevice(options, scene.particles.size());
  RankLink link(*options.ranks);
  Device device;
  try
  {
    device = chooseDevice(options, scene.particles.size());
  }
  catch (const std::exception& e)
  {
    throw Error(link.fail(e.what()));
  }
  for (const DeviceKind kind : link.gather(link.own(), device.kind))
    if (kind != device.kind)
      throw Error(
        "Some of the processes that share the run have a CUDA device, others have none. Set "
        "Device to CPU.");
  return device;
}

std::unique_ptr<SimulationBackend> start(const Scene& given, const RunOptions& options)
{
  validate(given);
  Scene scene = given;
  if (scene.relax_initial_overlaps)
    relaxOverlaps(scene);
  checkWallOverlaps(scene);
  checkTimeStep(scene);
  const Device device = devicesFor(scene, options);
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
void Simulation::timeStages() { backend().timeStages(); }
void Simulation::stepAsMany() { backend().stepAsMany(); }

} // namespace dem
