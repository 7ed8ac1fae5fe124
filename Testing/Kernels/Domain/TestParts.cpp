// Runs in several parts: the same bits as in one, whatever the number of parts, where they are cut,
// and when lists are rebuilt (design.md, section 4).
#include "BusyScene.h"
#include "HeatSupport.h"
#include "PartsSupport.h"

#include <algorithm>
#include <random>

using namespace test;

namespace
{

class Parts : public PartsTest
{
};

/// Grains that fly through each other's parts: a hot gas in a box with two periodic axes.
dem::Scene gas(unsigned seed)
{
  dem::Scene s = gasBox();
  s.materials[0] = { "grain", 5e8, 0.3, 2500, 0.9, 0.4, 0.02 };
  addCloud(s, { 0.003, 0.003, 0.003 }, 9, 7, 5, 0.001, 0.0024, 3, seed, 0, 50);
  return s;
}

} // namespace

TEST_P(Parts, SameBitsForAnyNumber)
{
  dem::Simulation one = simulate(busyScene());
  const dem::Frame whole = busyFrame(one, 6000);
  const std::vector<std::uint8_t> state = one.save();
  for (int parts : { 1, 2, 3, 4, 8 })
  {
    dem::Simulation sim = run(busyScene(), parts);
    EXPECT_EQ(sim.device().parts, parts);
    sim.advanceTo(6000);
    EXPECT_SAME_BITS(whole, sim.frame()) << parts << " parts";
    EXPECT_TRUE(sim.save() == state) << parts << " parts";
  }
}

// Particles cross several parts in one list's life, and periodic borders with one, two and three
// parts along them.
TEST_P(Parts, HotGas) { expectSameBits(gas(5), 6000, { 2, 3, 5, 8 }); }

// Devices that cannot read each other's memory copy what they need.
TEST_P(Parts, WithoutPeerAccess) { expectSameBits(gas(5), 6000, { 3 }, {}, false); }

TEST_P(Parts, PairsOfAllParts)
{
  dem::Simulation one = simulate(gas(7)), sim = run(gas(7), 4);
  one.advanceTo(1500);
  sim.advanceTo(1500);
  const auto a = one.candidatePairs(), b = sim.candidatePairs();
  EXPECT_GT(a.size(), 50u);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k)
    EXPECT_TRUE(a[k].first == b[k].first && a[k].second == b[k].second);
}

// More parts than particles, and parts that are empty.
TEST_P(Parts, FewParticles)
{
  dem::Scene s = gas(3);
  for (std::size_t n : { 1u, 2u, 5u })
  {
    dem::Scene few = s;
    dem::ParticleInput& p = few.particles;
    p.position.resize(n);
    p.radius.resize(n);
    p.velocity.resize(n);
    p.angular_velocity.resize(n);
    if (!p.material.empty())
      p.material.resize(n);
    dem::Simulation one = simulate(few), sim = run(few, 8);
    one.advanceTo(2000);
    sim.advanceTo(2000);
    EXPECT_SAME_BITS(one.frame(), sim.frame()) << n << " particles";
    EXPECT_TRUE(one.save() == sim.save()) << n << " particles";
  }
}

TEST_P(Parts, AnyRebuildTimes)
{
  dem::Simulation one = simulate(busyScene());
  one.advanceTo(2500);
  dem::Simulation sim = run(busyScene(), 3);
  for (std::uint64_t k = 1; sim.step() < 2500; k = (k * 7) % 101 + 1)
  {
    sim.forceRebuild();
    sim.advanceTo(std::min<std::uint64_t>(2500, sim.step() + k));
    if (k % 5 == 0)
      sim.frame();
  }
  EXPECT_SAME_BITS(one.frame(), sim.frame());
}

// A state that was saved with any number of parts goes on with any other.
TEST_P(Parts, StatesOfOtherNumbers)
{
  dem::Simulation one = simulate(busyScene());
  one.advanceTo(1500);
  const auto early = one.save();
  one.advanceTo(3000);
  const dem::Frame whole = one.frame();
  for (int from : { 1, 2, 5 })
    for (int to : { 1, 3, 4 })
    {
      dem::Simulation saver = run(busyScene(), from), sim = run(busyScene(), to);
      saver.advanceTo(1500);
      const auto state = saver.save();
      EXPECT_TRUE(state == early);
      sim.advanceTo(700);
      sim.restore(state);
      sim.advanceTo(3000);
      EXPECT_SAME_BITS(whole, sim.frame()) << from << " to " << to;
    }
}

