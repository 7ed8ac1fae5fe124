// Every kind of list and force loop: the same contacts as the default, and the same bits where sums
// have a fixed order; overflow loses nothing.
#include "Scene/Names.h"
#include "Scene/Validate.h"
#include "BusyScene.h"
#include "Pairs.h"

#include <algorithm>
#include <chrono>

using namespace test;

namespace
{

using dem::BroadPhaseKind;
using dem::NeighborListKind;
using dem::NeighborListOptions;
using dem::ThreadPer;

struct Kind
{
  std::string name;
  NeighborListOptions options;
};

// Whether a list goes with other options. A Static list has too few slots for a halving reduction
// in some scenes here.
bool isAllowed(const NeighborListOptions& o)
{
  const bool listed = !o.everyStep(), unsorted = o.order == dem::ListOrder::Unsorted;
  const bool reduced = o.thread_per == ThreadPer::ContactReduced;
  if (o.kind == NeighborListKind::None && o.thread_per != ThreadPer::Particle)
    return false;
  if (o.kind == NeighborListKind::Dynamic && unsorted && o.thread_per == ThreadPer::Particle)
    return false;
  if (o.thread_per == ThreadPer::ContactHalving && o.kind != NeighborListKind::Dynamic &&
    (o.kind != NeighborListKind::Hybrid || o.static_size != 4))
    return false;
  return (listed || !o.addsByAtomics()) && !(reduced && o.addsByAtomics());
}

std::vector<Kind> kinds(bool by_atomics)
{
  std::vector<Kind> all;
  for (const NeighborListKind kind : { NeighborListKind::Static, NeighborListKind::Dynamic,
         NeighborListKind::Hybrid, NeighborListKind::None, NeighborListKind::SplitLoop })
  {
    for (int k = 0; k < 48; ++k)
    {
      const int sizes[] = { 0, 3, 4 };
      const ThreadPer per = static_cast<ThreadPer>(k % 4);
      const NeighborListOptions o{ kind, sizes[k / 16], k / 4 % 2 == 1, per,
        k / 8 % 2 ? dem::ListOrder::Unsorted : dem::ListOrder::Sorted };
      if ((o.static_size > 0 && kind != NeighborListKind::Hybrid) ||
        (o.static_size == 4 && per != ThreadPer::ContactHalving) ||
        o.addsByAtomics() != by_atomics || !isAllowed(o))
        continue;
      all.push_back({ std::string(dem::name(kind)) + ", size " + std::to_string(o.static_size) +
          ", per " + dem::kThreadPerNames[k % 4] + (o.symmetric ? ", symmetric" : "") +
          (o.order == dem::ListOrder::Unsorted ? ", unsorted" : ""),
        o });
    }
  }
  return all;
}

// Unsorted lists store no history.
void dropHistory(dem::Scene& s)
{
  s.contact.tangential_history = false;
  s.contact.rolling = dem::RollingModel::None;
  s.contact_statistics = false;
}

void choose(dem::Scene& s, const NeighborListOptions& list)
{
  s.neighbor_list = list;
  if (list.order == dem::ListOrder::Unsorted)
    dropHistory(s);
}

// Largest difference of the components of forces and of torques, over the largest component.
// NaN if a value is not a number, or if nothing acts.
double forceDifference(const dem::Frame& wanted, const dem::Frame& f)
{
  double largest[2] = {}, worst[2] = {};
  for (std::size_t k = 0; k < 3 * wanted.size; ++k)
  {
    const double pairs[2][2] = { { wanted.force[k], f.force[k] },
      { wanted.torque[k], f.torque[k] } };
    for (int t = 0; t < 2; ++t)
    {
      const double difference = std::fabs(pairs[t][0] - pairs[t][1]);
      largest[t] = std::max(largest[t], std::fabs(pairs[t][0]));
      if (std::isnan(difference) || difference > worst[t]) // NaN then stays
        worst[t] = difference;
    }
  }
  const double force = worst[0] / largest[0], torque = worst[1] / largest[1];
  return force <= torque || std::isnan(torque) ? torque : force;
}

class NeighborList : public BackendTest
{
protected:
  // The searches that each kind goes with, one after the other.
  static void nextSearch(dem::Scene& s, int turn)
  {
    const bool searching = s.neighbor_list.everyStep();
    s.broad_phase = {};
    switch (turn % (searching ? 3 : 6))
    {
      case 0:
        break;
      case 1:
        s.broad_phase.kind = BroadPhaseKind::Bvh;
        break;
      case 2:
        s.broad_phase.kind = BroadPhaseKind::SortedGrid;
        break;
      case 3:
        s.broad_phase.kind = BroadPhaseKind::Bvh;
        s.broad_phase.half_search = true;
        break;
      case 4:
        s.broad_phase.kind = BroadPhaseKind::SortedGrid;
        s.broad_phase.half_search = true;
        break;
      default:
        s.broad_phase.kind = BroadPhaseKind::LinkedCells;
    }
    s.broad_phase.sort = turn % 4 == 3
      ? dem::SortKind::Never
      : (turn % 4 == 2 ? dem::SortKind::EverySteps : dem::SortKind::EveryRebuild);
    s.broad_phase.sort_steps = 90;
  }

