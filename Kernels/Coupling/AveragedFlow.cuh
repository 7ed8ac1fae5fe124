// The computed flow of a run (FluidModel::VolumeAveraged): exchanges with the grains and steps the
// flow solver. Used by Engine.cuh.
//
// From one exchange to the next the flow makes a step, with the grains as they are at the first of
// them. Meanwhile the grains get the impulses that the fluid lost to them in the step before. So
// both can be computed at the same time. See docs/decisions/014-flow-beside-the-grains.md.
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
#include <numeric>
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
  ~AveragedFlow() override { abandon(); }

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
    inlet_courant_ = 0;
    for (std::size_t k = 0; k < 3; ++k)
      for (const double inflow : setup.faces.inflow[k])
        inlet_courant_ =
          std::max(inlet_courant_, std::fabs(inflow) / grid_.size[static_cast<int>(k)]);
    const std::size_t n = grid_.entries();
    for (Array<double, Exec>* field : fields())
      field->assign(std::vector<double>(n, 0.));
    for (Array<double, Exec>* voids : { &void_fraction_, &void_before_ })
      voids->assign(std::vector<double>(n, 1.));
    for (auto& impulse : impulses_)
      impulse.assign(std::vector<double>(particles_.size(), 0.));
    sums_.resize(GrainSums::kArrays * n);
    limits_.resize(1);
    host_limits_[0] = {};
    outside_.resize(1);
    flow_.queueCells(grains());
    take(0, scene);
  }

  std::uint64_t nextStep(std::uint64_t) const override { return last_ + steps_; }
  bool isDue(std::uint64_t step) const override { return step >= last_ + steps_; }

  void take(std::uint64_t step, const Scene& scene) override
  {
    options_.inlet_factor = scene.fluid.inlet_factor;
    finish();
    steps_ = step == 0 ? 1 : chooseSteps(host_limits_[0], timeOf(step));
    last_ = step;
    inflow_ = inflowFactor(timeOf(step) + interval());
    lift_ = options_.buoyancy ? -options_.density * scene.gravity : Vec3d{};
    keepGrains();
    progress_ = Progress::Due;
    if (isBeside())
      exec_.markBeside(kLane);
  }
  void queueBeside() override
  {
    if (progress_ != Progress::Due)
      return;
    progress_ = Progress::Running;
    if (isBeside())
      exec_.beside(kLane, [this] { queueFlowStep(); });
    else
      queueFlowStep();
  }
  void finish() override
  {
    queueBeside();
    if (progress_ != Progress::Running)
      return;
    joinFlow();
    exec_.synchronize();
    progress_ = Progress::Complete;
    try
    {
      flow_.checkStep();
    }
    catch (const Error& error)
    {
      throw Error("At " + number(timeOf(last_)) + " s " + error.what());
    }
    if (last_ == 0)
      chooseSteps(host_limits_[0], timeOf(steps_)); // refuses a scene when it is opened
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
    s.fluid_step = interval();
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
    out.value<FlowLimits>(host_limits_[0]);
    write(out, work_.totals());
    write(out, impulse_.totals());
    flow_.save(out);
    for (const Array<double, Exec>* field : saved(*this))
      out.array(field->host());
    saveImpulses(out);
    return std::move(out.bytes);
  }

  std::function<void()> read(const std::vector<std::uint8_t>& bytes, std::uint64_t step,
    ParticleColumns<Real>& particles) override
  {
    SnapshotReader in(bytes);
    const auto last = in.value<std::uint64_t>(), steps = in.value<std::uint64_t>();
    if (steps < 1 || steps > 4000000000 || last > step || step - last >= steps)
      in.fail("the steps of its fluid are not possible");
    const auto inflow = in.value<double>();
    if (!std::isfinite(inflow))
      in.fail("the factor of its inlets is not finite");
    const auto outside = in.value<std::uint32_t>();
    const auto limits = in.value<FlowLimits>();
    for (const double limit : { static_cast<double>(FindCourant::of(limits.courant)),
           fromBits(limits.crossing), fromBits(limits.relaxation) })
      if (!(limit >= 0 && std::isfinite(limit)))
        in.fail("the limits of its flow are not possible");
    const EnergyTotals work = readTotals(in), impulse = readTotals(in);
    auto flow = flow_.read(in);
    std::array<std::vector<double>, kSavedFields> fields;
    for (std::vector<double>& field : fields)
      field = in.array<double>(grid_.entries(), "values of the fluid's cells");
    for (const double e : fields[0])
      if (!(e > 0 && e <= 1))
        in.fail("a void fraction is not in (0, 1]");
    const std::size_t grains_in_state = particles.id.size();
    std::array<std::vector<double>, 3> impulses;
    for (std::vector<double>& impulse : impulses)
    {
      impulse = in.array<double>(grains_in_state, "impulses of the fluid");
      for (const double value : impulse)
        if (!std::isfinite(value))
          in.fail("an impulse of the fluid is not finite");
    }
    if (!in.atEnd())
      in.fail("there is more behind the end of its fluid");
    std::vector<double>& rows = particles.passive[kFluidRow].emplace(grains_in_state);
    std::iota(rows.begin(), rows.end(), 0.);
    return [=] {
      abandon();
      last_ = last;
      steps_ = steps;
      inflow_ = inflow;
      outside_.assign({ outside });
      host_limits_[0] = limits;
      work_.set(work);
      impulse_.set(impulse);
      flow_.use(flow);
      const auto into = saved(*this);
      for (std::size_t k = 0; k < kSavedFields; ++k)
        into[k]->assign(fields[k]);
      for (std::size_t k = 0; k < 3; ++k)
        impulses_[k].assign(impulses[k]);
      flow_.queueCells(grains());
    };
  }

