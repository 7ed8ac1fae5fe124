/**
 * @class   vtkDEMSimulation
 * @brief   Discrete Element Method (DEM) simulation of grains, as a time-dependent filter
 *
 * Inputs: port 0 `Particles` (one or more point sets with the point array `Radius`, m, and
 * optionally `Velocity`, m/s, `AngularVelocity`, rad/s, `Orientation`, w x y z, `Id`, `Material`,
 * `Shape`, `Temperature`, K), port 1 `Walls` (any number of polygonal meshes, directly or through
 * vtkDEMWall), port 2 `Table Of Materials` (optional, one material a row), port 3 `Table Of Pairs`
 * (optional, one pair of materials a row), port 4 `Spray Nozzles` (any number of vtkDEMNozzle,
 * directly or in a composite data set). ParaView's menu enables a filter by its alphabetically
 * first input, so no name may come before `Particles`.
 *
 * Materials: without a table, material 0 is Grain and 1 is Wall, whose values are properties of
 * this object. The rows of a table, or of the lists of materials of this object, come first, so
 * that the point array `Material` counts rows; then Grain and Wall; then the materials that walls
 * carry. If a particle input has the field data `Materials` (as of vtkDEMPacking), its `Material`
 * counts these names.
 *
 * A wall input with several time steps moves by a translation or a rotation about one fixed axis.
 * The motion is linear between its times, and the wall is at rest before the first and after the
 * last. Other motions are an error.
 *
 * All other inputs define the state at the start. They are read at their first time, and a change
 * of their content restarts the run. vtkDEMRunAlgorithm describes the outputs,
 * vtkDEMTimelineAlgorithm how a requested time is reached.
 */

#ifndef vtkDEMSimulation_h
#define vtkDEMSimulation_h

#include "vtkDEMSearchAlgorithm.h"
#include "vtkSmartPointer.h" // for vtkSmartPointer

#include <map>     // for std::map
#include <memory>  // for std::shared_ptr
#include <string>  // for std::string
#include <utility> // for std::pair
#include <vector>  // for std::vector

namespace dem
{
struct ContactModel;
struct FluidField;
struct Material;
} // namespace dem
namespace vtkDEMParticleInput
{
struct PeriodicBox;
}
class vtkDEMContactModel;
class vtkDEMFluidModel;
class vtkDEMHeatModel;
class vtkDEMRollingModel;
class vtkTable;

