/**
 * @class   vtkDEMCellAverage
 * @brief   averages grains and contacts over the cells of an image grid
 *
 * Input 0: particles, points with radii. Input 1, optional: contacts (see vtkDEMAverageAlgorithm).
 * Input 2, optional: vtkImageData whose cells are taken. Port 0: vtkImageData with the cell arrays
 * MassDensity (kg/m^3), NumberDensity (1/m^3), SolidFraction, Velocity (mean over mass, m/s),
 * GranularTemperature (a third of the mean square of the velocity's fluctuation, m^2/s^2),
 * AngularVelocity (mean over mass, rad/s), KineticStress and ContactStress (Pa, xx yy zz xy yz xz,
 * tension positive), CoordinationNumber (contacts of a grain, with grains and walls) and
 * SpeciesFraction (of the solid volume, one component a material). Port 1: a table of the same over
 * slabs along an axis, with their Height, Lower and Upper (m). Port 2: for means over time, a table
 * of lines that a chart draws as error bars of that profile: Height and an array that ends in Bar
 * for each field, seven rows a slab, two standard errors to either side of the mean.
 *
 * Contact stress is that of Love and Weber, each contact shared out to the cells by the part of its
 * branch that lies in them. Sums go by ascending Id: the same bits in every run on one device.
 */

#ifndef vtkDEMCellAverage_h
#define vtkDEMCellAverage_h

#include "vtkDEMAverageAlgorithm.h"
#include "vtkParaGrainFiltersModule.h" // for export macro

#include <vector> // for std::vector

class VTKPARAGRAINFILTERS_EXPORT vtkDEMCellAverage : public vtkDEMAverageAlgorithm
{
public:
  static vtkDEMCellAverage* New();
  vtkTypeMacro(vtkDEMCellAverage, vtkDEMAverageAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * The grid fills the bounds of the grains of the time shown (default on); off: it fills Bounds.
   */
  vtkSetMacro(AutomaticBounds, bool);
  vtkGetMacro(AutomaticBounds, bool);
  vtkBooleanMacro(AutomaticBounds, bool);
  ///@}

  ///@{
  /**
   * Lower and upper x, y, z of the grid in m; default 0 to 1.
   */
  vtkSetVector6Macro(Bounds, double);
  vtkGetVector6Macro(Bounds, double);
  ///@}

  ///@{
  /**
   * Cells along x, y and z, >= 0. Used unless there is a CellSize. Default 0 = 20; with
   * AutomaticBounds these are not smaller than 2.5 mean diameters, and those that the grains do not
   * need lie empty around them. The profile leaves such cells out.
   */
  vtkSetVector3Macro(Dimensions, int);
  vtkGetVector3Macro(Dimensions, int);
  ///@}

  /**
   * Dimensions for the grains that the input holds now: cells of at least 2.5 mean diameters, 1 to
   * 20 on each axis; 0 without grains. A pipeline may not change the number of cells in time, so
   * that a client asks once.
   */
  int* GetSuggestedDimensions() VTK_SIZEHINT(3);

  ///@{
  /**
   * Edge of a cell in m: Bounds are divided into the number of cells that comes nearest. Default 0
   * = use Dimensions. An error with AutomaticBounds, since a pipeline has to know the number of
   * cells before it has the grains, and may not change it in time.
   */
  vtkSetMacro(CellSize, double);
  vtkGetMacro(CellSize, double);
  ///@}

  enum Shares
  {
    EXACT_OVERLAP = 0,
    CENTRE_IN_CELL
  };

  ///@{
  /**
   * How grains count in cells: by the part of their volume that lies inside (EXACT_OVERLAP,
   * default), or whole in the cell of their centre (CENTRE_IN_CELL).
   */
  vtkSetClampMacro(GrainShare, int, EXACT_OVERLAP, CENTRE_IN_CELL);
  vtkGetMacro(GrainShare, int);
  ///@}

  ///@{
  /**
   * The grid is one period along x, y, z: what leaves it comes back in on the other side. Default
   * off; an error with AutomaticBounds.
   */
  vtkSetVector3Macro(Periodic, int);
  vtkGetVector3Macro(Periodic, int);
  ///@}

  ///@{
  /**
   * Axis of the profile: 0, 1, 2 for x, y, z; default 2.
   */
  vtkSetClampMacro(ProfileAxis, int, 0, 2);
  vtkGetMacro(ProfileAxis, int);
  ///@}

  ///@{
  /**
   * Planes between the slabs of the profile in m, ascending; none (default) = the grid's.
   */
  void SetNumberOfProfileHeights(int number);
  void SetProfileHeight(int index, double height);
  ///@}

protected:
  vtkDEMCellAverage();
  ~vtkDEMCellAverage() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  std::unique_ptr<vtkDEMAveraging> NewAveraging() override;

  bool AutomaticBounds = true;
  double Bounds[6] = { 0, 1, 0, 1, 0, 1 };
  double CellSize = 0;
  int Dimensions[3] = { 0, 0, 0 };
  int SuggestedDimensions[3] = { 0, 0, 0 };
  int GrainShare = EXACT_OVERLAP;
  int Periodic[3] = { 0, 0, 0 };
  int ProfileAxis = 2;
  std::vector<double> ProfileHeights;

private:
  vtkDEMCellAverage(const vtkDEMCellAverage&) = delete;
  void operator=(const vtkDEMCellAverage&) = delete;

  class Averaging;
  friend class Averaging;
  /**
   * Cells on each axis; throws dem::Error.
   */
  void GetCells(double size[3]);
  class Engine;
  std::unique_ptr<Engine> Kept;
};

#endif
