/**
 * Whether the plugin works in this program.
 */

#ifndef vtkDEMLoadCheck_h
#define vtkDEMLoadCheck_h

#include "vtkParaGrainFiltersModule.h"

#include <string>

namespace vtkDEMLoadCheck
{

/**
 * Why the plugin cannot work here, and the cure: it was built for another VTK, or the processor
 * lacks instructions. Empty if it works. A missing GPU is no reason: Device Auto uses the CPU.
 */
VTKPARAGRAINFILTERS_EXPORT std::string WhyNot();

} // namespace vtkDEMLoadCheck

#endif
