#include "MaterialPoint/MpmSimulation.h"

#include "MaterialPoint/MpmEngine.h"
#include "MaterialPoint/MpmValidation.h"

namespace mpm
{
namespace
{

std::unique_ptr<Engine> start(const Scene& scene, const RunOptions& options)
{
  validate(scene);
  return dem::makeBackend<Engine>(scene, dem::chooseDevice(options.device, options.threads));
}

} // namespace

Simulation::Simulation(const Scene& scene, const RunOptions& options)
  : RunSimulation(start(scene, options))
{
}

Engine& Simulation::engine() { return static_cast<Engine&>(*backend_); }

const std::vector<double>& Simulation::newtonResiduals() { return engine().newtonResiduals(); }

DerivativeErrors Simulation::derivativeErrors(double time_step, double speed)
{
  return engine().derivativeErrors(time_step, speed);
}

} // namespace mpm
