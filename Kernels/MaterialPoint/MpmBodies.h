// Bodies from which the points of an MPM scene are made: lists of points and closed surfaces to
// fill. Used by the panel (through vtkMPMBodyInput) and by .dem files, so that both make the same
// points.
#pragma once

#include "MaterialPoint/MpmScene.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace mpm
{

/// A point as it was given.
struct BodyPoint
{
  enum Given
  {
    kVelocity = 1,
    kMass = 2,
    kVolume = 4,
    kDensity = 8,
    kRadius = 16
  };
  Vec3d position, velocity;
  double mass = 0, volume = 0, density = 0, radius = 0; ///< kg, m^3, kg/m^3, m; if given
  int material = 0;
  unsigned given = 0; ///< which values were given
};

struct Body
{
  std::string name;          ///< for messages
  std::vector<Vec3d> corner; ///< of a closed surface, m; empty for a list of points
  std::vector<std::array<std::int32_t, 3>> triangle;
  std::vector<BodyPoint> point; ///< of a surface: one entry, for its inside

  bool isSurface() const { return !triangle.empty(); }
};

/// How surfaces are filled (MpmFill.h).
struct FillOptions
{
  int points_per_axis = 2; ///< of a cell, in [1, 8]
  double jitter = 0;
  std::uint64_t seed = 1;
};

/// The bounds of all bodies, m. Returns false without any point.
bool boundsOf(const std::vector<Body>& bodies, Vec3d& lower, Vec3d& upper);

/// A grid spacing in m that resolves the bodies: about 4096 cells inside the smallest surface, 8
/// points per cell of the densest points. 0 without any extent.
double adviseSpacing(const std::vector<Body>& bodies, const std::vector<Material>& materials);

/// A warning about bodies that are smaller than a cell of `spacing` m: surfaces along one axis,
/// eight points or more along all axes. Empty without such bodies. It names the first one, its
/// size, the spacing and the cure. An `automatic` spacing fits points.
std::string spacingWarning(const std::vector<Body>& bodies, double spacing, bool automatic);

/// The points of all bodies, with filled surfaces, each with a volume and a mass. The volume is the
/// given one, else that of mass and density, else of a sphere of the radius, else a share of a
/// cell. Throws dem::Error, which names the body.
PointInput makePoints(const std::vector<Body>& bodies, const std::vector<Material>& materials,
  double spacing, const FillOptions& options);

/// Sets the grid spacing (automatic if `spacing` is 0) and the points of the scene, which has its
/// materials. Throws dem::Error.
void fillScene(
  const std::vector<Body>& bodies, double spacing, const FillOptions& options, Scene& scene);

/// Sets the corners of the domain: the bounds of bodies and walls at the start and a margin of four
/// cells; without walls half the size of the bodies, if that is more. An infinite plane counts as
/// far as bodies lie in front of it. Needs walls and grid spacing of the scene.
void setAutomaticDomain(const std::vector<Body>& bodies, Scene& scene);

} // namespace mpm
