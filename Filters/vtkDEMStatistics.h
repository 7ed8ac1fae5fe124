/**
 * @class   vtkDEMStatistics
 * @brief   statistics of a whole bed: height, energies, mixing, radial distribution, flow
 *
 * Inputs: 0, points with radii, of a simulation or of files of any code; 1, `Surface`, optional,
 * the surface through which flow is counted. Outputs are tables: 0 `Statistics`, one row, for
 * temporal plots; 1 `RadialDistribution`, one row per bin; 2 `FlowBySpecies`, one row per species;
 * 3 `OverTime`, the rows of port 0 of all times shown so far, ascending in time. A single row of
 * port 3 is written twice, since charts cannot draw a line through one point. A change of the
 * settings or the input clears that table; a steered simulation keeps the rows up to the time
 * shown.
 *
 * Grains without an array of masses have the mass of a solid sphere of Density. SpeciesArray
 * defines the species, by default `Material` or a name that other codes use.
 *
 * Flow is counted between consecutive outputs of the input: a grain has passed if its centre was on
 * the other side one output before. Outputs that were not shown are requested, and the totals at
 * each are kept, so that a time shows the same numbers in whatever order times are requested. After
 * a change of the input, the last output counted is compared by value, and counting restarts only
 * if it differs. A grain that a simulation removes at a border is followed up to its exit (field
 * data `ExitId`, `ExitPosition`). Not counted: grains that appear, that vanish from files without
 * these arrays, or that pass and return between two outputs.
 *
 * Under MPI rank 0 computes, with the grains of all ranks.
 */

#ifndef vtkDEMStatistics_h
#define vtkDEMStatistics_h

#include "vtkParaGrainFiltersModule.h" // for export macro
#include "vtkTableAlgorithm.h"

#include <cstdint> // for std::uint64_t
#include <memory>  // for std::unique_ptr
#include <string>  // for std::string

namespace vtkDEMStatisticsTables
{
struct Result;
}
class vtkPolyData;

