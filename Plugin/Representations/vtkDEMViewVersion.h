/**
 * What differs between the versions of ParaView in views and representations. Other files of this
 * folder do not ask for the version.
 */

#ifndef vtkDEMViewVersion_h
#define vtkDEMViewVersion_h

#include "vtkPVVersion.h"
#include "vtkPointGaussianMapper.h"
#include "vtkVersionMacros.h"

#if PARAVIEW_VERSION_MAJOR > 6 || (PARAVIEW_VERSION_MAJOR == 6 && PARAVIEW_VERSION_MINOR >= 2)
#include "vtkGeometryFilterDispatcher.h"
/**
 * The filter that ParaView's representations of surfaces use; replaced in ParaView 6.2.
 */
using vtkDEMGeometryFilter = vtkGeometryFilterDispatcher;
#else
#include "vtkPVGeometryFilter.h"
using vtkDEMGeometryFilter = vtkPVGeometryFilter;
#endif

/**
 * Expression of the vertex shader of sprites for the radius of a point, before the actor's scale.
 * VTK 9.4 multiplies by the mapper's scale factor in the shader instead of on the CPU.
 */
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 3, 20231115)
#define DEM_SPRITE_RADIUS "scaleFactor * radiusMC"
#else
#define DEM_SPRITE_RADIUS "radiusMC"
#endif

namespace vtkDEMViewVersion
{

/**
 * Sets the half width of a sprite in radii.
 */
inline void SetSpriteBound(vtkPointGaussianMapper* mapper, double bound)
{
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 3, 20231115)
  mapper->SetBoundScale(bound);
#else
  mapper->SetTriangleScale(bound);
#endif
}

} // namespace vtkDEMViewVersion

#endif
