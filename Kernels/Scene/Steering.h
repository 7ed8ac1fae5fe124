// Changes of a scene during a run, limited to properties that are steered in Scene/Describe.h. Used
// by the solver, the reader of .dem files and the filters.
#pragma once

#include "Core/Event.h"
#include "Scene/Scene.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dem
{

/// Returns pointers to the numbers of the scene that an event changes: 3 for Gravity, WallVelocity,
/// NozzlePosition and NozzleAxis, 1 for WallRate, WallTemperature, WallHeatFlux, NozzleMassRate and
/// for a coefficient of material 0, or of material 1 with the prefix `Wall`. Empty if the property
/// cannot be steered or the scene lacks the material. For those of a wall or nozzle
/// `event.value[0]` is its index; throws dem::Error if it does not exist.
std::vector<double*> steeredNumbers(Scene& scene, const Event& event);

/// Returns true if the first value of an event of this property is the index of a wall.
bool isOfWall(const std::string& property);

/// Returns true if the first value of an event of this property is the index of a nozzle.
bool isOfNozzle(const std::string& property);

/// Number of values of an event of this property, including the index of a wall or nozzle; 0 if the
/// property cannot be steered.
std::size_t steeredSize(const std::string& property);

/// Names of the steered properties, for messages: "Gravity, YoungsModulus, ...".
std::string steeredProperties();

/// Applies an event to the scene. Throws dem::Error for an unknown property, a wrong number of
/// values, or a value outside its range.
void applyToScene(Scene& scene, const Event& event);

} // namespace dem
