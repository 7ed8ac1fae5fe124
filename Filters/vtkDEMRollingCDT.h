/**
 * @class   vtkDEMRollingCDT
 * @brief   constant directional torque
 *
 * A torque of size mu_r R* |Fn| against the relative rolling (Ai, Chen, Rotter, Ooi 2011, model A),
 * limited to the torque that stops the rolling within a step. On a slope grains creep at a speed
 * proportional to the time step, up to about 5/2 mu_r g dt; use EPSD for piles at rest.
 */

#ifndef vtkDEMRollingCDT_h
#define vtkDEMRollingCDT_h

#include "vtkDEMRollingModel.h"

class VTKPARAGRAINFILTERS_EXPORT vtkDEMRollingCDT : public vtkDEMRollingModel
{
public:
  static vtkDEMRollingCDT* New();
  vtkTypeMacro(vtkDEMRollingCDT, vtkDEMRollingModel);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  void Fill(dem::ContactModel& model) override;

protected:
  vtkDEMRollingCDT();
  ~vtkDEMRollingCDT() override;

private:
  vtkDEMRollingCDT(const vtkDEMRollingCDT&) = delete;
  void operator=(const vtkDEMRollingCDT&) = delete;
};

#endif
