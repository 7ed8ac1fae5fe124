/**
 * Owns a dem::Timeline for an algorithm: keeps the run while the scene stays the same, steers it or
 * starts a new one when it does not. Throws dem::Error. Only the rank that computes has one.
 */

#ifndef vtkDEMRun_h
#define vtkDEMRun_h

#include "Solver/Timeline.h"
#include "detail/vtkDEMSteering.h"
#include "detail/vtkDEMTimelineRun.h"

#include <memory>
#include <string>
#include <vector>

class vtkDEMRun : public vtkDEMTimelineRun<dem::Timeline>
{
public:
  struct Options : vtkDEMAnyRun::Options
  {
    std::size_t DeviceFrameMemory = 0; // bytes
    bool Steer = false;
    dem::FrameSelection Selection;
  };

  vtkDEMRun();
  ~vtkDEMRun() override;

  /**
   * Brings the run in line with a scene that was built anew.
   */
  void SetScene(dem::Scene&& scene, const Options& options);

  /**
   * Brings the run in line with options that may have changed while the scene did not.
   */
  void SetOptions(const Options& options);

  /**
   * Changes that the run meets on its way, in place of those it had. Other than them start it anew.
   */
  void SetSteering(const vtkDEMSteering& steering);

  /**
   * The changes that the run has met or will meet, besides the events of the scene itself.
   */
  const vtkDEMSteering& GetSteering() const { return this->Steering; }

  bool HasScene() const { return this->SceneIsSet; }
  const dem::Scene& GetScene() const { return this->Scene; }

protected:
  std::unique_ptr<dem::Timeline> MakeTimeline() override;
  void StateWasLoaded() override;
  BytesT ReadState(const std::string& fileName) override;
  void WriteState(const std::string& fileName, const BytesT& bytes) override;

  /**
   * The run and its changes.
   */
  void Forget() override;

private:
  void ReadSteering();

  bool SceneIsSet = false;
  dem::Scene Scene; // as it was built last; a steered run began with another
  std::vector<dem::Event> SceneEvents; // of the scene that the run began with
  vtkDEMSteering Steering;
  Options Current;
};

#endif
