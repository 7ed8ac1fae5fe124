// Shapes of grains as a scene defines them, and the properties that depend on a shape alone:
// volume, centre of mass, inertia, bounding sphere.
//
// The builders return a finished shape in its principal frame: centre of mass at the origin, axes
// along the principal axes of inertia. Lengths may be in any unit. A particle's Radius (m) is the
// radius of the bounding sphere about its centre of mass, and its scale is Radius /
// bounding_radius. So one shape serves grains of all sizes.
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

/// Properties of a body of density 1.
struct MassProperties
{
  double volume = 0;
  Vec3d center;               ///< in the frame in which the shape was given
  Vec3d moments;              ///< principal moments about the centre
  Quaternion<double> axes;    ///< rotates the principal frame into the given one
  double bounding_radius = 0; ///< about the centre
  double error = 0;           ///< bound of the relative error of the volume; 0: exact to rounding
};

struct Shape
{
  std::string name = "Sphere";
  ShapeKind kind = ShapeKind::Sphere;

  /// MultiSphere: 1 to 64 rigidly joined spheres, which may overlap; shared volume counts once.
  std::vector<Vec3d> centers;
  std::vector<double> radii;

  /// BiConvexTablet about the z axis: two spherical caps of `cup_radius`, and between them a
  /// cylinder (the belt or band) of `diameter` and `belt_height`. The edge between cap and belt is
  /// rounded with `edge_radius`. The belt bulges by `crown` times half its height. So the tablet is
  /// strictly convex: every contact has one point, which moves continuously.
  double diameter = 0, cup_radius = 0, belt_height = 0, edge_radius = 0, crown = 0;

  /// ConvexPolyhedron: 4 to 64 vertices. The corners of a face are listed counter-clockwise as seen
  /// from outside.
  std::vector<Vec3d> vertices;
  std::vector<std::vector<std::int32_t>> faces;

  MassProperties mass; ///< `center` and `axes` locate the given frame
  /// MultiSphere fitted into a surface: fraction of the surface's volume that no sphere covers.
  double lost_volume = 0;
};

constexpr int kMaxShapeVertices = 64;
constexpr int kMaxShapeSpheres = 64;
constexpr double kDefaultEdgeRadius = 0.025; ///< of a tablet's diameter
constexpr double kDefaultCrown = 0.01;       ///< of half the height of a tablet's belt

// Each builder validates its arguments and returns a finished shape. It throws dem::Error that
// names the shape and the offending value.

Shape makeSphere(const std::string& name = "Sphere");

/// From a table of spheres. The volume is exact if no point is in three spheres, else integrated
/// numerically with the error `mass.error`.
Shape makeMultiSphere(
  const std::string& name, const std::vector<Vec3d>& centers, const std::vector<double>& radii);

/// `edge_radius` 0 means kDefaultEdgeRadius * diameter. If belt and edge do not both fit (always
/// without a belt), the edge is one arc of `edge_radius`. Diameter and cup radius are kept, and the
/// tablet is thicker by the room of the arc.
Shape makeTablet(const std::string& name, double diameter, double cup_radius, double belt_height,
  double edge_radius = 0);

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

/// Options of fitting spheres into a surface.
struct ClumpFit
{
  int spheres = 16;       ///< most spheres, 1 to 64
  int cells = 48;         ///< grid cells along the longest edge of the surface's box, 8 to 256
  double accuracy = 0.01; ///< stops when the uncovered fraction of the volume is below
};
/// Result of the fit.
struct ClumpQuality
{
  double volume = 0; ///< of the solid bounded by the triangles
  /// fraction of it that no sphere covers; spheres do not extend beyond the solid
  double missing = 0;
};

/// Fits spheres into a closed triangle surface of any form. Each cell of a uniform grid inside the
/// solid is a candidate: the largest sphere about its centre within the solid (exact distance to
/// the triangles). The algorithm is greedy: it takes the candidate that covers most uncovered
/// cells, and moves its centre within the cell to enlarge it, towards the medial axis. Mass, centre
/// and inertia are those of the union of the spheres.
Shape makeMultiSphere(const std::string& name, const std::vector<Vec3d>& points,
  const std::vector<std::array<std::int32_t, 3>>& triangles, const ClumpFit& fit,
  ClumpQuality* quality = nullptr);

/// Properties of any shape in its present frame, finished or not; the builders store them in
/// `mass`.
MassProperties massProperties(const Shape& shape);

/// "Sphere", "Multi-Sphere", "Bi-Convex Tablet", "Convex Polyhedron".
const char* shapeKindName(ShapeKind kind);

} // namespace dem
