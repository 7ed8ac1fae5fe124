// Functions shared by the builders of shapes.
#pragma once

#include "Core/Error.h"
#include "Shapes/Shape.h"

#include <cstdio>
#include <string>

namespace dem
{
namespace detail
{

/// Volume, first and second moments of a body of density 1 about the origin of its frame: integrals
/// of 1, x, and xx, yy, zz, xy, yz, zx.
struct Moments
{
  double volume = 0;
  Vec3d first;
  double xx = 0, yy = 0, zz = 0, xy = 0, yz = 0, zx = 0;

  void add(const Moments& o, double sign = 1)
  {
    volume += sign * o.volume;
    first += sign * o.first;
    xx += sign * o.xx;
    yy += sign * o.yy;
    zz += sign * o.zz;
    xy += sign * o.xy;
    yz += sign * o.yz;
    zx += sign * o.zx;
  }
};

/// Centre, principal moments and axes. The bounding radius is not set.
MassProperties principalProperties(const Moments& m);

inline std::string text(double v)
{
  char buffer[32];
  std::snprintf(buffer, sizeof(buffer), "%g", v);
  return buffer;
}
inline std::string text(const Vec3d& v)
{
  return "(" + text(v.x) + ", " + text(v.y) + ", " + text(v.z) + ")";
}
/// Throws dem::Error that begins with the shape's name.
[[noreturn]] inline void fail(const std::string& name, const std::string& what)
{
  throw Error("Shape '" + name + "': " + what);
}

/// Sets `mass` and transforms the shape into its principal frame.
Shape finished(Shape shape);

} // namespace detail
} // namespace dem
