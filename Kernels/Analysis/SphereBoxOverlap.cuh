// Volumes that a sphere and axis-aligned boxes have in common, in closed form. The parts of a
// sphere cut by one, two and three planes at right angles follow from the divergence theorem, 3 V =
// sum of (distance of a face) x (its area) over all faces, with the area of the spherical face from
// Gauss-Bonnet; a box is a sum of them over its corners. The decomposition is that of Strobl,
// Formella, Poeschel, J. Comput. Phys. 311 (2016) 158, specialised to right angles. Parts of a
// sphere cut up by a grid add up to it to a few 1e-16 of its volume.
#pragma once

#include "Core/Vec.h"

namespace dem
{

constexpr double kPi = 3.14159265358979323846;
constexpr double kUnitSphere = 4. / 3 * kPi;

/// Of the unit sphere, x > a; 0 <= a <= 1.
DEM_HD double sphereCap(double a) { return kPi / 3 * (1 - a) * (1 - a) * (2 + a); }

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
  const double area_a = 0.5 * ((1 - a * a) * arc_a - b * z),
               area_b = 0.5 * ((1 - b * b) * arc_b - a * z);
  return 2. / 3 * (solid_angle - a * area_a - b * area_b);
}

/// Of the unit sphere, x > a, y > b and z > c; a, b, c >= 0.
DEM_HD double sphereCorner(double a, double b, double c)
{
  if (a * a + b * b + c * c >= 1)
    return 0;
  // ends of the three edges that begin at (a, b, c)
  const double x = std::sqrt(1 - b * b - c * c), y = std::sqrt(1 - a * a - c * c),
               z = std::sqrt(1 - a * a - b * b);
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

/// Adds the volume of the unit sphere inside each cell of a rectilinear grid about its centre.
/// Planes: `planes[k]` + 1 of them along axis k at coordinates at(k, i), ascending. Calls add(cell,
/// volume) any number of times for a cell; what a cell gets adds up to its volume.
//
// The volume between the centre and a point (x, y, z), taken odd in each, is 1/8 of the sphere less
// a quarter of each cap, plus half of each edge, less the corner; a cell is its alternating sum
// over eight points. So a point counts in the eight cells around it, an edge in those of the four
// cells beside it that reach across the third plane through the centre, and a cap in two cells.
template <class At, class Add>
DEM_HD void unitSphereInCells(const int (&cells)[3], const At& at, const Add& add)
{
  int centre[3], first[3], last[3]; // first to last: the planes that cut the sphere
  for (int k = 0; k < 3; ++k)
  {
    centre[k] = -1;
    first[k] = cells[k] + 1;
    last[k] = -1;
    double before = 0;
    for (int i = 0; i <= cells[k]; ++i)
    {
      const double x = at(k, i);
      if (i > 0 && before < 0 && x >= 0)
        centre[k] = i - 1;
      if (std::fabs(x) < 1)
      {
        first[k] = first[k] < i ? first[k] : i;
        last[k] = i;
      }
      before = x;
    }
  }
  const auto sign = [](double x) { return x < 0 ? -1. : 1.; };
  // a plane is the upper one of the cell before it and the lower one of the cell behind it
  const auto beside = [&](int k, int plane, int side) {
    return plane - 1 + side >= 0 && plane - 1 + side < cells[k];
  };
  if (centre[0] >= 0 && centre[1] >= 0 && centre[2] >= 0)
    add(centre, kUnitSphere);
  for (int k = 0; k < 3; ++k)
  {
    const int l = (k + 1) % 3, m = (k + 2) % 3;
    for (int i = first[k]; i <= last[k]; ++i)
    {
      const double x = at(k, i), a = std::fabs(x);
      if (centre[l] >= 0 && centre[m] >= 0)
      {
        const double cap = sign(x) * sphereCap(a);
        for (int side = 0; side < 2; ++side)
          if (beside(k, i, side))
          {
            int cell[3];
            cell[k] = i - 1 + side;
            cell[l] = centre[l];
            cell[m] = centre[m];
            add(cell, side ? cap : -cap);
          }
      }
      if (centre[m] < 0)
        continue;
      for (int j = first[l]; j <= last[l]; ++j)
      {
        const double y = at(l, j);
        if (a * a + y * y >= 1)
          continue;
        const double edge = sign(x) * sign(y) * sphereEdge(a, std::fabs(y));
        for (int side = 0; side < 4; ++side)
          if (beside(k, i, side & 1) && beside(l, j, side >> 1))
          {
            int cell[3];
            cell[k] = i - 1 + (side & 1);
            cell[l] = j - 1 + (side >> 1);
            cell[m] = centre[m];
            add(cell, side == 0 || side == 3 ? edge : -edge);
          }
      }
    }
  }
  for (int k = first[2]; k <= last[2]; ++k)
    for (int j = first[1]; j <= last[1]; ++j)
      for (int i = first[0]; i <= last[0]; ++i)
      {
        const double x = at(0, i), y = at(1, j), z = at(2, k);
        if (x * x + y * y + z * z >= 1)
          continue;
        const double corner =
          -sign(x) * sign(y) * sign(z) * sphereCorner(std::fabs(x), std::fabs(y), std::fabs(z));
        for (int side = 0; side < 8; ++side)
          if (beside(0, i, side & 1) && beside(1, j, side >> 1 & 1) && beside(2, k, side >> 2))
          {
            const int cell[3] = { i - 1 + (side & 1), j - 1 + (side >> 1 & 1),
              k - 1 + (side >> 2) };
            const int lower = (side & 1) + (side >> 1 & 1) + (side >> 2);
            add(cell, lower & 1 ? -corner : corner);
          }
      }
}

} // namespace dem
