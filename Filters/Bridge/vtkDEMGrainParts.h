/**
 * What analyses know of grains of other shapes than spheres, by the field data `ShapeDefinitions`
 * and the point arrays `Shape`, `Orientation` (unit quaternion, w x y z) and `Radius`, that of the
 * sphere of equal volume.
 */

#ifndef vtkDEMGrainParts_h
#define vtkDEMGrainParts_h

#include "Analysis/ContactSearch.h"
#include "Analysis/Grains.h"

class vtkPointSet;

namespace vtkDEMGrainParts
{

/**
 * Has any of the points another shape than a sphere?
 */
bool Any(vtkPointSet* points);

/**
 * Rotational energy of grains in host memory in J, by the moments of inertia of their shapes; NaN
 * without orientations. Throws dem::Error.
 */
double RotationalEnergy(vtkPointSet* points, const dem::Grains& grains);

/**
 * dem::findContacts, of clumps by the spheres that they are made of: one contact for each two of
 * them that touch. Its ends are the centres of the grains. Other shapes count as spheres of equal
 * volume. Grains with shapes are in host memory. Throws dem::Error.
 */
dem::FoundContacts FindContacts(vtkPointSet* points, const dem::Grains& grains,
  const dem::ContactSearchOptions& options, const dem::Device& device);

} // namespace vtkDEMGrainParts

#endif
