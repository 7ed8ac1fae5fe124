// Instantiates RunTimeline for the DEM solver.
#include "Solver/Timeline.h"

namespace dem
{

template class RunTimeline<Simulation>;

} // namespace dem
