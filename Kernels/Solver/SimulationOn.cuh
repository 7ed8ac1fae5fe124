// Implementation of Simulation on one device: advances the engine, applies events and takes samples
// between its batches, makes frames, and saves and restores states.
#pragma once

#include "Core/Error.h"
#include "Measure/FrameMaker.cuh"
#include "Measure/Measurement.cuh"
#include "Measure/RunAverages.h"
#include "Scene/AveragesGrid.h"
#include "Scene/CohesionLimits.h"
#include "Scene/Names.h"
#include "Scene/StepPlan.h"
#include "Scene/Steering.h"
#include "Solver/Engine.cuh"
#include "Solver/EventQueue.h"
#include "Solver/SimulationBackend.h"
#include "State/SceneFingerprints.h"
#include "State/StateReader.cuh"
#include "State/StateWriter.cuh"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

namespace dem
{

/// Functions that use the device run inside exec_.inArena(), which selects the device or the
/// threads.
template <class Exec, class Real>
class SimulationOn final : public SimulationBackend
{
public:
  template <class... ExecArguments>
  SimulationOn(const Scene& scene, const Device& device, ExecArguments... arguments)
    : SimulationBackend(scene, device)
    , exec_(arguments...)
  {
    exec_.inArena([&] { start(); });
  }

  std::uint64_t step() const override { return engine_.step(); }

  bool advanceTo(std::uint64_t target, const Simulation::Observer& observer) override
  {
    bool reached = true;
    exec_.inArena([&] { reached = advance(target, observer); });
    return reached;
  }

  Frame frame(const FrameSelection& selection) override
  {
    Frame f;
    exec_.inArena([&] {
      engine_.completeStep();
      prepareMeasurement();
      f = frames_.make(selection, step(), time(), scene_.walls);
      completeStatistics(f.statistics);
      f.broad_phase = name(engine_.rebuild.search.choice().kind);
    });
    if (averages_)
      f.averages = averages_->result();
    return f;
  }

  Statistics statistics() override
  {
    Statistics s;
    exec_.inArena([&] {
      engine_.completeStep();
      s = measureStatistics();
    });
    return s;
  }

  SnapshotBytes save() override
  {
    SnapshotBytes bytes;
    exec_.inArena([&] {
      if (!engine_.failure().empty())
        throw Error("A run that failed has no state to save: " + engine_.failure());
      engine_.completeStep();
      prepareMeasurement();
      bytes = states_.write({ scene_, fingerprints_, step(), plan_.time_step, engine_.rebuild.lost,
        events_.pastAt(step()), averages_ ? averages_->save() : std::vector<std::uint8_t>{} });
    });
    return bytes;
  }

  void restore(const SnapshotBytes& bytes) override
  {
    exec_.inArena([&] { restoreState(bytes); });
  }
  bool needsRestore() const override { return engine_.rebuild.isHalfDone(); }

  void apply(const Event& event) override
  {
    Scene changed = scene_;
    applyToScene(changed, event);
    validateCohesion(changed, radii_);
    events_.add(event, time());
  }

  void setEnd(double end_time) override
  {
    Scene changed = scene_;
    changed.end_time = end_time;
    checkAverages(changed);
    plan_.outputs = countOutputs(changed);
    scene_.end_time = base_scene_.end_time = end_time;
  }

  std::vector<CandidatePair> candidatePairs() override
  {
    std::vector<CandidatePair> pairs;
    exec_.inArena([&] {
      engine_.throwFailure();
      engine_.settle();
      const auto ids = engine_.particles.hostIds();
      engine_.rebuild.visitCandidates([&](std::uint32_t i, std::uint32_t j) {
        pairs.push_back({ ids[i], ids[j] });
      });
    });
    std::sort(pairs.begin(), pairs.end(), [](const CandidatePair& a, const CandidatePair& b) {
      return a.first != b.first ? a.first < b.first : a.second < b.second;
    });
    return pairs;
  }

  SearchCounts searchCounts() override
  {
    SearchCounts c;
    exec_.inArena([&] {
      engine_.settle();
      engine_.rebuild.count(c);
    });
    return c;
  }

