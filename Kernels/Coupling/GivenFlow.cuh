// The given flow of a run (FluidModel::GivenField): owner of the flow on the device, of the void
// fraction, and of the work of the fluid. Used by Engine.cuh.
#pragma once

#include "Core/Array.h"
#include "Core/Bytes.h"
#include "Core/Error.h"
#include "Core/HostArray.h"
#include "Core/StepPlan.h"
#include "Core/Text.h"
#include "Coupling/FluidCoupling.cuh"
#include "Coupling/FluidLoads.cuh"
#include "Forces/ForceRequest.cuh"
#include "Particles/EnergyLedger.cuh"
#include "Particles/ParticleStore.cuh"
#include "Scene/Scene.h"
#include "Scene/detail/FluidFromScene.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace dem
{

/// The void fraction is computed from the grains at fixed steps, with the positions of that step
/// and before its forces, which read it. So outputs, batches and restores have no effect.
template <class Exec, class Real>
class GivenFlow final : public FluidCoupling<Exec, Real>
{
public:
  /// `energy`: J, scale of the energies of a step.
  GivenFlow(Exec& exec, ParticleStore<Exec, Real>& particles, const StepPlan& plan, double energy)
    : exec_(exec)
    , particles_(particles)
    , plan_(plan)
    , time_step_(plan.time_step)
  {
    work_.open(energy);
  }

  void start(const Scene& scene) override
  {
    options_ = scene.fluid;
    field_ = scene.fluid_field;
    // Below the limits of stability in turbulent drag, which are half of those in slow flow.
    most_drag_ = scene.integrator == IntegratorKind::GearPredictorCorrector ? 0.15 : 0.5;
    every_ = stepsOfFluid(scene, plan_);
    has_cells_ = needsFluidCells(scene);
    now_index_ = kNone;
    if (!has_cells_)
      return;
    const FluidCellGrid grid = fluidCellGrid(scene);
    cells_.origin = grid.lower;
    cells_.size = grid.size;
    for (int k = 0; k < 3; ++k)
    {
      cells_.count[k] = grid.count[k];
      cells_.periodic[k] = grid.periodic[k];
    }
    volume_.resize(cells_.cells());
    void_fraction_.resize(cells_.cells());
    takeVoidFraction(0);
  }

  /// The void fraction is due, or the next time of the field begins.
  std::uint64_t nextStep(std::uint64_t step) const override
  {
    std::uint64_t next = ~std::uint64_t(0);
    if (has_cells_)
      next = (last_ / every_ + 1) * every_;
    if (field_)
      for (const double time : field_->times)
        if (const std::uint64_t at = firstStepAt(time, time_step_); at > step)
          return std::min(next, at);
    return next;
  }
  bool isDue(std::uint64_t step) const override { return has_cells_ && step >= last_ + every_; }
  void take(std::uint64_t step, const Scene&) override { takeVoidFraction(step); }

  void queue(const ForceRequest<Exec, Real>& r, const Vec3d& gravity, double time) override
  {
    exec_.forEach(particles_.size(),
      AddFluidForces<Real>{ view(r.state, gravity, time), r.control, work_.books(),
        static_cast<double>(r.dt), most_drag_, r.batch_step });
  }

  HostArray<float> forces(const Vec3d& gravity, double time) override
  {
    const std::size_t n = 3 * std::size_t(particles_.size());
    force_.resize(n);
    measure(gravity, time, force_.data());
    HostArray<float> out(n, Exec::kDevice);
    exec_.toHost(out.data(), force_.data(), n * sizeof(float));
    exec_.synchronize();
    return out;
  }
  void complete(Statistics& s, const Vec3d& gravity, double time) override
  {
    s.has_fluid = true;
    s.fluid_work = work_.totals().joule(BookedEnergy::WallWork);
    outside_.assign(std::vector<unsigned>{ 0 });
    measure(gravity, time, nullptr);
    s.outside_fluid = outside_.host().front();
  }

  // ---- saved states ----

  std::vector<std::uint8_t> save() const override
  {
    SnapshotWriter out;
    const EnergyTotals totals = work_.totals();
    const auto e = static_cast<unsigned>(BookedEnergy::WallWork);
    out.value<std::uint32_t>(every_);
    out.value<std::uint64_t>(last_);
    out.value<std::int32_t>(totals.unit());
    out.value<std::uint64_t>(totals.low(e));
    out.value<std::uint64_t>(totals.high(e));
    out.array(has_cells_ ? void_fraction_.host() : std::vector<double>{});
    return std::move(out.bytes);
  }
  std::function<void()> read(
    const std::vector<std::uint8_t>& bytes, std::uint64_t step, ParticleColumns<Real>&) override
  {
    SnapshotReader in(bytes);
    Saved saved;
    saved.every = in.value<std::uint32_t>();
    saved.last = in.value<std::uint64_t>();
    const auto unit = in.value<std::int32_t>();
    if (saved.every < 1 || saved.last > step || unit < -900 || unit > 900 ||
      (has_cells_ && (saved.last % saved.every || step - saved.last >= saved.every)))
      in.fail("its steps of the void fraction are not possible");
    saved.work = EnergyTotals(unit);
    const auto low = in.value<std::uint64_t>();
    saved.work.addUnits(
      static_cast<unsigned>(BookedEnergy::WallWork), low, in.value<std::uint64_t>());
    saved.void_fraction =
      in.array<double>(has_cells_ ? cells_.cells() : 0, "cells of the void fraction");
    for (const double e : saved.void_fraction)
      if (!(e > 0 && e <= 1))
        in.fail("a void fraction is not in (0, 1]");
    return [this, saved] { use(saved); };
  }

private:
  struct Saved
  {
    std::uint32_t every = 1;
    std::uint64_t last = 0;
    EnergyTotals work;
    std::vector<double> void_fraction;
  };
  void use(const Saved& saved)
  {
    every_ = saved.every;
    last_ = saved.last;
    work_.set(saved.work);
    if (has_cells_)
      void_fraction_.assign(saved.void_fraction);
  }

  // Computes the void fraction of the present positions.
  void takeVoidFraction(std::uint64_t step)
  {
    last_ = step;
    exec_.zero(volume_.data(), volume_.size() * sizeof(long long));
    exec_.forEach(
      particles_.size(), AddSphereVolumes<Real>{ particles_.view(), cells_, volume_.data() });
    exec_.forEach(cells_.cells(), VoidFractions<Real>{ volume_.data(), void_fraction_.data() });
  }

  static constexpr std::size_t kNone = ~std::size_t(0);

  void measure(const Vec3d& gravity, double time, float* force)
  {
    if (!outside_.size())
      outside_.assign(std::vector<unsigned>{ 0 });
    exec_.forEach(particles_.size(),
      WriteFluidForces<Real>{
        view(particles_.view(), gravity, time), particles_.idOrder(), force, outside_.data() });
  }

  FluidView<Real> view(const StateView<Real>& state, const Vec3d& gravity, double time)
  {
    return { state, flowAt(time), { cells_, has_cells_ ? void_fraction_.data() : nullptr },
      options_.drag, options_.buoyancy, options_.magnus_lift, options_.saffman_lift,
      needsVoidFraction(options_.drag) && !(field_ && field_->hasPressure()), gravity };
  }

  FluidFlowView flowAt(double time)
  {
    FluidFlowView flow{};
    flow.everywhere = { options_.velocity, {}, {}, 1, options_.density, options_.viscosity };
    if (!field_)
      return flow;
    const std::vector<double>& times = field_->times;
    const auto after =
      std::upper_bound(times.begin(), times.end(), time + 1e-6 * time_step_); // as firstStepAt()
    const std::size_t now = after == times.begin() ? 0 : after - times.begin() - 1;
    const std::size_t next = std::min(now + 1, times.size() - 1);
    load(now, next);
    flow.origin = field_->nodes.origin;
    flow.spacing = field_->nodes.spacing;
    for (int k = 0; k < 3; ++k)
      flow.count[k] = field_->nodes.count[k];
    flow.now = nodes_.data();
    flow.next = next > now ? next_nodes_.data() : nodes_.data();
    flow.weight =
      next > now && time > times[now] ? (time - times[now]) / (times[next] - times[now]) : 0;
    return flow;
  }

  // Copies the nodes of two times to the device unless they are there.
  void load(std::size_t now, std::size_t next)
  {
    if (now == now_index_)
      return;
    if (now_index_ != kNone && now == next_index_)
      std::swap(nodes_, next_nodes_);
    else
      nodes_.assign(fluidNodes(*field_, now, options_));
    now_index_ = now;
    next_index_ = next;
    if (next > now)
      next_nodes_.assign(fluidNodes(*field_, next, options_));
  }

  Exec& exec_;
  ParticleStore<Exec, Real>& particles_;
  const StepPlan& plan_;
  FluidOptions options_;
  std::shared_ptr<const FluidField> field_; // null: the same flow everywhere
  double time_step_;                        // s
  double most_drag_ = 0.5;                  // largest time step over m / B
  unsigned every_ = 1;                      // time steps between two void fractions
  std::uint64_t last_ = 0;                  // step of the last one
  bool has_cells_ = false;                  // the void fraction comes from the grains
  FluidCells cells_{};
  std::size_t now_index_ = kNone, next_index_ = kNone; // times of the nodes on the device
  Array<FluidNode, Exec> nodes_{ exec_ }, next_nodes_{ exec_ };
  Array<long long, Exec> volume_{ exec_ };
  Array<double, Exec> void_fraction_{ exec_ };
  Array<unsigned, Exec> outside_{ exec_ };
  Array<float, Exec> force_{ exec_ };
  EnergyLedger<Exec> work_{ exec_ };
};

} // namespace dem
