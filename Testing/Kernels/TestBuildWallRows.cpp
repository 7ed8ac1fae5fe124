// Wall candidates that warps look for (BuildWallRows.cuh), on the host: against one search a particle, and all elements one by one.
#include "WarpOnHost.h"

#include "BroadPhase/BvhSearch.cuh"
#include "NeighborList/BuildWallRows.cuh"
#include "Walls/WallMesh.h"
#include "Walls/WallSearch.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <tuple>

using namespace dem;

namespace
{

constexpr double kSide = 12, kSkin = 0.06;

struct Case
{
  const char* name;
  int cells;        // of the mesh along each side
  double roughness; // heights at random, m
  bool turns;
  int cylinders;
  bool second;   // another mesh above
  bool periodic; // along y
};
std::ostream& operator<<(std::ostream& out, const Case& c)
{
  return out << c.name;
}

WallSet wallsOf(const Case& c, std::mt19937& random)
{
  std::uniform_real_distribution<double> unit(0, 1);
  Wall mesh;
  mesh.kind = WallKind::Mesh;
  mesh.name = "Ground";
  const double cell = kSide / c.cells;
  for (int y = 0; y <= c.cells; ++y)
    for (int x = 0; x <= c.cells; ++x)
      mesh.points.push_back({ cell * x, cell * y, c.roughness * unit(random) });
  for (int y = 0; y < c.cells; ++y)
    for (int x = 0; x < c.cells; ++x)
    {
      const int a = y * (c.cells + 1) + x;
      mesh.triangles.push_back({ a, a + 1, a + c.cells + 2 });
      mesh.triangles.push_back({ a, a + c.cells + 2, a + c.cells + 1 });
    }
  if (c.turns)
  {
    mesh.motion.kind = MotionKind::Rotation;
    mesh.motion.axis = normalized(Vec3d{ 1, 2, 3 });
    mesh.motion.origin = { 3, 2, 1 };
    mesh.motion.rate = 1;
  }
  std::vector<Wall> walls{ mesh };
  if (c.second)
  {
    Wall above = mesh;
    above.name = "Above";
    above.motion = Motion{};
    for (Vec3d& p : above.points)
      p.z += 3;
    walls.push_back(above);
  }
  for (int k = 0; k < c.cylinders; ++k) // before and behind the mesh
  {
    Wall cylinder;
    cylinder.kind = WallKind::Cylinder;
    cylinder.name = "Cylinder " + std::to_string(k);
    cylinder.origin = { unit(random) * kSide, unit(random) * kSide, 0 };
    cylinder.end = cylinder.origin + Vec3d{ 0, 0, 5 };
    cylinder.radius = cylinder.end_radius = 0.7;
    walls.insert(k % 2 ? walls.end() : walls.begin(), cylinder);
  }
  return makeWallSet(walls, { { { 0, 0, 0 }, { 1, 0, 0 }, 0 }, { { 0, 0, 0 }, { 0, 1, 0 }, 0 } });
}

/// As WallTrees makes it.
struct Tree
{
  Tree(const WallSet& set, std::size_t wall)
  {
    const std::uint32_t first = set.first[wall], n = set.first[wall + 1] - first;
    const BvhBox all = trianglesBox(set.elements.data() + first, n);
    Vec3d inverse{};
    for (int k = 0; k < 3; ++k)
      inverse[k] = all.upper[k] > all.lower[k] ? 1 / (all.upper[k] - all.lower[k]) : 0;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> leaves;
    for (std::uint32_t k = 0; k < n; ++k)
    {
      const WallElement& e = set.elements[first + k];
      leaves.push_back({ mortonCode((1. / 3) * (e.a + e.b + e.c), all.lower, inverse), first + k });
    }
    std::sort(leaves.begin(), leaves.end());
    std::vector<std::uint64_t> code;
    for (const auto& leaf : leaves)
    {
      code.push_back(leaf.first);
      item.push_back(leaf.second);
    }
    left.resize(n);
    right.resize(n);
    box.resize(2 * n);
    std::vector<std::uint32_t> parent(2 * n);
    std::vector<unsigned> arrived(n);
    for (std::uint32_t k = 0; k < n; ++k)
      TriangleBoxes{ set.elements.data(), item.data(), n, box.data() }(k);
    for (std::uint32_t k = 0; k + 1 < n; ++k)
      BuildBvhNodes{ code.data(), n, left.data(), right.data(), parent.data(), nullptr }(k);
    for (std::uint32_t k = 0; k < n; ++k)
      BuildBvhBoxes{ left.data(), right.data(), parent.data(), n, box.data(), arrived.data() }(k);
    view = { left.data(), right.data(), box.data(), item.data(), n, nullptr };
  }

