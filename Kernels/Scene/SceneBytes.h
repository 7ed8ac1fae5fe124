// A scene as bytes, for other processes that share its run.
#pragma once

#include "Scene/Scene.h"

#include <cstdint>
#include <vector>

namespace dem
{

/// All of a scene of spheres without a fluid: shapes and the given flow are left out.
std::vector<std::uint8_t> sceneBytes(const Scene& scene);
/// The scene of such bytes, made by the same program. Throws dem::Error if they are broken.
Scene sceneFromBytes(const std::vector<std::uint8_t>& bytes);

} // namespace dem
