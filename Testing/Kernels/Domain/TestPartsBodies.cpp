// Clumps, tablets and polyhedra in runs of several parts: the same bits as in one.
#include "BusyBodies.h"
#include "HeatSupport.h"
#include "PartsSupport.h"

#include <algorithm>
#include <iterator>
#include <random>

using namespace test;

namespace
{

class PartsBodies : public PartsTest
{
};

} // namespace

// Bodies cross cuts, corners where many parts meet, and periodic borders with one, two and three
// parts along them.
TEST_P(PartsBodies, Gas)
{
  for (const Bodies bodies : kEachBodies)
  {
    SCOPED_TRACE(name(bodies));
    expectSameBits(gasOf(bodies, 5), 2000, { 1, 2, 3, 4, 8 });
  }
}

// Devices that cannot read each other's memory copy what they need.
TEST_P(PartsBodies, WithoutPeerAccess)
{
  for (const Bodies bodies : { kClumps, kDumbbells, kMixed })
  {
    SCOPED_TRACE(name(bodies));
    expectSameBits(gasOf(bodies, 5), 2000, { 3 }, {}, false);
  }
}

// Moving walls, exits and rolling friction.
TEST_P(PartsBodies, Heap)
{
  for (const Bodies bodies : kEachBodies)
  {
    SCOPED_TRACE(name(bodies));
    expectSameBits(heapOf(bodies), 3500, { 2, 3, 4 });
  }
}

// Lists that are rebuilt at any time, and frames in between.
TEST_P(PartsBodies, AnyRebuildTimes)
{
  for (const Bodies bodies : { kClumps, kMixed })
  {
    SCOPED_TRACE(name(bodies));
    dem::Simulation one = simulate(heapOf(bodies)), sim = run(heapOf(bodies), 3);
    one.advanceTo(3000);
    for (std::uint64_t k = 1; sim.step() < 3000; k = (k * 7) % 101 + 1)
    {
      sim.forceRebuild();
      sim.advanceTo(std::min<std::uint64_t>(3000, sim.step() + k));
      if (k % 5 == 0)
        sim.frame();
    }
    expectSameFrame(one.frame(), sim.frame());
  }
}

// A state that was saved with any number of parts goes on with any other, also where bodies have
// left before and after it was saved.
TEST_P(PartsBodies, StatesOfOtherNumbers)
{
  for (const Bodies bodies : { kClumps, kMixed })
  {
    SCOPED_TRACE(name(bodies));
    const dem::Scene scene = heapOf(bodies);
    dem::Simulation one = simulate(scene);
    one.advanceTo(2500);
    const auto early = one.save();
    EXPECT_GT(one.statistics().lost, 0u);
    one.advanceTo(3500);
    const dem::Frame whole = one.frame();
    const auto late = one.save();
    for (const int from : { 1, 3 })
      for (const int to : { 1, 2, 4 })
      {
        SCOPED_TRACE(std::to_string(from) + " to " + std::to_string(to));
        dem::Simulation saver = run(scene, from), sim = run(scene, to);
        saver.advanceTo(2500);
        const auto state = saver.save();
        EXPECT_TRUE(state == early);
        sim.advanceTo(300);
        sim.restore(state);
        EXPECT_TRUE(sim.save() == early);
        sim.advanceTo(3500);
        expectSameFrame(whole, sim.frame());
        EXPECT_TRUE(sim.save() == late);
      }
  }
}

// A state with other shapes than the scene begins with.
TEST_P(PartsBodies, StateBringsShapes)
{
  const auto scene = [](int shape) {
    dem::Scene s = emptyScene();
    s.gravity = { 1, 0, -9.81 };
    s.materials[0].friction = 0.3;
    s.shapes = { dem::makeSphere(), dem::makeTablet("pill", 0.008, 0.007, 0.002),
      dumbbell(0.006, 0.005) };
    for (int k = 0; k < 6; ++k)
      addBody(s, shape, { 0.03 * k, 0, 0.012 }, { 3. - k, 0, 0 }, { 3, 0, 1 });
    s.walls.push_back(planeWall({ 0, 0, 0 }, { 0, 0, 1 }));
    s.time_step = 1e-5;
    return s;
  };
  dem::Simulation clumps = simulate(scene(2));
  clumps.advanceTo(100);
  const dem::SnapshotBytes saved = clumps.save();
  for (const int shape : { 1, 2 })
  {
    dem::Simulation one = simulate(scene(shape)), sim = run(scene(shape), 3);
    for (dem::Simulation* each : { &one, &sim })
    {
      each->restore(saved);
      each->advanceTo(3000);
    }
    expectSameFrame(one.frame(), sim.frame());
    EXPECT_TRUE(one.save() == sim.save());
  }
}

