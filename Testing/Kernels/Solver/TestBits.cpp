// Item 8 and design.md, section 4, "the same bits". Everything is compared to the last bit; nothing
// here has a tolerance.
#include "Scene/StepPlan.h"
#include "BusyScene.h"

#include <algorithm>
#include <numeric>
#include <thread>

using namespace test;

namespace
{

class Bits : public BackendTest
{
protected:
  static constexpr std::uint64_t end = 4000;

  dem::Frame straight()
  {
    dem::Simulation sim = simulate(busyScene());
    sim.advanceTo(end);
    const dem::Frame f = sim.frame();
    EXPECT_GT(f.contacts.size, 100u); // there is something to compare
    EXPECT_GT(f.statistics.dissipated_energy, 0);
    return f;
  }
};

} // namespace

// The comparator must see one bit, wherever it is.
TEST_P(Bits, ComparatorSeesOneBit)
{
  dem::Simulation sim = simulate(busyScene());
  sim.advanceTo(3500);
  dem::Frame a = sim.frame();
  const auto differs = [&](auto& array) {
    dem::Frame b = sim.frame();
    ASSERT_EQ(firstDifference(a, b), "");
    ASSERT_GT(array(b).size(), 0u);
    reinterpret_cast<unsigned char*>(&array(b)[array(b).size() - 1])[0] ^= 1;
    EXPECT_NE(firstDifference(a, b), "");
  };
  auto position = [](dem::Frame & f) -> auto& { return f.position; };
  auto velocity = [](dem::Frame & f) -> auto& { return f.velocity; };
  auto spin = [](dem::Frame & f) -> auto& { return f.angular_velocity; };
  auto orientation = [](dem::Frame & f) -> auto& { return f.orientation; };
  auto stress = [](dem::Frame & f) -> auto& { return f.stress; };
  auto force = [](dem::Frame & f) -> auto& { return f.contacts.tangential_force; };
  auto sliding = [](dem::Frame & f) -> auto& { return f.contacts.sliding; };
  auto pressure = [](dem::Frame & f) -> auto& { return f.walls[1].pressure; };
  differs(position);
  differs(velocity);
  differs(spin);
  differs(orientation);
  differs(stress);
  differs(force);
  differs(sliding);
  differs(pressure);
  dem::Frame c = sim.frame();
  c.statistics.stiffness_work = std::nextafter(c.statistics.stiffness_work, 1e9);
  EXPECT_NE(firstDifference(a, c), "");
  advance(sim, 1);
  EXPECT_NE(firstDifference(a, sim.frame()), "");
}

TEST_P(Bits, SameRunTwice)
{
  const dem::Frame a = straight(), b = straight();
  EXPECT_SAME_BITS(a, b);
}

TEST_P(Bits, StepByStepOrAtOnceOrWithLooksInBetween)
{
  const dem::Frame a = straight();
  dem::Simulation sim = simulate(busyScene());
  while (sim.step() < end)
  {
    advance(sim, 1);
    if (sim.step() % 97 == 0)
    {
      sim.frame();
      sim.statistics();
    }
    if (sim.step() % 331 == 0)
    {
      sim.save();
      sim.candidatePairs();
    }
  }
  EXPECT_SAME_BITS(a, sim.frame());
}

TEST_P(Bits, AnyNumberOfThreads)
{
  const dem::Frame a = straight();
  const int all = static_cast<int>(std::max(2u, std::thread::hardware_concurrency()));
  for (int threads : { 1, 2, all })
  {
    dem::Simulation sim = simulate(busyScene(), threads);
    sim.advanceTo(end);
    EXPECT_SAME_BITS(a, sim.frame()) << threads << " threads";
  }
}

TEST_P(Bits, AnySkin)
{
  const dem::Frame a = straight();
  std::uint64_t fewest = ~0ull, most = 0;
  for (double skin : { 5e-5, 3e-4, 1e-3, 3e-3 })
  {
    dem::Scene s = busyScene();
    s.skin = skin;
    dem::Simulation sim = simulate(s);
    sim.advanceTo(end);
    EXPECT_SAME_BITS(a, sim.frame()) << "skin " << skin;
    fewest = std::min(fewest, sim.searchCounts().rebuilds);
    most = std::max(most, sim.searchCounts().rebuilds);
  }
  EXPECT_GT(most, 2 * fewest); // the skins did lead to other rebuild times
}

