/**
 * @class   vtkDEMContactModel
 * @brief   normal force law of a DEM simulation
 *
 * Abstract. A concrete model has a law and its own parameters. Parameters of all laws (friction
 * limit, tangential damping, ...) are properties of vtkDEMSimulation.
 */

#ifndef vtkDEMContactModel_h
#define vtkDEMContactModel_h

#include "vtkObject.h"
#include "vtkParaGrainFiltersModule.h" // for export macro

namespace dem
{
struct ContactModel;
}

class VTKPARAGRAINFILTERS_EXPORT vtkDEMContactModel : public vtkObject
{
public:
  vtkTypeMacro(vtkDEMContactModel, vtkObject);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  /**
   * Writes the law and its parameters into `model`.
   */
  virtual void Fill(dem::ContactModel& model) = 0;

protected:
  vtkDEMContactModel();
  ~vtkDEMContactModel() override;

private:
  vtkDEMContactModel(const vtkDEMContactModel&) = delete;
  void operator=(const vtkDEMContactModel&) = delete;
};

#endif