  // Small grains fly at a large one from all sides and meet it within a few steps of each other.
  static dem::Scene swarm(int n)
  {
    dem::Scene s = emptyScene();
    s.materials[0].friction = 0.4;
    s.materials[0].restitution = 0.6;
    addSphere(s, { 0, 0, 0 }, 0.05);
    for (int k = 0; k < n; ++k)
    {
      const double z = 1 - (2 * k + 1.) / n, r = std::sqrt(1 - z * z),
                   angle = 2.399963229728653 * k;
      const Vec3d out{ r * std::cos(angle), r * std::sin(angle), z };
      addSphere(s, (0.0562 + 1e-5 * (k % 7)) * out, 0.006, -0.4 * out, { 30, 0, 20 });
    }
    setSteps(s, 2e-6, 2000);
    return s;
  }
};

} // namespace

// While grains fly, leave at borders, and meet moving walls; over searches, sorts and periodic
// images.
TEST_P(NeighborList, SameBitsAsTheDefault)
{
  const std::uint64_t end = 10000;
  dem::Simulation plain = simulate(busyScene());
  const dem::Frame wanted = busyFrame(plain, end);
  int turn = 0;
  for (const Kind& kind : kinds(false))
  {
    dem::Scene s = busyScene();
    s.neighbor_list = kind.options;
    nextSearch(s, turn++);
    dem::Simulation sim = simulate(s);
    sim.advanceTo(end / 2);
    sim.frame(); // looking changes nothing
    sim.advanceTo(end);
    EXPECT_SAME_BITS(wanted, sim.frame()) << kind.name;
    EXPECT_GT(sim.searchCounts().rebuilds, 20u);
  }
}

// Each option of the law has its own columns of history.
TEST_P(NeighborList, EveryLaw)
{
  int turn = 0;
  for (const Kind& kind : kinds(false))
  {
    dem::Scene s = busyScene();
    s.contact_statistics = turn % 2 == 0;
    s.contact.tangential_history = turn % 3 != 0;
    s.contact.rolling = turn % 2 ? dem::RollingModel::None : dem::RollingModel::CDT;
    s.integrator = static_cast<dem::IntegratorKind>(
      turn % 2 ? turn / 2 % 3 : turn / 2 % 2); // Gear and CDT do not go together
    dem::Simulation plain = simulate(s);
    plain.advanceTo(1500);
    s.neighbor_list = kind.options;
    nextSearch(s, ++turn);
    dem::Simulation sim = simulate(s);
    sim.advanceTo(1500);
    EXPECT_SAME_BITS(plain.frame(), sim.frame()) << kind.name;
  }
}

