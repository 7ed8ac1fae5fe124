// The walls of a scene as elements: triangles with merged corners and their neighbourhood, analytic
// surfaces, and borders of the domain.
#pragma once

#include "Walls/WallElement.cuh"

#include <array>
#include <string>
#include <vector>

namespace dem
{

/// All elements of a scene, and data for each wall.
struct WallSet
{
  std::vector<WallElement> elements;   ///< wall by wall
  std::vector<WallMotion> motions;     ///< one for each wall; borders last
  std::vector<std::int32_t> materials; ///< one for each wall
  std::vector<std::uint32_t> first;    ///< first element of each wall, and the total
  // Triangles around corner v: ring[ring_start[v] .. ring_start[v + 1]), ascending.
  std::vector<std::uint32_t> ring_start, ring;
  std::size_t scene_walls = 0; ///< walls of the scene; the rest are borders of the domain
  bool any_motion = false;

  std::size_t walls() const { return motions.size(); }
  bool isMesh(std::size_t wall) const
  {
    return first[wall + 1] > first[wall] && elements[first[wall]].kind == ElementKind::Triangle;
  }
  /// Upper bound of the distance (m) that any point of the wall travels between t0 and t1 (s).
  double travelBound(std::size_t wall, double t0, double t1) const;
  /// Upper bound of the speed (m/s) of its points between t0 and t1.
  double speedBound(std::size_t wall, double t0, double t1) const;

  /// Index of an element's triangle in the wall's input. It differs from the element's position if
  /// facets without area were skipped.
  std::uint32_t triangleOf(std::size_t element) const
  {
    return triangle.empty() ? static_cast<std::uint32_t>(element) - first[elements[element].wall]
                            : triangle[element];
  }
  /// One for each element, see triangleOf(); empty if none was skipped.
  std::vector<std::uint32_t> triangle;
  /// Triangles in the input of each wall, including skipped ones; 0 for analytic walls.
  std::vector<std::uint32_t> triangles;

  /// Of one motion of a wall.
  struct Reach
  {
    double at_start = 0;  ///< m: largest distance of the wall's points from the axis of a rotation
    double limit = 1e300; ///< m: points farther away need no bound
  };
  std::vector<std::array<Reach, kMostMotions>> reach; ///< one for each wall
  /// Of each motion of a wall: largest distance (m) of the wall's points from its axis up to time
  /// t1 (s), to which the motions before it may have carried them.
  std::array<double, kMostMotions> reachesOf(std::size_t wall, double t1) const;
};

/// A plane that closes the domain; the normal points inward.
struct BorderPlane
{
  Vec3d origin, normal;
  int material = 0;
};

/// Builds the elements of valid walls and the borders. Equal corner points of a wall are merged, so
/// that neighbouring triangles are known. Triangles without area are skipped.
WallSet makeWallSet(const std::vector<Wall>& walls, const std::vector<BorderPlane>& borders);

/// Whether a triangle has a normal: its height over its longest edge exceeds 1e-7 of that edge.
/// makeWallSet() skips others.
bool hasArea(const Vec3d& a, const Vec3d& b, const Vec3d& c);

/// One sentence for each mesh with skipped facets: their number, the first one, the wall's name.
/// Walls need not be valid. Empty if nothing is skipped.
std::vector<std::string> wallWarnings(const std::vector<Wall>& walls);

/// Throws dem::Error for a wall that is empty, refers to missing points, has non-finite points or
/// no triangle with an area, or whose parameters define no surface. `index` is named in the
/// message.
void validateWall(const Wall& wall, std::size_t index);

/// Points and triangles of a mesh, rectangle or box; unchanged for other kinds.
void wallTriangles(const Wall& wall, std::vector<Vec3d>& points,
  std::vector<std::array<std::int32_t, 3>>& triangles);

} // namespace dem
