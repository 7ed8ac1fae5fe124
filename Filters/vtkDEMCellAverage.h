/**
 * @class   vtkDEMCellAverage
 * @brief   averages grains and contacts over the cells of an image grid
 *
 * Input 0: particles, points with radii. Input 1, optional: contacts (see vtkDEMAverageAlgorithm).
 * Input 2, optional: vtkImageData that defines the cells. Port 0: vtkImageData with the cell arrays
 * MassDensity (kg/m^3), NumberDensity (1/m^3), SolidFraction, Velocity (mean over mass, m/s),
 * GranularTemperature (a third of the mean square of the velocity's fluctuation, m^2/s^2),
 * AngularVelocity (mean over mass, rad/s), KineticStress and ContactStress (Pa, xx yy zz xy yz xz,
 * tension positive), CoordinationNumber (contacts of a grain, with grains and walls) and
 * SpeciesFraction (fraction of the solid volume, one component per material). Port 1: a table of
 * the same fields over slabs along an axis, with Height, Lower and Upper (m). Port 2, for means
 * over time: a table of lines that a chart draws as error bars of that profile, two standard errors
 * to either side of the mean. It has Height and an array with a name that ends in Bar for each
 * field, seven rows per slab.
 *
 * Contact stress is that of Love and Weber; a cell gets the part of a contact that its branch
 * vector has in it. Sums are taken in ascending Id, so every run on one device gives the same bits.
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
   * Use the bounds of the grains at the time shown as the grid; default on. Off: the grid is
   * Bounds.
   */
  vtkSetMacro(AutomaticBounds, bool);
  vtkGetMacro(AutomaticBounds, bool);
  vtkBooleanMacro(AutomaticBounds, bool);
  ///@}

  ///@{
  /**
   * Bounds of the grid in m: x min, x max, y min, y max, z min, z max; default 0 to 1 each.
   */
  vtkSetVector6Macro(Bounds, double);
  vtkGetVector6Macro(Bounds, double);
  ///@}

  ///@{
  /**
   * Number of cells along x, y and z, >= 0; default 0 = 20. Used if CellSize is 0. With
   * AutomaticBounds, default cells are at least 2.5 mean diameters wide. Cells that the grains do
   * not need then lie empty around them, and the profile omits these.
   */
  vtkSetVector3Macro(Dimensions, int);
  vtkGetVector3Macro(Dimensions, int);
  ///@}

  /**
   * Suggested Dimensions for the present grains of the input: cells of at least 2.5 mean diameters,
   * 1 to 20 on each axis; 0 without grains. A client queries it once, since the number of cells
   * must not change in time.
   */
  int* GetSuggestedDimensions() VTK_SIZEHINT(3);

  ///@{
  /**
   * Edge of a cell in m; default 0 = use Dimensions, >= 0. Bounds are divided into the nearest
   * whole number of cells. An error with AutomaticBounds: a pipeline needs the number of cells
   * before the grains are known, and it must not change in time.
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
   * Share of a grain in a cell: the part of its volume inside the cell (EXACT_OVERLAP, default), or
   * the whole grain in the cell of its centre (CENTRE_IN_CELL).
   */
  vtkSetClampMacro(GrainShare, int, EXACT_OVERLAP, CENTRE_IN_CELL);
  vtkGetMacro(GrainShare, int);
  ///@}

  ///@{
  /**
   * Whether the grid is periodic along x, y, z, with its size as the period; default off. An error
   * with AutomaticBounds.
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
   * Planes between the slabs of the profile in m, ascending; default none = the planes of the grid.
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
   * Size of a cell along each axis in m. Throws dem::Error.
   */
  void GetCells(double size[3]);
  class Engine;
  std::unique_ptr<Engine> Kept;
};

#endif
