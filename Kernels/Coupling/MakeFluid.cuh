// Chooses the fluid of a run. Used by Engine.cuh.
#pragma once

#include "Coupling/AveragedFlow.cuh"
#include "Coupling/GivenFlow.cuh"

#include <memory>

namespace dem
{

/// Returns the fluid of a scene, started; null if it has none. `energy`: J, scale of the energies
/// of a step.
template <class Exec, class Real>
std::unique_ptr<FluidCoupling<Exec, Real>> makeFluid(Exec& exec,
  ParticleStore<Exec, Real>& particles, const Scene& scene, const StepPlan& plan, double energy)
{
  std::unique_ptr<FluidCoupling<Exec, Real>> fluid;
  if (scene.fluid.model == FluidModel::GivenField)
    fluid = std::make_unique<GivenFlow<Exec, Real>>(exec, particles, plan, energy);
  if (scene.fluid.model == FluidModel::VolumeAveraged)
    fluid = std::make_unique<AveragedFlow<Exec, Real>>(exec, particles, plan, energy);
  if (fluid)
    fluid->start(scene);
  return fluid;
}

} // namespace dem
