/**
 * @class   vtkDEMNozzle
 * @brief   spray nozzle of a DEM simulation, shown as the cone of its spray
 *
 * Output: vtkPolyData, a cone of the length ShownLength, and the parameters of the nozzle as the
 * field data `NozzleSpray`, `NozzleName` and `NozzleMovesWith`. vtkDEMSimulation and
 * vtkDEMSprayCoating take it as an input. The nozzle sends rays that coat the first surface that
 * they meet; the spray has no effect on the motion, mass or size of the grains.
 *
 * Units are SI; angles are in degrees.
 */

#ifndef vtkDEMNozzle_h
#define vtkDEMNozzle_h

#include "vtkParaGrainFiltersModule.h" // for export macro
#include "vtkPolyDataAlgorithm.h"

#include <string> // for std::string

namespace dem
{
struct Nozzle;
}

class VTKPARAGRAINFILTERS_EXPORT vtkDEMNozzle : public vtkPolyDataAlgorithm
{
public:
  static vtkDEMNozzle* New();
  vtkTypeMacro(vtkDEMNozzle, vtkPolyDataAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Name of the nozzle in messages; default empty = "Nozzle" and its number.
   */
  void SetNozzleName(const char* name);
  const char* GetNozzleName() const;
  ///@}

  ///@{
  /**
   * Origin of the rays in m; default (0, 0, 0.2).
   */
  vtkSetVector3Macro(Position, double);
  vtkGetVector3Macro(Position, double);
  ///@}

  ///@{
  /**
   * Direction of the spray, of any length but 0; default (0, 0, -1).
   */
  vtkSetVector3Macro(Axis, double);
  vtkGetVector3Macro(Axis, double);
  ///@}

  ///@{
  /**
   * Flat sprays: Axis and Up span the plane of FullAngle; default (1, 0, 0).
   */
  vtkSetVector3Macro(Up, double);
  vtkGetVector3Macro(Up, double);
  ///@}

  ///@{
  /**
   * Opening of the cone in degrees; default 45, > 0, at most 180.
   */
  vtkSetMacro(FullAngle, double);
  vtkGetMacro(FullAngle, double);
  ///@}

  ///@{
  /**
   * Opening of a flat spray across the plane of Axis and Up, in degrees; default 0 = a round cone,
   * at most 180.
   */
  vtkSetMacro(AcrossAngle, double);
  vtkGetMacro(AcrossAngle, double);
  ///@}

  enum Profiles
  {
    UNIFORM = 0,
    GAUSSIAN
  };

  ///@{
  /**
   * Distribution of the rays: UNIFORM in solid angle (default), or GAUSSIAN on a plane across the
   * axis, with exp(-2) of the largest density at the edge of the cone, where it ends.
   */
  vtkSetClampMacro(Profile, int, UNIFORM, GAUSSIAN);
  vtkGetMacro(Profile, int);
  ///@}

  ///@{
  /**
   * Sprayed mass per time in kg/s; default 0.001, >= 0; 0 = no spray.
   */
  vtkSetMacro(MassRate, double);
  vtkGetMacro(MassRate, double);
  ///@}

  ///@{
  /**
   * Rays of a sample; default 100000, 1 to 2^27. Each carries MassRate * SampleInterval /
   * RaysPerSample; those of the last sample before StopTime carry less if it is cut short.
   */
  vtkSetMacro(RaysPerSample, int);
  vtkGetMacro(RaysPerSample, int);
  ///@}

  ///@{
  /**
   * Time between two samples in s; default 0.01, at least one time step of the simulation. A sample
   * stands for the time up to the next one, or up to StopTime if that is earlier.
   */
  vtkSetMacro(SampleInterval, double);
  vtkGetMacro(SampleInterval, double);
  ///@}

  ///@{
  /**
   * Start of the spray in s; default 0, >= 0.
   */
  vtkSetMacro(StartTime, double);
  vtkGetMacro(StartTime, double);
  ///@}

  ///@{
  /**
   * End of the spray in s; default 1e9 = never.
   */
  vtkSetMacro(StopTime, double);
  vtkGetMacro(StopTime, double);
  ///@}

  ///@{
  /**
   * Seed of the rays; default 0, >= 0. Equal seeds give equal rays.
   */
  vtkSetMacro(Seed, int);
  vtkGetMacro(Seed, int);
  ///@}

  ///@{
  /**
   * Name of the wall of the simulation whose motion carries the nozzle; default empty = it rests.
   */
  void SetMovesWith(const char* name);
  const char* GetMovesWith() const;
  ///@}

  ///@{
  /**
   * Length of the cone that is shown, in m; default 0.1. It has no effect on the spray.
   */
  vtkSetMacro(ShownLength, double);
  vtkGetMacro(ShownLength, double);
  ///@}

protected:
  vtkDEMNozzle();
  ~vtkDEMNozzle() override;

  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  std::string NozzleName;
  double Position[3] = { 0, 0, 0.2 };
  double Axis[3] = { 0, 0, -1 };
  double Up[3] = { 1, 0, 0 };
  double FullAngle = 45;
  double AcrossAngle = 0;
  int Profile = UNIFORM;
  double MassRate = 0.001;
  int RaysPerSample = 100000;
  double SampleInterval = 0.01;
  double StartTime = 0;
  double StopTime = 1e9;
  int Seed = 0;
  std::string MovesWith;
  double ShownLength = 0.1;

private:
  vtkDEMNozzle(const vtkDEMNozzle&) = delete;
  void operator=(const vtkDEMNozzle&) = delete;

  void FillNozzle(dem::Nozzle& nozzle) const;
};

#endif
