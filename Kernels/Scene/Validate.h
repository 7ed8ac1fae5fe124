// Validation of a scene before a run. Used by Simulation, steering and the reader of .dem files.
#pragma once

#include "Scene/Scene.h"

#include <cstddef>

namespace dem
{

/// Checks everything that does not need a device. Throws dem::Error with the first fault: what is
/// wrong, where (name and index), and the cure.
void validate(const Scene& scene);

/// Checks one material. Throws dem::Error; the message contains `index`.
void validateMaterial(const Material& material, std::size_t index);

} // namespace dem
