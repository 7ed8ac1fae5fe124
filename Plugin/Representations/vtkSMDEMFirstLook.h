/**
 * What a fresh simulation looks like before its user has chosen anything: colours that fit a fall
 * through the domain, a camera that looks from the side, and one result at a time.
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
 * Whether the proxy's session belongs to a window, not to pvpython or pvbatch.
 */
bool HasWindow(vtkSMProxy* proxy);

/**
 * Gives `map` a sequential preset, for quantities whose 0 is their least value. A preset or colours
 * of the user's settings stay.
 */
void SetSequentialColors(vtkSMProxy* map);

/**
 * Corrects the range that ParaView fits to the first data: where all is 0 it ends at 0.001, and
 * where `array` is Velocity and gravity acts in a limited domain, it ends at the speed of a fall
 * through that domain. Ranges that users or scripts set stay.
 */
void WatchColors(vtkSMProxy* map, vtkSMSourceProxy* source, const std::string& array);

/**
 * In the window, before the first picture of `source`:
 * - With `side`, turns a camera that still looks along -z, as ParaView's own does, to the side,
 * with gravity down, and fits it to the domain, or to the data where that is not limited. Cameras
 * that users have turned are left alone.
 * - Hides what proxies of the XML names `replaces` made of the same input, and so their legends.
 *
 * Does nothing in pvpython and pvbatch, nor for proxies that come from a state.
 */
void WatchFirstPicture(vtkSMSourceProxy* source, bool side, const std::set<std::string>& replaces);

} // namespace vtkSMDEMFirstLook

#endif
