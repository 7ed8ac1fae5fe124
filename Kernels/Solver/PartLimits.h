// What a run in several parts cannot do yet, and when ranks pay.
#pragma once

#include "Core/Device.h"
#include "Scene/Scene.h"

#include <string>

namespace dem
{

/// What of a scene runs on one device or in one process only, as the begin of a sentence ("a
/// fluid runs"); empty if the scene can have several parts.
std::string needsOnePart(const Scene& scene);

/// Throws dem::Error that names it.
void checkParts(const Scene& scene, const Device& device);

/// Whether `ranks` processes are faster than one: each has at least 2,500 grains, or 500,000 on
/// CUDA. False for more than 32.
bool ranksPay(const Scene& scene, int ranks, DeviceKind kind);

} // namespace dem
