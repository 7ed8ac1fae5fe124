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

// Each builder validates its arguments and returns a finished shape. It throws dem::Error that
// names the shape and the offending value.

Shape makeSphere(const std::string& name = "Sphere");

/// Properties of any shape in its present frame, finished or not; the builders store them in
/// `mass`.
MassProperties massProperties(const Shape& shape);

/// "Sphere", "Multi-Sphere", "Bi-Convex Tablet", "Convex Polyhedron".
const char* shapeKindName(ShapeKind kind);

} // namespace dem

// The builders of the other kinds, so that this header declares all of them.
#include "Shapes/Clump.h"
#include "Shapes/ClumpFit.h"
#include "Shapes/Polyhedron.h"
#include "Shapes/Tablet.h"
