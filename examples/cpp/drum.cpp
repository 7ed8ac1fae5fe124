// A drum with lifters, read from an STL file, turns grains over. Shows a mesh wall with a rotation,
// the loads on walls in a frame, and what the motion of a wall costs.
//
// In a steady drum the torque of the weight about the axis equals the torque on the wall. Prints
// the mean power that the drum gives the grains, from the rate of Statistics::wall_work, and
// compares:
// - with the torque on the wall times its angular velocity, within 3 %;
// - with m g x omega, x: horizontal offset of the centre of mass from the axis, within 5 %.
//
// Run: drum [STL]     default: Data/Geometry/drum.stl, from the root of the project
#include "Check.h"

#include "Scene/File/Stl.h"
#include "Scene/Packing/Packing.h"
#include "Solver/Simulation.h"

int main(int argc, char** argv)
{
  constexpr double kPi = 3.14159265358979323846;
  const double g = 9.81;              // m/s^2
  const double omega = 2 * kPi * 0.5; // rad/s: 30 turns a minute
  const double starts = 0.2;          // s, before that the grains settle

  // The file has a drum of 1 m diameter about the y axis. This one has 0.2 m.
  dem::Wall drum;
  drum.name = "Drum";
  dem::readStl(argc > 1 ? argv[1] : "Data/Geometry/drum.stl", drum.points, drum.triangles);
  for (dem::Vec3d& point : drum.points)
    point = 0.2 * point;
  drum.motion.kind = dem::MotionKind::Rotation;
  drum.motion.axis = { 0, 1, 0 };
  drum.motion.rate = omega;
  drum.motion.start = starts;

  dem::Scene scene;
  scene.materials.resize(2);
  scene.materials[0].youngs_modulus = 5e6; // Pa
  scene.materials[1].friction = 0;         // ends of the drum: they take no torque
  scene.walls = { drum };
  scene.domain.lower = { -0.12, -0.012, -0.12 }; // m; closed by walls at both ends
  scene.domain.upper = { 0.12, 0.012, 0.12 };
  scene.domain.wall_material = 1;
  dem::PackingSpec packing;
  packing.lower = { -0.06, -0.012, -0.06 };
  packing.upper = { 0.06, 0.012, 0.03 };
  packing.radius_kind = dem::RadiusKind::Uniform;
  packing.radius_min = 0.0027; // m
  packing.radius_max = 0.0033;
  scene.particles = dem::makePacking(packing);
  scene.gravity = { 0, 0, -g };
  scene.end_time = 3;
  scene.output_interval = 0.005;
  scene.time_step = 4e-5; // s; a contact of two grains at 1 m/s lasts 8e-4 s

  dem::Simulation simulation(scene, { dem::DeviceKind::CPU, 1 }); // one thread
  const std::uint64_t stride = simulation.plan().steps_per_output;

  // Means over the last turn.
  double mass = 0, offset = 0, torque = 0; // kg, m, N m
  int frames = 0;
  simulation.advanceTo(dem::firstStepAt(1, simulation.plan().time_step));
  const double work_before = simulation.statistics().wall_work; // J
  while (simulation.time() < scene.end_time - 1e-9)
  {
    simulation.advanceTo(simulation.step() + stride);
    const dem::Frame frame = simulation.frame();
    double moment = 0;
    mass = 0;
    for (std::size_t i = 0; i < frame.size; ++i)
    {
      mass += frame.mass[i];
      moment += frame.mass[i] * frame.position[3 * i];
    }
    offset += moment / mass;
    torque += frame.walls[0].total_torque[1]; // of the grains on the drum, about the y axis
    ++frames;
  }
  offset /= frames, torque /= frames;
  const double power = (simulation.statistics().wall_work - work_before) / (scene.end_time - 1);

  std::printf("%llu grains, %.3g kg, step %.3g s, offset of the centre of mass %.1f mm\n",
    static_cast<unsigned long long>(simulation.statistics().particles), mass,
    simulation.plan().time_step, 1e3 * offset);
  Checks checks;
  checks.near("power and torque on the drum, W", power, -torque * omega, 0.03);
  checks.near("power and offset of the weight, W", power, -mass * g * offset * omega, 0.05);
  return checks.status();
}
