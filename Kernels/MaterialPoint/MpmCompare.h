// Comparison of two MPM scenes by the rows of MpmDescribe.h. The filters use it to decide whether a
// run can continue after a change.
#pragma once

#include "Core/Event.h"
#include "MaterialPoint/MpmScene.h"

#include <vector>

namespace mpm
{

/// Returns true if two scenes differ in a property that neither steering nor a new end time can
/// change during a run. Numbers are compared by value, arrays of points and meshes by bytes.
bool needsNewRun(const Scene& before, const Scene& after);

/// Returns the events that turn `before` into `after`, with time 0, in the order gravity, material,
/// borders, contacts of walls, motions of walls. Requires scenes without a difference that needs a
/// new run.
std::vector<dem::Event> steeredDifferences(const Scene& before, const Scene& after);

} // namespace mpm
