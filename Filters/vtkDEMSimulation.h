/**
 * @class   vtkDEMSimulation
 * @brief   runs grains through the Discrete Element Method, as a time-dependent filter
 *
 * Inputs: port 0 `Particles` (one or more point sets with the point array `Radius`, m, and if there
 * `Velocity`, m/s, `AngularVelocity`, rad/s, `Orientation`, w x y z, `Id`, `Material`, `Shape`),
 * port 1 `Walls` (none or more polygonal meshes, as they are or through vtkDEMWall), port 2 `Table
 * Of Materials` (optional, one material a row), port 3 `Table Of Pairs` (optional, one pair of
 * materials a row). (ParaView's menu asks the input that comes first by name, so none may come
 * before `Particles`.)
 *
 * Materials: without a table 0 is the grains' and 1 the walls' of this object. With a table, or
 * with the lists of materials of this object, its rows come first, so that the point array
 * `Material` is a row; then the two of this object under the names Grain and Wall; then those that
 * walls carry. Field data `Materials` of a particle input (as vtkDEMPacking writes it) turns its
 * `Material` into names.
 *
 * A wall input with several time steps moves: by a translation or a rotation about one fixed axis,
 * linear between its times, at rest before the first and after the last; else it is refused.
 *
 * Other inputs are the state at the start: they are taken at their first time, and a change of
 * their content starts the run anew. See vtkDEMRunAlgorithm for the outputs and for what a request
 * of a time does.
 */

#ifndef vtkDEMSimulation_h
#define vtkDEMSimulation_h

#include "vtkDEMRunAlgorithm.h"
#include "vtkSmartPointer.h" // for vtkSmartPointer

#include <map>    // for std::map
#include <string> // for std::string
#include <vector> // for std::vector

namespace dem
{
struct Material;
}
class vtkDEMContactModel;
class vtkDEMRollingModel;
class vtkTable;

