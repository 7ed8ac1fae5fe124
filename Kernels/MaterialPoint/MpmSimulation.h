// The public interface of the MPM solver: one scene on one device, stepping forward. It has the
// same calls as dem::Simulation.
#pragma once

#include "Core/Device.h"
#include "MaterialPoint/MpmFrame.h"
#include "MaterialPoint/MpmScene.h"
#include "MaterialPoint/MpmTimeStep.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mpm
{

class Engine;

/// The whole state of a run as bytes. Self-describing, see MpmState.h.
using SnapshotBytes = std::vector<std::uint8_t>;

struct RunOptions
{
  dem::DeviceKind device = dem::DeviceKind::Auto;
  int threads = 0; ///< CPU threads, 0 = all
};

/// Relative differences between the derivatives that implicit steps use and central differences.
struct DerivativeErrors
{
  double gradient = 0; ///< of the energy, along one direction
  double product = 0;  ///< of the Hessian with a direction: norm over all nodes, compared with
                       ///< differences of the gradient
  double symmetry = 0; ///< a . H b compared with b . H a
};

class Simulation
{
public:
  /// Validates the scene and puts it on the device. Throws dem::Error.
  explicit Simulation(const Scene& scene, const RunOptions& options = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// Called between steps at least five times a second, or once a step if a step takes longer.
  /// Returns false to stop at this step.
  using Observer = std::function<bool(std::uint64_t step, double time)>;

  /// Steps until `step() == target`. Returns false if the observer stopped it; the state is then
  /// complete, and the run can continue. Throws dem::Error if the physics fails (an inverted point,
  /// no convergence, a step beyond the CFL bound), naming point, time and cure. The state is then
  /// that of the last complete step: it can be shown and saved, and further steps are refused until
  /// a state is restored.
  bool advanceTo(std::uint64_t target, const Observer& observer = {});

  std::uint64_t step() const;
  double time() const;
  const StepPlan& plan() const;
  const dem::Device& device() const;
  /// The scene without the points (they live on the device).
  const Scene& scene() const;
  std::size_t deviceBytes() const; ///< memory of the solver on its device

  /// The present frame.
  Frame frame(const FrameSelection& selection = {});
  Statistics statistics();

  /// The whole state. Restoring it into a simulation of the same scene continues with the same
  /// bits.
  SnapshotBytes save();
  void restore(const SnapshotBytes& bytes);
  /// Whether memory ended during a restore. Then only another restore helps.
  bool needsRestore() const;

  /// Implicit: the residuals of the last step's Newton iterations, mass-weighted norms, from the
  /// first guess on.
  const std::vector<double>& newtonResiduals() const;

  /// Implicit: compares the solver's derivatives with differences at the present points. Nodes are
  /// displaced by random velocities up to `speed` in `time_step`. Does not change the state.
  DerivativeErrors derivativeErrors(double time_step, double speed);

  /// Adds a change at the first step from now on, or at the event's time if that is later. The
  /// present frame shows the state before it. Saved states contain the change, and a restored run
  /// applies it again. Throws dem::Error if the property cannot change during a run.
  void apply(const dem::Event& event);

  /// Keeps the newest frame on the device for the analysis (Frame::on_device) if it takes at most
  /// `bytes`. 0, the initial value: never.
  void keepOnDevice(std::size_t bytes);

  /// Changes the end of the run. Results so far stay valid.
  void setEnd(double end_time);

private:
  std::unique_ptr<Engine> engine_;
};

} // namespace mpm
