/**
 * @class   vtkMPMSimulation
 * @brief   runs a continuum through the Material Point Method, as a time-dependent filter
 *
 * Inputs: port 0 `Particles` (one or more: closed surfaces, which are filled, or point sets with,
 * where known, the point arrays `Velocity`, m/s, `Mass`, kg, `Volume`, m^3, `Density`, kg/m^3,
 * `Radius`, m, `Material`; of a surface Velocity, Density and Material hold for all that is
 * inside), port 1 `Walls` (none or more polygonal meshes, as they are or through vtkDEMWall), port
 * 2 `Table Of Materials` (optional, one material a row; the point array Material is the row).
 *
 * Outputs:
 * - port 0 `MaterialPoints` (vtkPolyData, one vertex a point, ascending Id): point arrays Id,
 * Radius (of a sphere of the point's volume), Velocity, Mass, Volume, J, DeformationGradient (9,
 * rows), Stress (Cauchy, xx yy zz xy yz xz, tension positive), VonMises, PlasticStrain, Material.
 * - port 1 `Grid` (vtkMultiBlockDataSet of one vtkImageData): the box around the nodes that carry
 * mass, with point arrays Mass, Velocity, Pressure; cells with a corner without mass are hidden.
 * Its extent follows the material.
 * - port 2 `Walls` (vtkPolyData): where their motion has brought them; cell array Wall (index).
 * - port 3 `Statistics` (vtkTable, one row): time, step, energies, momenta, counts, device. The
 * field data of the other ports has the same.
 *
 * Inputs are the state at the start: they are taken at their first time, and a change of their
 * content starts the run anew. See vtkDEMTimelineAlgorithm for what a request of a time does.
 */

#ifndef vtkMPMSimulation_h
#define vtkMPMSimulation_h

#include "vtkDEMSceneAlgorithm.h"
#include "vtkSmartPointer.h" // for vtkSmartPointer

#include <memory> // for std::unique_ptr
#include <vector> // for std::vector

namespace dem
{
struct Material;
}
namespace mpm
{
struct Domain;
struct Scene;
} // namespace mpm
namespace vtkMPMBodyInput
{
struct Body;
}
class vtkMPMMaterial;