// Lattices, clusters far apart, one grain among hundreds twenty times as small, periods of two
// grains, places that are shared, grains that all leave.
TEST_P(NeighborList, EveryScene)
{
  std::vector<dem::Scene> scenes(6, emptyScene());
  for (dem::Scene& s : scenes)
  {
    s.materials[0].friction = 0.3;
    s.gravity = { 0, 0, -9.81 };
    s.time_step = 1e-6;
    s.initial_overlap_tolerance = 0.5;
  }
  for (int i = 0; i < 343; ++i)
  {
    addSphere(scenes[0], { (i % 7) * 0.02, (i / 7 % 7) * 0.02, (i / 49) * 0.02 }, 0.01002);
  }
  addCloud(scenes[1], { -1, -1, -1 }, 4, 4, 4, 0.005, 0.01, 0.2, 1);
  addCloud(scenes[1], { 0.8, 0.8, 0.8 }, 4, 4, 4, 0.005, 0.01, 0.2, 2);
  scenes[1].domain.limited = false;
  addSphere(scenes[1], { 3000, -2000, 5 }, 0.01);
  addSphere(scenes[2], { 0.005, 0.005, 0.02 }, 0.02);
  addCloud(scenes[2], { -0.0105, -0.0105, 0.0402 }, 15, 15, 3, 0.0009, 0.001, 0.5, 3, 0.0021);
  addCloud(scenes[3], { 0, 0, 0 }, 2, 2, 2, 0.009, 0.01, 0.5, 4);
  scenes[3].domain = { true, { 0, 0, 0 }, { 0.0445, 0.0445, 0.0445 },
    { dem::Exit::Periodic, dem::Exit::Periodic, dem::Exit::Periodic }, 0 };
  addSphere(scenes[4], { 0, 0, 0 }, 0.01);
  addSphere(scenes[5], { 0, 0, 0 }, 0.01, { 30, 0, 0 });
  addSphere(scenes[5], { 0, 0.0201, 0 }, 0.01, { 30, 0, 0 });
  scenes[5].domain = { true, { -0.001, -0.1, -0.1 }, { 0.001, 0.1, 0.1 },
    { dem::Exit::Remove, dem::Exit::Wall, dem::Exit::Wall }, 0 };
  dem::Simulation leaving = simulate(scenes[5]);
  leaving.advanceTo(80);
  ASSERT_EQ(leaving.statistics().particles, 0u);
  int turn = 0;
  for (const bool by_atomics : { false, true })
  {
    for (const Kind& kind : kinds(by_atomics))
    {
      SCOPED_TRACE(kind.name);
      for (dem::Scene s : scenes)
      {
        choose(s, kind.options);
        s.neighbor_list = {};
        s.broad_phase = {};
        dem::Simulation plain = simulate(s);
        s.neighbor_list = kind.options;
        nextSearch(s, turn++);
        dem::Simulation sim = simulate(s);
        EXPECT_EQ(candidates(plain), candidates(sim));
        plain.advanceTo(by_atomics ? 1 : 80);
        sim.advanceTo(by_atomics ? 1 : 80);
        EXPECT_EQ(contactsOf(plain.frame()), contactsOf(sim.frame()));
        if (!by_atomics)
        {
          EXPECT_SAME_BITS(plain.frame(), sim.frame());
        }
      }
      dem::Scene shared = emptyScene();
      for (int k = 0; k < 40; ++k)
      {
        addSphere(shared, { 0.5, 0.5, 0.5 }, 0.01);
      }
      choose(shared, kind.options);
      EXPECT_MENTIONS(errorOf([&] { simulate(shared); }), "780 pairs");
    }
  }
}

// Threads and the moments at which a run is looked at do not show.
TEST_P(NeighborList, ThreadsDoNotShow)
{
  for (const Kind& kind : kinds(false))
  {
    dem::Scene s = busyScene();
    s.neighbor_list = kind.options;
    dem::Simulation one = simulate(s, 1), two = simulate(s, 2);
    one.advanceTo(700);
    for (int k = 1; k <= 70; ++k)
    {
      two.advanceTo(10 * k);
    }
    EXPECT_SAME_BITS(one.frame(), two.frame()) << kind.name;
  }
}

// Hundreds of small scenes: density, sizes, borders, skin and Ids at random.
TEST_P(NeighborList, RandomScenes)
{
  const std::vector<Kind> ordered = kinds(false), by_chance = kinds(true);
  const std::uint32_t scenes = GetParam().device == dem::DeviceKind::CPU ? 700 : 140;
  for (std::uint32_t seed = 0; seed < scenes; ++seed)
  {
    Uniform uniform(seed);
    dem::Scene s = emptyScene();
    s.gravity = { uniform(-9, 9), uniform(-9, 9), uniform(-9, 9) };
    s.materials[0].friction = 0.5;
    s.materials[0].restitution = 0.5;
    const double r = std::exp(uniform(-6, -3));
    const int side = static_cast<int>(1 + uniform.below(4));
    addCloud(s, { 0, 0, 0 }, side, side, static_cast<int>(1 + uniform.below(5)),
      r * uniform(0.3, 1), r, uniform(0, 1), seed);
    for (int k = 0; k < 3; ++k)
    {
      s.domain.lower[k] = 0;
      s.domain.upper[k] = 2.05 * r * 5;
      s.domain.exit[k] = static_cast<dem::Exit>(uniform.below(3));
    }
    s.skin = uniform.below(3) == 0 ? 0 : r * std::exp(uniform(-4, 0));
    if (uniform.below(4) == 0)
    {
      descendingIds(s);
    }
    s.time_step = 0;
    s.end_time = 0.1;
    dem::Simulation plain = simulate(s);
    plain.advanceTo(150);
    const Kind& kind = ordered[seed % ordered.size()];
    SCOPED_TRACE(kind.name + ", seed " + std::to_string(seed));
    s.neighbor_list = kind.options;
    nextSearch(s, static_cast<int>(uniform.below(12)));
    dem::Simulation sim = simulate(s);
    dem::Simulation begin = simulate([&] {
      dem::Scene t = s;
      t.neighbor_list = {};
      return t;
    }());
    ASSERT_EQ(candidates(begin), candidates(sim));
    sim.advanceTo(150);
    ASSERT_SAME_BITS(plain.frame(), sim.frame());

    const Kind& other = by_chance[seed % by_chance.size()];
    SCOPED_TRACE(other.name);
    choose(s, other.options);
    nextSearch(s, static_cast<int>(uniform.below(12)));
    dem::Simulation third = simulate(s);
    ASSERT_EQ(candidates(begin), candidates(third));
    third.rebuildEvery(1);
    third.advanceTo(1);
    begin.advanceTo(1);
    ASSERT_EQ(contactsOf(begin.frame()), contactsOf(third.frame()));
  }
}

