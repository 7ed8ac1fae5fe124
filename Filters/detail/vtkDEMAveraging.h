/**
 * One request of DEM Cell Average or DEM Coarse Graining: where fields are averaged, their values
 * and their means over time.
 */

#ifndef vtkDEMAveraging_h
#define vtkDEMAveraging_h

#include "Analysis/Averages.h"
#include "Analysis/Grains.h"
#include "Analysis/TimeAverage.h"
#include "Core/Device.h"
#include "Core/HostArray.h"

#include "vtkDoubleArray.h"
#include "vtkSmartPointer.h"

#include <memory>
#include <string>
#include <vector>

class vtkFieldData;
class vtkInformationVector;

/**
 * Fields at a set of places, cells or points, of one output of the run or as means over several.
 */
class vtkDEMAveragedArrays
{
public:
  /**
   * Makes the arrays for what `device` fills, with `inTime` also what a mean over time needs.
   */
  void Allocate(const std::vector<dem::AveragedField>& fields, std::size_t places, bool inTime,
    const dem::Device& device);

  std::size_t GetNumberOfPlaces() const { return this->Places; }

  /**
   * Where the values of one output go, and whose memory that is: the device's for means over time.
   */
  double* GetPointer(std::size_t field);
  dem::MemoryPlace GetMemory() const;

  /**
   * Takes the present values as one more output. Those of a `continuum` know no coordination.
   * Fields that need forces or velocities which the grains and contacts do not have become NaN:
   * they are not known, which 0 would not say.
   */
  void AddOutput(const dem::Grains& grains, const dem::GrainContacts* contacts, bool continuum);

  /**
   * Adds the arrays to `data`, with their standard errors and `Count`, the outputs that had grains
   * there, if they are means over time.
   */
  void Finish(vtkFieldData* data, const std::vector<std::string>& speciesNames);

private:
  std::vector<dem::AveragedField> Fields;
  std::size_t Places = 0;
  std::vector<dem::HostArray<double>> Values;
  std::unique_ptr<dem::TimeAverage> InTime;
};

class vtkDEMAveraging
{
public:
  virtual ~vtkDEMAveraging() = default;

  dem::Device Device;
  double Density = 0;     // kg/m^3
  double MemoryLimit = 0; // bytes
  bool InTime = false;
  bool TableIsElsewhere = false;    // rank 0 has the rows
  bool Continuum = false;           // points of a continuum: contacts are their stress
  std::vector<std::string> Species; // names; the materials are numbered from 0

  /**
   * Chooses the places from the grains of the time shown; Compute averages one output, Finish fills
   * the outputs. All throw dem::Error.
   */
  virtual void Start(vtkInformationVector** inputVector, const dem::Grains& grains) = 0;
  virtual void Compute(const dem::Grains& grains, const dem::GrainContacts* contacts) = 0;
  virtual void Finish(vtkInformationVector* outputVector) = 0;
};

/**
 * As messages show a number.
 */
std::string vtkDEMNumber(double value);

#endif
