// Steps of many particles on CUDA, whose contacts are grouped (GroupedContacts): the same bits as
// those of few, whatever happens in between. On the CPU there is one way alone.
#include "BusyScene.h"

#include <algorithm>
#include <random>

using namespace test;

namespace
{

class Groups : public BackendTest
{
protected:
  static constexpr std::uint64_t begin = 3700, end = 4000;

  // Whose contacts go by the plain law, as only those are grouped.
  static dem::Scene plainScene()
  {
    dem::Scene s = busyScene();
    s.contact.rolling = dem::RollingModel::None;
    s.domain.upper.y = 0.085; // seven cells and more of a periodic axis: fewer are searched without
                              // tiles, and so without groups
    s.skin = 1e-4;
    return s;
  }
  static dem::Scene denseBed()
  {
    dem::Scene s = emptyScene();
    s.materials[0] = { "grain", 5e6, 0.3, 2500, 0.5, 0.5, 0 };
    s.gravity = { 0, 0, -9.81 };
    addCloud(s, { 0, 0, 0 }, 12, 12, 12, 0.0049, 0.005, 0.02, 5, 0.0099, 3);
    s.domain.lower = { 0, 0, 0 };
    s.domain.upper = { 0.1188, 0.1188, 0.3 };
    s.domain.exit = { dem::Exit::Wall, dem::Exit::Periodic, dem::Exit::Wall };
    std::mt19937 random(2);
    for (std::size_t i = 0; i < s.particles.size(); ++i)
      s.particles.id.push_back(static_cast<std::int64_t>(i));
    std::shuffle(s.particles.id.begin(), s.particles.id.end(), random);
    s.skin = 4e-5;
    return s;
  }
  dem::SnapshotBytes falling(const dem::Scene& scene)
  {
    dem::Simulation sim = simulate(scene);
    sim.advanceTo(begin);
    return sim.save();
  }
  bool groups() const
  {
    return GetParam().device == dem::DeviceKind::CUDA && mixed();
  } // where many are
};

} // namespace

TEST_P(Groups, WhateverHappensInBetween)
{
  const dem::Scene scene = plainScene();
  const dem::SnapshotBytes from = falling(scene);
  dem::Simulation few = simulate(scene);
  few.restore(from);
  EXPECT_FALSE(few.searchCounts().grouped);
  few.advanceTo(end);
  const dem::Frame a = few.frame();
  EXPECT_GT(a.contacts.size, 70u);

  dem::Simulation many = simulate(scene);
  many.stepAsMany();
  many.restore(from);
  many.forceRebuild();
  advance(many, 2);
  EXPECT_EQ(many.searchCounts().grouped, groups());
  const dem::SnapshotBytes saved = many.save();
  many.advanceTo(end);
  EXPECT_SAME_BITS(a, many.frame());

  dem::Simulation looked =
    simulate(scene); // at states, frames and candidates, with new lists in between
  looked.stepAsMany();
  looked.restore(saved);
  EXPECT_EQ(looked.searchCounts().grouped, groups()); // from the first list on
  for (std::uint64_t k = 1; looked.step() < end; k = k * 7 % 23 + 1)
  {
    looked.forceRebuild();
    looked.advanceTo(std::min(end, looked.step() + k));
    looked.save();
    looked.frame();
    EXPECT_EQ(looked.candidatePairs().size(), looked.searchCounts().list_entries / 2);
  }
  EXPECT_EQ(looked.searchCounts().grouped, groups());
  EXPECT_SAME_BITS(a, looked.frame());

  dem::Simulation back = simulate(scene); // and what many saved goes on as few
  back.restore(saved);
  back.advanceTo(end);
  EXPECT_SAME_BITS(a, back.frame());
}

// On a GPU alone: an emulated one would take minutes.
TEST_P(Groups, SameBitsForTenThousandSteps)
{
  if (!groups())
  {
    GTEST_SKIP() << "nothing is grouped here";
  }
  dem::Scene scene = denseBed();
  scene.gravity.x = 3; // it slides, rolls and comes to rest
  dem::Simulation few = simulate(scene), many = simulate(scene);
  few.advanceTo(10000);
  many.stepAsMany();
  many.advanceTo(10000);
  EXPECT_TRUE(many.searchCounts().grouped);
  EXPECT_GT(many.searchCounts().rebuilds, 50u);
  EXPECT_SAME_BITS(few.frame(), many.frame());
}

