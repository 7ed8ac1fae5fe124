// Access to any time in [0, end] of a simulation, in any order. Frames and snapshots are kept
// within memory budgets; times in between are replayed from the nearest snapshot. Used by the
// timelines of all solvers.
//
// `SimulationT` is a RunSimulation with kStepsApart, the least number of steps between two
// snapshots, since a snapshot costs the time of some steps. The state at a step must not depend on
// how it was reached.
#pragma once

#include "Core/Error.h"
#include "Core/RunSimulation.h"
#include "Core/Text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dem
{

template <class SimulationT>
struct RunTimelineOptions
{
  RunOptions run;
  typename SimulationT::FrameSelection selection;
  std::size_t frame_memory = std::size_t(1) << 30;    ///< bytes for frames
  std::size_t snapshot_memory = std::size_t(1) << 30; ///< bytes for snapshots
  /// Bytes on the device for the newest frame, see Simulation::keepOnDevice.
  std::size_t device_frame_memory = std::size_t(2) << 30;
};

/// Not thread-safe.
template <class SimulationT>
class RunTimeline
{
public:
  using Simulation = SimulationT;
  using Scene = typename Simulation::Scene;
  using Frame = typename Simulation::Frame;
  using FrameSelection = typename Simulation::FrameSelection;
  using Options = RunTimelineOptions<SimulationT>;
  using Bytes = SnapshotBytes;
  using Observer = RunObserver;

  RunTimeline(const Scene& scene, const Options& options)
    : options_(options)
    , simulation_(std::make_unique<Simulation>(scene, options.run))
  {
    simulation_->keepOnDevice(options.device_frame_memory);
    snapshots_[0] = simulation_->save();
  }

  /// Number of outputs. Output k is at time k * output_interval (s).
  std::uint64_t outputs() const;
  double outputTime(std::uint64_t output) const;
  /// The last output at or before `time` (s), clamped to the range. Times less than 1e-9 (1 + time)
  /// intervals before an output count as that output.
  std::uint64_t outputAt(double time) const;

  /// Returns the frame of an output. Later outputs are reached by stepping; earlier ones are taken
  /// from the kept frames, or replayed from a snapshot. `observer` may stop a long advance: then
  /// `reached` is false and the frame shows the time reached. The next call continues from there. A
  /// failing step throws dem::Error in this and in every later request for it; earlier outputs
  /// remain available.
  struct Result
  {
    std::shared_ptr<const Frame> frame;
    bool reached = true;
  };
  Result at(std::uint64_t output, const Observer& observer = {});

  /// The frame of the present step, which need not be an output.
  std::shared_ptr<const Frame> present()
  {
    return std::make_shared<const Frame>(simulation_->frame(options_.selection));
  }

  /// Changes the arrays of frames; drops the kept frames if the selection differs.
  void select(const FrameSelection& selection);
  /// Changes the memory budgets (bytes) and drops what exceeds them.
  void setMemory(std::size_t frame_memory, std::size_t snapshot_memory);

  /// Gets a state and its number: it is at the step nearest to number * interval (s).
  using Store = std::function<void(const Bytes& state, std::uint64_t number)>;
  /// Calls `store` while the run advances, for each multiple of `interval` (s; 0 = never) that it
  /// passes for the first time. A replay of earlier times stores nothing. If `store` throws, the
  /// advance ends at that step, and the next one calls it again. Throws dem::Error, and changes
  /// nothing, if the interval is above 0 and shorter than a time step.
  void storeEvery(double interval, Store store)
  {
    const double step = simulation_->plan().time_step;
    if (interval > 0 && interval < step * (1 - 1e-9))
      throw Error("CheckpointInterval (store_interval of a file), " + number(interval) +
        " s, is shorter than the time step, " + number(step) +
        " s. Raise it; CheckpointInterval 0 writes no files.");
    store_interval_ = interval;
    store_ = std::move(store);
    stored_ = storesUpTo(std::max(simulation_->step(), farthest_));
  }

  void setDeviceFrameMemory(std::size_t bytes) { simulation_->keepOnDevice(bytes); }

  /// Applies a steering change at the time of an output. Later frames and snapshots are dropped;
  /// replays apply the change again. Stores nothing, so that a full disk cannot prevent the change.
  /// If a state is due at this step, the next advance stores it.
  void steer(std::uint64_t output, const std::string& property, const std::vector<double>& value)
  {
    goTo(output, {}, false);
    simulation_->apply({ outputTime(output), property, value });
    forgetAfter(output);
  }

  /// Changes the end time (s); frames and snapshots are kept.
  void setEnd(double end_time) { simulation_->setEnd(end_time); }

  /// Continues from the bytes of a checkpoint. Earlier times are then replayed from the start. If
  /// the bytes are refused, nothing changes or the outputs are restored from the snapshots.
  void load(const Bytes& bytes);
  Bytes save();                     ///< present state; after a failed step the state before it
  Bytes save(std::uint64_t output); ///< state of an output, which becomes the present state

  Simulation& simulation() { return *simulation_; }
  const Simulation& simulation() const { return *simulation_; }
  std::size_t framesKept() const { return frames_.size(); }
  std::size_t snapshotsKept() const { return snapshots_.size(); }

private:
  /// Brings the solver to an output; returns false if the observer stopped it.
  bool goTo(std::uint64_t output, const Observer& observer = {}, bool stores = true);
  bool advanceTo(std::uint64_t step, const Observer& observer);
  void restore(const Bytes& bytes);
  void forgetAfter(std::uint64_t output);
  void keepFrame(std::uint64_t output, std::shared_ptr<const Frame> frame);
  void keepSnapshot(std::uint64_t output);
  void thinFrames();
  void thinSnapshots();
  std::uint64_t storeStep(std::uint64_t number) const;
  std::uint64_t storesUpTo(std::uint64_t step) const;
  void storeIfDue();
  template <class Map, class Size>
  static void thin(Map& map, std::size_t budget, std::uint64_t spared, const Size& size);

  Options options_;
  std::unique_ptr<Simulation> simulation_;
  std::map<std::uint64_t, std::shared_ptr<const Frame>> frames_;
  std::map<std::uint64_t, Bytes> snapshots_;
  std::uint64_t newest_frame_ = 0;
  double store_interval_ = 0; // s
  Store store_;
  std::uint64_t stored_ = 0;   // number of the last stored state
  std::uint64_t farthest_ = 0; // step that the run has reached
  // A step failed: the simulation may be within a step until it is restored.
  bool failed_ = false;
};

template <class SimulationT>
std::uint64_t RunTimeline<SimulationT>::outputs() const
{
  return simulation_->plan().outputs;
}

template <class SimulationT>
double RunTimeline<SimulationT>::outputTime(std::uint64_t output) const
{
  return static_cast<double>(output) * simulation_->scene().output_interval;
}

template <class SimulationT>
std::uint64_t RunTimeline<SimulationT>::outputAt(double time) const
{
  const double k =
    std::floor(time / simulation_->scene().output_interval + 1e-9 * (1 + std::fabs(time)));
  const std::uint64_t last = outputs() - 1;
  return k >= static_cast<double>(last) ? last : k > 0 ? static_cast<std::uint64_t>(k) : 0;
}

template <class SimulationT>
typename RunTimeline<SimulationT>::Result RunTimeline<SimulationT>::at(
  std::uint64_t output, const Observer& observer)
{
  output = std::min(output, outputs() - 1);
  const auto kept = frames_.find(output);
  if (kept != frames_.end())
    return { kept->second, true };
  const bool reached = goTo(output, observer);
  auto frame = present();
  if (reached)
    keepFrame(output, frame);
  return { frame, reached };
}

template <class SimulationT>
bool RunTimeline<SimulationT>::goTo(std::uint64_t output, const Observer& observer, bool stores)
{
  const std::uint64_t per_output = simulation_->plan().steps_per_output,
                      target = output * per_output, step = simulation_->step();
  const auto nearest = std::prev(snapshots_.upper_bound(output)); // output 0 is always kept
  // a snapshot after the present step saves steps
  if (step > target || (failed_ && step == target) || nearest->first * per_output > step ||
    simulation_->needsRestore())
    restore(nearest->second);
  while (simulation_->step() < target)
  {
    if (stores)
      storeIfDue();
    const std::uint64_t next = simulation_->step() / per_output + 1;
    const std::uint64_t stop =
      stores ? std::min(next * per_output, storeStep(stored_ + 1)) : next * per_output;
    if (!advanceTo(stop, observer))
      return false;
    if (stop == next * per_output)
      keepSnapshot(next);
  }
  if (stores)
    storeIfDue();
  return true;
}

template <class SimulationT>
std::uint64_t RunTimeline<SimulationT>::storeStep(std::uint64_t number) const
{
  const double step = store_interval_ > 0
    ? std::floor(
        static_cast<double>(number) * store_interval_ / simulation_->plan().time_step + 0.5)
    : 1e18;
  return step < 1e18 ? static_cast<std::uint64_t>(step) : ~std::uint64_t(0);
}

// The largest number whose state is at `step` or before.
template <class SimulationT>
std::uint64_t RunTimeline<SimulationT>::storesUpTo(std::uint64_t step) const
{
  if (!(store_interval_ > 0))
    return 0;
  const double time = static_cast<double>(step) * simulation_->plan().time_step;
  const double guess = std::floor(time / store_interval_);
  std::uint64_t n = guess > 1 ? static_cast<std::uint64_t>(guess) - 1 : 0;
  while (storeStep(n + 1) <= step)
    ++n;
  return n;
}

template <class SimulationT>
void RunTimeline<SimulationT>::storeIfDue()
{
  const std::uint64_t step = simulation_->step();
  if (store_ && storeStep(stored_ + 1) == step)
  {
    const std::uint64_t last = storesUpTo(step);
    store_(simulation_->save(), last);
    stored_ = last;
  }
}

template <class SimulationT>
bool RunTimeline<SimulationT>::advanceTo(std::uint64_t step, const Observer& observer)
{
  try
  {
    const bool reached = simulation_->advanceTo(step, observer);
    failed_ = false;
    farthest_ = std::max(farthest_, simulation_->step());
    return reached;
  }
  catch (...)
  {
    failed_ = true;
    throw;
  }
}

template <class SimulationT>
void RunTimeline<SimulationT>::restore(const Bytes& bytes)
{
  simulation_->restore(bytes);
  failed_ = false;
}

// Drops entries until the rest fits the budget. Each time it drops the entry whose neighbours are
// closest together, so that the rest stays evenly spread. Never drops `spared`.
template <class SimulationT>
template <class Map, class Size>
void RunTimeline<SimulationT>::thin(
  Map& map, std::size_t budget, std::uint64_t spared, const Size& size)
{
  std::size_t total = 0;
  for (const auto& entry : map)
    total += size(entry.second);
  while (total > budget && map.size() > 1)
  {
    auto victim = map.end();
    std::uint64_t narrowest = ~std::uint64_t(0);
    for (auto it = map.begin(); it != map.end(); ++it)
    {
      if (it->first == spared)
        continue;
      const std::uint64_t before = it == map.begin() ? 0 : std::prev(it)->first;
      const std::uint64_t next = std::next(it) == map.end() ? it->first : std::next(it)->first;
      if (next - before < narrowest)
      {
        narrowest = next - before;
        victim = it;
      }
    }
    total -= size(victim->second);
    map.erase(victim);
  }
}

template <class SimulationT>
void RunTimeline<SimulationT>::keepFrame(std::uint64_t output, std::shared_ptr<const Frame> frame)
{
  frames_[output] = std::move(frame);
  newest_frame_ = output;
  thinFrames();
}

template <class SimulationT>
void RunTimeline<SimulationT>::thinFrames()
{
  thin(frames_, options_.frame_memory, newest_frame_,
    [](const std::shared_ptr<const Frame>& f) { return f->bytes(); });
}

template <class SimulationT>
void RunTimeline<SimulationT>::keepSnapshot(std::uint64_t output)
{
  if (snapshots_.count(output))
    return;
  // A snapshot that would be dropped again is not taken: the budget determines the spacing, a power
  // of two of outputs.
  const std::size_t size = std::max<std::size_t>(1, snapshots_.rbegin()->second.size());
  const std::size_t room = std::max<std::size_t>(2, options_.snapshot_memory / size);
  std::uint64_t spacing = 1;
  while (spacing * (room - 1) < outputs() - 1 ||
    spacing * simulation_->plan().steps_per_output < SimulationT::kStepsApart)
    spacing *= 2;
  if (output % spacing)
    return;
  snapshots_[output] = simulation_->save();
  thinSnapshots();
}

template <class SimulationT>
void RunTimeline<SimulationT>::thinSnapshots()
{
  thin(snapshots_, options_.snapshot_memory, 0, [](const Bytes& s) { return s.size(); });
}

template <class SimulationT>
void RunTimeline<SimulationT>::select(const FrameSelection& selection)
{
  if (selection == options_.selection)
    return;
  options_.selection = selection;
  frames_.clear();
}

template <class SimulationT>
void RunTimeline<SimulationT>::setMemory(std::size_t frame_memory, std::size_t snapshot_memory)
{
  options_.frame_memory = frame_memory;
  options_.snapshot_memory = snapshot_memory;
  thinFrames();
  thinSnapshots();
}

template <class SimulationT>
void RunTimeline<SimulationT>::forgetAfter(std::uint64_t output)
{
  frames_.erase(frames_.upper_bound(output), frames_.end());
  snapshots_.erase(snapshots_.upper_bound(output), snapshots_.end());
  farthest_ = output * simulation_->plan().steps_per_output;
  const std::uint64_t last = storesUpTo(farthest_);
  const bool due = stored_ < last && storeStep(last) == farthest_; // it could not be stored before
  stored_ = due ? last - 1 : last;
}

template <class SimulationT>
void RunTimeline<SimulationT>::load(const Bytes& bytes)
{
  // Throws if the bytes are refused; the frames below are then kept.
  restore(bytes);
  frames_.clear();
  snapshots_.erase(std::next(snapshots_.begin()), snapshots_.end());
  farthest_ = simulation_->step();
  stored_ = storesUpTo(farthest_);
  const std::uint64_t per_output = simulation_->plan().steps_per_output;
  if (simulation_->step() % per_output == 0)
    snapshots_[simulation_->step() / per_output] = bytes;
}

template <class SimulationT>
typename RunTimeline<SimulationT>::Bytes RunTimeline<SimulationT>::save()
{
  if (simulation_->needsRestore())
    goTo(newest_frame_);
  else if (failed_)
  {
    const std::uint64_t step = simulation_->step();
    goTo(step / simulation_->plan().steps_per_output);
    advanceTo(step, {});
  }
  return simulation_->save();
}

template <class SimulationT>
typename RunTimeline<SimulationT>::Bytes RunTimeline<SimulationT>::save(std::uint64_t output)
{
  goTo(output);
  return simulation_->save();
}

} // namespace dem
