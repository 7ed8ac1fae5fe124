/**
 * Initial look of a new simulation: colour ranges for a fall through the domain, a camera from the
 * side, and one visible result at a time.
 */

#ifndef vtkSMDEMFirstLook_h
#define vtkSMDEMFirstLook_h

#include <set>
#include <string>

class vtkSMProxy;
class vtkSMSourceProxy;

namespace vtkSMDEMFirstLook
{

/**
 * Whether the session of the proxy has a window, unlike in pvpython and pvbatch.
 */
bool HasWindow(vtkSMProxy* proxy);

/**
 * Sets a sequential preset, for quantities with 0 as their least value. A preset or colours from
 * the user's settings stay.
 */
void SetSequentialColors(vtkSMProxy* map);

/**
 * Corrects ranges that ParaView fits to data. If all values are 0, a range ends at 0.001. For
 * `array` Velocity with gravity in a limited domain, the range of the first data of `source` ends
 * at the speed of a fall through the domain, and so does each later range of zeros. Other ranges
 * set by users or scripts stay.
 */
void WatchColors(vtkSMProxy* map, vtkSMSourceProxy* source, const std::string& array);

/**
 * In a window, before the first picture of `source`:
 * - With `side`, turns a camera that still has ParaView's default direction, -z, to the side, with
 * gravity down. It is fitted to the domain, or to the data if the domain is unlimited. Cameras that
 * users have turned stay.
 * - Hides the results that proxies with the XML names `replaces` have made of the same input, and
 * thus their legends.
 *
 * Has no effect in pvpython and pvbatch, and for proxies of a loaded state.
 */
void WatchFirstPicture(vtkSMSourceProxy* source, bool side, const std::set<std::string>& replaces);

} // namespace vtkSMDEMFirstLook

#endif
