// Every broad phase and its options: each finds the pairs that a loop over all pairs finds, and
// none shows in the bits of a run.
#include "Scene/Names.h"
#include "Scene/Validate.h"
#include "BusyScene.h"
#include "Pairs.h"

#include <algorithm>

using namespace test;

namespace
{

using dem::BroadPhaseKind;
using dem::BroadPhaseOptions;
using dem::Exit;

struct Method
{
  std::string name;
  BroadPhaseOptions options;
};

std::vector<Method> everyMethod()
{
  std::vector<Method> all;
  const auto add = [&](const std::string& name, BroadPhaseKind kind, const auto& set) {
    BroadPhaseOptions o;
    o.kind = kind;
    set(o);
    all.push_back({ name, o });
  };
  add("Sorted Grid", BroadPhaseKind::SortedGrid, [](auto&) {});
  add("Sorted Grid, half", BroadPhaseKind::SortedGrid, [](auto& o) { o.half_search = true; });
  add("Sorted Grid, Morton", BroadPhaseKind::SortedGrid,
    [](auto& o) { o.cell_order = dem::CellOrder::Morton; });
  add("Sorted Grid, Tiles", BroadPhaseKind::SortedGrid,
    [](auto& o) { o.cell_order = dem::CellOrder::Tiles; });
  add("Sorted Grid, Tiles, half", BroadPhaseKind::SortedGrid, [](auto& o) {
    o.cell_order = dem::CellOrder::Tiles;
    o.half_search = true;
  });
  add("Sorted Grid, Radix", BroadPhaseKind::SortedGrid,
    [](auto& o) { o.cell_sort = dem::CellSort::Radix; });
  add("Sorted Grid, Morton, Radix", BroadPhaseKind::SortedGrid, [](auto& o) {
    o.cell_order = dem::CellOrder::Morton;
    o.cell_sort = dem::CellSort::Radix;
  });
  add("Sorted Grid, Tiles, Radix, half", BroadPhaseKind::SortedGrid, [](auto& o) {
    o.cell_order = dem::CellOrder::Tiles;
    o.cell_sort = dem::CellSort::Radix;
    o.half_search = true;
  });
  add("Linked Cells, Loose", BroadPhaseKind::LinkedCells, [](auto&) {});
  add("Linked Cells, Tight", BroadPhaseKind::LinkedCells,
    [](auto& o) { o.linked_cells = dem::LinkedCellsForm::Tight; });
  add("Linked Cells, Loose Packed", BroadPhaseKind::LinkedCells,
    [](auto& o) { o.linked_cells = dem::LinkedCellsForm::LoosePacked; });
  add("Fixed Cells, Row Major", BroadPhaseKind::FixedCells,
    [](auto& o) { o.fixed_cells = dem::FixedCellsForm::RowMajor; });
  add("Fixed Cells, Column Major, one slot", BroadPhaseKind::FixedCells,
    [](auto& o) { o.cell_capacity = 1; });
  add("Fixed Cells, Counted", BroadPhaseKind::FixedCells,
    [](auto& o) { o.fixed_cells = dem::FixedCellsForm::Counted; });
  add("Hashed, Uniform, x1", BroadPhaseKind::HashedGrid, [](auto& o) {
    o.hash = dem::HashFunction::Uniform;
    o.hash_table_factor = 1;
  });
  add("Hashed, Morton, x2", BroadPhaseKind::HashedGrid, [](auto&) {});
  add("Hashed, Universal, x5", BroadPhaseKind::HashedGrid, [](auto& o) {
    o.hash = dem::HashFunction::Universal;
    o.hash_table_factor = 5;
  });
  add("Hashed, Morton, by bucket", BroadPhaseKind::HashedGrid, [](auto& o) {
    o.hash_order = dem::HashOrder::Bucket;
    o.hash_table_factor = 1;
  });
  add("Hashed, Universal, by bucket", BroadPhaseKind::HashedGrid, [](auto& o) {
    o.hash = dem::HashFunction::Universal;
    o.hash_order = dem::HashOrder::Bucket;
  });
  add("BVH, 63", BroadPhaseKind::Bvh, [](auto&) {});
  add("BVH, 30", BroadPhaseKind::Bvh, [](auto& o) { o.bvh_key_bits = 30; });
  add("BVH, 63, half", BroadPhaseKind::Bvh, [](auto& o) { o.half_search = true; });
  add("BVH, 30, half", BroadPhaseKind::Bvh, [](auto& o) {
    o.bvh_key_bits = 30;
    o.half_search = true;
  });
  add("Hierarchical Grid", BroadPhaseKind::HierarchicalGrid, [](auto&) {});
  add("Hierarchical Grid, Radix", BroadPhaseKind::HierarchicalGrid,
    [](auto& o) { o.cell_sort = dem::CellSort::Radix; });
  add("Automatic", BroadPhaseKind::Automatic, [](auto&) {});
  return all;
}

class BroadPhase : public BackendTest
{
protected:
  // From the doubles of the input.
  static Pairs allPairs(const dem::Scene& s, double reach)
  {
    return test::allPairs(s.domain, ballsOf(s.particles), reach);
  }

