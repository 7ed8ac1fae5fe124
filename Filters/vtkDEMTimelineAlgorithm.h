/**
 * @class   vtkDEMTimelineAlgorithm
 * @brief   what every simulation shares, as a time-dependent algorithm
 *
 * Abstract. A subclass says what is simulated, owns the run (vtkDEMAnyRun) and fills the outputs;
 * this class declares the times on all ports, snaps requests down to a whole output, and goes
 * there.
 *
 * Units are SI. Any time may be asked for, in any order; DATA_TIME_STEP tells which output is
 * shown. The same time always shows the same data. A request that steps on reports progress with
 * the simulated time as text and stops when AbortExecute is set (by an observer of ProgressEvent);
 * the outputs then show the instant that was reached, and the next request goes on from there.
 *
 * Under MPI the run stays on rank 0, with the input of all ranks; the other ranks give empty
 * outputs of the same structure.
 *
 * A run is tied to what it simulates, not to this object's MTime: setting a property to a value and
 * back before the next request, or an input that executes again with the same result, keeps it.
 */

#ifndef vtkDEMTimelineAlgorithm_h
#define vtkDEMTimelineAlgorithm_h

#include "vtkAlgorithm.h"
#include "vtkParaGrainFiltersModule.h" // for export macro

#include <cstddef> // for std::size_t
#include <map>     // for std::map
#include <string>  // for std::string
#include <utility> // for std::pair
#include <vector>  // for std::vector

