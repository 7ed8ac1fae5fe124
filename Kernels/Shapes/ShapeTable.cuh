// The shapes of a scene for kernels: flat arrays, and a view that is passed by value. All lengths
// are for a bounding radius of 1, so the scale of a grain is its Radius.
#pragma once

#include "Core/Array.h"
#include "Core/Vec.h"
#include "Shapes/Shape.h"

#include <cstdint>
#include <vector>

namespace dem
{

/// An edge of a polyhedron: its vertices and the adjacent faces, relative to the shape's first.
struct ShapeEdge
{
  std::int32_t a, b;
  std::int32_t left, right;
};

/// Sets of faces for polyhedra with few faces: one byte for each face. The lowest bit of a byte
/// states whether a vertex or an edge belongs to the face.
constexpr std::int32_t kByteFaces = 8;
DEM_HD std::uint64_t faceByte(std::int32_t face)
{
  return face < kByteFaces ? std::uint64_t(1) << 8 * face : 0;
}

/// Parameters of one shape, and its ranges in the arrays of ShapeView.
template <class Real>
struct ShapeNumbers
{
  ShapeKind kind;
  std::int32_t vertices_begin, vertices_end; // in ShapeView::vertices
  // in ShapeView::planes; the corners of face f are ShapeView::corners[corners_begin[f] ..
  // corners_begin[f + 1])
  std::int32_t faces_begin, faces_end;
  std::int32_t edges_begin, edges_end; // in ShapeView::edges
  std::int32_t most_corners;           // largest number of corners of a face
  TabletNumbers<Real> tablet;
  Real volume;            // of a grain of Radius 1: mass = density volume Radius^3
  Vec3<Real> moments;     // principal moments = density moments Radius^5
  Real equivalent_radius; // radius of the sphere of equal volume, in units of Radius
  // radius of a sphere about the centre of mass inside the body, in units of Radius
  Real inner_radius;
};

/// The arrays of all shapes; pointers belong to ShapeTable or DeviceShapes.
template <class Real>
struct ShapeView
{
  const ShapeNumbers<Real>* shapes;
  int size;
  const Vec3<Real>* vertices;
  const std::uint64_t* vertex_faces; // faceByte of all faces of each vertex
  // Bit k is set for edge k of the shape if it ends in the vertex; the first 32 edges only.
  const std::uint32_t* vertex_edges;
  const Vec4<Real>* planes; // outward unit normal and offset: normal . x <= w inside
  const std::int32_t* corners_begin;
  const std::int32_t* corners; // vertex index relative to the shape's first
  const ShapeEdge* edges;
};

/// The arrays in host memory; shape i of the scene is entry i.
template <class Real>
struct ShapeTable
{
  std::vector<ShapeNumbers<Real>> shapes;
  std::vector<Vec3<Real>> vertices;
  std::vector<std::uint64_t> vertex_faces;
  std::vector<std::uint32_t> vertex_edges;
  std::vector<Vec4<Real>> planes;
  std::vector<std::int32_t> corners_begin, corners;
  std::vector<ShapeEdge> edges;

  /// Throws dem::Error for a shape that was not made by a builder.
  explicit ShapeTable(const std::vector<Shape>& of);

  ShapeView<Real> view() const
  {
    return { shapes.data(), static_cast<int>(shapes.size()), vertices.data(), vertex_faces.data(),
      vertex_edges.data(), planes.data(), corners_begin.data(), corners.data(), edges.data() };
  }
};

extern template struct ShapeTable<float>;
extern template struct ShapeTable<double>;

/// The arrays in the memory of a policy.
template <class Exec, class Real>
struct DeviceShapes
{
  DeviceShapes(Exec& exec, const ShapeTable<Real>& host)
    : shapes(exec)
    , vertices(exec)
    , vertex_faces(exec)
    , vertex_edges(exec)
    , planes(exec)
    , corners_begin(exec)
    , corners(exec)
    , edges(exec)
  {
    shapes.assign(host.shapes);
    vertices.assign(host.vertices);
    vertex_faces.assign(host.vertex_faces);
    vertex_edges.assign(host.vertex_edges);
    planes.assign(host.planes);
    corners_begin.assign(host.corners_begin);
    corners.assign(host.corners);
    edges.assign(host.edges);
  }

  ShapeView<Real> view() const
  {
    return { shapes.data(), static_cast<int>(shapes.size()), vertices.data(), vertex_faces.data(),
      vertex_edges.data(), planes.data(), corners_begin.data(), corners.data(), edges.data() };
  }

  Array<ShapeNumbers<Real>, Exec> shapes;
  Array<Vec3<Real>, Exec> vertices;
  Array<std::uint64_t, Exec> vertex_faces;
  Array<std::uint32_t, Exec> vertex_edges;
  Array<Vec4<Real>, Exec> planes;
  Array<std::int32_t, Exec> corners_begin, corners;
  Array<ShapeEdge, Exec> edges;
};

} // namespace dem
