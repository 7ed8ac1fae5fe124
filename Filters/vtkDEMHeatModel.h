/**
 * @class   vtkDEMHeatModel
 * @brief   heat transfer of a DEM simulation
 *
 * Abstract. Heat capacity and conductivity are properties of the materials, and the thermal
 * condition is one of each wall; a concrete model defines how heat flows.
 */

#ifndef vtkDEMHeatModel_h
#define vtkDEMHeatModel_h

#include "vtkObject.h"
#include "vtkParaGrainFiltersModule.h" // for export macro

namespace dem
{
struct HeatOptions;
}

class VTKPARAGRAINFILTERS_EXPORT vtkDEMHeatModel : public vtkObject
{
public:
  vtkTypeMacro(vtkDEMHeatModel, vtkObject);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  /**
   * Writes the model and its parameters into `options`. Throws dem::Error.
   */
  virtual void Fill(dem::HeatOptions& options) = 0;

protected:
  vtkDEMHeatModel();
  ~vtkDEMHeatModel() override;

private:
  vtkDEMHeatModel(const vtkDEMHeatModel&) = delete;
  void operator=(const vtkDEMHeatModel&) = delete;
};

#endif
