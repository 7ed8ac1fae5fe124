// Triangles of walls by a tree and in a uniform grid (Kureck 2016, 2.3.3): both list the same
// candidates as a plain loop over all triangles, and give the same bits, on random meshes, with
// moving walls and periodic axes.
#include "BusyScene.h"

#include <algorithm>

using namespace test;
using dem::TriangleSearchKind;

namespace
{

// Distance of a point from a triangle: in the plane where the foot lies inside (by the areas of the
// three parts), else to the nearest edge.
double distanceToTriangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c)
{
  const auto toSegment = [&](const Vec3d& u, const Vec3d& v) {
    const Vec3d d = v - u;
    const double t = std::max(0., std::min(1., dot(p - u, d) / dot(d, d)));
    return length(p - (u + t * d));
  };
  double nearest = std::min({ toSegment(a, b), toSegment(b, c), toSegment(c, a) });
  const Vec3d n = cross(b - a, c - a);
  const Vec3d foot = p - (dot(p - a, n) / dot(n, n)) * n;
  const auto inside = [&](const Vec3d& u, const Vec3d& v) {
    return dot(cross(v - u, foot - u), n) >= 0;
  };
  if (inside(a, b) && inside(b, c) && inside(c, a))
    nearest = std::min(nearest, length(p - foot));
  return nearest;
}

class TriangleSearch : public BackendTest
{
protected:
  std::mt19937 random_{ 1 };
  double uniform(double a, double b) { return test::uniform(random_, a, b); }
  Vec3d point(double size)
  {
    return { uniform(-size, size), uniform(-size, size), uniform(-size, size) };
  }

  // Triangles of very different sizes, some in one plane, some slender.
  dem::Wall soup(int triangles, bool flat)
  {
    dem::Wall w;
    w.name = "soup";
    for (int k = 0; k < triangles; ++k)
    {
      const double size = std::pow(10., uniform(-2.7, -0.9));
      const Vec3d at = point(0.08), u = point(size), v = (k % 5 == 0 ? 0.01 : 1) * point(size);
      Vec3d corners[3] = { at, at + u, at + v };
      for (Vec3d& c : corners)
      {
        if (flat)
          c.z = 0.01;
        w.points.push_back(c);
      }
      if (length(cross(u, v)) < 1e-9 || (flat && std::abs(u.x * v.y - u.y * v.x) < 1e-9))
      {
        w.points.resize(w.points.size() - 3);
        continue;
      }
      const int first = static_cast<int>(w.points.size()) - 3;
      w.triangles.push_back({ first, first + 1, first + 2 });
    }
    return w;
  }

  static double distance(const dem::Wall& w, std::size_t triangle, const Vec3d& p)
  {
    const auto& t = w.triangles[triangle];
    return distanceToTriangle(p, w.points[t[0]], w.points[t[1]], w.points[t[2]]);
  }

  // A scene of walls and grains that do not stand in them.
  dem::Scene scene(const std::vector<dem::Wall>& walls, int grains, bool periodic)
  {
    dem::Scene s = emptyScene();
    s.initial_overlap_tolerance = 0.5; // walls at random, through grains as well
    s.gravity = { 0.5, -1, -3 };
    s.materials[0].restitution = 0.6;
    s.materials[0].friction = 0.4;
    s.materials[0].youngs_modulus = 1e7;
    s.walls = walls;
    const double half = 0.1;
    s.domain.lower = { -half, -half, -half };
    s.domain.upper = { half, half, half };
    if (periodic)
      s.domain.exit = { dem::Exit::Periodic, dem::Exit::Periodic, dem::Exit::Periodic };
    else
      s.domain.limited = false;
    for (int tries = 0; tries < 100 * grains && static_cast<int>(s.particles.size()) < grains;
         ++tries)
    {
      const double r = static_cast<float>(uniform(0.001, 0.006));
      Vec3d p = point(half - 1e-6);
      if (tries % 4) // beside a triangle
      {
        const dem::Wall& w = walls[random_() % walls.size()];
        const auto& t = w.triangles[random_() % w.triangles.size()];
        const Vec3d a = w.points[t[0]], u = w.points[t[1]] - a, v = w.points[t[2]] - a;
        p = a + uniform(0, 0.6) * u + uniform(0, 0.6) * v +
          (tries % 8 < 4 ? r : -r) * uniform(0.95, 1.5) * normalized(cross(u, v));
      }
      bool free = std::max({ std::abs(p.x), std::abs(p.y), std::abs(p.z) }) < half - 1e-6;
      for (std::size_t i = 0; i < s.particles.size() && free; ++i)
      {
        Vec3d d = p - s.particles.position[i];
        if (periodic)
          for (int k = 0; k < 3; ++k)
            d[k] -= 2 * half * std::round(d[k] / (2 * half));
        free = length(d) > r + s.particles.radius[i];
      }
      for (const dem::Wall& w : walls)
        for (std::size_t t = 0; t < w.triangles.size() && free; ++t)
          free = distance(w, t, p) > 0.9 * r;
      if (free)
        addSphere(s, p, r, point(0.2));
    }
    setSteps(s, 5e-6, 400);
    s.skin = 1e-3;
    return s;
  }