// A state that one kind saved goes on with another, with the bits of the run that was not
// interrupted.
TEST_P(NeighborList, StatesAreShared)
{
  dem::Simulation plain = simulate(busyScene());
  plain.advanceTo(4000);
  const dem::SnapshotBytes state = plain.save();
  plain.advanceTo(4600);
  const dem::Frame wanted = plain.frame();
  for (const Kind& kind : kinds(false))
  {
    dem::Scene s = busyScene();
    s.neighbor_list = kind.options;
    dem::Simulation sim = simulate(s);
    sim.restore(state);
    EXPECT_EQ(state, sim.save()) << kind.name;
    sim.advanceTo(4300);
    dem::Simulation next = simulate(busyScene());
    next.restore(sim.save());
    next.advanceTo(4600);
    EXPECT_SAME_BITS(wanted, next.frame()) << kind.name;
    sim.advanceTo(4600);
    EXPECT_SAME_BITS(wanted, sim.frame()) << kind.name;
  }
}

// Lists of pairs begin with room for two a particle; here each has a dozen candidates and more.
TEST_P(NeighborList, DynamicGrows)
{
  dem::Scene s = emptyScene();
  addCloud(s, { 0, 0, 0 }, 6, 6, 6, 0.0095, 0.01, 0.3, 5);
  s.skin = 0.01;
  setSteps(s, 2e-6, 500);
  dem::Simulation plain = simulate(s);
  for (const int size : { -1, 1 })
  {
    s.neighbor_list = size < 0 ? NeighborListOptions{ NeighborListKind::Dynamic }
                               : NeighborListOptions{ NeighborListKind::Hybrid, size };
    dem::Simulation sim = simulate(s);
    const dem::SearchCounts c = sim.searchCounts();
    EXPECT_GE(c.lists_redone, 1u);
    EXPECT_GT(c.list_entries, 12 * s.particles.size());
    EXPECT_EQ(c.list_pairs, c.list_entries - (size < 0 ? 0 : s.particles.size()));
    EXPECT_EQ(candidates(plain), candidates(sim));
  }
  s.neighbor_list = { NeighborListKind::Hybrid };
  dem::Simulation tuned = simulate(s);
  const dem::SearchCounts c = tuned.searchCounts();
  EXPECT_GT(c.static_size, 8u);
  EXPECT_LE(c.list_pairs, s.particles.size() / 2);
  EXPECT_EQ(candidates(plain), candidates(tuned));
}

TEST_P(NeighborList, StaticGrowsOrSaysWhatItNeeds)
{
  dem::Scene s = swarm(60); // 60 grains around one
  dem::Simulation plain = simulate(s);
  s.neighbor_list.kind = NeighborListKind::Static;
  dem::Simulation sim = simulate(s);
  EXPECT_GE(sim.searchCounts().static_size, 60u);
  EXPECT_GE(sim.searchCounts().lists_redone, 1u);
  EXPECT_EQ(candidates(plain), candidates(sim));
  s.neighbor_list.static_size = 59;
  const std::string text = errorOf([&] { simulate(s); });
  EXPECT_MENTIONS(text, "NeighborList 'Static'");
  EXPECT_MENTIONS(text, "a particle has 60 candidates, and StaticSize is 59. Set StaticSize to 60");
  s.neighbor_list.static_size = 60;
  dem::Simulation enough = simulate(s);
  EXPECT_EQ(enough.searchCounts().static_size, 60u);
  EXPECT_EQ(enough.searchCounts().lists_redone, 0u);
  EXPECT_EQ(candidates(plain), candidates(enough));
  s.neighbor_list.symmetric = true; // the large one has the lowest Id
  EXPECT_EQ(candidates(plain), candidates(*std::make_unique<dem::Simulation>(simulate(s))));
}

