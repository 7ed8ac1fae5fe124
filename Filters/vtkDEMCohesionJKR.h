/**
 * @class   vtkDEMCohesionJKR
 * @brief   elastic spheres with surface energy
 *
 * The contact of Johnson, Kendall and Roberts (1971). Grains that touch stick together, and
 * separate at the force 3 pi gamma R*, where gamma is SurfaceEnergy of the materials (half of the
 * work of adhesion) and R* = R1 R2 / (R1 + R2). A contact acts until the gap exceeds the separation
 * distance, so it costs energy to break. For spheres and clumps, with vtkDEMHertzMindlin.
 */

#ifndef vtkDEMCohesionJKR_h
#define vtkDEMCohesionJKR_h

#include "vtkDEMCohesionModel.h"

class VTKPARAGRAINFILTERS_EXPORT vtkDEMCohesionJKR : public vtkDEMCohesionModel
{
public:
  static vtkDEMCohesionJKR* New();
  vtkTypeMacro(vtkDEMCohesionJKR, vtkDEMCohesionModel);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  void Fill(dem::ContactModel& model) override;

protected:
  vtkDEMCohesionJKR();
  ~vtkDEMCohesionJKR() override;

private:
  vtkDEMCohesionJKR(const vtkDEMCohesionJKR&) = delete;
  void operator=(const vtkDEMCohesionJKR&) = delete;
};

#endif
