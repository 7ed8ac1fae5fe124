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

/// Checks that the materials of conducting contacts either all have a TrueYoungsModulus, or none.
/// Throws dem::Error.
void validateTrueModuli(const Scene& scene);

/// Checks the nozzles and the options of the spray. Throws dem::Error with the first fault.
void validateNozzles(const Scene& scene);

} // namespace dem
