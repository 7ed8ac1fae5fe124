// All walls of a scene as elements for the solver.
#pragma once

#include "Scene/Scene.h"
#include "Walls/WallMesh.h"

namespace dem
{

/// Returns the walls of the scene, followed by the borders of its domain that are walls. Borders
/// are in the order lower x, upper x, lower y, and so on.
WallSet sceneWalls(const Scene& scene);

} // namespace dem