class vtkDEMAnyRun;
class vtkMultiProcessController;

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
   * The processor that computes: AUTO (default) takes a working CUDA device if there is one, else
   * the CPU; CUDA without one is an error that says why. A change starts the run anew.
   */
  void SetDevice(int device);
  vtkGetMacro(Device, int);
  ///@}

  ///@{
  /**
   * CPU threads; default 0 = all that the process may use. The result does not depend on it.
   */
  void SetThreads(int threads);
  vtkGetMacro(Threads, int);
  ///@}

  ///@{
  /**
   * Host memory in MiB for frames that were shown; default 1024, >= 1. When it is full, frames are
   * thinned evenly in time.
   */
  vtkSetClampMacro(FrameMemory, int, 1, VTK_INT_MAX);
  vtkGetMacro(FrameMemory, int);
  ///@}

  ///@{
  /**
   * Host memory in MiB for whole states that going back starts from; default 1024, >= 1. When it is
   * full, they are thinned evenly.
   */
  vtkSetClampMacro(SnapshotMemory, int, 1, VTK_INT_MAX);
  vtkGetMacro(SnapshotMemory, int);
  ///@}

  ///@{
  /**
   * Answer every request in slices of MonitorInterval and show the time reached in between, for
   * watching a long run; default off. A run that begins again shows its start at once.
   * GetNeedsUpdate tells when there is more to come.
   */
  vtkSetMacro(Monitor, bool);
  vtkGetMacro(Monitor, bool);
  vtkBooleanMacro(Monitor, bool);
  ///@}

  ///@{
  /**
   * Wall-clock seconds of a slice; default 0.5, >= 0.05.
   */
  vtkSetClampMacro(MonitorInterval, double, 0.05, 3600.0);
  vtkGetMacro(MonitorInterval, double);
  ///@}

  ///@{
  /**
   * As Monitor, for requests of WatchedTime alone; default on. A window sets WatchedTime, in s, to
   * the time of its scene, and to NO_TIME, the default, while the scene plays. So the picture is
   * monitored, while filters over time and saved animations get whole times, and scripts too.
   * SetWatchedTime does not mark this object as modified.
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
   * A checkpoint that the run starts from; default none. Times before it are replayed from 0.
   */
  void SetRestartFile(const char* fileName);
  const char* GetRestartFile() const;
  ///@}

  ///@{
  /**
   * The file of SaveCheckpoint and LoadCheckpoint; default none.
   */
  void SetCheckpointFile(const char* fileName);
  const char* GetCheckpointFile() const;
  ///@}

  ///@{
  /**
   * Memory in MiB of the run's device for the newest frame, where filters behind it read it;
   * default 2048, 0 = none: they then read the arrays that are shown. A frame that takes more is
   * not kept.
   */
  vtkSetClampMacro(DeviceFrameMemory, int, 0, VTK_INT_MAX);
  vtkGetMacro(DeviceFrameMemory, int);
  ///@}

  enum ChangeModes
  {
    RESTART = 0,
    STEER
  };

  ///@{
  /**
   * What a changed property does: RESTART (default) runs again from 0; STEER lets gravity,
   * materials (but density) and the speeds of walls change from the shown time on, as events that
   * are kept in SteeringEvents and in checkpoints and applied again on replay. Any other change
   * starts the run anew in both modes.
   */
  void SetWhenChanged(int mode);
  vtkGetMacro(WhenChanged, int);
  ///@}

  ///@{
  /**
   * The changes under way that STEER has made, as text; a run with the same text is the same to the
   * bit. One a line: a time in s, a property by its name and its numbers in SI units,
   * for WallRate (rad/s), WallVelocity (m/s) and WallContactFriction after the wall's index. Names:
   * Gravity, WallRate, WallVelocity; of grains YoungsModulus, PoissonsRatio, Restitution, Friction,
   * RollingFriction, of their walls with Wall in front; of a continuum those of its material
   * (FrictionAngle in rad), BorderFriction, WallContactFriction.
   * `start` in place of a time gives the value that the run begins with, in place of the present
   * one of that property. Default empty. The run writes it: a change that starts the run anew and
   * Reset empty it. Another text starts the run anew; one that cannot be read is an error that
   * names the line.
   */
  void SetSteeringEvents(const char* events);
  const char* GetSteeringEvents() const;
  ///@}

  /**
   * Forgets the run and its SteeringEvents: the next request starts from 0.
   */
  void Reset();

  /**
   * Writes the whole state at the time shown into CheckpointFile.
   */
  void SaveCheckpoint();

  /**
   * Goes on from CheckpointFile. It must have been saved by a run of the same scene.
   */
  void LoadCheckpoint();

  /**
   * Leaves a time that is shown in slices at the one that was reached. The next request of it goes
   * on. Does not mark this object as modified.
   */
  void StopHere();

  /**
   * True while a time that is shown in slices is not reached. Marks this object as modified then,
   * so that the next update goes on; the same on all ranks.
   */
  bool GetNeedsUpdate();

  /**
   * Names of the materials of the frame shown last, in the order of the point array Material, one a
   * line; empty before the first. On the rank that computes.
   */
  const char* GetMaterialsInUse() const;

  ///@{
  /**
   * What the run uses, once there is one: the device by name, the time step in s, the time the
   * solver has reached in s, the memory on the device in bytes.
   */
  const char* GetDeviceInUse();
  double GetTimeStepInUse();
  double GetTimeReached();
  double GetDeviceMemoryInUse();
  ///@}

  /**
   * The name that an input has in the pipeline browser. Messages use it; no data depend on it. The
   * proxy of the run sets it.
   */
  void SetInputName(int port, int index, const char* name);

  vtkTypeBool ProcessRequest(vtkInformation* request, vtkInformationVector** inputVector,
    vtkInformationVector* outputVector) override;
  vtkMTimeType GetMTime() override;

