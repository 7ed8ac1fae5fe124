#include "Solver/Simulation.h"

#include "Core/Error.h"
#include "Scene/Validate.h"
#include "Solver/detail/Engine.h"

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
    engine_ = makeCudaEngine(scene, device);
    return;
  }
#endif
  engine_ = makeCpuEngine(scene, device);
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

bool Simulation::advanceTo(std::uint64_t target, const Observer& observer)
{
  if (target < step())
    throw Error("A simulation steps forward only: step " + std::to_string(target) +
      " lies before step " + std::to_string(step()) + ".");
  return engine_->advanceTo(target, observer);
}

std::uint64_t Simulation::step() const { return engine_->step(); }
double Simulation::time() const { return engine_->time(); }
const StepPlan& Simulation::plan() const { return engine_->plan(); }
const Device& Simulation::device() const { return engine_->device(); }
const Scene& Simulation::scene() const { return engine_->scene(); }
std::size_t Simulation::deviceBytes() const { return engine_->deviceBytes(); }
SearchCounts Simulation::searchCounts() { return engine_->searchCounts(); }
void Simulation::keepOnDevice(std::size_t bytes) { engine_->keepOnDevice(bytes); }
Frame Simulation::frame(const FrameSelection& selection) { return engine_->frame(selection); }
Statistics Simulation::statistics() { return engine_->statistics(); }
SnapshotBytes Simulation::save() { return engine_->save(); }
void Simulation::restore(const SnapshotBytes& bytes) { engine_->restore(bytes); }
bool Simulation::needsRestore() const { return engine_->needsRestore(); }
void Simulation::apply(const Event& event) { engine_->apply(event); }
void Simulation::setEnd(double end_time) { engine_->setEnd(end_time); }
std::vector<CandidatePair> Simulation::candidatePairs() { return engine_->candidatePairs(); }
void Simulation::forceRebuild() { engine_->forceRebuild(); }
void Simulation::rebuildEvery(unsigned steps) { engine_->rebuildEvery(steps); }
void Simulation::stepAsMany() { engine_->stepAsMany(); }

} // namespace dem
