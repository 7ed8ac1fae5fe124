// Comparison of the walls of two scenes by the rows of WallRows.h. Used by the comparisons of
// scenes of all methods.
#pragma once

#include "Core/Event.h"
#include "Walls/Wall.h"

#include <vector>

namespace dem
{

/// Returns true if two lists of walls differ in a property that steering cannot change during a
/// run. Numbers are compared by value, meshes by bytes.
bool needsNewRun(const std::vector<Wall>& before, const std::vector<Wall>& after);

/// Returns the events that turn `before` into `after`, with time 0. Speeds, temperatures and
/// fluxes that a wall does not use are left out. Both vectors must have the same size.
std::vector<Event> steeredDifferences(
  const std::vector<Wall>& before, const std::vector<Wall>& after);

} // namespace dem
