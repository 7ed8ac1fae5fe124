// The shapes of grains, as a scene states them, and what follows from a shape alone: volume, centre
// of mass, inertia, bounding sphere.
//
// A finished shape stands in its principal frame: centre of mass at the origin, axes along the
// principal axes of inertia. Lengths may be in any unit: a particle's Radius (m) is the radius of
// the bounding sphere about its centre of mass, and its scale is Radius / bounding_radius. So one
// shape serves grains of all sizes.
#pragma once

#include "Core/Vec.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace dem
{

enum class ShapeKind : std::int32_t
{
  Sphere,
  MultiSphere,
  BiConvexTablet,
  ConvexPolyhedron
};

/// Of a body of density 1.
struct MassProperties
{
  double volume = 0;
  Vec3d center;               ///< in the frame that the shape was given in
  Vec3d moments;              ///< principal, about the centre
  Quaternion<double> axes;    ///< turns the principal frame into the given one
  double bounding_radius = 0; ///< about the centre
  double error = 0;           ///< bound of the relative error of the volume; 0: exact to rounding
};

struct Shape
{
  std::string name = "Sphere";
  ShapeKind kind = ShapeKind::Sphere;

  /// MultiSphere: 1 to 64 rigidly joined spheres, which may overlap; what they share counts once.
  std::vector<Vec3d> centers;
  std::vector<double> radii;

  /// BiConvexTablet, about the z axis: two spherical caps of `cup_radius` and between them a
  /// cylinder (the belt or band) of `diameter` and `belt_height`. The edge between cap and belt is
  /// rounded with `edge_radius`, and the belt bulges by `crown` times half its height, so that the
  /// tablet is strictly convex: every contact has one point, and it moves continuously.
  double diameter = 0, cup_radius = 0, belt_height = 0, edge_radius = 0, crown = 0;

  /// ConvexPolyhedron: 4 to 64 vertices; the corners of a face run counter-clockwise as seen from
  /// outside.
  std::vector<Vec3d> vertices;
  std::vector<std::vector<std::int32_t>> faces;

  MassProperties mass; ///< `center` and `axes` say where the given frame was
  /// MultiSphere fitted into a surface: part of the surface's volume that no sphere covers.
  double lost_volume = 0;
};

constexpr int kMaxShapeVertices = 64;
constexpr int kMaxShapeSpheres = 64;
constexpr double kDefaultEdgeRadius = 0.025; ///< of a tablet's diameter
constexpr double kDefaultCrown = 0.01;       ///< of half the height of a tablet's belt

// Each builder validates, throws dem::Error that names the shape and the offending value, and
// returns a finished shape.

Shape makeSphere(const std::string& name = "Sphere");

/// From a table. The volume is exact where no point lies in three spheres, else integrated to
/// `mass.error`.
Shape makeMultiSphere(
  const std::string& name, const std::vector<Vec3d>& centers, const std::vector<double>& radii);

/// `edge_radius` 0 takes kDefaultEdgeRadius * diameter. Where belt and edge leave no room for each
/// other (always without a belt) the edge is one arc of `edge_radius`; diameter and cup radius are
/// kept and the tablet is thicker by what the arc takes.
Shape makeTablet(const std::string& name, double diameter, double cup_radius, double belt_height,
  double edge_radius = 0);

/// From a closed surface of convex faces; faces in one plane that share an edge are joined.
Shape makePolyhedron(const std::string& name, const std::vector<Vec3d>& vertices,
  const std::vector<std::vector<std::int32_t>>& faces);
Shape makePolyhedron(const std::string& name, const std::vector<Vec3d>& points,
  const std::vector<std::array<std::int32_t, 3>>& triangles);

/// "Cube", "Tetrahedron", "Octahedron", "Dodecahedron" (edge 1) or "Brick" (edges `edges`, m; of
/// the others only proportions count). Throws dem::Error that lists the names.
Shape makeNamedPolyhedron(
  const std::string& name, const std::string& solid, const Vec3d& edges = { 1, 1, 1 });
const std::vector<std::string>& namedPolyhedra();

struct ClumpFit
{
  int spheres = 16;       ///< at most
  int cells = 48;         ///< of the longest edge of the surface's box
  double accuracy = 0.01; ///< stop when the union fills the solid to this part of its volume
};
struct ClumpQuality
{
  double volume = 0;  ///< of the solid, by the tetrahedra of its triangles
  double missing = 0; ///< part of it that no sphere covers; no sphere leaves the solid
};

/// Fits spheres into a closed triangle surface of any form: every cell of a uniform grid inside the
/// solid offers the largest sphere about its centre that does not leave the solid (exact distance
/// to the triangles); greedily, the one that covers most cells not covered yet is taken, and its
/// centre moved within the cell to where it can be largest: onto the medial axis. Mass, centre and
/// inertia are those of the union of the spheres.
Shape makeMultiSphere(const std::string& name, const std::vector<Vec3d>& points,
  const std::vector<std::array<std::int32_t, 3>>& triangles, const ClumpFit& fit,
  ClumpQuality* quality = nullptr);

/// Of any shape as it stands, finished or not; what builders put into `mass`.
MassProperties massProperties(const Shape& shape);

/// "Sphere", "Multi-Sphere", "Bi-Convex Tablet", "Convex Polyhedron".
const char* shapeKindName(ShapeKind kind);

} // namespace dem