private:
  using Vectors = typename FlowSolver<Exec>::Vectors;

  // of a step: cells that the fluid crosses, and the part of the viscous stress
  static constexpr double kTransport = 0.7, kMostTransport = 0.85;
  static constexpr double kRelaxation = 0.25, kMostRelaxation = 0.4; // see decision 014
  static constexpr double kCrossing = 0.2; // cells that a grain crosses between two exchanges
  static constexpr std::uint64_t kMostSteps = 256;
  // Steps between exchanges grow at most by kGrowth, and stay if they could grow by less than
  // kLeastGrowth: each change shows in the forces, which are impulses over the next interval.
  static constexpr std::uint64_t kGrowth = 2;
  static constexpr double kLeastGrowth = 1.0625;
  static constexpr unsigned kLane = 1; // of CudaExec::beside(); shapes use the other one
  static constexpr std::uint32_t kMostBeside = 65536; // cells of a flow beside the grains

  // Of the step of the flow that follows the last exchange.
  enum class Progress
  {
    Due,
    Running,
    Complete
  };

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
  // In ascending Id.
  void saveImpulses(SnapshotWriter& out) const
  {
    particles_.findIdOrder();
    Array<double, Exec> sorted(exec_);
    sorted.resize(particles_.size());
    for (const auto& impulse : impulses_)
    {
      exec_.forEach(particles_.size(),
        WriteImpulses{
          impulse.data(), particles_.passiveData(kFluidRow), particles_.idOrder(), sorted.data() });
      out.array(sorted.host());
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
      { share_entry_.data(), share_.data(), static_cast<std::uint32_t>(exchanged_.size()) } };
  }
  GrainSums sums()
  {
    const std::size_t n = grid_.entries();
    long long* const at = sums_.data();
    return { at, { at + n, at + 2 * n, at + 3 * n }, at + 4 * n,
      { at + 5 * n, at + 6 * n, at + 7 * n } };
  }
  double* heldForce(std::size_t k) { return particles_.passiveData(kFluidForceX + k); }

  double timeOf(std::uint64_t step) const { return static_cast<double>(step) * time_step_; }
  // Seconds between the last exchange and the next one.
  double interval() const { return timeOf(steps_); }

  // Waits for a step of the flow that is not needed any more.
  void abandon() noexcept
  {
    if (std::exchange(progress_, Progress::Complete) != Progress::Running)
      return;
    try
    {
      joinFlow();
      exec_.synchronize();
    }
    catch (const Error&)
    {
      // a failed device shows again in the next call
    }
  }

  double inflowFactor(double time) const
  {
    const double ramp = options_.inlet_ramp;
    return options_.inlet_factor * (ramp > 0 && time < ramp ? time / ramp : 1);
  }

  void keepGrains()
  {
    const std::size_t n = particles_.size();
    exchanged_.resize(n, 1.2);
    coefficient_.resize(n, 1.2);
    share_entry_.resize(GrainShares::kSlots * n, 1.2);
    share_.resize(GrainShares::kSlots * n, 1.2);
    exec_.forEach(n,
      KeepGrains<Real>{ particles_.view(),
        { impulses_[0].data(), impulses_[1].data(), impulses_[2].data() }, interval(),
        particles_.passiveData(kFluidRow), { heldForce(0), heldForce(1), heldForce(2) },
        exchanged_.data() });
    for (auto& impulse : impulses_)
      impulse.resize(n);
  }

  // ---- the step of the flow ----

  // A large grid fills the device by itself and is faster in turn with the grains.
  bool isBeside() const { return grid_.cells() <= kMostBeside; }
  void joinFlow()
  {
    if (isBeside())
      exec_.joinBeside(kLane);
  }

  void queueFlowStep()
  {
    limits_.zero();
    queueVolumes();
    queueDrag();
    flow_.queueStep(grains(), interval(), inflow_, last_ == 0);
    flow_.queueCourant(inflow_, &limits_.data()->courant);
    queueImpulses();
    exec_.toHost(host_limits_.data(), limits_.data(), sizeof(FlowLimits));
    flow_.queueReport();
  }

  void queueVolumes()
  {
    std::swap(void_fraction_, void_before_);
    sums_.zero();
    outside_.zero();
    exec_.forEach(
      exchanged_.size(), AddGrainVolumes{ exchanged_.data(), cells(), sums(), outside_.data() });
    exec_.forEach(
      grid_.cells(), SetVoidFraction{ grid_, sums(), void_fraction_.data(), counted_.data() });
    if (last_ == 0) // there was no exchange before
      exec_.copy(void_before_.data(), void_fraction_.data(), grid_.entries() * sizeof(double));
  }

  void queueDrag()
  {
    exec_.forEach(exchanged_.size(),
      FindGrainDrag{ exchanged_.data(), cells(),
        { flow_.cellVelocity(0), flow_.cellVelocity(1), flow_.cellVelocity(2) },
        void_fraction_.data(), options_.drag, options_.density, options_.viscosity, isModelB(),
        coefficient_.data(), limits_.data() });
    exec_.forEach(exchanged_.size(),
      AddGrainDrag{ exchanged_.data(), cells(), coefficient_.data(), limits_.data(), sums() });
    exec_.forEach(grid_.cells(),
      SetGrainDrag{ grid_, sums(), limits_.data(), counted_.data(), drag_.data(),
        { drag_flow_[0].data(), drag_flow_[1].data(), drag_flow_[2].data() },
        { solid_flux_[0].data(), solid_flux_[1].data(), solid_flux_[2].data() } });
  }

  void queueImpulses()
  {
    exec_.forEach(exchanged_.size(),
      FindGrainImpulses{ exchanged_.data(), cells(), coefficient_.data(),
        { flow_.cellVelocity(0), flow_.cellVelocity(1), flow_.cellVelocity(2) },
        { flow_.cellGradient(0), flow_.cellGradient(1), flow_.cellGradient(2) }, counted_.data(),
        isModelB(), lift_, interval(),
        { impulses_[0].data(), impulses_[1].data(), impulses_[2].data() }, impulse_.books() });
  }

  // ---- length of the step ----

  // Time steps until the next exchange. `limits`: of the last step of the flow.
  std::uint64_t chooseSteps(const FlowLimits& limits, double time) const
  {
    // inlets that were opened since that step
    const double opened = std::max(0., std::fabs(inflowFactor(time)) - std::fabs(inflow_));
    const double courant =
                   static_cast<double>(FindCourant::of(limits.courant)) + opened * inlet_courant_,
                 relaxation = fromBits(limits.relaxation), crossing = fromBits(limits.crossing);
    require(std::isfinite(courant) && std::isfinite(relaxation),
      "At " + number(time) +
        " s the velocity of the fluid is not finite. Give a shorter FluidInterval, or larger "
        "cells (FluidCellSize).");
    const double transport = courant + flow_.viscousRate(courant);
    const std::uint64_t steps = stepsWithin(transport, relaxation, crossing);
    const double dt = timeOf(every_ ? every_ : steps);
    const char* const cure = every_ ? "Make FluidInterval shorter, or 0 for the longest stable one."
                                    : "Make TimeStep shorter.";
    require(courant * dt <= kMostTransport,
      "At " + number(time) + " s the fluid crosses " + number(courant * dt) +
        " cells in a step of the flow of " + number(dt) + " s around " +
        placeOf(static_cast<std::uint32_t>(limits.courant)) + "; at most " +
        number(kMostTransport) + " is stable. " + cure);
    require(relaxation * dt <= kMostRelaxation,
      "At " + number(time) + " s the drag would end the slip of a grain in " +
        number(1 / relaxation) + " s, too fast for a step of the flow of " + number(dt) + " s. " +
        cure);
    require(transport * dt <= kMostTransport,
      "At " + number(time) + " s a step of the flow of " + number(dt) +
        " s is too long for the viscosity: at most " + number(kMostTransport / transport) +
        " s is stable. " + cure);
    return steps;
  }

  std::uint64_t stepsWithin(double transport, double relaxation, double crossing) const
  {
    const std::uint64_t most = kGrowth * steps_;
    if (every_)
      return std::min(every_, most);
    const double longest = std::min({ kTransport / std::max(transport, 1e-300),
      kRelaxation / std::max(relaxation, 1e-300), kCrossing / std::max(crossing, 1e-300) });
    const auto stable = static_cast<double>(std::min(kMostSteps, most));
    const auto steps =
      static_cast<std::uint64_t>(std::max(1., std::min(stable, std::floor(longest / time_step_))));
    const bool grows_little =
      steps > steps_ && static_cast<double>(steps) < kLeastGrowth * static_cast<double>(steps_);
    return grows_little ? steps_ : steps;
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
  Vectors drag_flow_ = FlowSolver<Exec>::vectors(exec_),
          solid_flux_ = FlowSolver<Exec>::vectors(exec_);
  double inlet_courant_ = 0; // 1/s: cells that the fluid crosses in a second at the fastest inlet
  Vec3d lift_{};             // N/m^3, see FindGrainImpulses
  Array<ExchangedGrain, Exec> exchanged_{ exec_ };
  Array<double, Exec> coefficient_{ exec_ };
  Vectors impulses_ = FlowSolver<Exec>::vectors(exec_); // N s, by index in exchanged_
  Progress progress_ = Progress::Complete;
  Array<double, Exec> image_{ exec_ };
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
