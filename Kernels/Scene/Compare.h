// What differs between two scenes, by the rows of Scene/Describe.h.
#pragma once

#include "Core/Event.h"
#include "Scene/Scene.h"

#include <vector>

namespace dem
{

/// Whether two scenes differ in more than steering can change while a run goes on, or its end.
/// Borders of an automatic domain follow from the rest of a scene and are not compared. Numbers
/// are compared by value, the columns of particles and meshes by their bytes.
bool needsNewRun(const Scene& before, const Scene& after);

/// The same of walls alone.
bool needsNewRun(const std::vector<Wall>& before, const std::vector<Wall>& after);

/// The events that turn `before` into `after`, at time 0, in the order of gravity, materials and
/// walls. A speed that the motion of a wall does not use is left out. The scenes differ in nothing
/// that needs a new run.
std::vector<Event> steeredDifferences(const Scene& before, const Scene& after);

/// The same of walls alone, whose number is equal.
std::vector<Event> steeredDifferences(
  const std::vector<Wall>& before, const std::vector<Wall>& after);

} // namespace dem
