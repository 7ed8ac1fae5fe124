// All walls of a scene as the solver uses them.
#pragma once

#include "Scene/Scene.h"
#include "Walls/WallMesh.h"

namespace dem
{

/// The walls of the scene and, behind them, the borders of its domain that are walls: lower and
/// upper x, y, z.
WallSet sceneWalls(const Scene& scene);

} // namespace dem
