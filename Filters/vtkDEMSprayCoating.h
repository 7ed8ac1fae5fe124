/**
 * @class   vtkDEMSprayCoating
 * @brief   coats grains of stored frames, or of any code, with the spray of nozzles
 *
 * Inputs: port 0 grains, any point set with radii (m), of several time steps or one; port 1 nozzles
 * (vtkDEMNozzle, or several as a composite data set); port 2 (optional) surfaces that catch rays,
 * as they are at each time. Shapes and orientations are read as by vtkDEMShapes, periodic axes from
 * the field data Periodic and Box.
 *
 * Output: the grains of the requested time with the point arrays CoatingMass (kg), SprayHits (rays)
 * and SprayTime (s: time of the samples in which at least one ray hit the grain, added up over the
 * nozzles), with CoatingPatches also CoatingPatchMass (kg, 6 n^2 a grain) and
 * PatchVariation (standard deviation over mean of the patches of a grain), and the field data
 * SprayEmitted, SprayOnGrains, SprayOnWalls, SprayMissed (rays) and CoatingVariation (standard
 * deviation over mean of CoatingMass of the grains in the output).
 *
 * Each time step of the input from StartTime to before StopTime of a nozzle is one sample. It
 * stands for the time up to the next step (the last one: from the step before), at most up to
 * StopTime. A request counts the steps up to its time, and a later request continues there. Coating
 * belongs to the Id of a grain; Ids must differ. Without Ids it belongs to the number of the point.
 *
 * The hits are those of a run (DEM Simulation with the same nozzles) if StartTime is an output
 * time, SampleInterval is the output interval, no nozzle moves, and the run has no borders that
 * stop rays and no plane walls, which are one-sided: the surfaces here are two-sided triangles.
 */

#ifndef vtkDEMSprayCoating_h
#define vtkDEMSprayCoating_h

#include "vtkParaGrainFiltersModule.h" // for export macro
#include "vtkPolyDataAlgorithm.h"

#include <memory> // for std::unique_ptr
#include <string> // for std::string
#include <vector> // for std::vector

namespace dem
{
struct Nozzle;
struct SprayOptions;
struct WallElement;
} // namespace dem
class vtkPointSet;

class VTKPARAGRAINFILTERS_EXPORT vtkDEMSprayCoating : public vtkPolyDataAlgorithm
{
public:
  static vtkDEMSprayCoating* New();
  vtkTypeMacro(vtkDEMSprayCoating, vtkPolyDataAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum InputPorts
  {
    INPUT_GRAINS = 0,
    INPUT_NOZZLES,
    INPUT_SURFACES,
    NUMBER_OF_INPUT_PORTS
  };

  ///@{
  /**
   * Point array with the radii in m (diameters are halved); null or Automatic (default) = by name.
   */
  void SetRadiusArray(const char* name);
  const char* GetRadiusArray() const;
  ///@}

  ///@{
  /**
   * Search for the grains that rays meet: 0 = Automatic (default), 1 = Uniform Grid, 2 = BVH. All
   * give the same hits.
   */
  vtkSetMacro(RaySearch, int);
  vtkGetMacro(RaySearch, int);
  ///@}

  ///@{
  /**
   * n: the coating is also kept for 6 n^2 patches of each grain; default 0 = none, at most 32. The
   * patches of all grains may take at most 8 GiB.
   */
  vtkSetMacro(CoatingPatches, int);
  vtkGetMacro(CoatingPatches, int);
  ///@}

  ///@{
  /**
   * Processor: 0 = Auto (default), 1 = CPU, 2 = CUDA. A change keeps what was counted before.
   */
  vtkSetMacro(Device, int);
  vtkGetMacro(Device, int);
  ///@}

  /**
   * Disconnects all inputs of a port.
   */
  void RemoveAllNozzleInputs();
  void RemoveAllSurfaceInputs();

protected:
  vtkDEMSprayCoating();
  ~vtkDEMSprayCoating() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  std::string RadiusArray;
  int RaySearch = 0;
  int CoatingPatches = 0;
  int Device = 0;

private:
  vtkDEMSprayCoating(const vtkDEMSprayCoating&) = delete;
  void operator=(const vtkDEMSprayCoating&) = delete;

  struct SprayInput;

  std::string GetSettings();
  void CountStep(const SprayInput& input, const std::vector<dem::Nozzle>& nozzles,
    const dem::SprayOptions& options, const std::vector<dem::WallElement>& walls);
  void FillOutput(vtkPointSet* points, const SprayInput& input, vtkPolyData* output);
  bool Spray(vtkInformationVector** inputVector, vtkPolyData* output);

  class vtkInternals;
  std::unique_ptr<vtkInternals> Internals;
};

#endif
