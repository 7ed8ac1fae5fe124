// Any time in [0, end] of a DEM run, in any order, with changes under way. See Core/RunTimeline.h.
#pragma once

#include "Core/RunTimeline.h"
#include "Solver/Simulation.h"

#include <cstdint>

namespace dem
{

struct TimelineTypes
{
  using Simulation = dem::Simulation;
  using Scene = dem::Scene;
  using RunOptions = dem::RunOptions;
  using Frame = dem::Frame;
  using FrameSelection = dem::FrameSelection;
  static constexpr std::uint64_t kStepsApart =
    200; ///< taking a snapshot costs as much as two or three steps
};

extern template class RunTimeline<TimelineTypes>;

using Timeline = RunTimeline<TimelineTypes>;
using TimelineOptions = RunTimelineOptions<TimelineTypes>;

} // namespace dem
