/**
 * Units in the titles of legends ("Velocity (m/s)" instead of "Velocity"), and menus of colour
 * arrays without field data, which have one number for all grains.
 */

#ifndef vtkSMDEMColoring_h
#define vtkSMDEMColoring_h

class vtkSMSessionProxyManager;

namespace vtkSMDEMColoring
{

/**
 * From this call on, for data from a proxy with the hint `units` of vtkSMDEMInitializationHelper:
 * - A legend with the name of an array as its title gets the unit of the array, if all these hints
 * are `SI`. Titles set by users or scripts stay.
 * - The menu of arrays for colouring lists point and cell arrays only.
 *
 * Further calls for a session have no effect.
 */
void WatchSession(vtkSMSessionProxyManager* manager);

} // namespace vtkSMDEMColoring

#endif
