// Changes of an MPM scene during a run, limited to properties that are steered in MpmDescribe.h.
#pragma once

#include "Core/Event.h"
#include "MaterialPoint/MpmScene.h"

#include <cstddef>
#include <string>
#include <vector>

namespace mpm
{

/// The numbers of the scene that an event changes, in the order of its values. Events of a wall
/// have the index of the wall before them; throws dem::Error if it does not exist. Empty if the
/// property cannot be steered.
std::vector<double*> steeredNumbers(Scene& scene, const dem::Event& event);

/// Returns true if the first value of an event of this property is the index of a wall.
bool isOfWall(const std::string& property);

/// Number of values of an event of this property, including the index of a wall; 0 if the property
/// cannot be steered.
std::size_t steeredSize(const std::string& property);

/// Names of the steered properties, for messages: "Gravity, YoungsModulus, ...".
std::string steeredProperties();

/// Applies an event to the scene at the event's time. Throws dem::Error if the property is unknown,
/// the values do not fit it, or the scene would not be valid.
void applyToScene(Scene& scene, const dem::Event& event);

/// Whether all numbers of a material that events can change agree.
bool sameResponse(const Material& a, const Material& b);

} // namespace mpm
