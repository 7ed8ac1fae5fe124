// Bi-convex tablets: parameters, mass properties, builder.
#pragma once

#include "Shapes/Shape.h"

#include <string>

namespace dem
{

constexpr double kDefaultEdgeRadius = 0.025; ///< of a tablet's diameter
constexpr double kDefaultCrown = 0.01;       ///< of half the height of a tablet's belt

/// Parameters of a tablet about its z axis. Its core is the tablet without the rounding `edge`. The
/// core has caps of radius `cap` about z = +-cap_center, and a rim: the Minkowski sum of a disk of
/// radius `rim` and a spheroid of half height `height` and radius crown * height.
template <class Real>
struct TabletNumbers
{
  Real cap, cap_center; // the upper cap's centre is at z = cap_center (negative for flat caps)
  Real rim, height, crown;
  Real edge;       // radius of the rounding about the core
  Real cap_cosine; // normals with a larger z belong to a cap
};

/// `edge_radius` 0 means kDefaultEdgeRadius * diameter. If belt and edge do not both fit (always
/// without a belt), the edge is one arc of `edge_radius`. Diameter and cup radius are kept, and the
/// tablet is thicker by the room of the arc.
Shape makeTablet(const std::string& name, double diameter, double cup_radius, double belt_height,
  double edge_radius = 0);

namespace detail
{

/// Parameters of a tablet in the shape's own unit.
TabletNumbers<double> tabletNumbers(const Shape& shape);
/// Half of its thickness.
inline double tabletHalfThickness(const TabletNumbers<double>& t)
{
  return t.cap_center + t.cap + t.edge;
}

/// Mass properties of a tablet with the bounding radius.
MassProperties tabletProperties(const Shape& shape);

} // namespace detail
} // namespace dem
