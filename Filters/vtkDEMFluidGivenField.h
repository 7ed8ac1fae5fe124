/**
 * @class   vtkDEMFluidGivenField
 * @brief   grains in a given flow
 *
 * The fluid acts on the grains: drag, pressure, buoyancy and, as options, viscous stress and lift.
 * The grains do not act on the fluid. Velocity, Pressure and others come from the input Fluid of
 * DEM Simulation; without one FluidVelocity is the same everywhere.
 */

#ifndef vtkDEMFluidGivenField_h
#define vtkDEMFluidGivenField_h

#include "vtkDEMFluidFlow.h"

class VTKPARAGRAINFILTERS_EXPORT vtkDEMFluidGivenField : public vtkDEMFluidFlow
{
public:
  static vtkDEMFluidGivenField* New();
  vtkTypeMacro(vtkDEMFluidGivenField, vtkDEMFluidFlow);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * The divergence of the viscous stress, viscosity times the Laplacian of Velocity, acts on the
   * volume of a grain; default off. It needs the input Fluid.
   */
  vtkSetMacro(ViscousStress, bool);
  vtkGetMacro(ViscousStress, bool);
  ///@}

  ///@{
  /**
   * Lift of spinning grains (Rubinow and Keller 1961); default off.
   */
  vtkSetMacro(MagnusLift, bool);
  vtkGetMacro(MagnusLift, bool);
  ///@}

  ///@{
  /**
   * Lift of grains in shear (Saffman 1965); default off. It needs the input Fluid.
   */
  vtkSetMacro(SaffmanLift, bool);
  vtkGetMacro(SaffmanLift, bool);
  ///@}

  void Fill(dem::FluidOptions& options) override;

protected:
  vtkDEMFluidGivenField();
  ~vtkDEMFluidGivenField() override;

  bool ViscousStress = false;
  bool MagnusLift = false;
  bool SaffmanLift = false;

private:
  vtkDEMFluidGivenField(const vtkDEMFluidGivenField&) = delete;
  void operator=(const vtkDEMFluidGivenField&) = delete;
};

#endif
