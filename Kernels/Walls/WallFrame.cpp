// Moves the points of a wall, and makes its arrays.
#include "Walls/WallFrame.h"

#include "Walls/WallElement.cuh"

#include <algorithm>

namespace dem
{

void WallFrame::place(const WallMotion& present, const std::vector<Vec3d>& mesh, double time)
{
  motion = present;
  const WallBody body = wallBody(motion, 0, time);
  points = HostArray<double>(3 * mesh.size());
  for (std::size_t p = 0; p < mesh.size(); ++p)
  {
    const Vec3d x = body.toWorld(mesh[p]);
    for (int c = 0; c < 3; ++c)
      points[3 * p + c] = x[c];
  }
}

void WallFrame::clearTriangles(std::size_t triangles)
{
  pressure = HostArray<float>(triangles);
  shear_stress = HostArray<float>(triangles);
  force = HostArray<float>(3 * triangles);
  std::fill_n(pressure.data(), triangles, 0.0f);
  std::fill_n(shear_stress.data(), triangles, 0.0f);
  std::fill_n(force.data(), 3 * triangles, 0.0f);
}

std::size_t WallFrame::bytes() const
{
  return (points.size() + coating_mass.size() + heat.size() + heat_flux.size()) * sizeof(double) +
    (pressure.size() + shear_stress.size() + force.size()) * sizeof(float);
}

} // namespace dem
