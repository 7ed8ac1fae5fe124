// Builds the walls of a scene with the borders of its domain.
#include "Scene/SceneWalls.h"

#include <vector>

namespace dem
{

WallSet sceneWalls(const Scene& scene)
{
  std::vector<BorderPlane> borders;
  if (scene.domain.limited)
    for (int axis = 0; axis < 3; ++axis)
      if (scene.domain.exit[axis] == Exit::Wall)
        for (int side = 0; side < 2; ++side)
        {
          BorderPlane border;
          border.origin = side == 0 ? scene.domain.lower : scene.domain.upper;
          border.normal[axis] = side == 0 ? 1 : -1;
          border.material = scene.domain.wall_material;
          borders.push_back(border);
        }
  return makeWallSet(scene.walls, borders);
}

} // namespace dem
