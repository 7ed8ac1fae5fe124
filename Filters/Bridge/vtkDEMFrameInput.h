/**
 * Finds the frame of a run that arrays show. Analyses then read the memory of the run's device
 * without a copy.
 */

#ifndef vtkDEMFrameInput_h
#define vtkDEMFrameInput_h

#include "Analysis/Grains.h"
#include "Bridge/vtkDEMGrainInput.h"
#include "Measure/Frame.h"

#include <memory>

class vtkFieldData;
class vtkPointSet;
class vtkPolyData;

namespace vtkDEMFrameInput
{

/**
 * A frame of a run in the memory of the run's device: on CUDA there, else on the host.
 */
struct FrameInput
{
  std::shared_ptr<const dem::DeviceFrame> Kept; // owns the memory; null: read the arrays
  std::shared_ptr<const dem::Frame> Shown;      // its arrays on the host
  dem::Grains Grains;
  dem::GrainContacts Contacts;

  explicit operator bool() const { return this->Kept != nullptr; }
};

/**
 * The frame that `particles` and `contacts` (or null) show. Empty unless vtkDEMGrainInput and
 * vtkDEMContactInput would read arrays of this very frame and no others, the run still keeps it,
 * and `device` reaches it. A hidden or replaced array, another instant or another device give none.
 */
FrameInput Find(vtkPointSet* particles, vtkPolyData* contacts,
  const vtkDEMGrainInput::GrainOptions& options, const dem::Device& device);

/**
 * Writes into the field data `ReadFrom` whether values came from the run's `Frame` or `Arrays`.
 */
void AddSource(vtkFieldData* data, bool frame);

} // namespace vtkDEMFrameInput

#endif
