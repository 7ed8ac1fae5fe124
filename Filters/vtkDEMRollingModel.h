/**
 * @class   vtkDEMRollingModel
 * @brief   rolling resistance of a DEM simulation
 *
 * Abstract. The coefficient of rolling friction is a property of the materials; a concrete model
 * defines the torque.
 */

#ifndef vtkDEMRollingModel_h
#define vtkDEMRollingModel_h

#include "vtkObject.h"
#include "vtkParaGrainFiltersModule.h" // for export macro

namespace dem
{
struct ContactModel;
}

class VTKPARAGRAINFILTERS_EXPORT vtkDEMRollingModel : public vtkObject
{
public:
  vtkTypeMacro(vtkDEMRollingModel, vtkObject);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  /**
   * Writes the rolling model and its parameters into `model`.
   */
  virtual void Fill(dem::ContactModel& model) = 0;

protected:
  vtkDEMRollingModel();
  ~vtkDEMRollingModel() override;

private:
  vtkDEMRollingModel(const vtkDEMRollingModel&) = delete;
  void operator=(const vtkDEMRollingModel&) = delete;
};

#endif
