/**
 * Owns a dem::Timeline for an algorithm: keeps the run while the scene stays the same, steers it or
 * starts a new one when it does not. Throws dem::Error. Only the rank that computes has one.
 */

#ifndef vtkDEMRun_h
#define vtkDEMRun_h

#include "Solver/Timeline.h"
#include "detail/vtkDEMSteering.h"

#include <memory>
#include <string>
#include <vector>

class vtkDEMRun
{
public:
  struct Options
  {
    dem::DeviceKind Device = dem::DeviceKind::Auto;
    int Threads = 0;
    std::size_t FrameMemory = 0;    // bytes
    std::size_t SnapshotMemory = 0; // bytes
    std::size_t DeviceFrameMemory = 0; // bytes
    std::string RestartFile;
    bool Steer = false;
    dem::FrameSelection Selection;
  };

  vtkDEMRun();
  ~vtkDEMRun();

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

  /**
   * Forgets the run and its changes: the next request starts from 0.
   */
  void Reset();

  bool HasScene() const { return this->SceneIsSet; }
  const dem::Scene& GetScene() const { return this->Scene; }

  /**
   * The frame of the last whole output at or before `time`; see dem::Timeline::at.
   */
  dem::Timeline::Result Advance(
    double time, const dem::Simulation::Observer& observer, bool partial);

  /**
   * The frame that was handed out last, or null.
   */
  std::shared_ptr<const dem::Frame> GetLastFrame() const { return this->LastFrame; }

  /**
   * Where the solver stands, s; 0 without a run.
   */
  double GetReachedTime() const;
  dem::Simulation* GetSimulation();

  void Save(const std::string& fileName);

  /**
   * Continues from a checkpoint; without a run as soon as there is one.
   */
  void Load(const std::string& fileName);

private:
  void Start();
  void Forget();
  void ReadSteering();

  bool SceneIsSet = false;
  dem::Scene Scene; // as it was built last; a steered run began with another
  std::vector<dem::Event> SceneEvents; // of the scene that the run began with
  vtkDEMSteering Steering;
  Options Current;
  std::string PendingLoad;
  std::unique_ptr<dem::Timeline> Timeline;
  std::shared_ptr<const dem::Frame> LastFrame;
};

#endif
