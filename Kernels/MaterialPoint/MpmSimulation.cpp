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
  if (options.devices > 1)
    throw dem::Error("Devices is " + std::to_string(options.devices) +
      ", but the material point method runs on one device only. Set Devices to 1.");
  dem::RunOptions one = options;
  one.devices = 1;
  return dem::makeBackend<Engine>(scene, dem::chooseDevice(one, 0));
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
