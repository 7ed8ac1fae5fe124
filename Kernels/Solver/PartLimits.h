// What a run in several parts cannot do yet.
#pragma once

#include "Core/Device.h"
#include "Scene/Scene.h"

namespace dem
{

/// Throws dem::Error that names what the scene has and several devices or processes do not support.
void checkParts(const Scene& scene, const Device& device);

} // namespace dem
