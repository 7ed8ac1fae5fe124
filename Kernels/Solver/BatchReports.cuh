// Exchange between host and device around a batch of steps: stop flag, errors, and results of the
// last rebuild. Used by Engine.cuh and Rebuild.cuh.
#pragma once

#include "Core/Array.h"
#include "Core/HostArray.h"
#include "NeighborList/RebuildFound.cuh"
#include "Particles/State.cuh"

#include <cstdint>

namespace dem
{

/// Device memory that the host reads after a batch. Rebuilds alternate between the two `found`.
struct BatchReport
{
  StepControl control;
  RebuildFound found[2];
};

/// Kernel that begins a batch: sets the control block and clears the report of the next rebuild. If
/// the lists of the last rebuild had too little room, the batch stops before its first step.
struct BeginBatch
{
  StepControl* control;
  StepControl value;
  const RebuildFound* found; // null: the host has already checked the room
  ListRoom room;
  RebuildFound* next; // report of the next rebuild, cleared here

  DEM_HD void operator()(std::uint32_t) const
  {
    *control = value;
    *next = RebuildFound{};
    if (found && !room.holds(*found))
      control->stop_step = 0;
  }
};

/// Owns the report on the device and its copy on the host.
template <class Exec>
class BatchReports
{
public:
  explicit BatchReports(Exec& exec)
    : exec_(exec)
  {
    report_.resize(1);
  }

  StepControl* control() { return &report_.data()->control; }
  RebuildFound* found() { return &report_.data()->found[current_]; }
  /// Host copy, as last read by readControl() or readFound().
  RebuildFound& hostFound() { return host_[0].found[current_]; }
  LongestPath longestPath() { return LongestPath{ &found()->longest_path }; }

  /// Sets the control at the start of a batch.
  void write(const StepControl& control)
  {
    if constexpr (Exec::kDevice)
    {
      other_is_clear_ = false;
      exec_.forEach(1,
        BeginBatch{ this->control(), control, settling ? found() : nullptr, room,
          &report_.data()->found[1 - current_] });
      other_is_clear_ = true;
    }
    else
      *this->control() = control;
  }

  /// Waits for the device and returns the control block. While `settling`, also reads the results
  /// of the rebuild.
  StepControl readControl()
  {
    exec_.toHost(
      host_.data(), report_.data(), settling ? sizeof(BatchReport) : sizeof(StepControl));
    exec_.synchronize();
    return host_[0].control;
  }
  /// Present control block. Waits for the device on CUDA.
  StepControl controlNow() { return Exec::kDevice ? readControl() : *control(); }

  /// Waits for the device and returns the results of the last rebuild.
  RebuildFound& readFound()
  {
    exec_.toHost(&host_[0].found[current_], found(), sizeof(RebuildFound));
    exec_.synchronize();
    return hostFound();
  }

  /// Must be called at the start of a rebuild. Provides a cleared report.
  void beginRebuild()
  {
    current_ = 1 - current_;
    if (!other_is_clear_)
      exec_.zero(found(), sizeof(RebuildFound));
    other_is_clear_ = false;
  }

  /// True if the sizes of the last rebuild are not read yet; the next batch reads them.
  bool settling = false;
  /// Capacity of the lists of the last rebuild.
  ListRoom room{};

private:
  Exec& exec_;
  Array<BatchReport, Exec> report_{ exec_ };
  HostArray<BatchReport> host_{ 1, Exec::kDevice };
  unsigned current_ = 0;
  bool other_is_clear_ = false; // the other `found` is clear, or a queued kernel clears it
};

} // namespace dem
