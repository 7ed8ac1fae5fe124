// Public interface of the MPM solver: runs one scene on one device (Core/RunSimulation.h).
#pragma once

#include "Core/RunSimulation.h"
#include "MaterialPoint/MpmFrame.h"
#include "MaterialPoint/MpmScene.h"
#include "MaterialPoint/MpmTimeStep.h"

#include <cstdint>
#include <vector>

namespace mpm
{

class Engine;

using dem::RunOptions;
using dem::SnapshotBytes; // MpmState.h has the layout

/// Types of the MPM solver for the frame of a run.
struct RunTypes
{
  using Scene = mpm::Scene;
  using Frame = mpm::Frame;
  using FrameSelection = mpm::FrameSelection;
  using Statistics = mpm::Statistics;
};

/// Relative differences between the derivatives that implicit steps use and central differences.
struct DerivativeErrors
{
  double gradient = 0; ///< of the energy, along one direction
  double product = 0;  ///< of the Hessian with a direction: norm over all nodes, compared with
                       ///< differences of the gradient
  double symmetry = 0; ///< a . H b compared with b . H a
};

/// One run. A step fails if a point is inverted, an implicit step does not converge, or a step is
/// beyond the CFL bound. The state is then that of the last whole step: it can be shown and saved.
class Simulation : public dem::RunSimulation<RunTypes>
{
public:
  /// Least number of steps between two snapshots of a timeline: one costs less than a step.
  static constexpr std::uint64_t kStepsApart = 20;
  /// Whether the last whole step can be shown and saved after a failure.
  static constexpr bool kWholeAfterFailure = true;

  /// Validates the scene and puts it on the device. Throws dem::Error.
  explicit Simulation(const Scene& scene, const RunOptions& options = {});

  /// Implicit: the residuals of the last step's Newton iterations, mass-weighted norms, from the
  /// first guess on.
  const std::vector<double>& newtonResiduals();

  /// Implicit: compares the solver's derivatives with differences at the present points. Nodes are
  /// displaced by random velocities up to `speed` in `time_step`. Does not change the state.
  DerivativeErrors derivativeErrors(double time_step, double speed);

private:
  Engine& engine();
};

} // namespace mpm
