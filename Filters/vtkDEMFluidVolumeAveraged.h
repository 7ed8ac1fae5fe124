/**
 * @class   vtkDEMFluidVolumeAveraged
 * @brief   a flow that is computed with the grains
 *
 * Volume-averaged Navier-Stokes equations on a grid over the domain. Fluid and grains act on each
 * other. The output Fluid of DEM Simulation shows the flow. An input Fluid gives the velocities at
 * the start.
 */

#ifndef vtkDEMFluidVolumeAveraged_h
#define vtkDEMFluidVolumeAveraged_h

#include "vtkDEMFluidFlow.h"

#include <vector> // for std::vector

class VTKPARAGRAINFILTERS_EXPORT vtkDEMFluidVolumeAveraged : public vtkDEMFluidFlow
{
public:
  static vtkDEMFluidVolumeAveraged* New();
  vtkTypeMacro(vtkDEMFluidVolumeAveraged, vtkDEMFluidFlow);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * How the pressure acts: 0 = Model A (default), on fluid and grains by their volumes; 1 = Model
   * B, on the fluid alone, with a larger drag (Zhou, Kuang, Chu, Yu 2010).
   */
  vtkSetMacro(FluidEquations, int);
  vtkGetMacro(FluidEquations, int);
  ///@}

  ///@{
  /**
   * What the sides of the domain are: 0 = Wall (default), 1 = Slip, 2 = Inlet (default of the lower
   * side along z), 3 = Outlet (default of the upper side along z). Sides of periodic axes are
   * periodic.
   */
  vtkSetMacro(XMinBoundary, int);
  vtkGetMacro(XMinBoundary, int);
  vtkSetMacro(XMaxBoundary, int);
  vtkGetMacro(XMaxBoundary, int);
  vtkSetMacro(YMinBoundary, int);
  vtkGetMacro(YMinBoundary, int);
  vtkSetMacro(YMaxBoundary, int);
  vtkGetMacro(YMaxBoundary, int);
  vtkSetMacro(ZMinBoundary, int);
  vtkGetMacro(ZMinBoundary, int);
  vtkSetMacro(ZMaxBoundary, int);
  vtkGetMacro(ZMaxBoundary, int);
  ///@}

  ///@{
  /**
   * Velocity into the domain on sides that are inlets, in m/s: volume of fluid by area and time;
   * default 1.
   */
  vtkSetMacro(InletVelocity, double);
  vtkGetMacro(InletVelocity, double);
  ///@}

  ///@{
  /**
   * Velocity across an inlet: 0 = Uniform (default), 1 = Parabolic.
   */
  vtkSetMacro(InletProfile, int);
  vtkGetMacro(InletProfile, int);
  ///@}

  ///@{
  /**
   * Time in which inlets open, in s; default 0, >= 0.
   */
  vtkSetMacro(InletRamp, double);
  vtkGetMacro(InletRamp, double);
  ///@}

  ///@{
  /**
   * Factor of the velocities of all inlets; default 1. Can be steered.
   */
  vtkSetMacro(InletFactor, double);
  vtkGetMacro(InletFactor, double);
  ///@}

  ///@{
  /**
   * Rectangles on sides of the domain through which fluid enters: side (0 to 5 for lower x, upper
   * x, lower y, upper y, lower z, upper z), lower and upper corner on its two axes in ascending
   * order in m, velocity into the domain in m/s. Default none.
   */
  void AddInlet(
    double side, double lower0, double lower1, double upper0, double upper1, double velocity);
  void RemoveAllInlets();
  int GetNumberOfInlets() { return static_cast<int>(this->Inlets.size() / 6); }
  ///@}

  ///@{
  /**
   * Mean fall of the pressure along the axes, as of a pump, in N/m^3 = Pa/m; default (0, 0, 0).
   */
  vtkSetVector3Macro(DrivingForce, double);
  vtkGetVector3Macro(DrivingForce, double);
  ///@}

  ///@{
  /**
   * Constant of the eddy viscosity (Smagorinsky 1963), without unit; default 0 = laminar, in [0,
   * 1]. Usual: 0.1 to 0.2.
   */
  vtkSetMacro(SmagorinskyConstant, double);
  vtkGetMacro(SmagorinskyConstant, double);
  ///@}

  ///@{
  /**
   * Diameter of the sphere over which a grain acts on the fluid, in m; default 0 = that of the
   * grain, or three largest diameters where cells are smaller than two; >= 0.
   */
  vtkSetMacro(ExchangeDiameter, double);
  vtkGetMacro(ExchangeDiameter, double);
  ///@}

  ///@{
  /**
   * Largest volume error of a cell in a step, root of the mean square, without unit; default 1e-8,
   * in (0, 0.01].
   */
  vtkSetMacro(FluidTolerance, double);
  vtkGetMacro(FluidTolerance, double);
  ///@}

  void Fill(dem::FluidOptions& options) override;

protected:
  vtkDEMFluidVolumeAveraged();
  ~vtkDEMFluidVolumeAveraged() override;

  int FluidEquations = 0;
  int XMinBoundary = 0;
  int XMaxBoundary = 0;
  int YMinBoundary = 0;
  int YMaxBoundary = 0;
  int ZMinBoundary = 2;
  int ZMaxBoundary = 3;
  double InletVelocity = 1;
  int InletProfile = 0;
  double InletRamp = 0;
  double InletFactor = 1;
  std::vector<double> Inlets; // 6 numbers each
  double DrivingForce[3] = { 0, 0, 0 };
  double SmagorinskyConstant = 0;
  double ExchangeDiameter = 0;
  double FluidTolerance = 1e-8;

private:
  vtkDEMFluidVolumeAveraged(const vtkDEMFluidVolumeAveraged&) = delete;
  void operator=(const vtkDEMFluidVolumeAveraged&) = delete;
};

#endif
