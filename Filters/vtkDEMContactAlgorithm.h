/**
 * @class   vtkDEMContactAlgorithm
 * @brief   what DEM Contact Network and DEM Force Chains share: their inputs
 *
 * Input port 0: grains, any point set with radii, of a DEM simulation or of any code's files, all
 * on one process. Input port 1, optional: contacts, as port `Contacts` of a simulation or
 * vtkDEMContactNetwork give them. Without it the contacts of the simulation are taken whose port
 * `Particles` is the input.
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
   * Point array of the radii (m); default empty, or "Automatic" = the one that is named Radius,
   * radius, radii, r, diameter or the like. Arrays that are named like a diameter are halved.
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
   * The processor that computes, as vtkDEMRunAlgorithm has it: AUTO (default), CPU, CUDA.
   */
  vtkSetClampMacro(Device, int, AUTO, CUDA);
  vtkGetMacro(Device, int);
  ///@}

protected:
  vtkDEMContactAlgorithm();
  ~vtkDEMContactAlgorithm() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;

  /**
   * The contacts that are known: of input port 1, else of the simulation that is the input, else
   * null.
   */
  vtkSmartPointer<vtkPolyData> GetKnownContacts(
    vtkInformationVector** inputVector, vtkPointSet* particles);

  std::string RadiusArray;
  int Device = AUTO;

private:
  vtkDEMContactAlgorithm(const vtkDEMContactAlgorithm&) = delete;
  void operator=(const vtkDEMContactAlgorithm&) = delete;
};

#endif