TEST_P(Bits, AnyRebuildTimes)
{
  const dem::Frame a = straight();
  dem::Simulation sim = simulate(busyScene());
  for (std::uint64_t k = 1; sim.step() < end; k = (k * 7) % 101 + 1)
  {
    sim.forceRebuild();
    sim.advanceTo(std::min(end, sim.step() + k));
  }
  EXPECT_SAME_BITS(a, sim.frame());
}

// Statistics of contacts are looked at, never used.
TEST_P(Bits, ContactStatisticsOnOrOff)
{
  const dem::Frame a = straight();
  EXPECT_EQ(a.contacts.age.size(), 0u);
  dem::Scene s = busyScene();
  s.contact_statistics = true;
  dem::Simulation sim = simulate(s);
  sim.advanceTo(end);
  const dem::Frame b = sim.frame();
  EXPECT_EQ(b.contacts.age.size(), b.contacts.size);
  EXPECT_EQ(b.contacts.slip_distance.size(), b.contacts.size);
  EXPECT_EQ(b.contacts.dissipated_energy.size(), b.contacts.size);
  EXPECT_SAME_BITS(a, b);
}

TEST_P(Bits, SavedAndRestoredElsewhere)
{
  const dem::Frame a = straight();
  for (std::uint64_t at : { 0ull, 1ull, 1370ull, 2999ull })
  {
    dem::Simulation first = simulate(busyScene());
    first.advanceTo(at);
    const dem::Frame shown = first.frame();
    const dem::SnapshotBytes bytes = first.save();
    dem::Simulation second = simulate(busyScene());
    second.advanceTo(50); // not fresh: all of its own state must go
    second.restore(bytes);
    EXPECT_EQ(second.step(), at);
    EXPECT_SAME_BITS(shown, second.frame()) << "as restored at step " << at;
    second.advanceTo(end);
    EXPECT_SAME_BITS(a, second.frame()) << "saved at step " << at;
    first.advanceTo(end); // saving did not disturb the one that was saved
    EXPECT_SAME_BITS(a, first.frame()) << "saved at step " << at;
  }
}

// A snapshot taken from another skin, thread count or rebuild time is the same state.
TEST_P(Bits, SavedWithOneSkinRestoredWithAnother)
{
  const dem::Frame a = straight();
  dem::Scene s = busyScene();
  s.skin = 1e-4;
  dem::Simulation first = simulate(s, 1);
  first.advanceTo(2611);
  const dem::SnapshotBytes bytes = first.save();
  s.skin = 2e-3;
  dem::Simulation second = simulate(s);
  second.restore(bytes);
  second.advanceTo(end);
  EXPECT_SAME_BITS(a, second.frame());
}

TEST_P(Bits, RewoundAndReplayed)
{
  const dem::Frame a = straight();
  dem::Simulation sim = simulate(busyScene());
  const dem::SnapshotBytes start = sim.save();
  sim.advanceTo(2444);
  const dem::Frame at2444 = sim.frame();
  const dem::SnapshotBytes middle = sim.save();
  sim.advanceTo(end);
  EXPECT_SAME_BITS(a, sim.frame());
  sim.restore(middle);
  EXPECT_SAME_BITS(at2444, sim.frame());
  sim.advanceTo(end);
  EXPECT_SAME_BITS(a, sim.frame());
  sim.restore(start);
  sim.advanceTo(2444);
  EXPECT_SAME_BITS(at2444, sim.frame());
}