  std::vector<std::uint32_t> left, right, item;
  std::vector<BvhBox> box;
  BvhView view;
};

class BuildWallRowsOnHost : public testing::TestWithParam<Case>
{
};

TEST_P(BuildWallRowsOnHost, FindsWhatEachParticleFinds)
{
  const Case c = GetParam();
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(0, 1);
  const WallSet set = wallsOf(c, random);
  std::vector<WallBody> bodies;
  std::vector<std::unique_ptr<Tree>> trees;
  std::vector<BvhView> views(set.walls(), BvhView{});
  for (std::size_t w = 0; w < set.walls(); ++w)
  {
    bodies.push_back(wallBody(set.motions[w], set.materials[w], 0.37));
    if (!set.isMesh(w))
      continue;
    trees.push_back(std::make_unique<Tree>(set, w));
    views[w] = trees.back()->view;
  }

  constexpr std::uint32_t n = 1500 + 17;
  std::vector<Vec4<double>> x(n);
  for (Vec4<double>& p : x)
    p = { unit(random) * kSide, unit(random) * kSide, -1 + 6 * unit(random), 0.2 + 0.1 * unit(random) };
  const auto cell = [](const Vec4<double>& p) { return std::make_tuple(int(p.x / 2), int(p.y / 2), int(p.z + 1)); };
  std::sort(x.begin(), x.end(), [&](const auto& a, const auto& b) { return cell(a) < cell(b); }); // a warp's lie together

  WallView walls{};
  walls.elements = set.elements.data();
  walls.bodies = bodies.data();
  Periodic box{};
  if (c.periodic)
    box.period.y = kSide;
  const WallSearch<BvhView> search{ walls, views.data(), set.first.data(), static_cast<std::uint32_t>(set.walls()), kSkin, box, x.data() };
  constexpr std::uint32_t room = 200 * n;
  std::vector<std::uint32_t> entries(room), start(room + 1), particle(room), row_of(n);
  std::vector<std::uint8_t> flags(room, 9);
  std::vector<float> history(3 * room, 7);
  unsigned long long taken = 0;
  using Build = BuildWallRows<WallSearch<BvhView>, float>;
  const Build build{ search, { entries.data(), start.data(), particle.data(), row_of.data(), &taken, room, room }, WallListView{}, nullptr, nullptr,
    { nullptr, { nullptr, 0 }, flags.data(), { history.data(), room }, 3 }, n };
  const auto shared = std::make_unique<Build::Shared>();
  for (unsigned b = 0; b < (n + Build::kThreads - 1) / Build::kThreads; ++b)
  {
    std::memset(static_cast<void*>(shared.get()), 0x5a, sizeof *shared);
    Warp::run([&] { build(b, *shared); }, Build::kThreads);
  }

  std::size_t rows = 0, total = 0;
  for (std::uint32_t i = 0; i < n; ++i)
  {
    std::vector<std::uint32_t> wanted, found;
    search.candidates(i, [&](std::uint32_t e) { wanted.push_back(e); });
    std::sort(wanted.begin(), wanted.end());
    if (!c.periodic)
    {
      std::vector<std::uint32_t> one_by_one;
      for (std::uint32_t e = 0; e < set.elements.size(); ++e)
      {
        const Vec3d local = bodies[set.elements[e].wall].toLocal(x[i].xyz());
        if (signedDistance(set.elements[e], local, closestOnElement(set.elements[e], local)) < x[i].w + kSkin)
          one_by_one.push_back(e);
      }
      ASSERT_EQ(wanted, one_by_one) << "particle " << i;
    }
    if (row_of[i] != kNoRow)
    {
      ASSERT_EQ(particle[row_of[i]], i);
      for (std::uint32_t s = start[row_of[i]]; s < start[row_of[i] + 1]; ++s)
      {
        found.push_back(entries[s]);
        ASSERT_EQ(flags[s], 0);
        for (int k = 0; k < 3; ++k)
          ASSERT_EQ(history[k * room + s], 0.f);
      }
    }
    ASSERT_EQ(found, wanted) << "particle " << i;
    rows += wanted.empty() ? 0 : 1;
    total += wanted.size();
  }
  EXPECT_EQ(taken >> 32, rows);
  EXPECT_EQ(taken & 0xffffffffu, total);
  EXPECT_GT(rows, 100u);
}

INSTANTIATE_TEST_SUITE_P(All, BuildWallRowsOnHost,
  testing::Values(Case{ "Flat", 8, 0, false, 0, false, false }, Case{ "Fine", 60, 0.4, false, 0, false, false },
    Case{ "Coarse", 2, 0.4, true, 0, false, false }, Case{ "TwoMeshes", 8, 0.4, true, 0, true, false },
    Case{ "AmongCylinders", 8, 0.4, true, 40, false, false }, Case{ "Periodic", 8, 0.4, false, 0, false, true }),
  [](const auto& info) { return info.param.name; });

} // namespace
