/**
 * Owns the timeline of a run for an algorithm: options that may change under way, what was shown
 * last, checkpoints. Throws dem::Error. Only the rank that computes has one.
 */

#ifndef vtkDEMTimelineRun_h
#define vtkDEMTimelineRun_h

#include "Core/Device.h"
#include "Core/Error.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/**
 * A run as vtkDEMTimelineAlgorithm sees it, whatever is simulated.
 */
class vtkDEMAnyRun
{
public:
  struct Options
  {
    dem::DeviceKind Device = dem::DeviceKind::Auto;
    int Threads = 0;
    std::size_t FrameMemory = 0;       // bytes
    std::size_t SnapshotMemory = 0;    // bytes
    std::size_t DeviceFrameMemory = 0; // bytes
    bool Steer = false;
    std::string RestartFile;
  };

  using Observer = std::function<bool(std::uint64_t step, double time)>;

  vtkDEMAnyRun() = default;
  virtual ~vtkDEMAnyRun() = default;
  vtkDEMAnyRun(const vtkDEMAnyRun&) = delete;
  void operator=(const vtkDEMAnyRun&) = delete;

  /**
   * Goes to the last whole output at or before `time`, whose frame is the last one then. False when
   * `observer` stopped it: the frame is that of the present instant.
   */
  virtual bool Advance(double time, const Observer& observer) = 0;

  /**
   * Forgets the run: the next request starts from 0.
   */
  virtual void Reset() = 0;

  /**
   * The time of the frame that was handed out last; false without one.
   */
  virtual bool GetLastTime(double& time) const = 0;

  /**
   * Where the solver stands: s, device, time step in s, bytes on the device. 0 and empty without a
   * run.
   */
  virtual double GetReachedTime() const = 0;
  virtual std::string GetDeviceName() const = 0;
  virtual double GetTimeStep() const = 0;
  virtual std::size_t GetDeviceBytes() const = 0;

  /**
   * The changes that the run has met or will meet, besides those of the scene itself, as text.
   * Other ones start it anew.
   */
  virtual std::string GetSteeringText() const = 0;
  virtual void SetSteeringText(const std::string& text) = 0;

  /**
   * The name of a wall whose points moved, for which the last new scene began a run anew; else
   * empty.
   */
  virtual std::string GetMovedWall() const = 0;

  /**
   * What a user should know of the scene that the run has: one sentence each.
   */
  virtual std::vector<std::string> GetWarnings() const = 0;

  /**
   * What a user should know of the frame that was handed out last: one sentence each, each once a
   * run.
   */
  virtual std::vector<std::string> GetNews() { return {}; }

  /**
   * Writes the state that is shown.
   */
  virtual void Save(const std::string& fileName) = 0;

  /**
   * Continues from a checkpoint; without a run as soon as there is one.
   */
  virtual void Load(const std::string& fileName) = 0;
};

/**
 * `TimelineT` is a dem::RunTimeline.
 */
template <class TimelineT>
class vtkDEMTimelineRun : public vtkDEMAnyRun
{
public:
  using FrameT = typename TimelineT::Frame;
  using BytesT = std::vector<std::uint8_t>;

  bool Advance(double time, const Observer& observer) override
  {
    if (!this->Timeline)
    {
      this->Start();
    }
    try
    {
      auto result = this->Timeline->at(this->Timeline->outputAt(time), observer);
      this->LastFrame = result.frame;
      return result.reached;
    }
    catch (const dem::Error&)
    {
      if (this->IsWholeAfterFailure())
      {
        this->LastFrame = this->Timeline->present();
      }
      throw;
    }
  }

  void Reset() override
  {
    this->Forget();
    this->PendingLoad.clear();
  }

  /**
   * The frame that was handed out last, or null.
   */
  std::shared_ptr<const FrameT> GetLastFrame() const { return this->LastFrame; }

  bool GetLastTime(double& time) const override
  {
    time = this->LastFrame ? this->LastFrame->time : time;
    return this->LastFrame != nullptr;
  }

  double GetReachedTime() const override
  {
    return this->Timeline ? this->Timeline->simulation().time() : 0;
  }

  std::string GetDeviceName() const override
  {
    return this->Timeline ? this->Timeline->simulation().device().name : "";
  }

  double GetTimeStep() const override
  {
    return this->Timeline ? this->Timeline->simulation().plan().time_step : 0;
  }

