#include "ErrorText.h"
#include "Scene/Packing/Packing.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

using namespace test;

namespace
{

using dem::Vec3d;

constexpr double pi = 3.14159265358979323846;

dem::PackingSpec boxOf(double width, double radius, dem::PackingKind kind)
{
  dem::PackingSpec spec;
  spec.kind = kind;
  spec.lower = { -width / 2, -width / 2, 0 };
  spec.upper = { width / 2, width / 2, width };
  spec.radius = radius;
  return spec;
}

void expectInsideAndFree(const dem::PackingSpec& spec, const dem::ParticleInput& p)
{
  double largest = 0;
  for (const double r : p.radius)
  {
    largest = std::max(largest, r);
  }
  for (std::size_t i = 0; i < p.size(); ++i)
  {
    for (int k = 0; k < 3; ++k)
    {
      ASSERT_GE(p.position[i][k] - p.radius[i], spec.lower[k] - 1e-12) << i;
      ASSERT_LE(p.position[i][k] + p.radius[i], spec.upper[k] + 1e-12) << i;
    }
  }
  // all pairs by a sweep along z
  std::vector<std::size_t> order(p.size());
  for (std::size_t i = 0; i < order.size(); ++i)
  {
    order[i] = i;
  }
  std::sort(order.begin(), order.end(),
    [&](std::size_t a, std::size_t b) { return p.position[a].z < p.position[b].z; });
  for (std::size_t a = 0; a < order.size(); ++a)
  {
    for (std::size_t b = a + 1; b < order.size(); ++b)
    {
      const std::size_t i = order[a], j = order[b];
      if (p.position[j].z - p.position[i].z > 2 * largest)
      {
        break;
      }
      ASSERT_GE(
        dem::length(p.position[i] - p.position[j]), (p.radius[i] + p.radius[j]) * (1 - 1e-9))
        << i << " " << j;
    }
  }
}

void addQuad(dem::PackingSpec& spec, int a, int b, int c, int d)
{
  spec.region_triangles.push_back({ a, b, c });
  spec.region_triangles.push_back({ a, c, d });
}

void addBoxRegion(dem::PackingSpec& spec, const Vec3d& lower, const Vec3d& upper)
{
  const int first = static_cast<int>(spec.region_points.size());
  for (int i = 0; i < 8; ++i)
  {
    spec.region_points.push_back(
      { (i & 1) ? upper.x : lower.x, (i & 2) ? upper.y : lower.y, (i & 4) ? upper.z : lower.z });
  }
  for (const auto& q : { std::array<int, 4>{ 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 },
         { 2, 6, 7, 3 }, { 0, 4, 6, 2 }, { 1, 3, 7, 5 } })
  {
    addQuad(spec, first + q[0], first + q[1], first + q[2], first + q[3]);
  }
}

void addSphereRegion(
  dem::PackingSpec& spec, const Vec3d& centre, double radius, int rings, int sectors, double turn)
{
  const int first = static_cast<int>(spec.region_points.size());
  const auto at = [&](int ring, int sector) {
    return ring == 0  ? first
      : ring == rings ? first + 1
                      : first + 2 + (ring - 1) * sectors + sector % sectors;
  };
  spec.region_points.push_back(centre + Vec3d{ 0, 0, radius });
  spec.region_points.push_back(centre - Vec3d{ 0, 0, radius });
  for (int i = 1; i < rings; ++i)
  {
    for (int j = 0; j < sectors; ++j)
    {
      const double a = pi * i / rings, b = 2 * pi * j / sectors + turn;
      spec.region_points.push_back(centre +
        Vec3d{ radius * std::sin(a) * std::cos(b), radius * std::sin(a) * std::sin(b),
          radius * std::cos(a) });
    }
  }
  for (int i = 0; i < rings; ++i)
  {
    for (int j = 0; j < sectors; ++j)
    {
      if (i > 0)
      {
        spec.region_triangles.push_back({ at(i, j), at(i + 1, j), at(i, j + 1) });
      }
      if (i + 1 < rings)
      {
        spec.region_triangles.push_back({ at(i, j + 1), at(i + 1, j), at(i + 1, j + 1) });
      }
    }
  }
}

TEST(Packing, DefaultsFillTheBox)
{
  const dem::PackingSpec spec;
  const dem::ParticleInput p = dem::makePacking(spec);
  EXPECT_EQ(p.size(), 12u * 12u * 12u);
  EXPECT_EQ(p.position.size(), p.size());
  EXPECT_EQ(p.material.size(), p.size());
  EXPECT_TRUE(p.velocity.empty());
  expectInsideAndFree(spec, p);
}

TEST(Packing, LatticeIsCubicFromTheBottomUp)
{
  dem::PackingSpec spec = boxOf(1, 0.05, dem::PackingKind::Lattice);
  spec.spacing = 0.1;
  const dem::ParticleInput all = dem::makePacking(spec);
  ASSERT_EQ(all.size(), 1000u);
  EXPECT_NEAR(all.position[0].x, -0.45, 1e-12);
  EXPECT_NEAR(all.position[1].x, -0.35, 1e-12);
  EXPECT_NEAR(all.position[10].y, -0.35, 1e-12);
  EXPECT_NEAR(all.position[100].z, 0.15, 1e-12);
  spec.count = 150;
  spec.velocity = { 0, 0, -1 };
  spec.material = 2;
  const dem::ParticleInput some = dem::makePacking(spec);
  ASSERT_EQ(some.size(), 150u);
  for (std::size_t i = 0; i < some.size(); ++i)
  {
    EXPECT_TRUE(some.position[i] == all.position[i]);
    EXPECT_EQ(some.velocity[i].z, -1);
    EXPECT_EQ(some.material[i], 2);
  }
}

TEST(Packing, JitterUsesTheGapAndNoMore)
{
  dem::PackingSpec spec = boxOf(1, 0.04, dem::PackingKind::JitteredLattice);
  spec.spacing = 0.12;
  spec.jitter = 1;
  spec.radius_kind = dem::RadiusKind::Uniform;
  spec.radius_min = 0.02;
  spec.radius_max = 0.05;
  const dem::ParticleInput p = dem::makePacking(spec);
  expectInsideAndFree(spec, p);
  spec.kind = dem::PackingKind::Lattice;
  const dem::ParticleInput still = dem::makePacking(spec);
  ASSERT_EQ(still.size(), p.size());
  double largest = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
  {
    EXPECT_EQ(p.radius[i], still.radius[i]);
    for (int k = 0; k < 3; ++k)
    {
      const double moved = std::abs(p.position[i][k] - still.position[i][k]);
      EXPECT_LE(moved, 0.06 - p.radius[i] + 1e-12);
      largest = std::max(largest, moved / (0.06 - p.radius[i]));
    }
  }
  EXPECT_GT(largest, 0.9);
}

// The numbers are the same on every machine. Reference: the generator written again in Python
// (double arithmetic, math.log and math.exp), for particle 5 of the default box with seed 7, and
// particle 0 of the random packing.
TEST(Packing, SameParticlesEverywhere)
{
  dem::PackingSpec spec;
  spec.seed = 7;
  EXPECT_NEAR(dem::makePacking(spec).position[5].x, -0.004029453308354174, 2e-18);
  spec.radius_kind = dem::RadiusKind::Normal;
  EXPECT_NEAR(dem::makePacking(spec).radius[5], 0.003932682386575652, 2e-18);
  spec.radius_kind = dem::RadiusKind::LogNormal;
  spec.radius_deviation = 0.2;
  EXPECT_NEAR(dem::makePacking(spec).radius[5], 0.0038937290212967355, 2e-18);
  spec.radius_kind = dem::RadiusKind::Single;
  spec.kind = dem::PackingKind::Random;
  const Vec3d first = dem::makePacking(spec).position[0];
  EXPECT_NEAR(first.x, -0.010776028523981573, 1e-17);
  EXPECT_NEAR(first.y, -0.008468535414721971, 1e-17);
  EXPECT_NEAR(first.z, 0.054939185601919585, 2e-17);
  for (const auto kind : { dem::PackingKind::JitteredLattice, dem::PackingKind::Random })
  {
    spec.kind = kind;
    const dem::ParticleInput p = dem::makePacking(spec), again = dem::makePacking(spec);
    ASSERT_EQ(p.size(), again.size());
    for (std::size_t i = 0; i < p.size(); ++i)
    {
      EXPECT_TRUE(p.position[i] == again.position[i] && p.radius[i] == again.radius[i]);
    }
  }
}

TEST(Packing, SeedChangesRandomOnes)
{
  dem::PackingSpec spec = boxOf(0.1, 0.004, dem::PackingKind::Random);
  spec.count = 100;
  const dem::ParticleInput a = dem::makePacking(spec);
  spec.seed = 2;
  const dem::ParticleInput b = dem::makePacking(spec);
  EXPECT_FALSE(a.position[0] == b.position[0]);
}

TEST(Packing, RandomReachesThirtyPercent)
{
  const dem::PackingSpec spec = boxOf(0.1, 0.004, dem::PackingKind::Random);
  const dem::ParticleInput p = dem::makePacking(spec);
  expectInsideAndFree(spec, p);
  const double solid = static_cast<double>(p.size()) * 4 / 3 * pi * std::pow(0.004, 3) / 1e-3;
  EXPECT_LE(solid, 0.3 + 1e-9);
  EXPECT_GT(solid, 0.299);
}

TEST(Packing, RandomOneToTwenty)
{
  dem::PackingSpec spec = boxOf(0.04, 0.01, dem::PackingKind::Random);
  spec.radius_kind = dem::RadiusKind::Tabulated;
  spec.table_radius = { 0.008, 0.0004 };
  spec.table_fraction = { 1, 3000 };
  spec.count = 12000;
  const dem::ParticleInput p = dem::makePacking(spec);
  ASSERT_EQ(p.size(), 12000u);
  expectInsideAndFree(spec, p);
  const auto large = std::count(p.radius.begin(), p.radius.end(), 0.008);
  EXPECT_GT(large, 0);
}

TEST(Packing, NarrowBoxGetsFewer)
{
  dem::PackingSpec spec = boxOf(0.0801, 0.04, dem::PackingKind::Random);
  EXPECT_EQ(dem::makePacking(spec).size(), 1u);
}

TEST(Packing, RadiiFollowTheirDistributions)
{
  dem::PackingSpec spec = boxOf(1, 0.01, dem::PackingKind::Lattice);
  spec.spacing = 0.025;
  spec.radius_min = 0.0085;
  spec.radius_max = 0.0115;
  const auto moments = [&](auto&& value) {
    const dem::ParticleInput p = dem::makePacking(spec);
    double sum = 0, square = 0;
    for (const double r : p.radius)
    {
      sum += value(r);
      square += value(r) * value(r);
      EXPECT_GE(r, spec.radius_min);
      EXPECT_LE(r, spec.radius_max);
    }
    const double n = static_cast<double>(p.size()), mean = sum / n;
    return std::pair<double, double>(mean, std::sqrt(square / n - mean * mean));
  };
  const auto same = [](double r) { return r; };
  spec.radius_kind = dem::RadiusKind::Uniform;
  const auto uniform = moments(same);
  EXPECT_NEAR(uniform.first, 0.01, 2e-5);
  EXPECT_NEAR(uniform.second, 0.003 / std::sqrt(12.), 2e-5);
  spec.radius_kind = dem::RadiusKind::Normal;
  spec.radius_deviation = 0.0003; // cut at five deviations
  const auto normal = moments(same);
  EXPECT_NEAR(normal.first, 0.01, 1e-5);
  EXPECT_NEAR(normal.second, 0.0003, 5e-6);
  spec.radius_kind = dem::RadiusKind::LogNormal;
  spec.radius_deviation = 0.03;
  const auto log_normal = moments([](double r) { return std::log(r / 0.01); });
  EXPECT_NEAR(log_normal.first, 0, 1e-3);
  EXPECT_NEAR(log_normal.second, 0.03, 5e-4);
  spec.radius_kind = dem::RadiusKind::Tabulated;
  spec.radius_min = 0;
  spec.table_radius = { 0.01, 0.005, 0.012 };
  spec.table_fraction = { 1, 3, 0 };
  const auto table = moments([](double r) { return r == 0.01 ? 1. : 0.; });
  EXPECT_NEAR(table.first, 0.25, 0.01);
}

TEST(Packing, RegionKeepsItsDistance)
{
  dem::PackingSpec spec = boxOf(0.2, 0.003, dem::PackingKind::JitteredLattice);
  const Vec3d centre{ 0.01, -0.02, 0.1 };
  addSphereRegion(spec, centre, 0.08, 32, 64, 0.1);
  const dem::ParticleInput p = dem::makePacking(spec);
  EXPECT_GT(p.size(), 6000u);
  for (std::size_t i = 0; i < p.size(); ++i)
  {
    EXPECT_LE(dem::length(p.position[i] - centre) + p.radius[i], 0.08);
  }
  // inside out is the same
  for (auto& t : spec.region_triangles)
  {
    std::swap(t[0], t[1]);
  }
  EXPECT_EQ(dem::makePacking(spec).size(), p.size());
  // a hollow of half the radius
  addSphereRegion(spec, centre, 0.04, 32, 64, 0.3);
  const dem::ParticleInput shell = dem::makePacking(spec);
  EXPECT_LT(shell.size(), p.size());
  for (std::size_t i = 0; i < shell.size(); ++i)
  {
    EXPECT_GE(
      dem::length(shell.position[i] - centre), 0.04 * std::cos(pi / 32) + shell.radius[i] * 0.99);
  }
}

// Lattice columns run exactly through edges and corners of the surface.
TEST(Packing, RegionHitOnEdgesAndCorners)
{
  dem::PackingSpec spec = boxOf(1, 0.05, dem::PackingKind::Lattice);
  spec.spacing = 0.1;
  addBoxRegion(spec, { -0.5, -0.5, 0 }, { 0.5, 0.5, 1 });
  EXPECT_EQ(dem::makePacking(spec).size(), 1000u);
  spec = boxOf(1, 0.02, dem::PackingKind::Lattice);
  spec.lower = { -0.5, -0.5, -0.5 };
  spec.upper = { 0.5, 0.5, 0.5 };
  spec.spacing = 0.06;
  // an octahedron: its projection has a corner at the middle and edges along the axes, where
  // lattice columns stand
  spec.region_points = { { 0.5, 0, 0 }, { 0, 0.5, 0 }, { -0.5, 0, 0 }, { 0, -0.5, 0 },
    { 0, 0, 0.5 }, { 0, 0, -0.5 } };
  for (int k = 0; k < 4; ++k)
  {
    spec.region_triangles.push_back({ k, (k + 1) % 4, 4 });
    spec.region_triangles.push_back({ (k + 1) % 4, k, 5 });
  }
  const dem::ParticleInput p = dem::makePacking(spec);
  dem::PackingSpec open = spec;
  open.region_points.clear();
  open.region_triangles.clear();
  std::size_t expected = 0;
  for (const Vec3d& c : dem::makePacking(open).position)
  {
    const double clear = (0.5 - std::abs(c.x) - std::abs(c.y) - std::abs(c.z)) / std::sqrt(3.);
    expected += clear >= 0.02 * (1 - 1e-9) ? 1 : 0;
  }
  EXPECT_EQ(p.size(), expected);
}

TEST(Packing, RandomInsideRegion)
{
  dem::PackingSpec spec = boxOf(0.2, 0.003, dem::PackingKind::Random);
  addSphereRegion(spec, { 0, 0, 0.1 }, 0.05, 24, 48, 0);
  const dem::ParticleInput p = dem::makePacking(spec);
  const double solid = static_cast<double>(p.size()) * std::pow(0.003 / 0.05, 3);
  EXPECT_NEAR(solid, 0.3, 0.01);
  for (const Vec3d& c : p.position)
  {
    EXPECT_LE(dem::length(c - Vec3d{ 0, 0, 0.1 }), 0.047);
  }
  spec.count = 20;
  EXPECT_EQ(dem::makePacking(spec).size(), 20u);
}

TEST(Packing, BadInputSaysWhatIsWrong)
{
  const auto failure = [](auto&& change) {
    dem::PackingSpec spec;
    change(spec);
    return errorOf([&] { dem::makePacking(spec); });
  };
  using S = dem::PackingSpec;
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               inf = std::numeric_limits<double>::infinity();
  EXPECT_HOLDS(failure([](S& s) { s.radius = 0; }), "Packing: Radius is 0 m; it must be above 0.");
  EXPECT_HOLDS(failure([](S& s) { s.radius = -1; }), "Radius is -1 m");
  EXPECT_HOLDS(failure([&](S& s) { s.radius = nan; }), "Radius is nan m");
  EXPECT_HOLDS(
    failure([](S& s) { s.radius_kind = dem::RadiusKind::Uniform, s.radius_min = 0.006; }),
    "smallest radius (0.006 m) is above the largest (0.005 m)");
  EXPECT_HOLDS(failure([&](S& s) { s.radius_kind = dem::RadiusKind::Uniform, s.radius_max = inf; }),
    "MaximumRadius is inf m");
  EXPECT_HOLDS(failure([](S& s) {
    s.radius_kind = dem::RadiusKind::Normal, s.radius = 1, s.radius_deviation = 1e-5;
  }),
    "widen these bounds or move them to the mean");
  EXPECT_HOLDS(
    failure([](S& s) { s.radius_kind = dem::RadiusKind::LogNormal, s.radius_deviation = -1; }),
    "RadiusDeviation is -1 m");
  EXPECT_HOLDS(failure([](S& s) { s.radius_kind = dem::RadiusKind::Tabulated; }),
    "has 0 radii and 0 number fractions");
  EXPECT_HOLDS(failure([](S& s) {
    s.radius_kind = dem::RadiusKind::Tabulated, s.table_radius = { 0.001 },
    s.table_fraction = { 0 };
  }),
    "add up to 0");
  EXPECT_HOLDS(failure([](S& s) {
    s.radius_kind = dem::RadiusKind::Tabulated, s.table_radius = { 0.001, -2 },
    s.table_fraction = { 1, 1 };
  }),
    "entry 1 of the radius table is -2 m");
  EXPECT_HOLDS(failure([](S& s) {
    s.radius_kind = dem::RadiusKind::Tabulated, s.table_radius = { 0.001 },
    s.table_fraction = { -1 };
  }),
    "number fraction in entry 0");
  EXPECT_HOLDS(failure([](S& s) { s.radius = 0.06; }),
    "nothing fits: the box is 0.1 m wide along x and the largest grain has a diameter of 0.12 m");
  EXPECT_HOLDS(failure([](S& s) { std::swap(s.lower, s.upper); }),
    "the upper end must be above the lower one");
  EXPECT_HOLDS(failure([&](S& s) { s.upper.z = inf; }), "along z; the upper end");
  EXPECT_HOLDS(failure([](S& s) { s.upper.z = 1e13; }), "limited to 1e12");
  EXPECT_HOLDS(failure([](S& s) { s.count = -3; }), "Count is -3; it must be at least 0");
  EXPECT_HOLDS(failure([](S& s) { s.count = 2000; }), "only 1728 of 2000 grains could be placed");
  EXPECT_HOLDS(
    failure([](S& s) { s.count = std::int64_t(1) << 60; }), "can be held in this machine's memory");
  EXPECT_HOLDS(failure([](S& s) { s.radius = 1e-9; }), "can be held in this machine's memory");
  EXPECT_HOLDS(failure([](S& s) { s.kind = dem::PackingKind::Random, s.radius = 1e-9; }),
    "can be held in this machine's memory");
  EXPECT_HOLDS(failure([](S& s) { s.kind = dem::PackingKind::Random, s.count = 3000; }),
    " of 3000 grains could be placed at random without overlap (solid fraction reached: 0.3");
  EXPECT_HOLDS(
    failure([](S& s) { s.spacing = 0.007; }), "less than the largest diameter (0.008 m)");
  EXPECT_HOLDS(failure([](S& s) { s.spacing = -1; }), "Spacing is -1 m");
  EXPECT_HOLDS(failure([](S& s) { s.jitter = 1.5; }), "Jitter is 1.5; it must lie in [0, 1]");
  EXPECT_HOLDS(failure([&](S& s) { s.velocity.y = nan; }), "Packing: Velocity is not finite");
  EXPECT_HOLDS(failure([](S& s) { s.material = -1; }), "the material index is -1");
  EXPECT_HOLDS(failure([](S& s) {
    addBoxRegion(s, { 0, 0, 0 }, { 1, 1, 1 }), s.region_triangles.pop_back();
  }),
    "not a closed surface: the edge from (1, 0, 0) to (1, 0, 1) belongs to 1 triangle");
  EXPECT_HOLDS(failure([](S& s) {
    addBoxRegion(s, { 0, 0, 0 }, { 1, 1, 1 }), addBoxRegion(s, { 0, 0, 0 }, { 1, 1, 1 });
  }),
    "belongs to 4 triangles");
  EXPECT_HOLDS(failure([&](S& s) {
    addBoxRegion(s, { 0, 0, 0 }, { 1, 1, nan });
  }),
    "point 4 of the region is not finite");
  EXPECT_HOLDS(failure([](S& s) {
    addBoxRegion(s, { 0, 0, 0 }, { 1, 1, 1 }), s.region_triangles[0][0] = 99;
  }),
    "names point 99");
  EXPECT_HOLDS(failure([](S& s) { s.region_points.push_back({}); }), "points but no triangles");
  EXPECT_HOLDS(failure([](S& s) {
    s.region_points.push_back({}), s.region_triangles.push_back({ 0, 0, 0 });
  }),
    "all triangles of the region are degenerate");
  EXPECT_HOLDS(failure([](S& s) {
    addBoxRegion(s, { 5, 5, 5 }, { 6, 6, 6 });
  }),
    "nothing fits: no grain of radius 0.004 m lies wholly inside the region and the box");
  EXPECT_HOLDS(failure([](S& s) {
    s.kind = dem::PackingKind::Random, addBoxRegion(s, { 5, 5, 5 }, { 6, 6, 6 });
  }),
    "the region and the box share 0 m along x");
}

// Times on a busy two-core machine are a few times better than these bounds.
TEST(Packing, LargePackingsAreFast)
{
  const auto seconds = [](const dem::PackingSpec& spec, std::size_t expected) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(dem::makePacking(spec).size(), expected);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  dem::PackingSpec lattice = boxOf(1, 0.005, dem::PackingKind::JitteredLattice);
  lattice.spacing = 0.01;
  const double lattice_time = seconds(lattice, 1000000);
  dem::PackingSpec random =
    boxOf(1, std::cbrt(0.25 * 3 / (4 * pi * 1e5)), dem::PackingKind::Random);
  random.count = 100000;
  const double random_time = seconds(random, 100000);
  RecordProperty("lattice_seconds", std::to_string(lattice_time));
  RecordProperty("random_seconds", std::to_string(random_time));
  EXPECT_LT(lattice_time, 5);
  EXPECT_LT(random_time, 25);
  std::printf(
    "1e6 lattice sites: %.3f s, 1e5 random at 25 %%: %.3f s\n", lattice_time, random_time);
}

} // namespace
