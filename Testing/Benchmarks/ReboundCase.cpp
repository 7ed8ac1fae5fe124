#include "ReboundCase.h"

#include "Scene/Scene.h"

#include <cstdint>

namespace bench
{
namespace
{

constexpr double kRadius = 0.005, kNormal = 0.5, kContactTime = 2e-5; // m, m/s, s

// -v_t' / v_n' of the contact point.
double reflexion(const dem::RunOptions& run, double incidence, double ratio)
{
  constexpr std::uint64_t kSteps = 1400;
  dem::Scene scene;
  dem::Material steel;
  steel.name = "Steel";
  steel.youngs_modulus = 2.1e11;
  steel.poissons_ratio = 0.3;
  steel.density = 7800;
  steel.restitution = kReboundE;
  steel.friction = kReboundFriction;
  scene.materials = { steel };
  scene.particles.position = { { 0, 0, kRadius } };
  scene.particles.velocity = { { incidence * kNormal, 0, -kNormal } };
  scene.particles.radius = { kRadius };
  dem::Wall floor;
  floor.name = "Floor";
  floor.kind = dem::WallKind::Plane;
  floor.origin = { 0, 0, 0 };
  floor.normal = { 0, 0, 1 };
  scene.walls = { floor };
  scene.gravity = {};
  scene.domain.limited = false;
  scene.precision = dem::Precision::Double;
  scene.contact.law = dem::NormalLaw::LinearSpringDashpot;
  scene.contact.collision_time = kContactTime;
  scene.contact.tangential_history = ratio > 0;
  if (ratio > 0)
  {
    scene.contact.stiffness_ratio = ratio;
    scene.contact.tangential_damping = dem::TangentialDamping::None;
  }
  scene.time_step = kContactTime / 1000;
  scene.end_time = scene.output_interval = kSteps * scene.time_step;
  dem::Simulation simulation(scene, run);
  simulation.advanceTo(kSteps);
  const dem::Frame f = simulation.frame();
  const double slip =
    static_cast<double>(f.velocity[0]) - kRadius * static_cast<double>(f.angular_velocity[1]);
  return slip / static_cast<double>(f.velocity[2]);
}

} // namespace

double reboundStiffnessRatio(const dem::RunOptions& run)
{
  double low = 0.05, high = 2. / 7; // the closed form without sliding has 0.108
  for (int k = 0; k < 14; ++k)
  {
    const double ratio = 0.5 * (low + high);
    (reflexion(run, 1, ratio) > -kReboundBeta / kReboundE ? low : high) = ratio;
  }
  return 0.5 * (low + high);
}

std::vector<Rebound> rebounds(const dem::RunOptions& run, double ratio)
{
  std::vector<Rebound> all;
  for (const double incidence : { 0., 1., 2., 3., 3.5, 4., 5., 6., 7., 8., 9. })
    all.push_back({ incidence, reflexion(run, incidence, ratio) });
  return all;
}

} // namespace bench
