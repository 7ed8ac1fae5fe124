/**
 * Says that an array shows a frame of a run, so that a filter may read the same values where the
 * run's device has them. It travels with the arrays of points as an information key.
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
   * In the information of an array.
   */
  static vtkInformationObjectBaseKey* FRAME();

  /**
   * Marks the points of two ports that show `frame`; `contacts` may be null.
   */
  static void Mark(
    const std::shared_ptr<const dem::Frame>& frame, vtkPolyData* particles, vtkPolyData* contacts);

  /**
   * Of the points of a data set, or null.
   */
  static vtkDEMFrameHandle* Of(vtkPolyData* data);

  std::uint64_t GetRun() const { return this->Run; }
  double GetTime() const { return this->Time; }

  /**
   * Null when the run has dropped it.
   */
  std::shared_ptr<const dem::Frame> GetFrame() const { return this->Frame.lock(); }

  /**
   * Do contacts with these corners lie one behind the other, as the frame has them?
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
