#include "Shapes/detail/ShapeTools.h"

#include <algorithm>
#include <cmath>

namespace dem
{
namespace detail
{

MassProperties principalProperties(const Moments& m)
{
  MassProperties out;
  out.volume = m.volume;
  out.center = (1 / m.volume) * m.first;
  const Vec3d& c = out.center;
  // second moments about the centre
  double s[3][3] = { { m.xx - m.volume * c.x * c.x, m.xy - m.volume * c.x * c.y,
                       m.zx - m.volume * c.z * c.x },
    { 0, m.yy - m.volume * c.y * c.y, m.yz - m.volume * c.y * c.z },
    { 0, 0, m.zz - m.volume * c.z * c.z } };
  s[1][0] = s[0][1];
  s[2][0] = s[0][2];
  s[2][1] = s[1][2];
  const double size = s[0][0] + s[1][1] + s[2][2];
  // Jacobi rotations; principal axes remain unchanged
  Quaternion<double> turn;
  for (int sweep = 0; sweep < 60; ++sweep)
  {
    int p = 0, q = 1;
    for (int i = 0; i < 3; ++i)
      for (int j = i + 1; j < 3; ++j)
        if (std::fabs(s[i][j]) > std::fabs(s[p][q]))
          p = i, q = j;
    if (std::fabs(s[p][q]) <= (sweep == 0 ? 1e-11 : 1e-16) * size)
      break;
    const double theta = (s[q][q] - s[p][p]) / (2 * s[p][q]);
    const double t = (theta >= 0 ? 1 : -1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
    const double cosine = 1 / std::sqrt(t * t + 1), sine = t * cosine;
    for (int k = 0; k < 3; ++k)
    {
      const double a = s[k][p], b = s[k][q];
      s[k][p] = cosine * a - sine * b;
      s[k][q] = sine * a + cosine * b;
    }
    for (int k = 0; k < 3; ++k)
    {
      const double a = s[p][k], b = s[q][k];
      s[p][k] = cosine * a - sine * b;
      s[q][k] = sine * a + cosine * b;
    }
    // the new axes in terms of the old ones: e_p' = c e_p - s e_q, a rotation about the third axis
    Vec3d angle;
    const int axis = 3 - p - q;
    angle[axis] = (p + 1) % 3 == q ? -std::atan(t) : std::atan(t);
    turn = normalized(turn * rotationVectorToQuaternion(angle));
  }
  out.axes = turn;
  out.moments = { s[1][1] + s[2][2], s[2][2] + s[0][0], s[0][0] + s[1][1] };
  return out;
}

Shape finished(Shape shape)
{
  // volumes and moments of inertia beyond this size overflow
  double reach = std::max(shape.diameter, shape.cup_radius);
  for (const std::vector<Vec3d>* points : { &shape.centers, &shape.vertices })
    for (const Vec3d& p : *points)
      reach = std::max({ reach, std::fabs(p.x), std::fabs(p.y), std::fabs(p.z) });
  for (const double r : shape.radii)
    reach = std::max(reach, r);
  if (!(reach < 1e50))
    fail(shape.name,
      "it reaches to " + text(reach) +
        " m, it must stay below 1e50 m. "
        "Scale it to the size of a grain.");
  shape.mass = massProperties(shape);
  const MassProperties& m = shape.mass;
  if (!(m.volume > 0))
    fail(shape.name, "its volume is " + text(m.volume) + ", it must be above 0.");
  const Quaternion<double> back = conjugate(m.axes);
  for (Vec3d& c : shape.centers)
    c = rotate(back, c - m.center);
  for (Vec3d& v : shape.vertices)
    v = rotate(back, v - m.center);
  return shape;
}

} // namespace detail
} // namespace dem
