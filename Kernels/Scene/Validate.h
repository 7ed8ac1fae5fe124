// What a scene must fulfil before it can run.
#pragma once

#include "Scene/Scene.h"

#include <cstddef>

namespace dem
{

/// Checks all that can be checked without a device. Throws dem::Error with the first fault, by name
/// and index: what is wrong, where, and the cure.
void validate(const Scene& scene);

/// Checks a material; messages name it by `index`.
void validateMaterial(const Material& material, std::size_t index);

} // namespace dem
