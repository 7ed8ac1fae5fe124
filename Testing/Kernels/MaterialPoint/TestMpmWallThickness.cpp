// The thickness of walls of the Material Point Method, and refusals of thin ones.
#include "MpmSupport.h"

#include "MaterialPoint/MpmValidation.h"
#include "MaterialPoint/WallThickness.h"

#include <chrono>
#include <cstdio>

namespace
{

using namespace test;
using mpm::Scene;

struct Mesh
{
  std::vector<Vec3d> points;
  std::vector<std::array<std::int32_t, 3>> triangles;

  /// A prism over a polygon in the plane of x and z, which its corner 0 sees whole, from y = 0 to
  /// `depth`, turned about y.
  static Mesh prism(
    const std::vector<std::array<double, 2>>& corners, double depth, double angle = 0)
  {
    Mesh m;
    const int n = static_cast<int>(corners.size());
    for (double y : { 0., depth })
      for (const auto& c : corners)
        m.points.push_back({ c[0] * std::cos(angle) - c[1] * std::sin(angle), y,
          c[0] * std::sin(angle) + c[1] * std::cos(angle) });
    for (int k = 0; k < n; ++k)
    {
      const int next = (k + 1) % n;
      m.triangles.push_back({ k, next, n + next });
      m.triangles.push_back({ k, n + next, n + k });
      if (k > 0 && next > 0)
      {
        m.triangles.push_back({ 0, next, k });
        m.triangles.push_back({ n, n + k, n + next });
      }
    }
    return m;
  }
  void add(const Mesh& other)
  {
    const auto base = static_cast<std::int32_t>(points.size());
    points.insert(points.end(), other.points.begin(), other.points.end());
    for (const auto& t : other.triangles)
      triangles.push_back({ base + t[0], base + t[1], base + t[2] });
  }
};

TEST(MpmWallThickness, FindsThinPlaces)
{
  // an L of one leg 0.3 m and one 0.02 m thick
  const Mesh l =
    Mesh::prism({ { 0, 0 }, { 1, 0 }, { 1, 0.02 }, { 0.3, 0.02 }, { 0.3, 1 }, { 0, 1 } }, 0.5);
  for (double turn : { 0., M_PI / 4, 1.1 })
  {
    SCOPED_TRACE(turn);
    Mesh m = l;
    for (Vec3d& p : m.points)
      p = Vec3d{ p.x * std::cos(turn) - p.z * std::sin(turn), p.y,
        p.x * std::sin(turn) + p.z * std::cos(turn) };
    const auto thin = mpm::findThinPlace(m.points, m.triangles, 0.05);
    ASSERT_TRUE(thin);
    EXPECT_NEAR(thin->thickness, 0.02, 1e-12);
    const double x = thin->place.x * std::cos(turn) + thin->place.z * std::sin(turn),
                 z = -thin->place.x * std::sin(turn) + thin->place.z * std::cos(turn);
    EXPECT_GT(x, 0.3);
    EXPECT_LT(x, 1);
    EXPECT_NEAR(z, 0.01, 1e-12);
    EXPECT_FALSE(mpm::findThinPlace(m.points, m.triangles, 0.0199));
    // however its triangles are turned
    std::mt19937 random(4);
    for (auto& t : m.triangles)
      if (random() & 1)
        std::swap(t[0], t[1]);
    const auto again = mpm::findThinPlace(m.points, m.triangles, 0.05);
    ASSERT_TRUE(again);
    EXPECT_NEAR(again->thickness, 0.02, 1e-12);
    // facets without area are no thin places
    auto slivers = m;
    const auto first = slivers.triangles[0];
    slivers.triangles.insert(slivers.triangles.begin(), { first[0], first[0], first[1] });
    const auto same = mpm::findThinPlace(slivers.points, slivers.triangles, 0.05);
    EXPECT_TRUE(!same || std::fabs(same->thickness - 0.02) < 1e-12);
    // with a hole it is a sheet
    m.triangles.pop_back();
    EXPECT_FALSE(mpm::findThinPlace(m.points, m.triangles, 0.05));
  }
  // a slab that is turned by 45 degrees, beside a thick block
  Mesh two = Mesh::prism({ { 0, 0 }, { 1, 0 }, { 1, 0.03 }, { 0, 0.03 } }, 0.5, M_PI / 4);
  const Mesh block = Mesh::prism({ { 2, 0 }, { 3, 0 }, { 3, 1 }, { 2, 1 } }, 1);
  two.add(block);
  const auto slab = mpm::findThinPlace(two.points, two.triangles, 0.05);
  ASSERT_TRUE(slab);
  EXPECT_NEAR(slab->thickness, 0.03, 1e-12);
  EXPECT_LT(slab->place.x, 1.5);
  // edges of wedges are not thin, their whole may be
  const Mesh wedge = Mesh::prism({ { 0, 0 }, { 1, 0 }, { 1, 0.4 } }, 0.5);
  EXPECT_FALSE(mpm::findThinPlace(wedge.points, wedge.triangles, 0.05));
  EXPECT_TRUE(mpm::findThinPlace(wedge.points, wedge.triangles, 0.41));
  const Mesh needle = Mesh::prism({ { 0, 0 }, { 1, 0 }, { 1, 0.1 } }, 0.5);
  EXPECT_FALSE(mpm::findThinPlace(needle.points, needle.triangles, 0.05));
  // bodies that stick in each other are as thick as they are
  Mesh joined = block;
  joined.add(Mesh::prism({ { 2.998, 0.2 }, { 4, 0.2 }, { 4, 0.9 }, { 2.998, 0.9 } }, 0.7));
  EXPECT_FALSE(mpm::findThinPlace(joined.points, joined.triangles, 0.05));
}

// A dumb-bell of revolution of 1e5 triangles, thick balls and a thin waist: found, and in far less
// than all pairs would take.
TEST(MpmWallThickness, LargeMeshes)
{
  Mesh m;
  const int rings = 500, around = 100;
  const auto radius = [](double s) {
    return 0.03 + 0.4 * std::pow(std::cos(M_PI * s), 2);
  }; // s in (0, 1), thinnest in the middle
  for (int i = 0; i < rings; ++i)
    for (int j = 0; j < around; ++j)
    {
      const double s = (i + 0.5) / rings, a = 2 * M_PI * j / around;
      m.points.push_back({ 4 * s, radius(s) * std::cos(a), radius(s) * std::sin(a) });
    }
  for (int i = 0; i + 1 < rings; ++i)
    for (int j = 0; j < around; ++j)
    {
      const int a = i * around + j, b = i * around + (j + 1) % around;
      m.triangles.push_back({ a, b, b + around });
      m.triangles.push_back({ a, b + around, a + around });
    }
  for (int end : { 0, rings - 1 })
  {
    const auto middle = static_cast<std::int32_t>(m.points.size());
    m.points.push_back({ m.points[static_cast<std::size_t>(end) * around].x, 0, 0 });
    for (int j = 0; j < around; ++j)
      m.triangles.push_back({ middle, end * around + j, end * around + (j + 1) % around });
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto thin = mpm::findThinPlace(m.points, m.triangles, 0.1);
  EXPECT_FALSE(mpm::findThinPlace(m.points, m.triangles, 0.055));
  const double seconds =
    std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  ASSERT_TRUE(thin);
  EXPECT_NEAR(thin->thickness, 0.06, 0.001);
  EXPECT_NEAR(thin->place.x, 2, 0.05);
  EXPECT_LT(seconds, 20); // a tenth of it on one core; all pairs would take some 10 minutes
  std::printf("[ measured ] %zu triangles, twice: %.2f s\n", m.triangles.size(), seconds);
}

TEST(MpmWallThickness, WallsAreRefusedByNameAndPlace)
{
  const auto with = [](const dem::Wall& w) {
    Scene s = softScene();
    s.walls = { w };
    return s;
  };
  const auto refusal = [&](const dem::Wall& w) { return errorOf([&] { mpm::validate(with(w)); }); };
  const Mesh l =
    Mesh::prism({ { 0, 0 }, { 1, 0 }, { 1, 0.02 }, { 0.3, 0.02 }, { 0.3, 1 }, { 0, 1 } }, 0.5);
  dem::Wall w;
  w.name = "bracket";
  w.points = l.points;
  w.triangles = l.triangles;
  const std::string e = refusal(w);
  EXPECT_MENTIONS(e, "Wall 0 ('bracket') is 0.02 m thin at (");
  EXPECT_MENTIONS(e, ", 0.01), thinner than a cell of 0.0625 m");
  w.kind = dem::WallKind::Cylinder;
  w.name = "rod";
  w.end = { 1, 0, 0 };
  w.radius = w.end_radius = 0.03;
  EXPECT_MENTIONS(refusal(w), "'rod') is 0.06 m thin at (0.5, 0, 0)");
  w.radius = w.end_radius = 0.032;
  EXPECT_NO_THROW(mpm::validate(with(w)));
  w.kind = dem::WallKind::Cone; // a funnel may end in a tip
  w.radius = 0;
  EXPECT_NO_THROW(mpm::validate(with(w)));
  w.end_radius = 0.03;
  EXPECT_MENTIONS(refusal(w), "0.06 m thin");
}

} // namespace
