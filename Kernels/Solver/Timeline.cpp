#include "Solver/Timeline.h"

namespace dem
{

template class RunTimeline<TimelineTypes>;

} // namespace dem
