// Grid, faces and start of the computed flow, from a scene. Used by Coupling/AveragedFlow.cuh.
#pragma once

#include "Fluid/FlowGrid.h"
#include "Scene/Scene.h"

namespace dem
{

/// Returns what the computed flow of a valid scene starts with. Walls close the faces between two
/// cells whose middles they separate. Throws dem::Error if fluid enters a region that it cannot
/// leave.
FlowSetup flowSetup(const Scene& scene);

} // namespace dem
