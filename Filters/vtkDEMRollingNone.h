/**
 * @class   vtkDEMRollingNone
 * @brief   no rolling resistance
 *
 * Grains roll freely; RollingFriction of the materials is not used.
 */

#ifndef vtkDEMRollingNone_h
#define vtkDEMRollingNone_h

#include "vtkDEMRollingModel.h"

class VTKPARAGRAINFILTERS_EXPORT vtkDEMRollingNone : public vtkDEMRollingModel
{
public:
  static vtkDEMRollingNone* New();
  vtkTypeMacro(vtkDEMRollingNone, vtkDEMRollingModel);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  void Fill(dem::ContactModel& model) override;

protected:
  vtkDEMRollingNone();
  ~vtkDEMRollingNone() override;

private:
  vtkDEMRollingNone(const vtkDEMRollingNone&) = delete;
  void operator=(const vtkDEMRollingNone&) = delete;
};

#endif
