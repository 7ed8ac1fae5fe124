/**
 * Bodies of an MPM simulation from point sets and closed surfaces (MaterialPoint/MpmBodies.h).
 */

#ifndef vtkMPMBodyInput_h
#define vtkMPMBodyInput_h

#include "MaterialPoint/MpmBodies.h"

#include <string>
#include <vector>

class vtkInformationVector;
class vtkMultiProcessController;

namespace vtkMPMBodyInput
{

/**
 * Reads all connections of `inputs`, of all ranks; `inputNames` are the inputs in messages. Inputs
 * with polygons are surfaces if `fill`, else their points are read. `materials` are the names of
 * the materials. The point array `Material` counts the field data `Materials` of the input if
 * `named`, else it is an index into `materials`. Collective; only rank 0 gets bodies. Throws
 * dem::Error after the last communication.
 */
std::vector<mpm::Body> Read(vtkInformationVector* inputs,
  const std::vector<std::string>& inputNames, bool fill, const std::vector<std::string>& materials,
  bool named, vtkMultiProcessController* controller);

} // namespace vtkMPMBodyInput

#endif
