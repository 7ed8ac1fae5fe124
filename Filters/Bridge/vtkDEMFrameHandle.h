/**
 * Marks an array as that of a frame of a run, so that a filter can read the same values in the
 * memory of the run's device. Arrays of points carry it as an information key.
 */

#ifndef vtkDEMFrameHandle_h
#define vtkDEMFrameHandle_h

#include "Measure/Frame.h"

#include "vtkObject.h"

#include <cstdint>
#include <memory>

class vtkInformationObjectBaseKey;
class vtkPolyData;

class vtkDEMFrameHandle : public vtkObject
{
public:
  static vtkDEMFrameHandle* New();
  vtkTypeMacro(vtkDEMFrameHandle, vtkObject);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  /**
   * Key in the information of an array.
   */
  static vtkInformationObjectBaseKey* FRAME();

  /**
   * Marks the points of the two ports as those of `frame`; `contacts` may be null.
   */
  static void Mark(
    const std::shared_ptr<const dem::Frame>& frame, vtkPolyData* particles, vtkPolyData* contacts);

  /**
   * The handle of the points of a data set, or null.
   */
  static vtkDEMFrameHandle* Of(vtkPolyData* data);

  std::uint64_t GetRun() const { return this->Run; }
  double GetTime() const { return this->Time; }

  /**
   * The frame, or null if the run has dropped it.
   */
  std::shared_ptr<const dem::Frame> GetFrame() const { return this->Frame.lock(); }

  /**
   * Whether `connectivity` is that of the frame, with consecutive points for each contact.
   */
  bool HasCorners(const void* connectivity) const { return connectivity == this->Corners; }

protected:
  vtkDEMFrameHandle() = default;
  ~vtkDEMFrameHandle() override = default;

private:
  vtkDEMFrameHandle(const vtkDEMFrameHandle&) = delete;
  void operator=(const vtkDEMFrameHandle&) = delete;

  std::uint64_t Run = 0;
  double Time = 0;
  std::weak_ptr<const dem::Frame> Frame;
  const void* Corners = nullptr;
};

#endif
