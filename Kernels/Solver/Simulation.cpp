// Checks of a scene before a run, and forwarding to the implementation for its device.
#include "Solver/Simulation.h"

#include "Core/Error.h"
#include "Scene/Validate.h"
#include "Solver/SimulationBackend.h"

namespace dem
{

Simulation::Simulation(const Scene& given, const RunOptions& options)
{
  validate(given);
  Scene scene = given;
  if (scene.relax_initial_overlaps)
    relaxOverlaps(scene);
  checkWallOverlaps(scene);
  checkTimeStep(scene);
  const Device device = chooseDevice(options.device, options.threads);
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == DeviceKind::CUDA)
  {
    backend_ = makeCudaBackend(scene, device);
    return;
  }
#endif
  backend_ = makeCpuBackend(scene, device);
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

bool Simulation::advanceTo(std::uint64_t target, const Observer& observer)
{
  if (target < step())
    throw Error("A simulation steps forward only: step " + std::to_string(target) +
      " lies before step " + std::to_string(step()) + ".");
  return backend_->advanceTo(target, observer);
}

std::uint64_t Simulation::step() const { return backend_->step(); }
double Simulation::time() const { return backend_->time(); }
const StepPlan& Simulation::plan() const { return backend_->plan(); }
const Device& Simulation::device() const { return backend_->device(); }
const Scene& Simulation::scene() const { return backend_->scene(); }
std::size_t Simulation::deviceBytes() const { return backend_->deviceBytes(); }
SearchCounts Simulation::searchCounts() { return backend_->searchCounts(); }
void Simulation::keepOnDevice(std::size_t bytes) { backend_->keepOnDevice(bytes); }
Frame Simulation::frame(const FrameSelection& selection) { return backend_->frame(selection); }
Statistics Simulation::statistics() { return backend_->statistics(); }
SnapshotBytes Simulation::save() { return backend_->save(); }
void Simulation::restore(const SnapshotBytes& bytes) { backend_->restore(bytes); }
bool Simulation::needsRestore() const { return backend_->needsRestore(); }
void Simulation::apply(const Event& event) { backend_->apply(event); }
void Simulation::setEnd(double end_time) { backend_->setEnd(end_time); }
std::vector<CandidatePair> Simulation::candidatePairs() { return backend_->candidatePairs(); }
void Simulation::forceRebuild() { backend_->forceRebuild(); }
void Simulation::rebuildEvery(unsigned steps) { backend_->rebuildEvery(steps); }
void Simulation::stepAsMany() { backend_->stepAsMany(); }

} // namespace dem