  static Pairs candidates(dem::Simulation& sim)
  {
    const Pairs pairs = test::candidates(sim);
    EXPECT_EQ(sim.searchCounts().list_entries, 2 * pairs.size()) << "a pair stands in one row only";
    return pairs;
  }

  // Every method, with sorted data and without.
  void check(dem::Scene scene)
  {
    for (const Method& m : everyMethod())
    {
      for (const dem::SortKind sort : { dem::SortKind::EveryRebuild, dem::SortKind::Never })
      {
        SCOPED_TRACE(m.name + (sort == dem::SortKind::Never ? ", not sorted" : ""));
        scene.broad_phase = m.options;
        scene.broad_phase.sort = sort;
        dem::Simulation sim = simulate(scene);
        const double skin = sim.searchCounts().skin;
        const Pairs seen = candidates(sim);
        EXPECT_EQ(missing(allPairs(scene, skin * (1 - 1e-9)), seen), "") << "not found";
        EXPECT_EQ(missing(seen, allPairs(scene, skin * (1 + 1e-9))), "") << "found, but far apart";
        EXPECT_EQ(sim.searchCounts().sorts, sort == dem::SortKind::Never ? 0u : 1u);
      }
    }
  }
};

} // namespace

TEST_P(BroadPhase, RandomEqualSpheres)
{
  dem::Scene s = looseBox(0.1);
  Uniform uniform(3);
  addRandom(s, 700, 0.004, 0.004, uniform);
  check(s);
}

// Neighbours at whole multiples of radius, diameter, and diameter + skin: on the borders of cells
// wherever they are drawn.
TEST_P(BroadPhase, Lattices)
{
  for (double spacing : { 0.02, 0.022 })
  {
    dem::Scene s = looseBox(0.4);
    s.skin = 0.002;
    for (int i = 0; i < 512; ++i)
    {
      addSphere(
        s, { (i % 8 + 1) * spacing, (i / 8 % 8 + 1) * spacing, (i / 64 + 1) * spacing }, 0.01);
    }
    SCOPED_TRACE("spacing " + std::to_string(spacing));
    check(s);
  }
}

// Dense clusters far apart in a huge empty domain, and a teapot in a stadium.
TEST_P(BroadPhase, ClustersInAnEmptyDomain)
{
  Uniform uniform(5);
  dem::Scene s = looseBox(2000);
  for (const Vec3d& corner :
    { Vec3d{ 0, 0, 0 }, Vec3d{ 1999.9, 0, 1999.9 }, Vec3d{ 1000, 1999.9, 3 } })
  {
    dem::Scene cluster = looseBox(0.1);
    cluster.domain.lower = corner;
    cluster.domain.upper = corner + Vec3d{ 0.08, 0.08, 0.08 };
    addRandom(cluster, 130, 0.004, 0.006, uniform);
    for (std::size_t i = 0; i < cluster.particles.size(); ++i)
    {
      addSphere(s, cluster.particles.position[i], cluster.particles.radius[i]);
    }
  }
  check(s);
  dem::Scene stadium = looseBox(3000);
  addCloud(stadium, { 1500, 1500, 0 }, 6, 6, 6, 0.008, 0.01, 0, 7, 0.0199);
  addSphere(stadium, { 1, 1, 1 }, 0.01);
  addSphere(stadium, { 2999, 2999, 2999 }, 0.01);
  stadium.domain.limited = false;
  check(stadium);
}

