// Any time in [0, end], in any order: frames and snapshots kept under memory budgets, replay in between.
#pragma once

#include "Solver/Simulation.h"

#include <cstddef>
#include <map>
#include <memory>

namespace dem
{

struct TimelineOptions
{
  RunOptions run;
  FrameSelection selection;
  std::size_t frame_memory = std::size_t(1) << 30;    ///< bytes for frames that were shown
  std::size_t snapshot_memory = std::size_t(1) << 30; ///< bytes for restart states
  std::size_t device_frame_memory = std::size_t(2) << 30; ///< bytes on the device for the newest frame, see Simulation::keepOnDevice
};

class Timeline
{
public:
  Timeline(const Scene& scene, const TimelineOptions& options);
  ~Timeline();

  /// Number of output times and the time of output k: k * output_interval.
  std::uint64_t outputs() const;
  double outputTime(std::uint64_t output) const;
  /// The last output at or before `time` (clamped to the range; a time within 1e-9 of an output counts as it).
  std::uint64_t outputAt(double time) const;

  /// The frame of an output. Forward requests step on, backward ones come from kept frames or a snapshot and replay.
  /// `observer` may stop a long advance: then `reached` is false, and the frame is that of the last whole output passed, or of the
  /// present instant when `partial` is set. The next call goes on from there.
  struct Result
  {
    std::shared_ptr<const Frame> frame;
    bool reached = true;
  };
  Result at(std::uint64_t output, const Simulation::Observer& observer = {}, bool partial = false);

  /// Other arrays from now on; kept frames that lack them are dropped.
  void select(const FrameSelection& selection);
  void setMemory(std::size_t frame_memory, std::size_t snapshot_memory);
  void setDeviceFrameMemory(std::size_t bytes) { simulation_->keepOnDevice(bytes); }

  /// Another last time; what was shown and saved stays.
  void setEnd(double end_time) { simulation_->setEnd(end_time); }

  /// A steering change at the time of output `output`: later frames and snapshots are dropped; replays apply it again.
  void steer(std::uint64_t output, const std::string& property, const std::vector<double>& value);

  /// Continue from a checkpoint's bytes; earlier times become unreachable from it and are replayed from the start.
  void load(const SnapshotBytes& bytes);
  SnapshotBytes save();                     ///< of the present state
  SnapshotBytes save(std::uint64_t output); ///< of an output, which becomes the present state

  Simulation& simulation() { return *simulation_; }
  const Simulation& simulation() const { return *simulation_; }
  std::size_t framesKept() const { return frames_.size(); }
  std::size_t snapshotsKept() const { return snapshots_.size(); }

private:
  void restoreNearest(std::uint64_t output);
  void standAt(std::uint64_t output);
  void keepFrame(std::uint64_t output, std::shared_ptr<const Frame> frame);
  void keepSnapshot(std::uint64_t output);
  void thinFrames();
  void thinSnapshots();
  std::shared_ptr<const Frame> interrupted(bool partial);

  TimelineOptions options_;
  std::unique_ptr<Simulation> simulation_;
  std::map<std::uint64_t, std::shared_ptr<const Frame>> frames_;
  std::map<std::uint64_t, SnapshotBytes> snapshots_;
  std::uint64_t newest_frame_ = 0;
};

} // namespace dem