// A step that fails on one part fails on all, with the message that a run in one part gives; a
// saved state continues.
TEST_P(Parts, FailuresOfOnePart)
{
  dem::Scene soft = gas(5);
  soft.materials[0].youngs_modulus = 2e6;
  dem::Simulation one = simulate(soft), sim = run(soft, 4);
  const auto state = sim.save();
  const std::string expected = errorOf([&] { one.advanceTo(500); });
  EXPECT_MENTIONS(expected, "overlaps");
  EXPECT_EQ(errorOf([&] { sim.advanceTo(500); }), expected);
  EXPECT_EQ(errorOf([&] { sim.advanceTo(500); }), expected);
  sim.restore(state);
  sim.advanceTo(20);
  dem::Simulation again = simulate(soft);
  again.advanceTo(20);
  EXPECT_SAME_BITS(again.frame(), sim.frame());
}

// Gravity and materials that change during the run, and outputs at any time.
TEST_P(Parts, Steering)
{
  dem::Scene s = busyScene();
  s.events.push_back({ 0.003, "Gravity", { 3, 0, -9 } });
  dem::Simulation one = simulate(s), sim = run(s, 3);
  one.advanceTo(2500);
  sim.advanceTo(2500);
  EXPECT_SAME_BITS(one.frame(), sim.frame());
  EXPECT_EQ(one.statistics().energy_error, sim.statistics().energy_error);
}

TEST_P(Parts, Cohesion)
{
  dem::Scene s = gas(9);
  s.contact.cohesion = dem::CohesionModel::JKR;
  s.materials[0].surface_energy = 2;
  expectSameBits(s, 3000, { 2, 4 });
}

// Heat through contacts, gas and walls, also of a given flux, and from dissipation, with grains
// that leave, walls that change and averages; a state of any number goes on with any other.
TEST_P(Parts, HeatTransfer)
{
  dem::Scene s = busyScene();
  s.heat.model = dem::HeatModel::Conduction;
  s.heat.dissipation = true;
  s.heat.gas_conductivity = 0.026;
  for (std::size_t i = 0; i < s.particles.size(); ++i)
    s.particles.temperature.push_back(280 + static_cast<double>(i * 37 % 101));
  s.walls[0] = heated(s.walls[0], 400);
  s.walls[1] = withFlux(s.walls[1], 20);
  s.walls[3] = heated(s.walls[3], 250);
  s.events.push_back({ 0.01, "WallTemperature", { 0, 380 } });
  s.events.push_back({ 0.012, "WallHeatFlux", { 1, 30 } });
  s.averages.enabled = true;
  s.averages.cells = { 3, 2, 5 };
  s.averages.interval = 0.0013;
  dem::Simulation one = simulate(s);
  one.advanceTo(2000);
  const auto early = one.save();
  one.advanceTo(6000);
  const dem::Frame whole = one.frame(withTemperature());
  EXPECT_GT(whole.statistics.heat_from_dissipation, 0);
  EXPECT_NE(whole.statistics.heat_from_walls, 0);
  const auto state = one.save();
  for (int parts : { 2, 3, 5 })
  {
    SCOPED_TRACE(std::to_string(parts) + " parts");
    dem::Simulation sim = run(s, parts);
    sim.advanceTo(2000);
    EXPECT_TRUE(sim.save() == early);
    sim.advanceTo(6000);
    EXPECT_SAME_BITS(whole, sim.frame(withTemperature()));
    EXPECT_TRUE(sim.save() == state);
    sim.restore(early);
    sim.advanceTo(6000);
    EXPECT_SAME_BITS(whole, sim.frame(withTemperature()));
    EXPECT_TRUE(sim.save() == state);
  }
}

TEST_P(Parts, HeatInHotGas)
{
  dem::Scene s = gas(6);
  s.heat.model = dem::HeatModel::Conduction;
  s.heat.dissipation = true;
  s.materials[0].heat_capacity = 5;
  expectSameBits(s, 4000, { 2, 5, 8 });
}

