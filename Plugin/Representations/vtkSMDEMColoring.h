/**
 * Units in the titles of legends ("Velocity (m/s)" in place of "Velocity"), and menus of colours
 * without field data, which hold one number for all grains.
 */

#ifndef vtkSMDEMColoring_h
#define vtkSMDEMColoring_h

class vtkSMSessionProxyManager;

namespace vtkSMDEMColoring
{

/**
 * From now on, for data that come from a proxy with the hint `units` of
 * vtkSMDEMInitializationHelper:
 * - A legend that ParaView titles by the name of an array gets its unit, if all these hints say
 * `SI`. Titles that users or scripts give stay.
 * - The menu of arrays to colour by lists point and cell arrays only.
 *
 * More calls for a session change nothing.
 */
void WatchSession(vtkSMSessionProxyManager* manager);

} // namespace vtkSMDEMColoring

#endif
