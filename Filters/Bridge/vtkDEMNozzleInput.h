/**
 * Spray nozzles: the field data that vtkDEMNozzle writes, and their conversion to dem::Nozzle.
 */

#ifndef vtkDEMNozzleInput_h
#define vtkDEMNozzleInput_h

#include "Spray/Nozzle.h"

#include <string>
#include <vector>

class vtkFieldData;
class vtkInformationVector;
class vtkMultiProcessController;

namespace vtkDEMNozzleInput
{

/**
 * Field data: `NozzleName` and `NozzleMovesWith` (texts), `NozzleSpray` (position 3, axis 3, up 3,
 * full angle, across angle, profile, mass rate, rays, interval, start, stop, seed; SI units and
 * radians).
 */
void Write(const dem::Nozzle& nozzle, vtkFieldData* fieldData);

/**
 * The nozzles of all connections of `inputs`; each block of a composite data set is one. `names`
 * are the inputs in messages. Collective. Throws dem::Error after the last communication.
 */
std::vector<dem::Nozzle> Read(vtkInformationVector* inputs, const std::vector<std::string>& names,
  vtkMultiProcessController* controller);

} // namespace vtkDEMNozzleInput

#endif