  std::size_t deviceBytes() const override
  {
    return exec_.allocatedBytes() + frames_.deviceBytes();
  }
  void keepOnDevice(std::size_t bytes) override { frames_.keepOnDevice(bytes); }
  void forceRebuild() override { engine_.askForRebuild(); }
  void rebuildEvery(unsigned steps) override { engine_.rebuild.schedule.rebuildEvery(steps); }
  void stepAsMany() override
  {
    exec_.inArena([&] {
      engine_.throwFailure();
      engine_.finishStep();
      engine_.rebuild.fill.many = engine_.rebuild.fill.many_beside = 0;
      engine_.rebuildNow();
    });
  }

private:
  void start()
  {
    fingerprints_ = SceneFingerprints::of(scene_);
    engine_.start();
    noteMaterials();
    if (scene_.contact.cohesion != CohesionModel::None)
      radii_ = sphereRadii(scene_);
    passive_ = passiveStarts(scene_);
    scene_.particles = {}; // frees the host copy; the particles are on the device
    base_scene_ = scene_;
    engine_.particles.energies.at_start = balance();
    if (scene_.averages.enabled)
      averages_ = std::make_unique<RunAverages>(scene_, plan_, device_);
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

  bool advance(std::uint64_t target, const Simulation::Observer& observer)
  {
    engine_.throwFailure();
    const auto begin = std::chrono::steady_clock::now();
    const std::uint64_t first = step();
    bool reached = true;
    while (step() < target)
    {
      if (observer && !observer(step(), time()))
      {
        reached = false;
        break;
      }
      takeSamples(); // before an event at this step, so that a sample agrees with the output
      applyDueEvents();
      const std::uint64_t until = events_.nextStep(target);
      engine_.advance(averages_ ? std::min(until, averages_->nextStep()) : until);
    }
    engine_.finishStep();
    takeSamples();
    exec_.synchronize();
    const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (step() > first && seconds > 0)
      steps_per_second_ = static_cast<double>(step() - first) / seconds;
    return reached;
  }

  void takeSamples()
  {
    while (averages_ && averages_->nextStep() == step())
    {
      engine_.finishStep();
      prepareMeasurement();
      averages_->add(frames_.sample(step(), time()));
    }
  }

  void applyDueEvents()
  {
    if (!events_.anyDue(step()))
      return;
    engine_.finishStep(); // forces of this step use the law before the event
    const bool law_changes = events_.lawChanges(step());
    const double before = law_changes ? balance() : 0;
    events_.takeDue(step(), time());
    engine_.walls.keepTravel(time());
    engine_.setLaw();
    if (law_changes)
      engine_.particles.energies.at_start += balance() - before;
  }

  void prepareMeasurement()
  {
    engine_.prepareMeasurement();
    measurement_.prepare(engine_.presentRequest(), engine_.closingRates());
  }

  Statistics measureStatistics()
  {
    prepareMeasurement();
    Statistics s = measurement_.statistics(nullptr, nullptr, nullptr);
    completeStatistics(s);
    return s;
  }
  double balance() { return measurement_.balance(measureStatistics()); }

  void completeStatistics(Statistics& s) const
  {
    s.time = time();
    s.step = step();
    s.time_step = plan_.time_step;
    s.lost =
      engine_.bodies.inUse() ? engine_.bodies.size() - measurement_.grains() : engine_.rebuild.lost;
    s.rebuilds = engine_.rebuild.schedule.rebuilds();
    s.steps_per_second = steps_per_second_;
  }

  // Reads and checks the whole state before it changes the present one.
  void restoreState(const SnapshotBytes& bytes)
  {
    SavedState<Real> state = StateReader<Real>(bytes,
      { scene_, fingerprints_, engine_.bodies.shapes(), plan_.time_step, engine_.law.columns(),
        engine_.particles.rates(), engine_.particles.energies.unit(), passive_ })
                               .read();
    auto samples = averages_
      ? std::make_unique<RunAverages::Saved>(averages_->read(state.samples, state.step))
      : nullptr;
    std::size_t past = 0;
    Scene scene = events_.replayed(base_scene_, std::move(state.events), state.step, past);
    try
    {
      std::swap(scene_, scene);
      if (samples)
        averages_->use(std::move(*samples));
      useState(state);
      takeSamples();
      events_.restart(past); // last: it belongs to the events of this scene
    }
    catch (const std::exception& e)
    {
      std::swap(scene_, scene); // the next restore still needs the later events of this scene
      engine_.setFailure(e.what());
      throw;
    }
  }

  void useState(SavedState<Real>& state)
  {
    engine_.exited.use(std::move(state.exited));
    engine_.restart(state);
    states_.restoreContacts(state);
    double& at_start = engine_.particles.energies.at_start;
    if (!state.has_borders)
      at_start = balance();
    else if (!(state.gravity == scene_.gravity)) // the state was saved with other gravity
    {
      const double energy = balance();
      engine_.law.setGravity(state.gravity);
      at_start += energy - balance();
      engine_.law.setGravity(scene_.gravity);
    }
  }

  Exec exec_;
  Scene base_scene_;  // before any event
  SphereRadii radii_; // with cohesion only
  std::array<PassiveStart, kPassiveCount> passive_{};
  std::array<std::uint64_t, SceneFingerprints::kParts> fingerprints_{};
  Engine<Exec, Real> engine_{ exec_, scene_, plan_ };
  Measurement<Exec, Real> measurement_{ exec_, engine_.owners };
  FrameMaker<Exec, Real> frames_{ exec_, engine_.owners, measurement_, device_, run_ };
  StateWriter<Exec, Real> states_{ exec_, engine_.owners, measurement_ };
  EventQueue events_{ scene_, plan_ };
  std::unique_ptr<RunAverages> averages_; // null if the scene has no averages
  double steps_per_second_ = 0;           // in the last advance
};

} // namespace dem
