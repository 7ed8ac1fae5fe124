/**
 * @class   vtkDEMStatistics
 * @brief   numbers for a whole bed: height, energies, mixing, radial distribution, flow
 *
 * Inputs: 0, points with radii, of a simulation or of any code's files; 1, `Surface`,
 * optional, what grains pass through. Outputs are tables: 0 `Statistics`, one row that temporal
 * plots take; 1 `RadialDistribution`, one row a bin; 2 `FlowBySpecies`, one row a species; 3
 * `OverTime`, the rows of port 0 of all times shown so far, ascending in time; a single row stands
 * twice, for a chart that cannot draw a line through one point. Other settings or another input
 * begin that table anew; a simulation that was steered keeps the rows up to the time shown.
 *
 * A grain without an array of masses has that of a full sphere of Density. Species is the array
 * SpeciesArray, by default `Material` or what other codes call it.
 *
 * Flow is counted from output to output of the input's time steps: whose centre was on the other
 * side one output before has passed. Outputs that were not shown are requested, and totals are
 * remembered for each, so that a time shows the same numbers in whatever order times are asked for.
 * When the input has changed, the last output counted is compared by value, and counting starts
 * anew only where it differs. A grain that a simulation removes at a border passes up to its exit
 * (field data `ExitId`, `ExitPosition`). Grains are not counted that appear, that vanish from files
 * without these arrays, or that go to and fro between two outputs.
 *
 * Under MPI the grains of rank 0 count, which has all of a simulation.
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
   * Point array of the radii (m); empty (default) = `Radius` or what other codes call it.
   */
  void SetRadiusArray(const char* name);
  const char* GetRadiusArray() const;
  ///@}

  ///@{
  /**
   * Density in kg/m^3 of grains without an array of masses; above 0. Default 2500.
   */
  vtkSetMacro(Density, double);
  vtkGetMacro(Density, double);
  ///@}

  ///@{
  /**
   * Point array whose whole numbers tell species apart; empty (default) = `Material` or `type`.
   */
  void SetSpeciesArray(const char* name);
  const char* GetSpeciesArray() const;
  ///@}

  ///@{
  /**
   * Direction in which heights are measured, from the origin; any length but 0. Default (0, 0, 1).
   */
  vtkSetVector3Macro(Up, double);
  vtkGetVector3Macro(Up, double);
  ///@}

  ///@{
  /**
   * The bed's height is this percentile of the tops of its grains, in %; 0 to 100. Default 95.
   */
  vtkSetMacro(HeightPercentile, double);
  vtkGetMacro(HeightPercentile, double);
  ///@}

  ///@{
  /**
   * Compute `LaceyIndex` and `NeighborMixing`. Default on.
   */
  vtkSetMacro(MixingIndices, bool);
  vtkGetMacro(MixingIndices, bool);
  vtkBooleanMacro(MixingIndices, bool);
  ///@}

  ///@{
  /**
   * Edge in m of the cells of the Lacey index; 0 (default) = four mean diameters. >= 0.
   */
  vtkSetMacro(LaceyCellSize, double);
  vtkGetMacro(LaceyCellSize, double);
  ///@}

  ///@{
  /**
   * Neighbours of a grain that count for `NeighborMixing`; 1 to 32. Default 12.
   */
  vtkSetMacro(MixingNeighbors, int);
  vtkGetMacro(MixingNeighbors, int);
  ///@}

  ///@{
  /**
   * Compute the radial distribution function. Default on.
   */
  vtkSetMacro(RadialDistribution, bool);
  vtkGetMacro(RadialDistribution, bool);
  vtkBooleanMacro(RadialDistribution, bool);
  ///@}

  ///@{
  /**
   * End of the radial distribution in m; 0 (default) = four mean diameters, or what the box allows.
   */
  vtkSetMacro(LargestDistance, double);
  vtkGetMacro(LargestDistance, double);
  ///@}

  ///@{
  /**
   * Bins of the radial distribution; 1 to 100000. Default 100.
   */
  vtkSetMacro(NumberOfBins, int);
  vtkGetMacro(NumberOfBins, int);
  ///@}

  ///@{
  /**
   * For the radial distribution and `NeighborMixing`, only grains with their centre in Region (6
   * numbers, m) count. Off (default): all, in the box of their centres.
   */
  vtkSetMacro(LimitRegion, bool);
  vtkGetMacro(LimitRegion, bool);
  vtkBooleanMacro(LimitRegion, bool);
  vtkSetVector6Macro(Region, double);
  vtkGetVector6Macro(Region, double);
  ///@}

  ///@{
  /**
   * Axes that are periodic (3 numbers, not 0 = periodic; default none) between the borders of
   * PeriodicBox (6 numbers, m).
   */
  vtkSetVector3Macro(Periodic, int);
  vtkGetVector3Macro(Periodic, int);
  vtkSetVector6Macro(PeriodicBox, double);
  vtkGetVector6Macro(PeriodicBox, double);
  ///@}

  ///@{
  /**
   * Where Periodic is 0 0 0, take axes and borders from the field data `Periodic` (3 numbers) and
   * `Box` (6), if there, as vtkDEMDumpReader has them. Default on.
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
   * What grains are counted through: nothing (default), the endless plane through Origin (m) with
   * Normal, or the polygons of the input Surface, which is taken as at rest between two outputs.
   * Forward is along the normal.
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
   * Flow is counted from the first output at or after this time (s). Default 0.
   */
  vtkSetMacro(FlowStartTime, double);
  vtkGetMacro(FlowStartTime, double);
  ///@}

  /**
   * Sets FlowStartTime to the time shown: counts start at 0 there.
   */
  void ResetFlow();

  ///@{
  /**
   * Processor of the statistics of neighbours: 0 Auto, 1 CPU, 2 CUDA. Default 0.
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
