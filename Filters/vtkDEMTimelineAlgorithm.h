/**
 * @class   vtkDEMTimelineAlgorithm
 * @brief   base of all simulations: advances a run to the time that the pipeline requests
 *
 * Abstract. A subclass reads the scene, owns the run (vtkDEMAnyRun) and fills the outputs. This
 * class declares the times on all ports, snaps requested times down to a whole output, and advances
 * the run.
 *
 * Units are SI. Any time may be requested, in any order; DATA_TIME_STEP of the outputs is the time
 * shown. The same time always shows the same data. A request that computes steps reports progress
 * with the simulated time as text. It stops when AbortExecute is set (by an observer of
 * ProgressEvent). The outputs then show the time reached, and the next request continues from
 * there.
 *
 * Under MPI the input may lie on all ranks. Rank 0 computes, and the other ranks produce empty
 * outputs of the same structure; or all ranks share a run that is large enough (ShareScene), and
 * each shows its part.
 *
 * A run is kept as long as its scene stays the same by value, whatever the MTime of this object.
 * Setting a property to another value and back before the next request keeps the run. So does an
 * input that executes again with the same result.
 */

#ifndef vtkDEMTimelineAlgorithm_h
#define vtkDEMTimelineAlgorithm_h

#include "vtkAlgorithm.h"
#include "vtkParaGrainFiltersModule.h" // for export macro

#include <algorithm> // for std::min
#include <cstddef>   // for std::size_t
#include <map>       // for std::map
#include <memory>    // for std::unique_ptr
#include <string>    // for std::string
#include <utility>   // for std::pair
#include <vector>    // for std::vector

class vtkDEMAnyRun;
class vtkDEMInterruption;
class vtkMultiProcessController;
namespace dem
{
class RankChannel;
}

