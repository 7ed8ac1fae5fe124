// Moves particles or bodies by the integrator of the scene. Used by Engine.cuh.
#pragma once

#include "Forces/ForceStage.cuh"
#include "Measure/Measurement.cuh"
#include "Bodies/Bodies.cuh"
#include "Particles/ParticleStore.cuh"
#include "Solver/Integrators/Drift.cuh"
#ifdef __CUDACC__
#include "Bodies/BodyBlocks.cuh"
#else
#include "Solver/Integrators/DriftPacks.cuh"
#endif

#include <cstdint>
#include <limits>
#include <type_traits>

namespace dem
{

// Defined in DriftPacks.cuh, for the CPU.
template <class Real, class Integrator>
struct DriftPacks;

/// Number of vectors that an integrator stores per particle, besides velocity and spin.
template <class Real>
int integratorRates(IntegratorKind kind)
{
  return kind == IntegratorKind::GearPredictorCorrector ? GearPredictorCorrector<Real>::kRates : 0;
}

template <class Exec, class Real>
class MotionStage
{
public:
  MotionStage(Exec& exec, const Scene& scene, ParticleStore<Exec, Real>& particles,
    Bodies<Exec, Real>& bodies, ForceStage<Exec, Real>& forces)
    : exec_(exec)
    , scene_(scene)
    , particles_(particles)
    , bodies_(bodies)
    , forces_(forces)
  {
  }

  /// True if queue() also computes the forces that are due, in the same kernel: for single spheres
  /// on CUDA with Velocity Verlet.
  bool computesForces() const
  {
    return forces_.movesAtOnce() && !bodies_.inUse() &&
      scene_.integrator == IntegratorKind::VelocityVerlet;
  }

  void beginBatch() { moved_beside_ = false; }
  /// Whether the step queued last writes to other memory than the step before it.
  bool movesBeside() const { return moved_beside_; }

  /// Queues the motion from `step` to the next, which is step number `batch_step` of the batch,
  /// counted from 1. `skin` in m.
  void queue(const ForceRequest<Exec, Real>& request, const Vec3<Real>& gravity, double skin,
    std::uint64_t step, unsigned batch_step, bool forces_due)
  {
    withIntegrator(step, [&](const auto& integrator) {
      using Integrator = std::decay_t<decltype(integrator)>;
      Drift<Real, Integrator> drift = driftOf(request, integrator, gravity, skin, step, batch_step);
      if constexpr (Exec::kDevice && std::is_same_v<Integrator, VelocityVerlet<Real>>)
        if (forces_due && computesForces())
          return queueWithForces(request, drift);
      queueDrift(drift);
    });
  }

  /// Must be called if a batch of `steps` steps stopped after `done` of them. The remaining
  /// launches moved nothing, so the position buffers may have to be swapped back.
  void stopped(unsigned steps, std::uint64_t done)
  {
    if (moved_beside_ && (steps - done) % 2)
      particles_.swapMoved();
  }

  /// Kick that a measurement at `step` adds, see MeasureView. `dt` is not set.
  ClosingRates<Real> closing(std::uint64_t step)
  {
    ClosingRates<Real> rates;
    withIntegrator(step, [&](const auto& integrator) {
      rates.closing = integrator.closing(step);
      rates.velocity = integrator.rate[0];
      rates.spin = integrator.rate[integrator.kRates / 2];
    });
    return rates;
  }

private:
  template <class Use>
  void withIntegrator(std::uint64_t step, const Use& use)
  {
    switch (scene_.integrator)
    {
      case IntegratorKind::VelocityVerlet:
        return use(VelocityVerlet<Real>(step));
      case IntegratorKind::SemiImplicitEuler:
        return use(SemiImplicitEuler<Real>(step));
      case IntegratorKind::GearPredictorCorrector:
      {
        GearPredictorCorrector<Real> gear(step);
        for (int k = 0; k < gear.kRates; ++k)
          gear.rate.at[k] = particles_.rate(k);
        return use(gear);
      }
    }
  }

  template <class Integrator>
  Drift<Real, Integrator> driftOf(const ForceRequest<Exec, Real>& request,
    const Integrator& integrator, const Vec3<Real>& gravity, double skin, std::uint64_t step,
    unsigned batch_step)
  {
    // Infinite limits on other axes: a particle at a position that is not finite has failed, not
    // left.
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Vec3d lower{ -kInfinity, -kInfinity, -kInfinity }, upper{ kInfinity, kInfinity, kInfinity };
    const Domain& domain = scene_.domain;
    for (int k = 0; k < 3; ++k)
      if (domain.limited && domain.exit[k] == Exit::Remove)
      {
        lower[k] = domain.lower[k];
        upper[k] = domain.upper[k];
      }
    const StateView<Real>& state = request.state;
    return { state, { state.position, state.velocity, state.spin }, request.control, gravity,
      request.dt, batch_step, integrator, request.law.box, lower, upper, 0.25 * skin * skin,
      static_cast<Real>(0.49999 * skin), (step + 1) % Drift<Real, Integrator>::kTurnSteps == 0 };
  }

  template <class Integrator>
  void queueWithForces(const ForceRequest<Exec, Real>& request, Drift<Real, Integrator>& drift)
  {
    if constexpr (Exec::kDevice)
    {
      drift.to = particles_.movedBeside();
      forces_.spheres().queueWithDrift(request, drift);
      particles_.swapMoved();
      moved_beside_ = true;
    }
  }

  template <class Integrator>
  void queueDrift(const Drift<Real, Integrator>& drift)
  {
    if constexpr (!std::is_same_v<Integrator,
                    GearPredictorCorrector<Real>>) // refused by validate()
      if (bodies_.inUse())
        return bodies_.queueDrift(drift, forces_.shapes.paths());
    if constexpr (Exec::kDevice)
      exec_.forEach(particles_.size(), drift);
    else
      exec_.forEachRange(particles_.size(), DriftPacks<Real, Integrator>{ drift });
  }

  Exec& exec_;
  const Scene& scene_;
  ParticleStore<Exec, Real>& particles_;
  Bodies<Exec, Real>& bodies_;
  ForceStage<Exec, Real>& forces_;
  bool moved_beside_ = false; // the batch writes to alternating position buffers
};

} // namespace dem
