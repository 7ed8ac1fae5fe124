// A wall as defined in a scene: surface, material and prescribed motion. Plain data in SI units and
// radians.
#pragma once

#include "Core/Vec.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dem
{

enum class MotionKind
{
  Fixed,
  Rotation,    ///< about the axis through `origin` along `axis` with `rate` rad/s
  Translation, ///< with `velocity` m/s
  Oscillation  ///< along `axis`: amplitude * (sin(2 pi frequency (t - start) + phase) - sin(phase))
};

inline constexpr const char* kMotionKindNames[] = { "Fixed", "Rotation", "Translation",
  "Oscillation" };

/// Prescribed rigid motion of a wall, a closed function of time. The wall rests before `start` and
/// after `stop`.
struct Motion
{
  MotionKind kind = MotionKind::Fixed;
  Vec3d origin{};
  Vec3d axis{ 0, 0, 1 };
  double rate = 0;      ///< rad/s
  Vec3d velocity{};     ///< m/s
  double amplitude = 0; ///< m
  double frequency = 0; ///< Hz
  double phase = 0;     ///< rad
  double start = 0;     ///< s
  double stop = 1e300;  ///< s
  // Pose before `start`. Not zero if steering changed a running motion.
  double angle_before = 0; ///< rad
  Vec3d shift_before{};    ///< m

  /// Restarts the motion at `time` (s) from the pose reached then, so that its speed can be
  /// changed.
  void settle(double time)
  {
    const double run = std::max(0., std::min(time, stop) - start);
    if (kind == MotionKind::Rotation)
      angle_before += rate * run;
    if (kind == MotionKind::Translation)
      shift_before += run * velocity;
    start = std::max(start, time);
    stop = std::max(stop, start);
  }
};

/// The most motions that one wall may have.
inline constexpr std::size_t kMostMotions = 8;

enum class WallKind
{
  Mesh,      ///< triangles, two-sided
  Plane,     ///< through `origin`, the solid half space behind `normal`
  Rectangle, ///< corner `origin`, edges `edge_u`, `edge_v`; two-sided
  Line,      ///< segment from `origin` to `end`
  Box,       ///< surface of the axis-aligned box from `origin` to `end`, two-sided
  Cylinder,  ///< lateral surface around the axis from `origin` to `end`; open, two-sided
  Cone ///< lateral surface, radii `radius` at `origin`, `end_radius` at `end`; open, two-sided
};

inline constexpr const char* kWallKindNames[] = { "Mesh", "Plane", "Rectangle", "Line", "Box",
  "Cylinder", "Cone" };

enum class ThermalCondition
{
  Adiabatic,
  Temperature, ///< the wall has a given temperature
  HeatFlux     ///< the wall gives its flux times its area, in all, to the grains that touch it
};

inline constexpr const char* kThermalConditionNames[] = { "Adiabatic", "Temperature", "Heat Flux" };

/// Condition of a wall for heat transfer. Material::thermal_conductivity of the wall's material is
/// that of its surface.
struct WallHeat
{
  ThermalCondition condition = ThermalCondition::Adiabatic;
  double temperature = 293.15; ///< K, >= 0
  double heat_flux = 0;        ///< W/m^2, to the grains; < 0 cools them
};

struct Wall
{
  std::string name = "Wall";
  WallKind kind = WallKind::Mesh;
  std::vector<Vec3d> points;                          ///< Mesh: m; equal points are merged
  std::vector<std::array<std::int32_t, 3>> triangles; ///< Mesh
  Vec3d origin{}, normal{ 0, 0, 1 }, edge_u{}, edge_v{}, end{};
  double radius = 0, end_radius = 0;
  int material = 0; ///< index into Scene::materials
  Motion motion;
  /// Motions that act after `motion`, in this order. Each moves the wall together with the axes of
  /// the motions before it. Events change `motion` only.
  std::vector<Motion> further_motions;
  WallHeat heat;
  bool permeable = false; ///< a screen: a computed flow passes through it, grains do not
};

/// All motions of a wall, in a form for the device. Axes have length 1.
struct WallMotion
{
  std::int32_t count = 1;
  Motion part[kMostMotions];
};

/// The motions of a wall. Throws dem::Error if there are more than kMostMotions.
WallMotion wallMotion(const Wall& wall);

/// Whether a motion of the wall is not Fixed.
bool isMoving(const Wall& wall);

} // namespace dem
