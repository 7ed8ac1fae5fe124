// Item 9: the candidate search against all pairs, right after a build and while particles move.
#include "Scene/Names.h"
#include "Pairs.h"

using namespace test;

namespace
{

class Search : public BackendTest
{
protected:
  static Pairs allPairs(const dem::Scene& s, const dem::Frame& f, double reach)
  {
    return test::allPairs(s.domain, ballsOf(f), reach);
  }

  // Right after a build every pair within the skin is listed, and nothing far beyond it.
  void check(const dem::Scene& scene)
  {
    dem::Simulation sim = simulate(scene);
    const dem::Frame f = sim.frame();
    ASSERT_EQ(f.size, scene.particles.size());
    const double skin = sim.searchCounts().skin;
    EXPECT_GT(skin, 0);
    const Pairs seen = candidates(sim);
    EXPECT_EQ(missing(allPairs(scene, f, 0.999 * skin), seen), "");
    EXPECT_EQ(missing(seen, allPairs(scene, f, 2.01 * skin)), "") << "listed but far apart";
    const Pairs touching = test::touching(f);
    EXPECT_EQ(missing(allPairs(scene, f, -1e-9), touching), "") << "touch, but are no contact";
    EXPECT_EQ(missing(touching, allPairs(scene, f, 1e-9)), "") << "contact without touch";
  }

  // So dense that most of the grains fit only after many tries.
  static void addRandom(dem::Scene& s, int n, double r_min, double r_max, std::uint32_t seed)
  {
    Uniform uniform(seed);
    test::addRandom(s, n, r_min, r_max, uniform, 100);
  }
};

using dem::Exit;

} // namespace

TEST_P(Search, OneParticleAndTwo)
{
  dem::Scene s = looseBox(1);
  addSphere(s, { 0.5, 0.5, 0.5 }, 0.01);
  check(s);
  addSphere(s, { 0.5, 0.5, 0.5195 }, 0.01);
  check(s);
}

TEST_P(Search, RandomEqualSpheres)
{
  for (std::uint32_t seed : { 1u, 2u, 3u })
  {
    dem::Scene s = looseBox(0.2);
    addRandom(s, 1500, 0.008, 0.008, seed);
    ASSERT_GT(s.particles.size(), 1000u);
    check(s);
  }
}

TEST_P(Search, SizesOneToTwenty)
{
  dem::Scene s = looseBox(0.2);
  addRandom(s, 1500, 0.002, 0.04, 5);
  ASSERT_GT(s.particles.size(), 500u);
  check(s);
  dem::Scene one = looseBox(0.2); // a single large one among small ones
  addSphere(one, { 0.1, 0.1, 0.1 }, 0.04);
  addRandom(one, 1500, 0.002, 0.002, 6);
  check(one);
}

// Neighbours that touch exactly, at whole multiples of radius, diameter and diameter + skin:
// borders of cells wherever they are drawn.
TEST_P(Search, LatticesOnCellBorders)
{
  for (double spacing : { 0.0199, 0.02, 0.021, 0.022 })
  {
    for (double offset : { 0.0, 0.01, 0.011 })
    {
      dem::Scene s = looseBox(0.4);
      s.skin = 0.002;
      for (int i = 0; i < 10; ++i)
      {
        for (int j = 0; j < 10; ++j)
        {
          for (int k = 0; k < 10; ++k)
          {
            addSphere(s,
              { offset + (i + 1) * spacing, offset + (j + 1) * spacing,
                offset + (k + 1) * spacing },
              0.01);
          }
        }
      }
      SCOPED_TRACE("spacing " + std::to_string(spacing) + ", offset " + std::to_string(offset));
      check(s);
    }
  }
}

// A line and a sheet: grids that are one cell thick.
TEST_P(Search, FlatAndLongClouds)
{
  dem::Scene line = looseBox(2), sheet = looseBox(2);
  for (int i = 0; i < 90; ++i)
  {
    addSphere(line, { 0.1 + 0.0199 * i, 1, 1 }, 0.01);
    for (int j = 0; j < 12; ++j)
    {
      addSphere(sheet, { 0.1 + 0.0199 * i, 1, 0.1 + 0.0201 * j }, 0.01);
    }
  }
  check(line);
  check(sheet);
}

// Far apart clusters: a grid over the whole would be huge; nothing may be missed and nothing may
// break.
TEST_P(Search, SparseClusters)
{
  dem::Scene s = looseBox(20);
  for (const Vec3d c :
    { Vec3d{ 0.1, 0.1, 0.1 }, Vec3d{ 19.9, 19.9, 19.9 }, Vec3d{ 0.1, 19.9, 10 } })
  {
    for (int i = 0; i < 5; ++i)
    {
      addSphere(s, c + Vec3d{ 0, 0.00195 * i - 0.004, 0 }, 0.001);
    }
  }
  check(s);
}

TEST_P(Search, UnlimitedDomain)
{
  dem::Scene s = looseBox(0.2);
  addRandom(s, 500, 0.004, 0.012, 8);
  s.domain.limited = false;
  for (Vec3d& x : s.particles.position)
  {
    x += Vec3d{ -3, 5, 70 };
  }
  check(s);
}

