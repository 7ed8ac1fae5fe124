// Grains leave a flat-bottomed silo through a round orifice. Shows packings, a wall of triangles, a
// moving wall and borders that remove grains.
//
// The grains settle on a closed gate. Then the gate moves down faster than they fall. Prints the
// bulk density of the bed and the rate of the discharge, and compares the rate with Beverloo's law,
//   W = C rho_b sqrt(g) (D - k d)^2.5,  C = 0.58, k = 1.5,
// within 20 % (Beverloo, Leniger, van de Velde, Chem. Eng. Sci. 15 (1961) 260; k of spheres:
// Nedderman, Statics and Kinematics of Granular Materials, 1992, ch. 10).
//
// Run: hopper
#include "Check.h"

#include "Scene/Packing/Packing.h"
#include "Solver/Simulation.h"

namespace
{

constexpr double kPi = 3.14159265358979323846;
const double g = 9.81;         // m/s^2
const double diameter = 0.004; // m, mean of the grains; the radii spread by 10 %
const double silo = 0.056;     // m, diameter
const double orifice = 0.030;  // m, diameter
const double top = 0.130;      // m
const double opens = 0.25;     // s

// A flat ring at z = 0 of 48 pairs of triangles.
dem::Wall ringFloor()
{
  dem::Wall wall;
  wall.name = "Floor";
  for (int i = 0; i < 48; ++i)
  {
    for (double r : { 0.5 * orifice, 0.6 * silo })
      wall.points.push_back({ r * std::cos(kPi * i / 24), r * std::sin(kPi * i / 24), 0 });
    const int a = 2 * i, b = 2 * ((i + 1) % 48); // inner corners; the outer ones follow them
    wall.triangles.push_back({ a, a + 1, b + 1 });
    wall.triangles.push_back({ a, b + 1, b });
  }
  return wall;
}

dem::Scene makeScene()
{
  dem::Scene scene;
  scene.materials[0].youngs_modulus = 5e6; // Pa; soft, for a large time step
  scene.materials[0].friction = 0.3;       // glass beads
  dem::PackingSpec packing;
  const double half = silo / 2 / std::sqrt(2.) - 1e-4; // a square inside the circle
  packing.lower = { -half, -half, 0 };
  packing.upper = { half, half, top };
  packing.radius_kind = dem::RadiusKind::Uniform;
  packing.radius_min = 0.9 * diameter / 2;
  packing.radius_max = 1.1 * diameter / 2;
  scene.particles = dem::makePacking(packing);

  dem::Wall side, gate;
  side.name = "Side";
  side.kind = dem::WallKind::Cylinder;
  side.end = { 0, 0, top };
  side.radius = silo / 2;
  gate.name = "Gate";
  gate.kind = dem::WallKind::Rectangle;
  gate.origin = { -0.6 * orifice, -0.6 * orifice, -1e-4 };
  gate.edge_u = { 1.2 * orifice, 0, 0 };
  gate.edge_v = { 0, 1.2 * orifice, 0 };
  gate.motion.kind = dem::MotionKind::Translation;
  gate.motion.velocity = { 0, 0, -3 }; // m/s
  gate.motion.start = opens;
  scene.walls = { ringFloor(), side, gate };

  scene.domain.lower = { -silo, -silo, -0.02 };
  scene.domain.upper = { silo, silo, top };
  scene.domain.exit = { dem::Exit::Remove, dem::Exit::Remove, dem::Exit::Remove };
  scene.gravity = { 0, 0, -g };
  scene.end_time = opens + 0.25;
  scene.output_interval = 0.01;
  scene.time_step = 2.5e-5; // s; a contact of two grains at 1 m/s lasts 5e-4 s
  return scene;
}

} // namespace

int main()
{
  const dem::Scene scene = makeScene();
  dem::Simulation simulation(scene, { dem::DeviceKind::CPU, 1 }); // one thread
  const auto frameAt = [&](double time) {
    simulation.advanceTo(dem::firstStepAt(time, simulation.plan().time_step));
    return simulation.frame();
  };
  const auto massOf = [](const dem::Frame& frame, double lowest, double highest) {
    double mass = 0; // kg, of the grains whose centres lie between these heights (m)
    for (std::size_t i = 0; i < frame.size; ++i)
      if (frame.position[3 * i + 2] > lowest && frame.position[3 * i + 2] < highest)
        mass += frame.mass[i];
    return mass;
  };

  const dem::Frame bed = frameAt(opens);
  const double low = 2 * diameter, high = 8 * diameter; // away from floor and surface
  const double density = massOf(bed, low, high) / ((high - low) * kPi * silo * silo / 4);
  const double begin = opens + 0.08, end = opens + 0.22; // s, the window of steady flow
  const double rate = (massOf(frameAt(begin), -1, 1) - massOf(frameAt(end), -1, 1)) / (end - begin);
  const double law = 0.58 * density * std::sqrt(g) * std::pow(orifice - 1.5 * diameter, 2.5);

  const dem::Statistics now = simulation.statistics();
  std::printf("%zu grains, step %.3g s, bulk density %.0f kg/m^3, %llu grains left\n", bed.size,
    simulation.plan().time_step, density, static_cast<unsigned long long>(now.lost));
  Checks checks;
  checks.near("rate of discharge, kg/s", rate, law, 0.2);
  checks.isTrue("no grain left before the gate opened", bed.statistics.lost == 0);
  checks.isTrue("overlaps are below 5 % of a radius", now.largest_overlap < 0.05);
  return checks.status();
}
