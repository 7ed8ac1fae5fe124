/**
 * @class   vtkDEMWall
 * @brief   wall of a DEM or MPM simulation: a surface with a name, a material and a motion
 *
 * Kind MESH has an input: a surface (vtkPolyData) or a data set whose outer surface is taken. Other
 * kinds are exact surfaces that numbers define; they have no input, and the output shows them by
 * polygons. Output: polygons with the field data `WallName`, `WallMaterial` (with OwnMaterial),
 * `WallMotion` and, of other kinds than MESH, `WallShape`. The output is the wall at the start of
 * the run; port `Walls` of the simulation is the moved wall.
 *
 * Units are SI; angles are in degrees.
 */

#ifndef vtkDEMWall_h
#define vtkDEMWall_h

#include "vtkParaGrainFiltersModule.h" // for export macro
#include "vtkPolyDataAlgorithm.h"

#include <string> // for std::string

class vtkDataSet;
namespace dem
{
struct Wall;
}

class VTKPARAGRAINFILTERS_EXPORT vtkDEMWall : public vtkPolyDataAlgorithm
{
public:
  static vtkDEMWall* New();
  vtkTypeMacro(vtkDEMWall, vtkPolyDataAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Kinds
  {
    MESH = 0,
    PLANE,
    RECTANGLE,
    LINE,
    BOX,
    CYLINDER,
    CONE
  };

  ///@{
  /**
   * Surface of the wall: MESH (default): that of the input; PLANE: through Point1, endless, solid
   * behind Normal; RECTANGLE: from the corner Point1 along EdgeU and EdgeV; LINE: from Point1 to
   * Point2; BOX: the surface between the corners Point1 and Point2, along the axes; CYLINDER and
   * CONE: the lateral surface around the axis from Point1 to Point2, open at both ends.
   */
  vtkSetClampMacro(Kind, int, MESH, CONE);
  vtkGetMacro(Kind, int);
  ///@}

  ///@{
  /**
   * First point in m, see Kind; default (0, 0, 0).
   */
  vtkSetVector3Macro(Point1, double);
  vtkGetVector3Macro(Point1, double);
  ///@}

  ///@{
  /**
   * Second point in m, see Kind; default (0, 0, 0.3).
   */
  vtkSetVector3Macro(Point2, double);
  vtkGetVector3Macro(Point2, double);
  ///@}

  ///@{
  /**
   * Normal of a plane, out of the solid, of any length but 0; default (0, 0, 1).
   */
  vtkSetVector3Macro(Normal, double);
  vtkGetVector3Macro(Normal, double);
  ///@}

  ///@{
  /**
   * Edges of a rectangle in m, at right angles; defaults (0.4, 0, 0) and (0, 0.4, 0).
   */
  vtkSetVector3Macro(EdgeU, double);
  vtkGetVector3Macro(EdgeU, double);
  vtkSetVector3Macro(EdgeV, double);
  vtkGetVector3Macro(EdgeV, double);
  ///@}

  ///@{
  /**
   * Radius of a cylinder, or of a cone at Point1, in m; default 0.1, > 0 (cone: >= 0).
   */
  vtkSetMacro(Radius, double);
  vtkGetMacro(Radius, double);
  ///@}

  ///@{
  /**
   * Radius of a cone at Point2 in m; default 0.2, >= 0.
   */
  vtkSetMacro(EndRadius, double);
  vtkGetMacro(EndRadius, double);
  ///@}

  ///@{
  /**
   * Edge of the square that shows a plane, in m; default 1, > 0. It has no effect on the wall.
   */
  vtkSetMacro(ShownSize, double);
  vtkGetMacro(ShownSize, double);
  ///@}

  ///@{
  /**
   * On: the input is the output of another vtkDEMWall, of any kind, which is kept as it is, and
   * Motion of this one acts after its motions: it moves the wall together with their axes. Default
   * off.
   */
  vtkSetMacro(AddMotion, bool);
  vtkGetMacro(AddMotion, bool);
  vtkBooleanMacro(AddMotion, bool);
  ///@}

  ///@{
  /**
   * Name of the wall in messages and in the output of the simulation; default empty = "Wall" and
   * its number.
   */
  void SetWallName(const char* name);
  const char* GetWallName() const;
  ///@}

  ///@{
  /**
   * Give the wall a material of its own; default off = the wall properties of the simulation.
   */
  vtkSetMacro(OwnMaterial, bool);
  vtkGetMacro(OwnMaterial, bool);
  vtkBooleanMacro(OwnMaterial, bool);
  ///@}

  ///@{
  /**
   * Young's modulus in Pa; default 5e6, > 0.
   */
  vtkSetMacro(YoungsModulus, double);
  vtkGetMacro(YoungsModulus, double);
  ///@}

  ///@{
  /**
   * Poisson's ratio, without unit; default 0.3, in (-1, 0.5].
   */
  vtkSetMacro(PoissonsRatio, double);
  vtkGetMacro(PoissonsRatio, double);
  ///@}

  ///@{
  /**
   * Coefficient of restitution, without unit; default 0.5, in (0, 1].
   */
  vtkSetMacro(Restitution, double);
  vtkGetMacro(Restitution, double);
  ///@}

  ///@{
  /**
   * Coefficient of friction, without unit; default 0.5, >= 0.
   */
  vtkSetMacro(Friction, double);
  vtkGetMacro(Friction, double);
  ///@}

  ///@{
  /**
   * Coefficient of rolling friction, without unit; default 0, >= 0.
   */
  vtkSetMacro(RollingFriction, double);
  vtkGetMacro(RollingFriction, double);
  ///@}

  ///@{
  /**
   * Surface energy gamma, in J/m^2; default 0, >= 0. A grain sticks to the wall with the geometric
   * mean of both values. Used by a cohesion model only.
   */
  vtkSetMacro(SurfaceEnergy, double);
  vtkGetMacro(SurfaceEnergy, double);
  ///@}

  ///@{
  /**
   * Thermal conductivity, in W/m/K; default 1, > 0. Used by heat transfer only.
   */
  vtkSetMacro(ThermalConductivity, double);
  vtkGetMacro(ThermalConductivity, double);
  ///@}

  ///@{
  /**
   * Young's modulus of the real material; 0 = that of the simulation, in Pa; default 0, >= 0.
   * Heat transfer corrects the size of contacts with it.
   */
  vtkSetMacro(TrueYoungsModulus, double);
  vtkGetMacro(TrueYoungsModulus, double);
  ///@}

  enum ThermalConditions
  {
    ADIABATIC = 0,
    TEMPERATURE,
    HEAT_FLUX
  };

  ///@{
  /**
   * Condition of the wall for heat transfer: ADIABATIC (default), TEMPERATURE: the wall has
   * Temperature, HEAT_FLUX: it gives HeatFlux times its area, in all, to the grains that touch it.
   */
  vtkSetClampMacro(ThermalCondition, int, ADIABATIC, HEAT_FLUX);
  vtkGetMacro(ThermalCondition, int);
  ///@}

  ///@{
  /**
   * Temperature of the wall in K; default 293.15, >= 0.
   */
  vtkSetMacro(Temperature, double);
  vtkGetMacro(Temperature, double);
  ///@}

  ///@{
  /**
   * Heat flux from the wall to grains in W/m^2; default 0. Negative values cool the grains.
   */
  vtkSetMacro(HeatFlux, double);
  vtkGetMacro(HeatFlux, double);
  ///@}

  ///@{
  /**
   * On: the wall is a screen, which a computed flow (FluidCoupling 'Volume-Averaged Flow') passes
   * without loss, and grains do not. Such a wall may move. Default off.
   */
  vtkSetMacro(Permeable, bool);
  vtkGetMacro(Permeable, bool);
  vtkBooleanMacro(Permeable, bool);
  ///@}

  enum Motions
  {
    FIXED = 0,
    ROTATION,
    TRANSLATION,
    OSCILLATION
  };

  ///@{
  /**
   * Prescribed motion: FIXED (default), ROTATION about the axis through Origin, TRANSLATION with
   * Velocity, OSCILLATION along Axis.
   */
  vtkSetClampMacro(Motion, int, FIXED, OSCILLATION);
  vtkGetMacro(Motion, int);
  ///@}

  ///@{
  /**
   * A point of the axis of rotation in m; default (0, 0, 0).
   */
  vtkSetVector3Macro(Origin, double);
  vtkGetVector3Macro(Origin, double);
  ///@}

  ///@{
  /**
   * Direction of the axis of rotation or of the oscillation, of any length but 0; default (0, 0,
   * 1).
   */
  vtkSetVector3Macro(Axis, double);
  vtkGetVector3Macro(Axis, double);
  ///@}

  ///@{
  /**
   * Rate of rotation in degrees/s, right-handed about Axis; default 360.
   */
  vtkSetMacro(RotationRate, double);
  vtkGetMacro(RotationRate, double);
  ///@}

  ///@{
  /**
   * Velocity of translation in m/s; default (0, 0, 0.1).
   */
  vtkSetVector3Macro(Velocity, double);
  vtkGetVector3Macro(Velocity, double);
  ///@}

  ///@{
  /**
   * Amplitude of the oscillation in m; default 0.001.
   */
  vtkSetMacro(Amplitude, double);
  vtkGetMacro(Amplitude, double);
  ///@}

  ///@{
  /**
   * Frequency of the oscillation in Hz; default 10.
   */
  vtkSetMacro(Frequency, double);
  vtkGetMacro(Frequency, double);
  ///@}

  ///@{
  /**
   * Phase of the oscillation at its start, in degrees; default 0.
   */
  vtkSetMacro(Phase, double);
  vtkGetMacro(Phase, double);
  ///@}

  ///@{
  /**
   * Start of the motion in s; default 0.
   */
  vtkSetMacro(StartTime, double);
  vtkGetMacro(StartTime, double);
  ///@}

  ///@{
  /**
   * End of the motion in s; default 1e9 = never.
   */
  vtkSetMacro(StopTime, double);
  vtkGetMacro(StopTime, double);
  ///@}

protected:
  vtkDEMWall();
  ~vtkDEMWall() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  int Kind = MESH;
  double Point1[3] = { 0, 0, 0 };
  double Point2[3] = { 0, 0, 0.3 };
  double Normal[3] = { 0, 0, 1 };
  double EdgeU[3] = { 0.4, 0, 0 };
  double EdgeV[3] = { 0, 0.4, 0 };
  double Radius = 0.1;
  double EndRadius = 0.2;
  double ShownSize = 1;
  bool AddMotion = false;
  std::string WallName;
  bool OwnMaterial = false;
  double YoungsModulus = 5e6;
  double PoissonsRatio = 0.3;
  double Restitution = 0.5;
  double Friction = 0.5;
  double RollingFriction = 0;
  double SurfaceEnergy = 0;
  double ThermalConductivity = 1;
  double TrueYoungsModulus = 0;
  int ThermalCondition = ADIABATIC;
  double Temperature = 293.15;
  double HeatFlux = 0;
  bool Permeable = false;
  int Motion = FIXED;
  double Origin[3] = { 0, 0, 0 };
  double Axis[3] = { 0, 0, 1 };
  double RotationRate = 360;
  double Velocity[3] = { 0, 0, 0.1 };
  double Amplitude = 0.001;
  double Frequency = 10;
  double Phase = 0;
  double StartTime = 0;
  double StopTime = 1e9;

private:
  vtkDEMWall(const vtkDEMWall&) = delete;
  void operator=(const vtkDEMWall&) = delete;

  int Fail(const std::string& message);
  void FillWall(dem::Wall& wall) const;
  void TakeSurface(vtkDataSet* input, vtkPolyData* output) const;
};

#endif
