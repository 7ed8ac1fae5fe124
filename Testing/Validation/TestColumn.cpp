// Item 7, quick part: a settled column; walls and floor carry the weight (paragrain-validate does
// Janssen and Beverloo).
#include "TestSupport.h"

#include <algorithm>

using namespace test;

namespace
{
class Column : public BackendTest
{
};
} // namespace

// 400 grains of 4 to 6 mm in a square shaft of 30 mm settle for 0.5 s; over the next 0.1 s the mean
// vertical force on floor and sides is the weight to 1e-3 (Newton's law: the rest is the change of
// momentum), while the sides are pressed too. (In which sense they carry depends on how the bed was
// filled.)
TEST_P(Column, FloorAndWallsCarryTheWeight)
{
  dem::Scene s = emptyScene();
  s.gravity = { 0, 0, -9.81 };
  s.materials[0] = { "grain", 5e6, 0.3, 2500, 0.3, 0.5, 0 };
  s.domain.lower = { -0.05, -0.05, -0.05 };
  s.domain.upper = { 0.05, 0.05, 0.6 };
  addCloud(s, { -0.015, -0.015, 0.0005 }, 5, 5, 16, 0.002, 0.0029, 0.1, 17, 0.006);
  const double h = 0.015;
  s.walls = { planeWall({ 0, 0, 0 }, { 0, 0, 1 }), planeWall({ -h, 0, 0 }, { 1, 0, 0 }),
    planeWall({ h, 0, 0 }, { -1, 0, 0 }), planeWall({ 0, -h, 0 }, { 0, 1, 0 }),
    planeWall({ 0, h, 0 }, { 0, -1, 0 }) };
  s.end_time = 0.6;
  s.output_interval = 0.1;
  double weight = 0;
  for (double r : s.particles.radius)
  {
    weight += sphereMass(r, 2500) * 9.81;
  }
  dem::Simulation sim = simulate(s);
  const std::uint64_t per = sim.plan().steps_per_output;
  sim.advanceTo(5 * per);
  dem::FrameSelection only = motionOnly();
  only.walls = true;
  double floor = 0, sides = 0, pressed = 0;
  int samples = 0;
  while (sim.step() < 6 * per)
  {
    advance(sim, std::max<std::uint64_t>(1, per / 100));
    const dem::Frame f = sim.frame(only);
    floor -= f.walls[0].total_force[2];
    for (int w = 1; w < 5; ++w)
    {
      sides -= f.walls[w].total_force[2];
      pressed += std::hypot(f.walls[w].total_force[0], f.walls[w].total_force[1]);
    }
    ++samples;
  }
  floor /= samples;
  sides /= samples;
  EXPECT_EQ(sim.statistics().lost, 0u);
  EXPECT_LT(sim.statistics().kinetic_energy, 1e-6 * weight);
  EXPECT_NEAR((floor + sides) / weight, 1, 1e-3);
  EXPECT_GT(pressed / samples, 0.1 * weight);
}

PARAGRAIN_ON_ALL_BACKENDS(Column);