// A list of pairs that is kept in place overflows in flight, when the grains of a cloud meet, and
// loses no history.
TEST_P(NeighborList, DynamicGrowsInFlight)
{
  dem::Scene s = emptyScene();
  s.materials[0] = { "grain", 1e6, 0.3, 2500, 0.5, 0.5, 0 };
  s.contact_statistics = true;
  addCloud(s, { 0, 0, 0 }, 6, 6, 6, 0.0045, 0.005, 0, 5, 0.0155);
  for (std::size_t i = 0; i < s.particles.size(); ++i)
  {
    s.particles.velocity[i] = -12. * (s.particles.position[i] - Vec3d{ 0.0465, 0.0465, 0.0465 });
  }
  s.skin = 0.001;
  s.end_time = 1;
  dem::Simulation plain = simulate(s);
  std::uint64_t end = 0;
  while (plain.statistics().contacts < 300 && plain.time() < 0.06)
  {
    end += 20;
    plain.advanceTo(end);
  }
  ASSERT_GE(plain.statistics().contacts, 300u);
  for (const bool symmetric : { false, true })
  {
    s.neighbor_list = { NeighborListKind::Dynamic, 0, symmetric };
    s.broad_phase.sort = symmetric ? dem::SortKind::Never : dem::SortKind::EveryRebuild;
    dem::Simulation sim = simulate(s);
    EXPECT_EQ(sim.searchCounts().lists_redone, 0u);
    sim.advanceTo(end);
    EXPECT_GT(sim.searchCounts().rebuilds, 10u);
    if (!symmetric)
    {
      EXPECT_GE(sim.searchCounts().lists_redone, 1u);
      EXPECT_SAME_BITS(plain.frame(), sim.frame());
    }
    else
    {
      EXPECT_NEAR(
        sim.statistics().contacts, plain.statistics().contacts, 0.1 * plain.statistics().contacts);
    }
  }
}

// Without a list there is room for a dozen that touch: here more do from one step to the next, and
// the step is done again.
TEST_P(NeighborList, TouchingContactsOverflowInFlight)
{
  dem::Scene s = swarm(60);
  dem::Simulation plain = simulate(s);
  std::uint64_t most = 0;
  const std::uint64_t end = 600;
  for (std::uint64_t k = 20; k <= end; k += 20)
  {
    plain.advanceTo(k);
    most = std::max(most, plain.statistics().contacts);
  }
  ASSERT_GT(most, 30u);
  const dem::Frame wanted = plain.frame();
  for (const Kind& kind : kinds(false))
  {
    if (!kind.options.everyStep())
    {
      continue;
    }
    for (const bool tree : { false, true })
    {
      dem::Scene t = s;
      t.neighbor_list = kind.options;
      t.broad_phase.kind = tree ? BroadPhaseKind::Bvh : BroadPhaseKind::Automatic;
      dem::Simulation sim = simulate(t);
      EXPECT_EQ(sim.searchCounts().lists_redone, 0u);
      sim.advanceTo(end);
      EXPECT_GE(sim.searchCounts().lists_redone, 1u);
      EXPECT_GE(sim.searchCounts().static_size, 30u);
      EXPECT_SAME_BITS(wanted, sim.frame()) << kind.name;
    }
    dem::Scene t = s;
    t.neighbor_list = kind.options;
    t.neighbor_list.static_size = 10;
    dem::Simulation sim = simulate(t);
    const dem::SnapshotBytes state = sim.save();
    const std::string text = errorOf([&] { sim.advanceTo(end); });
    EXPECT_MENTIONS(text, std::string("NeighborList '") + dem::name(kind.options.kind) + "'");
    EXPECT_MENTIONS(text, "StaticSize is 10");
    sim.restore(state); // what went before can be shown again
    sim.advanceTo(20);
    dem::Simulation again = simulate(s);
    again.advanceTo(20);
    EXPECT_SAME_BITS(again.frame(), sim.frame()) << kind.name;
  }
}

