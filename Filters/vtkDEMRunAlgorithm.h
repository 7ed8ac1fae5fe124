/**
 * @class   vtkDEMRunAlgorithm
 * @brief   base of all algorithms that run a DEM simulation
 *
 * Abstract, time dependent. A subclass reads the scene (ReadScene). This class runs the simulation,
 * keeps its frames and fills the outputs:
 *
 * - port 0 `Particles` (vtkPolyData, one vertex a particle, ascending Id): point arrays Id, Radius,
 * Velocity, AngularVelocity, Orientation (w x y z), Force, Torque, Mass, Material, Shape,
 * CoordinationNumber, Stress (xx yy zz xy yz xz, tension positive), Temperature (K) and HeatFlow
 * (W) if they are selected. With nozzles also CoatingMass (kg), SprayHits (rays), SprayTime (s in
 * the spray) and, with CoatingPatches n, CoatingPatchMass (kg, 6 n^2 a grain)
 * and PatchVariation (standard deviation over mean of the patches of a grain).
 * - port 1 `Contacts` (vtkPolyData, one line a contact): cell arrays ParticleIds (a wall is -1 -
 * its index; the domain's borders come after the walls), NormalForce, TangentialForce, Overlap,
 * Sliding and, with contact statistics, Age, SlipDistance, DissipatedEnergy; with a cohesion
 * model CohesiveForce; point array Id.
 * - port 2 `Walls` (vtkPolyData): cell arrays Wall (index), Pressure, ShearStress, Force, with
 * nozzles also CoatingMass (kg). Analytic walls (planes, cylinders ...) are shown as polygons with
 * their load and coating spread evenly.
 * - port 3 `Statistics` (vtkTable, one row): time, step, energies, counts, device. The field data
 * of the ports 0 to 2 have the same values.
 * - port 4 `Averages` (vtkImageData, empty unless asked for): means over the samples that the run
 * has taken up to the time shown. Cell arrays as of vtkDEMCellAverage with a time window: each with
 * its StandardError, and Count, the number of samples with grains in the cell. Field data Samples.
 *
 * - port 5 `Fluid` (vtkImageData, empty without a computed flow): cell arrays Velocity (m/s, in the
 * voids), Pressure (Pa, without the weight of the fluid), VoidFraction (0 in cells without fluid),
 * DragForce (N/m^3, on the grains by volume). The flow is that at the end of its present step,
 * which may be up to one step of the flow after the time shown.
 *
 * vtkDEMTimelineAlgorithm describes how a requested time is reached.
 */

#ifndef vtkDEMRunAlgorithm_h
#define vtkDEMRunAlgorithm_h

#include "vtkDEMSceneAlgorithm.h"

#include <memory> // for std::unique_ptr
#include <string> // for std::string

namespace dem
{
struct AveragesOptions;
struct Scene;
} // namespace dem
class vtkDataArraySelection;

class VTKPARAGRAINFILTERS_EXPORT vtkDEMRunAlgorithm : public vtkDEMSceneAlgorithm
{
public:
  vtkTypeMacro(vtkDEMRunAlgorithm, vtkDEMSceneAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum OutputPorts
  {
    PARTICLES = 0,
    CONTACTS,
    WALLS,
    STATISTICS,
    AVERAGES,
    FLUID,
    NUMBER_OF_OUTPUT_PORTS
  };

  ///@{
  /**
   * Selection of the point arrays of port 0; default all but Temperature. Id and Radius are always
   * present. Arrays that are off are not computed. Unknown names are ignored.
   */
  int GetNumberOfParticleArrays();
  const char* GetParticleArrayName(int index);
  int GetParticleArrayStatus(const char* name);
  void SetParticleArrayStatus(const char* name, int status);
  ///@}

  ///@{
  /**
   * Selection of the cell arrays of port 1; default all. ParticleIds is always present. With all
   * off, contacts are not gathered and port 1 is empty.
   */
  int GetNumberOfContactArrays();
  const char* GetContactArrayName(int index);
  int GetContactArrayStatus(const char* name);
  void SetContactArrayStatus(const char* name, int status);
  ///@}

  ///@{
  /**
   * Choices of the contact search of the present run: the method, its cell size in m (0 for methods
   * without cells), its skin in m, and the number of list entries per particle. Empty and zeros
   * without a run.
   */
  const char* GetSearchInUse();
  double GetCellSizeInUse();
  double GetSkinInUse();
  double GetListEntriesInUse();
  ///@}

protected:
  vtkDEMRunAlgorithm();
  ~vtkDEMRunAlgorithm() override;

  /**
   * Options of the averages that the run takes. Throws dem::Error. Must give the same on all ranks.
   */
  virtual void ReadAverages(dem::AveragesOptions& averages) = 0;

  /**
   * Reads the scene. Collective; only the scene of rank 0 is used. Throws dem::Error after the last
   * communication.
   */
  virtual void ReadScene(vtkInformationVector** inputVector, dem::Scene& scene) = 0;

  /**
   * As ReadScene, before the data are requested, if the scene has a computed flow: the extent of
   * port 5 follows from it. Else leaves `scene`. Collective.
   */
  virtual void ReadFlowScene(vtkInformationVector** inputVector, dem::Scene& scene) = 0;

  /**
   * Whether contacts have Age, SlipDistance and DissipatedEnergy.
   */
  virtual bool HasContactStatistics() = 0;

  /**
   * Number of patches of the coating of each grain; -1 without nozzles.
   */
  virtual int GetCoatingPatchesInUse() = 0;

  /**
   * Called with the scene of the run, whose domain may differ from that of the last ReadScene.
   */
  virtual void SceneIsInUse(const dem::Scene& vtkNotUsed(scene)) {}

  vtkDEMAnyRun& GetRun() override;
  std::string GetProgressName() override;
  void ReadInformation() override;
  void ReadInputs(vtkInformationVector** inputVector) override;
  bool ShareScene(vtkMultiProcessController* controller) override;
  bool RanksPay(const dem::Scene& scene, int ranks);
  void PrepareRun(bool read) override;
  void FillOutputs(
    bool shows, vtkMultiProcessController* controller, vtkInformationVector* outputVector) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int FillOutputPortInformation(int port, vtkInformation* info) override;

private:
  void FindFluidCells(vtkInformationVector** inputVector);

  vtkDEMRunAlgorithm(const vtkDEMRunAlgorithm&) = delete;
  void operator=(const vtkDEMRunAlgorithm&) = delete;

  class vtkInternals;
  std::unique_ptr<vtkInternals> Internals;
};

#endif
