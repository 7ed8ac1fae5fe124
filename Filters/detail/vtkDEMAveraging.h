/**
 * Averages of one request of DEM Cell Average or DEM Coarse Graining: the places, the values there
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
 * Fields at a set of places (cells or points), of one output of the input or as means over several.
 */
class vtkDEMAveragedArrays
{
public:
  /**
   * Allocates the arrays, in memory that `device` fills; with `inTime` also the sums of means over
   * time.
   */
  void Allocate(const std::vector<dem::AveragedField>& fields, std::size_t places, bool inTime,
    const dem::Device& device);

  std::size_t GetNumberOfPlaces() const { return this->Places; }
  std::size_t GetNumberOfFields() const { return this->Fields.size(); }

  /**
   * Memory for the values of one output: of the device for means over time, else of the host.
   */
  double* GetPointer(std::size_t field);
  dem::MemoryPlace GetMemory() const;

  /**
   * Adds the present values as one more output. A `continuum` has no coordination numbers. Fields
   * become NaN if the forces or velocities that they need are unknown, since 0 would be wrong.
   */
  void AddOutput(const dem::Grains& grains, const dem::GrainContacts* contacts, bool continuum);

  /**
   * Adds the arrays to `data`. Means over time also get standard errors and `Count`, the number of
   * outputs with grains at the place.
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
  bool TableIsElsewhere = false;    // rank 0 has the rows of tables
  bool Continuum = false;           // points of a continuum: contacts are their stress
  std::vector<std::string> Species; // names; the materials are numbered from 0

  /**
   * Start chooses the places from the grains of the time shown, Compute averages one output of the
   * input, Finish fills the outputs of the filter. All throw dem::Error.
   */
  virtual void Start(vtkInformationVector** inputVector, const dem::Grains& grains) = 0;
  virtual void Compute(const dem::Grains& grains, const dem::GrainContacts* contacts) = 0;
  virtual void Finish(vtkInformationVector* outputVector) = 0;
};

/**
 * A number as text for messages.
 */
std::string vtkDEMNumber(double value);

#endif
