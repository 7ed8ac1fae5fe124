// Timeline of an MPM run (Core/RunTimeline.h).
#pragma once

#include "Core/RunTimeline.h"
#include "MaterialPoint/MpmSimulation.h"

namespace mpm
{

using Timeline = dem::RunTimeline<Simulation>;
using TimelineOptions = dem::RunTimelineOptions<Simulation>;

} // namespace mpm
