// Comparison of two scenes by the rows of Scene/Describe.h. The filters use it to decide whether a
// run can continue after a change.
#pragma once

#include "Core/Event.h"
#include "Scene/Scene.h"

#include <vector>

namespace dem
{

/// Returns true if two scenes differ in a property that neither steering nor a new end time can
/// change during a run. Borders of an automatic domain are not compared, since they follow from the
/// rest of the scene. Numbers are compared by value, arrays of particles and meshes by bytes.
bool needsNewRun(const Scene& before, const Scene& after);

/// Returns the events that turn `before` into `after`, with time 0, in the order gravity,
/// materials, walls. Speeds that the motion of a wall does not use are left out. Requires scenes
/// without a difference that needs a new run.
std::vector<Event> steeredDifferences(const Scene& before, const Scene& after);

} // namespace dem
