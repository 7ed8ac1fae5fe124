/**
 * @class   vtkDEMHeatNone
 * @brief   no heat transfer
 *
 * Grains keep the temperature that they start with.
 */

#ifndef vtkDEMHeatNone_h
#define vtkDEMHeatNone_h

#include "vtkDEMHeatModel.h"

class VTKPARAGRAINFILTERS_EXPORT vtkDEMHeatNone : public vtkDEMHeatModel
{
public:
  static vtkDEMHeatNone* New();
  vtkTypeMacro(vtkDEMHeatNone, vtkDEMHeatModel);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  void Fill(dem::HeatOptions& options) override;

protected:
  vtkDEMHeatNone();
  ~vtkDEMHeatNone() override;

private:
  vtkDEMHeatNone(const vtkDEMHeatNone&) = delete;
  void operator=(const vtkDEMHeatNone&) = delete;
};

#endif
