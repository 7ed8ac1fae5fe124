/**
 * Units in the titles of legends: "Velocity (m/s)" in place of "Velocity".
 */

#ifndef vtkSMDEMLegends_h
#define vtkSMDEMLegends_h

class vtkSMSessionProxyManager;

namespace vtkSMDEMLegends
{

/**
 * From now on a legend that ParaView titles by the name of an array gets its unit, if the data come from a
 * proxy with the hint `units="SI"` (of vtkSMDEMInitializationHelper) and from none with `units="unknown"`.
 * Titles that users or scripts give stay. More calls for a session change nothing.
 */
void WatchSession(vtkSMSessionProxyManager* manager);

} // namespace vtkSMDEMLegends

#endif
