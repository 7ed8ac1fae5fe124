/**
 * @namespace vtkDEMGrainNames
 * @brief Names of the arrays of grains in codes, tables and scripts.
 *
 * The simulation and all analysis filters find arrays by these names. ParaGrain's own names come
 * first. Case is ignored, but an array with the exact spelling is preferred.
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
 * The names of all arrays, separated by commas, for messages.
 */
std::string Listed(vtkFieldData* data);

/**
 * The first numeric array, in the order of `names`, that has `components` components; null if there
 * is none.
 */
vtkDataArray* Find(vtkFieldData* data, const Names& names, int components);

/**
 * The array of radii (sets `scale` to 1) or diameters (sets it to 0.5); null if there is none.
 */
vtkDataArray* FindRadius(vtkPointData* data, double& scale);

/**
 * Whether the name is that of diameters.
 */
bool IsDiameter(const std::string& name);

/**
 * Velocities in m/s and angular velocities in rad/s: an array of three components, else a new one
 * from vx vy vz, or omegax omegay omegaz (also wx wy wz). Null if there is neither.
 */
vtkSmartPointer<vtkDataArray> FindVelocity(vtkPointData* data);
vtkSmartPointer<vtkDataArray> FindAngularVelocity(vtkPointData* data);

} // namespace vtkDEMGrainNames

#endif
