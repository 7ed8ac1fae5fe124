/**
 * The output tables of vtkDEMStatistics.
 */

#ifndef vtkDEMStatisticsTables_h
#define vtkDEMStatisticsTables_h

#include "Analysis/FlowCounter.h"
#include "Analysis/PairStatistics.h"
#include "Analysis/Statistics.h"

#include "vtkSmartPointer.h"
#include "vtkType.h"

#include <cstdint>
#include <limits>
#include <map>
#include <string>

class vtkTable;

namespace vtkDEMStatisticsTables
{

constexpr double NotANumber = std::numeric_limits<double>::quiet_NaN();

/**
 * The statistics of one instant.
 */
struct Result
{
  bool Filled = false; // false: the tables have columns, but no rows
  dem::BulkStatistics Bulk;
  bool HasVelocity = false;    // else speeds and the kinetic energy are not a number
  bool HasTemperature = false; // else mean and deviation of the temperature are not a number
  bool HasSpin = false;        // else the rotational energy is not a number
  double Lacey = NotANumber;
  dem::NeighborMixing Mixing;
  dem::RadialDistribution Pairs;
  dem::FlowRecord Flow;
  std::string Device;     // that computed
  bool FromFrame = false; // read from a frame of the run, not from arrays

  Result() { this->Mixing.index = this->Mixing.mean_distance = NotANumber; }
};

/**
 * One row of all numbers at `time` (s); `mixing` and `flow` add their columns.
 */
void FillRow(const Result& result, double time, bool mixing, bool flow, vtkTable* table);

/**
 * One row a distance.
 */
void FillRadialDistribution(const dem::RadialDistribution& pairs, vtkTable* table);

/**
 * One row a species that passed.
 */
void FillFlowBySpecies(const dem::FlowRecord& flow, vtkTable* table);

/**
 * Rows of FillRow by time. All are of the same settings, input and run.
 */
class History
{
public:
  /**
   * Forgets rows that may be wrong by now. `settings` and `input` are the times of the last change
   * of the filter and of its input; `run` is the simulation's run, 0 for other data; `shown` is the
   * time shown in s. A run that was steered keeps its rows up to then.
   */
  void Check(vtkMTimeType settings, vtkMTimeType input, std::uint64_t run, double shown);

  /**
   * Copies `row`.
   */
  void Add(double time, vtkTable* row);

  /**
   * All rows in ascending time, in the columns of `like`. A single row is written twice, since a
   * chart warns about a line through one point.
   */
  void Fill(vtkTable* like, vtkTable* table) const;

private:
  std::map<double, vtkSmartPointer<vtkTable>> Rows;
  vtkMTimeType Settings = 0;
  vtkMTimeType Input = 0;
  std::uint64_t Run = 0;
};

} // namespace vtkDEMStatisticsTables

#endif