  // Pairs of a grain and a triangle that come nearer than the skin, by all images of the grain
  // within a skin of a periodic border.
  static std::size_t allPairs(const dem::Scene& s)
  {
    const bool periodic = s.domain.limited;
    const double period = 0.2;
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < s.particles.size(); ++i)
      for (const dem::Wall& w : s.walls)
        for (std::size_t t = 0; t < w.triangles.size(); ++t)
        {
          bool near = false;
          for (int image = 0; image < (periodic ? 27 : 1); ++image)
          {
            const int shift[3] = { image % 3, image / 3 % 3, image / 9 }; // 0, up, down
            Vec3d p = s.particles.position[i];
            bool reached = true;
            for (int k = 0; k < 3; ++k)
            {
              reached = reached &&
                (shift[k] == 0 ||
                  (shift[k] == 1 ? p[k] - s.domain.lower[k] : s.domain.upper[k] - p[k]) < s.skin);
              p[k] += shift[k] == 0 ? 0 : (shift[k] == 1 ? period : -period);
            }
            near = near || (reached && distance(w, t, p) < s.particles.radius[i] + s.skin);
          }
          pairs += near;
        }
    return pairs;
  }

  void expectSame(dem::Scene s, std::uint64_t steps, const std::string& what)
  {
    s.broad_phase.triangles = TriangleSearchKind::Bvh;
    dem::Simulation tree = simulate(s);
    s.broad_phase.triangles = TriangleSearchKind::UniformGrid;
    dem::Simulation grid = simulate(s);
    EXPECT_EQ(tree.searchCounts().triangle_cells, 0u);
    EXPECT_GT(grid.searchCounts().triangle_cells, 0u);
    EXPECT_EQ(grid.searchCounts().wall_entries, tree.searchCounts().wall_entries) << what;
    std::uint64_t listed = 0;
    for (std::uint64_t done = 0; done < steps;)
    {
      done += steps / 4;
      tree.advanceTo(done);
      grid.advanceTo(done);
      ASSERT_SAME_BITS(tree.frame(), grid.frame()) << what << ", step " << done;
      ASSERT_EQ(grid.searchCounts().wall_entries, tree.searchCounts().wall_entries)
        << what << ", step " << done;
      listed += grid.searchCounts().wall_entries;
    }
    EXPECT_GT(listed, 20u) << what; // there was something to find
    EXPECT_GE(grid.searchCounts().rebuilds, 2u) << what;
  }
};

} // namespace

TEST_P(TriangleSearch, CandidatesOfAllTriangles)
{
  std::size_t found = 0;
  for (int seed = 1; seed <= 24; ++seed)
  {
    random_.seed(seed);
    const bool periodic = seed % 2, flat = seed % 3 == 0;
    std::vector<dem::Wall> walls{ soup(seed % 4 == 0 ? 1 : 60, flat) };
    if (seed % 4 == 1)
      walls.push_back(soup(200, false));
    dem::Scene s = scene(walls, 60, periodic);
    s.skin = 2e-3;
    const std::size_t wanted = allPairs(s);
    found += wanted;
    for (TriangleSearchKind kind : { TriangleSearchKind::Bvh, TriangleSearchKind::UniformGrid })
    {
      s.broad_phase.triangles = kind;
      dem::Simulation sim = simulate(s);
      EXPECT_EQ(sim.searchCounts().wall_entries, wanted)
        << "seed " << seed << ", " << dem::kTriangleSearchNames[static_cast<int>(kind)];
    }
  }
  EXPECT_GT(found, 1000u);
}

TEST_P(TriangleSearch, SameBitsOnRandomMeshes)
{
  for (int seed = 1; seed <= 8; ++seed)
  {
    random_.seed(100 + seed);
    expectSame(
      scene({ soup(80, seed % 3 == 0) }, 60, seed % 2), 400, "seed " + std::to_string(seed));
  }
}

