/**
 * Initial particles: point sets of the pipeline to dem::ParticleInput and back.
 */

#ifndef vtkDEMParticleInput_h
#define vtkDEMParticleInput_h

#include "Solver/Scene.h"

#include <string>
#include <vector>

class vtkInformationVector;
class vtkMultiProcessController;
class vtkPolyData;

namespace vtkDEMParticleInput
{

/**
 * Appends all connections of `inputs`, in order, and all ranks. `materials` are the known names: an
 * input whose field data has `Materials` means these by its array `Material`; without it the
 * array is an index into `materials`. Every rank must call it; only rank 0 gets particles. Throws
 * dem::Error, after the ranks have met. Shapes that the inputs state (vtkDEMShapeInput) join `shapes`
 * by their names.
 */
dem::ParticleInput Read(vtkInformationVector* inputs, const std::vector<std::string>& materials,
  std::vector<dem::Shape>& shapes, vtkMultiProcessController* controller);

/**
 * Vertices with the input point arrays of a simulation.
 */
void Write(const dem::ParticleInput& particles, const std::string& material,
  const std::vector<dem::Shape>& shapes, vtkPolyData* output);

} // namespace vtkDEMParticleInput

#endif
