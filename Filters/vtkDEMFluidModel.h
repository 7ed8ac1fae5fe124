/**
 * @class   vtkDEMFluidModel
 * @brief   fluid around the grains of a DEM simulation
 *
 * Abstract. A concrete model defines how the fluid acts on the grains.
 */

#ifndef vtkDEMFluidModel_h
#define vtkDEMFluidModel_h

#include "vtkObject.h"
#include "vtkParaGrainFiltersModule.h" // for export macro

namespace dem
{
struct FluidOptions;
}

class VTKPARAGRAINFILTERS_EXPORT vtkDEMFluidModel : public vtkObject
{
public:
  vtkTypeMacro(vtkDEMFluidModel, vtkObject);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  /**
   * Writes the model and its parameters into `options`. Throws dem::Error.
   */
  virtual void Fill(dem::FluidOptions& options) = 0;

  /**
   * Number of cells on the longest edge when a fluid that is no image is sampled; 0 without one.
   */
  virtual int GetResolution() { return 0; }

protected:
  vtkDEMFluidModel();
  ~vtkDEMFluidModel() override;

private:
  vtkDEMFluidModel(const vtkDEMFluidModel&) = delete;
  void operator=(const vtkDEMFluidModel&) = delete;
};

#endif
