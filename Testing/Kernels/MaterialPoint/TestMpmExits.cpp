// Material points that leave through removing borders: which, where, and once.
#include "MpmSupport.h"

#include <cmath>
#include <map>

namespace
{

using namespace test;

class MpmExits : public MpmTest
{
};
PARAGRAIN_ON_ALL_BACKENDS(MpmExits);

// A block in free fall passes the lower border as it is: each point below where it began, and once.
TEST_P(MpmExits, OfAFallingBlock)
{
  mpm::Scene s = softScene(1. / 8);
  s.points = mpm::fillBox({ 0.25, 0.25, 0.1 }, { 0.5, 0.5, 0.6 }, s.grid_spacing, 2, 0.5, 7);
  for (std::size_t i = 0; i < s.points.size(); ++i)
    s.points.id.push_back(static_cast<std::int64_t>(3 * (s.points.size() - i)));
  s.gravity = { 0, 0, -1 };
  s.domain.border[4] = mpm::Border::Remove;
  setVelocity(s, [](const Vec3d&) { return Vec3d{ 0.1, 0, -1 }; });
  std::map<std::int64_t, Vec3d> start;
  for (std::size_t i = 0; i < s.points.size(); ++i)
    start[s.points.id[i]] = s.points.position[i];
  mpm::Simulation sim = simulate(s), restored = simulate(s);
  const std::uint64_t output = sim.plan().steps_per_output; // 0.01 s
  sim.advanceTo(25 * output);
  const mpm::Frame middle = sim.frame();
  EXPECT_GT(middle.exited_id.size(), 10u);
  EXPECT_GT(middle.size, 10u);
  restored.restore(sim.save());
  sim.advanceTo(55 * output);
  restored.advanceTo(55 * output);
  const mpm::Frame f = sim.frame();
  EXPECT_EQ(firstDifference(f, restored.frame()), "");
  EXPECT_EQ(f.exited_id.size(), s.points.size());
  EXPECT_EQ(f.statistics.lost, s.points.size());
  for (std::size_t k = 0; k < f.exited_id.size(); ++k)
  {
    const Vec3d from = start.at(f.exited_id[k]), to = at3(f.exited_position, k);
    start.erase(f.exited_id[k]);
    const double fall = std::sqrt(1 + 2 * from.z) - 1; // z = z0 - t - t^2 / 2
    EXPECT_NEAR(to.x, from.x + 0.1 * fall, 0.01);
    EXPECT_NEAR(to.y, from.y, 0.01);
    EXPECT_LT(to.z, 0);
    EXPECT_GT(to.z, -0.002 * s.grid_spacing);
  }
}

// Steps of many sub-steps list each point once, and their states can be restored.
TEST_P(MpmExits, OfStepsWithSubSteps)
{
  mpm::Scene s = softScene();
  s.materials[0].kind = mpm::MaterialKind::NeoHookean;
  s.gravity = { 0, 0, -10 };
  s.output_interval = 0.05;
  s.domain.border[0] = s.domain.border[4] = mpm::Border::Remove;
  s.points = mpm::fillBox({ 0.2, 0.2, 0.2 }, { 0.45, 0.45, 0.45 }, s.grid_spacing, 2, 0.5, 5);
  setVelocity(s, [](const Vec3d& x) { return Vec3d{ 1 - 2 * x.y, 2 * x.x - 0.7, -1 }; });
  mpm::Simulation sim = simulate(s), restored = simulate(s);
  sim.advanceTo(6 * sim.plan().steps_per_output);
  const mpm::Frame f = sim.frame();
  EXPECT_GT(f.statistics.sub_steps, sim.step());
  EXPECT_GT(f.statistics.lost, 10u);
  EXPECT_EQ(f.exited_id.size(), f.statistics.lost);
  for (std::size_t k = 1; k < f.exited_id.size(); ++k)
    EXPECT_LT(f.exited_id[k - 1], f.exited_id[k]);
  restored.restore(sim.save());
  EXPECT_EQ(firstDifference(f, restored.frame()), "");
}

} // namespace
