// Convex polyhedra from surfaces or by name.
#pragma once

#include "Shapes/Shape.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace dem
{

/// From a closed surface of convex faces. Coplanar faces that share an edge are joined.
Shape makePolyhedron(const std::string& name, const std::vector<Vec3d>& vertices,
  const std::vector<std::vector<std::int32_t>>& faces);
Shape makePolyhedron(const std::string& name, const std::vector<Vec3d>& points,
  const std::vector<std::array<std::int32_t, 3>>& triangles);

/// "Cube", "Tetrahedron", "Octahedron", "Dodecahedron" (edge 1) or "Brick" with edges `edges` (m).
/// Throws dem::Error that lists these names.
Shape makeNamedPolyhedron(
  const std::string& name, const std::string& solid, const Vec3d& edges = { 1, 1, 1 });
const std::vector<std::string>& namedPolyhedra();

namespace detail
{

struct Moments;

Moments polyhedronMoments(const Shape& shape);

} // namespace detail
} // namespace dem
