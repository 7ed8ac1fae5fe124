// Automatic domain: borders computed from the scene, and their text in messages. Used by the reader
// of .dem files and the filters.
#pragma once

#include "Scene/Scene.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dem
{

/// Sets `lower` and `upper` of the scene's domain along axes that are not `given`, and marks it as
/// automatic. Reads grains, walls, events of walls, gravity, end time and exits. Does not change
/// the borders of a scene without grains and walls. The box contains
/// - all grains and walls at the start. An infinite plane counts as far as grains lie in
///   front of it.
/// - the sweep of moving walls: a full turn of a rotation, the full amplitude of an oscillation, a
///   translation up to the end of the run. Events that change the speed are included.
/// - the grains that a translated or oscillating wall carries along, except downwards. They may be
///   thrown up with twice the wall's speed v, to the height 2 v^2 / g.
/// - the flight of grains with an initial speed v: v^2 / (2 g) upwards, and sideways with their
///   horizontal velocity. The time of flight is that of a grain that is thrown straight up with v
///   and falls to the lowest level of the box. At most 100 diagonals of the box at the start.
///   Without gravity it is the path up to the end of the run, at most 10 diagonals.
/// A margin of 5 % of the box's size plus the largest grain diameter is added on each side. On a
/// periodic axis flights and translations are ignored, since grains enter again. A fall needs no
/// extra space: the lower border is the floor. The box of a scene at rest does not depend on the
/// end time.
void setAutomaticDomain(Scene& scene);

/// Axis-aligned box, m. Without points, lower.x > upper.x.
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
/// Box of all grains at the start, including their radii.
Box grainBox(const Scene& scene);
/// Points whose box is that of a wall at the start, before its motions. Of an infinite plane these
/// are the feet of the corners of `met`, the box of all grains or bodies; its origin if `met` is
/// empty.
std::vector<Vec3d> wallCorners(const Wall& wall, const Box& met);
/// Box of each wall with its sweep, without the grains that it carries along. An infinite plane
/// counts as far as grains lie in front of it.
std::vector<Box> wallBoxes(const Scene& scene);

/// Returns a text such as "x -0.1 to 0.1, y -0.1 to 0.1, z 0 to 0.2 m".
std::string domainText(const Domain& domain);

/// Returns "The automatic domain (x ...)" or "Domain (x ...)", for the start of a message.
std::string domainName(const Domain& domain);

} // namespace dem