// The first of three in a row leaves while it touches the next: what that one remembers of the
// others stays theirs, whatever their Ids and order.
TEST_P(NeighborList, LeavingInContact)
{
  std::vector<std::int64_t> ids{ 0, 1, 2 };
  do
    for (const dem::SortKind sort : { dem::SortKind::Never, dem::SortKind::EveryRebuild })
    {
      dem::Scene s = emptyScene();
      s.materials[0].friction = 0.5;
      s.materials[0].restitution = 0.6;
      s.domain.upper.x = 0.1;
      s.domain.exit[0] = dem::Exit::Remove;
      for (int k = 0; k < 3; ++k)
        addSphere(s, { 0.0998 - 0.0199 * (2 - k), 0.0004 * k, 0 }, 0.01, { 1, 0, 0 },
          { 0, 50. * (k == 1), 20. * k });
      s.particles.id = ids;
      setSteps(s, 1e-6, 400);
      dem::Simulation plain = simulate(s);
      plain.advanceTo(400);
      ASSERT_EQ(plain.statistics().lost, 1u);
      ASSERT_EQ(plain.statistics().contacts, 1u);
      const std::string place = std::string(", Ids ") + std::to_string(ids[0]) +
        std::to_string(ids[1]) + std::to_string(ids[2]);
      for (const Kind& kind : kinds(false))
      {
        dem::Scene t = s;
        t.neighbor_list = kind.options;
        t.broad_phase.sort = sort;
        dem::Simulation sim = simulate(t);
        sim.advanceTo(400);
        EXPECT_SAME_BITS(plain.frame(), sim.frame()) << kind.name << place;
      }
      // A look at each step: grains that left are then removed when no forces are due.
      dropHistory(s);
      dem::Simulation bare = simulate(s);
      for (const Kind& kind : kinds(true))
      {
        dem::Scene t = s;
        t.neighbor_list = kind.options;
        t.broad_phase.sort = sort;
        dem::Simulation sim = simulate(t);
        sim.rebuildEvery(1);
        bare = simulate(s);
        for (std::uint64_t step = 300; step <= 400; ++step)
        {
          sim.advanceTo(step);
          bare.advanceTo(step);
          ASSERT_EQ(contactsOf(bare.frame()), contactsOf(sim.frame()))
            << kind.name << place << ", step " << step;
        }
      }
    }
  while (std::next_permutation(ids.begin(), ids.end()));
}

// Sums by atomics differ by rounding: the same bed, in the mean of five seeds.
TEST_P(NeighborList, SymmetricListsSettleAlike)
{
  const auto settle = [&](const NeighborListOptions& list, std::uint32_t seed, double out[3]) {
    dem::Scene s = emptyScene();
    s.materials[0] = { "grain", 3e5, 0.3, 2500, 0.4, 0.4, 0 };
    s.gravity = { 0, 0, -9.81 };
    s.domain.lower = { 0, 0, 0 };
    s.domain.upper = { 0.0328, 0.0328, 0.2 };
    s.domain.exit = { dem::Exit::Periodic, dem::Exit::Periodic, dem::Exit::Wall };
    addCloud(s, { 0, 0, 0 }, 8, 8, 6, 0.0019, 0.002, 0.2, seed, 0.0041);
    s.neighbor_list = list;
    s.end_time = 1;
    dem::Simulation sim = simulate(s);
    sim.advanceTo(static_cast<std::uint64_t>(0.2 / sim.plan().time_step));
    const dem::Frame f = sim.frame();
    double overlap = 0;
    for (std::size_t i = 0; i < f.size; ++i)
    {
      out[0] += f.position[3 * i + 2] / static_cast<double>(f.size);
      out[1] += f.coordination_number[i] / static_cast<double>(f.size);
    }
    for (std::size_t k = 0; k < f.contacts.size; ++k)
    {
      overlap += f.contacts.overlap[k];
    }
    out[2] += overlap / static_cast<double>(f.contacts.size);
  };
  double wanted[3] = {};
  for (std::uint32_t seed = 1; seed <= 5; ++seed)
  {
    settle({}, seed, wanted);
  }
  for (int k = 0; k < 7; ++k)
  {
    const NeighborListKind kinds[] = { NeighborListKind::Static, NeighborListKind::Dynamic,
      NeighborListKind::Hybrid, NeighborListKind::Hybrid };
    const NeighborListOptions list{ kinds[k / 2], k == 6 ? 8 : 0, true,
      k == 6    ? ThreadPer::ContactHalving
        : k % 2 ? ThreadPer::Contact
                : ThreadPer::Particle };
    SCOPED_TRACE(std::string(dem::name(list.kind)) + ", per " +
      dem::kThreadPerNames[static_cast<int>(list.thread_per)]);
    double found[3] = {};
    for (std::uint32_t seed = 1; seed <= 5; ++seed)
    {
      settle(list, seed, found);
    }
    EXPECT_NEAR(found[0] / wanted[0], 1, 0.005) << "height";
    EXPECT_NEAR(found[1] / wanted[1], 1, 0.01) << "coordination";
    EXPECT_NEAR(found[2] / wanted[2], 1, 0.02) << "mean overlap";
  }
}

