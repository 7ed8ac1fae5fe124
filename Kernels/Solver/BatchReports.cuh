// What host and device tell each other around a batch of steps: when to stop, errors, and what the
// last rebuild of the lists found.
#pragma once

#include "Core/Array.h"
#include "Core/HostArray.h"
#include "NeighborList/RebuildFound.cuh"
#include "Particles/State.cuh"

#include <cstdint>

namespace dem
{

/// What the host reads after a batch. Rebuilds use the two `found` in turn.
struct BatchReport
{
  StepControl control;
  RebuildFound found[2];
};

/// Begins a batch. If the lists of the last rebuild did not fit, the batch stops before its first
/// step.
struct BeginBatch
{
  StepControl* control;
  StepControl value;
  const RebuildFound* found; // null: the host knows that the lists fit
  ListRoom room;
  RebuildFound* next; // of the next rebuild: is cleared

  DEM_HD void operator()(std::uint32_t) const
  {
    *control = value;
    *next = RebuildFound{};
    if (found && !room.holds(*found))
      control->stop_step = 0;
  }
};

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
  /// As last read by readControl() or readFound().
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

  /// Waits for the device and reads the control, and, while `settling`, what the rebuild found.
  StepControl readControl()
  {
    exec_.toHost(
      host_.data(), report_.data(), settling ? sizeof(BatchReport) : sizeof(StepControl));
    exec_.synchronize();
    return host_[0].control;
  }
  /// The control as far as the device has come: on the CPU without waiting.
  StepControl controlNow() { return Exec::kDevice ? readControl() : *control(); }

  RebuildFound& readFound()
  {
    exec_.toHost(&host_[0].found[current_], found(), sizeof(RebuildFound));
    exec_.synchronize();
    return hostFound();
  }

  /// A rebuild begins: it finds a cleared report.
  void beginRebuild()
  {
    current_ = 1 - current_;
    if (!other_is_clear_)
      exec_.zero(found(), sizeof(RebuildFound));
    other_is_clear_ = false;
  }

  /// Whether the sizes of the last rebuild are still to be read, with the next batch.
  bool settling = false;
  /// The room that its lists have.
  ListRoom room{};

private:
  Exec& exec_;
  Array<BatchReport, Exec> report_{ exec_ };
  HostArray<BatchReport> host_{ 1, Exec::kDevice };
  unsigned current_ = 0;
  bool other_is_clear_ = false; // the other `found`, or it will be by what is queued
};

} // namespace dem
