// Volume that a sphere and an axis-aligned box have in common, in closed form. The parts of a sphere cut by one, two and three planes at right
// angles follow from the divergence theorem, 3 V = sum of (distance of a face) x (its area) over all faces, with the area of the spherical
// face from Gauss-Bonnet; a box is their sum over its corners. The decomposition is that of Strobl, Formella, Poeschel,
// J. Comput. Phys. 311 (2016) 158, specialised to right angles. Parts of a sphere cut up by a grid add up to it to a few 1e-16 of its volume.
#pragma once

#include "Core/Vec.h"

namespace dem
{

constexpr double kPi = 3.14159265358979323846;
constexpr double kUnitSphere = 4. / 3 * kPi;

/// Of the unit sphere, x > a; 0 <= a <= 1.
DEM_HD double sphereCap(double a)
{
  return kPi / 3 * (1 - a) * (1 - a) * (2 + a);
}

/// Of the unit sphere, x > a and y > b; a, b >= 0.
DEM_HD double sphereEdge(double a, double b)
{
  const double z2 = 1 - a * a - b * b;
  if (z2 <= 0)
    return 0;
  // one half, z > 0: arcs on both planes from z = 0 to the edge's end
  const double z = std::sqrt(z2);
  const double arc_a = std::atan2(z, b), arc_b = std::atan2(z, a), corner = std::atan2(z, a * b);
  const double solid_angle = corner - a * arc_a - b * arc_b;
  const double area_a = 0.5 * ((1 - a * a) * arc_a - b * z), area_b = 0.5 * ((1 - b * b) * arc_b - a * z);
  return 2. / 3 * (solid_angle - a * area_a - b * area_b);
}

/// Of the unit sphere, x > a, y > b and z > c; a, b, c >= 0.
DEM_HD double sphereCorner(double a, double b, double c)
{
  if (a * a + b * b + c * c >= 1)
    return 0;
  // ends of the three edges that begin at (a, b, c)
  const double x = std::sqrt(1 - b * b - c * c), y = std::sqrt(1 - a * a - c * c), z = std::sqrt(1 - a * a - b * b);
  // angles of the arcs on each plane, seen from the circle's centre
  const double arc_a = std::atan2(z * y - b * c, b * y + c * z);
  const double arc_b = std::atan2(x * z - c * a, c * z + a * x);
  const double arc_c = std::atan2(y * x - a * b, a * x + b * y);
  const double corners = std::atan2(x, b * c) + std::atan2(y, a * c) + std::atan2(z, a * b);
  const double solid_angle = corners - kPi - a * arc_a - b * arc_b - c * arc_c;
  const double area_a = 0.5 * ((1 - a * a) * arc_a - b * (z - c) - c * (y - b));
  const double area_b = 0.5 * ((1 - b * b) * arc_b - c * (x - a) - a * (z - c));
  const double area_c = 0.5 * ((1 - c * c) * arc_c - a * (y - b) - b * (x - a));
  return (solid_angle - a * area_a - b * area_b - c * area_c) / 3;
}

/// Volume of the unit sphere about the origin inside the box from `lower` to `upper`.
DEM_HD double unitSphereInBox(Vec3d lower, Vec3d upper)
{
  double nearest = 0, farthest = 0;
  for (int k = 0; k < 3; ++k)
  {
    const double low = lower[k] < -1 ? -1 : lower[k], high = upper[k] > 1 ? 1 : upper[k];
    if (!(low < high))
      return 0;
    const double near = low > 0 ? low : (high < 0 ? high : 0), far = -low > high ? low : high;
    nearest += near * near;
    farthest += far * far;
    lower[k] = low;
    upper[k] = high;
  }
  if (nearest >= 1)
    return 0;
  if (farthest <= 1)
    return (upper.x - lower.x) * (upper.y - lower.y) * (upper.z - lower.z);

  // The volume between the centre and (x, y, z), odd in each: the box is its alternating sum over the corners. What does not depend on
  // an axis drops out unless that axis' two planes lie on different sides of the centre.
  double at[3][2], sign[3][2], both[3];
  for (int k = 0; k < 3; ++k)
  {
    at[k][0] = std::fabs(lower[k]);
    at[k][1] = std::fabs(upper[k]);
    sign[k][0] = lower[k] < 0 ? 1 : -1;
    sign[k][1] = upper[k] < 0 ? -1 : 1;
    both[k] = sign[k][0] + sign[k][1];
  }
  double volume = kUnitSphere / 8 * both[0] * both[1] * both[2];
  for (int k = 0; k < 3; ++k)
  {
    const int l = (k + 1) % 3, m = (k + 2) % 3;
    if (both[l] != 0 && both[m] != 0)
      volume -= 0.25 * both[l] * both[m] * (sign[k][0] * sphereCap(at[k][0]) + sign[k][1] * sphereCap(at[k][1]));
    if (both[m] != 0)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          volume += 0.5 * both[m] * sign[k][i] * sign[l][j] * sphereEdge(at[k][i], at[l][j]);
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 2; ++k)
        volume -= sign[0][i] * sign[1][j] * sign[2][k] * sphereCorner(at[0][i], at[1][j], at[2][k]);
  return volume > 0 ? volume : 0;
}

} // namespace dem
