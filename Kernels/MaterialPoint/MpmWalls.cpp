#include "MaterialPoint/MpmWalls.h"

#include "Walls/WallMesh.h"

#include <algorithm>

namespace mpm
{

dem::WallSet wallsWithin(const Scene& s)
{
  dem::WallSet set = dem::makeWallSet(s.walls, {});
  for (std::size_t w = 0; w < set.walls(); ++w)
    for (std::int32_t part = 0; part < set.motions[w].count; ++part)
    {
      const dem::Motion& m = set.motions[w].part[part];
      double corner = 0;
      for (int k = 0; k < 8; ++k)
      {
        const Vec3d d = Vec3d{ (k & 1 ? s.domain.upper : s.domain.lower).x,
          (k & 2 ? s.domain.upper : s.domain.lower).y,
          (k & 4 ? s.domain.upper : s.domain.lower).z } -
          m.origin;
        corner = std::max(corner, length(d - dot(d, m.axis) * m.axis));
      }
      set.reach[w][part].limit = corner;
    }
  return set;
}

double fastestWall(const Scene& s)
{
  const dem::WallSet set = wallsWithin(s);
  double fastest = 0;
  for (std::size_t w = 0; w < set.walls(); ++w)
    fastest = std::max(fastest, set.speedBound(w, 0, 1e300));
  return fastest;
}

} // namespace mpm
