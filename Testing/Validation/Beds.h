// What the granular cases share: one grain, loose fillings of a cylinder, its walls, and how a bed
// is measured.
#pragma once

#include "Report.h"

#include "Solver/Simulation.h"

#include <vector>

namespace validation
{

using dem::Vec3d;

constexpr double kGravity = 9.81;
constexpr double kDensity = 2500;   ///< kg/m^3, of a grain
constexpr double kDiameter = 0.004; ///< m, mean
constexpr double kSpread =
  0.1; ///< radii are uniform within +- this part of the mean: no crystals at the walls

constexpr double kYoung = 1.5e7; ///< Pa: soft, to save steps; the largest overlap is checked
constexpr double kStep =
  2.5e-5; ///< s: 1/12 of the Hertz contact at 1 m/s, 20 % of the Rayleigh time

double sphereMass(double radius);

/// Grains of the kind above, no walls yet; material 0 = grains, 1 = walls of friction
/// `wall_friction`.
dem::Scene grainScene(double wall_friction);
/// A quarter of gravity until `time`, then up to the whole in six steps over 60 ms: grains dropped
/// at full weight hammer the bed, and friction keeps the stress of the blow.
void settleGently(dem::Scene& scene, double time);

/// `count` grains on a jittered lattice in a cylinder of diameter D around z, from z = 0 up, with
/// small random velocities. Returns the height of the highest grain's top.
double fillCylinder(dem::Scene& scene, double D, std::size_t count, std::uint32_t seed);

dem::Wall floorPlane(int material);
dem::Wall cylinderWall(double D, double bottom, double top, int material);
/// Triangles: a ring from radius `inner` (0 = a disc) to `outer` at z = 0. The hole has the area of
/// the circle.
dem::Wall ringMesh(double inner, double outer, int segments, int material);
dem::Wall cylinderMesh(double D, double bottom, double top, int segments, int rings, int material);

/// Position, id, radius; and walls when asked for.
dem::FrameSelection selection(bool walls);

double totalMass(const dem::Frame& f);
/// Height of a uniform bed with this centre of mass.
double bedHeight(const dem::Frame& f);
/// Solid mass within bottom <= z <= top (spheres are cut exactly) over the volume of the cylinder
/// of diameter D.
double bulkDensity(const dem::Frame& f, double D, double bottom, double top);

struct Case
{
  const char* name;
  const char* what;
  void (*run)(Report& report, const dem::RunOptions& options);
};

void runColumn(Report& report, const dem::RunOptions& options);
void runColumnMesh(Report& report, const dem::RunOptions& options);
void runJanssen(Report& report, const dem::RunOptions& options);
void runBeverloo(Report& report, const dem::RunOptions& options);
void runMpmColumn(Report& report, const dem::RunOptions& options);
void runHeatedDrum(Report& report, const dem::RunOptions& options);
void runHeatedBed(Report& report, const dem::RunOptions& options);
void runCavity(Report& report, const dem::RunOptions& options);
void runFluidisedBed(Report& report, const dem::RunOptions& options);
void runSettling(Report& report, const dem::RunOptions& options);
void runSpouts(Report& report, const dem::RunOptions& options);
void runSpoutedBed(Report& report, const dem::RunOptions& options);
void runGas(Report& report, const dem::RunOptions& options);
void runShapesPacking(Report& report, const dem::RunOptions& options);
void runShapesRepose(Report& report, const dem::RunOptions& options);
void runCoating(Report& report, const dem::RunOptions& options);

} // namespace validation
