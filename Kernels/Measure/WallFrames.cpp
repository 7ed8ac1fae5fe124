// Sums the contacts of a frame into loads on walls and their triangles.
#include "Measure/WallFrames.h"

#include <cstddef>
#include <cstdint>

namespace dem
{

namespace
{

// Sums over the contacts of one wall, by triangle.
struct TriangleLoads
{
  std::vector<Vec3d> force, shear;
  std::vector<double> normal; // N, > 0: compression, from either side

  explicit TriangleLoads(std::size_t triangles)
    : force(triangles)
    , shear(triangles)
    , normal(triangles)
  {
  }
};

Vec3d vectorAt(const HostArray<float>& array, std::size_t k)
{
  return { array[3 * k], array[3 * k + 1], array[3 * k + 2] };
}

void addContact(
  Frame& f, std::size_t k, const WallSet& set, double time, std::vector<TriangleLoads>& loads)
{
  const std::int32_t e = f.contacts.wall_element[k];
  if (e < 0 || static_cast<std::size_t>(set.elements[e].wall) >= set.scene_walls)
    return;
  const std::size_t w = set.elements[e].wall;
  const Vec3d fn = vectorAt(f.contacts.normal_force, k),
              ft = vectorAt(f.contacts.tangential_force, k);
  const double* ends = f.contacts.ends.data() + 6 * k;
  const Vec3d centre{ ends[0], ends[1], ends[2] }, point{ ends[3], ends[4], ends[5] };
  const Vec3d on_wall = -(fn + ft);
  WallFrame& wall = f.walls[w];
  const WallBody body = wallBody(set.motions[w], 0, time);
  const Vec3d torque = cross(point - body.origin - body.shift, on_wall);
  for (int c = 0; c < 3; ++c)
  {
    wall.total_force[c] += on_wall[c];
    wall.total_torque[c] += torque[c];
  }
  if (set.isMesh(w))
  {
    const std::size_t triangle = set.triangleOf(e);
    loads[w].force[triangle] += on_wall;
    loads[w].shear[triangle] -= ft;
    loads[w].normal[triangle] += dot(fn, centre - point) > 0 ? length(fn) : -length(fn);
  }
}

// Triangles without area have no element and get zero.
void writeTriangles(WallFrame& wall, std::size_t w, const WallSet& set, const TriangleLoads& loads)
{
  const std::size_t triangles = loads.force.size();
  wall.clearTriangles(triangles);
  for (std::size_t at = set.first[w]; triangles > 0 && at < set.first[w + 1]; ++at)
  {
    const WallElement& e = set.elements[at];
    const std::size_t k = set.triangleOf(at);
    const double area = 0.5 * length(cross(e.b - e.a, e.c - e.a));
    wall.pressure[k] = static_cast<float>(loads.normal[k] / area);
    wall.shear_stress[k] = static_cast<float>(length(loads.shear[k]) / area);
    for (int c = 0; c < 3; ++c)
      wall.force[3 * k + c] = static_cast<float>(loads.force[k][c]);
  }
}

} // namespace

void makeWallFrames(Frame& frame, const WallSet& set, const std::vector<Wall>& walls, double time)
{
  frame.walls.resize(set.scene_walls);
  std::vector<TriangleLoads> loads;
  for (std::size_t w = 0; w < set.scene_walls; ++w)
    loads.emplace_back(set.triangles[w]);
  for (std::size_t k = 0; k < frame.contacts.size; ++k)
    addContact(frame, k, set, time, loads);
  for (std::size_t w = 0; w < set.scene_walls; ++w)
  {
    WallFrame& wall = frame.walls[w];
    writeTriangles(wall, w, set, loads[w]);
    wall.place(set.motions[w], walls[w].points, time);
  }
}

void numberTriangles(Frame& frame, const WallSet& set)
{
  if (!frame.selection.contacts)
  {
    frame.contacts = ContactArrays{};
    return;
  }
  for (std::size_t k = 0; k < frame.contacts.size; ++k)
  {
    std::int32_t& e = frame.contacts.wall_element[k];
    if (e < 0)
      continue;
    e = set.elements[e].kind == ElementKind::Triangle ? static_cast<std::int32_t>(set.triangleOf(e))
                                                      : -1;
  }
}

} // namespace dem
