// Timeline of a DEM run: access to any time in [0, end], in any order, with steering. Used by the
// filters; see Core/RunTimeline.h.
#pragma once

#include "Core/RunTimeline.h"
#include "Solver/Simulation.h"

namespace dem
{

extern template class RunTimeline<Simulation>;

using Timeline = RunTimeline<Simulation>;
using TimelineOptions = RunTimelineOptions<Simulation>;

} // namespace dem
