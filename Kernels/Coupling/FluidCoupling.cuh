// What the engine needs of a fluid. GivenFlow.cuh and AveragedFlow.cuh are the two kinds.
#pragma once

#include "Core/HostArray.h"
#include "Core/Vec.h"
#include "Forces/ForceRequest.cuh"
#include "Measure/FluidImage.h"
#include "Measure/Frame.h"
#include "Particles/ParticleStore.cuh"
#include "Scene/Scene.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace dem
{

/// The fluid around the grains of a run. It takes part at fixed steps of its own, so that outputs,
/// batches and restores have no effect, and loads the grains in every step.
template <class Exec, class Real>
class FluidCoupling
{
public:
  virtual ~FluidCoupling() = default;

  /// Must be called before the first forces.
  virtual void start(const Scene& scene) = 0;
  /// Next step after `step` at which a batch must end: for take(), or a new time of the field.
  virtual std::uint64_t nextStep(std::uint64_t step) const = 0;
  virtual bool isDue(std::uint64_t step) const = 0;
  /// Takes the grains at `step`, before its forces are computed.
  virtual void take(std::uint64_t step, const Scene& scene) = 0;
  /// Queues what take() left to run beside the steps of the grains. Called after the first
  /// step of a batch, so that the device is busy meanwhile.
  virtual void queueBeside() {}
  /// Waits for what runs beside the steps. Must be called before the fluid is shown or saved.
  virtual void finish() {}

  /// The forces that queue() adds, if they stay the same until the next take(); else none.
  virtual HeldForces held() { return {}; }
  /// Queues the forces of the fluid on top of those of the contacts. `time`: s, of the forces.
  virtual void queue(
    const ForceRequest<Exec, Real>& request, const Vec3d& gravity, double time) = 0;

  /// Force of the fluid on each grain by rank, N, 3 a grain. `time`: s, of the present positions.
  /// Requires the order of the Ids.
  virtual HostArray<float> forces(const Vec3d& gravity, double time) = 0;
  /// Writes what is known of the fluid.
  virtual void complete(Statistics& statistics, const Vec3d& gravity, double time) = 0;
  /// The flow in its cells; empty if it is given.
  virtual FluidImage image() { return {}; }
  virtual std::vector<std::uint8_t> save() const = 0;
  /// Reads the bytes of a state at `step`, and returns what uses them. Sets those columns of the
  /// particles of the state that are not saved. Throws dem::Error if the bytes are broken or of
  /// another fluid.
  virtual std::function<void()> read(const std::vector<std::uint8_t>& bytes, std::uint64_t step,
    ParticleColumns<Real>& particles) = 0;
};

} // namespace dem