// Every kind that adds by atomics gives the forces of the default up to rounding, and books the
// same energies; with a list from before, and with one of each step.
TEST_P(NeighborList, ForcesByAtomics)
{
  std::vector<Kind> all = kinds(true);
  for (const int size : { 1, 2, 8, 16, 32 })
    for (const bool symmetric : { false, true })
      all.push_back({ "halving, size " + std::to_string(size),
        { size == 32 ? NeighborListKind::Static : NeighborListKind::Hybrid, size, symmetric,
          ThreadPer::ContactHalving,
          size % 3 == 1 ? dem::ListOrder::Unsorted : dem::ListOrder::Sorted } });
  for (const bool history : { true, false })
  {
    dem::Scene scene = busyScene();
    if (!history)
      dropHistory(scene);
    dem::Simulation plain = simulate(scene);
    plain.advanceTo(3000);
    const dem::SnapshotBytes state = plain.save();
    plain.advanceTo(3005);
    const dem::Frame before = plain.frame();
    plain.advanceTo(3010);
    const dem::Frame wanted = plain.frame();
    ASSERT_GT(wanted.contacts.size, 50u);
    for (const Kind& kind : all)
    {
      if (history == (kind.options.order == dem::ListOrder::Unsorted))
        continue;
      dem::Scene s = scene;
      s.neighbor_list = kind.options;
      dem::Simulation sim = simulate(s);
      sim.restore(state);
      EXPECT_EQ(state, sim.save()) << kind.name;
      sim.rebuildEvery(kind.options.symmetric ? 0 : 1);
      sim.advanceTo(3005);
      EXPECT_LT(forceDifference(before, sim.frame()), 1e-4) << kind.name; // a look changes nothing
      sim.rebuildEvery(1);
      sim.advanceTo(3010);
      const dem::Frame f = sim.frame();
      EXPECT_EQ(contactsOf(wanted), contactsOf(f)) << kind.name;
      EXPECT_LT(forceDifference(wanted, f), 1e-4) << kind.name;
      const double dissipated = wanted.statistics.dissipated_energy;
      EXPECT_NEAR(f.statistics.dissipated_energy, dissipated, 1e-6 * dissipated) << kind.name;
      const double work = std::fabs(wanted.statistics.stiffness_work);
      EXPECT_NEAR(f.statistics.stiffness_work, wanted.statistics.stiffness_work, 1e-4 * work)
        << kind.name;
    }
  }
}

// Contacts without history are not carried over from list to list: the same bits as the default,
// with a list of each step, a look in between, and a state that is saved and restored.
TEST_P(NeighborList, WithoutHistory)
{
  dem::Scene scene = busyScene();
  dropHistory(scene);
  dem::Simulation plain = simulate(scene);
  plain.advanceTo(3000);
  const dem::SnapshotBytes state = plain.save();
  plain.advanceTo(3050);
  const dem::Frame wanted = plain.frame();
  int turn = 0;
  for (const Kind& kind : kinds(false))
  {
    dem::Scene s = scene;
    s.neighbor_list = kind.options;
    nextSearch(s, turn++);
    dem::Simulation sim = simulate(s);
    sim.restore(state);
    sim.rebuildEvery(1);
    sim.advanceTo(3020);
    sim.frame();
    const dem::SnapshotBytes between = sim.save();
    sim.advanceTo(3050);
    EXPECT_SAME_BITS(wanted, sim.frame()) << kind.name;
    sim.restore(between);
    sim.advanceTo(3050);
    EXPECT_SAME_BITS(wanted, sim.frame()) << kind.name << ", restored";
  }
}

// The stages of a step are timed only after timeStages(), and then each of them.
TEST_P(NeighborList, StagesAreTimed)
{
  dem::Scene s = busyScene();
  s.neighbor_list.kind = NeighborListKind::Hybrid;
  dem::Simulation sim = simulate(s);
  sim.rebuildEvery(1);
  const auto stages = [&] {
    const dem::SearchCounts c = sim.searchCounts();
    return std::vector<double>{ c.build_seconds, c.pair_list_seconds, c.wall_list_seconds,
      c.pair_force_seconds, c.wall_force_seconds };
  };
  sim.advanceTo(1000);
  EXPECT_EQ(stages(), std::vector<double>(5, 0));
  sim.timeStages();
  const auto begin = std::chrono::steady_clock::now();
  sim.advanceTo(1100);
  const double wall =
    std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  double sum = 0;
  for (double seconds : stages())
  {
    EXPECT_GT(seconds, 0);
    sum += seconds;
  }
  EXPECT_LT(sum, wall);
}

