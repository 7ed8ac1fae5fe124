// The computed flow of a run (FluidModel::VolumeAveraged): exchanges with the grains and steps the
// flow solver. Used by Engine.cuh.
//
// At an exchange the flow is computed to the time of the next one, with the grains as they are
// then. The forces on the grains are held until the next exchange, so that fluid and grains get
// opposite impulses.
#pragma once

#include "Core/Array.h"
#include "Core/Bytes.h"
#include "Core/Error.h"
#include "Core/HostArray.h"
#include "Core/StepPlan.h"
#include "Core/Text.h"
#include "Coupling/FluidCoupling.cuh"
#include "Coupling/GrainExchange.cuh"
#include "Fluid/FlowSolver.cuh"
#include "Particles/EnergyLedger.cuh"
#include "Particles/ParticleStore.cuh"
#include "Scene/detail/FlowFromScene.h"
#include "Scene/detail/FluidFromScene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace dem
{

template <class Exec, class Real>
class AveragedFlow final : public FluidCoupling<Exec, Real>
{
public:
  /// `energy`: J, scale of the energies of a step.
  AveragedFlow(
    Exec& exec, ParticleStore<Exec, Real>& particles, const StepPlan& plan, double energy)
    : exec_(exec)
    , particles_(particles)
    , plan_(plan)
    , time_step_(plan.time_step)
  {
    work_.open(energy);
    const double radius = particles.size() ? particles.radiusMax() : 1;
    impulse_.open(energy * plan.time_step / radius * kMostSteps);
  }

  void start(const Scene& scene) override
  {
    options_ = scene.fluid;
    every_ = options_.interval > 0 ? stepsOfFluid(scene, plan_) : 0;
    const FlowSetup setup = flowSetup(scene);
    grid_ = setup.grid;
    least_radius_ = setup.least_radius;
    has_fluid_.assign(setup.has_fluid);
    flow_.open(setup.grid, setup.faces, scene.fluid, setup.start);
    inlet_cells_.assign(setup.inlet_cells);
    inlet_area_ = 0;
    for (const InletCell& cell : setup.inlet_cells)
      inlet_area_ += cell.area;
    const std::size_t n = grid_.entries();
    for (Array<double, Exec>* field : fields())
      field->assign(std::vector<double>(n, 0.));
    for (Array<double, Exec>* voids : { &void_fraction_, &void_before_ })
      voids->assign(std::vector<double>(n, 1.));
    sums_.resize(GrainSums::kArrays * n);
    limits_.resize(1);
    outside_.resize(1);
    flow_.queueCells(grains());
    take(0, scene);
  }

  std::uint64_t nextStep(std::uint64_t) const override { return last_ + steps_; }
  bool isDue(std::uint64_t step) const override { return step >= last_ + steps_; }

  void take(std::uint64_t step, const Scene& scene) override
  {
    options_.inlet_factor = scene.fluid.inlet_factor;
    const double time = static_cast<double>(step) * time_step_;
    std::swap(void_fraction_, void_before_);
    addVolumes();
    if (step == 0) // there was no exchange before
      exec_.copy(void_before_.data(), void_fraction_.data(), grid_.entries() * sizeof(double));
    const FlowLimits limits = findDrag(inflowFactor(time));
    steps_ = chooseSteps(limits, time);
    last_ = step;
    const double dt = static_cast<double>(steps_) * time_step_;
    addDrag(limits);
    try
    {
      inflow_ = inflowFactor(time + dt);
      flow_.queueStep(grains(), dt, inflow_, step == 0);
      holdForces(scene.gravity, dt);
      flow_.finishStep();
    }
    catch (const Error& error)
    {
      throw Error("At " + number(time) + " s " + error.what());
    }
  }

  HeldForces held() override
  {
    return { { heldForce(0), heldForce(1), heldForce(2) }, work_.books() };
  }

  void queue(const ForceRequest<Exec, Real>& r, const Vec3d&, double) override
  {
    exec_.forEach(particles_.size(),
      AddHeldForces<Real>{ r.state, r.control, held(), static_cast<double>(r.dt), r.batch_step });
  }

  HostArray<float> forces(const Vec3d&, double) override
  {
    const std::size_t n = 3 * std::size_t(particles_.size());
    force_.resize(n);
    exec_.forEach(particles_.size(),
      WriteHeldForces{
        { heldForce(0), heldForce(1), heldForce(2) }, particles_.idOrder(), force_.data() });
    HostArray<float> out(n, Exec::kDevice);
    exec_.toHost(out.data(), force_.data(), n * sizeof(float));
    exec_.synchronize();
    return out;
  }

  void complete(Statistics& s, const Vec3d&, double) override
  {
    s.has_fluid = s.has_flow = true;
    const EnergyTotals work = work_.totals(), impulse = impulse_.totals();
    s.fluid_work = work.joule(BookedEnergy::WallWork);
    s.outside_fluid = outside_.host().front();
    s.fluid_momentum = flow_.momentum(grains());
    for (int k = 0; k < 3; ++k)
      s.fluid_impulse[k] = impulse.joule(static_cast<BookedEnergy>(k));
    s.fluid_step = static_cast<double>(steps_) * time_step_;
    s.fluid_rounds = flow_.rounds();
    s.fluid_residual = flow_.residual() * s.fluid_step;
    s.fluid_pressure_drop =
      inlet_area_ > 0 ? flow_.inletPressure(grains(), inlet_cells_, inlet_area_, inflow_) : 0;
  }

  FluidImage image() override
  {
    FluidImage out;
    out.origin = grid_.origin;
    out.spacing = grid_.size;
    for (int k = 0; k < 3; ++k)
      out.cells[k] = grid_.count[k];
    const std::size_t n = grid_.cells();
    image_.resize(8 * n);
    double* next = image_.data();
    exec_.forEach(n,
      WriteFluidImage{ grid_, has_fluid_.data(),
        { flow_.cellVelocity(0), flow_.cellVelocity(1), flow_.cellVelocity(2) },
        flow_.pressure().data(), void_fraction_.data(), drag_.data(),
        { drag_flow_[0].data(), drag_flow_[1].data(), drag_flow_[2].data() }, next, next + 3 * n,
        next + 4 * n, next + 5 * n });
    std::size_t from = 0;
    for (auto* array : { &out.velocity, &out.pressure, &out.void_fraction, &out.drag_force })
    {
      const std::size_t size = array == &out.velocity || array == &out.drag_force ? 3 * n : n;
      *array = HostArray<double>(size, Exec::kDevice);
      exec_.toHost(array->data(), next + from, size * sizeof(double));
      from += size;
    }
    exec_.synchronize();
    return out;
  }

  // ---- saved states ----

  std::vector<std::uint8_t> save() const override
  {
    SnapshotWriter out;
    out.value<std::uint64_t>(last_);
    out.value<std::uint64_t>(steps_);
    out.value<double>(inflow_);
    out.value<std::uint32_t>(outside_.host().front());
    write(out, work_.totals());
    write(out, impulse_.totals());
    flow_.save(out);
    for (const Array<double, Exec>* field : saved(*this))
      out.array(field->host());
    return std::move(out.bytes);
  }

  std::function<void()> read(const std::vector<std::uint8_t>& bytes, std::uint64_t step) override
  {
    SnapshotReader in(bytes);
    const auto last = in.value<std::uint64_t>(), steps = in.value<std::uint64_t>();
    if (steps < 1 || steps > 4000000000 || last > step || step - last >= steps)
      in.fail("the steps of its fluid are not possible");
    const auto inflow = in.value<double>();
    if (!std::isfinite(inflow))
      in.fail("the factor of its inlets is not finite");
    const auto outside = in.value<std::uint32_t>();
    const EnergyTotals work = readTotals(in), impulse = readTotals(in);
    auto flow = flow_.read(in);
    std::array<std::vector<double>, kSavedFields> fields;
    for (std::vector<double>& field : fields)
      field = in.array<double>(grid_.entries(), "values of the fluid's cells");
    for (const double e : fields[0])
      if (!(e > 0 && e <= 1))
        in.fail("a void fraction is not in (0, 1]");
    return [=] {
      last_ = last;
      steps_ = steps;
      inflow_ = inflow;
      outside_.assign({ outside });
      work_.set(work);
      impulse_.set(impulse);
      flow_.use(flow);
      const auto into = saved(*this);
      for (std::size_t k = 0; k < kSavedFields; ++k)
        into[k]->assign(fields[k]);
      flow_.queueCells(grains());
    };
  }

private:
  // of a step: cells that the fluid crosses, and the part of the viscous stress
  static constexpr double kTransport = 0.7, kMostTransport = 0.85;
  static constexpr double kRelaxation = 0.3, kMostRelaxation = 0.5;
  static constexpr double kCrossing = 0.2; // cells that a grain crosses between two exchanges
  static constexpr std::uint64_t kMostSteps = 256;

  // Fields of the cells that a saved state has: the void fraction, which the next step needs, and
  // what frames show.
  static constexpr std::size_t kSavedFields = 5;
  template <class Self>
  static auto saved(Self& self)
  {
    return std::array{ &self.void_fraction_, &self.drag_, &self.drag_flow_[0], &self.drag_flow_[1],
      &self.drag_flow_[2] };
  }

  static void write(SnapshotWriter& out, const EnergyTotals& totals)
  {
    out.value<std::int32_t>(totals.unit());
    for (unsigned e = 0; e < kBookedEnergies; ++e)
    {
      out.value<std::uint64_t>(totals.low(e));
      out.value<std::uint64_t>(totals.high(e));
    }
  }
  static EnergyTotals readTotals(SnapshotReader& in)
  {
    const auto unit = in.value<std::int32_t>();
    if (unit < -900 || unit > 900)
      in.fail("the unit of its fluid's totals is not possible");
    EnergyTotals totals(unit);
    for (unsigned e = 0; e < kBookedEnergies; ++e)
    {
      const auto low = in.value<std::uint64_t>();
      totals.addUnits(e, low, in.value<std::uint64_t>());
    }
    return totals;
  }

  std::array<Array<double, Exec>*, 8> fields()
  {
    return { &counted_, &drag_, &drag_flow_[0], &drag_flow_[1], &drag_flow_[2], &solid_flux_[0],
      &solid_flux_[1], &solid_flux_[2] };
  }

  FlowGrains grains()
  {
    return { void_fraction_.data(), void_before_.data(), drag_.data(),
      { drag_flow_[0].data(), drag_flow_[1].data(), drag_flow_[2].data() },
      { solid_flux_[0].data(), solid_flux_[1].data(), solid_flux_[2].data() } };
  }
  ExchangeCells cells()
  {
    return { grid_, has_fluid_.data(), least_radius_,
      { share_entry_.data(), share_.data(), static_cast<std::uint32_t>(particles_.size()) } };
  }
  GrainSums sums()
  {
    const std::size_t n = grid_.entries();
    long long* const at = sums_.data();
    return { at, { at + n, at + 2 * n, at + 3 * n }, at + 4 * n,
      { at + 5 * n, at + 6 * n, at + 7 * n } };
  }
  double* heldForce(std::size_t k) { return particles_.passiveData(kFluidForceX + k); }

  double inflowFactor(double time) const
  {
    const double ramp = options_.inlet_ramp;
    return options_.inlet_factor * (ramp > 0 && time < ramp ? time / ramp : 1);
  }

  void addVolumes()
  {
    sums_.zero();
    outside_.zero();
    share_entry_.resize(GrainShares::kSlots * particles_.size(), 1.2);
    share_.resize(GrainShares::kSlots * particles_.size(), 1.2);
    exec_.forEach(particles_.size(),
      AddGrainVolumes<Real>{ particles_.view(), cells(), sums(), outside_.data() });
    exec_.forEach(
      grid_.cells(), SetVoidFraction{ grid_, sums(), void_fraction_.data(), counted_.data() });
  }

  FlowLimits findDrag(double inflow_factor)
  {
    coefficient_.resize(particles_.size(), 1.2);
    limits_.zero();
    FlowLimits* limits = limits_.data();
    flow_.queueCourant(inflow_factor, &limits->courant);
    exec_.forEach(particles_.size(),
      FindGrainDrag<Real>{ particles_.view(), cells(),
        { flow_.cellVelocity(0), flow_.cellVelocity(1), flow_.cellVelocity(2) },
        void_fraction_.data(), options_.drag, options_.density, options_.viscosity, isModelB(),
        coefficient_.data(), limits });
    exec_.toHost(host_limits_.data(), limits, sizeof(FlowLimits));
    exec_.synchronize();
    return host_limits_[0];
  }

  // Time steps until the next exchange.
  std::uint64_t chooseSteps(const FlowLimits& limits, double time) const
  {
    const double courant = static_cast<double>(FindCourant::of(limits.courant)),
                 relaxation = fromBits(limits.relaxation), crossing = fromBits(limits.crossing);
    require(std::isfinite(courant) && std::isfinite(relaxation),
      "At " + number(time) +
        " s the velocity of the fluid is not finite. Give a shorter FluidInterval, or larger "
        "cells (FluidCellSize).");
    const double transport = courant + flow_.viscousRate(courant);
    std::uint64_t steps = every_;
    if (!steps)
    {
      const double longest = std::min({ kTransport / std::max(transport, 1e-300),
        kRelaxation / std::max(relaxation, 1e-300), kCrossing / std::max(crossing, 1e-300) });
      steps = static_cast<std::uint64_t>(
        std::max(1., std::min(static_cast<double>(kMostSteps), std::floor(longest / time_step_))));
    }
    const double dt = static_cast<double>(steps) * time_step_;
    const char* const cure = every_ ? "Make FluidInterval shorter, or 0 for the longest stable one."
                                    : "Make TimeStep shorter.";
    require(courant * dt <= kMostTransport,
      "At " + number(time) + " s the fluid crosses " + number(courant * dt) +
        " cells in a step of the flow of " + number(dt) + " s around " +
        placeOf(static_cast<std::uint32_t>(limits.courant)) + "; at most " +
        number(kMostTransport) + " is stable. " + cure);
    require(relaxation * dt <= kMostRelaxation,
      "At " + number(time) + " s the drag would stop a grain in " + number(1 / relaxation) +
        " s, too fast for a step of the flow of " + number(dt) + " s. " + cure);
    require(transport * dt <= kMostTransport,
      "At " + number(time) + " s a step of the flow of " + number(dt) +
        " s is too long for the viscosity: at most " + number(kMostTransport / transport) +
        " s is stable. " + cure);
    return steps;
  }

  std::string placeOf(std::uint32_t entry) const
  {
    int at[3];
    grid_.place(entry, at);
    std::string text = "(";
    for (int k = 0; k < 3; ++k)
      text += (k ? ", " : "") + number(grid_.origin[k] + at[k] * grid_.size[k], 4);
    return text + ") m";
  }

  static double orOne(double value) { return value > 0 ? value : 1; }

  void addDrag(const FlowLimits& limits)
  {
    const double most_drag = orOne(fromBits(limits.coefficient)),
                 most_speed = orOne(fromBits(limits.speed));
    exec_.forEach(particles_.size(),
      AddGrainDrag<Real>{
        particles_.view(), cells(), coefficient_.data(), most_drag, most_speed, sums() });
    exec_.forEach(grid_.cells(),
      SetGrainDrag{ grid_, sums(), most_drag, most_speed, counted_.data(), drag_.data(),
        { drag_flow_[0].data(), drag_flow_[1].data(), drag_flow_[2].data() },
        { solid_flux_[0].data(), solid_flux_[1].data(), solid_flux_[2].data() } });
  }

  void holdForces(const Vec3d& gravity, double dt)
  {
    const Vec3d lift = options_.buoyancy ? -options_.density * gravity : Vec3d{};
    exec_.forEach(particles_.size(),
      HoldFluidForces<Real>{ particles_.view(), cells(), coefficient_.data(),
        { flow_.cellVelocity(0), flow_.cellVelocity(1), flow_.cellVelocity(2) },
        { flow_.cellGradient(0), flow_.cellGradient(1), flow_.cellGradient(2) }, counted_.data(),
        isModelB(), lift, dt, { heldForce(0), heldForce(1), heldForce(2) }, impulse_.books() });
  }

  bool isModelB() const { return options_.equations == FluidEquations::ModelB; }

  Exec& exec_;
  ParticleStore<Exec, Real>& particles_;
  const StepPlan& plan_;
  double time_step_; // s
  FluidOptions options_;
  FlowGrid grid_{};
  double least_radius_ = 0;            // m, see ExchangeCells
  std::uint64_t every_ = 0;            // time steps between exchanges; 0: chosen each time
  std::uint64_t last_ = 0, steps_ = 1; // step of the last exchange, and steps to the next
  double inflow_ = 1;                  // factor of the inlets in the present step
  FlowSolver<Exec> flow_{ exec_ };
  double inlet_area_ = 0; // m^2
  Array<InletCell, Exec> inlet_cells_{ exec_ };
  Array<std::uint8_t, Exec> has_fluid_{ exec_ };
  Array<double, Exec> void_fraction_{ exec_ }, void_before_{ exec_ }, counted_{ exec_ },
    drag_{ exec_ };
  std::array<Array<double, Exec>, 3> drag_flow_{ Array<double, Exec>(exec_),
    Array<double, Exec>(exec_), Array<double, Exec>(exec_) };
  std::array<Array<double, Exec>, 3> solid_flux_{ Array<double, Exec>(exec_),
    Array<double, Exec>(exec_), Array<double, Exec>(exec_) };
  Array<double, Exec> coefficient_{ exec_ }, image_{ exec_ };
  Array<std::uint32_t, Exec> share_entry_{ exec_ };
  Array<double, Exec> share_{ exec_ };
  Array<long long, Exec> sums_{ exec_ };
  Array<FlowLimits, Exec> limits_{ exec_ };
  HostArray<FlowLimits> host_limits_{ 1, Exec::kDevice }; // their copy on the host
  Array<unsigned, Exec> outside_{ exec_ };
  Array<float, Exec> force_{ exec_ };
  EnergyLedger<Exec> work_{ exec_ }, impulse_{ exec_ };
};

} // namespace dem