class VTKPARAGRAINFILTERS_EXPORT vtkMPMSimulation : public vtkDEMSceneAlgorithm
{
public:
  static vtkMPMSimulation* New();
  vtkTypeMacro(vtkMPMSimulation, vtkDEMSceneAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum ContinuumInputPorts
  {
    NUMBER_OF_INPUT_PORTS = INPUT_MATERIALS + 1
  };

  enum OutputPorts
  {
    POINTS = 0,
    GRID,
    WALLS,
    STATISTICS,
    NUMBER_OF_OUTPUT_PORTS
  };

  ///@{
  /**
   * The part of the bound that automatic steps use; default 0.4, in (0, 1].
   */
  void SetCourantNumber(double value);
  vtkGetMacro(CourantNumber, double);
  ///@}

  ///@{
  /**
   * Fill inputs that have polygons, which must be closed surfaces (default on). Off: their points
   * are taken.
   */
  void SetFillSurfaces(bool value);
  vtkGetMacro(FillSurfaces, bool);
  ///@}

  ///@{
  /**
   * Points along each axis of a cell inside a surface; default 2, which makes 8 a cell; 1 to 8.
   */
  void SetPointsPerAxis(int value);
  vtkGetMacro(PointsPerAxis, int);
  ///@}

  ///@{
  /**
   * How far points inside a surface are moved off their lattice; default 0 = none, 1 = anywhere in
   * their share of the cell.
   */
  void SetJitter(double value);
  vtkGetMacro(Jitter, double);
  ///@}

  ///@{
  /**
   * Of the jitter; default 1. The same seed gives the same points.
   */
  void SetSeed(int value);
  vtkGetMacro(Seed, int);
  ///@}

  ///@{
  /**
   * Width of the grid's cells in m; default 0 = automatic: 4096 cells inside the smallest surface,
   * 8 points a cell of the densest points.
   */
  void SetGridSpacing(double value);
  vtkGetMacro(GridSpacing, double);
  ///@}

  ///@{
  /**
   * What walls do to the material: 0 = Stick, 1 = Slip, 2 = Separate (default; leaves freely,
   * slides with friction).
   */
  void SetWallContact(int value);
  vtkGetMacro(WallContact, int);
  ///@}

  ///@{
  /**
   * Coulomb's coefficient of walls that carry no material of their own; default 0.3, >= 0.
   */
  void SetWallFriction(double value);
  vtkGetMacro(WallFriction, double);
  ///@}

  ///@{
  /**
   * What a border of the domain does: 0 = Stick, 1 = Slip, 2 = Separate (default), 3 = Remove.
   */
  void SetBorderXLower(int value);
  vtkGetMacro(BorderXLower, int);
  void SetBorderXUpper(int value);
  vtkGetMacro(BorderXUpper, int);
  void SetBorderYLower(int value);
  vtkGetMacro(BorderYLower, int);
  void SetBorderYUpper(int value);
  vtkGetMacro(BorderYUpper, int);
  void SetBorderZLower(int value);
  vtkGetMacro(BorderZLower, int);
  void SetBorderZUpper(int value);
  vtkGetMacro(BorderZUpper, int);
  ///@}

  ///@{
  /**
   * Coulomb's coefficient of borders that are Separate; default 0.3, >= 0.
   */
  void SetBorderFriction(double value);
  vtkGetMacro(BorderFriction, double);
  ///@}

  ///@{
  /**
   * Between points and grid: 0 = APIC (default), 1 = PIC, 2 = FLIP.
   */
  void SetTransfer(int value);
  vtkGetMacro(Transfer, int);
  ///@}

  ///@{
  /**
   * FLIP: its part, the rest is PIC; default 0.95, in [0, 1].
   */
  void SetFlipFraction(double value);
  vtkGetMacro(FlipFraction, double);
  ///@}

  ///@{
  /**
   * The B-spline: 0 = Quadratic (default), 1 = Cubic.
   */
  void SetKernel(int value);
  vtkGetMacro(Kernel, int);
  ///@}

  ///@{
  /**
   * 0 = Explicit (default, symplectic Euler), 1 = Implicit Midpoint.
   */
  void SetIntegrator(int value);
  vtkGetMacro(Integrator, int);
  ///@}

  ///@{
  /**
   * Implicit Midpoint: residual over that of the first guess at which Newton's method stops;
   * default 1e-6, > 0.
   */
  void SetNewtonTolerance(double value);
  vtkGetMacro(NewtonTolerance, double);
  ///@}

  ///@{
  /**
   * Implicit Midpoint: iterations after which it is an error; default 20, >= 1.
   */
  void SetNewtonIterations(int value);
  vtkGetMacro(NewtonIterations, int);
  ///@}

  ///@{
  /**
   * Implicit Midpoint: residual of the conjugate gradients over its start; default 1e-4, > 0.
   */
  void SetLinearTolerance(double value);
  vtkGetMacro(LinearTolerance, double);
  ///@}

  ///@{
  /**
   * Implicit Midpoint: products of one Newton iteration at most; default 200, >= 1.
   */
  void SetLinearIterations(int value);
  vtkGetMacro(LinearIterations, int);
  ///@}

  ///@{
  /**
   * 0 = Single (default), 1 = Double.
   */
  void SetPrecision(int value);
  vtkGetMacro(Precision, int);
  ///@}

  ///@{
  /**
   * The same bits in every run, on any number of threads (default on). Off, the points of a cell
   * are added in the order in which they arrive there: faster, and two runs differ by rounding, so
   * the same time may not show the same data when it is met again.
   */
  void SetEqualBits(bool value);
  vtkGetMacro(EqualBits, bool);
  ///@}

  ///@{
  /**
   * Memory in MiB that the grid may take on the device; default 0 = what the device gives.
   */
  void SetMemoryLimit(int value);
  vtkGetMacro(MemoryLimit, int);
  ///@}

  ///@{
  /**
   * The material; default (null) vtkMPMMaterial as it is made. With a table it gives what the table
   * does not.
   */
  void SetMaterialModel(vtkMPMMaterial* model);
  vtkMPMMaterial* GetMaterialModel();
  ///@}

  ///@{
  /**
   * The point arrays of port 0; all on by default. Id and Radius are always there.
   */
  int GetNumberOfPointArrays();
  const char* GetPointArrayName(int index);
  int GetPointArrayStatus(const char* name);
  void SetPointArrayStatus(const char* name, int status);
  ///@}

  ///@{
  /**
   * The point arrays of port 1; all on by default. With all off the grid is not made.
   */
  int GetNumberOfGridArrays();
  const char* GetGridArrayName(int index);
  int GetGridArrayStatus(const char* name);
  void SetGridArrayStatus(const char* name, int status);
  ///@}

  ///@{
  /**
   * Width of the cells of the last run in m; 0 before the first run.
   */
  vtkGetMacro(GridSpacingInUse, double);
  ///@}

protected:
  vtkMPMSimulation();
  ~vtkMPMSimulation() override;

  vtkDEMAnyRun& GetRun() override;
  std::string GetProgressName() override;
  vtkMTimeType GetModelMTime() override;
  void ReadInputs(vtkInformationVector** inputVector) override;
  void PrepareRun(bool read) override;
  void FillOutputs(
    bool shows, vtkMultiProcessController* controller, vtkInformationVector* outputVector) override;
  int FillOutputPortInformation(int port, vtkInformation* info) override;

  double CourantNumber = 0.4;
  bool FillSurfaces = true;
  int PointsPerAxis = 2;
  double Jitter = 0;
  int Seed = 1;
  double GridSpacing = 0;
  int WallContact = 2;
  double WallFriction = 0.3;
  int BorderXLower = 2;
  int BorderXUpper = 2;
  int BorderYLower = 2;
  int BorderYUpper = 2;
  int BorderZLower = 2;
  int BorderZUpper = 2;
  double BorderFriction = 0.3;
  int Transfer = 0;
  double FlipFraction = 0.95;
  int Kernel = 0;
  int Integrator = 0;
  double NewtonTolerance = 1e-6;
  int NewtonIterations = 20;
  double LinearTolerance = 1e-4;
  int LinearIterations = 200;
  int Precision = 0;
  bool EqualBits = true;
  int MemoryLimit = 0;
  double GridSpacingInUse = 0;
  vtkSmartPointer<vtkMPMMaterial> MaterialModel;

private:
  vtkMPMSimulation(const vtkMPMSimulation&) = delete;
  void operator=(const vtkMPMSimulation&) = delete;

  void FillOptions(mpm::Scene& scene) const;
  void FillWallContacts(const std::vector<dem::Material>& materials, mpm::Scene& scene) const;
  void FillBorders(mpm::Domain& domain) const;
  void FillPoints(const std::vector<vtkMPMBodyInput::Body>& bodies, mpm::Scene& scene) const;
  void FillDomain(const std::vector<vtkMPMBodyInput::Body>& bodies, mpm::Scene& scene) const;

  class vtkInternals;
  std::unique_ptr<vtkInternals> Internals;
};

#endif