class VTKPARAGRAINFILTERS_EXPORT vtkDEMSimulation : public vtkDEMSearchAlgorithm
{
public:
  static vtkDEMSimulation* New();
  vtkTypeMacro(vtkDEMSimulation, vtkDEMSearchAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum GrainInputPorts
  {
    INPUT_MATERIAL_PAIRS = INPUT_MATERIALS + 1,
    INPUT_NOZZLES,
    INPUT_FLUID,
    NUMBER_OF_INPUT_PORTS
  };

  ///@{
  /// Law of the normal and tangential force; null (default) = vtkDEMHertzMindlin.
  void SetContactModel(vtkDEMContactModel* model);
  vtkDEMContactModel* GetContactModel();
  ///@}

  ///@{
  /// Law of the rolling resistance; null (default) = vtkDEMRollingNone.
  void SetRollingModel(vtkDEMRollingModel* model);
  vtkDEMRollingModel* GetRollingModel();
  ///@}

  ///@{
  /**
   * Heat that flows through contacts, and fluid around the grains; default null: none.
   */
  void SetHeatTransfer(vtkDEMHeatModel* model);
  vtkDEMHeatModel* GetHeatTransfer();
  void SetFluidCoupling(vtkDEMFluidModel* model);
  vtkDEMFluidModel* GetFluidCoupling();
  ///@}

  ///@{
  /// Keep the tangential spring of a contact; default on. Off: friction is viscous below the
  /// Coulomb limit, and piles creep.
  void SetTangentialHistory(bool value);
  vtkGetMacro(TangentialHistory, bool);
  ///@}

  ///@{
  /// Normal force in Coulomb's limit: 0 = Total, mu |Fn| (default), 1 = Elastic, mu times the
  /// elastic part of Fn.
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
   * Suppress the attraction that damping causes near separation; default off. It changes the
   * restitution: 0.5 becomes 0.55.
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
   * Poisson's ratio of the grains, without unit, default 0.3, in (-1, 0.5]; their density in
   * kg/m^3, default 2500, > 0.
   */
  void SetPoissonsRatio(double value);
  vtkGetMacro(PoissonsRatio, double);
  void SetDensity(double value);
  vtkGetMacro(Density, double);
  ///@}

  ///@{
  /**
   * Coefficients of the grains, without unit: restitution, default 0.5, in (0, 1]; friction,
   * default 0.5, >= 0; rolling friction, default 0, >= 0, used by a rolling model only.
   */
  void SetRestitution(double value);
  vtkGetMacro(Restitution, double);
  void SetFriction(double value);
  vtkGetMacro(Friction, double);
  void SetRollingFriction(double value);
  vtkGetMacro(RollingFriction, double);
  ///@}

  ///@{
  /**
   * Surface energy gamma of the grains, in J/m^2; default 0, >= 0. Used by a cohesion model only.
   * Two equal grains separate at the force 3 pi gamma R*; 2 gamma is the work of adhesion.
   */
  void SetSurfaceEnergy(double value);
  vtkGetMacro(SurfaceEnergy, double);
  ///@}

  ///@{
  /**
   * Heat of the grains, for heat transfer only: specific heat capacity in J/kg/K, default 800, > 0;
   * thermal conductivity in W/m/K, default 1, > 0; Young's modulus of the real material in Pa, with
   * which the size of contacts is corrected, default 0 = YoungsModulus, >= 0.
   */
  void SetHeatCapacity(double value);
  vtkGetMacro(HeatCapacity, double);
  void SetThermalConductivity(double value);
  vtkGetMacro(ThermalConductivity, double);
  void SetTrueYoungsModulus(double value);
  vtkGetMacro(TrueYoungsModulus, double);
  ///@}

  ///@{
  /**
   * Material of the walls that carry none of their own, and of the domain's borders: Young's
   * modulus in Pa, default 5e6, > 0; Poisson's ratio, without unit, default 0.3, in (-1, 0.5];
   * density in kg/m^3, default 2500, > 0, which only grains of that material use.
   */
  void SetWallYoungsModulus(double value);
  vtkGetMacro(WallYoungsModulus, double);
  void SetWallPoissonsRatio(double value);
  vtkGetMacro(WallPoissonsRatio, double);
  void SetWallDensity(double value);
  vtkGetMacro(WallDensity, double);
  ///@}

  ///@{
  /**
   * Coefficients of the walls that carry no material of their own, and of the domain's borders,
   * without unit: restitution, default 0.5, in (0, 1]; friction, default 0.5, >= 0; rolling
   * friction, default 0, >= 0, used by a rolling model only.
   */
  void SetWallRestitution(double value);
  vtkGetMacro(WallRestitution, double);
  void SetWallFriction(double value);
  vtkGetMacro(WallFriction, double);
  void SetWallRollingFriction(double value);
  vtkGetMacro(WallRollingFriction, double);
  ///@}

  ///@{
  /**
   * Surface energy gamma of the walls that carry no material of their own, and of the domain's
   * borders, in J/m^2; default 0, >= 0. A grain sticks to a wall with the geometric mean of both
   * values. Used by a cohesion model only.
   */
  void SetWallSurfaceEnergy(double value);
  vtkGetMacro(WallSurfaceEnergy, double);
  ///@}

  ///@{
  /**
   * The same of the walls that carry no material of their own, in J/kg/K, W/m/K and Pa. Only grains
   * of the material Wall use its heat capacity.
   */
  void SetWallHeatCapacity(double value);
  vtkGetMacro(WallHeatCapacity, double);
  void SetWallThermalConductivity(double value);
  vtkGetMacro(WallThermalConductivity, double);
  void SetWallTrueYoungsModulus(double value);
  vtkGetMacro(WallTrueYoungsModulus, double);
  ///@}

  ///@{
  /**
   * Materials as lists with one value for each material, instead of a Table Of Materials; both at
   * once are an error. Names must be unique and not empty. A list of numbers has one value for each
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
  void AddMaterialSurfaceEnergy(double value);
  void RemoveAllMaterialSurfaceEnergies();
  void AddMaterialHeatCapacity(double value);
  void RemoveAllMaterialHeatCapacities();
  void AddMaterialThermalConductivity(double value);
  void RemoveAllMaterialThermalConductivities();
  void AddMaterialTrueYoungsModulus(double value);
  void RemoveAllMaterialTrueYoungsModuli();
  ///@}

  ///@{
  /**
   * Bound the simulation by a domain; default on. Off: space is unlimited.
   */
  void SetLimitDomain(bool value);
  vtkGetMacro(LimitDomain, bool);
  ///@}

  ///@{
  /**
   * Border in X: 0 = Wall (default), 1 = Remove (particles that leave are counted), 2 = Periodic.
   */
  void SetExitX(int value);
  vtkGetMacro(ExitX, int);
  ///@}

  ///@{
  /**
   * Border in Y: 0 = Wall (default), 1 = Remove (particles that leave are counted), 2 = Periodic.
   */
  void SetExitY(int value);
  vtkGetMacro(ExitY, int);
  ///@}

  ///@{
  /**
   * Border in Z: 0 = Wall (default), 1 = Remove (particles that leave are counted), 2 = Periodic.
   */
  void SetExitZ(int value);
  vtkGetMacro(ExitZ, int);
  ///@}

  ///@{
  /**
   * Search for the grains that the rays of the nozzles meet: 0 = Automatic (default), 1 = Uniform
   * Grid, 2 = BVH. All give the same hits.
   */
  void SetRaySearch(int value);
  vtkGetMacro(RaySearch, int);
  ///@}

  ///@{
  /**
   * n: the coating is also kept for 6 n^2 patches of each grain; default 0 = none, at most 32.
   */
  void SetCoatingPatches(int value);
  vtkGetMacro(CoatingPatches, int);
  ///@}

  /**
   * Disconnects all nozzles.
   */
  void RemoveAllNozzleInputs();

  ///@{
  /**
   * Floating-point precision: 0 = Mixed (default): positions double, forces and history single,
   * velocities single with a carried remainder; 1 = Double.
   */
  void SetPrecision(int value);
  vtkGetMacro(Precision, int);
  ///@}

  ///@{
  /**
   * Integrator of the motion: 0 = Velocity Verlet (default, order 2), 1 = Semi-Implicit Euler
   * (order 1), 2 = Gear Predictor-Corrector (five values, order 4 where forces are smooth; stores
   * six more vectors per particle; an error with the rolling model CDT).
   */
  void SetIntegrator(int value);
  vtkGetMacro(Integrator, int);
  ///@}

  ///@{
  /**
   * Largest gap in m between the surfaces of candidate pairs; default 0 = automatic, >= 0. The
   * result does not depend on it.
   */
  void SetSkin(double value);
  vtkGetMacro(Skin, double);
  ///@}

  ///@{
  /**
   * Record age, slip distance and dissipated energy of every contact; default off, since it costs
   * memory bandwidth.
   */
  void SetContactStatistics(bool value);
  vtkGetMacro(ContactStatistics, bool);
  ///@}

  ///@{
  /**
   * Temperature at the start in K of grains whose input has no point array Temperature; default
   * 293.15, >= 0. The run keeps the temperatures of its grains if an input has that array, or if
   * this differs from the default. Otherwise the output array Temperature, which is off by default,
   * is 293.15 for all grains and costs nothing.
   */
  void SetInitialTemperature(double value);
  vtkGetMacro(InitialTemperature, double);
  ///@}

  ///@{
  /**
   * Largest accepted overlap of two initial particles, as a fraction of the smaller radius; default
   * 0.05, range 0 to 0.5. A larger one is an error, unless RelaxInitialOverlaps is on.
   */
  void SetInitialOverlapTolerance(double value);
  vtkGetMacro(InitialOverlapTolerance, double);
  ///@}

  ///@{
  /**
   * Before the run, push apart initial particles whose overlap exceeds InitialOverlapTolerance;
   * default off.
   */
  void SetRelaxInitialOverlaps(bool value);
  vtkGetMacro(RelaxInitialOverlaps, bool);
  ///@}

  ///@{
  /**
   * Average over the cells of a grid during the run, for the output Averages; default off. A change
   * of any property of the averages restarts the run.
   */
  void SetAccumulateAverages(bool value);
  vtkGetMacro(AccumulateAverages, bool);
  ///@}

  ///@{
  /**
   * Use the domain, which must be limited, as the grid of the averages; default on. Off: the grid
   * is AveragesBounds. The grid is periodic along an axis where it covers a whole periodic domain.
   */
  void SetAveragesFillDomain(bool value);
  vtkGetMacro(AveragesFillDomain, bool);
  ///@}

  ///@{
  /**
   * Bounds of the grid in m: x min, x max, y min, y max, z min, z max; default a cube of 1 m around
   * the origin.
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
   * Times of the first and the last sample in s; default 0 and 0, where 0 for the last means the
   * end of the run.
   */
  void SetAveragesFrom(double value);
  vtkGetMacro(AveragesFrom, double);
  void SetAveragesTo(double value);
  vtkGetMacro(AveragesTo, double);
  ///@}

  ///@{
  /**
   * Simulated time between two samples in s, at least a time step; default 0 = OutputInterval.
   * Samples are taken at the nearest whole step.
   */
  void SetAveragesInterval(double value);
  vtkGetMacro(AveragesInterval, double);
  ///@}

  ///@{
  /**
   * Largest memory of the averages in MiB; default 4096. A grid that needs more is an error.
   */
  void SetAveragesMemoryLimit(double value);
  vtkGetMacro(AveragesMemoryLimit, double);
  ///@}

protected:
  vtkDEMSimulation();
  ~vtkDEMSimulation() override;

  void ReadAverages(dem::AveragesOptions& averages) override;
  vtkMTimeType GetModelMTime() override;
  void ReadScene(vtkInformationVector** inputVector, dem::Scene& scene) override;
  void ReadFlowScene(vtkInformationVector** inputVector, dem::Scene& scene) override;
  bool HasContactStatistics() override;
  int GetCoatingPatchesInUse() override;
  int FillInputPortInformation(int port, vtkInformation* info) override;
  void SceneIsInUse(const dem::Scene& scene) override;

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
  double SurfaceEnergy = 0;
  double HeatCapacity = 800;
  double ThermalConductivity = 1;
  double TrueYoungsModulus = 0;
  double WallYoungsModulus = 5e6;
  double WallPoissonsRatio = 0.3;
  double WallDensity = 2500;
  double WallRestitution = 0.5;
  double WallFriction = 0.5;
  double WallRollingFriction = 0;
  double WallSurfaceEnergy = 0;
  double WallHeatCapacity = 800;
  double WallThermalConductivity = 1;
  double WallTrueYoungsModulus = 0;
  std::vector<std::string> MaterialNames;
  std::map<std::string, std::vector<double>> MaterialNumbers; // by the property
  bool LimitDomain = true;
  int ExitX = 0;
  int ExitY = 0;
  int ExitZ = 0;
  int Precision = 0;
  int Integrator = 0;
  double Skin = 0;
  bool ContactStatistics = false;
  double InitialTemperature = 293.15;
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
  int RaySearch = 0;
  int CoatingPatches = 0;
  vtkSmartPointer<vtkDEMContactModel> ContactModel;
  vtkSmartPointer<vtkDEMRollingModel> RollingModel;
  vtkSmartPointer<vtkDEMHeatModel> HeatTransfer;
  vtkSmartPointer<vtkDEMFluidModel> FluidCoupling;
  std::shared_ptr<const dem::FluidField> Fluid; // as read last
  std::pair<vtkMTimeType, int> FluidMTime{};    // of its data, and the resolution it was read with

private:
  std::vector<dem::Material> ReadMaterials(
    vtkTable* table, const dem::Material& fallback, std::vector<std::string>& warnings);
  vtkDEMParticleInput::PeriodicBox ReadInputPorts(
    vtkInformationVector** inputVector, dem::Scene& scene);
  dem::Material GetGrainMaterial() const;
  dem::Material GetWallMaterial() const;
  void FillDomain(const vtkDEMParticleInput::PeriodicBox& periodic, dem::Scene& scene);
  void FillContact(dem::ContactModel& contact) const;

  vtkDEMSimulation(const vtkDEMSimulation&) = delete;
  void operator=(const vtkDEMSimulation&) = delete;
};

#endif
