// Any time in [0, end] of a DEM run, in any order, with changes under way. See Core/RunTimeline.h.
#pragma once

#include "Core/RunTimeline.h"
#include "Solver/Simulation.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dem
{

struct TimelineTypes
{
  using Simulation = dem::Simulation;
  using Scene = dem::Scene;
  using RunOptions = dem::RunOptions;
  using Frame = dem::Frame;
  using FrameSelection = dem::FrameSelection;
  static constexpr std::uint64_t kStepsApart = 200; ///< taking a snapshot costs as much as two or three steps
};

struct TimelineOptions : RunTimelineOptions<TimelineTypes>
{
  std::size_t device_frame_memory = std::size_t(2) << 30; ///< bytes on the device for the newest frame, see Simulation::keepOnDevice
};

extern template class RunTimeline<TimelineTypes>;

class Timeline : public RunTimeline<TimelineTypes>
{
public:
  Timeline(const Scene& scene, const TimelineOptions& options);

  void setDeviceFrameMemory(std::size_t bytes) { simulation().keepOnDevice(bytes); }

  /// A steering change at the time of output `output`: later frames and snapshots are dropped; replays apply it again.
  void steer(std::uint64_t output, const std::string& property, const std::vector<double>& value);
};

} // namespace dem
