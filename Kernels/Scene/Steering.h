// Changes of a scene while a simulation runs: the properties that the rows of Scene/Describe.h call
// steered.
#pragma once

#include "Core/Event.h"
#include "Scene/Scene.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dem
{

/// The numbers of the scene that an event changes: 3 of Gravity and WallVelocity, 1 of WallRate and
/// of a coefficient of material 0, or, with `Wall` in front, of material 1. Empty for a property
/// that cannot be steered or a material that the scene does not have. `event.value[0]` of WallRate
/// and WallVelocity is the wall's index; throws dem::Error if the scene has no such wall.
std::vector<double*> steeredNumbers(Scene& scene, const Event& event);

/// Whether the first number of an event of that name is the index of a wall.
bool isOfWall(const std::string& property);

/// The number of values of an event of that name, an index of a wall included; 0 for a property
/// that cannot be steered.
std::size_t steeredSize(const std::string& property);

/// The names of the steered properties, for messages: "Gravity, YoungsModulus, ...".
std::string steeredProperties();

/// Changes the scene as the event says. Throws dem::Error for an unknown property, a wrong number
/// of values, or a value outside of its range.
void applyToScene(Scene& scene, const Event& event);

} // namespace dem
