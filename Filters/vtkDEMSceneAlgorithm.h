/**
 * @class   vtkDEMSceneAlgorithm
 * @brief   the properties that scenes of all methods share
 *
 * Abstract. Owns the times of a run, its gravity, its domain and its first input ports, for
 * particles, walls and tables. vtkDEMSimulation and vtkMPMSimulation use all of them.
 * vtkDEMCaseReader has no inputs and takes the same properties from its file instead.
 *
 * A change of one of these properties restarts the run, or steers it (see WhenChanged).
 */

#ifndef vtkDEMSceneAlgorithm_h
#define vtkDEMSceneAlgorithm_h

#include "vtkDEMTimelineAlgorithm.h"

#include <algorithm> // for std::copy, std::equal
#include <utility>   // for std::move

class vtkDataArraySelection;

class VTKPARAGRAINFILTERS_EXPORT vtkDEMSceneAlgorithm : public vtkDEMTimelineAlgorithm
{
public:
  vtkTypeMacro(vtkDEMSceneAlgorithm, vtkDEMTimelineAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum InputPorts
  {
    INPUT_PARTICLES = 0,
    INPUT_WALLS,
    INPUT_MATERIALS
  };

  ///@{
  /**
   * Time step in s; default 0 = automatic, >= 0. A given step is lowered to OutputInterval / n, so
   * that outputs fall on whole steps. A step beyond the stability limit of the method is an error
   * that states the limit.
   *
   * The automatic step of grains is the smaller of 20 % of the Rayleigh time and 1/40 of the
   * shortest contact at the fastest approach. The automatic step of a continuum is CourantNumber
   * times the stability limit by speed of sound and speed, with shorter sub-steps where the run
   * needs them.
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
   * Simulated time between two outputs in s; default 0.01, > 0. It is the spacing of the time steps
   * in ParaView.
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
   * Derive the domain from the inputs instead of Domain; default on.
   *
   * Grains: the bounds of particles and walls, including the sweep of moving walls and the flight
   * of particles with an initial velocity, grown by 5 % of their size plus the largest diameter
   * (see dem::setAutomaticDomain). A continuum: the bounds of bodies and walls, grown by 4 cells;
   * without walls grown by half of the longest edge of the bodies, at least 4 cells.
   */
  void SetAutomaticDomain(bool value);
  vtkGetMacro(AutomaticDomain, bool);
  ///@}

  ///@{
  /**
   * Borders of the domain in m: x min, x max, y min, y max, z min, z max. Used if AutomaticDomain
   * is off. Default: a cube of 1 m around the origin for grains, -1 1 -1 1 0 2 for a continuum. A
   * domain of grains that excludes some of them is an error.
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
   * Borders that the last run was started with, in m, ordered as Domain. Zeros before the first run
   * and for an unlimited domain.
   */
  vtkGetVector6Macro(DomainInUse, double);
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
  vtkDEMSceneAlgorithm();
  ~vtkDEMSceneAlgorithm() override;

  /**
   * Time of the last change of the model objects that the scene refers to (contact model, material
   * ...); 0 without one.
   */
  virtual vtkMTimeType GetModelMTime() { return 0; }

  void ReadTimes(double& endTime, double& outputInterval) override;
  vtkMTimeType GetSceneMTime(vtkInformationVector** inputVector) override;

  /**
   * Port 0 takes point sets, port 1 (optional) polygonal meshes, each with any number of
   * connections. All further ports take one optional table.
   */
  int FillInputPortInformation(int port, vtkInformation* info) override;

  /**
   * Setter of an array of numbers: a new value marks the scene as modified.
   */
  template <class ValueT, int Size>
  void SetSceneValues(ValueT (&member)[Size], const ValueT (&values)[Size])
  {
    if (!std::equal(values, values + Size, member))
    {
      std::copy(values, values + Size, member);
      this->SceneModified();
    }
  }

  /**
   * Sets DomainInUse to the corners `lower` and `upper` in m, each of type dem::Vec3d.
   */
  template <class CornerT>
  void SetDomainInUse(const CornerT& lower, const CornerT& upper)
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      this->DomainInUse[2 * axis] = lower[axis];
      this->DomainInUse[2 * axis + 1] = upper[axis];
    }
  }

  /**
   * Enables or disables an array of `arrays`, which counts as a change of this object. Unknown
   * names are ignored.
   */
  void EnableArray(vtkDataArraySelection* arrays, const char* name, int status);

  /**
   * PrepareRun of a run whose options have a Selection of arrays: hands over `scene` if `read`,
   * else the options only.
   */
  template <class RunT, class SceneT, class SelectionT>
  void PrepareRunOf(RunT& run, SceneT& scene, const SelectionT& selection, bool read)
  {
    auto options = this->MakeOptions<typename RunT::Options>();
    options.Selection = selection;
    if (read)
    {
      run.SetScene(std::move(scene), options);
    }
    else
    {
      run.SetOptions(options);
    }
  }

  double TimeStep = 0;
  double EndTime = 1;
  double OutputInterval = 0.01;
  double Gravity[3] = { 0, 0, -9.81 };
  bool AutomaticDomain = true;
  double Domain[6] = { -0.5, 0.5, -0.5, 0.5, -0.5, 0.5 };
  double DomainInUse[6] = { 0, 0, 0, 0, 0, 0 };

private:
  vtkDEMSceneAlgorithm(const vtkDEMSceneAlgorithm&) = delete;
  void operator=(const vtkDEMSceneAlgorithm&) = delete;
};

#endif
