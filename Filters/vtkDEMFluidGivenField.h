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

#include "vtkDEMFluidModel.h"

class VTKPARAGRAINFILTERS_EXPORT vtkDEMFluidGivenField : public vtkDEMFluidModel
{
public:
  static vtkDEMFluidGivenField* New();
  vtkTypeMacro(vtkDEMFluidGivenField, vtkDEMFluidModel);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Velocity of the fluid in m/s, without the input Fluid; default (0, 0, 0).
   */
  vtkSetVector3Macro(FluidVelocity, double);
  vtkGetVector3Macro(FluidVelocity, double);
  ///@}

  ///@{
  /**
   * Law of the drag: 0 = Koch-Hill (default), 1 = Di Felice, 2 = Gidaspow, 3 = Beetstra, 4 =
   * Schiller-Naumann, 5 = Stokes. The last two are for single grains.
   */
  vtkSetMacro(DragLaw, int);
  vtkGetMacro(DragLaw, int);
  ///@}

  ///@{
  /**
   * Density of the fluid in kg/m^3 where the input Fluid has no Density; default 1.2, > 0.
   */
  vtkSetMacro(FluidDensity, double);
  vtkGetMacro(FluidDensity, double);
  ///@}

  ///@{
  /**
   * Viscosity in Pa s where the input Fluid has no Viscosity; default 1.8e-5, > 0.
   */
  vtkSetMacro(FluidViscosity, double);
  vtkGetMacro(FluidViscosity, double);
  ///@}

  ///@{
  /**
   * The weight of the displaced fluid lifts a grain; default on. Off if Pressure contains the
   * weight of the fluid.
   */
  vtkSetMacro(Buoyancy, bool);
  vtkGetMacro(Buoyancy, bool);
  ///@}

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

  ///@{
  /**
   * Size of the cells of the void fraction in m; default 0 = three largest diameters, >= 0. At
   * least the largest diameter.
   */
  vtkSetMacro(FluidCellSize, double);
  vtkGetMacro(FluidCellSize, double);
  ///@}

  ///@{
  /**
   * Time between two void fractions in s; default 0 = 64 time steps, >= 0.
   */
  vtkSetMacro(FluidInterval, double);
  vtkGetMacro(FluidInterval, double);
  ///@}

  ///@{
  /**
   * Number of cells on the longest edge when the input Fluid is no image and is sampled; default
   * 64, 1 to 1000.
   */
  vtkSetMacro(FluidResolution, int);
  vtkGetMacro(FluidResolution, int);
  ///@}

  void Fill(dem::FluidOptions& options) override;
  int GetResolution() override { return this->FluidResolution; }

protected:
  vtkDEMFluidGivenField();
  ~vtkDEMFluidGivenField() override;

  double FluidVelocity[3] = { 0, 0, 0 };
  int DragLaw = 0;
  double FluidDensity = 1.2;
  double FluidViscosity = 1.8e-5;
  bool Buoyancy = true;
  bool ViscousStress = false;
  bool MagnusLift = false;
  bool SaffmanLift = false;
  double FluidCellSize = 0;
  double FluidInterval = 0;
  int FluidResolution = 64;

private:
  vtkDEMFluidGivenField(const vtkDEMFluidGivenField&) = delete;
  void operator=(const vtkDEMFluidGivenField&) = delete;
};

#endif
