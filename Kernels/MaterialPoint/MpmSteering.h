// Changes of an MPM scene while a run is under way.
#pragma once

#include "MaterialPoint/MpmScene.h"

#include <vector>

namespace mpm
{

/// Applies an event to the scene at the event's time. Throws dem::Error if the property is unknown,
/// the values do not fit it, or the scene would not be valid.
void applyToScene(Scene& scene, const dem::Event& event);
/// The numbers of the scene that an event changes, in the order of its values. For a wall, the
/// wall's index stands before them in the event. Empty if no property has that name.
std::vector<double*> steeredNumbers(Scene& scene, const dem::Event& event);
/// Whether all numbers of a material that events can change agree.
bool sameResponse(const Material& a, const Material& b);

} // namespace mpm
