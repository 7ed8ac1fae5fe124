// Grains that leave through removing borders: which, where, and with what energy.
#include "TestSupport.h"

#include "Shapes/Shape.h"

#include <cmath>
#include <map>

namespace
{

using namespace test;
using dem::Exit;

class Exits : public BackendTest
{
};
PARAGRAIN_ON_ALL_BACKENDS(Exits);

// Grains on parabolas, apart from each other, through the floor, a side and the ceiling of a box
// that is periodic in y.
dem::Scene fountain()
{
  dem::Scene s = emptyScene();
  s.gravity = { 1, 0, -9.81 };
  s.domain.lower = { 0, 0, 0 };
  s.domain.upper = { 0.5, 0.1, 0.4 };
  s.domain.exit = { Exit::Remove, Exit::Periodic, Exit::Remove };
  for (int i = 0; i < 40; ++i)
  {
    addSphere(s, { 0.02 + 0.011 * i, 0.05, 0.05 + 0.004 * i }, 0.002, { 0, 1.3, (i % 5 - 1) * 1. },
      { 20., -30., 5. * i });
    s.particles.id.push_back(700 - 7 * i);
  }
  setSteps(s, 2e-5, 30000);
  return s;
}

std::map<std::int64_t, Vec3d> exitsOf(const dem::Frame& f)
{
  std::map<std::int64_t, Vec3d> exits;
  for (std::size_t k = 0; k < f.exited_id.size(); ++k)
  {
    EXPECT_TRUE(k == 0 || f.exited_id[k] > f.exited_id[k - 1]);
    exits[f.exited_id[k]] = at3(f.exited_position, k);
  }
  return exits;
}

// The exit is the first place of the parabola beyond a border, to a step; the energy that left is
// what the grains began with.
void checkFountain(const dem::Scene& s, const dem::Statistics& begin, dem::Simulation& sim)
{
  const std::map<std::int64_t, Vec3d> exits = exitsOf(sim.frame());
  ASSERT_EQ(exits.size(), s.particles.size());
  for (std::size_t i = 0; i < s.particles.size(); ++i)
  {
    const Vec3d x = s.particles.position[i], v = s.particles.velocity[i], g = s.gravity;
    const auto at = [&](double t) { return x + t * v + (0.5 * t * t) * g; };
    double t = 0;
    while (at(t).x <= s.domain.upper.x && at(t).z >= 0 && at(t).z <= s.domain.upper.z)
      t += s.time_step;
    const Vec3d expected = at(t), found = exits.at(s.particles.id[i]);
    const double step = s.time_step * length(v + t * g) + 1e-6;
    EXPECT_NEAR(found.x, expected.x, step) << i;
    EXPECT_NEAR(found.y - expected.y, 0.1 * std::round((found.y - expected.y) / 0.1), step) << i;
    EXPECT_NEAR(found.z, expected.z, step) << i;
    EXPECT_TRUE(found.x > s.domain.upper.x || found.z < 0 || found.z > s.domain.upper.z) << i;
  }
  const dem::Statistics end = sim.statistics();
  const double energy = begin.kinetic_energy + begin.potential_energy;
  EXPECT_EQ(end.particles, 0u);
  EXPECT_NEAR(end.removed_energy, energy, 1e-5 * begin.kinetic_energy);
  EXPECT_NEAR(end.energy_error, 0, 1e-5 * begin.kinetic_energy);
}

TEST_P(Exits, OfSpheresOnParabolas)
{
  const dem::Scene s = fountain();
  dem::Simulation start = simulate(s), sim = simulate(s);
  sim.advanceTo(30000);
  checkFountain(s, start.statistics(), sim);
  // the same with looks and saved states in between
  dem::Simulation looked = simulate(s), restored = simulate(s);
  for (int k = 1; k <= 40; ++k)
  {
    looked.advanceTo(750 * k);
    const dem::Frame f = looked.frame();
    EXPECT_EQ(f.exited_id.size(), f.statistics.lost);
    EXPECT_NEAR(f.statistics.energy_error, 0, 1e-5 * start.statistics().kinetic_energy) << k;
    if (k == 13)
      restored.restore(looked.save());
  }
  restored.advanceTo(30000);
  EXPECT_SAME_BITS(sim.frame(), looked.frame());
  EXPECT_SAME_BITS(sim.frame(), restored.frame());
  dem::Simulation in_pairs = simulate(
    s); // on a device the first step of a batch moves in place, the next one to other arrays
  for (int k = 1; k <= 15000; ++k)
    in_pairs.advanceTo(2 * k);
  EXPECT_SAME_BITS(sim.frame(), in_pairs.frame());
  restored.restore(start.save()); // back before the exits
  EXPECT_EQ(restored.frame().exited_id.size(), 0u);
}

TEST_P(Exits, OfBodiesOnParabolas)
{
  dem::Scene s = fountain();
  s.shapes.push_back(
    dem::makeMultiSphere("pair", { { -0.001, 0, 0 }, { 0.001, 0, 0 } }, { 0.0012, 0.0008 }));
  s.shapes.push_back(dem::makeNamedPolyhedron("brick", "Brick", { 0.003, 0.002, 0.001 }));
  for (std::size_t i = 0; i < s.particles.size(); ++i)
    s.particles.shape.push_back(static_cast<int>(i % 3));
  dem::Simulation start = simulate(s), sim = simulate(s), restored = simulate(s);
  sim.advanceTo(6000);
  EXPECT_GT(sim.frame().exited_id.size(), 0u);
  restored.restore(sim.save());
  sim.advanceTo(30000);
  checkFountain(s, start.statistics(), sim);
  restored.advanceTo(30000);
  EXPECT_SAME_BITS(sim.frame(), restored.frame());
}

// Colliding grains that leave: the books close but for what their last contacts held.
TEST_P(Exits, BooksCloseInACrowd)
{
  dem::Scene s = emptyScene();
  s.gravity = { 0, 0, -9.81 };
  s.materials[0].restitution = 0.7;
  s.materials[0].friction = 0.3;
  s.domain.lower = { 0, 0, 0 };
  s.domain.upper = { 0.1, 0.1, 0.1 };
  s.domain.exit = { Exit::Wall, Exit::Periodic, Exit::Remove };
  addCloud(s, { 0.01, 0.01, 0.02 }, 8, 8, 6, 0.002, 0.0045, 1.0, 5, 0.01, 50);
  s.end_time = 0.3;
  s.output_interval = 0.02;
  dem::Simulation sim = simulate(s);
  const double scale = sim.statistics().kinetic_energy + sim.statistics().potential_energy;
  for (int k = 1; k <= 15; ++k)
  {
    sim.advanceTo(k * sim.plan().steps_per_output);
    const dem::Statistics now = sim.statistics();
    EXPECT_LT(std::abs(now.energy_error), 2e-3 * scale) << k;
  }
  const dem::Statistics end = sim.statistics();
  EXPECT_EQ(end.particles, 0u);
  EXPECT_GT(end.dissipated_energy, 0.03 * scale);
}

} // namespace
