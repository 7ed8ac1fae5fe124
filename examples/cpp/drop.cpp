// A sphere falls on a plane. Shows the shortest program: a scene, a simulation, and its frames.
//
// Prints the time of the fall, the height of the rebound and the energy balance, and compares:
// - the fall with t = sqrt(2 h / g), within 0.1 %;
// - the rebound with h e^2, within 1 %, e: coefficient of restitution;
// - the dissipated energy with m g h (1 - e^2), within 1 %.
//
// Run: drop
#include "Check.h"

#include "Solver/Simulation.h"

#include <algorithm>

int main()
{
  const double g = 9.81;       // m/s^2
  const double radius = 0.005; // m
  const double height = 0.2;   // m, gap between sphere and plane at the start
  const double restitution = 0.8;

  dem::Scene scene;
  dem::Material& grain = scene.materials[0];
  grain.youngs_modulus = 1e7; // Pa
  grain.density = 2500;       // kg/m^3
  grain.restitution = restitution;

  scene.particles.position = { { 0, 0, radius + height } };
  scene.particles.radius = { radius };

  dem::Wall floor;
  floor.name = "Floor";
  floor.kind = dem::WallKind::Plane; // through the origin, normal +z
  scene.walls = { floor };

  scene.gravity = { 0, 0, -g };
  scene.domain.limited = false;
  scene.end_time = 1;
  scene.output_interval = 1e-3;
  scene.time_step = 1e-5; // s; a contact lasts 1e-3 s

  dem::Simulation simulation(scene, { dem::DeviceKind::CPU, 1 }); // one thread

  // A frame every ten steps, without the arrays that take most time.
  dem::FrameSelection selection{};
  selection.contacts = selection.walls = selection.stress = false;
  double time_of_contact = 0, apex = 0, before = height;
  bool rebounds = false;
  while (simulation.time() < scene.end_time)
  {
    simulation.advanceTo(simulation.step() + 10);
    const dem::Frame frame = simulation.frame(selection);
    const double gap = frame.position[2] - radius, speed = frame.velocity[2];
    if (time_of_contact == 0 && gap <= 0) // linear interpolation since the last frame
      time_of_contact = frame.time - 10 * simulation.plan().time_step * gap / (gap - before);
    if (time_of_contact > 0 && speed > 0)
      rebounds = true;
    if (rebounds)
      apex = std::max(apex, gap);
    if (rebounds && speed < 0)
      break;
    before = gap;
  }

  const double mass = simulation.frame(selection).mass[0]; // kg
  const double lost = simulation.statistics().dissipated_energy;
  const double e2 = restitution * restitution;
  Checks checks;
  checks.near("time of the fall, s", time_of_contact, std::sqrt(2 * height / g), 1e-3);
  checks.near("height of the rebound, m", apex, height * e2, 0.01);
  checks.near("dissipated energy, J", lost, mass * g * height * (1 - e2), 0.01);
  return checks.status();
}
