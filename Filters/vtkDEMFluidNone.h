/**
 * @class   vtkDEMFluidNone
 * @brief   no fluid
 *
 * Grains move as in a vacuum.
 */

#ifndef vtkDEMFluidNone_h
#define vtkDEMFluidNone_h

#include "vtkDEMFluidModel.h"

class VTKPARAGRAINFILTERS_EXPORT vtkDEMFluidNone : public vtkDEMFluidModel
{
public:
  static vtkDEMFluidNone* New();
  vtkTypeMacro(vtkDEMFluidNone, vtkDEMFluidModel);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  void Fill(dem::FluidOptions& options) override;

protected:
  vtkDEMFluidNone();
  ~vtkDEMFluidNone() override;

private:
  vtkDEMFluidNone(const vtkDEMFluidNone&) = delete;
  void operator=(const vtkDEMFluidNone&) = delete;
};

#endif
