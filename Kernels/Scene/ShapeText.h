// Shapes as text: the entries of "shapes" in a .dem file, which also travel as field data between
// filters.
#pragma once

#include "Shapes/Shape.h"

#include <string>
#include <vector>

namespace dem
{

/// Builds a shape from an entry of "shapes" in a .dem file. Paths of STL files are relative to
/// `directory`. Throws dem::Error that names the shape and the fault.
Shape parseShape(const std::string& text, const std::string& directory);

/// The text that makes an equal shape again, with its centre of mass at the origin and its axes as
/// they were given.
std::string shapeText(const Shape& shape);

/// The radius of the sphere of equal volume, m. The scale of a grain is its radius over this one.
double equalRadius(const Shape& shape);

/// A triangulated surface of a shape about its centre of mass, in the axes that it was given in.
struct ShapeSurface
{
  std::vector<Vec3d> points, normals;
  std::vector<std::array<std::int32_t, 3>> triangles; ///< counter-clockwise as seen from outside
};

/// `resolution`: points around a round shape, >= 3. A clump has the surfaces of all of its spheres.
ShapeSurface shapeSurface(const Shape& shape, int resolution);

} // namespace dem
