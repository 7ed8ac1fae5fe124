// The automatic domain: the borders of a scene without given ones, and their texts in messages.
#pragma once

#include "Scene/Scene.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dem
{

/// Sets `lower` and `upper` of the scene's domain along axes that are not `given`, and marks it as
/// automatic. Reads grains, walls, events of walls, gravity, end time and exits. Leaves the borders
/// as they are where there is neither a grain nor a wall. The box holds
/// - all grains and walls at the start; an endless plane as far as grains lie in front of it;
/// - the sweep of moving walls: a rotation all the way round, an oscillation with its whole
///   amplitude, a translation up to the end of the run, with the changes of speed that the scene's
///   events state;
/// - the grains that go along with a wall that is translated or oscillates, but not down, and may
///   be thrown up by twice its speed v: 2 v^2 / g;
/// - the throw of grains that begin with a speed v: v^2 / (2 g) up, and sideways with their
///   horizontal velocity for the time until a grain that is thrown straight up with v comes down
///   to the lowest place of the box; at most 100 diagonals of the box at the start. Without
///   gravity the way up to the end of the run, at most 10 of these diagonals.
/// On each side 5 % of the box's size and the largest diameter of a grain are added. On a periodic
/// axis neither throws nor translations count, since grains come back. A fall needs no room: the
/// lower border is the floor. The box of a scene at rest does not depend on the end time.
void setAutomaticDomain(Scene& scene);

/// Without points lower.x > upper.x.
struct Box
{
  Vec3d lower{ 1e300, 1e300, 1e300 }, upper{ -1e300, -1e300, -1e300 };

  bool empty() const { return lower.x > upper.x; }
  void add(const Vec3d& p, double margin = 0)
  {
    for (int k = 0; k < 3; ++k)
    {
      lower[k] = p[k] - margin < lower[k] ? p[k] - margin : lower[k];
      upper[k] = p[k] + margin > upper[k] ? p[k] + margin : upper[k];
    }
  }
};
/// All grains at the start, with their radii.
Box grainBox(const Scene& scene);
/// Each wall with its sweep, without the grains that go along; an endless plane as far as grains
/// lie in front of it.
std::vector<Box> wallBoxes(const Scene& scene);

/// "x -0.1 to 0.1, y -0.1 to 0.1, z 0 to 0.2 m".
std::string domainText(const Domain& domain);

/// "The automatic domain (x ...)" or "Domain (x ...)".
std::string domainName(const Domain& domain);

} // namespace dem
