#include "Solver/Timeline.h"

namespace dem
{

template class RunTimeline<TimelineTypes>;

Timeline::Timeline(const Scene& scene, const TimelineOptions& options)
  : RunTimeline(scene, options)
{
  setDeviceFrameMemory(options.device_frame_memory);
}

void Timeline::steer(std::uint64_t output, const std::string& property, const std::vector<double>& value)
{
  standAt(output);
  simulation().apply({ outputTime(output), property, value });
  forgetAfter(output);
}

} // namespace dem