class VTKPARAGRAINFILTERS_EXPORT vtkDEMStatistics : public vtkTableAlgorithm
{
public:
  static vtkDEMStatistics* New();
  vtkTypeMacro(vtkDEMStatistics, vtkTableAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Ports
  {
    STATISTICS = 0,
    RADIAL_DISTRIBUTION = 1,
    FLOW_BY_SPECIES = 2,
    OVER_TIME = 3,
    NUMBER_OF_PORTS = 4
  };

  ///@{
  /**
   * Point array of the radii (m); empty (default) or `Automatic` = the first array named like a
   * radius.
   */
  void SetRadiusArray(const char* name);
  const char* GetRadiusArray() const;
  ///@}

  ///@{
  /**
   * Density in kg/m^3 of grains without an array of masses; default 2500, > 0.
   */
  vtkSetMacro(Density, double);
  vtkGetMacro(Density, double);
  ///@}

  ///@{
  /**
   * Point array of the species, whole numbers below 2^31; empty (default) = `Material` or `type`.
   */
  void SetSpeciesArray(const char* name);
  const char* GetSpeciesArray() const;
  ///@}

  ///@{
  /**
   * Direction in which heights are measured from the origin; default (0, 0, 1), any length but 0.
   */
  vtkSetVector3Macro(Up, double);
  vtkGetVector3Macro(Up, double);
  ///@}

  ///@{
  /**
   * Percentile of the tops of the grains that defines the height of the bed, in %; default 95, 0 to
   * 100.
   */
  vtkSetMacro(HeightPercentile, double);
  vtkGetMacro(HeightPercentile, double);
  ///@}

  ///@{
  /**
   * Compute `LaceyIndex` and `NeighborMixing`; default on.
   */
  vtkSetMacro(MixingIndices, bool);
  vtkGetMacro(MixingIndices, bool);
  vtkBooleanMacro(MixingIndices, bool);
  ///@}

  ///@{
  /**
   * Edge of the cells of the Lacey index in m; default 0 = four mean diameters, >= 0.
   */
  vtkSetMacro(LaceyCellSize, double);
  vtkGetMacro(LaceyCellSize, double);
  ///@}

  ///@{
  /**
   * Number of neighbours of a grain in `NeighborMixing`; default 12, 1 to 32.
   */
  vtkSetMacro(MixingNeighbors, int);
  vtkGetMacro(MixingNeighbors, int);
  ///@}

  ///@{
  /**
   * Compute the radial distribution function; default on.
   */
  vtkSetMacro(RadialDistribution, bool);
  vtkGetMacro(RadialDistribution, bool);
  vtkBooleanMacro(RadialDistribution, bool);
  ///@}

  ///@{
  /**
   * Largest distance of the radial distribution in m; default 0 = four mean diameters, or less in a
   * small box.
   */
  vtkSetMacro(LargestDistance, double);
  vtkGetMacro(LargestDistance, double);
  ///@}

  ///@{
  /**
   * Number of bins of the radial distribution; default 100, 1 to 100000.
   */
  vtkSetMacro(NumberOfBins, int);
  vtkGetMacro(NumberOfBins, int);
  ///@}

  ///@{
  /**
   * Count only grains with their centre in Region (6 numbers, m) for the radial distribution and
   * `NeighborMixing`; default off = all grains, in the box of their centres.
   */
  vtkSetMacro(LimitRegion, bool);
  vtkGetMacro(LimitRegion, bool);
  vtkBooleanMacro(LimitRegion, bool);
  vtkSetVector6Macro(Region, double);
  vtkGetVector6Macro(Region, double);
  ///@}

  ///@{
  /**
   * Whether x, y, z are periodic (default none), and the periodic box x min, x max, y min, y max, z
   * min, z max in m (default 0 1 0 1 0 1).
   */
  vtkSetVector3Macro(Periodic, int);
  vtkGetVector3Macro(Periodic, int);
  vtkSetVector6Macro(PeriodicBox, double);
  vtkGetVector6Macro(PeriodicBox, double);
  ///@}

  ///@{
  /**
   * If Periodic is 0 0 0, take axes and borders from the field data `Periodic` (3 numbers) and
   * `Box` (6 numbers, m), if present, as of vtkDEMDumpReader. Default on.
   */
  vtkSetMacro(PeriodicOfData, bool);
  vtkGetMacro(PeriodicOfData, bool);
  vtkBooleanMacro(PeriodicOfData, bool);
  ///@}

  enum FlowSource
  {
    NO_FLOW = 0,
    PLANE = 1,
    SURFACE = 2
  };
  ///@{
  /**
   * Surface through which flow is counted: NO_FLOW (default), PLANE, the infinite plane through
   * Origin (m) with Normal, or SURFACE, the polygons of the input Surface, assumed at rest between
   * two outputs. Forward is along the normal.
   */
  vtkSetMacro(FlowThrough, int);
  vtkGetMacro(FlowThrough, int);
  vtkSetVector3Macro(Origin, double);
  vtkGetVector3Macro(Origin, double);
  vtkSetVector3Macro(Normal, double);
  vtkGetVector3Macro(Normal, double);
  ///@}

  ///@{
  /**
   * Time from which flow is counted in s; default 0. Counting starts at the first output at or
   * after it.
   */
  vtkSetMacro(FlowStartTime, double);
  vtkGetMacro(FlowStartTime, double);
  ///@}

  /**
   * Sets FlowStartTime to the time shown, so that counts are 0 there.
   */
  void ResetFlow();

  ///@{
  /**
   * Processor of the statistics but flow: 0 = Auto (default), 1 = CPU, 2 = CUDA. CUDA without a
   * usable device is an error.
   */
  vtkSetMacro(Device, int);
  vtkGetMacro(Device, int);
  ///@}

protected:
  vtkDEMStatistics();
  ~vtkDEMStatistics() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation* request, vtkInformationVector** inputVector,
    vtkInformationVector* outputVector) override;
  int RequestUpdateExtent(vtkInformation* request, vtkInformationVector** inputVector,
    vtkInformationVector* outputVector) override;
  int RequestData(vtkInformation* request, vtkInformationVector** inputVector,
    vtkInformationVector* outputVector) override;

private:
  vtkDEMStatistics(const vtkDEMStatistics&) = delete;
  void operator=(const vtkDEMStatistics&) = delete;

  class vtkInternals;
  struct Input;

  std::string GetFlowSettings() const;
  bool CountsFlow() const;
  void ReadInput(Input& input);
  bool CountFlow(const Input& input, vtkPolyData* polygons, double shown);
  void Compute(const Input& input, vtkDEMStatisticsTables::Result& result);
  void FillTables(const vtkDEMStatisticsTables::Result& result, double shown, std::uint64_t run,
    vtkInformationVector* outputVector);

  /**
   * Time of the last change of the pipeline before the inputs.
   */
  vtkMTimeType GetInputTime();

  double Density = 2500;
  double Up[3] = { 0, 0, 1 };
  double HeightPercentile = 95;
  bool MixingIndices = true;
  double LaceyCellSize = 0;
  int MixingNeighbors = 12;
  bool RadialDistribution = true;
  double LargestDistance = 0;
  int NumberOfBins = 100;
  bool LimitRegion = false;
  double Region[6] = { 0, 1, 0, 1, 0, 1 };
  int Periodic[3] = { 0, 0, 0 };
  bool PeriodicOfData = true;
  double PeriodicBox[6] = { 0, 1, 0, 1, 0, 1 };
  int FlowThrough = NO_FLOW;
  double Origin[3] = { 0, 0, 0 };
  double Normal[3] = { 0, 0, 1 };
  double FlowStartTime = 0;
  int Device = 0;
  std::string RadiusArray;
  std::string SpeciesArray;

  std::unique_ptr<vtkInternals> Internals;
};

#endif
