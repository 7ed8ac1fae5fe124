// Borders and walls of the Material Point Method: motion of the material at them, points that
// leave, loads.
#include "MpmSupport.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace
{

using namespace test;
using mpm::Scene;

class MpmBorders : public MpmTest
{
};
PARAGRAIN_ON_ALL_BACKENDS(MpmBorders);

// Four triangles at height z around one point.
dem::Wall fan(double z)
{
  return meshWall({ { -1, -1, z }, { 2, -1, z }, { 2, 2, z }, { -1, 2, z }, { 0.5, 0.5, z } },
    { { 0, 1, 4 }, { 1, 2, 4 }, { 2, 3, 4 }, { 3, 0, 4 } });
}

TEST_P(MpmBorders, StickSlipAndSeparate)
{
  for (mpm::Border border : { mpm::Border::Stick, mpm::Border::Slip, mpm::Border::Separate })
  {
    SCOPED_TRACE(mpm::name(border));
    Scene s = softScene();
    s.domain.border[4] = border;
    s.domain.friction = 0;
    s.points = mpm::fillBox({ 0.3, 0.3, 0 }, { 0.7, 0.7, 0.25 }, s.grid_spacing, 2, 0, 1);
    setVelocity(s, [](const Vec3d&) { return Vec3d{ 0.5, 0, -0.2 }; });
    auto run = simulate(s);
    run.advanceTo(5 * run.plan().steps_per_output);
    const mpm::Frame f = run.frame();
    double low_speed = 0, lowest = 1;
    int low = 0;
    for (std::size_t i = 0; i < f.size; ++i)
    {
      lowest = std::min(lowest, f.position[3 * i + 2]);
      if (f.position[3 * i + 2] < 0.02)
      {
        low_speed += f.velocity[3 * i];
        ++low;
      }
    }
    ASSERT_GT(low, 0);
    EXPECT_GE(lowest, 0);
    if (border == mpm::Border::Stick)
      EXPECT_NEAR(low_speed / low, 0, 0.05);
    else
      EXPECT_NEAR(low_speed / low, 0.5, 5e-4);
  }
  // what leaves: Separate lets go, Slip holds
  for (mpm::Border border : { mpm::Border::Slip, mpm::Border::Separate })
  {
    Scene s = softScene();
    s.domain.border[4] = border;
    s.points = mpm::fillBox({ 0.3, 0.3, 0 }, { 0.7, 0.7, 0.25 }, s.grid_spacing, 2, 0, 1);
    setVelocity(s, [](const Vec3d&) { return Vec3d{ 0, 0, 0.5 }; });
    auto run = simulate(s);
    run.advanceTo(20 * run.plan().steps_per_output);
    const mpm::Frame f = run.frame();
    double low = 1;
    for (std::size_t i = 0; i < f.size; ++i)
      low = std::min(low, f.position[3 * i + 2]);
    if (border == mpm::Border::Slip)
      EXPECT_LT(low, 0.02);
    else
      EXPECT_GT(low, 0.11);
  }
}

TEST_P(MpmBorders, PointsLeaveThroughOpenBorders)
{
  Scene s = softScene();
  s.domain.border[1] = mpm::Border::Remove;
  s.points = mpm::fillBox({ 0.6, 0.4, 0.4 }, { 0.9, 0.6, 0.6 }, s.grid_spacing, 2, 0, 1);
  setVelocity(s, [](const Vec3d&) { return Vec3d{ 2, 0, 0 }; });
  auto run = simulate(s);
  const std::size_t n = s.points.size();
  run.advanceTo(10 * run.plan().steps_per_output);
  const mpm::Frame f = run.frame();
  std::size_t left = 0;
  for (const Vec3d& x : s.points.position)
    left += x.x + 0.2 < 1;
  EXPECT_EQ(f.size, left);
  EXPECT_EQ(f.statistics.lost, n - left);
  for (std::size_t i = 1; i < f.size; ++i)
    EXPECT_LT(f.id[i - 1], f.id[i]);
  run.advanceTo(40 * run.plan().steps_per_output);
  EXPECT_EQ(run.frame().size, 0u);
  EXPECT_EQ(run.statistics().lost, n);
}

// Sub-steps in place do not write the place and mass of points that left, so a state may have any
// number there.
TEST_P(MpmBorders, MassesOfPointsThatLeftDoNotMatter)
{
  Scene s = softScene();
  s.domain.border[1] = mpm::Border::Remove;
  s.points = mpm::fillBox({ 0.6, 0.4, 0.4 }, { 0.9, 0.6, 0.6 }, s.grid_spacing, 2, 0, 1);
  setVelocity(s, [](const Vec3d&) { return Vec3d{ 2, 0, 0 }; });
  auto run = simulate(s);
  mpm::SnapshotBytes state;
  std::size_t n = 0, key = 0, changed = 0;
  const auto count = [&](std::size_t at) {
    std::uint64_t value = 0;
    std::memcpy(&value, &state.at(at), sizeof value);
    return value;
  };
  while (changed == 0 && run.step() < 12 * run.plan().steps_per_output)
  {
    run.advanceTo(run.step() + 1);
    state = run.save();
    // the state ends with 8 columns of 4 numbers, volumes, bins (u32), ranks (u32), materials (u8)
    for (n = s.points.size(); count(state.size() - n - 8) != n;)
      --n;
    key = state.size() - n - 8 - 4 * n - 8 - 4 * n;
    const std::size_t real = precision() == mpm::Precision::Single ? 4 : 8;
    const std::size_t place = key - 8 - real * n - 8 * (8 + 4 * real * n);
    for (std::size_t i = 0; i < n; ++i)
      if (const std::size_t at = key + 4 * i;
          std::all_of(&state[at], &state[at] + 4, [](std::uint8_t b) { return b == 0xff; }))
      {
        std::fill_n(&state.at(place + real * (4 * i + 3)), real, std::uint8_t(0xff)); // NaN
        ++changed;
      }
  }
  EXPECT_GT(changed, 0u);
  auto other = simulate(s);
  other.restore(state);
  run.advanceTo(run.step() + 5);
  other.advanceTo(run.step());
  EXPECT_EQ(firstDifference(run.frame(), other.frame()), "");
}

// A block slides down a plane that is inclined: g (sin - mu cos). Coulomb friction of a Separate
// wall.
TEST_P(MpmBorders, FrictionOnAnInclinedPlane)
{
  for (double mu : { 0.2, 0.6 })
  {
    SCOPED_TRACE(mu);
    Scene s = softScene(1. / 16);
    s.materials[0].youngs_modulus = 1e6;
    s.domain.upper = { 2, 1, 1 };
    s.domain.border = { mpm::Border::Slip, mpm::Border::Slip, mpm::Border::Slip, mpm::Border::Slip,
      mpm::Border::Slip, mpm::Border::Slip };
    const double angle = 0.35, g = 10;
    s.gravity = { g * std::sin(angle), 0, -g * std::cos(angle) };
    s.walls = { planeWall({ 0, 0, 0.25 }, { 0, 0, 1 }) };
    s.wall_contacts = { { mpm::Contact::Separate, mu } };
    s.points = mpm::fillBox({ 0.25, 0.25, 0.25 }, { 0.75, 0.75, 0.5 }, s.grid_spacing, 2, 0, 1);
    auto run = simulate(s);
    run.advanceTo(40 * run.plan().steps_per_output);
    const mpm::Statistics st = run.statistics();
    const double speed = st.momentum[0] / st.mass, t = run.time();
    const double expected = std::max(0., g * (std::sin(angle) - mu * std::cos(angle)) * t);
    EXPECT_NEAR(speed, expected, 0.02 * g * std::sin(angle) * t);
  }
}

// The same floor as a plane, a rectangle, a triangle mesh and a border: a block that falls on it
// behaves alike.
TEST_P(MpmBorders, WallsOfAllKindsHold)
{
  std::vector<double> height;
  for (int kind = 0; kind < 4; ++kind)
  {
    Scene s = softScene(1. / 16);
    s.gravity = { 0, 0, -10 };
    const double z = 0.25;
    s.domain.lower = { 0, 0, kind == 3 ? z : 0 };
    const dem::Wall walls[] = { planeWall({ 0, 0, z }, { 0, 0, 1 }),
      rectangleWall({ -0.5, -0.5, z }, { 2, 0, 0 }, { 0, 2, 0 }), fan(z) };
    if (kind < 3)
      s.walls = { walls[kind] };
    s.domain.border[4] = mpm::Border::Separate;
    s.points =
      mpm::fillBox({ 0.375, 0.375, 0.3125 }, { 0.625, 0.625, 0.5625 }, s.grid_spacing, 2, 0, 1);
    auto run = simulate(s);
    run.advanceTo(30 * run.plan().steps_per_output);
    const mpm::Frame f = run.frame();
    double low = 9, mean = 0;
    for (std::size_t i = 0; i < f.size; ++i)
    {
      low = std::min(low, f.position[3 * i + 2]);
      mean += f.position[3 * i + 2] / static_cast<double>(f.size);
    }
    EXPECT_GT(low, z) << kind;
    height.push_back(mean);
  }
  for (double h : height)
    EXPECT_NEAR(h, height[0], 1e-6);
}

// A piston pushes a block at its own velocity.
TEST_P(MpmBorders, MovingWallsPush)
{
  Scene s = softScene();
  dem::Wall w = rectangleWall({ 0.2, -0.5, -0.5 }, { 0, 2, 0 }, { 0, 0, 2 });
  w.motion.kind = dem::MotionKind::Translation;
  w.motion.velocity = { 0.5, 0, 0 };
  s.walls = { w };
  s.points = mpm::fillBox({ 0.25, 0.375, 0.375 }, { 0.5, 0.625, 0.625 }, s.grid_spacing, 2, 0, 1);
  auto run = simulate(s);
  run.advanceTo(50 * run.plan().steps_per_output);
  const mpm::Frame f = run.frame();
  double low = 9;
  for (std::size_t i = 0; i < f.size; ++i)
    low = std::min(low, f.position[3 * i]);
  EXPECT_GT(low, 0.2 + 0.5 * run.time());
  const double speed = run.statistics().momentum[0] /
    run.statistics().mass; // it bounces off, at most at twice the piston's
  EXPECT_GT(speed, 0.5);
  EXPECT_LT(speed, 1);
}

// A block at rest weighs what its walls bear; friction holds it on a slope; the loads go on through
// saved states.
TEST_P(MpmBorders, WallsTellTheirLoads)
{
  for (int kind = 0; kind < 2; ++kind)
  {
    SCOPED_TRACE(kind);
    Scene s = softScene();
    s.materials[0].youngs_modulus = 3e4;
    s.cfl = 0.8;
    const double angle = kind ? 0.3 : 0, g = 10;
    s.gravity = { g * std::sin(angle), 0, -g * std::cos(angle) };
    const double z = 0.25;
    s.walls = { kind == 0 ? fan(z) : planeWall({ 0, 0, z }, { 0, 0, 1 }) };
    s.wall_contacts = { { mpm::Contact::Separate, kind ? 0.9 : 0. } };
    s.points =
      mpm::fillBox({ 0.375, 0.375, z }, { 0.625, 0.625, z + 0.25 }, s.grid_spacing, 2, 0, 1);
    s.transfer = mpm::Transfer::PIC; // comes to rest
    auto run = simulate(s), other = simulate(s);
    EXPECT_EQ(run.frame().walls.at(0).total_force[2], 0);
    run.advanceTo(150 * run.plan().steps_per_output);
    const mpm::Frame f = run.frame();
    ASSERT_EQ(f.walls.size(), 1u);
    const double weight = f.statistics.mass * g;
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(f.walls[0].total_force[k], f.statistics.mass * s.gravity[k], 1e-3 * weight) << k;
    if (kind == 0)
    {
      double sum = 0;
      for (int t = 0; t < 4; ++t)
      {
        sum += f.walls[0].force[3 * t + 2];
        EXPECT_NEAR(f.walls[0].force[3 * t + 2], -weight / 4,
          0.02 * weight); // the block stands in the middle
        EXPECT_NEAR(f.walls[0].pressure[t], -f.walls[0].force[3 * t + 2] / 2.25, 1e-4 * weight);
        EXPECT_LT(f.walls[0].shear_stress[t], 1e-3 * f.walls[0].pressure[t]);
      }
      EXPECT_NEAR(sum, f.walls[0].total_force[2], 1e-4 * weight);
    }
    other.restore(run.save());
    const mpm::Frame again = other.frame();
    for (int k = 0; k < 3; ++k)
      EXPECT_EQ(again.walls[0].total_force[k], f.walls[0].total_force[k]);
  }
}

} // namespace