// Contacts are summed in ascending Id: the order in which particles were given does not count when
// they bring their Ids.
TEST_P(Bits, OrderOfInputWithGivenIds)
{
  const dem::Frame a = straight();
  dem::Scene s = busyScene();
  const dem::ParticleInput p = s.particles;
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 random(3);
  for (std::size_t i = order.size(); i > 1; --i)
  {
    std::swap(order[i - 1], order[random() % i]);
  }
  s.particles = {};
  for (std::size_t i : order)
  {
    addSphere(s, p.position[i], p.radius[i], p.velocity[i], p.angular_velocity[i], p.material[i]);
    s.particles.id.push_back(static_cast<std::int64_t>(i));
  }
  dem::Simulation sim = simulate(s);
  sim.advanceTo(end);
  EXPECT_SAME_BITS(a, sim.frame());
}

// Steering is part of the state: kept in a snapshot, and applied by a replay.
TEST_P(Bits, SteeringEventsAreReplayed)
{
  const dem::Event tilt{ 0, "Gravity", { -5, 0, -8 } };
  const dem::Event slippery{ 0, "Friction", { 0.1 } };
  const dem::Event faster{ 0, "WallRate", { 1, -15 } };
  const auto at = [](dem::Event e, double time) {
    e.time = time;
    return e;
  };
  dem::Simulation sim = simulate(busyScene());
  sim.advanceTo(2400);
  sim.apply(at(tilt, sim.time()));
  sim.advanceTo(2700);
  sim.apply(at(slippery, sim.time()));
  sim.apply(at(faster, sim.time()));
  const dem::SnapshotBytes bytes = sim.save();
  sim.advanceTo(end);
  const dem::Frame a = sim.frame();
  EXPECT_NE(firstDifference(a, straight()), "");
  EXPECT_EQ(sim.scene().events.size(), 3u);

  dem::Simulation other = simulate(busyScene());
  other.restore(bytes);
  other.advanceTo(end);
  EXPECT_SAME_BITS(a, other.frame());

  dem::Scene s = busyScene(); // a scene that has the events from the start
  s.events = sim.scene().events;
  dem::Simulation replay = simulate(s);
  replay.advanceTo(end);
  EXPECT_SAME_BITS(a, replay.frame());
}

// A wall whose speed changes in every third step.
TEST_P(Bits, SteeredWallsWhateverTheLists)
{
  dem::Scene s = busyScene();
  const double dt = dem::planSteps(s).time_step;
  for (int k = 0; k < 600; ++k)
    s.events.push_back({ (1000 + 3 * k) * dt, "WallRate", { 1, 8 + 0.02 * k } });
  dem::Simulation sim = simulate(s), often = simulate(s);
  sim.advanceTo(end);
  const dem::Frame a = sim.frame();
  EXPECT_NE(firstDifference(a, straight()), "");
  often.rebuildEvery(1);
  often.advanceTo(end);
  EXPECT_SAME_BITS(a, often.frame());
  s.skin = 4e-4;
  dem::Simulation other = simulate(s);
  other.advanceTo(end);
  EXPECT_SAME_BITS(a, other.frame());
}

// An event beyond every step never comes.
TEST_P(Bits, EventsBeyondTheRun)
{
  dem::Scene s = busyScene();
  s.events = { { 1e18, "Friction", { 0 } }, { 1e30, "Gravity", { 0, 0, 9.81 } },
    { 1e300, "WallRate", { 1, -100 } } };
  dem::Simulation sim = simulate(s);
  sim.advanceTo(2400);
  const dem::SnapshotBytes bytes = sim.save();
  sim.apply({ 1e25, "Friction", { 1 } });
  sim.advanceTo(end);
  const dem::Frame a = sim.frame();
  EXPECT_SAME_BITS(straight(), a);
  sim.restore(bytes);
  EXPECT_EQ(sim.scene().events.size(), 4u);
  sim.advanceTo(end);
  EXPECT_SAME_BITS(a, sim.frame());
}

// Two simulations at once in one program do not see each other.
TEST_P(Bits, TwoSimulationsSideBySide)
{
  const dem::Frame a = straight();
  dem::Simulation one = simulate(busyScene()), two = simulate(busyScene(), 1);
  std::thread worker([&] { two.advanceTo(end); });
  one.advanceTo(end);
  worker.join();
  EXPECT_SAME_BITS(a, one.frame());
  EXPECT_SAME_BITS(a, two.frame());
}

PARAGRAIN_ON_ALL_BACKENDS(Bits);
