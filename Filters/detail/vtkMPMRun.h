/**
 * Owns the timeline of an MPM run for vtkMPMSimulation: keeps the run while the scene stays the same
 * by value, starts a new one when it does not.
 */

#ifndef vtkMPMRun_h
#define vtkMPMRun_h

#include "MaterialPoint/MpmTimeline.h"
#include "detail/vtkDEMTimelineRun.h"

#include <memory>
#include <string>

class vtkMPMRun : public vtkDEMTimelineRun<mpm::Timeline>
{
public:
  struct Options : vtkDEMAnyRun::Options
  {
    mpm::FrameSelection Selection;
  };

  vtkMPMRun();
  ~vtkMPMRun() override;

  /**
   * Brings the run in line with a scene that was built anew.
   */
  void SetScene(mpm::Scene&& scene, const Options& options);

  /**
   * Brings the run in line with options that may have changed while the scene did not.
   */
  void SetOptions(const Options& options);

  bool HasScene() const { return this->SceneIsSet; }
  const mpm::Scene& GetScene() const { return this->Scene; }

protected:
  std::unique_ptr<mpm::Timeline> MakeTimeline() override;
  bool IsWholeAfterFailure() const override { return true; }
  BytesT ReadState(const std::string& fileName) override;
  void WriteState(const std::string& fileName, const BytesT& bytes) override;

private:
  bool SceneIsSet = false;
  mpm::Scene Scene;
  Options Current;
};

#endif