class VTKPARAGRAINFILTERS_EXPORT vtkDEMSimulation : public vtkDEMRunAlgorithm
{
public:
  static vtkDEMSimulation* New();
  vtkTypeMacro(vtkDEMSimulation, vtkDEMRunAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum InputPorts
  {
    INPUT_PARTICLES = 0,
    INPUT_WALLS,
    INPUT_MATERIALS,
    INPUT_MATERIAL_PAIRS,
    NUMBER_OF_INPUT_PORTS
  };

  ///@{
  /**
   * Time step in s; default 0 = automatic: the least of 20 % of the Rayleigh time and 1/40 of the
   * shortest contact at the fastest approach. It is lowered to OutputInterval / n. >= 0; too large
   * a step is refused.
   */
  void SetTimeStep(double value);
  vtkGetMacro(TimeStep, double);
  ///@}

  ///@{
  /**
   * End of the run in s; default 1, >= 0.
   */
  void SetEndTime(double value);
  vtkGetMacro(EndTime, double);
  ///@}

  ///@{
  /**
   * Time between outputs in s; default 0.01, > 0. It is the spacing of the time steps in ParaView.
   */
  void SetOutputInterval(double value);
  vtkGetMacro(OutputInterval, double);
  ///@}

  ///@{
  /**
   * Gravity in m/s^2; default (0, 0, -9.81).
   */
  void SetGravity(double x, double y, double z);
  void SetGravity(const double gravity[3]) { this->SetGravity(gravity[0], gravity[1], gravity[2]); }
  vtkGetVector3Macro(Gravity, double);
  ///@}

  ///@{
  /**
   * The normal force law; default (null) vtkDEMHertzMindlin.
   */
  void SetContactModel(vtkDEMContactModel* model);
  vtkDEMContactModel* GetContactModel();
  ///@}

  ///@{
  /**
   * Rolling resistance; default (null) vtkDEMRollingNone.
   */
  void SetRollingModel(vtkDEMRollingModel* model);
  vtkDEMRollingModel* GetRollingModel();
  ///@}

  ///@{
  /**
   * Keep the tangential spring of a contact (default on). Without it friction is viscous below the
   * Coulomb limit, and piles creep.
   */
  void SetTangentialHistory(bool value);
  vtkGetMacro(TangentialHistory, bool);
  ///@}

  ///@{
  /**
   * What Coulomb's limit is taken of: 0 = Total, mu |Fn| (default), 1 = Elastic, mu times the
   * elastic part.
   */
  void SetFrictionLimit(int value);
  vtkGetMacro(FrictionLimit, int);
  ///@}

  ///@{
  /**
   * Tangential damping: 0 = Mindlin (default), 1 = Equal To Normal, 2 = None.
   */
  void SetTangentialDamping(int value);
  vtkGetMacro(TangentialDamping, int);
  ///@}

  ///@{
  /**
   * Never let a contact pull near separation (default off). It changes the restitution: 0.5 becomes
   * 0.55.
   */
  void SetClampNormalForce(bool value);
  vtkGetMacro(ClampNormalForce, bool);
  ///@}

  ///@{
  /**
   * Young's modulus of the grains, in Pa; default 5e6, > 0. Soft grains allow large time steps.
   */
  void SetYoungsModulus(double value);
  vtkGetMacro(YoungsModulus, double);
  ///@}

  ///@{
  /**
   * Poisson's ratio of the grains, without unit; default 0.3, in (-1, 0.5].
   */
  void SetPoissonsRatio(double value);
  vtkGetMacro(PoissonsRatio, double);
  ///@}

  ///@{
  /**
   * Density of the grains in kg/m^3; default 2500, > 0.
   */
  void SetDensity(double value);
  vtkGetMacro(Density, double);
  ///@}

  ///@{
  /**
   * Coefficient of restitution of the grains, without unit; default 0.5, in (0, 1].
   */
  void SetRestitution(double value);
  vtkGetMacro(Restitution, double);
  ///@}

  ///@{
  /**
   * Coefficient of friction of the grains, without unit; default 0.5, >= 0.
   */
  void SetFriction(double value);
  vtkGetMacro(Friction, double);
  ///@}

  ///@{
  /**
   * Coefficient of rolling friction of the grains, without unit; default 0, >= 0. Used by a rolling
   * model only.
   */
  void SetRollingFriction(double value);
  vtkGetMacro(RollingFriction, double);
  ///@}

  ///@{
  /**
   * Young's modulus of the walls that carry no material of their own, and of the domain's borders,
   * in Pa; default 5e6, > 0. Soft grains allow large time steps.
   */
  void SetWallYoungsModulus(double value);
  vtkGetMacro(WallYoungsModulus, double);
  ///@}

  ///@{
  /**
   * Poisson's ratio of the walls that carry no material of their own, and of the domain's borders,
   * without unit; default 0.3, in (-1, 0.5].
   */
  void SetWallPoissonsRatio(double value);
  vtkGetMacro(WallPoissonsRatio, double);
  ///@}

  ///@{
  /**
   * Density of the wall material in kg/m^3; default 2500, > 0. Walls are not moved by forces: it is
   * the mass of grains that carry Material 1.
   */
  void SetWallDensity(double value);
  vtkGetMacro(WallDensity, double);
  ///@}

  ///@{
  /**
   * Coefficient of restitution of the walls that carry no material of their own, and of the
   * domain's borders, without unit; default 0.5, in (0, 1].
   */
  void SetWallRestitution(double value);
  vtkGetMacro(WallRestitution, double);
  ///@}

  ///@{
  /**
   * Coefficient of friction of the walls that carry no material of their own, and of the domain's
   * borders, without unit; default 0.5, >= 0.
   */
  void SetWallFriction(double value);
  vtkGetMacro(WallFriction, double);
  ///@}

  ///@{
  /**
   * Coefficient of rolling friction of the walls that carry no material of their own, and of the
   * domain's borders, without unit; default 0, >= 0. Used by a rolling model only.
   */
  void SetWallRollingFriction(double value);
  vtkGetMacro(WallRollingFriction, double);
  ///@}

  ///@{
  /**
   * Materials by lists, one value of each list a material, in place of a Table Of Materials (both
   * at once are an error). Names differ and are not empty. A list of numbers has one value for each
   * name, or is empty: the materials then have the value of the grain material. Units and ranges
   * are those of the grain material. The lists may be filled in any order.
   */
  void AddMaterialName(const char* name);
  void RemoveAllMaterialNames();
  void AddMaterialYoungsModulus(double value);
  void RemoveAllMaterialYoungsModuli();
  void AddMaterialPoissonsRatio(double value);
  void RemoveAllMaterialPoissonsRatios();
  void AddMaterialDensity(double value);
  void RemoveAllMaterialDensities();
  void AddMaterialRestitution(double value);
  void RemoveAllMaterialRestitutions();
  void AddMaterialFriction(double value);
  void RemoveAllMaterialFrictions();
  void AddMaterialRollingFriction(double value);
  void RemoveAllMaterialRollingFrictions();
  ///@}

  ///@{
  /**
   * Borders around the simulation (default on). Without them grains may fly anywhere.
   */
  void SetLimitDomain(bool value);
  vtkGetMacro(LimitDomain, bool);
  ///@}

  ///@{
  /**
   * Take the bounds of particles and walls with the sweep of moving walls and the throw of
   * particles that begin with a velocity, grown by 5 % of their size plus the largest diameter,
   * instead of Domain (default on). See dem::setAutomaticDomain.
   */
  void SetAutomaticDomain(bool value);
  vtkGetMacro(AutomaticDomain, bool);
  ///@}

  ///@{
  /**
   * Borders in m (x min, x max, y min, y max, z min, z max); default a cube of 1 m around the
   * origin. Used with LimitDomain on and AutomaticDomain off. A domain that leaves particles out is
   * refused.
   */
  void SetDomain(double xMin, double xMax, double yMin, double yMax, double zMin, double zMax);
  void SetDomain(const double domain[6])
  {
    this->SetDomain(domain[0], domain[1], domain[2], domain[3], domain[4], domain[5]);
  }
  vtkGetVector6Macro(Domain, double);
  ///@}

  ///@{
  /**
   * The borders that the last run was started with, in m; zeros without borders.
   */
  vtkGetVector6Macro(DomainInUse, double);
  ///@}

  ///@{
  /**
   * What happens to a particle at the borders in X: 0 = Wall (default), 1 = Remove (counted), 2 =
   * Periodic.
   */
  void SetExitX(int value);
  vtkGetMacro(ExitX, int);
  ///@}

  ///@{
  /**
   * What happens to a particle at the borders in Y: 0 = Wall (default), 1 = Remove (counted), 2 =
   * Periodic.
   */
  void SetExitY(int value);
  vtkGetMacro(ExitY, int);
  ///@}

  ///@{
  /**
   * What happens to a particle at the borders in Z: 0 = Wall (default), 1 = Remove (counted), 2 =
   * Periodic.
   */
  void SetExitZ(int value);
  vtkGetMacro(ExitZ, int);
  ///@}

  ///@{
  /**
   * 0 = Mixed: positions double, forces and history single, velocities single with a carried
   * remainder (default). 1 = Double.
   */
  void SetPrecision(int value);
  vtkGetMacro(Precision, int);
  ///@}

  ///@{
  /**
   * Scheme of the motion: 0 = Velocity Verlet (default, order 2), 1 = Semi-Implicit Euler (order
   * 1), 2 = Gear Predictor-Corrector (five values, order 4 where forces are smooth; keeps six more
   * vectors a particle, and does not go with the rolling model CDT).
   */
  void SetIntegrator(int value);
  vtkGetMacro(Integrator, int);
  ///@}

  ///@{
  /**
   * Search for candidate pairs: 0 = Automatic (default: Sorted Grid or Hierarchical Grid, by the
   * radii), 1 = Sorted Grid, 2 = Linked Cells, 3 = Fixed Cells, 4 = Hashed Infinite Grid, 5 = BVH,
   * 6 = Hierarchical Grid. The result does not depend on it, nor on any of its options. Sources:
   * Kernels/BroadPhase/BroadPhaseOptions.h.
   */
  void SetBroadPhase(int value);
  vtkGetMacro(BroadPhase, int);
  ///@}

  ///@{
  /**
   * Sorted Grid: order of the cells in memory, 0 = Row Major (default), 1 = Morton.
   */
  void SetCellOrder(int value);
  vtkGetMacro(CellOrder, int);
  ///@}

  ///@{
  /**
   * Linked Cells: 0 = Loose, each particle in one cell (default), 1 = Tight, in every cell it
   * touches, 2 = Loose Packed, with a copy of its position beside the link.
   */
  void SetLinkedCells(int value);
  vtkGetMacro(LinkedCells, int);
  ///@}

  ///@{
  /**
   * Fixed Cells: layout of the slots, 0 = Row Major, 1 = Column Major (default), 2 = Counted,
   * without a maximum per cell.
   */
  void SetFixedCells(int value);
  vtkGetMacro(FixedCells, int);
  ///@}

  ///@{
  /**
   * Fixed Cells: slots of a cell at first, default 8, 1 to 65535. It grows when a cell overflows.
   */
  void SetCellCapacity(int value);
  vtkGetMacro(CellCapacity, int);
  ///@}

  ///@{
  /**
   * Hashed Infinite Grid: from a cell to its bucket, 0 = Uniform, 1 = Morton (default),
   * 2 = Universal.
   */
  void SetHashFunction(int value);
  vtkGetMacro(HashFunction, int);
  ///@}

  ///@{
  /**
   * Hashed Infinite Grid: buckets per particle, default 2, 1 to 5.
   */
  void SetHashTableFactor(int value);
  vtkGetMacro(HashTableFactor, int);
  ///@}

  ///@{
  /**
   * BVH: bits of a Morton key, 30 or 63 (default).
   */
  void SetBVHKeyBits(int value);
  vtkGetMacro(BVHKeyBits, int);
  ///@}

  ///@{
  /**
   * Find each pair from one side only (default off). Sorted Grid in row-major order and BVH; an
   * error with the others.
   */
  void SetHalfSearch(bool value);
  vtkGetMacro(HalfSearch, bool);
  ///@}

  ///@{
  /**
   * How the triangles of walls are found: 0 = BVH (default), 1 = Uniform Grid (Kureck 2016, 2.3.3).
   * The result is the same to the bit.
   */
  void SetTriangleSearch(int value);
  vtkGetMacro(TriangleSearch, int);
  ///@}

  ///@{
  /**
   * When a rebuild of the candidate list also sorts the particles' data in memory: 0 = Every
   * Rebuild (default), 1 = Every Steps (at the first rebuild SortSteps after the last sort), 2 =
   * Every Time (the same with SortTime), 3 = Never. The result does not depend on it.
   */
  void SetSortParticles(int value);
  vtkGetMacro(SortParticles, int);
  ///@}

  ///@{
  /**
   * Steps between two sorts at least, default 1000, >= 1.
   */
  void SetSortSteps(int value);
  vtkGetMacro(SortSteps, int);
  ///@}

  ///@{
  /**
   * Simulated time between two sorts at least, in s, default 1e-3, > 0.
   */
  void SetSortTime(double value);
  vtkGetMacro(SortTime, double);
  ///@}

  ///@{
  /**
   * How candidate pairs are kept between searches: 0 = Automatic (default, the fastest), 1 =
   * Static, 2 = Dynamic, 3 = Hybrid (Kureck 2016, chapter 4), 4 = None (search and force in one
   * loop), 5 = Split Loop (each step finds what touches, then computes). The result is the same to
   * the bit, but for SymmetricList.
   */
  void SetNeighborList(int value);
  vtkGetMacro(NeighborList, int);
  ///@}

  ///@{
  /**
   * Slots a particle (Static, Hybrid; None, Split Loop: for what touches it); 0 = tuned from counts
   * (default). Up to 65535; a Static list that needs more is an error.
   */
  void SetStaticSize(int value);
  vtkGetMacro(StaticSize, int);
  ///@}

  ///@{
  /**
   * Static, Dynamic, Hybrid: each pair stands in the list once and its forces are summed by
   * atomics; two runs then differ by rounding. Default off.
   */
  void SetSymmetricList(bool value);
  vtkGetMacro(SymmetricList, bool);
  ///@}

  ///@{
  /**
   * What a thread evaluates (Static, Dynamic, Hybrid, Split Loop): 0 = Particle (default), 1 =
   * Contact, 2 = Contact, Warp Reduction.
   */
  void SetThreadPer(int value);
  vtkGetMacro(ThreadPer, int);
  ///@}

  ///@{
  /**
   * Distance in m up to which pairs that do not touch are kept as candidates; default 0 =
   * automatic, >= 0. The result does not depend on it.
   */
  void SetSkin(double value);
  vtkGetMacro(Skin, double);
  ///@}

  ///@{
  /**
   * Keep age, slip distance and dissipated energy of every contact (default off: it costs memory
   * traffic).
   */
  void SetContactStatistics(bool value);
  vtkGetMacro(ContactStatistics, bool);
  ///@}

  ///@{
  /**
   * Largest overlap of two initial particles that is accepted, as a fraction of the smaller radius;
   * default 0.05, >= 0.
   */
  void SetInitialOverlapTolerance(double value);
  vtkGetMacro(InitialOverlapTolerance, double);
  ///@}

  ///@{
  /**
   * Push initial particles that overlap more than that apart before the run, instead of refusing
   * them (default off).
   */
  void SetRelaxInitialOverlaps(bool value);
  vtkGetMacro(RelaxInitialOverlaps, bool);
  ///@}

  ///@{
  /**
   * Let the run itself average over the cells of a grid, for the output Averages (default off). A
   * change of this or of any property of the averages starts the run anew.
   */
  void SetAccumulateAverages(bool value);
  vtkGetMacro(AccumulateAverages, bool);
  ///@}

  ///@{
  /**
   * The grid of the averages is the domain, which must be limited (default on); else it is
   * AveragesBounds. An axis on which it is the whole of a periodic domain is periodic.
   */
  void SetAveragesFillDomain(bool value);
  vtkGetMacro(AveragesFillDomain, bool);
  ///@}

  ///@{
  /**
   * Lower and upper x, y, z of the grid in m; default a cube of 1 m around the origin.
   */
  void SetAveragesBounds(
    double xMin, double xMax, double yMin, double yMax, double zMin, double zMax);
  vtkGetVector6Macro(AveragesBounds, double);
  ///@}

  ///@{
  /**
   * Cells of the grid along x, y, z; default 20 each, >= 1.
   */
  void SetAveragesDimensions(int x, int y, int z);
  vtkGetVector3Macro(AveragesDimensions, int);
  ///@}

  ///@{
  /**
   * Time of the first sample in s, default 0; the time after which there are none, default 0 = the
   * end of the run.
   */
  void SetAveragesFrom(double value);
  vtkGetMacro(AveragesFrom, double);
  void SetAveragesTo(double value);
  vtkGetMacro(AveragesTo, double);
  ///@}

  ///@{
  /**
   * Time between two samples in s, a time step at least; default 0 = OutputInterval. Each is taken
   * at the nearest whole step.
   */
  void SetAveragesInterval(double value);
  vtkGetMacro(AveragesInterval, double);
  ///@}

  ///@{
  /**
   * Memory in MiB that the averages may take, default 4096. What would take more is refused.
   */
  void SetAveragesMemoryLimit(double value);
  vtkGetMacro(AveragesMemoryLimit, double);
  ///@}

  ///@{
  /**
   * Disconnects all inputs of a port.
   */
  void RemoveAllParticleInputs();
  void RemoveAllWallInputs();
  ///@}

  vtkMTimeType GetMTime() override;

protected:
  vtkDEMSimulation();
  ~vtkDEMSimulation() override;

  void ReadTimes(double& endTime, double& outputInterval) override;
  void ReadAverages(dem::AveragesOptions& averages) override;
  vtkMTimeType GetSceneMTime(vtkInformationVector** inputVector) override;
  void ReadScene(vtkInformationVector** inputVector, dem::Scene& scene) override;
  bool HasContactStatistics() override;
  void SceneIsInUse(const dem::Scene& scene) override;
  int FillInputPortInformation(int port, vtkInformation* info) override;

  double TimeStep = 0;
  double EndTime = 1;
  double OutputInterval = 0.01;
  bool TangentialHistory = true;
  int FrictionLimit = 0;
  int TangentialDamping = 0;
  bool ClampNormalForce = false;
  double YoungsModulus = 5e6;
  double PoissonsRatio = 0.3;
  double Density = 2500;
  double Restitution = 0.5;
  double Friction = 0.5;
  double RollingFriction = 0;
  double WallYoungsModulus = 5e6;
  double WallPoissonsRatio = 0.3;
  double WallDensity = 2500;
  double WallRestitution = 0.5;
  double WallFriction = 0.5;
  double WallRollingFriction = 0;
  std::vector<std::string> MaterialNames;
  std::map<std::string, std::vector<double>> MaterialNumbers; // by the property
  bool LimitDomain = true;
  bool AutomaticDomain = true;
  int ExitX = 0;
  int ExitY = 0;
  int ExitZ = 0;
  int Precision = 0;
  int Integrator = 0;
  int BroadPhase = 0;
  int CellOrder = 0;
  int LinkedCells = 0;
  int FixedCells = 1;
  int CellCapacity = 8;
  int HashFunction = 1;
  int HashTableFactor = 2;
  int BVHKeyBits = 63;
  bool HalfSearch = false;
  int TriangleSearch = 0;
  int SortParticles = 0;
  int SortSteps = 1000;
  double SortTime = 1e-3;
  int NeighborList = 0;
  int StaticSize = 0;
  bool SymmetricList = false;
  int ThreadPer = 0;
  double Skin = 0;
  bool ContactStatistics = false;
  double InitialOverlapTolerance = 0.05;
  bool RelaxInitialOverlaps = false;
  bool AccumulateAverages = false;
  bool AveragesFillDomain = true;
  double AveragesBounds[6] = { -0.5, 0.5, -0.5, 0.5, -0.5, 0.5 };
  int AveragesDimensions[3] = { 20, 20, 20 };
  double AveragesFrom = 0;
  double AveragesTo = 0;
  double AveragesInterval = 0;
  double AveragesMemoryLimit = 4096;
  double Gravity[3] = { 0, 0, -9.81 };
  double Domain[6] = { -0.5, 0.5, -0.5, 0.5, -0.5, 0.5 };
  double DomainInUse[6] = { 0, 0, 0, 0, 0, 0 };
  vtkSmartPointer<vtkDEMContactModel> ContactModel;
  vtkSmartPointer<vtkDEMRollingModel> RollingModel;

private:
  std::vector<dem::Material> ReadMaterials(vtkTable* table, const dem::Material& fallback);

  vtkDEMSimulation(const vtkDEMSimulation&) = delete;
  void operator=(const vtkDEMSimulation&) = delete;
};

#endif