TEST_P(TriangleSearch, SameBitsWhileWallsMove)
{
  for (int motion = 0; motion < 3; ++motion)
  {
    random_.seed(200 + motion);
    dem::Wall w = soup(60, false);
    dem::Motion& m = w.motion;
    m.origin = { 0.01, 0.02, 0 };
    m.axis = normalized(Vec3d{ 1, 2, -1 });
    m.kind = motion == 0
      ? dem::MotionKind::Rotation
      : (motion == 1 ? dem::MotionKind::Translation : dem::MotionKind::Oscillation);
    m.rate = 3;
    m.velocity = { 0.2, 0.1, -0.1 };
    m.amplitude = 0.002;
    m.frequency = 30;
    dem::Scene s = scene({ w }, 100, motion != 1);
    s.skin = 2e-4;
    expectSame(s, 800, "motion " + std::to_string(motion));
  }
}

// Everything at once: a rotating mesh, an oscillating plate, periodic and open axes, two materials.
TEST_P(TriangleSearch, SameBitsInABusyScene) { expectSame(busyScene(), 4000, "busy scene"); }

// A drum of many facets with lifters turns a bed over.
TEST_P(TriangleSearch, SameBitsInADrum)
{
  dem::Wall drum;
  drum.name = "drum";
  const int facets = 96, rings = 6;
  const double radius = 0.04, width = 0.04;
  for (int ring = 0; ring <= rings; ++ring)
    for (int k = 0; k < facets; ++k)
    {
      const double angle = 2 * M_PI * k / facets, r = k % 12 == 0 ? 0.85 * radius : radius;
      drum.points.push_back(
        { r * std::cos(angle), width * ring / rings - 0.5 * width, r * std::sin(angle) });
    }
  for (int ring = 0; ring < rings; ++ring)
    for (int k = 0; k < facets; ++k)
    {
      const int a = ring * facets + k, b = ring * facets + (k + 1) % facets;
      drum.triangles.push_back({ a, b, b + facets });
      drum.triangles.push_back({ a, b + facets, a + facets });
    }
  rotate(drum, {}, { 0, 1, 0 }, 10);
  dem::Scene s = emptyScene();
  s.gravity = { 0, 0, -9.81 };
  s.materials[0] = { "grain", 5e6, 0.3, 2500, 0.4, 0.5, 0 };
  s.domain.lower = { -0.05, -0.02, -0.05 };
  s.domain.upper = { 0.05, 0.02, 0.05 };
  s.domain.exit = { dem::Exit::Wall, dem::Exit::Periodic, dem::Exit::Wall };
  addCloud(s, { -0.02, -0.02, -0.02 }, 8, 8, 8, 0.0015, 0.0024, 0.1, 5);
  for (Vec3d& v : s.particles.velocity)
    v.z -= 0.8;
  s.walls.push_back(drum);
  setSteps(s, 1e-5, 4000);
  expectSame(s, 4000, "drum");
}

// Cells are the largest grain's, and coarser where triangles would stand in too many: tiny grains
// over a few large plates.
TEST_P(TriangleSearch, TheGridIsBounded)
{
  dem::Scene s = emptyScene();
  s.gravity = { 0, 0, -9.81 };
  s.walls.push_back(
    meshWall({ { -0.9, -0.9, -0.9 }, { 0.9, -0.9, 0.9 }, { 0.9, 0.9, 0.9 }, { -0.9, 0.9, -0.9 } },
      { { 0, 1, 2 }, { 0, 2, 3 } }));
  for (int k = 0; k < 20; ++k)
    addSphere(
      s, { 0.04 * k - 0.4, 0.01 * k, 0.04 * k - 0.4 + 0.00145 }, 0.001); // just above the slope
  setSteps(s, 2e-6, 400);
  s.broad_phase.triangles = TriangleSearchKind::UniformGrid;
  const dem::SearchCounts c = simulate(s).searchCounts();
  EXPECT_LE(c.triangle_cells, 4096u);
  EXPECT_LE(c.triangle_places, 4096u);
  EXPECT_GT(c.triangle_cells, 500u); // but a grid it is: the plates are 1.8 m across in each axis
  for (Vec3d& v : s.particles.velocity)
    v = { 0, 0, -0.8 };
  expectSame(s, 400, "plates");
}

// The search is no part of a state.
TEST_P(TriangleSearch, StatesAreShared)
{
  dem::Scene s = busyScene();
  dem::Simulation tree = simulate(s);
  tree.advanceTo(2500);
  s.broad_phase.triangles = TriangleSearchKind::UniformGrid;
  dem::Simulation grid = simulate(s);
  grid.restore(tree.save());
  tree.advanceTo(3500);
  grid.advanceTo(3500);
  EXPECT_SAME_BITS(tree.frame(), grid.frame());
}

PARAGRAIN_ON_ALL_BACKENDS(TriangleSearch);
