#include "MaterialPoint/MpmSimulation.h"

#include "Core/Error.h"
#include "MaterialPoint/MpmEngine.h"
#include "MaterialPoint/MpmValidation.h"

namespace mpm
{

Simulation::Simulation(const Scene& scene, const RunOptions& options)
{
  validate(scene);
  const dem::Device device = dem::chooseDevice(options.device, options.threads);
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == dem::DeviceKind::CUDA)
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
    throw dem::Error("A simulation steps forward only: step " + std::to_string(target) +
      " lies before step " + std::to_string(step()) + ".");
  return engine_->advanceTo(target, observer);
}

std::uint64_t Simulation::step() const { return engine_->step(); }
double Simulation::time() const { return engine_->time(); }
const StepPlan& Simulation::plan() const { return engine_->plan(); }
const dem::Device& Simulation::device() const { return engine_->device(); }
const Scene& Simulation::scene() const { return engine_->scene(); }
std::size_t Simulation::deviceBytes() const { return engine_->deviceBytes(); }
Frame Simulation::frame(const FrameSelection& selection) { return engine_->frame(selection); }
Statistics Simulation::statistics() { return engine_->statistics(); }
SnapshotBytes Simulation::save() { return engine_->save(); }
void Simulation::restore(const SnapshotBytes& bytes) { engine_->restore(bytes); }
bool Simulation::needsRestore() const { return engine_->needsRestore(); }
const std::vector<double>& Simulation::newtonResiduals() const
{
  return engine_->newtonResiduals();
}
void Simulation::apply(const dem::Event& event) { engine_->apply(event); }
void Simulation::keepOnDevice(std::size_t bytes) { engine_->keepOnDevice(bytes); }
void Simulation::setEnd(double end_time) { engine_->setEnd(end_time); }

DerivativeErrors Simulation::derivativeErrors(double time_step, double speed)
{
  return engine_->derivativeErrors(time_step, speed);
}

} // namespace mpm
