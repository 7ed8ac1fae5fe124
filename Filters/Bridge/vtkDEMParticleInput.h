/**
 * Initial particles: point sets of the pipeline to dem::ParticleInput and back.
 */

#ifndef vtkDEMParticleInput_h
#define vtkDEMParticleInput_h

#include "Scene/Scene.h"

#include <string>
#include <vector>

class vtkInformationVector;
class vtkMultiProcessController;
class vtkPolyData;

namespace vtkDEMParticleInput
{

/**
 * The materials that a simulation has.
 */
struct Materials
{
  std::vector<std::string> Names;
  std::vector<double> Densities;          ///< kg/m^3
  int TableRows = 0;                      ///< the first so many are stated by the user
  std::string Table = "TableOfMaterials"; ///< where, in messages
  int Grain = 0;                          ///< that of grains of which nothing is stated
};

/**
 * The box of the first input whose field data `Box` and `Periodic` (vtkDEMArrays::AddBox) state a
 * periodic axis; on ranks that have it. Period is 0 along the other axes.
 */
struct PeriodicBox
{
  std::string Input; ///< its name; empty if there is none
  dem::Vec3d Lower, Period;
};

/**
 * Appends all connections of `inputs`, called by `names` in messages, in order, and all ranks. An
 * input whose field data has `Materials` means these by its array `Material`. Without them an array
 * `type` counts the rows of Table Of Materials from 1 (all grains are of one material if there is
 * no table), and without that `Material` is an index into `materials`. Other names of arrays:
 * vtkDEMGrainNames. `warnings` gets what a user should know: types without a table, masses that
 * differ from those of the materials. `periodic` is set. Every rank must call it; only rank 0 gets
 * particles. Throws dem::Error, after the ranks have met. Shapes that the inputs state
 * (vtkDEMShapeInput) join `shapes` by their names.
 */
dem::ParticleInput Read(vtkInformationVector* inputs, const std::vector<std::string>& names,
  const Materials& materials, std::vector<dem::Shape>& shapes,
  vtkMultiProcessController* controller, std::vector<std::string>& warnings, PeriodicBox& periodic);

/**
 * Vertices with the input point arrays of a simulation.
 */
void Write(const dem::ParticleInput& particles, const std::string& material,
  const std::vector<dem::Shape>& shapes, vtkPolyData* output);

} // namespace vtkDEMParticleInput

#endif
