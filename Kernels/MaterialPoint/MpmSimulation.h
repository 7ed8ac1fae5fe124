// The public face of the MPM solver: one scene on one device, stepping forward. The same calls as
// dem::Simulation.
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

/// How far the derivatives that an implicit step is solved with are from central differences:
/// shares of their own size.
struct DerivativeErrors
{
  double gradient = 0; ///< of the energy, along one direction
  double product = 0; ///< of the Hessian with a direction: norm over all nodes, against differences
                      ///< of the gradient
  double symmetry = 0; ///< a . H b against b . H a
};

class Simulation
{
public:
  /// Validates the scene and puts it on the device. Throws dem::Error.
  explicit Simulation(const Scene& scene, const RunOptions& options = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// Called between steps at least five times a second (or once a step if that is longer); return
  /// false to stop at this step.
  using Observer = std::function<bool(std::uint64_t step, double time)>;

  /// Steps until `step() == target`. Returns false when the observer stopped it: the state is whole
  /// and can go on. Throws dem::Error when the physics fails (an inverted point, no convergence, a
  /// step beyond the CFL bound), naming point, time and cure; the state is then that of the last
  /// whole step, can be shown and saved, and further steps are refused until it is restored.
  bool advanceTo(std::uint64_t target, const Observer& observer = {});

  std::uint64_t step() const;
  double time() const;
  const StepPlan& plan() const;
  const dem::Device& device() const;
  /// The scene without the points (they live on the device).
  const Scene& scene() const;
  std::size_t deviceBytes() const; ///< memory that the solver holds on its device

  /// The present instant.
  Frame frame(const FrameSelection& selection = {});
  Statistics statistics();

  /// The whole state. Restoring it into a simulation of the same scene continues with the same
  /// bits.
  SnapshotBytes save();
  void restore(const SnapshotBytes& bytes);
  /// Whether memory ended amid a restore or a new list: then only another restore helps.
  bool needsRestore() const;

  /// Implicit: the residuals of the last step's Newton iterations, mass-weighted norms, from the
  /// first guess on.
  const std::vector<double>& newtonResiduals() const;

  /// Implicit: the solver's derivatives at the present points, with nodes displaced as random
  /// velocities up to `speed` do in `time_step`. Changes nothing.
  DerivativeErrors derivativeErrors(double time_step, double speed);

  /// A change from now on, or from the event's time if that is later: at the first whole step then.
  /// The present instant shows what was before it. Kept in saved states, and met again after
  /// restoring. Throws for what cannot change under way.
  void apply(const dem::Event& event);

  /// Keeps the newest frame on the device as the analysis reads it (Frame::on_device), if it takes
  /// no more than `bytes`; 0: none, at the start.
  void keepOnDevice(std::size_t bytes);

  /// Another end of the run; what was computed stays.
  void setEnd(double end_time);

private:
  std::unique_ptr<Engine> engine_;
};

} // namespace mpm
