// The walls of a scene as elements: triangles with merged corners and their neighbourhood, analytic
// surfaces, domain borders.
#pragma once

#include "Walls/WallElement.cuh"

#include <string>
#include <vector>

namespace dem
{

struct WallSet
{
  std::vector<WallElement> elements;   ///< in the order of the walls
  std::vector<Motion> motions;         ///< one a wall; borders last
  std::vector<std::int32_t> materials; ///< one a wall
  std::vector<std::uint32_t> first;    ///< first element of each wall, and the total
  std::vector<std::uint32_t> ring_start, ring;
  std::size_t scene_walls = 0; ///< walls of the scene; the rest are borders of the domain
  bool any_motion = false;

  std::size_t walls() const { return motions.size(); }
  bool isMesh(std::size_t wall) const
  {
    return first[wall + 1] > first[wall] && elements[first[wall]].kind == ElementKind::Triangle;
  }
  /// A bound of how far any point of wall `w` travels between t0 and t1.
  double travelBound(std::size_t wall, double t0, double t1) const;
  /// m/s: what no point of it exceeds between two times.
  double speedBound(std::size_t wall, double t0, double t1) const;

  /// The number of an element's triangle in its wall's input, which differs from its place where
  /// facets without area were skipped.
  std::uint32_t triangleOf(std::size_t element) const
  {
    return triangle.empty() ? static_cast<std::uint32_t>(element) - first[elements[element].wall]
                            : triangle[element];
  }
  std::vector<std::uint32_t>
    triangle; ///< one an element: see triangleOf; empty where none was skipped
  std::vector<std::uint32_t>
    triangles; ///< one a wall: those of its input, skipped ones included; 0 for analytic walls

  std::vector<double> reach; ///< one a wall: largest distance of its points from the motion's axis
};

/// A plane that closes the domain.
struct BorderPlane
{
  Vec3d origin, normal;
  int material = 0;
};

/// Builds the elements. Equal corner points of one wall are merged, so that neighbours know each
/// other. Triangles without area make no element.
WallSet makeWallSet(const std::vector<Wall>& walls, const std::vector<BorderPlane>& borders);

/// Whether a triangle has a normal: its height over its longest edge is above 1e-7 of that edge.
/// Others are skipped by makeWallSet.
bool hasArea(const Vec3d& a, const Vec3d& b, const Vec3d& c);

/// One sentence for each mesh of which facets without area are skipped: their number, the first
/// one, the wall's name. Walls need not be valid. Empty where nothing is skipped.
std::vector<std::string> wallWarnings(const std::vector<Wall>& walls);

/// Throws dem::Error for a wall that is empty, refers to missing points, has non-finite points or
/// no triangle with an area, or whose parameters make no surface.
void validateWall(const Wall& wall, std::size_t index);

/// Corner points and triangles of a rectangle or box.
void wallTriangles(const Wall& wall, std::vector<Vec3d>& points,
  std::vector<std::array<std::int32_t, 3>>& triangles);

} // namespace dem
