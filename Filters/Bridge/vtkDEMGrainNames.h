/**
 * @namespace vtkDEMGrainNames
 * @brief Names by which codes, tables and scripts call what grains have.
 *
 * The one reading of names of the simulation and of all analysis filters. ParaGrain's own names
 * come first; case does not count, but an array that is spelled the same is preferred.
 */
#ifndef vtkDEMGrainNames_h
#define vtkDEMGrainNames_h

#include "vtkSmartPointer.h"

#include <initializer_list>
#include <string>

class vtkDataArray;
class vtkFieldData;
class vtkPointData;

namespace vtkDEMGrainNames
{

using Names = std::initializer_list<const char*>;

extern const Names Radius, Diameter, Id, Mass, Density, Velocity, AngularVelocity, Material;

std::string Lower(std::string text);

/**
 * The names of all arrays, for messages.
 */
std::string Listed(vtkFieldData* data);

/**
 * The first numeric array of these names with so many components, in the order of the names; null
 * if there is none.
 */
vtkDataArray* Find(vtkFieldData* data, const Names& names, int components);

/**
 * The array of radii (`scale` 1) or diameters (`scale` 0.5); null if there is none.
 */
vtkDataArray* FindRadius(vtkPointData* data, double& scale);

/**
 * Whether an array of this name holds diameters.
 */
bool IsDiameter(const std::string& name);

/**
 * m/s, rad/s: an array of three components, else one put together from vx vy vz, or omegax omegay
 * omegaz (also wx wy wz); null if there is neither.
 */
vtkSmartPointer<vtkDataArray> FindVelocity(vtkPointData* data);
vtkSmartPointer<vtkDataArray> FindAngularVelocity(vtkPointData* data);

} // namespace vtkDEMGrainNames

#endif
