/**
 * @class   vtkDEMFluidFlow
 * @brief   properties that given and computed flows share
 *
 * Abstract. Drag law, density and viscosity of the fluid, and the cells in which it meets the
 * grains.
 */

#ifndef vtkDEMFluidFlow_h
#define vtkDEMFluidFlow_h

#include "vtkDEMFluidModel.h"

class VTKPARAGRAINFILTERS_EXPORT vtkDEMFluidFlow : public vtkDEMFluidModel
{
public:
  vtkTypeMacro(vtkDEMFluidFlow, vtkDEMFluidModel);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Velocity of the fluid in m/s, without the input Fluid; default (0, 0, 0). Of a computed flow at
   * the start.
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
   * Size of the cells of the void fraction in m; default 0 = three largest diameters, >= 0. At
   * least the largest diameter.
   */
  vtkSetMacro(FluidCellSize, double);
  vtkGetMacro(FluidCellSize, double);
  ///@}

  ///@{
  /**
   * Time between two void fractions, or steps of a computed flow, in s; default 0 = 64 time steps,
   * or the longest stable step of a computed flow, >= 0.
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
  vtkDEMFluidFlow();
  ~vtkDEMFluidFlow() override;

  double FluidVelocity[3] = { 0, 0, 0 };
  int DragLaw = 0;
  double FluidDensity = 1.2;
  double FluidViscosity = 1.8e-5;
  bool Buoyancy = true;
  double FluidCellSize = 0;
  double FluidInterval = 0;
  int FluidResolution = 64;

private:
  vtkDEMFluidFlow(const vtkDEMFluidFlow&) = delete;
  void operator=(const vtkDEMFluidFlow&) = delete;
};

#endif