  std::size_t GetDeviceBytes() const override
  {
    return this->Timeline ? this->Timeline->simulation().deviceBytes() : 0;
  }

  void Save(const std::string& fileName) override
  {
    if (fileName.empty())
    {
      throw dem::Error("CheckpointFile is empty: name the file that the checkpoint goes to.");
    }
    if (!this->Timeline)
    {
      throw dem::Error("There is no run to save yet: Apply first.");
    }
    // An interrupted run shows the state that it is in; else an output is shown.
    const bool shown =
      !this->LastFrame || this->LastFrame->step == this->Timeline->simulation().step();
    this->WriteState(fileName,
      shown ? this->Timeline->save()
            : this->Timeline->save(this->Timeline->outputAt(this->LastFrame->time)));
  }

  void Load(const std::string& fileName) override
  {
    if (fileName.empty())
    {
      throw dem::Error("CheckpointFile is empty: name the file that the checkpoint comes from.");
    }
    const BytesT bytes = this->ReadState(fileName);
    if (this->Timeline)
    {
      LoadInto(*this->Timeline, bytes, fileName);
      this->LastFrame.reset();
      this->StateWasLoaded();
    }
    else
    {
      this->PendingLoad = fileName;
    }
  }

protected:
  /**
   * A new timeline at 0 of the present scene, and what else a run has to know of its beginning.
   */
  virtual std::unique_ptr<TimelineT> MakeTimeline(const BytesT& state) = 0;

  /**
   * The timeline of the run has a state that it did not make.
   */
  virtual void StateWasLoaded() {}

  /**
   * Does the solver stand at its last whole step when a step has failed, so that it can be shown?
   */
  virtual bool IsWholeAfterFailure() const { return false; }

  /**
   * Checkpoint files of the solver.
   */
  virtual BytesT ReadState(const std::string& fileName) = 0;
  virtual void WriteState(const std::string& fileName, const BytesT& bytes) = 0;

  virtual void Forget()
  {
    this->Timeline.reset();
    this->LastFrame.reset();
  }

  /**
   * Brings the run in line with options that may have changed while the scene did not.
   */
  void TakeOptions(const Options& options)
  {
    if (this->Timeline &&
      (options.Device != this->Common.Device || options.Threads != this->Common.Threads ||
        options.RestartFile != this->Common.RestartFile))
    {
      this->Timeline.reset();
      this->LastFrame.reset();
    }
    else if (this->Timeline &&
      (options.FrameMemory != this->Common.FrameMemory ||
        options.SnapshotMemory != this->Common.SnapshotMemory))
    {
      this->Timeline->setMemory(options.FrameMemory, options.SnapshotMemory);
    }
    if (this->Timeline && options.DeviceFrameMemory != this->Common.DeviceFrameMemory)
    {
      this->Timeline->setDeviceFrameMemory(options.DeviceFrameMemory);
    }
    this->Common = options;
  }

  /**
   * The options of the run as those of a timeline.
   */
  template <class TimelineOptionsT>
  void FillOptions(TimelineOptionsT& options) const
  {
    options.run.device = this->Common.Device;
    options.run.threads = this->Common.Threads;
    options.frame_memory = this->Common.FrameMemory;
    options.snapshot_memory = this->Common.SnapshotMemory;
    options.device_frame_memory = this->Common.DeviceFrameMemory;
  }

  std::unique_ptr<TimelineT> Timeline;
  std::shared_ptr<const FrameT> LastFrame;

private:
  void Start()
  {
    const std::string file =
      this->PendingLoad.empty() ? this->Common.RestartFile : this->PendingLoad;
    const BytesT state = file.empty() ? BytesT() : this->ReadState(file);
    auto timeline = this->MakeTimeline(state);
    if (!file.empty())
    {
      LoadInto(*timeline, state, file);
    }
    this->PendingLoad.clear();
    this->Timeline = std::move(timeline);
    this->StateWasLoaded();
  }

  // What is wrong with the state inside a good file does not name the file by itself.
  static void LoadInto(TimelineT& timeline, const BytesT& bytes, const std::string& fileName)
  {
    try
    {
      timeline.load(bytes);
    }
    catch (const dem::Error& e)
    {
      throw dem::Error("Checkpoint " + fileName + ": " + e.what());
    }
  }

  Options Common;
  std::string PendingLoad;
};

#endif
