// Volumes of the intersections of a sphere with axis-aligned boxes, in closed form. Used for the
// shares of grains in cells.
//
// The parts of a sphere cut by one, two and three planes at right angles follow from the divergence
// theorem: 3 V = sum of (distance of a face) x (its area) over all faces. The area of the spherical
// face comes from the Gauss-Bonnet theorem. A box is a sum of such parts over its corners. The
// decomposition is that of Strobl, Formella, Poeschel, J. Comput. Phys. 311 (2016) 158, specialised
// to right angles. The parts in the cells of a grid add up to the sphere to a few 1e-16 of its
// volume.
#pragma once

#include "Core/Vec.h"

namespace dem
{

constexpr double kPi = 3.14159265358979323846;
constexpr double kUnitSphere = 4. / 3 * kPi;

/// Volume of the unit sphere where x > a; 0 <= a <= 1.
DEM_HD double sphereCap(double a) { return kPi / 3 * (1 - a) * (1 - a) * (2 + a); }

/// Volume of the unit sphere where x > a and y > b; a, b >= 0.
DEM_HD double sphereEdge(double a, double b)
{
  const double z2 = 1 - a * a - b * b;
  if (z2 <= 0)
    return 0;
  // the half z > 0: arcs on both planes from z = 0 to the end of the edge
  const double z = std::sqrt(z2);
  const double arc_a = std::atan2(z, b), arc_b = std::atan2(z, a), corner = std::atan2(z, a * b);
  const double solid_angle = corner - a * arc_a - b * arc_b;
  const double area_a = 0.5 * ((1 - a * a) * arc_a - b * z),
               area_b = 0.5 * ((1 - b * b) * arc_b - a * z);
  return 2. / 3 * (solid_angle - a * area_a - b * area_b);
}

/// Volume of the unit sphere where x > a, y > b and z > c; a, b, c >= 0.
DEM_HD double sphereCorner(double a, double b, double c)
{
  if (a * a + b * b + c * c >= 1)
    return 0;
  // ends of the three edges that start at (a, b, c)
  const double x = std::sqrt(1 - b * b - c * c), y = std::sqrt(1 - a * a - c * c),
               z = std::sqrt(1 - a * a - b * b);
  // angles of the arcs on each plane, about the centre of its circle
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

/// Planes of a grid around the unit sphere, on each axis.
struct SpherePlanes
{
  int centre[3];         ///< the cell of the centre; -1: the centre lies outside the grid
  int first[3], last[3]; ///< the planes that cut the sphere; first > last: none does
};

/// Finds them. Arguments as for unitSphereInCells.
template <class At>
DEM_HD SpherePlanes planesThroughSphere(const int (&cells)[3], const At& at)
{
  SpherePlanes planes;
  for (int k = 0; k < 3; ++k)
  {
    planes.centre[k] = -1;
    planes.first[k] = cells[k] + 1;
    planes.last[k] = -1;
    double before = 0;
    for (int i = 0; i <= cells[k]; ++i)
    {
      const double x = at(k, i);
      if (i > 0 && before < 0 && x >= 0)
        planes.centre[k] = i - 1;
      if (std::fabs(x) < 1)
      {
        planes.first[k] = planes.first[k] < i ? planes.first[k] : i;
        planes.last[k] = i;
      }
      before = x;
    }
  }
  return planes;
}

DEM_HD double signOf(double x) { return x < 0 ? -1. : 1.; }

/// True if a cell lies on this side of a plane of an axis with `cells` cells: 0 before it, 1 behind
/// it.
DEM_HD bool hasCell(int cells, int plane, int side)
{
  return plane - 1 + side >= 0 && plane - 1 + side < cells;
}

/// Adds the corner term of each grid point inside the sphere to the eight cells around it.
template <class At, class Add>
DEM_HD void addSphereCorners(
  const int (&cells)[3], const SpherePlanes& planes, const At& at, const Add& add)
{
  for (int k = planes.first[2]; k <= planes.last[2]; ++k)
    for (int j = planes.first[1]; j <= planes.last[1]; ++j)
      for (int i = planes.first[0]; i <= planes.last[0]; ++i)
      {
        const double x = at(0, i), y = at(1, j), z = at(2, k);
        if (x * x + y * y + z * z >= 1)
          continue;
        const double corner = -signOf(x) * signOf(y) * signOf(z) *
          sphereCorner(std::fabs(x), std::fabs(y), std::fabs(z));
        for (int side = 0; side < 8; ++side)
          if (hasCell(cells[0], i, side & 1) && hasCell(cells[1], j, side >> 1 & 1) &&
            hasCell(cells[2], k, side >> 2))
          {
            const int cell[3] = { i - 1 + (side & 1), j - 1 + (side >> 1 & 1),
              k - 1 + (side >> 2) };
            const int lower = (side & 1) + (side >> 1 & 1) + (side >> 2);
            add(cell, lower & 1 ? -corner : corner);
          }
      }
}

/// Adds the volume of the unit sphere, centred at the origin, inside each cell of a rectilinear
/// grid. Axis k has `cells[k]` cells between planes at the ascending coordinates at(k, 0) to at(k,
/// cells[k]). Calls add(cell, volume) any number of times per cell; the sum of the calls is the
/// volume.
//
// The volume between the centre and a point (x, y, z), taken odd in each coordinate, is 1/8 of the
// sphere less a quarter of each cap, plus half of each edge, less the corner. The volume in a cell
// is the alternating sum of this over its eight corners. So a corner term counts in the eight cells
// around the point, an edge term in those of the four cells beside the edge that contain the
// centre's coordinate along it, and a cap term in the two cells beside the plane that contain the
// centre's other two coordinates.
template <class At, class Add>
DEM_HD void unitSphereInCells(const int (&cells)[3], const At& at, const Add& add)
{
  const SpherePlanes planes = planesThroughSphere(cells, at);
  const int(&centre)[3] = planes.centre;
  if (centre[0] >= 0 && centre[1] >= 0 && centre[2] >= 0)
    add(centre, kUnitSphere);
  for (int k = 0; k < 3; ++k)
  {
    const int l = (k + 1) % 3, m = (k + 2) % 3;
    for (int i = planes.first[k]; i <= planes.last[k]; ++i)
    {
      const double x = at(k, i), a = std::fabs(x);
      if (centre[l] >= 0 && centre[m] >= 0)
      {
        const double cap = signOf(x) * sphereCap(a);
        for (int side = 0; side < 2; ++side)
          if (hasCell(cells[k], i, side))
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
      for (int j = planes.first[l]; j <= planes.last[l]; ++j)
      {
        const double y = at(l, j);
        if (a * a + y * y >= 1)
          continue;
        const double edge = signOf(x) * signOf(y) * sphereEdge(a, std::fabs(y));
        for (int side = 0; side < 4; ++side)
          if (hasCell(cells[k], i, side & 1) && hasCell(cells[l], j, side >> 1))
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
  addSphereCorners(cells, planes, at, add);
}

} // namespace dem