class VTKPARAGRAINFILTERS_EXPORT vtkDEMTimelineAlgorithm : public vtkAlgorithm
{
public:
  vtkTypeMacro(vtkDEMTimelineAlgorithm, vtkAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Devices
  {
    AUTO = 0,
    CPU,
    CUDA
  };

  ///@{
  /**
   * Processor that computes: AUTO (default) takes a working CUDA device if there is one, else the
   * CPU. CUDA without a usable device is an error that states the reason. A change restarts the
   * run.
   */
  void SetDevice(int device);
  vtkGetMacro(Device, int);
  ///@}

  ///@{
  /**
   * Number of CPU threads; default 0 = all that the process may use, >= 0. The result does not
   * depend on it.
   */
  void SetThreads(int threads);
  vtkGetMacro(Threads, int);
  ///@}

  ///@{
  /**
   * Number of the CUDA device, or of the first one of several; default 0, >= 0. A number that no
   * device has is an error.
   */
  vtkSetClampMacro(DeviceNumber, int, 0, VTK_INT_MAX);
  vtkGetMacro(DeviceNumber, int);
  ///@}

  ///@{
  /**
   * Number of CUDA devices that share the run, from DeviceNumber on; default 1, range 0 to 32.
   * 0: automatic, one for each 500,000 grains. More than there are is an error. So are several
   * devices for MPM, grains of other shapes than spheres, heat transfer and fluids. The result does
   * not depend on the number of devices.
   */
  vtkSetClampMacro(Devices, int, 0, 32);
  vtkGetMacro(Devices, int);
  ///@}

  ///@{
  /**
   * Host memory in MiB for frames that were shown; default 1024, >= 1. When it is full, frames are
   * thinned evenly in time; dropped ones are computed again when requested.
   */
  vtkSetClampMacro(FrameMemory, double, 1, VTK_DOUBLE_MAX);
  vtkGetMacro(FrameMemory, double);
  ///@}

  ///@{
  /**
   * Host memory in MiB for snapshots, the states from which an earlier time is computed again;
   * default 1024, >= 1. When it is full, snapshots are thinned evenly in time.
   */
  vtkSetClampMacro(SnapshotMemory, double, 1, VTK_DOUBLE_MAX);
  vtkGetMacro(SnapshotMemory, double);
  ///@}

  ///@{
  /**
   * Answer every request in slices of MonitorInterval and show the time reached after each slice,
   * to watch a long run; default off. A restarted run shows its start at once. GetNeedsUpdate is
   * true until the requested time is reached.
   */
  vtkSetMacro(Monitor, bool);
  vtkGetMacro(Monitor, bool);
  vtkBooleanMacro(Monitor, bool);
  ///@}

  ///@{
  /**
   * Wall-clock time of a slice in s; default 0.5, 0.05 to 3600.
   */
  vtkSetClampMacro(MonitorInterval, double, 0.05, 3600.0);
  vtkGetMacro(MonitorInterval, double);
  ///@}

  ///@{
  /**
   * Monitor only requests of WatchedTime; default on. A window sets WatchedTime (s) to the time of
   * its scene, and to NO_TIME (default) while the scene plays. So the picture is monitored, but
   * filters over time, saved animations and scripts get the requested time. SetWatchedTime does not
   * mark this object as modified.
   */
  static constexpr double NO_TIME = -1;
  vtkSetMacro(MonitorInWindow, bool);
  vtkGetMacro(MonitorInWindow, bool);
  vtkBooleanMacro(MonitorInWindow, bool);
  void SetWatchedTime(double time);
  vtkGetMacro(WatchedTime, double);
  ///@}

  ///@{
  /**
   * Checkpoint that the run starts from; default none. Times before that of the checkpoint are
   * computed from 0. A file of another scene is an error.
   */
  void SetRestartFile(const char* fileName);
  const char* GetRestartFile() const;
  ///@}

  ///@{
  /**
   * File of SaveCheckpoint and LoadCheckpoint; default none. Both commands report an error without
   * it.
   */
  void SetCheckpointFile(const char* fileName);
  const char* GetCheckpointFile() const { return this->CheckpointFile.c_str(); }
  ///@}

  ///@{
  /**
   * Simulated time in s between two checkpoint files that the run writes while it advances; default
   * 0 = none. Not shorter than a time step. -1: that of the file of vtkDEMCaseReader, whose default
   * it is; other classes have no file, thus none. Names come from CheckpointFile:
   * run.dem-checkpoint gives run_000001.dem-checkpoint at the step nearest to CheckpointInterval,
   * run_000002.dem-checkpoint at twice that time. A replay of earlier times writes nothing. A file
   * that cannot be written is an error; the run stops there and can go on.
   */
  vtkSetClampMacro(CheckpointInterval, double, -1, VTK_DOUBLE_MAX);
  vtkGetMacro(CheckpointInterval, double);
  ///@}

  ///@{
  /**
   * Number of files of CheckpointInterval that are kept, the newest ones; default 2. 0 keeps all.
   * -1: that of the file of vtkDEMCaseReader, whose default it is, else 2.
   */
  vtkSetClampMacro(CheckpointsKept, int, -1, VTK_INT_MAX);
  vtkGetMacro(CheckpointsKept, int);
  ///@}

  ///@{
  /**
   * Memory in MiB on the run's device for the newest frame, which filters downstream read without a
   * copy; default 2048, >= 0. Larger frames are not kept: filters then read the arrays of the
   * outputs. 0 keeps none.
   */
  vtkSetClampMacro(DeviceFrameMemory, double, 0, VTK_DOUBLE_MAX);
  vtkGetMacro(DeviceFrameMemory, double);
  ///@}

  enum ChangeModes
  {
    RESTART = 0,
    STEER
  };

  ///@{
  /**
   * Effect of a changed property. RESTART (default) restarts the run from 0. STEER changes gravity,
   * materials (except density) and the speeds of walls from the time shown on. Such changes become
   * events, which SteeringEvents and checkpoints keep and which are applied again on replay. Any
   * other change restarts the run in both modes.
   */
  void SetWhenChanged(int mode);
  vtkGetMacro(WhenChanged, int);
  ///@}

  ///@{
  /**
   * The events of STEER as text; default empty. A run with the same text gives the same bits. One
   * event a line: time in s, name of the property, numbers in SI units. The numbers of WallRate
   * (rad/s), WallVelocity (m/s), WallTemperature (K), WallHeatFlux (W/m^2) and WallContactFriction
   * follow the index of the wall, those of NozzleMassRate (kg/s), NozzlePosition (m) and NozzleAxis
   * that of the nozzle. Names: those, Gravity; of grains YoungsModulus, PoissonsRatio, Restitution,
   * Friction, RollingFriction, of their walls with Wall in front; of a continuum those of its
   * material (FrictionAngle in rad), BorderFriction, WallContactFriction. `start` instead of a time
   * gives the value that the run begins with, if it differs from the present value of the property.
   * The run itself writes this text; a restart and Reset empty it. Setting another text restarts
   * the run. A text that cannot be parsed is an error that names the line.
   */
  void SetSteeringEvents(const char* events);
  const char* GetSteeringEvents() const { return this->SteeringEvents.c_str(); }
  ///@}

  /**
   * Discards the run and its SteeringEvents: the next request starts from 0.
   */
  void Reset();

  /**
   * Writes the state at the time shown to CheckpointFile. Reports an error if there is no run yet.
   */
  void SaveCheckpoint();

  /**
   * Continues from CheckpointFile, which must have been saved by a run of the same scene. After an
   * error the run is unchanged.
   */
  void LoadCheckpoint();

  /**
   * Ends a request that is answered in slices at the time reached. The next request of the same
   * time continues. Does not mark this object as modified.
   */
  void StopHere();

  /**
   * True while a request that is answered in slices has not reached its time. Then marks this
   * object as modified, so that the next update continues. The same on all ranks.
   */
  bool GetNeedsUpdate();

  /**
   * Names of the materials of the frame shown last, one a line, in the order of the point array
   * Material; empty before the first frame. Only on rank 0.
   */
  const char* GetMaterialsInUse() const { return this->MaterialsInUse.c_str(); }

  ///@{
  /**
   * Properties of the present run: name of the device, time step in s, time that the solver has
   * reached in s, memory on the device in bytes. Empty and zeros without a run.
   */
  const char* GetDeviceInUse();
  double GetTimeStepInUse();
  double GetTimeReached();
  double GetDeviceMemoryInUse();
  ///@}

  /**
   * Sets the name of an input in the pipeline browser, for messages only. The proxy of the run
   * calls this.
   */
  void SetInputName(int port, int index, const char* name);

  vtkTypeBool ProcessRequest(vtkInformation* request, vtkInformationVector** inputVector,
    vtkInformationVector* outputVector) override;
  vtkMTimeType GetMTime() override;

protected:
  vtkDEMTimelineAlgorithm();
  ~vtkDEMTimelineAlgorithm() override;

  /**
   * The run; on ranks other than 0 a run that never starts.
   */
  virtual vtkDEMAnyRun& GetRun() = 0;

  /**
   * To be called by FillOutputs with the materials of the frame.
   */
  void SetMaterialsInUse(const std::vector<std::string>& names);

  /**
   * First word of progress texts: "DEM" gives "DEM t=0.31 s".
   */
  virtual std::string GetProgressName() = 0;

  /**
   * End and spacing of the outputs in s. Throws dem::Error. Must give the same on all ranks.
   */
  virtual void ReadTimes(double& endTime, double& outputInterval) = 0;

  /**
   * Reads further properties of the outputs that RequestInformation needs. Throws dem::Error.
   */
  virtual void ReadInformation() {}

  /**
   * Time of the last change of the scene's properties and inputs.
   */
  virtual vtkMTimeType GetSceneMTime(vtkInformationVector** inputVector);

  /**
   * Reads the scene and keeps it for PrepareRun. Collective: called on all ranks, and throws
   * dem::Error only after the last communication.
   */
  virtual void ReadInputs(vtkInformationVector** inputVector) = 0;

  /**
   * Called on all ranks after ReadInputs, of which rank 0 has the whole scene. Returns true if all
   * ranks share the run; each then has the scene. Collective; throws dem::Error.
   */
  virtual bool ShareScene(vtkMultiProcessController*) { return false; }

  /**
   * Updates the run with the present options and, if `read`, with the scene of the last ReadInputs.
   * Called before every advance, on rank 0 and on those that share the run. Throws dem::Error.
   */
  virtual void PrepareRun(bool read) = 0;

  /**
   * Fills all outputs with the last frame of the run or, if `shows` is false, with empty data.
   * `controller` is null in one process.
   */
  virtual void FillOutputs(
    bool shows, vtkMultiProcessController* controller, vtkInformationVector* outputVector) = 0;

  /**
   * Names of all inputs at a port. An input without a name is called "Input 2 of <label>", counted
   * from 1.
   */
  std::vector<std::string> GetInputNames(int port, const char* label);

  /**
   * For ReadInputs: shows a warning about an input to the user. An empty text is ignored.
   */
  void AddWarning(const std::string& warning);

  /**
   * To be called when a property of the scene has changed. Also calls Modified().
   */
  void SceneModified();

  /**
   * Sets `text` to `value` (null = empty). Returns whether that changed it.
   */
  static bool AssignText(std::string& text, const char* value);

  /**
   * A number of MiB, as bytes.
   */
  static std::size_t Bytes(double mebibytes)
  {
    constexpr double most = 1e12; // fits in std::size_t
    return mebibytes > 0 ? static_cast<std::size_t>(std::min(mebibytes, most) * 1048576) : 0;
  }

  /**
   * The options that all runs share, as an Options of vtkDEMAnyRun or derived from it. For
   * PrepareRun.
   */
  template <class OptionsT>
  OptionsT MakeOptions() const
  {
    OptionsT options;
    options.Device = static_cast<decltype(options.Device)>(this->Device);
    options.Threads = this->Threads;
    options.DeviceNumber = this->DeviceNumber;
    options.Devices = this->Devices;
    options.Ranks = this->Ranks.get();
    options.FrameMemory = Bytes(this->FrameMemory);
    options.SnapshotMemory = Bytes(this->SnapshotMemory);
    options.DeviceFrameMemory = Bytes(this->DeviceFrameMemory);
    const Checkpoints& ofScene = this->SceneCheckpoints;
    options.RestartFile = this->RestartFile.empty() ? ofScene.Restart : this->RestartFile;
    options.StoreFile = this->CheckpointFile.empty() ? ofScene.File : this->CheckpointFile;
    options.StoreInterval = this->CheckpointIntervalInUse();
    options.StoresKept = this->CheckpointsKept < 0 ? ofScene.Kept : this->CheckpointsKept;
    options.Steer = this->WhenChanged == STEER;
    return options;
  }

  /**
   * In s; 0 = no files.
   */
  double CheckpointIntervalInUse() const
  {
    return this->CheckpointInterval < 0 ? this->SceneCheckpoints.Interval
                                        : this->CheckpointInterval;
  }

  virtual int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*);
  virtual int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*);
  virtual int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*);

  std::vector<std::string> WallLabels; // names of the walls in messages, by index in the scene
  int Device = AUTO;
  int Threads = 0;
  int DeviceNumber = 0;
  int Devices = 1;
  double FrameMemory = 1024;
  double SnapshotMemory = 1024;
  double DeviceFrameMemory = 2048;
  int WhenChanged = RESTART;
  bool Monitor = false;
  double MonitorInterval = 0.5;
  bool MonitorInWindow = true;
  double WatchedTime = NO_TIME;
  std::string RestartFile;
  std::string CheckpointFile;
  double CheckpointInterval = 0;
  int CheckpointsKept = 2;

  // What the scene says about checkpoints, for properties that are empty or -1. For PrepareRun.
  struct Checkpoints
  {
    double Interval = 0; // s
    int Kept = 2;
    std::string File, Restart;
  };
  Checkpoints SceneCheckpoints;

