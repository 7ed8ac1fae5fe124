/**
 * @class   vtkDEMCohesionModel
 * @brief   force that pulls the grains of a DEM simulation together
 *
 * Abstract. The surface energy is a property of the materials; a concrete model defines the force.
 */

#ifndef vtkDEMCohesionModel_h
#define vtkDEMCohesionModel_h

#include "vtkObject.h"
#include "vtkParaGrainFiltersModule.h" // for export macro

namespace dem
{
struct ContactModel;
}

class VTKPARAGRAINFILTERS_EXPORT vtkDEMCohesionModel : public vtkObject
{
public:
  vtkTypeMacro(vtkDEMCohesionModel, vtkObject);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  /**
   * Writes the cohesion model and its parameters into `model`.
   */
  virtual void Fill(dem::ContactModel& model) = 0;

protected:
  vtkDEMCohesionModel();
  ~vtkDEMCohesionModel() override;

private:
  vtkDEMCohesionModel(const vtkDEMCohesionModel&) = delete;
  void operator=(const vtkDEMCohesionModel&) = delete;
};

#endif