TEST_P(BroadPhase, SizesOneToTwenty)
{
  Uniform uniform(7);
  dem::Scene s = looseBox(0.2);
  addRandom(s, 600, 0.002, 0.04, uniform);
  check(s);
  dem::Scene one = looseBox(0.2); // a single large one among small ones
  addSphere(one, { 0.1, 0.1, 0.1 }, 0.04);
  addRandom(one, 500, 0.002, 0.002, uniform);
  check(one);
  dem::Scene wraps = looseBox(0.2);
  wraps.domain.exit = { Exit::Periodic, Exit::Wall, Exit::Periodic };
  addSphere(wraps, { 0.01, 0.1, 0.19 }, 0.04);
  addRandom(wraps, 500, 0.002, 0.03, uniform);
  check(wraps);
}

TEST_P(BroadPhase, PeriodicInEveryCombination)
{
  for (int mask = 1; mask < 8; ++mask)
  {
    dem::Scene s = looseBox(0.06);
    Uniform uniform(20 + mask);
    for (int k = 0; k < 3; ++k)
    {
      s.domain.exit[k] = (mask >> k) & 1 ? Exit::Periodic : Exit::Wall;
    }
    s.skin = mask == 7 ? 0.004 : 0; // two cells a period
    addRandom(s, 90, 0.003, 0.013, uniform);
    SCOPED_TRACE("axes " + std::to_string(mask));
    check(s);
  }
}

// Periods of little more than two large grains with their skins: cells of the small ones stand for
// several images, and a pair may be near across more than one border.
TEST_P(BroadPhase, LargeAmongSmallInShortPeriods)
{
  const struct
  {
    double skin, least, most;
  } kinds[] = { { 0.008, 0.012, 0.02 }, { 0.03, 0.012, 0.02 }, { 0.024, 0.006, 0.01 } };
  for (const auto& kind : kinds)
    for (std::uint32_t seed = 1; seed <= 6; ++seed)
    {
      Uniform uniform(seed);
      dem::Scene s = looseBox(0.178);
      s.skin = kind.skin;
      s.domain.exit = { Exit::Periodic, Exit::Periodic, seed % 2 ? Exit::Periodic : Exit::Wall };
      addRandom(s, static_cast<int>(seed % 3 + 1), 0.04, 0.04, uniform);
      addRandom(s, 50, kind.least, kind.most, uniform);
      SCOPED_TRACE("skin " + std::to_string(kind.skin) + ", seed " + std::to_string(seed));
      check(s);
    }
}

// On the borders of a periodic box, and on borders of its cells.
TEST_P(BroadPhase, PeriodicLattice)
{
  dem::Scene s = looseBox(0.16);
  s.domain.exit = { Exit::Periodic, Exit::Periodic, Exit::Periodic };
  s.skin = 0.002;
  for (int i = 0; i < 512; ++i)
  {
    addSphere(s, { (i % 8) * 0.02, (i / 8 % 8) * 0.02, (i / 64 + 1) * 0.02 }, 0.00999);
  }
  check(s);
}

// Two particles in one place are found, so they are refused by name.
TEST_P(BroadPhase, Coincident)
{
  for (const Method& m : everyMethod())
  {
    SCOPED_TRACE(m.name);
    dem::Scene s = looseBox(1, 0.05);
    addSphere(s, { 0.3, 0.5, 0.5 }, 0.01);
    for (int k = 0; k < 40; ++k)
    {
      addSphere(s, { 0.5, 0.5, 0.5 }, 0.01);
    }
    s.broad_phase = m.options;
    EXPECT_MENTIONS(errorOf([&] { simulate(s); }), "780 pairs");
  }
}

