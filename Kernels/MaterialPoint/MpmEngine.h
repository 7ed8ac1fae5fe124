// The interface of a device's engine to Simulation. One implementation (MpmEngineImpl.cuh) is
// instantiated for each device and precision.
#pragma once

#include "Core/RunBackend.h"
#include "MaterialPoint/MpmSimulation.h"

#include <memory>
#include <vector>

namespace mpm
{

/// Functions have the contracts of those in Simulation.
class Engine : public dem::RunBackend<RunTypes>
{
public:
  /// Make an implementation for a validated scene, in the precision of the scene.
  static std::unique_ptr<Engine> makeCpu(const Scene& scene, const dem::Device& device);
  static std::unique_ptr<Engine> makeCuda(const Scene& scene, const dem::Device& device);

  virtual DerivativeErrors derivativeErrors(double time_step, double speed) = 0;
  virtual const std::vector<double>& newtonResiduals() const = 0;
};

} // namespace mpm
