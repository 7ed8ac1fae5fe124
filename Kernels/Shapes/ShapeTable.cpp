// Flattens the shapes of a scene for kernels.
#include "Shapes/ShapeTable.cuh"

#include "Shapes/detail/ShapeTools.h"

#include <algorithm>
#include <cmath>

namespace dem
{
namespace
{

/// Completes the edges of a polyhedron: the faces on their right, and the edges of each vertex.
template <class Real>
void connectEdges(ShapeTable<Real>& table, const Shape& shape, const ShapeNumbers<Real>& n)
{
  table.vertex_edges.resize(table.vertices.size());
  for (std::size_t e = n.edges_begin; e < table.edges.size() && e < n.edges_begin + std::size_t(32);
       ++e)
    for (const std::int32_t v : { table.edges[e].a, table.edges[e].b })
      table.vertex_edges[n.vertices_begin + v] |= 1u << (e - n.edges_begin);
  for (std::size_t e = n.edges_begin; e < table.edges.size(); ++e)
    for (std::size_t f = 0; f < shape.faces.size(); ++f)
      for (std::size_t k = 0; k < shape.faces[f].size(); ++k)
        if (shape.faces[f][k] == table.edges[e].b &&
          shape.faces[f][(k + 1) % shape.faces[f].size()] == table.edges[e].a)
          table.edges[e].right = static_cast<std::int32_t>(f);
}

/// Appends the vertices, faces and edges of a polyhedron. Returns the radius of its inner sphere.
template <class Real>
double addPolyhedron(
  ShapeTable<Real>& table, const Shape& shape, double unit, ShapeNumbers<Real>& n)
{
  double inner = 1;
  for (const Vec3d& v : shape.vertices)
    table.vertices.push_back((unit * v).template as<Real>());
  table.vertex_faces.resize(table.vertices.size());
  for (const std::vector<std::int32_t>& face : shape.faces)
  {
    Vec3d area{};
    double offset = 0;
    for (std::size_t k = 0; k < face.size(); ++k)
    {
      const Vec3d &a = shape.vertices[face[k]], &b = shape.vertices[face[(k + 1) % face.size()]];
      area += cross(a - shape.vertices[face[0]], b - shape.vertices[face[0]]);
    }
    const Vec3d normal = normalized(area);
    for (const std::int32_t corner : face)
      offset += dot(normal, shape.vertices[corner]) / static_cast<double>(face.size());
    table.planes.push_back(vec4(normal.template as<Real>(), static_cast<Real>(unit * offset)));
    inner = std::min(inner, unit * offset);
    table.corners_begin.push_back(static_cast<std::int32_t>(table.corners.size()));
    table.corners.insert(table.corners.end(), face.begin(), face.end());
    for (std::size_t k = 0; k < face.size(); ++k)
    {
      const std::int32_t a = face[k], b = face[(k + 1) % face.size()],
                         here = static_cast<std::int32_t>(table.planes.size()) - 1 - n.faces_begin;
      table.vertex_faces[n.vertices_begin + a] |= faceByte(here);
      if (a < b) // the other face lists the edge in the opposite direction
        table.edges.push_back({ a, b, here, here });
    }
    n.most_corners = std::max(n.most_corners, static_cast<std::int32_t>(face.size()));
  }
  connectEdges(table, shape, n);
  return inner;
}

} // namespace

template <class Real>
ShapeTable<Real>::ShapeTable(const std::vector<Shape>& of)
{
  for (const Shape& shape : of)
  {
    if (!(shape.mass.volume > 0) || !(shape.mass.bounding_radius > 0))
      detail::fail(shape.name, "it was not made by one of the builders, so its mass is not known.");
    const double unit = 1 / shape.mass.bounding_radius;
    const auto real = [](double v) { return static_cast<Real>(v); };
    ShapeNumbers<Real> n{};
    n.kind = shape.kind;
    n.volume = real(shape.mass.volume * unit * unit * unit);
    n.moments = (std::pow(unit, 5) * shape.mass.moments).template as<Real>();
    n.equivalent_radius = real(std::cbrt(0.75 / 3.14159265358979323846 * shape.mass.volume) * unit);
    double inner = 1;
    n.vertices_begin = static_cast<std::int32_t>(vertices.size());
    n.faces_begin = static_cast<std::int32_t>(planes.size());
    n.edges_begin = static_cast<std::int32_t>(edges.size());
    if (shape.kind == ShapeKind::BiConvexTablet)
    {
      const TabletNumbers<double> t = detail::tabletNumbers(shape);
      n.tablet = { real(t.cap * unit), real(t.cap_center * unit), real(t.rim * unit),
        real(t.height * unit), real(t.crown), real(t.edge * unit), real(t.cap_cosine) };
      inner = std::min(detail::tabletHalfThickness(t), t.rim + t.crown * t.height + t.edge) * unit;
    }
    else if (shape.kind == ShapeKind::MultiSphere)
    {
      inner = 0; // the centre of mass may be outside
      for (std::size_t i = 0; i < shape.centers.size(); ++i)
        inner = std::max(inner, unit * (shape.radii[i] - length(shape.centers[i])));
    }
    else if (shape.kind == ShapeKind::ConvexPolyhedron)
      inner = addPolyhedron(*this, shape, unit, n);
    n.inner_radius = real(inner);
    n.vertices_end = static_cast<std::int32_t>(vertices.size());
    n.faces_end = static_cast<std::int32_t>(planes.size());
    n.edges_end = static_cast<std::int32_t>(edges.size());
    shapes.push_back(n);
  }
  corners_begin.push_back(static_cast<std::int32_t>(corners.size()));
}

template struct ShapeTable<float>;
template struct ShapeTable<double>;

} // namespace dem
