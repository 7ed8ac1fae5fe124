// The walls of an MPM scene and their speeds.
#pragma once

#include "MaterialPoint/MpmScene.h"

namespace dem
{
struct WallSet;
}

namespace mpm
{

/// The walls. The reach of rotating walls ends at the domain.
dem::WallSet wallsWithin(const Scene& scene);
/// m/s: the greatest speed of a wall's surface within the domain at any time, for the present
/// motions.
double fastestWall(const Scene& scene);

} // namespace mpm
