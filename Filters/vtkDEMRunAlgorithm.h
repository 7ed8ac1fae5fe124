/**
 * @class   vtkDEMRunAlgorithm
 * @brief   what every algorithm that runs a DEM simulation shares
 *
 * Abstract, time dependent. A subclass says what is simulated (ReadScene); this class runs it,
 * keeps its past and fills the outputs:
 *
 * - port 0 `Particles` (vtkPolyData, one vertex a particle, ascending Id): point arrays Id, Radius,
 * Velocity, AngularVelocity, Orientation (w x y z), Force, Torque, Mass, Material, Shape,
 * CoordinationNumber, Stress (xx yy zz xy yz xz, tension positive).
 * - port 1 `Contacts` (vtkPolyData, one line a contact): cell arrays ParticleIds (a wall is -1 -
 * its index; the domain's borders come after the walls), NormalForce, TangentialForce, Overlap,
 * Sliding and, with contact statistics, Age, SlipDistance, DissipatedEnergy; point array Id.
 * - port 2 `Walls` (vtkPolyData): cell arrays Wall (index), Pressure, ShearStress, Force. Walls
 * that are no meshes are shown as polygons with their load spread evenly.
 * - port 3 `Statistics` (vtkTable, one row): time, step, energies, counts, device. The field data
 * of the other ports has the same.
 * - port 4 `Averages` (vtkImageData, empty unless asked for): means over the samples that the run
 * itself has taken up to the time shown. Cell arrays as of vtkDEMCellAverage with a time window:
 * each with its StandardError, and Count, the samples that had grains there; field data Samples.
 *
 * Units are SI. Any time may be asked for, in any order: requests are snapped down to a whole
 * output, and DATA_TIME_STEP tells which. The same time always shows the same data. A request that
 * steps on reports progress with the simulated time as text and stops when AbortExecute is set (by
 * an observer of ProgressEvent); the outputs then show the instant that was reached, and the next
 * request goes on from there.
 *
 * Under MPI the run stays on rank 0, with the input of all ranks; the other ranks give empty
 * outputs of the same structure.
 *
 * A run is tied to what it simulates, not to this object's MTime: setting a property to a value and
 * back before the next request, or an input that executes again with the same result, keeps it.
 */

#ifndef vtkDEMRunAlgorithm_h
#define vtkDEMRunAlgorithm_h

#include "vtkAlgorithm.h"
#include "vtkParaGrainFiltersModule.h" // for export macro

#include <memory> // for std::unique_ptr

namespace dem
{
struct AveragesOptions;
struct Scene;
}
class vtkDataArraySelection;

class VTKPARAGRAINFILTERS_EXPORT vtkDEMRunAlgorithm : public vtkAlgorithm
{
public:
  vtkTypeMacro(vtkDEMRunAlgorithm, vtkAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum OutputPorts
  {
    PARTICLES = 0,
    CONTACTS,
    WALLS,
    STATISTICS,
    AVERAGES,
    NUMBER_OF_OUTPUT_PORTS
  };

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
   * Memory in MiB of the run's device for the newest frame, where filters behind it read it; default
   * 2048, 0 = none: they then read the arrays that are shown. A frame that takes more is not kept.
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
   * What a changed property does: RESTART (default) runs again from 0; STEER lets gravity, the
   * grains' and walls' material and the speeds of walls change from the shown time on, as events
   * that are kept in SteeringEvents and in checkpoints and applied again on replay. Any other change
   * starts the run anew in both modes.
   */
  void SetWhenChanged(int mode);
  vtkGetMacro(WhenChanged, int);
  ///@}

  ///@{
  /**
   * The changes under way that STEER has made, as text; a run with the same text is the same to the
   * bit. One a line: a time in s, a property by its name (Gravity; YoungsModulus, PoissonsRatio,
   * Restitution, Friction, RollingFriction, of walls with Wall in front; WallRate, WallVelocity) and
   * its numbers in SI units, for WallRate (rad/s) and WallVelocity (m/s) after the wall's index.
   * `start` in place of a time gives the value that the run begins with, in place of the present one
   * of that property. Default empty. The run writes it: a change that starts the run anew and Reset
   * empty it. Another text starts the run anew; one that cannot be read is an error that names the
   * line.
   */
  void SetSteeringEvents(const char* events);
  const char* GetSteeringEvents() const;
  ///@}

  ///@{
  /**
   * Advance in slices of MonitorInterval and show the time reached in between, for watching a long
   * run; default off. GetNeedsUpdate tells when there is more to come.
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
   * True while Monitor is on and the requested time is not reached. Marks this object as modified
   * then, so that the next update goes on; the same on all ranks.
   */
  bool GetNeedsUpdate();

  ///@{
  /**
   * The point arrays of port 0; all on by default. Id and Radius are always there. What is off is
   * not computed.
   */
  int GetNumberOfParticleArrays();
  const char* GetParticleArrayName(int index);
  int GetParticleArrayStatus(const char* name);
  void SetParticleArrayStatus(const char* name, int status);
  ///@}

  ///@{
  /**
   * The cell arrays of port 1; all on by default. ParticleIds is always there. With all off port 1
   * stays empty and costs nothing.
   */
  int GetNumberOfContactArrays();
  const char* GetContactArrayName(int index);
  int GetContactArrayStatus(const char* name);
  void SetContactArrayStatus(const char* name, int status);
  ///@}

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

  vtkTypeBool ProcessRequest(vtkInformation* request, vtkInformationVector** inputVector,
    vtkInformationVector* outputVector) override;
  vtkMTimeType GetMTime() override;

protected:
  vtkDEMRunAlgorithm();
  ~vtkDEMRunAlgorithm() override;

  /**
   * End and spacing of the outputs, s. Throws dem::Error. Every rank must come to the same.
   */
  virtual void ReadTimes(double& endTime, double& outputInterval) = 0;

  /**
   * What the run is to average. Throws dem::Error. Every rank must come to the same.
   */
  virtual void ReadAverages(dem::AveragesOptions& averages) = 0;

  /**
   * When the scene may have changed last.
   */
  virtual vtkMTimeType GetSceneMTime(vtkInformationVector** inputVector);

  /**
   * What is simulated. Called on all ranks; only rank 0's scene counts. Throws dem::Error, after
   * the ranks have met.
   */
  virtual void ReadScene(vtkInformationVector** inputVector, dem::Scene& scene) = 0;

  /**
   * Whether age, slip and dissipation of contacts are asked for.
   */
  virtual bool HasContactStatistics() = 0;

  /**
   * A property that the scene is made of has changed.
   */
  void SceneModified();

  virtual int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*);
  virtual int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*);
  virtual int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*);
  int FillOutputPortInformation(int port, vtkInformation* info) override;

  int Device = AUTO;
  int Threads = 0;
  int FrameMemory = 1024;
  int SnapshotMemory = 1024;
  int DeviceFrameMemory = 2048;
  int WhenChanged = RESTART;
  bool Monitor = false;
  double MonitorInterval = 0.5;

private:
  vtkDEMRunAlgorithm(const vtkDEMRunAlgorithm&) = delete;
  void operator=(const vtkDEMRunAlgorithm&) = delete;

  class vtkInternals;
  std::unique_ptr<vtkInternals> Internals;
};

#endif