TEST_P(Search, PeriodicInEveryCombination)
{
  for (int mask = 1; mask < 8; ++mask)
  {
    dem::Scene s = looseBox(0.15);
    for (int k = 0; k < 3; ++k)
    {
      s.domain.exit[k] = (mask >> k) & 1 ? Exit::Periodic : Exit::Wall;
    }
    addRandom(s, 600, 0.004, 0.016, 20 + mask);
    SCOPED_TRACE("axes " + std::to_string(mask));
    check(s);
  }
}

// Across the corner, the edges and the faces of a periodic box, and exactly on its borders.
TEST_P(Search, PeriodicCorners)
{
  dem::Scene s = looseBox(0.2);
  s.domain.exit = { Exit::Periodic, Exit::Periodic, Exit::Periodic };
  s.skin = 0.008;
  const double r = 0.01, d = 0.0076; // over a face 15 mm apart (touching), over an edge 21, over
                                     // the corner 26: within the skin
  for (int i = 0; i < 8; ++i)
  {
    addSphere(s, { i & 1 ? 0.2 - d : d, i & 2 ? 0.2 - d : d, i & 4 ? 0.2 - d : d }, r);
  }
  check(s);
  dem::Simulation sim = simulate(s);
  EXPECT_EQ(candidates(sim).size(), 28u); // each of the eight sees each other one
  EXPECT_EQ(sim.frame().contacts.size, 12u);
  dem::Scene border = looseBox(0.2);
  border.domain.exit = s.domain.exit;
  addSphere(border, { 0, 0, 0 }, r);
  addSphere(border, { 0.2 - 0.0195, 0, 0.2 }, r);
  addSphere(border, { 0.1, 0.2, 0 }, r);
  addSphere(border, { 0.1, 0.0195, 0.2 }, r);
  check(border);
}

// Two particles in one place have no normal: refused, by name.
TEST_P(Search, Coincident)
{
  dem::Scene s = looseBox(1);
  addSphere(s, { 0.3, 0.5, 0.5 }, 0.01);
  addSphere(s, { 0.5, 0.5, 0.5 }, 0.01);
  addSphere(s, { 0.5, 0.5, 0.5 }, 0.01);
  s.particles.id = { 5, 71, 82 };
  const std::string message = errorOf([&] { simulate(s); });
  EXPECT_MENTIONS(message, "71");
  EXPECT_MENTIONS(message, "82");
  EXPECT_MENTIONS(message, "overlap");
}

// While things move: at any step, what touches is listed and is a contact, whatever the skin. One
// particle is ten times as fast as a list lives; one is accelerated; the rest mix.
TEST_P(Search, NeverTooLate)
{
  using Kind = dem::BroadPhaseKind;
  struct Case
  {
    Kind kind;
    double skin;
    int every; // so many steps it is looked at
  };
  for (const Case& c :
    std::initializer_list<Case>{ { Kind::Automatic, 0, 5 }, { Kind::Automatic, 5e-5, 5 },
      { Kind::Automatic, 4e-3, 5 }, { Kind::LinkedCells, 0, 25 }, { Kind::FixedCells, 0, 25 },
      { Kind::HashedGrid, 0, 25 }, { Kind::Bvh, 0, 25 }, { Kind::HierarchicalGrid, 0, 25 } })
  {
    SCOPED_TRACE(std::string(dem::name(c.kind)) + ", skin " + std::to_string(c.skin));
    dem::Scene s = emptyScene();
    s.broad_phase.kind = c.kind;
    s.gravity = { 0, 0, -9.81 };
    s.materials[0].youngs_modulus = 1e8;
    s.materials[0].restitution = 0.9;
    s.materials[0].friction = 0.3;
    s.domain.lower = { 0, 0, 0 };
    s.domain.upper = { 0.12, 0.12, 0.2 };
    s.domain.exit = { Exit::Periodic, Exit::Wall, Exit::Wall };
    s.skin = c.skin;
    addCloud(s, { 0, 0, 0 }, 7, 7, 5, 0.003, 0.0075, 1, 4, 0.017);
    addSphere(s, { 0.05, 0.06, 0.19 }, 0.004, { 10, 25, -20 }); // the bullet
    s.end_time = s.output_interval = 0.06;
    dem::Simulation sim = simulate(s);
    std::size_t contacts = 0;
    for (int k = 0; k < 750 / c.every; ++k)
    {
      advance(sim, c.every);
      const dem::Frame f = sim.frame(motionAndContacts());
      const Pairs touching = test::touching(f);
      contacts += touching.size() * static_cast<std::size_t>(c.every) / 5;
      ASSERT_EQ(missing(allPairs(s, f, -1e-10), touching), "") << "missed at step " << sim.step();
      ASSERT_EQ(missing(touching, allPairs(s, f, 1e-10)), "")
        << "without touch at step " << sim.step();
      ASSERT_EQ(missing(touching, candidates(sim)), "") << "not listed at step " << sim.step();
    }
    EXPECT_GT(contacts, 100u);
    EXPECT_GT(sim.searchCounts().rebuilds, 2u);
  }
}

// A list is used for many steps when little moves.
TEST_P(Search, ListsAreKeptWhileNothingMoves)
{
  dem::Scene s = looseBox(0.2);
  addCloud(s, { 0, 0, 0 }, 8, 8, 8, 0.005, 0.01, 0.001, 9);
  setSteps(s, 1e-5, 2000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(2000); // 2e-5 m at most, the skin is a tenth of 15 mm
  EXPECT_LE(sim.searchCounts().rebuilds, 2u);
}

PARAGRAIN_ON_ALL_BACKENDS(Search);
