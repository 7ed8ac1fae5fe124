/**
 * @class   vtkMPMSimulation
 * @brief   Material Point Method (MPM) simulation of a continuum, as a time-dependent filter
 *
 * Inputs: port 0 `Particles` (one or more: closed surfaces, which are filled, or point sets with
 * the optional point arrays `Velocity`, m/s, `Mass`, kg, `Volume`, m^3, `Density`, kg/m^3,
 * `Radius`, m, `Material`; Velocity, Density and Material of a surface apply to its whole inside),
 * port 1 `Walls` (any number of polygonal meshes, directly or through vtkDEMWall), port 2 `Table Of
 * Materials` (optional, one material a row; the point array Material counts rows).
 *
 * Outputs:
 * - port 0 `MaterialPoints` (vtkPolyData, one vertex a point, ascending Id): point arrays Id,
 * Radius (of a sphere of the point's volume), Velocity, Mass, Volume, J, DeformationGradient (9,
 * rows), Stress (Cauchy, xx yy zz xy yz xz, tension positive), VonMises, PlasticStrain, Material.
 * - port 1 `Grid` (vtkMultiBlockDataSet of one vtkImageData): the bounding box of the nodes with
 * mass, with point arrays Mass, Velocity, Pressure. Cells with a node without mass are hidden. The
 * extent follows the material.
 * - port 2 `Walls` (vtkPolyData): the walls at the time shown; cell array Wall (index).
 * - port 3 `Statistics` (vtkTable, one row): time, step, energies, momenta, counts, device. The
 * field data of the other ports have the same values.
 *
 * Inputs define the state at the start. They are read at their first time, and a change of their
 * content restarts the run. vtkDEMTimelineAlgorithm describes how a requested time is reached.
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
struct Body;
struct Domain;
struct Scene;
} // namespace mpm
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
   * Automatic time step over its stability limit, without unit; default 0.4, in (0, 1].
   */
  void SetCourantNumber(double value);
  vtkGetMacro(CourantNumber, double);
  ///@}

  ///@{
  /**
   * Fill inputs with polygons, which must be closed surfaces; default on. Off: their points become
   * material points.
   */
  void SetFillSurfaces(bool value);
  vtkGetMacro(FillSurfaces, bool);
  ///@}

  ///@{
  /**
   * Material points along each axis of a cell inside a surface; default 2 (8 points per cell), 1
   * to 8.
   */
  void SetPointsPerAxis(int value);
  vtkGetMacro(PointsPerAxis, int);
  ///@}

  ///@{
  /**
   * Random displacement of points inside a surface from their lattice, as a fraction of their share
   * of the cell; default 0, in [0, 1].
   */
  void SetJitter(double value);
  vtkGetMacro(Jitter, double);
  ///@}

  ///@{
  /**
   * Seed of the jitter; default 1. The same seed gives the same points.
   */
  void SetSeed(int value);
  vtkGetMacro(Seed, int);
  ///@}

  ///@{
  /**
   * Cell size of the grid in m; default 0 = automatic, >= 0. The automatic size gives 4096 cells
   * inside the smallest surface, or 8 points per cell for the densest points.
   */
  void SetGridSpacing(double value);
  vtkGetMacro(GridSpacing, double);
  ///@}

  ///@{
  /**
   * Contact with walls: 0 = Stick, 1 = Slip, 2 = Separate (default): the material may leave freely
   * and slides with friction.
   */
  void SetWallContact(int value);
  vtkGetMacro(WallContact, int);
  ///@}

  ///@{
  /**
   * Coefficient of friction of walls without a material of their own, without unit; default 0.3, >=
   * 0.
   */
  void SetWallFriction(double value);
  vtkGetMacro(WallFriction, double);
  ///@}

  ///@{
  /**
   * Contact with the borders of the domain: 0 = Stick, 1 = Slip, 2 = Separate (default), 3 = Remove
   * (points that leave are counted).
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
   * Coefficient of friction of borders that are Separate, without unit; default 0.3, >= 0.
   */
  void SetBorderFriction(double value);
  vtkGetMacro(BorderFriction, double);
  ///@}

  ///@{
  /**
   * Transfer of velocities between points and grid: 0 = APIC (default), 1 = PIC, 2 = FLIP.
   */
  void SetTransfer(int value);
  vtkGetMacro(Transfer, int);
  ///@}

  ///@{
  /**
   * FLIP: its part in a blend with PIC, without unit; default 0.95, in [0, 1].
   */
  void SetFlipFraction(double value);
  vtkGetMacro(FlipFraction, double);
  ///@}

  ///@{
  /**
   * B-spline of the transfer: 0 = Quadratic (default), 1 = Cubic.
   */
  void SetKernel(int value);
  vtkGetMacro(Kernel, int);
  ///@}

  ///@{
  /**
   * How points add to the nodes: 0 = Tiles (default), 1 = Sync, 2 = Shared Atomic, 3 = Pull, 4 =
   * Global, 5 = Global Support, 6 = Warp Sums. Those with atomic additions (2, 4, 5, 6) give up
   * equal bits.
   */
  void SetGridTransfer(int value);
  vtkGetMacro(GridTransfer, int);
  ///@}

  ///@{
  /**
   * GridTransfer Sync and Shared Atomic: points that a thread adds at once, 1 (default) or 4.
   */
  void SetBatching(int value);
  vtkGetMacro(Batching, int);
  ///@}

  ///@{
  /**
   * How points read from the nodes: 0 = Shared (default), 1 = Global.
   */
  void SetPointTransfer(int value);
  vtkGetMacro(PointTransfer, int);
  ///@}

  ///@{
  /**
   * How points are sorted: 0 = Deep (default), 1 = Index.
   */
  void SetPointOrder(int value);
  vtkGetMacro(PointOrder, int);
  ///@}

  ///@{
  /**
   * Integrator in time: 0 = Explicit (default, symplectic Euler), 1 = Implicit Midpoint, 2 =
   * Backward Euler.
   */
  void SetIntegrator(int value);
  vtkGetMacro(Integrator, int);
  ///@}

  ///@{
  /**
   * Implicit integrators: Newton's method ends at this residual, relative to that of the first
   * guess; default 1e-6, > 0.
   */
  void SetNewtonTolerance(double value);
  vtkGetMacro(NewtonTolerance, double);
  ///@}

  ///@{
  /**
   * Implicit integrators: largest number of Newton iterations; default 20, >= 1. More are an error.
   */
  void SetNewtonIterations(int value);
  vtkGetMacro(NewtonIterations, int);
  ///@}

  ///@{
  /**
   * Implicit integrators: conjugate gradients end at this residual, relative to their first;
   * default 1e-4, > 0.
   */
  void SetLinearTolerance(double value);
  vtkGetMacro(LinearTolerance, double);
  ///@}

  ///@{
  /**
   * Implicit integrators: largest number of conjugate gradient iterations in one Newton iteration;
   * default 200, >= 1.
   */
  void SetLinearIterations(int value);
  vtkGetMacro(LinearIterations, int);
  ///@}

  ///@{
  /**
   * Floating-point precision: 0 = Single (default), 1 = Double.
   */
  void SetPrecision(int value);
  vtkGetMacro(Precision, int);
  ///@}

  ///@{
  /**
   * Give the same bits in every run, on any number of threads; default on. Off: the points of a
   * cell are summed in order of arrival, which is faster, but two runs differ by rounding. A time
   * that is shown again may then show slightly different data.
   */
  void SetEqualBits(bool value);
  vtkGetMacro(EqualBits, bool);
  ///@}

  ///@{
  /**
   * Largest memory of the grid on the device in MiB; default 0 = limited by the device only.
   */
  void SetMemoryLimit(double value);
  vtkGetMacro(MemoryLimit, double);
  ///@}

  ///@{
  /**
   * The material; null (default) = the defaults of vtkMPMMaterial. With a Table Of Materials it
   * supplies the values that the table does not have.
   */
  void SetMaterialModel(vtkMPMMaterial* model);
  vtkMPMMaterial* GetMaterialModel();
  ///@}

  ///@{
  /**
   * Selection of the point arrays of port 0; default all. Id and Radius are always present. Unknown
   * names are ignored.
   */
  int GetNumberOfPointArrays();
  const char* GetPointArrayName(int index);
  int GetPointArrayStatus(const char* name);
  void SetPointArrayStatus(const char* name, int status);
  ///@}

  ///@{
  /**
   * Selection of the point arrays of port 1; default all. With all off the grid is not made.
   */
  int GetNumberOfGridArrays();
  const char* GetGridArrayName(int index);
  int GetGridArrayStatus(const char* name);
  void SetGridArrayStatus(const char* name, int status);
  ///@}

  ///@{
  /**
   * Cell size of the last run in m; 0 before the first run.
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
  int GridTransfer = 0;
  int Batching = 1;
  int PointTransfer = 0;
  int PointOrder = 0;
  int Integrator = 0;
  double NewtonTolerance = 1e-6;
  int NewtonIterations = 20;
  double LinearTolerance = 1e-4;
  int LinearIterations = 200;
  int Precision = 0;
  bool EqualBits = true;
  double MemoryLimit = 0;
  double GridSpacingInUse = 0;
  vtkSmartPointer<vtkMPMMaterial> MaterialModel;

private:
  vtkMPMSimulation(const vtkMPMSimulation&) = delete;
  void operator=(const vtkMPMSimulation&) = delete;

  void FillOptions(mpm::Scene& scene) const;
  void FillWallContacts(const std::vector<dem::Material>& materials, mpm::Scene& scene) const;
  void FillBorders(mpm::Domain& domain) const;
  void FillPoints(const std::vector<mpm::Body>& bodies, mpm::Scene& scene) const;
  void FillDomain(const std::vector<mpm::Body>& bodies, mpm::Scene& scene) const;

  class vtkInternals;
  std::unique_ptr<vtkInternals> Internals;
};

#endif