TEST_P(Groups, AnySkin)
{
  dem::Scene scene = plainScene();
  const dem::SnapshotBytes from = falling(scene);
  dem::Frame first;
  for (const double skin : { 2e-5, 3e-4, 1.5e-3 })
  {
    scene.skin = skin;
    dem::Simulation sim = simulate(scene);
    sim.stepAsMany();
    sim.restore(from);
    EXPECT_EQ(sim.searchCounts().grouped, groups()) << skin;
    sim.advanceTo(end);
    if (first.position.empty())
      first = sim.frame();
    EXPECT_SAME_BITS(first, sim.frame()) << skin;
  }
}

// Searches that group in part, or not at all.
TEST_P(Groups, AnySearch)
{
  dem::Scene scene = plainScene();
  const dem::SnapshotBytes from = falling(scene);
  dem::Simulation few = simulate(scene);
  few.restore(from);
  few.advanceTo(begin + 120);
  for (const dem::BroadPhaseKind kind : { dem::BroadPhaseKind::HierarchicalGrid,
         dem::BroadPhaseKind::Bvh, dem::BroadPhaseKind::SortedGrid })
  {
    scene.broad_phase.kind = kind;
    scene.broad_phase.half_search = kind == dem::BroadPhaseKind::SortedGrid;
    dem::Simulation many = simulate(scene);
    many.stepAsMany();
    many.restore(from);
    many.rebuildEvery(9);
    many.advanceTo(begin + 120);
    if (kind != dem::BroadPhaseKind::HierarchicalGrid)
    {
      EXPECT_FALSE(many.searchCounts().grouped);
    }
    EXPECT_SAME_BITS(few.frame(), many.frame());
  }
}

// Giants, which have rows of their own by blocks.
TEST_P(Groups, GiantsAmongGrains)
{
  dem::Scene s = emptyScene();
  s.materials[0] = { "grain", 5e6, 0.3, 2500, 0.5, 0.5, 0 };
  s.gravity = { 0, 0, -9.81 };
  addCloud(s, { 0, 0, 0 }, 14, 14, 5, 0.0049, 0.005, 0.02, 5, 0.0099, 3);
  const std::size_t grains = s.particles.size();
  addCloud(s, { 0, 0, 0.0495 }, 1, 1, 2, 0.05, 0.05, 0.02, 6, 0.1002, 0);
  for (std::size_t i = grains; i < s.particles.size(); ++i)
    s.particles.velocity[i].z -= 0.4;
  s.domain.lower = { 0, 0, 0 };
  s.domain.upper = { 0.1386, 0.1386, 0.4 };
  s.domain.exit = { dem::Exit::Wall, dem::Exit::Wall, dem::Exit::Wall };
  dem::Simulation few = simulate(s), many = simulate(s);
  few.advanceTo(150);
  many.stepAsMany();
  many.rebuildEvery(7);
  many.advanceTo(150);
  EXPECT_EQ(many.searchCounts().search.kind, dem::BroadPhaseKind::HierarchicalGrid);
  const dem::Frame frame = many.frame();
  int touching = 0; // giants
  for (std::size_t i = 0; i < frame.size; ++i)
    touching += frame.radius[i] > 0.04 ? frame.coordination_number[i] : 0;
  EXPECT_GT(touching, 2);
  EXPECT_SAME_BITS(few.frame(), frame);
}

// Nearly all groups have contacts of their own, with six of each grain.
TEST_P(Groups, DenseBed)
{
  const dem::Scene s = denseBed();
  dem::Simulation few = simulate(s), many = simulate(s);
  few.advanceTo(120);
  many.stepAsMany();
  many.rebuildEvery(7);
  many.advanceTo(120);
  EXPECT_EQ(many.searchCounts().grouped, groups());
  EXPECT_GT(many.searchCounts().list_entries, 4.5 * s.particles.size());
  EXPECT_GT(many.frame().statistics.dissipated_energy, 0);
  EXPECT_SAME_BITS(few.frame(), many.frame());
  dem::Simulation other = simulate(s);
  other.restore(many.save());
  many.advanceTo(150);
  other.advanceTo(150);
  EXPECT_SAME_BITS(other.frame(), many.frame());
}

PARAGRAIN_ON_ALL_BACKENDS(Groups);