protected:
  vtkDEMTimelineAlgorithm();
  ~vtkDEMTimelineAlgorithm() override;

  /**
   * The run; on ranks that do not compute one that never starts.
   */
  virtual vtkDEMAnyRun& GetRun() = 0;

  /**
   * To be called when outputs are filled.
   */
  void SetMaterialsInUse(const std::vector<std::string>& names);

  /**
   * What progress is told of: "DEM" gives "DEM t=0.31 s".
   */
  virtual std::string GetProgressName() = 0;

  /**
   * End and spacing of the outputs, s. Throws dem::Error. Every rank must come to the same.
   */
  virtual void ReadTimes(double& endTime, double& outputInterval) = 0;

  /**
   * Reads what else must be known of the outputs before there are data. Throws dem::Error.
   */
  virtual void ReadInformation() {}

  /**
   * When the scene may have changed last.
   */
  virtual vtkMTimeType GetSceneMTime(vtkInformationVector** inputVector);

  /**
   * Reads what is simulated and keeps it for PrepareRun. Called on all ranks. Throws dem::Error,
   * after the ranks have met.
   */
  virtual void ReadInputs(vtkInformationVector** inputVector) = 0;

  /**
   * Brings the run in line with the options and, if `read`, with the scene of the last ReadInputs.
   * Called before every advance, on rank 0 only. Throws dem::Error.
   */
  virtual void PrepareRun(bool read) = 0;

  /**
   * Fills all outputs. `shows` tells whether there is a frame: the last one of the run.
   * `controller` is null in one process.
   */
  virtual void FillOutputs(
    bool shows, vtkMultiProcessController* controller, vtkInformationVector* outputVector) = 0;

  /**
   * The names of all inputs at a port; without one "Input 2 of <label>", counted from 1.
   */
  std::vector<std::string> GetInputNames(int port, const char* label);

  /**
   * For ReadInputs: what a user should know of an input. Nothing if it is empty.
   */
  void AddWarning(const std::string& warning);

  /**
   * A property that the scene is made of has changed.
   */
  void SceneModified();

  /**
   * Sets a text and tells whether it is another one; null is empty.
   */
  static bool AssignText(std::string& text, const char* value);

  /**
   * What runs of all kinds are told in PrepareRun, for an Options of vtkDEMAnyRun.
   */
  template <class OptionsT>
  OptionsT MakeOptions() const
  {
    OptionsT options;
    options.Device = static_cast<decltype(options.Device)>(this->Device);
    options.Threads = this->Threads;
    options.FrameMemory = static_cast<std::size_t>(this->FrameMemory) << 20;
    options.SnapshotMemory = static_cast<std::size_t>(this->SnapshotMemory) << 20;
    options.DeviceFrameMemory = static_cast<std::size_t>(this->DeviceFrameMemory) << 20;
    options.RestartFile = this->RestartFile;
    options.Steer = this->WhenChanged == STEER;
    return options;
  }

  virtual int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*);
  virtual int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*);
  virtual int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*);

  std::vector<std::string> WallLabels; // what messages call each wall of the scene
  int Device = AUTO;
  int Threads = 0;
  int FrameMemory = 1024;
  int SnapshotMemory = 1024;
  int DeviceFrameMemory = 2048;
  int WhenChanged = RESTART;
  bool Monitor = false;
  double MonitorInterval = 0.5;
  bool MonitorInWindow = true;
  double WatchedTime = NO_TIME;
  std::string RestartFile;
  std::string CheckpointFile;

private:
  vtkDEMTimelineAlgorithm(const vtkDEMTimelineAlgorithm&) = delete;
  void operator=(const vtkDEMTimelineAlgorithm&) = delete;

  // What a request of a time has led to.
  struct Reply
  {
    double Shown = 0; // time of the outputs, s
    bool HasFrame = false;
    bool Interrupted = false; // by AbortExecute
    bool NeedsUpdate = false; // a slice is shown; the requested time is not reached
  };

  double Snapped(double time) const;
  bool SceneIsStale(vtkInformationVector** inputVector, vtkMultiProcessController* controller);
  void ShareSteering(vtkMultiProcessController* controller);
  void MakeTimes();
  void UpdateRun(bool read, double time);
  void Advance(bool slices, Reply& reply);
  void Answer(vtkInformationVector** inputVector, vtkMultiProcessController* controller,
    double time, bool slices, Reply& reply);
  void TellWarnings(bool root);
  std::string AsShown(const std::string& message) const;

  bool OtherTimes = false;   // were asked for since the watched time was set
  bool SliceIsShown = false; // of the watched time
  double ShownTime = 0;      // by the last request
  std::string SteeringEvents;
  bool SteeringIsNew = false; // a text from outside that the run has not taken yet
  std::string DeviceInUse;
  std::string MaterialsInUse;
  vtkTimeStamp SceneStamp;
  vtkMTimeType SceneReadAt = 0; // GetSceneMTime of the scene that the run has
  bool SceneIsRead = false;
  double AskedTime = 0;                                  // of the last request
  std::vector<std::string> InputWarnings;                // of the last ReadInputs
  std::vector<std::string> Warnings;                     // that were shown for the scene
  std::map<std::pair<int, int>, std::string> InputNames; // by port and index
  vtkTimeStamp Unfinished; // counts as this object's MTime while an interrupted request waits
  bool InformationFailed = false; // by the last RequestInformation
  bool Interrupted = false;
  bool NeedsUpdate = false;
  std::vector<double> Times;
};

#endif