// Parts without grains take part in all sums.
TEST_P(Parts, HeatOfFewGrains)
{
  dem::Scene s = emptyScene();
  s.heat.model = dem::HeatModel::Conduction;
  s.heat.dissipation = true;
  s.materials[0].friction = 0.5;
  s.domain.lower = { -0.01, -0.01, 0 };
  s.domain.upper = { 0.01, 0.01, 0.02 };
  addSphere(s, { 0, 0, 0.0021 }, 0.002, { 0.1, 0, -0.3 });
  s.walls.push_back(heated(planeWall({ 0, 0, 0 }, { 0, 0, 1 }), 400));
  dem::Simulation one = simulate(s), sim = run(s, 3);
  for (dem::Simulation* each : { &one, &sim })
    each->advanceTo(1000);
  EXPECT_GT(one.statistics().heat_from_dissipation, 0);
  EXPECT_SAME_BITS(one.frame(withTemperature()), sim.frame(withTemperature()));
  EXPECT_TRUE(one.save() == sim.save());
  EXPECT_EQ(one.statistics().dissipation_in_walls, sim.statistics().dissipation_in_walls);
}

// A temperature that fails on one part fails on all, with the message of one part.
TEST_P(Parts, HeatFails)
{
  dem::Scene s = busyScene();
  s.heat.model = dem::HeatModel::Conduction;
  s.walls[1] = withFlux(s.walls[1], -1e9);
  dem::Simulation one = simulate(s), sim = run(s, 3);
  const std::string expected = errorOf([&] { one.advanceTo(4000); });
  EXPECT_MENTIONS(expected, "below 0 K");
  EXPECT_EQ(errorOf([&] { sim.advanceTo(4000); }), expected);
}

// What a run takes samples of: its averages, and the coating of nozzles, with grains that leave.
TEST_P(Parts, AveragesAndCoating) { expectSameSamples(busyScene(), 5000); }

TEST_P(Parts, RefusedByName)
{
  const auto refusal = [&](const auto& change) {
    dem::Scene s = busyScene();
    change(s);
    return errorOf([&] { run(s, 2); });
  };
  EXPECT_MENTIONS(
    refusal([](dem::Scene& s) { s.neighbor_list.kind = dem::NeighborListKind::Static; }),
    "NeighborList");
  EXPECT_MENTIONS(refusal([](dem::Scene& s) {
    s.broad_phase.kind = dem::BroadPhaseKind::SortedGrid;
    s.broad_phase.half_search = true;
  }),
    "half search");
  EXPECT_MENTIONS(
    refusal([](dem::Scene& s) { s.fluid.model = dem::FluidModel::GivenField; }), "fluid");
  dem::RunOptions options = this->options();
  options.devices = -1;
  EXPECT_MENTIONS(errorOf([&] { dem::Simulation(busyScene(), options); }), "-1");
  options.devices = 999;
  EXPECT_MENTIONS(errorOf([&] { dem::Simulation(busyScene(), options); }), "Devices is 999");
}

// The kernels for many particles, which group contacts: a dense bed that shears.
TEST_P(Parts, AsMany)
{
  dem::Scene s = gas(12);
  s.gravity = { 4, 0, -9.81 };
  s.domain.upper.z = 0.2;
  addCloud(s, { 0.003, 0.003, 0.03 }, 9, 7, 8, 0.001, 0.0024, 0.1, 13);
  s.materials[0].youngs_modulus = 1e7;
  dem::Simulation one = simulate(s), sim = run(s, 3);
  for (dem::Simulation* each : { &one, &sim })
  {
    each->stepAsMany();
    each->advanceTo(1200);
  }
  EXPECT_SAME_BITS(one.frame(), sim.frame());
  EXPECT_TRUE(one.save() == sim.save());
}

// Random scenes and numbers of parts.
TEST_P(Parts, RandomScenes)
{
  std::mt19937 random(11);
  for (unsigned k = 0; k < 6; ++k)
  {
    SCOPED_TRACE("scene " + std::to_string(k));
    dem::Scene s = gas(100 + k);
    for (int axis = 0; axis < 3; ++axis)
      s.domain.exit[axis] = static_cast<dem::Exit>(random() % 3);
    s.gravity = { 0, 0, -9.81 * (random() % 3) };
    const dem::RollingModel rolling[] = { dem::RollingModel::None, dem::RollingModel::EPSD };
    s.contact.rolling = rolling[random() % 2];
    s.contact_statistics = random() % 2;
    s.integrator = static_cast<dem::IntegratorKind>(random() % 3);
    s.skin = random() % 2 ? 0 : 2e-4;
    dem::Simulation one = simulate(s), sim = run(s, 2 + static_cast<int>(random() % 6));
    one.advanceTo(3000);
    sim.advanceTo(3000);
    EXPECT_SAME_BITS(one.frame(), sim.frame());
    EXPECT_TRUE(one.save() == sim.save());
  }
}

PARAGRAIN_ON_ALL_BACKENDS(Parts);
