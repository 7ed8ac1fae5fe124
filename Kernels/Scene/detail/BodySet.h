// Rigid bodies of a scene, as host arrays for upload. Used by the solver, saved states and Scene.
#pragma once

#include "Scene/Scene.h"

#include <cstdint>
#include <vector>

namespace dem
{

/// Returns true for shapes with their own narrow phase. Other shapes are spheres or clumps of
/// spheres.
inline bool isShaped(ShapeKind kind)
{
  return kind == ShapeKind::BiConvexTablet || kind == ShapeKind::ConvexPolyhedron;
}

/// Parts of the shapes of a scene at scale 1, in principal axes relative to the centre of mass. One
/// entry per shape, unless stated otherwise.
struct BodyShapes
{
  std::vector<std::uint32_t> first_offset{ 0 }; // first part of each shape, shapes + 1
  std::vector<Vec3d> offset;                    // m, centre of each part
  std::vector<double> radius;      // m, of each part; bounding radius if it is not a sphere
  std::vector<Vec4<double>> frame; // rotates principal axes to the axes of the definition; x y z w
                                   // = the quaternion's w x y z
  std::vector<double> volume, bounding_radius; // m^3; m, distance of the farthest point
  std::vector<double> sharpest, bluntest;      // m: smallest and largest radius of curvature
  std::vector<Vec3d> inertia;                  // principal moments / density, m^5
  bool clumps = false;                         // some shapes have several parts
  bool shaped = false;                         // some parts are not spheres

  std::uint32_t parts(std::int32_t shape) const
  {
    return first_offset[shape + 1] - first_offset[shape];
  }
};

/// State of the bodies in ascending Id, with the members of BodyView.
struct BodyArrays
{
  std::vector<Vec4<double>> centre, orientation, velocity, momentum, inertia;
  std::vector<std::int64_t> id;
  std::vector<std::int32_t> shape;
};

/// Bodies of a scene with their shapes and parts.
struct BodySet
{
  BodyShapes shapes;
  BodyArrays arrays;
  ParticleInput parts;                   // radius: bounding radius; shape: -1 for spheres
  std::vector<double> part_mass;         // kg, mass of the body of each part
  std::vector<std::uint32_t> part_grain; // index in Scene::particles of the grain of each part
};

/// Returns true if some grains of the scene are not single spheres.
bool usesBodies(const Scene& scene);

/// Returns the parts and properties of the scene's shapes.
BodyShapes bodyShapes(const Scene& scene);

/// Distance of the farthest point of grain i from its centre, m. `shapes`: bodyShapes(scene); not
/// read if all grains are spheres.
double reachOf(const Scene& scene, const BodyShapes& shapes, std::size_t i);

/// Returns the scene's bodies and their parts. All arrays are empty if all grains are spheres.
BodySet makeBodySet(const Scene& scene);

/// Returns the shapes as bytes, which are equal for two scenes with equal shapes.
std::vector<std::uint8_t> shapesAsBytes(const Scene& scene);

} // namespace dem
