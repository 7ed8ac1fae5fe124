// A wall in a frame: where it is at an instant, and the loads on it. Used by the frames of all
// methods.
#pragma once

#include "Core/HostArray.h"
#include "Walls/Wall.h"

#include <cstddef>
#include <vector>

namespace dem
{

/// One wall of the scene at this instant.
struct WallFrame
{
  WallMotion motion;              ///< at this instant, including changes by steering
  HostArray<double> points;       ///< 3 per point of the mesh, m: moved points (Mesh only)
  HostArray<float> pressure;      ///< 1 per triangle, Pa: normal force over area, > 0 = compression
  HostArray<float> shear_stress;  ///< 1 per triangle, Pa: magnitude of tangential force over area
  HostArray<float> force;         ///< 3 per triangle, N: force of the particles on the wall
  HostArray<double> coating_mass; ///< 1 per triangle, kg: of the spray; empty without nozzles
  double total_coating = 0;       ///< kg, of the whole wall
  double total_force[3] = { 0, 0, 0 };  ///< N: force of the particles on the wall
  double total_torque[3] = { 0, 0, 0 }; ///< N m: torque about the origin of the motion (DEM only)

  /// Sets the motion, and the points of the mesh as moved at `time` (s).
  void place(const WallMotion& present, const std::vector<Vec3d>& mesh, double time);
  /// Sets the loads of `triangles` triangles to 0.
  void clearTriangles(std::size_t triangles);
  std::size_t bytes() const; ///< host memory held

  // With heat transfer only.
  bool has_heat = false, has_temperature = false;
  double temperature = 0;      ///< K, if the wall has a given one
  HostArray<double> heat;      ///< 1 per triangle, J: given to grains since the start
  HostArray<double> heat_flux; ///< 1 per triangle, W/m^2, to grains, in the last step of the
                               ///< temperatures
  double total_heat = 0;       ///< J
  double total_heat_flow = 0;  ///< W
};

} // namespace dem