// More parts than bodies, and parts that are empty.
TEST_P(PartsBodies, FewBodies)
{
  for (const Bodies bodies : kEachBodies)
    for (const std::size_t n : { 1u, 2u, 5u })
    {
      SCOPED_TRACE(std::string(name(bodies)) + ' ' + std::to_string(n));
      dem::Scene s = gasOf(bodies, 3);
      dem::ParticleInput& p = s.particles;
      for (auto* column : { &p.position, &p.velocity, &p.angular_velocity })
        column->resize(n);
      p.radius.resize(n);
      p.material.resize(n);
      p.orientation.resize(n);
      p.shape.resize(n);
      p.id.resize(n);
      dem::Simulation one = simulate(s), sim = run(s, 8);
      one.advanceTo(1500);
      sim.advanceTo(1500);
      expectSameFrame(one.frame(), sim.frame());
      EXPECT_TRUE(one.save() == sim.save());
    }
}

// Long clumps reach far into the parts of others: their spheres meet grains there.
TEST_P(PartsBodies, LongClumps)
{
  dem::Scene s = emptyScene();
  s.gravity = { 0, 0, -30 };
  s.materials[0] = { "grain", 2e6, 0.3, 2500, 0.3, 0.4, 0.02 };
  s.domain.lower = { 0, 0, 0 };
  s.domain.upper = { 0.1, 0.08, 0.05 };
  s.domain.exit = { dem::Exit::Periodic, dem::Exit::Periodic, dem::Exit::Wall };
  std::vector<dem::Vec3d> centres;
  for (int k = 0; k < 9; ++k)
    centres.push_back({ 0, 0, 0.0035 * k });
  s.shapes = { dem::makeSphere(),
    dem::makeMultiSphere("rod", centres, std::vector<double>(9, 0.002)) };
  for (int k = 0; k < 26; ++k)
    addBody(s, 1, { 0.005 + 0.0075 * (k % 13), 0.015 + 0.01 * (k / 13), 0.0165 },
      { 0.5 - 0.5 * (k % 3), 0.5 * (k % 2), 0.3 }, { 20. * (k % 4), 15. * (k % 3), 5 });
  for (int k = 0; k < 10; ++k)
    addBody(s, 0, { 0.005 + 0.01 * k, 0.02, 0.003 + 0.003 * k }, { -1, 2, 0 }, {}, {},
      0.002 / equalRadius(s.shapes[0]));
  s.time_step = 1e-5;
  for (const int parts : { 2, 3, 5, 8 })
  {
    SCOPED_TRACE(std::to_string(parts) + " parts");
    dem::Simulation one = simulate(s), sim = run(s, parts);
    std::size_t contacts = 0;
    for (std::uint64_t at = 300; at <= 3000; at += 300)
    {
      one.advanceTo(at);
      sim.advanceTo(at);
      const dem::Frame whole = one.frame();
      expectSameFrame(whole, sim.frame());
      contacts += whole.contacts.size;
    }
    EXPECT_GT(contacts, 20u);
  }
}

TEST_P(PartsBodies, PairsOfAllParts)
{
  for (const Bodies bodies : { kClumps, kMixed })
  {
    SCOPED_TRACE(name(bodies));
    dem::Simulation one = simulate(gasOf(bodies, 7)), sim = run(gasOf(bodies, 7), 4);
    one.advanceTo(700);
    sim.advanceTo(700);
    const auto a = one.candidatePairs(), b = sim.candidatePairs();
    EXPECT_GT(a.size(), 50u);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k)
      EXPECT_TRUE(a[k].first == b[k].first && a[k].second == b[k].second);
  }
}

