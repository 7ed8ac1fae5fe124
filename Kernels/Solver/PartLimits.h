// What a run in several parts cannot do yet.
#pragma once

#include "Scene/Scene.h"

namespace dem
{

/// Throws dem::Error that names what the scene has and several devices do not support.
void checkParts(const Scene& scene, int parts);

} // namespace dem