TEST_P(BroadPhase, OneParticleAndTwo)
{
  dem::Scene s = looseBox(1);
  addSphere(s, { 0.5, 0.5, 0.5 }, 0.01);
  check(s);
  addSphere(s, { 0.5, 0.5, 0.5195 }, 0.01);
  check(s);
}

// Small scenes of every kind, hundreds and thousands of them: density, spread of sizes, skin,
// borders and offsets at random.
TEST_P(BroadPhase, RandomScenes)
{
  const std::vector<Method> methods = everyMethod();
  const std::uint32_t scenes = GetParam().device == dem::DeviceKind::CPU ? 3400 : 340;
  for (std::uint32_t seed = 0; seed < scenes; ++seed)
  {
    Uniform uniform(seed);
    dem::Scene s = looseBox(1);
    const double r_max = std::exp(uniform(-4, -1.6)), r_min = r_max * std::exp(-uniform(0, 3));
    for (int k = 0; k < 3; ++k)
    {
      const double width = std::max(4.5 * r_max, uniform(0.05, 1));
      s.domain.lower[k] = uniform(-5, 5);
      s.domain.upper[k] = s.domain.lower[k] + width;
      s.domain.exit[k] = uniform.below(3) == 0 ? Exit::Periodic : Exit::Wall;
    }
    s.skin = uniform.below(3) == 0 ? 0 : r_min * std::exp(uniform(-5, 1));
    addRandom(s, static_cast<int>(2 + uniform.below(60)), r_min, r_max, uniform);
    if (uniform.below(4) == 0)
    {
      descendingIds(s);
    }
    const Method& m = methods[seed % methods.size()];
    s.broad_phase = m.options;
    s.broad_phase.sort = uniform.below(2) ? dem::SortKind::Never : dem::SortKind::EveryRebuild;
    SCOPED_TRACE(m.name + ", seed " + std::to_string(seed));
    dem::Simulation sim = simulate(s);
    const double skin = sim.searchCounts().skin;
    const Pairs seen = candidates(sim);
    ASSERT_EQ(missing(allPairs(s, skin * (1 - 1e-9)), seen), "");
    ASSERT_EQ(missing(seen, allPairs(s, skin * (1 + 1e-9))), "");
  }
}

// While grains fly, leave at borders, and meet moving walls: every method gives the bits of the
// default, whenever data are sorted.
TEST_P(BroadPhase, SameBitsAsTheDefault)
{
  const std::uint64_t end = 10000;
  dem::Simulation plain = simulate(busyScene());
  const dem::Frame wanted = busyFrame(plain, end);
  int turn = 0;
  for (const Method& m : everyMethod())
  {
    dem::Scene s = busyScene();
    s.broad_phase = m.options;
    s.broad_phase.sort = static_cast<dem::SortKind>(turn++ % 4);
    s.broad_phase.sort_steps = 90;
    s.broad_phase.sort_time = 40 * plain.plan().time_step;
    dem::Simulation sim = simulate(s);
    sim.advanceTo(end);
    EXPECT_SAME_BITS(wanted, sim.frame()) << m.name;
    const dem::SearchCounts c = sim.searchCounts();
    EXPECT_GT(c.rebuilds, 20u);
    switch (s.broad_phase.sort)
    {
      case dem::SortKind::EveryRebuild:
        EXPECT_EQ(c.sorts, c.rebuilds);
        break;
      case dem::SortKind::Never:
        EXPECT_EQ(c.sorts, 0u);
        break;
      default:
        EXPECT_GT(c.sorts, 2u);
        EXPECT_LT(c.sorts, c.rebuilds);
    }
  }
}

// A state that one method saved goes on with another.
TEST_P(BroadPhase, StatesAreShared)
{
  dem::Simulation plain = simulate(busyScene());
  plain.advanceTo(600);
  const dem::SnapshotBytes state = plain.save();
  plain.advanceTo(1200);
  for (const BroadPhaseKind kind :
    { BroadPhaseKind::Bvh, BroadPhaseKind::HierarchicalGrid, BroadPhaseKind::HashedGrid })
  {
    dem::Scene s = busyScene();
    s.broad_phase.kind = kind;
    s.broad_phase.sort = dem::SortKind::Never;
    dem::Simulation sim = simulate(s);
    sim.restore(state);
    sim.advanceTo(1200);
    EXPECT_SAME_BITS(plain.frame(), sim.frame());
  }
}