TEST_P(PartsBodies, CohesionOfClumps)
{
  dem::Scene s = gasOf(kClumps, 9);
  s.contact.cohesion = dem::CohesionModel::JKR;
  s.materials[0].surface_energy = 2;
  expectSameBits(s, 2000, { 2, 4 });
}

// Heat through contacts, and from dissipation.
TEST_P(PartsBodies, HeatTransfer)
{
  for (const Bodies bodies : { kClumps, kMixed })
  {
    SCOPED_TRACE(name(bodies));
    dem::Scene s = heapOf(bodies);
    s.heat.model = dem::HeatModel::Conduction;
    s.heat.dissipation = true;
    for (std::size_t i = 0; i < s.particles.size(); ++i)
      s.particles.temperature.push_back(280 + static_cast<double>(i * 37 % 101));
    s.walls[0] = heated(s.walls[0], 400);
    expectSameBits(s, 3500, { 2, 3, 5 }, withTemperature());
  }
}

// What a run takes samples of, and gravity that changes.
TEST_P(PartsBodies, AveragesAndCoating)
{
  for (const Bodies bodies : { kClumps, kMixed })
  {
    SCOPED_TRACE(name(bodies));
    dem::Scene s = heapOf(bodies);
    s.events.push_back({ 0.013, "Gravity", { 3, 0, -9 } });
    expectSameSamples(s, 3500);
  }
}

// A step that fails on one part fails on all, with the message of a run in one part; so do grains
// that overlap at the start.
TEST_P(PartsBodies, Failures)
{
  for (const Bodies bodies : { kClumps, kTablets, kCubes })
  {
    SCOPED_TRACE(name(bodies));
    dem::Scene soft = gasOf(bodies, 5);
    soft.materials[0].youngs_modulus = 1e5;
    dem::Simulation one = simulate(soft), sim = run(soft, 4);
    const auto state = sim.save();
    const std::string expected = errorOf([&] { one.advanceTo(3000); });
    EXPECT_MENTIONS(expected, "overlaps");
    EXPECT_EQ(errorOf([&] { sim.advanceTo(3000); }), expected);
    sim.restore(state);
    sim.advanceTo(20);
    dem::Simulation again = simulate(soft);
    again.advanceTo(20);
    expectSameFrame(again.frame(), sim.frame());

    dem::Scene close = gasOf(bodies, 5);
    for (Vec3d& x : close.particles.position)
      x.z *= 0.7;
    const std::string overlaps = errorOf([&] { simulate(close); });
    EXPECT_MENTIONS(overlaps, "overlap");
    EXPECT_EQ(errorOf([&] { run(close, 3); }), overlaps);
  }
}

// Random scenes and numbers of parts.
TEST_P(PartsBodies, RandomScenes)
{
  std::mt19937 random(12);
  for (unsigned k = 0; k < 6; ++k)
  {
    SCOPED_TRACE("scene " + std::to_string(k));
    dem::Scene s = gasOf(kEachBodies[random() % std::size(kEachBodies)], 100 + k);
    for (int axis = 0; axis < 3; ++axis)
      s.domain.exit[axis] = static_cast<dem::Exit>(random() % 3);
    s.gravity = { 0, 0, -9.81 * (random() % 3) };
    const dem::RollingModel rolling[] = { dem::RollingModel::None, dem::RollingModel::EPSD };
    s.contact.rolling = rolling[random() % 2];
    s.contact.normal_stiffness = 1e4;
    s.contact.law =
      random() % 2 ? dem::NormalLaw::HertzMindlin : dem::NormalLaw::LinearSpringDashpot;
    s.contact_statistics = random() % 2;
    s.integrator = static_cast<dem::IntegratorKind>(random() % 2);
    s.skin = random() % 2 ? 0 : 2e-4;
    dem::Simulation one = simulate(s), sim = run(s, 2 + static_cast<int>(random() % 6));
    one.advanceTo(1500);
    sim.advanceTo(1500);
    expectSameFrame(one.frame(), sim.frame());
    EXPECT_TRUE(one.save() == sim.save());
  }
}

PARAGRAIN_ON_ALL_BACKENDS(PartsBodies);
