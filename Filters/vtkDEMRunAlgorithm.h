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
 * See vtkDEMTimelineAlgorithm for what a request of a time does.
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
    NUMBER_OF_OUTPUT_PORTS
  };

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
   * What the search for contacts of the present run has chosen: the method, its size of a cell (0:
   * without cells) and its skin in m, and entries of the list a particle. Empty and zeros without a
   * run.
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
   * What the run is to average. Throws dem::Error. Every rank must come to the same.
   */
  virtual void ReadAverages(dem::AveragesOptions& averages) = 0;

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
   * `scene` is what the run has, with the borders that it keeps.
   */
  virtual void SceneIsInUse(const dem::Scene& vtkNotUsed(scene)) {}

  vtkDEMAnyRun& GetRun() override;
  std::string GetProgressName() override;
  void ReadInformation() override;
  void ReadInputs(vtkInformationVector** inputVector) override;
  void PrepareRun(bool read) override;
  void FillOutputs(
    bool shows, vtkMultiProcessController* controller, vtkInformationVector* outputVector) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int FillOutputPortInformation(int port, vtkInformation* info) override;

private:
  vtkDEMRunAlgorithm(const vtkDEMRunAlgorithm&) = delete;
  void operator=(const vtkDEMRunAlgorithm&) = delete;

  class vtkInternals;
  std::unique_ptr<vtkInternals> Internals;
};

#endif
