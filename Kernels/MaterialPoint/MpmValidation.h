// Checks of an MPM scene.
#pragma once

#include "MaterialPoint/MpmScene.h"

namespace mpm
{

/// Checks all that can be checked without a device. Throws dem::Error with the first fault found,
/// by name, point and value.
void validate(const Scene& scene);
/// The part of validate() that concerns the materials and whether the time integration supports
/// them.
void validateMaterials(const Scene& scene);

} // namespace mpm
