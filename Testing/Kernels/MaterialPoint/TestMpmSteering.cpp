// Material points: changes under way, and the newest frame where the run's device has it.
#include "AveragedFields.h"
#include "MpmSupport.h"

#include "Analysis/Continuum.h"
#include "MaterialPoint/MpmTimeline.h"
#include "MaterialPoint/MpmValidation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace
{

using namespace test;
using mpm::Scene;

class MpmSteering : public MpmTest
{
protected:
  mpm::Timeline timeline(mpm::Scene scene) const
  {
    scene.precision = precision();
    mpm::TimelineOptions options;
    options.run.device = GetParam().device;
    return mpm::Timeline(scene, options);
  }
};
PARAGRAIN_ON_ALL_BACKENDS(MpmSteering);

dem::Wall triangle()
{
  return meshWall({ { 0.1, 0.1, 0.1 }, { 0.2, 0.1, 0.1 }, { 0.1, 0.2, 0.1 } }, { { 0, 1, 2 } });
}

Scene fallingBlock()
{
  Scene s = softScene(1. / 8);
  s.points = mpm::fillBox({ 0.25, 0.25, 0.5 }, { 0.5, 0.5, 0.75 }, s.grid_spacing, 2, 0.5, 7);
  s.gravity = { 0, 0, -1 };
  s.end_time = 0.2;
  return s;
}

double meanVelocity(const mpm::Frame& f, int axis)
{
  double sum = 0;
  for (std::size_t i = 0; i < f.size; ++i)
    sum += f.velocity[3 * i + axis];
  return sum / static_cast<double>(f.size);
}

TEST_P(MpmSteering, GravityTurnsAtItsTime)
{
  mpm::Timeline t = timeline(fallingBlock());
  const auto before = t.at(5).frame;
  EXPECT_NEAR(meanVelocity(*before, 2), -0.05, 1e-6);
  t.steer(5, "Gravity", { 3, 0, 0 });
  EXPECT_EQ(firstDifference(*before, *t.at(5).frame), "")
    << "the moment of a change shows what was before it";
  const auto after = t.at(12).frame;
  EXPECT_NEAR(meanVelocity(*after, 0), 0.21, 1e-6);
  EXPECT_NEAR(meanVelocity(*after, 2), -0.05, 1e-6);
  EXPECT_EQ(t.simulation().scene().gravity.x, 3);
  // back before the change and again
  EXPECT_NEAR(meanVelocity(*t.at(3).frame, 2), -0.03, 1e-6);
  t.select([] {
    mpm::FrameSelection s;
    s.grid = false;
    return s;
  }()); // forgets what was shown
  t.at(2);
  const mpm::Frame again = *t.at(12).frame;
  for (std::size_t i = 0; i < 3 * again.size; ++i)
    ASSERT_EQ(again.position[i], after->position[i]);
}

// A saved state knows its changes: a run of the scene as it began goes on with the same bits.
TEST_P(MpmSteering, StatesKeepChanges)
{
  Scene s = fallingBlock();
  auto whole = simulate(s), other = simulate(s);
  whole.advanceTo(8);
  whole.apply({ 0, "Gravity", { 0, 2, -3 } });
  whole.apply({ whole.time() + 4.5 * whole.plan().time_step, "YoungsModulus", { 3e5 } });
  const mpm::SnapshotBytes at_change = whole.save();
  whole.advanceTo(11);
  const mpm::SnapshotBytes state = whole.save();
  whole.advanceTo(20);
  other.restore(state);
  other.apply({ 8 * whole.plan().time_step + 4.5 * whole.plan().time_step, "YoungsModulus",
    { 3e5 } }); // not of that state's past
  other.advanceTo(20);
  EXPECT_EQ(other.scene().gravity.y, 2);
  EXPECT_EQ(firstDifference(whole.frame(), other.frame()), "");
  // one that was due waits in the state; what lies ahead is known to the run itself
  whole.restore(at_change);
  EXPECT_EQ(whole.scene().gravity.y, 0);
  whole.advanceTo(20);
  EXPECT_EQ(firstDifference(whole.frame(), other.frame()), "");
  whole.advanceTo(21);
  EXPECT_EQ(whole.scene().materials[0].youngs_modulus, 3e5);
}

// A damaged state is refused by name, and leaves the run as it was.
TEST_P(MpmSteering, StatesWithImpossiblePointsAreRefused)
{
  Scene s = fallingBlock();
  s.points.mass.assign(s.points.size(), 0.73125);
  auto run = simulate(s);
  run.advanceTo(3);
  const mpm::SnapshotBytes state = run.save();
  const auto damaged = [&](auto mass, int number, double value) {
    const auto* first = reinterpret_cast<const std::uint8_t*>(&mass);
    const auto at = std::search(state.begin(), state.end(), first, first + sizeof(mass));
    mpm::SnapshotBytes bytes = state;
    mass = static_cast<decltype(mass)>(value);
    // a point's first four numbers: its place in the cell, its mass
    const auto size = static_cast<std::ptrdiff_t>(sizeof(mass));
    const auto offset = at - state.begin() + (number - 3) * size;
    std::memcpy(&bytes.at(offset), &mass, sizeof(mass));
    return errorOf([&] { run.restore(bytes); });
  };
  const auto error = [&](int number, double value) {
    return precision() == mpm::Precision::Single ? damaged(0.73125f, number, value)
                                                 : damaged(0.73125, number, value);
  };
  EXPECT_NE(error(0, 1e30).find("outside of its cell"), std::string::npos);
  EXPECT_NE(error(1, std::nan("")).find("outside of its cell"), std::string::npos);
  EXPECT_NE(error(2, -0.5).find("outside of its cell"), std::string::npos);
  EXPECT_NE(error(3, 0).find("impossible mass"), std::string::npos);
  EXPECT_NE(error(3, 1e20).find("impossible mass"), std::string::npos);
  run.restore(state);
  run.advanceTo(5);
  auto whole = simulate(s);
  whole.advanceTo(5);
  EXPECT_EQ(firstDifference(whole.frame(), run.frame()), "");
}

// What comes before a failure stays as it was, and a change there cures it.
TEST_P(MpmSteering, AFailureKeepsWhatCameBefore)
{
  mpm::Timeline plain = timeline(fallingBlock()), t = timeline(fallingBlock());
  const auto expected = [&](std::uint64_t output) { return plain.at(output).frame; };
  const auto fails = [&](std::uint64_t output) { return errorOf([&] { t.at(output); }); };
  t.steer(5, "Gravity", { 0, 0, -1e300 });
  const std::string error = fails(6);
  EXPECT_NE(error, "");
  EXPECT_EQ(fails(6), error);
  EXPECT_EQ(fails(9), error);
  mpm::FrameSelection fewer;
  fewer.grid = false;
  t.select(fewer);
  t.select({}); // forgets what was shown
  EXPECT_EQ(firstDifference(*expected(5), *t.at(5).frame), "");
  EXPECT_EQ(fails(6), error);
  EXPECT_EQ(firstDifference(*expected(2), *t.at(2).frame), "");
  EXPECT_EQ(fails(7), error);
  EXPECT_EQ(t.simulation().step(), 5 * t.simulation().plan().steps_per_output);
  mpm::Timeline other = timeline(fallingBlock());
  other.load(t.save());
  EXPECT_EQ(firstDifference(*expected(5), *other.at(5).frame), "");
  EXPECT_EQ(errorOf([&] { other.at(6); }), error);
  EXPECT_EQ(fails(7), error);
  t.steer(5, "Gravity", { 0, 0, -1 });
  EXPECT_EQ(firstDifference(*expected(12), *t.at(12).frame), "");
  EXPECT_EQ(firstDifference(*expected(6), *t.at(6).frame), "");
}

// F stays, tau follows the law: a stretched block that is let go. The automatic step follows the
// stiffness.
TEST_P(MpmSteering, StressesFollowAStifferMaterial)
{
  Scene s = softScene(1. / 8);
  s.points = mpm::fillBox({ 0.25, 0.25, 0.25 }, { 0.75, 0.75, 0.75 }, s.grid_spacing, 2, 0, 7);
  const double strain = 1e-3;
  s.points.deformation.assign(
    s.points.size(), mpm::Matrix3d{ { { 1 + strain, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } });
  s.output_interval = 1e-7;
  s.end_time = 1e-6;
  auto run = simulate(s);
  const auto stressOf = [&](double young) { // Hooke in one direction
    return young * 0.7 / (1.3 * 0.4) * strain;
  };
  run.apply({ 0, "YoungsModulus", { 4e5 } });
  EXPECT_NEAR(run.frame().stress[0], stressOf(1e5), 3e-3 * stressOf(1e5)) << "of the moment before";
  run.advanceTo(1);
  const mpm::Frame f = run.frame();
  for (std::size_t i = 0; i < f.size; ++i)
    ASSERT_NEAR(f.stress[6 * i], stressOf(4e5), 3e-3 * stressOf(4e5));

  s.output_interval = 0.01;
  s.end_time = 1;
  auto long_run = simulate(s);
  long_run.advanceTo(1);
  const double sub_steps = static_cast<double>(long_run.statistics().sub_steps);
  long_run.apply({ 0, "YoungsModulus", { 16e5 } });
  long_run.advanceTo(2);
  EXPECT_NEAR(static_cast<double>(long_run.statistics().sub_steps) - sub_steps, 4 * sub_steps, 1.5);
  EXPECT_LE(long_run.statistics().largest_cfl, s.cfl * 1.2);
}

// A fluid at rest under shear: viscous stress goes with the viscosity at once.
TEST_P(MpmSteering, ThickerFluids)
{
  Scene s = softScene(1. / 8);
  s.materials[0].kind = mpm::MaterialKind::Fluid;
  s.materials[0].bulk_modulus = 1e5;
  s.materials[0].viscosity = 2;
  s.points = mpm::fillBox({ 0.25, 0.25, 0.25 }, { 0.75, 0.75, 0.75 }, s.grid_spacing, 2, 0, 7);
  s.output_interval = 1e-6;
  s.end_time = 1e-5;
  setVelocity(s, [](const Vec3d& x) { return Vec3d{ x.y, 0, 0 }; });
  s.points.velocity_gradient.assign(
    s.points.size(), mpm::Matrix3d{ { { 0, 1, 0 }, { 0, 0, 0 }, { 0, 0, 0 } } });
  auto run = simulate(s);
  run.advanceTo(1);
  const mpm::Frame before = run.frame();
  run.apply({ 0, "Viscosity", { 6 } });
  run.advanceTo(2);
  const mpm::Frame after = run.frame();
  std::size_t inside = 0;
  for (std::size_t i = 0; i < before.size; ++i)
  {
    bool middle = true; // where all nodes seen are the block's
    for (int k = 0; k < 3; ++k)
      middle = middle && std::fabs(before.position[3 * i + k] - 0.5) < 0.1;
    if (!middle)
      continue;
    ++inside;
    EXPECT_NEAR(before.stress[6 * i + 3], 2, 0.02);
    EXPECT_NEAR(after.stress[6 * i + 3], 6, 0.06);
  }
  EXPECT_GT(inside, 8u);
}

// Each wall goes on from where it is; its friction, and that of borders.
TEST_P(MpmSteering, WallsAndBorders)
{
  Scene s = fallingBlock();
  s.gravity = { 0, 0, 0 };
  dem::Wall plate = triangle();
  plate.motion.kind = dem::MotionKind::Translation;
  plate.motion.velocity = { 0, 0, 1 };
  s.walls = { plate };
  s.wall_contacts = { { mpm::Contact::Separate, 0.1 } };
  mpm::Timeline t = timeline(s);
  EXPECT_NEAR(t.at(4).frame->walls[0].points[2], 0.14, 1e-12);
  t.steer(4, "WallVelocity", { 0, 0, 2, -1 });
  t.steer(4, "WallContactFriction", { 0, 0.7 });
  t.steer(4, "BorderFriction", { 0.4 });
  EXPECT_NEAR(t.at(4).frame->walls[0].points[2], 0.14, 1e-12);
  const auto f = t.at(7).frame;
  EXPECT_NEAR(f->walls[0].points[1], 0.1 + 0.06, 1e-12);
  EXPECT_NEAR(f->walls[0].points[2], 0.14 - 0.03, 1e-12);
  EXPECT_EQ(t.simulation().scene().wall_contacts[0].friction, 0.7);
  EXPECT_EQ(t.simulation().scene().domain.friction, 0.4);
  EXPECT_NEAR(t.at(2).frame->walls[0].points[2], 0.12, 1e-12);
}

// A wall has the speed of its motion; others are refused, and it goes on as it did.
TEST_P(MpmSteering, SpeedsThatAWallDoesNotHave)
{
  Scene s = fallingBlock();
  dem::Wall plate = triangle();
  plate.name = "sieve";
  plate.motion.kind = dem::MotionKind::Oscillation;
  plate.motion.amplitude = 0.02;
  plate.motion.frequency = 5;
  s.walls = { plate };
  mpm::Timeline t = timeline(s);
  const double before = t.at(5).frame->walls[0].points[2];
  EXPECT_NEAR(before, 0.12, 1e-9);
  for (const char* property : { "WallRate", "WallVelocity" })
  {
    std::vector<double> value{ 0, 1 };
    value.resize(property == std::string("WallRate") ? 2 : 4);
    const std::string refused = errorOf([&] { t.steer(5, property, value); });
    for (const char* word : { property, "wall 0", "sieve", "Oscillation" })
      EXPECT_MENTIONS(refused, word);
    Scene with = s;
    with.events = { { 0.05, property, value } };
    EXPECT_MENTIONS(errorOf([&] { mpm::validate(with); }), "Oscillation");
  }
  EXPECT_TRUE(t.simulation().scene().events.empty());
  EXPECT_EQ(t.at(5).frame->walls[0].points[2], before);
  EXPECT_NEAR(t.at(10).frame->walls[0].points[2], 0.1, 1e-9);
}

TEST_P(MpmSteering, EventsBeyondTheRun)
{
  Scene s = fallingBlock();
  s.events = { { 1e18, "BorderFriction", { 1 } }, { 1e30, "Gravity", { 0, 0, 1 } } };
  auto run = simulate(s);
  run.advanceTo(static_cast<std::uint64_t>(std::lround(0.05 / run.plan().time_step)));
  run.apply({ 1e30, "Gravity", { 1, 0, 0 } });
  run.advanceTo(static_cast<std::uint64_t>(std::lround(0.1 / run.plan().time_step)));
  EXPECT_NEAR(meanVelocity(run.frame(), 2), -0.1, 1e-6);
  EXPECT_EQ(timeline(s).outputAt(1e30), run.plan().outputs - 1);
}

// A block pushed against the lower border: with friction it slows down by mu g, without it does
// not.
TEST_P(MpmSteering, BorderFrictionHoldsFromItsTimeOn)
{
  Scene s = softScene(1. / 8);
  s.points = mpm::fillBox({ 0.25, 0.25, 0 }, { 0.5, 0.5, 0.125 }, s.grid_spacing, 2, 0, 7);
  setVelocity(s, [](const Vec3d&) { return Vec3d{ 0.5, 0, 0 }; });
  s.gravity = { 0, 0, -10 };
  s.domain.border[4] = mpm::Border::Separate;
  auto run = simulate(s);
  run.advanceTo(static_cast<std::uint64_t>(std::lround(0.1 / run.plan().time_step)));
  const double from = meanVelocity(run.frame(), 0);
  EXPECT_NEAR(from, 0.5, 1e-4);
  run.apply({ 0, "BorderFriction", { 0.2 } });
  const double t0 = run.time();
  run.advanceTo(static_cast<std::uint64_t>(std::lround(0.25 / run.plan().time_step)));
  EXPECT_NEAR(meanVelocity(run.frame(), 0), from - 0.2 * 10 * (run.time() - t0), 0.05);
}

TEST_P(MpmSteering, RefusalsNameTheValue)
{
  Scene s = fallingBlock();
  auto run = simulate(s);
  const auto error = [&](const std::string& property, const std::vector<double>& value) {
    return errorOf([&] { run.apply({ 0, property, value }); });
  };
  EXPECT_MENTIONS(error("Density", { 1 }),
    "'Density' cannot be changed while the simulation runs. Known: Gravity, YoungsModulus");
  EXPECT_MENTIONS(error("Gravity", { 1, 2 }), "needs 3 numbers, it has 2");
  EXPECT_MENTIONS(
    error("YoungsModulus", { std::numeric_limits<double>::infinity() }), "not finite");
  EXPECT_MENTIONS(error("PoissonsRatio", { 0.5 }), "0.5");
  EXPECT_MENTIONS(error("BorderFriction", { -0.25 }), "-0.25");
  EXPECT_MENTIONS(error("WallRate", { 3, 1 }), "wall 3");
  EXPECT_MENTIONS(error("WallRate", {}), "WallRate");
  EXPECT_TRUE(run.scene().events.empty());
  s.events = { { 0.1, "Gravity", { 0, 0, 0 } }, { 0.05, "Gravity", { 1, 0, 0 } } };
  EXPECT_MENTIONS(errorOf([&] { simulate(s); }), "ascending time");
  s.events = { { 0.05, "Gravity", { 1, 0, 0 } } };
  auto with = simulate(s);
  with.advanceTo(static_cast<std::uint64_t>(std::lround(0.1 / with.plan().time_step)));
  EXPECT_NEAR(meanVelocity(with.frame(), 0), 0.05, 1e-6);

  s.events.clear();
  s.materials[0].kind = mpm::MaterialKind::Fluid;
  s.integration = mpm::TimeIntegration::ImplicitMidpoint;
  auto fluid = simulate(s);
  EXPECT_MENTIONS(errorOf([&] { fluid.apply({ 0, "Viscosity", { 1 } }); }), "with viscosity");
}

// ---- the frame on the device  ----

AveragedFields cellAverages(
  const dem::Device& device, const dem::Grains& g, const dem::GrainContacts& c)
{
  const double lower[3] = { 0, 0, 0 }, upper[3] = { 1, 1, 1 };
  const int size[3] = { 5, 4, 3 };
  dem::CellAverage engine(device);
  return test::cellAverages(engine, g, c, dem::uniformGrid(lower, upper, size));
}

AveragedFields coarseGrained(
  const dem::Device& device, const dem::Grains& g, const dem::GrainContacts& c)
{
  std::vector<double> points;
  for (int i = 0; i < 40; ++i)
    points.insert(points.end(), { 0.2 + 0.01 * i, 0.4, 0.3 + 0.008 * i });
  dem::CoarseGrainingOptions options;
  options.width = 0.1;
  dem::CoarseGraining engine(device);
  return test::coarseGrained(engine, g, c, points, options);
}

// The moments of the pairs of forces are the stress of all points, by its definition.
void expectWholeStress(
  const mpm::Frame& f, const std::vector<double>& stress, const dem::StressAsContacts& forces)
{
  double sum[6] = {};
  for (std::size_t i = 0; i < f.size; ++i)
    for (int k = 0; k < 6; ++k)
      sum[k] += static_cast<double>(f.volume[i]) * stress[6 * i + k];
  constexpr int entry[3][3] = { { 0, 3, 5 }, { 3, 1, 4 }, { 5, 4, 2 } };
  for (int row = 0; row < 3; ++row)
    for (int axis = 0; axis < 3; ++axis)
    {
      double moment = 0;
      for (std::size_t p = 0; p < forces.view.size; ++p)
        moment += forces.normal_force[3 * p + row] *
          (forces.second_place[3 * p + axis] - forces.first_place[3 * p + axis]);
      EXPECT_NEAR(moment, sum[entry[row][axis]],
        1e-6 * (std::fabs(sum[0]) + std::fabs(sum[1]) + std::fabs(sum[2])));
    }
}

// Averages of the frame on the device and of the arrays that are shown are the same to the bit.
TEST_P(MpmSteering, TheFrameOnTheDeviceEqualsHostArrays)
{
  Scene s = fallingBlock();
  for (int k = 0; k < 6; ++k)
    s.domain.border[k] = mpm::Border::Remove;
  for (std::size_t i = 0; i < s.points.size(); ++i)
    s.points.id.push_back(static_cast<std::int64_t>(5 + 3 * i));
  setVelocity(s, [](const Vec3d& x) { return Vec3d{ 2 * (x.y - 0.4), x.z, -3.7 }; });
  auto run = simulate(s);
  EXPECT_FALSE(run.frame().on_device.lock()) << "kept before keepOnDevice()";
  run.keepOnDevice(std::size_t(1) << 30);
  run.advanceTo(static_cast<std::uint64_t>(std::lround(0.15 / run.plan().time_step)));
  const mpm::Frame f = run.frame();
  ASSERT_GT(f.statistics.lost, 0u) << "Ids with gaps";
  ASSERT_GT(f.size, 20u);
  const auto kept = f.on_device.lock();
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->run, f.run);
  EXPECT_EQ(kept->step, f.step);
  EXPECT_EQ(kept->time, f.time);
  const dem::Device& device = run.device();
  const dem::Grains there = kept->grains();
  const dem::GrainContacts pairs = kept->contacts();
  EXPECT_EQ(there.size, f.size);
  EXPECT_EQ(pairs.size, 3 * f.size);
  EXPECT_EQ(there.memory, device.kind == dem::DeviceKind::CUDA ? device.ordinal : dem::kHostMemory);

  const auto wide = [](const dem::HostArray<float>& a) {
    return std::vector<double>(a.data(), a.data() + a.size());
  };
  const std::vector<double> radius = wide(f.radius), mass = wide(f.mass),
                            velocity = wide(f.velocity), stress = wide(f.stress);
  dem::Grains here;
  here.size = f.size;
  here.position = f.position.data();
  here.radius = radius.data();
  here.id = f.id.data();
  here.mass = mass.data();
  here.velocity = velocity.data();
  here.material = f.material.data();
  const dem::StressAsContacts forces = dem::stressAsContacts(here, stress.data());

  expectWholeStress(f, stress, forces);
  expectSameFields(cellAverages(device, here, forces.view), cellAverages(device, there, pairs));
  expectSameFields(coarseGrained(device, here, forces.view), coarseGrained(device, there, pairs));

  mpm::FrameSelection hidden;
  hidden.stress = hidden.mass = false;
  const mpm::Frame g = run.frame(hidden);
  ASSERT_TRUE(g.on_device.lock());
  EXPECT_FALSE(g.on_device.lock()->grains().mass);
  EXPECT_FALSE(g.on_device.lock()->contacts().normal_force);
  EXPECT_EQ(f.on_device.lock(), kept) << "kept while it is in use";
  if (device.kind == dem::DeviceKind::CUDA)
  {
    EXPECT_GT(kept->bytes(), 200 * f.size);
    run.keepOnDevice(100);
    EXPECT_FALSE(run.frame().on_device.lock()) << "more than its memory";
  }
  run.keepOnDevice(0);
  EXPECT_FALSE(run.frame().on_device.lock());
}

} // namespace
