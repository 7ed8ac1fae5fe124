// Steps the particles of one run, or of one part of it, on one device. runBatch() shows the order
// of a batch: control, walls, forces, motion, rebuild. The members own the arrays. Used by
// SimulationOn.cuh.
#pragma once

#include "Core/RunFailure.h"
#include "Coupling/MakeFluid.cuh"
#include "Forces/ForceStage.cuh"
#include "Forces/LawStore.cuh"
#include "Measure/Measurement.cuh"
#include "Scene/SceneWalls.h"
#include "Scene/StepPlan.h"
#include "Scene/TimeStepAdvice.h"
#include "Scene/detail/BodySet.h"
#include "Solver/BatchReports.cuh"
#include "Solver/Failure.h"
#include "Solver/InitialOverlapCheck.cuh"
#include "Solver/MotionStage.cuh"
#include "Solver/Rebuild.cuh"
#include "State/SavedState.cuh"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace dem
{

/// A batch or rebuild that throws fails the run (RunFailure): some steps may be computed, so only a
/// saved state continues it.
template <class Exec, class Real>
class Engine
{
public:
  /// The run owns `scene`, `plan` and `failure`, and may change them between two calls. `part`:
  /// what this engine computes.
  Engine(Exec& exec, const Scene& scene, const StepPlan& plan, RunFailure& failure,
    const PartOfRun& part)
    : exec_(exec)
    , scene_(scene)
    , plan_(plan)
    , failure_(failure)
    , part_(part)
  {
  }

  /// Uploads particles and walls of the scene, builds the first lists and evaluates the first
  /// forces. Throws dem::Error if grains overlap too much.
  void start()
  {
    const BodySet set = makeBodySet(scene_); // empty if all grains are spheres
    const ParticleInput& parts = set.arrays.id.empty() ? scene_.particles : set.parts;
    const double largest =
      parts.radius.empty() ? 0 : *std::max_element(parts.radius.begin(), parts.radius.end());
    walls.set(sceneWalls(scene_), scene_.broad_phase.triangles, largest);
    setLaw();
    forces.choose(scene_, set.shapes.shaped);
    if (part_.link)
    {
      domain = std::make_unique<Subdomain<Exec, Real>>(exec_, owners, part_, law.box());
      rebuild.setDomain(domain.get());
      bodies.setOfPart();
    }
    if (set.shapes.shaped)
      forces.shapes.use(scene_.shapes, walls.set());
    bodies.useShapes(set.shapes);
    setBodies(set.arrays);
    particles.upload(parts, set.part_mass, scene_.materials, law.box(),
      integratorRates<Real>(scene_.integrator), passiveValues(scene_, set.part_grain),
      ownParticles());
    findOwnBodies();
    rebuild.begin(scene_);
    rebuild.chooseSearch(scene_, parts.radius);
    openBooks();
    fluid = makeFluid(exec_, particles, scene_, plan_, energyScale());
    forces_due_ = true;
    failure_.guarded([&] { rebuild.first(now(), forces_due_); });
    InitialOverlapCheck<Exec, Real>(
      scene_, particles, bodies, forces, rebuild, law.box(), domain.get())
      .run();
    evaluateForces(Real(0));
    if (fluid)
      fluid->finish();
  }

  /// Replaces the particles by those of a saved state and builds their lists. The caller restores
  /// the contacts (StateWriter::restoreContacts). The first part of a run has its totals.
  void restart(const SavedState<Real>& state)
  {
    step_ = state.step;
    rebuild.restart(step_);
    rebuild.lost = part_.part == 0 ? state.lost : 0;
    particles.energies.at_start = state.energy_at_start;
    particles.energies.set(part_.part == 0 ? state.totals : EnergyTotals(state.totals.unit()));
    exited.use(part_.part == 0 ? state.exited : std::vector<ExitedGrain>{});
    setBodies(state.bodies);
    particles.assign(state.particles, ownParticles());
    findOwnBodies();
    std::vector<double> radii;
    for (const Vec4<double>& x : state.particles.position)
      radii.push_back(x.w);
    rebuild.chooseSearch(scene_, radii);
    forces_due_ = false;
    setLaw();
    rebuild.first(now(), forces_due_);
  }

  /// Uploads materials, contact model, gravity and wall motions of the scene.
  void setLaw()
  {
    law.set(scene_);
    walls.setMotions(scene_.walls);
    walls.moveTo(now().time());
  }

  std::uint64_t step() const { return step_; }
  RunMoment now() const { return { step_, plan_.time_step }; }
  Real timeStep() const { return static_cast<Real>(plan_.time_step); }

  /// Computes one batch of steps, at most up to `until`. Batches are short enough for the observer.
  void advance(std::uint64_t until)
  {
    const auto steps = static_cast<unsigned>(std::min<std::uint64_t>(until - step_, batchSize()));
    failure_.guarded([&] { runBatch(steps); });
  }

  /// Reads the sizes of the last rebuild if they were not read yet.
  void settle()
  {
    failure_.guarded([&] { rebuild.settle(); });
  }
  /// Evaluates the forces of the present step if they are due.
  void finishStep()
  {
    settle();
    if (forces_due_)
      evaluateForces(timeStep());
  }
  /// As finishStep(), before a frame or a saved state. Throws if a failed batch left the forces
  /// due.
  void completeStep()
  {
    if (forces_due_)
      failure_.throwIfHappened();
    finishStep();
  }
  /// Removes particles that left, and moves walls to the present step.
  void prepareMeasurement()
  {
    failure_.throwIfHalfDone();
    if (domain ? domain->any(rebuild.removed) : rebuild.removed)
      rebuildNow();
    walls.moveTo(now().time());
  }
  void rebuildNow()
  {
    failure_.guarded([&] { rebuild.run(now(), forces_due_, false); });
  }
  /// The next step rebuilds the lists.
  void askForRebuild() { rebuild_asked_ = true; }

  /// Request and kick for a measurement of the present step.
  ForceRequest<Exec, Real> presentRequest() { return forceRequest(timeStep(), 0); }
  ClosingRates<Real> closingRates()
  {
    ClosingRates<Real> rates = motion_.closing(step_);
    rates.dt = step_ > 0 ? timeStep() : Real(0);
    return rates;
  }

private:
  Exec& exec_;
  const Scene& scene_;
  const StepPlan& plan_;
  RunFailure& failure_;
  const PartOfRun part_;
  BatchReports<Exec> reports_{ exec_ };

public:
  ParticleStore<Exec, Real> particles{ exec_ };
  std::unique_ptr<FluidCoupling<Exec, Real>> fluid; // null without a fluid
  Bodies<Exec, Real> bodies{ exec_ };
  WallStore<Exec> walls{ exec_ };
  LawStore<Exec, Real> law{ exec_ };
  ForceStage<Exec, Real> forces{ exec_ };
  PairLists<Exec, Real> pairs{ exec_ };
  WallLists<Exec, Real> wall_lists{ exec_ };
  ExitList<Exec, ExitedGrain> exited{ exec_ };
  const RunOwners<Exec, Real> owners{ particles, bodies, walls, law, forces, pairs, wall_lists,
    exited };
  std::unique_ptr<Subdomain<Exec, Real>> domain; // null if this engine computes the whole run
  Rebuild<Exec, Real> rebuild{ exec_, owners, reports_, failure_ };

private:
  OwnParticles ownParticles()
  {
    if (!domain)
      return {};
    return [this](const std::vector<Vec4<double>>& position, const std::vector<std::int64_t>& id) {
      return domain->choose(position, id);
    };
  }
  void findOwnBodies()
  {
    if (domain && bodies.inUse())
      bodies.findOwned(particles.id(), particles.size());
  }

  void setBodies(const BodyArrays& arrays)
  {
    bodies.use(arrays);
    particles.setOfBodies(bodies.inUse());
    forces.shapes.useBodies(scene_.shapes, arrays.shape);
  }

  // Scale of the energy totals, J: the energy of the heaviest grain if it crosses the largest
  // radius in one step. For much smaller steps 1e-3 of the largest allowed step is used instead,
  // since such steps are chosen for slow motion.
  double energyScale()
  {
    const double largest_mass =
      domain ? domain->most(particles.largestMass()) : particles.largestMass();
    if (!(largest_mass > 0))
      return 0;
    const double dt = std::max(plan_.time_step, 1e-3 * adviseTimeStep(scene_).largest_allowed);
    const double radius = particles.radiusMax();
    return largest_mass * radius * radius / (dt * dt);
  }
  void openBooks() { particles.energies.open(energyScale()); }

  // Computes `steps` steps, or fewer if the lists must be rebuilt earlier. The forces of the step
  // that is reached remain due.
  void runBatch(unsigned steps)
  {
    const bool unread = reports_.settling, asked = rebuild_asked_;
    beginBatch(steps); // control: where to stop
    for (unsigned b = 1; b <= steps; ++b)
    {
      moveWalls(b);
      queueForces(b);
      queueMotion(b);
      if (fluid && b == 1)
        fluid->queueBeside();
      if (domain)
        domain->halo().queue(
          reports_.control(), b, motion_.movesBeside(), forces.shapes.paths().path);
      if (!Exec::kDevice && reports_.controlNow().stop_step <= b)
        break; // on the CPU, the flag is current: all further steps would return at once
    }
    StepControl control = reports_.readControl();
    if (domain)
    {
      // also keeps a part from a new batch while another one reads its control block
      control.stop_step = domain->least(control.stop_step);
      control.error = domain->least(control.error);
    }
    if (unread && !settleBatch(steps))
      rebuild_asked_ = asked; // the lists had too little room, so no step was computed
    else if (!takeSteps(control, steps))
      rebuild.run(now(), forces_due_, true);
  }

  void beginBatch(unsigned steps)
  {
    const unsigned long long stop =
      rebuild_asked_ ? 1 : std::min(stopForWalls(steps), rebuild.schedule.stopAsAsked(step_));
    rebuild_asked_ = false;
    reports_.write({ stop, StepControl::kNone, rebuild.removed });
    motion_.beginBatch();
  }

  // First batch step after which a moving wall has travelled more than half of the skin; kNone if
  // there is none in the batch.
  unsigned long long stopForWalls(unsigned steps) const
  {
    for (unsigned b = 1; walls.anyMotion() && b <= steps; ++b)
      if (walls.mostTravel(timeOf(step_ + b)) > 0.5 * rebuild.schedule.skin())
        return b;
    return StepControl::kNone;
  }

  void moveWalls(unsigned b)
  {
    if (walls.anyMotion() && forces_due_)
      walls.moveTo(timeOf(step_ + b - 1));
  }

  void queueForces(unsigned b)
  {
    if (forces_due_ && !computesForcesInMotion())
      queueForces(forceRequest(timeStep(), b - 1), step_ + b - 1);
  }

  // Forces of the contacts, then of the fluid.
  void queueForces(const ForceRequest<Exec, Real>& request, std::uint64_t step)
  {
    forces.queue(request, rebuild.search);
    if (fluid)
      fluid->queue(request, law.gravity().template as<double>(), timeOf(step));
  }
  bool computesForcesInMotion() const
  {
    return motion_.computesForces() && (!fluid || fluid->held());
  }

  void queueMotion(unsigned b)
  {
    motion_.queue(forceRequest(timeStep(), b - 1), law.gravity(), rebuild.schedule.skin(),
      step_ + b - 1, b, forces_due_ && computesForcesInMotion());
    forces_due_ = true;
  }

  // Takes the sizes of the last rebuild, which came with the report of the batch. Returns false if
  // the lists had too little room; the batch then computed no step.
  bool settleBatch(unsigned steps)
  {
    const bool fits = reports_.room.holds(reports_.hostFound());
    if (!fits)
    {
      motion_.stopped(steps, 0);
      if (walls.anyMotion())
        walls.moveTo(now().time());
    }
    rebuild.settleFromReport();
    return fits;
  }

  // Counts the computed steps. Returns false if the lists must be rebuilt before the next step.
  bool takeSteps(const StepControl& control, unsigned steps)
  {
    rebuild.removed = control.removed;
    forces.kinds.settle(control.stop_step);
    failIf(control.error);
    const bool all = control.stop_step > steps;
    step_ += all ? steps : control.stop_step;
    if (!all)
      motion_.stopped(steps, control.stop_step);
    return all;
  }

  // Number of steps to queue before the host reads the control block: the expected remaining life
  // of the lists, limited so that a run can be interrupted.
  unsigned batchSize() const
  {
    if (!Exec::kDevice)
      return 1;
    const std::uint64_t since = step_ - rebuild.schedule.listStep();
    const std::uint64_t last = rebuild.schedule.lastInterval();
    const std::uint64_t expected = last > since ? last - since : 1;
    const std::uint64_t size = domain ? domain->largest() : particles.size();
    const std::uint64_t most =
      std::max<std::uint64_t>(1, std::min<std::uint64_t>(64, 50000000 / (size + 1)));
    return static_cast<unsigned>(std::min(std::max<std::uint64_t>(expected, 2), most));
  }

  // Evaluates the forces at the present positions, outside a batch.
  void evaluateForces(Real dt)
  {
    StepControl control;
    for (;; forces.kinds.growTouching()) // repeats if the slots of touching pairs overflow
    {
      reports_.write({ StepControl::kNone, StepControl::kNone, rebuild.removed });
      if (walls.anyMotion())
        walls.moveTo(now().time());
      queueForces(forceRequest(dt, 0), step_);
      control = reports_.readControl();
      forces.kinds.settle(control.stop_step);
      if (control.stop_step != 0)
        break;
    }
    forces_due_ = false;
    failIf(control.error);
  }

  ForceRequest<Exec, Real> forceRequest(Real dt, unsigned batch_step)
  {
    return { particles.view(), reports_.control(), law.view(), dt, batch_step, particles.size(),
      &pairs.list(), &wall_lists.list(), walls.view(), walls.hasSeams(), particles.ghosts(),
      fluid ? fluid->held() : HeldForces{}, rebuild.fill, pairs.crowded(), pairs.crowdedGroups(),
      reports_.settling ? &reports_.found()->wall_rows : nullptr };
  }

  double timeOf(std::uint64_t step) const { return static_cast<double>(step) * plan_.time_step; }

  void failIf(unsigned long long error)
  {
    if (error == StepControl::kNone)
      return;
    failure_.set(failureText(error, step_, plan_.time_step, bodies.userId(failedId(error))));
    failure_.throwIfHappened();
  }

  MotionStage<Exec, Real> motion_{ exec_, scene_, particles, bodies, forces };
  std::uint64_t step_ = 0;
  bool forces_due_ = false; // the forces of the present step are not computed yet
  bool rebuild_asked_ = false;
};

} // namespace dem
