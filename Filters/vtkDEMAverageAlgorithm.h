/**
 * @class   vtkDEMAverageAlgorithm
 * @brief   base of DEM Cell Average and DEM Coarse Graining
 *
 * Reads grains and contacts, requests the outputs of a time window one by one, and sums fields over
 * them. Input 0: particles, any points with radii. Input 1, optional: contacts. Without it, the
 * contacts are those of the simulation that the particles come from. Without a simulation, contacts
 * are found from centres and radii, without forces.
 *
 * With a TimeWindow each field is the mean over the outputs inside [t - TimeWindow, t], and an
 * array with `StandardError` behind its name is the standard error of that mean, assuming
 * independent outputs. Densities have the same weight in every output; means over mass weigh each
 * output by its mass. Near the start of the run the window holds fewer outputs; field data
 * OutputCount is their number.
 */

#ifndef vtkDEMAverageAlgorithm_h
#define vtkDEMAverageAlgorithm_h

#include "vtkDataObjectAlgorithm.h"
#include "vtkParaGrainFiltersModule.h" // for export macro
#include "vtkSmartPointer.h"           // for vtkSmartPointer

#include <memory> // for std::unique_ptr
#include <string> // for std::string
#include <vector> // for std::vector

class vtkDEMAveraging;
class vtkPointSet;
class vtkPolyData;

class VTKPARAGRAINFILTERS_EXPORT vtkDEMAverageAlgorithm : public vtkDataObjectAlgorithm
{
public:
  vtkTypeMacro(vtkDEMAverageAlgorithm, vtkDataObjectAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  /**
   * Contacts, optional.
   */
  void SetContactConnection(vtkAlgorithmOutput* contacts);

  enum Devices
  {
    AUTO = 0,
    CPU,
    CUDA
  };

  ///@{
  /**
   * Processor that computes: AUTO (default) takes a working CUDA device if there is one, else the
   * CPU. CUDA without a usable device is an error.
   */
  vtkSetClampMacro(Device, int, AUTO, CUDA);
  vtkGetMacro(Device, int);
  ///@}

  ///@{
  /**
   * Length in s of the time window that ends at the time shown; default 0 = that time only, >= 0. A
   * window longer than the run is an error.
   */
  vtkSetMacro(TimeWindow, double);
  vtkGetMacro(TimeWindow, double);
  ///@}

  ///@{
  /**
   * Point array of the radii (m); empty (default) or `Automatic` = the first array named like a
   * radius. Without one, an error that lists the arrays.
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
   * Largest memory of the averages in MiB; default 4096. Needing more is an error that states how
   * much.
   */
  vtkSetMacro(MemoryLimit, double);
  vtkGetMacro(MemoryLimit, double);
  ///@}

protected:
  vtkDEMAverageAlgorithm();
  ~vtkDEMAverageAlgorithm() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  /**
   * Makes the object that averages, with the properties of this filter. Called once a request.
   */
  virtual std::unique_ptr<vtkDEMAveraging> NewAveraging() = 0;

  int Device = AUTO;
  double TimeWindow = 0;
  double Density = 2500;
  double MemoryLimit = 4096;
  std::string RadiusArray;

private:
  vtkDEMAverageAlgorithm(const vtkDEMAverageAlgorithm&) = delete;
  void operator=(const vtkDEMAverageAlgorithm&) = delete;

  class Internals;
  struct Input;

  std::vector<double> GetWindow(vtkInformation* particles, vtkInformation* out);
  void ReadInput(
    const vtkSmartPointer<vtkPointSet>& particles, vtkPolyData* contacts, Input& input);
  void ReadOutput(vtkInformationVector** inputVector, vtkInformationVector* outputVector);
  void StartAveraging(vtkInformationVector** inputVector, const Input& input);
  void FillOutputs(bool fromFrame, vtkInformationVector* outputVector);

  std::unique_ptr<Internals> Self;
};

#endif
