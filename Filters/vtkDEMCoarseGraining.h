/**
 * @class   vtkDEMCoarseGraining
 * @brief   smooth fields of grains and contacts at the points of any data set
 *
 * Coarse graining after Goldhirsch, Granular Matter 12 (2010) 239, with the boundary term of
 * Weinhart, Thornton, Luding, Bokhove, Granular Matter 14 (2012) 289.
 *
 * Input 0: particles, points with radii. Input 1, optional: contacts (see vtkDEMAverageAlgorithm).
 * Input 2, optional: the data set at whose points fields are computed. Without it, an image grid
 * around the grains, larger by the reach of the kernel. Output: that data set with the point arrays
 * MassDensity (kg/m^3), MomentumDensity (kg/(m^2 s)), Velocity (m/s), SolidFraction,
 * GranularTemperature (m^2/s^2), KineticStress and ContactStress (Pa, xx yy zz xy yz xz, tension
 * positive), WallForceDensity (force of the walls on the grains, N/m^3).
 */

#ifndef vtkDEMCoarseGraining_h
#define vtkDEMCoarseGraining_h

#include "vtkDEMAverageAlgorithm.h"
#include "vtkParaGrainFiltersModule.h" // for export macro

class VTKPARAGRAINFILTERS_EXPORT vtkDEMCoarseGraining : public vtkDEMAverageAlgorithm
{
public:
  static vtkDEMCoarseGraining* New();
  vtkTypeMacro(vtkDEMCoarseGraining, vtkDEMAverageAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Kernels
  {
    HEAVISIDE = 0,
    GAUSS,
    LUCY
  };

  ///@{
  /**
   * HEAVISIDE: constant up to Width. GAUSS: exp(-r^2 / 2 Width^2), cut at three widths and
   * normalised. LUCY (default): a smooth polynomial that ends at Width.
   */
  vtkSetClampMacro(Kernel, int, HEAVISIDE, LUCY);
  vtkGetMacro(Kernel, int);
  ///@}

  ///@{
  /**
   * Width of the kernel in m; default 0 = three mean radii, or one for GAUSS; >= 0.
   */
  vtkSetMacro(Width, double);
  vtkGetMacro(Width, double);
  ///@}

  ///@{
  /**
   * Points of the automatic grid along x, y and z; default 32 each, > 1.
   */
  vtkSetVector3Macro(Dimensions, int);
  vtkGetVector3Macro(Dimensions, int);
  ///@}

protected:
  vtkDEMCoarseGraining();
  ~vtkDEMCoarseGraining() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestDataObject(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  std::unique_ptr<vtkDEMAveraging> NewAveraging() override;

  int Kernel = LUCY;
  double Width = 0;
  int Dimensions[3] = { 32, 32, 32 };

private:
  vtkDEMCoarseGraining(const vtkDEMCoarseGraining&) = delete;
  void operator=(const vtkDEMCoarseGraining&) = delete;

  class Averaging;
  friend class Averaging;
  class Engine;
  std::unique_ptr<Engine> Kept;
};

#endif
