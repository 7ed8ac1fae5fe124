// Any time in [0, end] of an MPM run, in any order, with changes under way (Core/RunTimeline.h).
#pragma once

#include "Core/RunTimeline.h"
#include "MaterialPoint/MpmSimulation.h"

namespace mpm
{

struct TimelineTypes
{
  using Simulation = mpm::Simulation;
  using Scene = mpm::Scene;
  using RunOptions = mpm::RunOptions;
  using Frame = mpm::Frame;
  using FrameSelection = mpm::FrameSelection;
  static constexpr std::uint64_t kStepsApart = 20; ///< taking a snapshot costs less than a step
};

using Timeline = dem::RunTimeline<TimelineTypes>;
using TimelineOptions = dem::RunTimelineOptions<TimelineTypes>;

} // namespace mpm
