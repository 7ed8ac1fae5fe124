// Implementation of Simulation on one device (Core/RunFrame.h): applies events and takes samples
// between the batches of the engine, makes frames, and saves and restores states.
#pragma once

#include "Core/Error.h"
#include "Core/RunFrame.h"
#include "Measure/RunAverages.h"
#include "Measure/RunSpray.h"
#include "Scene/AveragesGrid.h"
#include "Scene/CohesionLimits.h"
#include "Scene/Names.h"
#include "Scene/StepPlan.h"
#include "Scene/Steering.h"
#include "Solver/RunHeat.cuh"
#include "Solver/RunParts.cuh"
#include "Solver/SimulationBackend.h"
#include "State/SceneFingerprints.h"
#include "State/StateReader.cuh"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace dem
{

/// Functions that use the device run inside exec_.inArena(), which selects the device or the
/// threads.
template <class Exec, class Real>
class SimulationOn final : public RunFrame<SimulationBackend>
{
public:
  /// `arguments`: of the execution policy of each part: number of threads or of the device.
  SimulationOn(const Scene& scene, const Device& device, const std::vector<int>& arguments)
    : RunFrame(scene, device)
    , parts_(scene_, plan_, failure_, device_, run_, arguments)
  {
    whole([&] { start(); });
  }

  std::uint64_t step() const override { return engine_.step(); }

  bool advanceTo(std::uint64_t target, const RunObserver& observer) override
  {
    return whole([&] { return advance(target, observer); });
  }

  Frame frame(const FrameSelection& selection) override
  {
    return whole([&] {
      completeStep();
      prepareMeasurement();
      Frame f = parts_.frame(selection, step(), time(), scene_.walls);
      complete(f.statistics);
      if (engine_.fluid && selection.fluid_force)
        f.fluid_force = engine_.fluid->forces(scene_.gravity, time());
      if (engine_.fluid && selection.fluid_image)
        f.fluid = engine_.fluid->image();
      if (heat_)
        heat_->measure(f.walls);
      f.broad_phase = name(engine_.rebuild.search.choice().kind);
      if (averages_)
        f.averages = averages_->result();
      if (spray_)
        spray_->write(f);
      parts_.agreeOnSize(f);
      return f;
    });
  }

  Statistics statistics() override
  {
    return whole([&] {
      completeStep();
      return measureStatistics();
    });
  }

  SnapshotBytes save() override
  {
    return whole([&] {
      if (failure_.happened())
        throw Error("A run that failed has no state to save: " + failure_.message());
      completeStep();
      finishFluid();
      prepareMeasurement();
      return parts_.save({ scene_, fingerprints_, step(), plan_.time_step, {}, nullptr, {}, {},
        events_.pastAt(step()), averages_ ? averages_->save() : std::vector<std::uint8_t>{},
        heat_ ? heat_->save() : std::vector<std::uint8_t>{},
        spray_ ? spray_->save() : std::vector<std::uint8_t>{},
        engine_.fluid ? engine_.fluid->save() : std::vector<std::uint8_t>{} });
    });
  }

  void restore(const SnapshotBytes& bytes) override
  {
    whole([&] { restoreState(bytes); });
  }

  std::vector<CandidatePair> candidatePairs() override
  {
    failure_.throwIfHappened();
    return parts_.candidatePairs();
  }
  SearchCounts searchCounts() override { return parts_.searchCounts(); }

  std::size_t deviceBytes() const override { return parts_.deviceBytes(); }
  void keepOnDevice(std::size_t bytes) override { frames_.keepOnDevice(bytes); }
  void forceRebuild() override
  {
    for (const auto& part : parts_.all())
      part->engine.askForRebuild();
  }
  void rebuildEvery(unsigned steps) override
  {
    for (const auto& part : parts_.all())
      part->engine.rebuild.schedule.rebuildEvery(steps);
  }
  void timeStages() override
  {
    for (const auto& part : parts_.all())
      part->engine.forces.times.start();
  }
  void stepAsMany() override
  {
    failure_.throwIfHappened();
    parts_.each([](Part& part) {
      part.engine.finishStep();
      part.engine.rebuild.fill.many = part.engine.rebuild.fill.many_beside = 0;
      part.engine.rebuildNow();
    });
  }

private:
  using Part = RunPart<Exec, Real>;

  // Returns act(), called with the device or the threads of the first part here. All processes that
  // share the run call it together.
  template <class Act>
  auto whole(const Act& act) -> decltype(act())
  {
    return parts_.together([&] { return exec_.inArena(act); });
  }

  void start()
  {
    fingerprints_ = SceneFingerprints::of(scene_);
    parts_.each([](Part& part) { part.engine.start(); });
    noteMaterials();
    if (scene_.contact.cohesion != CohesionModel::None)
      radii_ = sphereRadii(scene_);
    passive_ = passiveStarts(scene_);
    if (scene_.heat.on())
      heat_ = std::make_unique<RunHeat<Exec, Real>>(parts_, scene_, plan_);
    scene_.particles = {}; // frees the host copy; the particles are on the device
    keepBaseScene();
    engine_.particles.energies.at_start = balance();
    if (scene_.averages.enabled)
      averages_ = std::make_unique<RunAverages>(scene_, plan_, device_);
    if (!scene_.nozzles.empty())
      spray_ = std::make_unique<RunSpray>(scene_, plan_, device_);
    takeSamples();
  }

  void noteMaterials()
  {
    scene_.particle_materials.assign(scene_.materials.size(), false);
    if (scene_.particles.material.empty())
      scene_.particle_materials[0] = true;
    for (int m : scene_.particles.material)
      scene_.particle_materials[m] = true;
  }

  void prepareStep() override
  {
    takeFluid();
    takeHeat();
    takeSamples(); // before an event at this step, so that a sample agrees with the output
    applyDueEvents();
  }
  void takeSteps(std::uint64_t until) override
  {
    if (averages_)
      until = std::min(until, averages_->nextStep());
    if (heat_)
      until = std::min(until, heat_->nextStep());
    if (spray_)
      until = std::min(until, spray_->nextStep());
    if (engine_.fluid)
      until = std::min(until, engine_.fluid->nextStep(step()));
    parts_.each([until](Part& part) { part.engine.advance(until); });
  }
  void finishSteps() override
  {
    failure_.guarded([&] {
      takeFluid();
      finishStep();
      takeHeat();
      takeSamples();
      finishFluid();
    });
    exec_.synchronize();
  }
  bool anyStops(const std::function<bool()>& stops) override { return parts_.any(stops); }
  void checkEnd(const Scene& changed) const override { checkAverages(changed); }
  void checkEvent(const Scene& changed) const override { validateCohesion(changed, radii_); }

  // Steps the temperatures if they are due.
  void takeHeat()
  {
    if (heat_ && heat_->nextStep() == step())
      heat_->take(step());
  }

  // Lets the fluid take the grains if it is due.
  void takeFluid()
  {
    if (!engine_.fluid || !engine_.fluid->isDue(step()))
      return;
    engine_.settle();
    failure_.setHalfDone(true); // if it throws
    failure_.guarded([&] { engine_.fluid->take(step(), scene_); });
    failure_.setHalfDone(false);
  }
  void finishFluid()
  {
    if (!engine_.fluid)
      return;
    if (failure_.happened()) // the flow may fail too, but the grains can be shown
    {
      try
      {
        engine_.fluid->finish();
      }
      catch (const Error&)
      {
      }
      return;
    }
    failure_.setHalfDone(true); // if it throws
    failure_.guarded([&] { engine_.fluid->finish(); });
    failure_.setHalfDone(false);
  }

  void takeSamples()
  {
    while (averages_ && averages_->nextStep() == step())
    {
      finishStep();
      prepareMeasurement();
      averages_->add(parts_.sample(step(), time()));
    }
    while (spray_ && spray_->nextStep() == step())
    {
      finishStep();
      prepareMeasurement();
      const RayGrains grains = parts_.rayGrains(ray_ids_, scene_.spray.patches > 0, step(), time());
      spray_->sample(grains, ray_ids_, scene_.walls, scene_.nozzles);
    }
  }

  void applyDueEvents()
  {
    if (!events_.anyDue(step()))
      return;
    finishStep(); // forces of this step use the law before the event
    const bool law_changes = !events_.allDue(
      step(), [](const Event& e) { return isOfWall(e.property) || isOfNozzle(e.property); });
    const double before = law_changes ? balance() : 0;
    const bool heat_changes =
      heat_ && !events_.allDue(step(), [](const Event& e) { return isOfNozzle(e.property); });
    if (heat_changes)
      heat_->take(step()); // with the temperatures and materials before the event
    events_.takeDue(step(), time());
    parts_.each([this](Part& part) {
      part.engine.walls.keepTravel(time());
      part.engine.setLaw();
    });
    if (heat_changes)
      heat_->setLaw(scene_);
    if (law_changes)
      engine_.particles.energies.at_start += balance() - before;
  }

  void finishStep()
  {
    parts_.each([](Part& part) { part.engine.finishStep(); });
  }
  void completeStep()
  {
    failure_.throwIfHalfDone();
    if (!failure_.happened())
      takeFluid();
    parts_.each([](Part& part) { part.engine.completeStep(); });
  }
  void prepareMeasurement()
  {
    parts_.each([](Part& part) { part.prepareMeasurement(); });
  }

  Statistics measureStatistics()
  {
    prepareMeasurement();
    Statistics s = parts_.statistics();
    complete(s);
    return s;
  }
  double balance() { return Measurement<Exec, Real>::balance(measureStatistics()); }

  void complete(Statistics& s)
  {
    completeStatistics(s);
    s.devices = parts_.inAll();
    s.imbalance = parts_.imbalance();
    if (heat_)
      heat_->measure(s);
    if (engine_.fluid)
    {
      finishFluid();
      engine_.fluid->complete(s, scene_.gravity, time());
      s.energy_error -= s.fluid_work;
    }
    s.lost = engine_.bodies.inUse() ? engine_.bodies.size() - s.particles : parts_.lost();
    s.rebuilds = engine_.rebuild.schedule.rebuilds();
    if (!spray_)
      return;
    const std::vector<ExitedGrain>& exited = parts_.exits();
    spray_->complete(s, [&](std::int64_t id) {
      const auto at = std::lower_bound(exited.begin(), exited.end(), id,
        [](const ExitedGrain& grain, std::int64_t of) { return grain.id < of; });
      return at != exited.end() && at->id == id;
    });
  }

  // Reads and checks the whole state before it changes the present one.
  void restoreState(const SnapshotBytes& bytes)
  {
    SavedState<Real> state = StateReader<Real>(bytes,
      { scene_, fingerprints_, engine_.bodies.shapes(), plan_.time_step, engine_.law.columns(),
        engine_.particles.rates(), engine_.particles.energies.unit(), passive_ })
                               .read();
    if (scene_.nozzles.empty()) // without their coating, changes of nozzles mean nothing
      state.events.erase(std::remove_if(state.events.begin(), state.events.end(),
                           [](const Event& e) { return isOfNozzle(e.property); }),
        state.events.end());
    auto samples = averages_
      ? std::make_unique<RunAverages::Saved>(averages_->read(state.samples, state.step))
      : nullptr;
    auto heat = heat_ ? heat_->read(state.heat, state.step) : typename RunHeat<Exec, Real>::Saved{};
    const std::function<void()> useFluid =
      engine_.fluid ? engine_.fluid->read(state.fluid, state.step, state.particles) : [] {};
    auto coating =
      spray_ ? std::make_unique<RunSpray::Saved>(spray_->read(state.spray, state.step)) : nullptr;
    useState(state, [&] {
      if (samples)
        averages_->use(std::move(*samples));
      if (coating)
        spray_->use(std::move(*coating));
      if (heat_)
        heat_->use(heat);
      useFluid();
      use(state);
      takeSamples();
    });
  }

  void use(SavedState<Real>& state)
  {
    parts_.each([&state](Part& part) {
      part.engine.restart(state);
      part.states.restoreContacts(state);
    });
    if (heat_)
      heat_->setLaw(scene_);
    double& at_start = engine_.particles.energies.at_start;
    if (!state.has_borders)
      at_start = balance();
    else if (!(state.gravity == scene_.gravity)) // the state was saved with other gravity
    {
      const double energy = balance();
      setGravity(state.gravity);
      at_start += energy - balance();
      setGravity(scene_.gravity);
    }
  }

  void setGravity(const Vec3d& gravity)
  {
    for (const auto& part : parts_.all())
      part->engine.law.setGravity(gravity);
  }

  RunParts<Exec, Real> parts_;
  // The first part here: it has the step, the energy balance at the start and the walls of all.
  // What needs all particles on one device is refused for several parts (PartLimits.h).
  Exec& exec_ = parts_.first().exec;
  Engine<Exec, Real>& engine_ = parts_.first().engine;
  FrameMaker<Exec, Real>& frames_ = parts_.first().frames;
  SphereRadii radii_; // with cohesion only
  std::array<PassiveStart, kPassiveCount> passive_{};
  std::array<std::uint64_t, SceneFingerprints::kParts> fingerprints_{};
  std::unique_ptr<RunHeat<Exec, Real>> heat_; // null without heat transfer
  std::unique_ptr<RunAverages> averages_;     // null if the scene has no averages
  std::unique_ptr<RunSpray> spray_;           // null if the scene has no nozzles
  std::vector<std::int64_t> ray_ids_;         // of the grains of the last sample of the spray
};

} // namespace dem