// A cell that overflows grows all cells, and nothing is lost: 64 grains a cell where one slot was
// given.
TEST_P(BroadPhase, FixedCellsOverflow)
{
  for (const auto form : { dem::FixedCellsForm::RowMajor, dem::FixedCellsForm::ColumnMajor })
  {
    dem::Scene s = looseBox(0.4);
    addCloud(s, { 0, 0, 0 }, 10, 10, 10, 0.002, 0.0022, 0, 3);
    addSphere(s, { 0.3, 0.3, 0.3 }, 0.01);
    s.broad_phase.kind = BroadPhaseKind::FixedCells;
    s.broad_phase.fixed_cells = form;
    s.broad_phase.cell_capacity = 1;
    dem::Simulation sim = simulate(s);
    const dem::SearchCounts c = sim.searchCounts();
    EXPECT_GE(c.search.cells_redone, 1u);
    EXPECT_GE(c.search.cell_capacity, 64u);
    EXPECT_EQ(missing(allPairs(s, c.skin), candidates(sim)), "");
    s.broad_phase.cell_capacity = 1000;
    dem::Simulation roomy = simulate(s);
    EXPECT_EQ(roomy.searchCounts().search.cells_redone, 0u);
    EXPECT_EQ(roomy.searchCounts().search.cell_capacity, 1000u);
    EXPECT_EQ(candidates(roomy), candidates(sim));
  }
}

// A table of as many buckets as there are grains, or a few times as many, far fewer than cells that
// are looked into: 27 cells fall into 5 buckets.
TEST_P(BroadPhase, HashCollisions)
{
  for (const auto hash :
    { dem::HashFunction::Uniform, dem::HashFunction::Morton, dem::HashFunction::Universal })
  {
    for (const auto& [n, factor] : std::vector<std::pair<int, int>>{ { 1, 1 }, { 2, 1 }, { 3, 1 },
           { 5, 1 }, { 8, 1 }, { 3, 2 }, { 7, 3 }, { 5, 4 }, { 8, 5 } })
    {
      dem::Scene s = looseBox(1);
      for (int i = 0; i < n; ++i)
      {
        addSphere(s, { 0.5 + 0.0195 * i, 0.5 + 0.002 * (i % 2), 0.5 }, 0.01);
      }
      s.broad_phase.kind = BroadPhaseKind::HashedGrid;
      s.broad_phase.hash = hash;
      s.broad_phase.hash_table_factor = factor;
      dem::Simulation sim = simulate(s);
      EXPECT_EQ(sim.searchCounts().search.buckets, static_cast<std::uint64_t>(factor * n));
      EXPECT_EQ(candidates(sim).size(), static_cast<std::size_t>(n - 1));
      EXPECT_EQ(missing(allPairs(s, sim.searchCounts().skin), candidates(sim)), "");
    }
  }
}

// What a search chose is told: memory that does not grow with the domain, one level a doubling of
// the radius.
TEST_P(BroadPhase, SaysWhatItChose)
{
  Uniform uniform(11);
  dem::Scene s = looseBox(100);
  s.domain.upper = { 0.08, 0.08, 0.08 };
  addSphere(s, { 0.04, 0.04, 0.04 }, 0.019);
  addRandom(s, 300, 0.002, 0.002, uniform);
  s.domain.upper = { 100, 100, 100 };
  s.broad_phase.kind = BroadPhaseKind::HierarchicalGrid;
  s.skin = 0.001;
  dem::SearchCounts c = simulate(s).searchCounts();
  EXPECT_EQ(c.search.levels, 2);
  EXPECT_GE(c.search.cell_size, 0.005);
  EXPECT_LT(c.search.cell_size, 0.006);
  s.broad_phase.kind = BroadPhaseKind::HashedGrid;
  c = simulate(s).searchCounts();
  EXPECT_EQ(c.search.buckets, 2 * s.particles.size());
  EXPECT_EQ(c.search.cells, 0u);
  const std::uint64_t bytes = c.search.bytes;
  addSphere(s, { 99, 99, 99 }, 0.002);
  c = simulate(s).searchCounts();
  EXPECT_LT(c.search.bytes, bytes + 200);
  s.broad_phase.kind = BroadPhaseKind::SortedGrid;
  c = simulate(s).searchCounts();
  EXPECT_GT(c.search.cells, 1000u);
  EXPECT_GE(c.search.cell_size, 0.039);
}

