/**
 * What a fresh simulation looks like before its user has chosen anything: colours that fit a fall
 * through the domain, and a camera that looks from the side.
 */

#ifndef vtkSMDEMFirstLook_h
#define vtkSMDEMFirstLook_h

#include <string>

class vtkSMProxy;
class vtkSMSourceProxy;

namespace vtkSMDEMFirstLook
{

/**
 * Gives `map` a sequential preset, for quantities whose 0 is their least value. A preset or colours of the
 * user's settings stay.
 */
void SetSequentialColors(vtkSMProxy* map);

/**
 * Corrects the range that ParaView fits to the first data: where all is 0 it ends at 0.001, and where `array`
 * is Velocity and gravity acts in a limited domain, it ends at the speed of a fall through that domain. Ranges
 * that users or scripts set stay.
 */
void WatchColors(vtkSMProxy* map, vtkSMSourceProxy* source, const std::string& array);

/**
 * In the window, before the first picture of `source`: turns a camera that still looks along -z, as
 * ParaView's own does, to the side, with gravity down, and fits it to the domain. Scripts, states and cameras
 * that users have turned are left alone.
 */
void WatchCamera(vtkSMSourceProxy* source);

} // namespace vtkSMDEMFirstLook

#endif
