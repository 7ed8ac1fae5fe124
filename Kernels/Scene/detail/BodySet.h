// The grains of a scene that are not single spheres, as the arrays that a device starts with.
#pragma once

#include "Scene/Scene.h"

#include <cstdint>
#include <vector>

namespace dem
{

/// Whether a shape has a narrow phase of its own. Others are spheres or consist of spheres.
inline bool isShaped(ShapeKind kind)
{
  return kind == ShapeKind::BiConvexTablet || kind == ShapeKind::ConvexPolyhedron;
}

/// The parts of the shapes of a scene, in principal axes about the centre of mass, at scale 1.
/// Entries by shape.
struct BodyShapes
{
  std::vector<std::uint32_t> first_offset{ 0 }; // shapes + 1
  std::vector<Vec3d> offset;                    // of the parts' centres
  std::vector<double> radius; // of the parts; of shapes that are no spheres, about their centre
  std::vector<Vec4<double>> frame; // turns principal axes into those of the shape's definition, x y
                                   // z w = the quaternion's w x y z
  std::vector<double> volume, bounding_radius; // m^3, m: the farthest point from the centre
  std::vector<double> sharpest, bluntest;      // m: least and greatest radius with which it touches
  std::vector<Vec3d> inertia;                  // principal moments over the density
  bool clumps = false;                         // some shape has several parts
  bool shaped = false;                         // some part is no sphere

  std::uint32_t parts(std::int32_t shape) const
  {
    return first_offset[shape + 1] - first_offset[shape];
  }
};

/// The bodies' own state, in ascending Id; see BodyView.
struct BodyArrays
{
  std::vector<Vec4<double>> centre, orientation, velocity, momentum, inertia;
  std::vector<std::int64_t> id;
  std::vector<std::int32_t> shape;
};

struct BodySet
{
  BodyShapes shapes;
  BodyArrays arrays;
  ParticleInput parts;           // radius: that of a sphere around each; shape: -1 for spheres
  std::vector<double> part_mass; // of the body
};

/// Whether grains of the scene are more than one sphere each.
bool usesBodies(const Scene& scene);

BodyShapes bodyShapes(const Scene& scene);

/// The greatest distance of a point of grain i from its centre, m; `shapes`: those of the scene,
/// which are not read if all grains are spheres.
double reachOf(const Scene& scene, const BodyShapes& shapes, std::size_t i);

/// The scene's bodies and their parts; all empty in a scene of spheres.
BodySet makeBodySet(const Scene& scene);

/// Bytes that are equal for two scenes if their shapes are equal.
std::vector<std::uint8_t> shapesAsBytes(const Scene& scene);

} // namespace dem
