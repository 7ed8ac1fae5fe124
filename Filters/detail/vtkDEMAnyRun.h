/**
 * The run of an algorithm, whatever its method. Rank 0 computes, or all ranks together.
 */

#ifndef vtkDEMAnyRun_h
#define vtkDEMAnyRun_h

#include "Core/RunBackend.h"

#include <cstddef>
#include <string>
#include <vector>

/**
 * Interface of a run to vtkDEMTimelineAlgorithm, for all methods.
 */
class vtkDEMAnyRun
{
public:
  struct Options
  {
    dem::DeviceKind Device = dem::DeviceKind::Auto;
    int Threads = 0;
    int DeviceNumber = 0;
    int Devices = 1;
    dem::RankChannel* Ranks = nullptr; // the ranks that share the run; null: this one has it
    std::size_t FrameMemory = 0;       // bytes
    std::size_t SnapshotMemory = 0;    // bytes
    std::size_t DeviceFrameMemory = 0; // bytes
    bool Steer = false;
    std::string RestartFile;
    std::string StoreFile;    // names of the checkpoint files come from it
    double StoreInterval = 0; // s of simulated time; 0 = no files
    int StoresKept = 0;       // newest files that are kept; 0 = all
  };

  using Observer = dem::RunObserver;

  vtkDEMAnyRun() = default;
  virtual ~vtkDEMAnyRun() = default;
  vtkDEMAnyRun(const vtkDEMAnyRun&) = delete;
  void operator=(const vtkDEMAnyRun&) = delete;

  /**
   * Advances to the last output at or before `time` (s), whose frame becomes the last one. Returns
   * false if `observer` returned false; the last frame is then that of the time reached.
   */
  virtual bool Advance(double time, const Observer& observer) = 0;

  /**
   * Discards the run: the next request starts from 0.
   */
  virtual void Reset() = 0;

  /**
   * Sets `time` to that of the last frame in s. Returns false, and leaves `time`, without a frame.
   */
  virtual bool GetLastTime(double& time) const = 0;

  /**
   * State of the solver: time reached in s, name of the device, time step in s, bytes on the
   * device. Zeros and empty without a run.
   */
  virtual double GetReachedTime() const = 0;
  virtual std::string GetDeviceName() const = 0;
  virtual double GetTimeStep() const = 0;
  virtual std::size_t GetDeviceBytes() const = 0;

  /**
   * Steering events of the run as text (vtkDEMSteering), without the events of the scene itself.
   * Setting other events restarts the run.
   */
  virtual std::string GetSteeringText() const = 0;
  virtual void SetSteeringText(const std::string& text) = 0;

  /**
   * Name of a wall whose moved points caused a restart by the last SetScene; else empty.
   */
  virtual std::string GetMovedWall() const = 0;

  /**
   * Warnings about the scene, one sentence each.
   */
  virtual std::vector<std::string> GetWarnings() const = 0;

  /**
   * Warnings about the last frame, one sentence each. Each is returned once per run. Ranks that
   * share the run call it together, and get the same.
   */
  virtual std::vector<std::string> GetNews() { return {}; }

  /**
   * Writes the state of the last frame. Ranks that share the run call it together; those without
   * `writes` write no file.
   */
  virtual void Save(const std::string& fileName, bool writes) = 0;

  /**
   * Continues from a checkpoint, or starts the next run from it if there is no run yet.
   */
  virtual void Load(const std::string& fileName) = 0;
};

#endif
