/**
 * @class   vtkDEMContactAlgorithm
 * @brief   base of DEM Contact Network and DEM Force Chains: their inputs
 *
 * Input port 0: grains, any point set with radii, of a DEM simulation or of files of any code, on
 * any ranks: rank 0 computes. Input port 1, optional: contacts of port `Contacts` of a simulation
 * or of vtkDEMContactNetwork. Without it, and if input port 0 is port `Particles` of a simulation,
 * the contacts are those of that simulation.
 */

#ifndef vtkDEMContactAlgorithm_h
#define vtkDEMContactAlgorithm_h

#include "vtkParaGrainFiltersModule.h" // for export macro
#include "vtkPolyDataAlgorithm.h"
#include "vtkSmartPointer.h"

#include <string> // for std::string

class vtkPointSet;

class VTKPARAGRAINFILTERS_EXPORT vtkDEMContactAlgorithm : public vtkPolyDataAlgorithm
{
public:
  vtkTypeMacro(vtkDEMContactAlgorithm, vtkPolyDataAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum InputPorts
  {
    INPUT_PARTICLES = 0,
    INPUT_CONTACTS
  };

  ///@{
  /**
   * Point array of the radii (m); empty (default) or "Automatic" = the first array named Radius,
   * radius, radii, r, diameter or similar. Values of arrays named like a diameter are halved.
   * Without such an array, an error that lists the arrays.
   */
  void SetRadiusArray(const char* name);
  const char* GetRadiusArray() const;
  ///@}

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

protected:
  vtkDEMContactAlgorithm();
  ~vtkDEMContactAlgorithm() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;

  /**
   * The grains of input port 0 and their contacts: those of input port 1, else those of the
   * simulation that port 0 is connected to, else null. Of several ranks, rank 0 gets all.
   * Collective.
   */
  struct Inputs
  {
    vtkSmartPointer<vtkPointSet> Particles;
    vtkSmartPointer<vtkPolyData> Contacts;
  };
  Inputs ReadInputs(vtkInformationVector** inputVector);

  std::string RadiusArray;
  int Device = AUTO;

private:
  vtkDEMContactAlgorithm(const vtkDEMContactAlgorithm&) = delete;
  void operator=(const vtkDEMContactAlgorithm&) = delete;
};

#endif
