// Timeline of a DEM run: access to any time in [0, end], in any order, with steering. Used by the
// filters; see Core/RunTimeline.h.
#pragma once

#include "Core/RunTimeline.h"
#include "Solver/Simulation.h"

#include <cstdint>

namespace dem
{

/// Types of the DEM solver for RunTimeline.
struct TimelineTypes
{
  using Simulation = dem::Simulation;
  using Scene = dem::Scene;
  using RunOptions = dem::RunOptions;
  using Frame = dem::Frame;
  using FrameSelection = dem::FrameSelection;
  static constexpr std::uint64_t kStepsApart =
    200; ///< a snapshot costs the time of two or three steps
};

extern template class RunTimeline<TimelineTypes>;

using Timeline = RunTimeline<TimelineTypes>;
using TimelineOptions = RunTimelineOptions<TimelineTypes>;

} // namespace dem