TEST(NeighborListOptions, AreValidated)
{
  const auto message = [](const NeighborListOptions& list, const auto& set) {
    dem::Scene s = emptyScene();
    addSphere(s, {}, 0.1);
    s.neighbor_list = list;
    set(s.broad_phase);
    return errorOf([&] { dem::validate(s); });
  };
  const auto nothing = [](dem::BroadPhaseOptions&) {};
  EXPECT_MENTIONS(message({ NeighborListKind::Static, -1 }, nothing), "StaticSize is -1");
  EXPECT_MENTIONS(message({ NeighborListKind::Dynamic, 8 }, nothing),
    "StaticSize 8 does not go with NeighborList 'Dynamic'");
  EXPECT_MENTIONS(message({ NeighborListKind::Automatic, 8 }, nothing),
    "StaticSize 8 does not go with NeighborList 'Automatic'");
  EXPECT_MENTIONS(message({ NeighborListKind::Automatic, 0, true }, nothing),
    "SymmetricList does not go with NeighborList 'Automatic'");
  EXPECT_MENTIONS(message({ NeighborListKind::SplitLoop, 0, true }, nothing),
    "SymmetricList does not go with NeighborList 'Split Loop'");
  EXPECT_MENTIONS(message({ NeighborListKind::None, 0, false, ThreadPer::Contact }, nothing),
    "ThreadPer 'Contact' does not go with NeighborList 'None'");
  EXPECT_MENTIONS(message({ NeighborListKind::Automatic, 0, false, ThreadPer::Contact }, nothing),
    "ThreadPer 'Contact' does not go with NeighborList 'Automatic'");
  EXPECT_MENTIONS(
    message({ NeighborListKind::Static, 0, true, ThreadPer::ContactReduced }, nothing),
    "ThreadPer 'Contact, Warp Reduction' does not go with SymmetricList");
  const ThreadPer halving = ThreadPer::ContactHalving;
  EXPECT_MENTIONS(message({ NeighborListKind::SplitLoop, 0, false, halving }, nothing),
    "ThreadPer 'Contact, Halving Reduction' does not go with NeighborList 'Split Loop'");
  for (const int size : { 0, 12, 64 })
    EXPECT_MENTIONS(message({ NeighborListKind::Hybrid, size, false, halving }, nothing),
      "needs a StaticSize of 1, 2, 4, 8, 16 or 32 with NeighborList 'Hybrid'");
  const dem::ListOrder unsorted = dem::ListOrder::Unsorted;
  for (const NeighborListKind kind :
    { NeighborListKind::Automatic, NeighborListKind::None, NeighborListKind::SplitLoop })
    EXPECT_MENTIONS(message({ kind, 0, false, ThreadPer::Particle, unsorted }, nothing),
      std::string("ListOrder 'Unsorted' does not go with NeighborList '") + dem::name(kind) + "'");
  EXPECT_MENTIONS(
    message({ NeighborListKind::Hybrid, 0, false, ThreadPer::ContactReduced, unsorted }, nothing),
    "ListOrder 'Unsorted' does not go with ThreadPer 'Contact, Warp Reduction'");
  EXPECT_MENTIONS(
    message({ NeighborListKind::Dynamic, 0, false, ThreadPer::Particle, unsorted }, nothing),
    "ListOrder 'Unsorted' does not go with ThreadPer 'Particle' and NeighborList 'Dynamic'");
  const auto historyOf = [](const auto& set) {
    dem::Scene s = emptyScene();
    addSphere(s, {}, 0.1);
    s.neighbor_list = { NeighborListKind::Hybrid, 8, true, ThreadPer::Contact,
      dem::ListOrder::Unsorted };
    dropHistory(s);
    EXPECT_NO_THROW(dem::validate(s));
    set(s);
    return errorOf([&] { dem::validate(s); });
  };
  const std::string refused = "ListOrder 'Unsorted' does not go with contacts that have a history";
  EXPECT_MENTIONS(historyOf([](auto& s) { s.contact.tangential_history = true; }), refused);
  EXPECT_MENTIONS(historyOf([](auto& s) { s.contact_statistics = true; }), refused);
  EXPECT_MENTIONS(historyOf([](auto& s) { s.contact.rolling = dem::RollingModel::EPSD; }), refused);
  EXPECT_MENTIONS(historyOf([](auto& s) {
    s.contact.cohesion = dem::CohesionModel::JKR;
    s.materials[0].surface_energy = 0.1;
  }),
    refused);
  for (const NeighborListKind kind : { NeighborListKind::None, NeighborListKind::SplitLoop })
  {
    const std::string who = std::string("NeighborList '") + dem::name(kind) + "' does not go with ";
    for (const BroadPhaseKind search : { BroadPhaseKind::LinkedCells, BroadPhaseKind::FixedCells,
           BroadPhaseKind::HashedGrid, BroadPhaseKind::HierarchicalGrid })
    {
      EXPECT_MENTIONS(message({ kind }, [&](auto& o) { o.kind = search; }),
        who + "BroadPhase '" + dem::name(search) + "'");
    }
    EXPECT_MENTIONS(message({ kind }, [](auto& o) { o.cell_order = dem::CellOrder::Morton; }),
      who + "CellOrder 'Morton'");
    EXPECT_MENTIONS(message({ kind },
                      [](auto& o) {
                        o.kind = BroadPhaseKind::Bvh;
                        o.half_search = true;
                      }),
      who + "HalfSearch");
  }
}

PARAGRAIN_ON_ALL_BACKENDS(NeighborList);
