#include "Shapes/Shape.h"

#include "Shapes/detail/ShapeTools.h"

#include <algorithm>

namespace dem
{
namespace
{
constexpr double pi = 3.14159265358979323846;
} // namespace

const char* shapeKindName(ShapeKind kind)
{
  switch (kind)
  {
    case ShapeKind::Sphere:
      return "Sphere";
    case ShapeKind::MultiSphere:
      return "Multi-Sphere";
    case ShapeKind::BiConvexTablet:
      return "Bi-Convex Tablet";
    default:
      return "Convex Polyhedron";
  }
}

MassProperties massProperties(const Shape& shape)
{
  MassProperties out;
  if (shape.kind == ShapeKind::Sphere)
  {
    out.volume = 4. / 3 * pi;
    const double i = 0.4 * out.volume;
    out.moments = { i, i, i };
    out.bounding_radius = 1;
  }
  else if (shape.kind == ShapeKind::BiConvexTablet)
    out = detail::tabletProperties(shape);
  else if (shape.kind == ShapeKind::MultiSphere)
  {
    double error = 0;
    out =
      detail::principalProperties(detail::multiSphereMoments(shape.centers, shape.radii, error));
    out.error = error;
    for (std::size_t i = 0; i < shape.centers.size(); ++i)
      out.bounding_radius =
        std::max(out.bounding_radius, length(shape.centers[i] - out.center) + shape.radii[i]);
  }
  else
  {
    out = detail::principalProperties(detail::polyhedronMoments(shape));
    for (const Vec3d& v : shape.vertices)
      out.bounding_radius = std::max(out.bounding_radius, length(v - out.center));
  }
  return out;
}

Shape makeSphere(const std::string& name)
{
  Shape shape;
  shape.name = name;
  return detail::finished(shape);
}

} // namespace dem
