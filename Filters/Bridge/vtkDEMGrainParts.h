/**
 * Analysis of grains of other shapes than spheres. The field data `ShapeDefinitions` and the point
 * arrays `Shape`, `Orientation` (unit quaternion, w x y z) and `Radius` (m, of the sphere of equal
 * volume) define the shapes.
 */

#ifndef vtkDEMGrainParts_h
#define vtkDEMGrainParts_h

#include "Analysis/ContactSearch.h"
#include "Analysis/Grains.h"

class vtkPointSet;

namespace vtkDEMGrainParts
{

/**
 * Whether any point has another shape than a sphere.
 */
bool Any(vtkPointSet* points);

/**
 * Rotational energy in J of grains in host memory, from the moments of inertia of their shapes; NaN
 * without orientations. Throws dem::Error.
 */
double RotationalEnergy(vtkPointSet* points, const dem::Grains& grains);

/**
 * dem::findContacts with the spheres of clumps: one contact for each touching pair of spheres, with
 * the centres of the grains as its ends. Other shapes are taken as spheres of equal volume. Grains
 * with shapes must be in host memory. Throws dem::Error.
 */
dem::FoundContacts FindContacts(vtkPointSet* points, const dem::Grains& grains,
  const dem::ContactSearchOptions& options, const dem::Device& device);

} // namespace vtkDEMGrainParts

#endif
