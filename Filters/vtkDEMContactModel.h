/**
 * @class   vtkDEMContactModel
 * @brief   normal force law of a DEM simulation
 *
 * Abstract. A concrete model has a law and its own parameters, and a model of cohesion. Parameters
 * of all laws (friction limit, tangential damping, ...) are properties of vtkDEMSimulation.
 */

#ifndef vtkDEMContactModel_h
#define vtkDEMContactModel_h

#include "vtkObject.h"
#include "vtkParaGrainFiltersModule.h" // for export macro
#include "vtkSmartPointer.h"

namespace dem
{
struct ContactModel;
}

class vtkDEMCohesionModel;

class VTKPARAGRAINFILTERS_EXPORT vtkDEMContactModel : public vtkObject
{
public:
  vtkTypeMacro(vtkDEMContactModel, vtkObject);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Law of the force that pulls grains together; null (default) = vtkDEMCohesionNone.
   */
  void SetCohesion(vtkDEMCohesionModel* cohesion);
  vtkDEMCohesionModel* GetCohesion();
  ///@}

  /**
   * Time of the last change, also of the cohesion model.
   */
  vtkMTimeType GetMTime() override;

  /**
   * Writes the law, its parameters and the cohesion model into `model`. The base class writes the
   * cohesion model.
   */
  virtual void Fill(dem::ContactModel& model);

protected:
  vtkDEMContactModel();
  ~vtkDEMContactModel() override;

private:
  vtkSmartPointer<vtkDEMCohesionModel> Cohesion;

  vtkDEMContactModel(const vtkDEMContactModel&) = delete;
  void operator=(const vtkDEMContactModel&) = delete;
};

#endif