private:
  vtkDEMTimelineAlgorithm(const vtkDEMTimelineAlgorithm&) = delete;
  void operator=(const vtkDEMTimelineAlgorithm&) = delete;

  // Result of a request.
  struct Reply
  {
    double Shown = 0; // time of the outputs, s
    bool HasFrame = false;
    bool Interrupted = false; // by AbortExecute
    bool NeedsUpdate = false; // a slice is shown; the requested time is not reached
  };

  bool SceneIsStale(vtkInformationVector** inputVector, vtkMultiProcessController* controller);
  void ShareSteering(vtkMultiProcessController* controller);
  void UpdateRun(bool read, bool root, double time);
  void Advance(bool slices, bool root, Reply& reply);
  void ShareRun(vtkMultiProcessController* controller);
  void Answer(vtkInformationVector** inputVector, vtkMultiProcessController* controller,
    double time, bool slices, bool rest, Reply& reply);
  void GoOn();
  void ShowWarnings(bool root);
  std::string AsShown(const std::string& message) const;

  bool OtherTimes = false;   // than the watched one were requested since it was set
  bool SliceIsShown = false; // of the watched time
  bool IsStopped = false;    // StopHere() or an abort in the window, for the watched time
  double ShownTime = 0;      // by the last request
  std::string SteeringEvents;
  bool SteeringIsNew = false; // SteeringEvents was set and the run does not have it yet
  std::string DeviceInUse;
  std::string MaterialsInUse;
  vtkTimeStamp SceneStamp;
  vtkMTimeType SceneReadAt = 0; // GetSceneMTime() of the scene of the run
  bool SceneIsRead = false;
  std::unique_ptr<dem::RankChannel> Ranks;               // of a run that all ranks share; else null
  double AskedTime = 0;                                  // of the last request
  std::vector<std::string> InputWarnings;                // of the last ReadInputs
  std::vector<std::string> Warnings;                     // shown for the present scene
  std::map<std::pair<int, int>, std::string> InputNames; // by port and index
  vtkTimeStamp Unfinished;        // part of GetMTime() while an interrupted request is incomplete
  bool InformationFailed = false; // by the last RequestInformation
  std::unique_ptr<vtkDEMInterruption> Interruption;
  bool NeedsUpdate = false;
  std::vector<double> Times;
};

#endif
