// Shapes as text: the entries of "shapes" in a .dem file. Filters pass the same text as field data.
#pragma once

#include "Shapes/Shape.h"

#include <string>
#include <vector>

namespace dem
{

/// Returns the shape of an entry of "shapes" in a .dem file. Paths of STL files are relative to
/// `directory`. Throws dem::Error with the name of the shape and the fault.
Shape parseShape(const std::string& text, const std::string& directory);

/// Returns a text from which parseShape() makes an equal shape. Its centre of mass is at the
/// origin; its axes are those of the definition.
std::string shapeText(const Shape& shape);

/// Radius of the sphere of equal volume, m. The scale of a grain is its radius divided by this one.
double equalRadius(const Shape& shape);

/// Triangulated surface of a shape, m, relative to its centre of mass, in the axes of its
/// definition.
struct ShapeSurface
{
  std::vector<Vec3d> points, normals;
  std::vector<std::array<std::int32_t, 3>> triangles; ///< counter-clockwise as seen from outside
};

/// Returns the surface of a shape. `resolution`: number of points around a round shape, >= 3. The
/// surface of a clump consists of those of all its spheres.
ShapeSurface shapeSurface(const Shape& shape, int resolution);

} // namespace dem
