/**
 * @class   vtkDEMCohesionNone
 * @brief   no cohesion
 *
 * Grains do not stick; SurfaceEnergy of the materials is not used.
 */

#ifndef vtkDEMCohesionNone_h
#define vtkDEMCohesionNone_h

#include "vtkDEMCohesionModel.h"

class VTKPARAGRAINFILTERS_EXPORT vtkDEMCohesionNone : public vtkDEMCohesionModel
{
public:
  static vtkDEMCohesionNone* New();
  vtkTypeMacro(vtkDEMCohesionNone, vtkDEMCohesionModel);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  void Fill(dem::ContactModel& model) override;

protected:
  vtkDEMCohesionNone();
  ~vtkDEMCohesionNone() override;

private:
  vtkDEMCohesionNone(const vtkDEMCohesionNone&) = delete;
  void operator=(const vtkDEMCohesionNone&) = delete;
};

#endif
