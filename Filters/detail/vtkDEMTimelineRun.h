/**
 * A run of an algorithm: owns its timeline, the options that may change during the run, the last
 * frame and checkpoints. All methods throw dem::Error. Ranks that share the run call them together.
 */

#ifndef vtkDEMTimelineRun_h
#define vtkDEMTimelineRun_h

#include "Core/CheckpointFile.h"
#include "Core/Error.h"
#include "Core/RankChannel.h"
#include "detail/vtkDEMAnyRun.h"
#include "detail/vtkDEMStore.h"

#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/**
 * Run of a solver; `TimelineT` is a dem::RunTimeline.
 */
template <class TimelineT>
class vtkDEMTimelineRun : public vtkDEMAnyRun
{
public:
  using FrameT = typename TimelineT::Frame;
  using BytesT = dem::SnapshotBytes;

  bool Advance(double time, const Observer& observer) override
  {
    this->Store.Check();
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
      if (TimelineT::Simulation::kWholeAfterFailure)
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
   * The last frame, or null.
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

  void Save(const std::string& fileName, bool writes) override
  {
    if (fileName.empty())
    {
      throw dem::Error("CheckpointFile is empty: name the file that the checkpoint goes to.");
    }
    if (!this->Timeline)
    {
      throw dem::Error("There is no run to save yet: Apply first.");
    }
    // An interrupted run shows its present state; otherwise the last frame is that of an output.
    const bool shown =
      !this->LastFrame || this->LastFrame->step == this->Timeline->simulation().step();
    const BytesT state = shown
      ? this->Timeline->save()
      : this->Timeline->save(this->Timeline->outputAt(this->LastFrame->time));
    if (writes)
    {
      dem::writeSnapshotFile(fileName, state);
    }
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
   * Makes a timeline of the present scene at 0. `state` is the checkpoint that will be loaded into
   * it, or empty.
   */
  virtual std::unique_ptr<TimelineT> MakeTimeline(const BytesT& state) = 0;

  /**
   * Called after a new timeline was made or a checkpoint was loaded into it.
   */
  virtual void StateWasLoaded() {}

  virtual void Forget()
  {
    this->Timeline.reset();
    this->LastFrame.reset();
  }

  /**
   * Applies changed options. A change of the devices, the threads or the restart file discards the
   * run.
   */
  void TakeOptions(const Options& options)
  {
    if (this->Timeline &&
      (options.Device != this->Common.Device || options.Threads != this->Common.Threads ||
        options.DeviceNumber != this->Common.DeviceNumber ||
        options.Devices != this->Common.Devices || options.Ranks != this->Common.Ranks ||
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
    this->Store.Set(options.StoreInterval > 0, options.StoreFile, options.StoresKept,
      options.RestartFile, options.Ranks);
    if (this->Timeline && options.StoreInterval != this->Common.StoreInterval)
    {
      this->StoreEvery(*this->Timeline, options.StoreInterval);
    }
    this->Common = options;
  }

  /**
   * Copies the options of the run into those of a timeline.
   */
  template <class TimelineOptionsT>
  void FillOptions(TimelineOptionsT& options) const
  {
    options.run.device = this->Common.Device;
    options.run.threads = this->Common.Threads;
    options.run.device_number = this->Common.DeviceNumber;
    options.run.devices = this->Common.Devices;
    options.run.ranks = this->Common.Ranks;
    options.frame_memory = this->Common.FrameMemory;
    options.snapshot_memory = this->Common.SnapshotMemory;
    options.device_frame_memory = this->Common.DeviceFrameMemory;
  }

  /**
   * The ranks that share the run, or null.
   */
  dem::RankChannel* GetRanks() const { return this->Common.Ranks; }

  std::unique_ptr<TimelineT> Timeline;
  std::shared_ptr<const FrameT> LastFrame;

private:
  // The state in a file; empty without a file. Of ranks that share the run the first reads, and all
  // get what it has read, or its error.
  BytesT ReadState(const std::string& fileName)
  {
    dem::RankChannel* ranks = this->Common.Ranks;
    if (!ranks)
    {
      return fileName.empty() ? BytesT() : dem::readSnapshotFile(fileName);
    }
    std::string error;
    BytesT state;
    std::vector<BytesT> out(static_cast<std::size_t>(ranks->ranks()));
    if (ranks->rank() == 0)
    {
      try
      {
        state = fileName.empty() ? BytesT() : dem::readSnapshotFile(fileName);
        out.assign(out.size(), state);
      }
      catch (const std::exception& e) // any: the other ranks wait below
      {
        error = e.what();
        out.assign(out.size(), BytesT(error.begin(), error.end()));
      }
    }
    char failed = error.empty() ? 0 : 1;
    std::vector<char> all(out.size());
    ranks->allGather(&failed, 1, all.data());
    state = ranks->exchange(out)[0];
    if (all[0])
    {
      throw dem::Error(std::string(state.begin(), state.end()));
    }
    return state;
  }

  void Start()
  {
    const std::string file =
      this->PendingLoad.empty() ? this->Common.RestartFile : this->PendingLoad;
    const BytesT state = this->ReadState(file);
    auto timeline = this->MakeTimeline(state);
    if (!state.empty())
    {
      LoadInto(*timeline, state, file);
    }
    this->StoreEvery(*timeline, this->Common.StoreInterval);
    this->Store.Begin();
    this->PendingLoad.clear();
    this->Timeline = std::move(timeline);
    this->StateWasLoaded();
  }

  void StoreEvery(TimelineT& timeline, double interval)
  {
    timeline.storeEvery(interval,
      [this](const BytesT& state, std::uint64_t number) { this->Store.Write(state, number); });
  }

  // Errors about the state in a readable file do not name the file, so it is added here.
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
  vtkDEMStore Store;
  std::string PendingLoad;
};

#endif