// Two clusters far apart: the limit of cells widens them, and without it they have the size of a
// grain. All methods with cells find the same pairs.
TEST_P(BroadPhase, CellsPerParticle)
{
  dem::Scene s = looseBox(1);
  s.domain.limited = false;
  s.skin = 0.001;
  addCloud(s, { -0.6, -0.6, -0.6 }, 5, 5, 5, 0.004, 0.005, 0.1, 1);
  addCloud(s, { 0.6, 0.6, 0.6 }, 5, 5, 5, 0.004, 0.005, 0.1, 2);
  const double reach = 0.011; // two radii and the skin
  for (const BroadPhaseKind kind :
    { BroadPhaseKind::SortedGrid, BroadPhaseKind::LinkedCells, BroadPhaseKind::FixedCells })
  {
    s.broad_phase = {};
    s.broad_phase.kind = kind;
    dem::Simulation limited = simulate(s);
    EXPECT_LE(limited.searchCounts().search.cells, 65536u) << dem::name(kind);
    EXPECT_GT(limited.searchCounts().search.cell_size, 2 * reach) << dem::name(kind);
    s.broad_phase.cells_per_particle = 0;
    dem::Simulation fine = simulate(s);
    EXPECT_GT(fine.searchCounts().search.cells, 1u << 20) << dem::name(kind);
    EXPECT_LT(fine.searchCounts().search.cell_size, 1.1 * reach) << dem::name(kind);
    EXPECT_EQ(candidates(limited), candidates(fine)) << dem::name(kind);
    EXPECT_EQ(missing(allPairs(s, 0.001 * (1 - 1e-9)), candidates(fine)), "") << dem::name(kind);
    s.broad_phase.sort = dem::SortKind::Never;
    EXPECT_EQ(candidates(fine), candidates(*std::make_unique<dem::Simulation>(simulate(s))));
    s.broad_phase.cells_per_particle = 1000;
    const std::uint64_t cells = simulate(s).searchCounts().search.cells;
    EXPECT_GT(cells, 65536u) << dem::name(kind);
    EXPECT_LE(cells, 250000u) << dem::name(kind);
  }
}

// A radix sort on CUDA needs a second array of keys and no counts of cells. The CPU always sorts.
TEST_P(BroadPhase, RadixSortIsUsed)
{
  Uniform uniform(5);
  dem::Scene s = looseBox(0.1);
  addRandom(s, 700, 0.004, 0.004, uniform);
  s.broad_phase.kind = BroadPhaseKind::SortedGrid;
  const std::uint64_t counting = simulate(s).searchCounts().search.bytes;
  s.broad_phase.cell_sort = dem::CellSort::Radix;
  const std::uint64_t radix = simulate(s).searchCounts().search.bytes;
  if (GetParam().device == dem::DeviceKind::CPU)
    EXPECT_EQ(radix, counting);
  else
    EXPECT_NE(radix, counting);
}

