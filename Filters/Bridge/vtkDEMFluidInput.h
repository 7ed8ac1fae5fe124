/**
 * The flow of the input Fluid of a simulation, on the nodes of an image and at all of its times.
 */

#ifndef vtkDEMFluidInput_h
#define vtkDEMFluidInput_h

#include "Fluid/FluidField.h"

#include "vtkType.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

class vtkAlgorithm;
class vtkInformationVector;
class vtkMultiProcessController;

namespace vtkDEMFluidInput
{

/**
 * The fluid of the first connection of `inputs`; null without one. Arrays: Velocity, and where they
 * are there Pressure or PressureGradient, VoidFraction, Density, Viscosity. Data that are no image
 * are sampled with `resolution` cells on their longest edge. `seen`: time of modification of the
 * data of `before`, and its resolution; it is not read again if both are the same. Returns `before`
 * if the flow is the same. Without a resolution the fluid is not read. Of several ranks, rank 0
 * gets the fluid of all, the others null. Throws dem::Error. Collective.
 */
std::shared_ptr<const dem::FluidField> Read(vtkAlgorithm* filter, int port,
  vtkInformationVector* inputs, int resolution,
  const std::shared_ptr<const dem::FluidField>& before, std::pair<vtkMTimeType, int>& seen,
  std::vector<std::string>& warnings, vtkMultiProcessController* controller);

} // namespace vtkDEMFluidInput

#endif