// One grid while sizes are alike, one a level where a grid for the largest would hold hundreds of
// the small in each cell.
TEST_P(BroadPhase, AutomaticGoesByTheRadii)
{
  const auto chosen = [&](double least, double most, int large) {
    Uniform uniform(3);
    dem::Scene s = looseBox(1);
    s.domain.upper = { 0.3, 0.3, 0.3 };
    addRandom(s, large, 0.02, 0.02, uniform);
    addRandom(s, 2000, least, most, uniform);
    return simulate(s).searchCounts().search.kind;
  };
  EXPECT_EQ(chosen(0.002, 0.002, 0), BroadPhaseKind::SortedGrid);
  EXPECT_EQ(chosen(0.002, 0.003, 0), BroadPhaseKind::SortedGrid);
  EXPECT_EQ(chosen(0.002, 0.002, 3), BroadPhaseKind::HierarchicalGrid);
  EXPECT_EQ(chosen(0.0005, 0.01, 0), BroadPhaseKind::HierarchicalGrid); // 1:20
}

TEST(BroadPhaseOptions, AreValidated)
{
  const auto message = [](const auto& set) {
    dem::Scene s = emptyScene();
    addSphere(s, {}, 0.1);
    set(s.broad_phase);
    return errorOf([&] { dem::validate(s); });
  };
  EXPECT_MENTIONS(
    message([](auto& o) { o.cell_capacity = 0; }), "CellCapacity is 0; it must lie in [1, 65535]");
  EXPECT_MENTIONS(message([](auto& o) { o.hash_table_factor = 6; }),
    "HashTableFactor is 6; it must lie in [1, 5]");
  EXPECT_MENTIONS(
    message([](auto& o) { o.bvh_key_bits = 32; }), "BVHKeyBits is 32; it must be 30 or 63");
  EXPECT_MENTIONS(message([](auto& o) { o.sort_steps = 0; }), "SortSteps is 0");
  EXPECT_MENTIONS(message([](auto& o) { o.sort_time = 0; }), "SortTime is 0 s");
  for (const BroadPhaseKind kind : { BroadPhaseKind::LinkedCells, BroadPhaseKind::FixedCells,
         BroadPhaseKind::HashedGrid, BroadPhaseKind::HierarchicalGrid })
  {
    const std::string text = message([&](auto& o) {
      o.kind = kind;
      o.half_search = true;
    });
    EXPECT_MENTIONS(text, "HalfSearch");
    EXPECT_MENTIONS(text, dem::name(kind));
  }
  for (const BroadPhaseKind kind : { BroadPhaseKind::Automatic, BroadPhaseKind::LinkedCells,
         BroadPhaseKind::FixedCells, BroadPhaseKind::HashedGrid, BroadPhaseKind::Bvh })
    EXPECT_MENTIONS(message([&](auto& o) {
      o.kind = kind;
      o.cell_sort = dem::CellSort::Radix;
    }),
      std::string("CellSort 'Radix' does not go with BroadPhase '") + dem::name(kind) + "'");
  EXPECT_MENTIONS(message([](auto& o) { o.cells_per_particle = -1; }), "CellsPerParticle is -1");
  for (const BroadPhaseKind kind : { BroadPhaseKind::Automatic, BroadPhaseKind::HashedGrid,
         BroadPhaseKind::Bvh, BroadPhaseKind::HierarchicalGrid })
    EXPECT_MENTIONS(message([&](auto& o) {
      o.kind = kind;
      o.cells_per_particle = 0;
    }),
      std::string("CellsPerParticle 0 does not go with BroadPhase '") + dem::name(kind) + "'");
  for (const BroadPhaseKind kind :
    { BroadPhaseKind::Automatic, BroadPhaseKind::SortedGrid, BroadPhaseKind::LinkedCells,
      BroadPhaseKind::FixedCells, BroadPhaseKind::Bvh, BroadPhaseKind::HierarchicalGrid })
    EXPECT_MENTIONS(message([&](auto& o) {
      o.kind = kind;
      o.hash_order = dem::HashOrder::Bucket;
    }),
      std::string("HashOrder 'Bucket' does not go with BroadPhase '") + dem::name(kind) + "'");
  const std::string text = message([&](auto& o) {
    o.kind = BroadPhaseKind::SortedGrid;
    o.cell_order = dem::CellOrder::Morton;
    o.half_search = true;
  });
  EXPECT_MENTIONS(text, "HalfSearch");
  EXPECT_MENTIONS(text, "Morton");
}

PARAGRAIN_ON_ALL_BACKENDS(BroadPhase);
