// Item 6 and the walls in general: triangulated floors against planes, edges and corners against
// their analytic twins, history over seams, prescribed motion, cylinders and cones, forces given
// back.
#include "Reference.h"
#include "TestSupport.h"
#include "Walls/WallMesh.h"

#include <algorithm>
#include <functional>

using namespace test;

namespace
{

// ----
// meshes

using Place = std::function<Vec3d(double, double)>; // of the flat sheet in space

Vec3d flat(double x, double y) { return { x, y, 0 }; }

int addPoint(dem::Wall& w, const Vec3d& p)
{
  w.points.push_back(p);
  return static_cast<int>(w.points.size()) - 1;
}

/// Jittered grid with diagonals at random, and triangles of either orientation.
dem::Wall randomFloor(double half, int n, const Place& place, std::uint32_t seed)
{
  dem::Wall w;
  std::mt19937 random(seed);
  const double h = 2 * half / n;
  for (int j = 0; j <= n; ++j)
  {
    for (int i = 0; i <= n; ++i)
    {
      const bool inside = i > 0 && j > 0 && i < n && j < n;
      const double dx = inside ? 0.6 * h * uniform(random, -0.5, 0.5) : 0;
      const double dy = inside ? 0.6 * h * uniform(random, -0.5, 0.5) : 0;
      addPoint(w, place(-half + i * h + dx, -half + j * h + dy));
    }
  }
  for (int j = 0; j < n; ++j)
  {
    for (int i = 0; i < n; ++i)
    {
      const int a = j * (n + 1) + i, b = a + 1, c = a + n + 2, d = a + n + 1;
      const bool turn = random() & 1, flip = random() & 1;
      std::array<std::int32_t, 3> p =
        turn ? std::array<std::int32_t, 3>{ a, b, c } : std::array<std::int32_t, 3>{ a, b, d };
      std::array<std::int32_t, 3> q =
        turn ? std::array<std::int32_t, 3>{ a, c, d } : std::array<std::int32_t, 3>{ b, c, d };
      if (flip)
      {
        std::swap(p[0], p[1]);
        std::swap(q[1], q[2]);
      }
      w.triangles.push_back(p);
      w.triangles.push_back(q);
    }
  }
  return w;
}

/// Strips 0.4 mm wide and as long as the floor: triangles 1:1000.
dem::Wall sliverFloor(double half, const Place& place)
{
  dem::Wall w;
  const int n = static_cast<int>(2 * half / 4e-4);
  for (int i = 0; i <= n; ++i)
  {
    const double x = -half + 2 * half * i / n;
    addPoint(w, place(x, -half));
    addPoint(w, place(x, half));
  }
  for (int i = 0; i < n; ++i)
  {
    w.triangles.push_back({ 2 * i, 2 * i + 2, 2 * i + 3 });
    w.triangles.push_back({ 2 * i, 2 * i + 3, 2 * i + 1 });
  }
  return w;
}

/// All triangles meet in one vertex near the middle of the path.
dem::Wall fanFloor(double half, const Place& place)
{
  dem::Wall w;
  const int n = 90;
  addPoint(w, place(0, 0));
  for (int i = 0; i < n; ++i)
  {
    const double a = 2 * M_PI * i / n;
    addPoint(w, place(1.5 * half * std::cos(a), 1.5 * half * std::sin(a)));
  }
  for (int i = 0; i < n; ++i)
  {
    w.triangles.push_back({ 0, 1 + i, 1 + (i + 1) % n });
  }
  return w;
}

/// Points that are not shared between triangles, as an STL reader gives them.
dem::Wall soup(const dem::Wall& mesh)
{
  dem::Wall w = mesh;
  w.points.clear();
  w.triangles.clear();
  for (const auto& t : mesh.triangles)
  {
    const int first = static_cast<int>(w.points.size());
    for (int k : t)
    {
      w.points.push_back(mesh.points[k]);
    }
    w.triangles.push_back({ first, first + 1, first + 2 });
  }
  return w;
}

class Walls : public BackendTest
{
protected:
  static constexpr double r = 0.005;

  // Overlap of a sphere at rest under `g` with material 0.
  static double restOverlap(const dem::Scene& s, double g)
  {
    const dem::Material& m = s.materials[0];
    const double young = reference::effectiveYoung(
      { m.youngs_modulus, m.poissons_ratio }, { m.youngs_modulus, m.poissons_ratio });
    return std::pow(0.75 * sphereMass(r, m.density) * g / (young * std::sqrt(r)), 2.0 / 3);
  }

  static dem::Scene floorScene()
  {
    dem::Scene s = emptyScene();
    s.gravity = { 0, 0, -9.81 };
    s.materials[0].youngs_modulus = 1e7;
    s.materials[0].restitution = 0.6;
    s.materials[0].friction = 0.3;
    return s;
  }

  static Vec3d sum(const dem::HostArray<float>& a)
  {
    Vec3d total{};
    for (std::size_t i = 0; i < a.size() / 3; ++i)
    {
      total += at3(a, i);
    }
    return total;
  }

  // Both scenes step by step side by side; the largest differences seen.
  struct Difference
  {
    double position = 0, velocity = 0, spin = 0, normal = 0, tangential = 0, friction = 0,
           weight = 0;
    std::size_t samples_in_contact = 0, most_contacts = 0;
    dem::Frame a, b;
  };
  Difference compare(
    const dem::Scene& a, const dem::Scene& b, std::uint64_t steps, std::uint64_t every)
  {
    Difference d;
    dem::Simulation first = simulate(a), second = simulate(b);
    EXPECT_EQ(first.plan().time_step, second.plan().time_step);
    while (first.step() < steps)
    {
      advance(first, every);
      advance(second, every);
      d.a = first.frame(motionAndContacts());
      d.b = second.frame(motionAndContacts());
      for (std::size_t i = 0; i < d.a.size; ++i)
      {
        d.position = std::max(d.position, length(positionOf(d.a, i) - positionOf(d.b, i)));
        d.velocity = std::max(d.velocity, length(velocityOf(d.a, i) - velocityOf(d.b, i)));
        d.spin = std::max(d.spin, length(spinOf(d.a, i) - spinOf(d.b, i)));
      }
      const Vec3d na = sum(d.a.contacts.normal_force), nb = sum(d.b.contacts.normal_force);
      const Vec3d ta = sum(d.a.contacts.tangential_force), tb = sum(d.b.contacts.tangential_force);
      d.normal = std::max(d.normal, length(na - nb));
      d.tangential = std::max(d.tangential, length(ta - tb));
      d.weight = std::max(d.weight, length(na));
      d.friction = std::max(d.friction, length(ta));
      d.samples_in_contact += d.a.contacts.size > 0;
      d.most_contacts = std::max(d.most_contacts, d.b.contacts.size);
    }
    return d;
  }
};

} // namespace

// ----
// floors and planes

// Item 6: a sphere that slides, then rolls, spins and turns off over 40 diameters of floor, on
// random, sliver and fan triangulations and a soup of unshared points, against the analytic plane.
// 1e-3 of the way, the speed and the forces; at any time one contact ("no seam"). A floor in
// general position keeps its points in single precision: 1e-2 of the forces.
TEST_P(Walls, TriangulatedFloorIsAPlane)
{
  const double g = 9.81, v0 = 0.5;
  for (bool tilted : { false, true })
  {
    dem::Scene s = floorScene();
    const dem::Quaternion<double> turn =
      dem::rotationVectorToQuaternion(tilted ? Vec3d{ 0.7, -0.4, 0.3 } : Vec3d{});
    const Place place = [&](double x, double y) { return dem::rotate(turn, { x, y, 0 }); };
    const double overlap = restOverlap(s, g);
    s.gravity = dem::rotate(turn, { 0, 0, -g });
    addSphere(s, dem::rotate(turn, { -0.09, 0.0021, r - overlap }), r,
      dem::rotate(turn, { v0, 0.013, 0 }), dem::rotate(turn, { 20, -30, 15 }));
    setSteps(s, 2e-5, 20000);
    dem::Scene analytic = s;
    analytic.walls = { planeWall({ 0, 0, 0 }, dem::rotate(turn, { 0, 0, 1 })) };
    const dem::Wall random = randomFloor(0.15, 60, place, 5);
    const std::pair<const char*, dem::Wall> floors[] = { { "random", random },
      { "soup", soup(random) }, { "coarse", randomFloor(0.15, 3, place, 6) },
      { "sliver", sliverFloor(0.15, place) }, { "fan", fanFloor(0.15, place) } };
    for (const auto& [name, wall] : floors)
    {
      SCOPED_TRACE(std::string(name) + (tilted ? ", tilted" : ""));
      dem::Scene meshed = s;
      meshed.walls = { wall };
      const Difference d = compare(analytic, meshed, 20000, 25);
      EXPECT_EQ(d.samples_in_contact, 800u);
      EXPECT_EQ(d.most_contacts, 1u);
      EXPECT_LT(d.position, 1e-3 * 0.18);
      EXPECT_LT(d.velocity, 1e-3 * v0);
      EXPECT_LT(d.spin * r, 2e-3 * v0);
      EXPECT_LT(d.normal, (tilted ? 1e-2 : 1e-3) * d.weight);
      EXPECT_LT(d.tangential, (tilted ? 1e-2 : 2e-3) * d.friction);
    }
  }
}

// A sphere dropped exactly on a vertex, on an edge and inside a face rebounds as from a plane:
// once, straight, with e.
TEST_P(Walls, DroppedOnFacesEdgesAndVertices)
{
  const dem::Wall floors[] = { fanFloor(0.05, flat),
    meshWall({ { -0.05, -0.05, 0 }, { 0.05, -0.05, 0 }, { 0.05, 0.05, 0 }, { -0.05, 0.05, 0 } },
      { { 0, 1, 2 }, { 0, 2, 3 } }) };
  const Vec3d spots[] = { { 0, 0, 0 }, { 0.01, 0.01, 0 }, { 0.02, -0.007, 0 },
    { 0.013, 0.013 + 1e-9, 0 } };
  for (const dem::Wall& floor : floors)
  {
    for (const Vec3d spot : spots)
    {
      dem::Scene s = floorScene();
      s.gravity = {};
      addSphere(s, spot + Vec3d{ 0, 0, r + 1e-6 }, r, { 0, 0, -0.5 });
      setSteps(s, 1e-6, 4000);
      dem::Scene plane = s;
      plane.walls = { planeWall({ 0, 0, 0 }, { 0, 0, 1 }) };
      s.walls = { floor };
      const Difference d = compare(plane, s, 2000, 5);
      EXPECT_LT(d.velocity, 1e-4 * 0.5);
      EXPECT_NEAR(velocityOf(d.b, 0).z, 0.3, 1e-3);
      EXPECT_NEAR(velocityOf(d.b, 0).x, 0, 1e-6);
      EXPECT_NEAR(velocityOf(d.b, 0).y, 0, 1e-6);
      EXPECT_EQ(d.most_contacts, 1u);
    }
  }
}

// Both sides of a sheet are wall.
TEST_P(Walls, SheetsHaveTwoSides)
{
  for (bool triangles : { false, true })
  {
    for (double side : { 1.0, -1.0 })
    {
      dem::Scene s = floorScene();
      s.gravity = {};
      addSphere(s, { 0.003, 0.002, side * (r + 1e-6) }, r, { 0, 0, -side * 0.5 });
      s.walls = { triangles ? randomFloor(0.05, 7, flat, 3)
                            : rectangleWall({ -0.05, -0.05, 0 }, { 0.1, 0, 0 }, { 0, 0.1, 0 }) };
      setSteps(s, 1e-6, 4000);
      dem::Simulation sim = simulate(s);
      sim.advanceTo(3000);
      EXPECT_NEAR(velocityOf(sim.frame(), 0).z, side * 0.3, 1e-3);
    }
  }
}

// A plane is a half space: a sphere cannot be behind it.
TEST_P(Walls, PlaneIsTilted)
{
  dem::Scene s = floorScene();
  s.gravity = {};
  s.materials[0].friction = 0;
  const Vec3d n = normalized(Vec3d{ 1, 2, -2 });
  addSphere(s, Vec3d{ 0.3, 0.1, 0.2 } + (r + 1e-6) * n, r,
    -0.5 * n + 0.2 * normalized(cross(n, Vec3d{ 0, 0, 1 })));
  s.walls = { planeWall({ 0.3, 0.1, 0.2 }, n) };
  setSteps(s, 1e-6, 4000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(4000);
  const Vec3d expected = 0.3 * n + 0.2 * normalized(cross(n, Vec3d{ 0, 0, 1 }));
  EXPECT_LT(length(velocityOf(sim.frame(), 0) - expected), 1e-3);
}

// ----
// edges

// Convex edge: rolling off a table whose side goes down, against a rectangle that just ends there.
// The contact is with the edge alone while it tips over; 1e-3 of way, speed and spin until it has
// left.
TEST_P(Walls, RollingOverAConvexEdge)
{
  dem::Scene s = floorScene();
  s.materials[0].friction = 0.8;
  const double overlap = restOverlap(s, 9.81);
  addSphere(s, { -0.004, 0.001, r - overlap }, r, { 0.1, 0, 0 }, { 0, 0.1 / r, 0 });
  setSteps(s, 1e-5, 20000);
  dem::Scene analytic = s, meshed = s;
  analytic.walls = { rectangleWall({ -0.1, -0.1, 0 }, { 0.1, 0, 0 }, { 0, 0.2, 0 }) };
  meshed.walls = { meshWall({ { -0.1, -0.1, 0 }, { 0, -0.1, 0 }, { 0, 0.1, 0 }, { -0.1, 0.1, 0 },
                              { 0, -0.1, -0.1 }, { 0, 0.1, -0.1 } },
    { { 0, 1, 2 }, { 0, 2, 3 }, { 1, 4, 5 }, { 1, 5, 2 } }) };
  const Difference d = compare(analytic, meshed, 8000, 20);
  EXPECT_LT(positionOf(d.a, 0).z, 0.004) << "it did tip over";
  EXPECT_GT(d.samples_in_contact, 100u);
  EXPECT_LT(d.position, 1e-3 * r);
  EXPECT_LT(d.velocity, 1e-3 * 0.3);
  EXPECT_LT(d.spin * r, 1e-3 * 0.3);
  EXPECT_LT(d.normal, 1e-2 * d.weight);
}

// A sphere that falls on a steep ridge beside its crest is thrown off by the edge, as by a line;
// ends of the line and a pyramid's tip act as points. 1e-3 of the speed.
TEST_P(Walls, RidgeIsALineAndTipIsAPoint)
{
  const double deep = -0.3;
  for (double beside : { 0.0, 0.1 * r, -0.25 * r })
  {
    dem::Scene s = floorScene();
    s.gravity = {};
    addSphere(s, { beside, 0.003, std::sqrt(r * r - beside * beside) + 1e-6 }, r, { 0, 0, -0.4 },
      { 5, 20, -9 });
    setSteps(s, 1e-6, 5000);
    dem::Scene line = s, ridge = s, tip = s, point = s;
    dem::Wall w;
    w.kind = dem::WallKind::Line;
    w.origin = { 0, -0.1, 0 };
    w.end = { 0, 0.1, 0 };
    line.walls = { w };
    ridge.walls = { meshWall({ { 0, -0.1, 0 }, { 0, 0.1, 0 }, { 0.05, -0.1, deep },
                               { 0.05, 0.1, deep }, { -0.05, -0.1, deep }, { -0.05, 0.1, deep } },
      { { 0, 1, 3 }, { 0, 3, 2 }, { 1, 0, 4 }, { 1, 4, 5 } }) };
    SCOPED_TRACE("beside the crest by " + std::to_string(beside));
    const Difference d = compare(line, ridge, 4000, 10);
    EXPECT_GT(d.samples_in_contact, 10u);
    EXPECT_EQ(d.a.contacts.size, 0u);
    EXPECT_LT(d.velocity, 1e-3 * 0.4);
    EXPECT_LT(d.spin * r, 1e-3 * 0.4);

    w.origin = { 0, 0.003, -0.1 }; // a needle
    w.end = { 0, 0.003, 0 };
    point.walls = { w };
    tip.walls = { meshWall({ { 0, 0.003, 0 }, { 0.03, 0, deep }, { 0, 0.03, deep },
                             { -0.03, 0, deep }, { 0, -0.03, deep } },
      { { 0, 1, 2 }, { 0, 2, 3 }, { 0, 3, 4 }, { 0, 4, 1 } }) };
    const Difference p = compare(point, tip, 4000, 10);
    EXPECT_GT(p.samples_in_contact, 10u);
    EXPECT_LT(p.velocity, 1e-3 * 0.4);
    EXPECT_LT(p.spin * r, 1e-3 * 0.4);
  }
}

// Concave edge: bouncing and rolling along a groove of two meshed faces against two planes: 1e-3.
TEST_P(Walls, GrooveIsTwoPlanes)
{
  for (double slope : { 0.4, 1.0, 2.5 })
  {
    SCOPED_TRACE("slope " + std::to_string(slope));
    dem::Scene s = floorScene();
    s.gravity = { 0, -1.5, -9.81 };
    const double height = r * std::sqrt(1 + slope * slope);
    addSphere(s, { 0.0004, 0.05, height + 0.001 }, r, { 0.05, 0, 0 }, { 10, 0, 5 });
    setSteps(s, 1e-5, 20000);
    dem::Scene planes = s, meshed = s;
    planes.walls = { planeWall({ 0, 0, 0 }, normalized(Vec3d{ -slope, 0, 1 })),
      planeWall({ 0, 0, 0 }, normalized(Vec3d{ slope, 0, 1 })) };
    const double x = 0.05, z = slope * x;
    meshed.walls = { meshWall({ { 0, -0.2, 0 }, { 0, 0.2, 0 }, { x, -0.2, z }, { x, 0.2, z },
                                { -x, -0.2, z }, { -x, 0.2, z } },
      { { 0, 1, 3 }, { 0, 3, 2 }, { 1, 0, 4 }, { 1, 4, 5 } }) };
    const Difference d = compare(planes, meshed, 15000, 30);
    EXPECT_GT(d.samples_in_contact, 200u);
    EXPECT_LT(d.position, 1e-3 * 0.02);
    EXPECT_LT(d.velocity, 1e-3 * 0.3);
    EXPECT_LT(d.spin * r, 2e-3 * 0.3);
    EXPECT_EQ(d.most_contacts, 2u);
    EXPECT_EQ(d.a.contacts.size, d.b.contacts.size);
  }
}

// Concave corner: in the corner of a box of triangles, of a Box wall, and of three planes.
TEST_P(Walls, CornerIsThreePlanes)
{
  dem::Scene s = floorScene();
  s.gravity = { -3, -4, -9 };
  addSphere(s, { 0.0056, 0.0053, 0.0061 }, r, { -0.2, -0.1, -0.3 }, { 10, -10, 20 });
  setSteps(s, 5e-6, 20000);
  dem::Scene planes = s, meshed = s, box = s;
  planes.walls = { planeWall({ 0, 0, 0 }, { 1, 0, 0 }), planeWall({ 0, 0, 0 }, { 0, 1, 0 }),
    planeWall({ 0, 0, 0 }, { 0, 0, 1 }) };
  const double a = 0.1;
  meshed.walls = { meshWall(
    { { 0, 0, 0 }, { a, 0, 0 }, { a, a, 0 }, { 0, a, 0 }, { 0, 0, a }, { a, 0, a }, { 0, a, a } },
    { { 0, 1, 2 }, { 0, 2, 3 }, { 0, 1, 5 }, { 0, 5, 4 }, { 0, 3, 6 }, { 0, 6, 4 } }) };
  dem::Wall w;
  w.kind = dem::WallKind::Box;
  w.origin = { 0, 0, 0 };
  w.end = { a, a, a };
  box.walls = { w };
  for (const dem::Scene& other : { meshed, box })
  {
    const Difference d = compare(planes, other, 20000, 50);
    EXPECT_GT(d.samples_in_contact, 100u);
    EXPECT_LT(d.position, 1e-3 * r);
    EXPECT_LT(d.velocity, 1e-3 * 0.4);
    EXPECT_EQ(d.most_contacts, 3u);
    EXPECT_EQ(d.a.contacts.size, d.b.contacts.size);
  }
}

// A rectangle's border and corner act as line and point; a box is an obstacle from outside.
TEST_P(Walls, RectangleBorderAndBoxFromOutside)
{
  struct Case
  {
    Vec3d x, v;
  };
  dem::Wall box;
  box.kind = dem::WallKind::Box;
  box.origin = { 0, 0, 0 };
  box.end = { 0.02, 0.03, 0.04 };
  const double c = r / std::sqrt(3.0), e = r / std::sqrt(2.0);
  const Case cases[] = {
    { { 0.01, 0.015, 0.04 + r }, { 0, 0, -1 } },                                // face
    { { 0.02 + e, 0.015, 0.04 + e }, { -std::sqrt(0.5), 0, -std::sqrt(0.5) } }, // edge
    { { 0.02 + c, 0.03 + c, 0.04 + c }, { -0.57735, -0.57735, -0.57735 } },     // corner
  };
  for (const Case& k : cases)
  {
    dem::Scene s = floorScene();
    s.gravity = {};
    addSphere(s, k.x - 1e-6 * k.v, r, 0.5 * k.v);
    s.walls = { box };
    setSteps(s, 1e-6, 3000);
    dem::Simulation sim = simulate(s);
    sim.advanceTo(3000);
    EXPECT_LT(length(velocityOf(sim.frame(), 0) + 0.3 * k.v), 1e-3); // straight back with e = 0.6
  }
  dem::Scene s = floorScene(); // a rectangle's corner
  s.gravity = {};
  addSphere(s, { -c, -c, c + 1e-6 }, r, { 0.28868, 0.28868, -0.28868 });
  s.walls = { rectangleWall({ 0, 0, 0 }, { 0.1, 0, 0 }, { 0, 0.1, 0 }) };
  setSteps(s, 1e-6, 3000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(3000);
  EXPECT_LT(length(velocityOf(sim.frame(), 0) - 0.6 * Vec3d{ -0.28868, -0.28868, 0.28868 }), 1e-3);
}

// ----
// history

// Item 6: a sphere held by friction on a slowly rolling way over seams: the tangential force is the
// plane's at every sample (1e-3 of its size), so that nothing is lost when history passes from
// triangle to triangle. On an incline, rolling without slip, Ft = 2/7 m g sin a all the way.
TEST_P(Walls, HistoryPassesBetweenTriangles)
{
  dem::Scene s = floorScene();
  const double a = 0.3;
  s.gravity = { 9.81 * std::sin(a), 0.4, -9.81 * std::cos(a) };
  s.materials[0].restitution = 0.3;
  const double overlap = restOverlap(s, 9.81 * std::cos(a));
  addSphere(s, { -0.08, 0.0003, r - overlap }, r);
  setSteps(s, 2e-5, 20000);
  dem::Scene plane = s, random = s, sliver = s;
  plane.walls = { planeWall({ 0, 0, 0 }, { 0, 0, 1 }) };
  random.walls = { randomFloor(0.15, 100, flat, 9) };
  sliver.walls = { sliverFloor(0.15, flat) };
  for (const dem::Scene& other : { random, sliver })
  {
    const Difference d = compare(plane, other, 12000, 5);
    const double expected = 2.0 / 7 * sphereMass(r, 2500) * std::hypot(9.81 * std::sin(a), 0.4);
    EXPECT_NEAR(length(sum(d.b.contacts.tangential_force)), expected, 5e-3 * expected);
    EXPECT_GT(positionOf(d.b, 0).x, -0.04); // has crossed many seams
    EXPECT_LT(d.tangential, 1e-3 * d.friction);
    EXPECT_LT(d.normal, 1e-3 * d.weight);
  }
}

// A large mesh: 80,000 triangles give the same as few.
TEST_P(Walls, FineMesh)
{
  dem::Scene s = floorScene();
  const double overlap = restOverlap(s, 9.81);
  addSphere(s, { -0.05, 0.001, r - overlap }, r, { 0.5, 0.1, 0 });
  setSteps(s, 2e-5, 10000);
  dem::Scene plane = s, fine = s;
  plane.walls = { planeWall({ 0, 0, 0 }, { 0, 0, 1 }) };
  fine.walls = { randomFloor(
    0.1, 200, flat, 10) }; // triangles of 1 mm, spheres of 10 mm: dozens within reach
  const Difference d = compare(plane, fine, 4000, 20);
  EXPECT_LT(d.velocity, 1e-3 * 0.5);
  EXPECT_LT(d.normal, 1e-3 * d.weight);
  EXPECT_EQ(d.most_contacts, 1u);
}

// ----
// moving walls

namespace
{
dem::Wall plate(bool triangles)
{
  return triangles ? randomFloor(0.15, 12, flat, 4)
                   : rectangleWall({ -0.15, -0.15, 0 }, { 0.3, 0, 0 }, { 0, 0.3, 0 });
}
} // namespace

// A plate that starts at 0.05 s and stops at 0.25 s: friction mu g drags a sphere at rest until it
// rolls, which it does at 2/7 of the plate's speed. Closed form; 2e-3.
TEST_P(Walls, TranslatingPlateDragsASphere)
{
  for (bool triangles : { false, true })
  {
    dem::Scene s = floorScene();
    const double u = 0.2;
    addSphere(s, { 0, 0, r - restOverlap(s, 9.81) }, r);
    s.walls = { plate(triangles) };
    s.walls[0].motion.kind = dem::MotionKind::Translation;
    s.walls[0].motion.velocity = { u, 0, 0 };
    s.walls[0].motion.start = 0.05;
    s.walls[0].motion.stop = 0.25;
    setSteps(s, 2e-5, 20000);
    dem::Simulation sim = simulate(s);
    sim.advanceTo(2400); // 0.048 s
    EXPECT_LT(length(velocityOf(sim.frame(), 0)), 1e-6);
    sim.advanceTo(12000); // 0.24 s
    const dem::Frame f = sim.frame();
    EXPECT_NEAR(velocityOf(f, 0).x, 2.0 / 7 * u, 2e-3 * u);
    EXPECT_NEAR(spinOf(f, 0).y * r, -5.0 / 7 * u, 3e-3 * u); // rolls back on the plate
    sim.advanceTo(20000); // the plate stands again: the sphere comes to rest with it
    const dem::Frame end = sim.frame();
    EXPECT_NEAR(velocityOf(end, 0).x, 0, 3e-3 * u);
    if (triangles)
    {
      ASSERT_EQ(end.walls.size(), 1u);
      for (std::size_t i = 0; i < s.walls[0].points.size();
           ++i) // moved by u (stop - start), then still
      {
        EXPECT_LT(
          length(at3(end.walls[0].points, i) - s.walls[0].points[i] - Vec3d{ 0.2 * u, 0, 0 }),
          1e-8);
      }
    }
  }
}

// A wall that comes head-on: v' = u + e (u - v), and it does the work that the sphere gains. 1e-3.
TEST_P(Walls, MovingWallHits)
{
  for (bool triangles : { false, true })
  {
    dem::Scene s = floorScene();
    s.gravity = {};
    addSphere(s, { 0, 0, r + 1e-5 }, r, { 0, 0, -0.2 });
    s.walls = { plate(triangles) };
    s.walls[0].motion.kind = dem::MotionKind::Translation;
    s.walls[0].motion.velocity = { 0, 0, 0.5 };
    setSteps(s, 1e-6, 5000);
    dem::Simulation sim = simulate(s);
    const double before = sim.statistics().kinetic_energy;
    sim.advanceTo(5000);
    const dem::Frame f = sim.frame();
    ASSERT_EQ(f.contacts.size, 0u);
    EXPECT_NEAR(velocityOf(f, 0).z, 0.5 + 0.6 * 0.7, 1e-3);
    const dem::Statistics& st = f.statistics;
    EXPECT_NEAR(
      st.kinetic_energy + st.dissipated_energy - st.wall_work, before, 2e-3 * st.kinetic_energy);
    EXPECT_GT(st.wall_work, 0);
  }
}

// A ball that rolls on a turntable goes round at 2/7 of its rate (Weltner, Am. J. Phys. 47 (1979)
// 984; for a solid sphere): 3e-3.
TEST_P(Walls, TurntableCarriesABallInCircles)
{
  for (bool triangles : { false, true })
  {
    dem::Scene s = floorScene();
    s.materials[0].friction = 0.9;
    s.materials[0].youngs_modulus = 1e8;
    const double rate = 8;
    const Vec3d at{ 0.03, 0, 0 };
    // rolling from the start: the surface goes with (0, rate x), the centre rests, so w x (-r z) =
    // (0, rate x, 0)
    addSphere(s, at + Vec3d{ 0, 0, r - restOverlap(s, 9.81) }, r, { 0.05, 0, 0 },
      { rate * at.x / r, 0.05 / r, 0 });
    s.walls = { plate(triangles) };
    s.walls[0].motion.kind = dem::MotionKind::Rotation;
    s.walls[0].motion.rate = rate;
    setSteps(s, 2e-5, 50000);
    dem::Simulation sim = simulate(s);
    for (int k = 1; k <= 5; ++k)
    {
      sim.advanceTo(5000 * k); // 0.5 s in all: 1.14 rad of the circle
      const dem::Frame f = sim.frame(motionOnly());
      const double phase = 2.0 / 7 * rate * f.time;
      const Vec3d expected{ 0.05 * std::cos(phase), 0.05 * std::sin(phase), 0 };
      EXPECT_LT(length(velocityOf(f, 0) - expected), 3e-3 * 0.05)
        << "at " << f.time << (triangles ? ", mesh" : "");
    }
  }
}

// Rotation of the mesh itself, about an axis off the origin, with start and stop: the points are
// where they should be.
TEST_P(Walls, RotatedPoints)
{
  dem::Scene s = floorScene();
  addSphere(s, { 0.5, 0.5, 0.5 }, r);
  s.walls = { randomFloor(0.1, 3, flat, 2) };
  dem::Motion& m = s.walls[0].motion;
  m.kind = dem::MotionKind::Rotation;
  m.origin = { 0.05, 0.02, 0.01 };
  m.axis = { 1, 1, -1 };
  m.rate = 30;
  m.start = 0.01;
  m.stop = 0.08;
  setSteps(s, 2e-5, 5000);
  dem::Simulation sim = simulate(s);
  for (std::uint64_t step : { 0, 250, 1500, 3999, 5000 })
  {
    sim.advanceTo(step);
    const dem::Frame f = sim.frame();
    const double t = std::min(std::max(f.time - 0.01, 0.0), 0.07);
    const auto q = dem::rotationVectorToQuaternion((30 * t) * normalized(m.axis));
    for (std::size_t i = 0; i < s.walls[0].points.size(); ++i)
    {
      const Vec3d expected = m.origin + dem::rotate(q, s.walls[0].points[i] - m.origin);
      EXPECT_LT(length(at3(f.walls[0].points, i) - expected), 1e-7) << "at " << f.time;
    }
  }
}

// Oscillation along z: the sphere at rest goes up and down with the plate (1 g is not reached);
// along x it rolls with 2/7 of it. Starts at a turning point, so without a jolt. 5e-3 of the
// amplitude.
TEST_P(Walls, OscillatingPlate)
{
  for (bool triangles : { false, true })
  {
    for (bool up : { true, false })
    {
      dem::Scene s = floorScene();
      s.materials[0].youngs_modulus = 1e8;
      s.materials[0].friction = 0.8;
      s.materials[0].restitution = 0.3;
      const double z0 = r - restOverlap(s, 9.81), amplitude = 2e-3, frequency = 6;
      addSphere(s, { 0, 0, z0 }, r);
      s.walls = { plate(triangles) };
      dem::Motion& m = s.walls[0].motion;
      m.kind = dem::MotionKind::Oscillation;
      m.axis = up ? Vec3d{ 0, 0, 1 } : Vec3d{ 2, 0, 0 }; // its length does not count
      m.amplitude = amplitude;
      m.frequency = frequency;
      m.phase = M_PI / 2;
      setSteps(s, 2e-5, 20000);
      dem::Simulation sim = simulate(s);
      for (int k = 1; k <= 20; ++k)
      {
        sim.advanceTo(600 * k);
        const dem::Frame f = sim.frame();
        const double plate_moved =
          amplitude * (std::sin(2 * M_PI * frequency * f.time + M_PI / 2) - 1);
        const Vec3d moved = positionOf(f, 0) - Vec3d{ 0, 0, z0 };
        if (up)
        {
          EXPECT_NEAR(moved.z, plate_moved, 5e-3 * amplitude) << "at " << f.time;
        }
        else
        {
          EXPECT_NEAR(moved.x, 2.0 / 7 * plate_moved, 5e-3 * amplitude) << "at " << f.time;
        }
      }
    }
  }
}

namespace
{
// A motion whose speed changes with every `apart`-th step from `first` on: `changes` times, to
// speed(k).
void addRamp(dem::Scene& s, const std::string& property, std::uint64_t first, std::uint64_t apart,
  int changes, const std::function<Vec3d(int)>& speed)
{
  for (int k = 0; k < changes; ++k)
  {
    const Vec3d v = speed(k);
    const double time =
      s.time_step * static_cast<double>(first + apart * static_cast<std::uint64_t>(k));
    s.events.push_back({ time, property,
      property == "WallRate" ? std::vector<double>{ 0, v.x }
                             : std::vector<double>{ 0, v.x, v.y, v.z } });
  }
}
} // namespace

// A wall whose speed changes again before it came half the skin meets the grain that rests in its
// way, and asks for no more lists than one at constant speed: 4.5 mm and more in steps of 0.5 mm.
// The bits do not depend on the lists.
TEST_P(Walls, SteeredWallsFindWhatRests)
{
  for (bool turns : { false, true })
  {
    dem::Scene s = floorScene();
    s.gravity = {};
    s.skin = 1e-3;
    const double gap = 4e-3, at = 0.1; // from the axis
    addSphere(s, { at, 0, r + gap }, r);
    s.walls = { plate(false) };
    dem::Motion& m = s.walls[0].motion;
    m.kind = turns ? dem::MotionKind::Rotation : dem::MotionKind::Translation;
    m.axis = { 0, -1, 0 };
    setSteps(s, 1e-5, 3000); // 0.2 m/s
    addRamp(s, turns ? "WallRate" : "WallVelocity", 0, 100, 30, [&](int k) {
      const double v = 0.2 + 0.002 * (k % 3);
      return turns ? Vec3d{ v / at, 0, 0 } : Vec3d{ 0, 0, v };
    });
    dem::Simulation sim = simulate(s), often = simulate(s);
    s.skin = 0;
    dem::Simulation automatic = simulate(s);
    advance(sim, 1);
    const std::uint64_t lists = sim.searchCounts().rebuilds;
    sim.advanceTo(1900);
    const std::uint64_t more = sim.searchCounts().rebuilds - lists;
    const double farthest =
      turns ? 0.15 / at : 1; // point of the plate, by the speed where the grain is
    EXPECT_NEAR(static_cast<double>(more), farthest * 0.2 * 0.019 / 5e-4, 1.5)
      << (turns ? "turning" : "translating");
    sim.advanceTo(3000);
    const dem::Frame f = sim.frame();
    EXPECT_GT(velocityOf(f, 0).z, 0.25) << (turns ? "turning" : "translating");
    often.rebuildEvery(1);
    often.advanceTo(3000);
    EXPECT_SAME_BITS(f, often.frame());
    automatic.advanceTo(3000);
    EXPECT_SAME_BITS(f, automatic.frame());
  }
}

// An oscillating wall has no speed of its own to change: it is refused by name, and the wall goes
// on as it did.
TEST_P(Walls, OscillationsHaveNoSpeedToSteer)
{
  dem::Scene s = floorScene();
  addSphere(s, { 0.5, 0.5, 0.5 }, r);
  s.walls = { randomFloor(0.1, 3, flat, 2) };
  s.walls[0].name = "sieve";
  dem::Motion& m = s.walls[0].motion;
  m.kind = dem::MotionKind::Oscillation;
  m.amplitude = 2e-3;
  m.frequency = 25;
  setSteps(s, 2e-5, 2000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(500); // a quarter of a period: at its crest
  EXPECT_NEAR(sim.frame().walls[0].points[2], 2e-3, 1e-9);
  for (const dem::Event& event :
    { dem::Event{ 0, "WallRate", { 0, 1 } }, dem::Event{ 0, "WallVelocity", { 0, 0, 0, 1 } } })
  {
    const std::string refused = errorOf([&] { sim.apply(event); });
    for (const std::string& word :
      { event.property, std::string("wall 0"), std::string("sieve"), std::string("Oscillation") })
    {
      EXPECT_MENTIONS(refused, word);
    }
  }
  sim.advanceTo(501);
  EXPECT_NEAR(sim.frame().walls[0].points[2], 2e-3, 1e-8);
  sim.advanceTo(1500);
  EXPECT_NEAR(sim.frame().walls[0].points[2], -2e-3, 1e-9);
}

// Told in every step the speed that it has, a plate drags a sphere as one that is told nothing.
TEST_P(Walls, EventsThatChangeNothing)
{
  for (bool turns : { false, true })
  {
    dem::Scene s = floorScene();
    const double u = 0.2, rate = 8;
    addSphere(s, { 0.03, 0, r - restOverlap(s, 9.81) }, r);
    s.walls = { plate(false) };
    dem::Motion& m = s.walls[0].motion;
    m.kind = turns ? dem::MotionKind::Rotation : dem::MotionKind::Translation;
    m.rate = rate;
    m.velocity = { u, 0, 0 };
    setSteps(s, 2e-5, 3000);
    dem::Simulation told_nothing = simulate(s);
    addRamp(s, turns ? "WallRate" : "WallVelocity", 100, 1, 2800, [&](int) {
      return turns ? Vec3d{ rate, 0, 0 } : Vec3d{ u, 0, 0 };
    });
    dem::Simulation told = simulate(s);
    for (std::uint64_t step : { 101, 500, 2900, 3000 })
    {
      told.advanceTo(step);
      told_nothing.advanceTo(step);
      const dem::Frame a = told_nothing.frame(), b = told.frame();
      const double speed = length(velocityOf(a, 0));
      EXPECT_GT(speed, 1e-4);
      EXPECT_LT(length(velocityOf(b, 0) - velocityOf(a, 0)), (mixed() ? 1e-4 : 1e-9) * speed)
        << "at step " << step;
      EXPECT_NEAR(b.statistics.wall_work, a.statistics.wall_work,
        (mixed() ? 1e-4 : 1e-9) * std::abs(a.statistics.wall_work))
        << "at step " << step;
    }
  }
}

// ----
// cylinder and cone

namespace
{

// The same in n facets. The axis is x for a cylinder, z for a cone.
dem::Wall facets(const dem::Wall& w, int n)
{
  dem::Wall m;
  const Vec3d axis = normalized(w.end - w.origin);
  const Vec3d u = std::abs(axis.x) < 0.5 ? Vec3d{ 1, 0, 0 } : Vec3d{ 0, 1, 0 };
  const Vec3d v = cross(axis, u);
  const double end = w.kind == dem::WallKind::Cone ? w.end_radius : w.radius;
  for (int i = 0; i < n; ++i)
  {
    const double a = 2 * M_PI * (i + 0.5) / n;
    const Vec3d out = std::cos(a) * u + std::sin(a) * v;
    addPoint(m, w.origin + w.radius * out);
    addPoint(m, w.end + end * out);
  }
  for (int i = 0; i < n; ++i)
  {
    const int a = 2 * i, b = 2 * ((i + 1) % n);
    m.triangles.push_back({ a, b, b + 1 });
    m.triangles.push_back({ a, b + 1, a + 1 });
  }
  return m;
}

} // namespace

// Closed form: a ball rolling at the bottom of a pipe swings with 2 pi sqrt(7 (R - r) / (5 g)),
// without friction with 2 pi sqrt((R - r) / g); amplitude 0.05 rad (its own correction 1.6e-4).
// 2e-3 analytic, 5e-3 on 2,000 facets.
TEST_P(Walls, BallSwingsInAPipe)
{
  const double R = 0.05;
  for (bool triangles : { false, true })
  {
    for (double mu : { 0.0, 0.8 })
    {
      dem::Scene s = floorScene();
      s.materials[0].youngs_modulus = 1e8;
      s.materials[0].friction = mu;
      s.materials[0].restitution = 0.3;
      const double length_ = R - r, angle = 0.05;
      const double depth = restOverlap(s, 9.81);
      addSphere(
        s, { 0, (length_ + depth) * std::sin(angle), -(length_ + depth) * std::cos(angle) }, r);
      const dem::Wall w = pipeWall({ -0.1, 0, 0 }, { 0.1, 0, 0 }, R);
      s.walls = { triangles ? facets(w, 2000) : w };
      setSteps(s, 2e-5, 60000);
      dem::Simulation sim = simulate(s);
      double last = 1, first_zero = -1, zero = -1;
      int crossings = 0;
      while (crossings < 5 && sim.step() < 60000)
      {
        advance(sim, 20);
        const dem::Frame f = sim.frame(motionOnly());
        const double y = positionOf(f, 0).y;
        if ((last > 0) != (y > 0))
        {
          zero = f.time - 20 * sim.plan().time_step * y / (y - last);
          first_zero = crossings++ == 0 ? zero : first_zero;
        }
        last = y;
      }
      const double period = (zero - first_zero) / 2;
      const double expected = 2 * M_PI * std::sqrt((mu > 0 ? 1.4 : 1.0) * length_ / 9.81);
      EXPECT_NEAR(period / expected, 1, triangles ? 5e-3 : 2e-3)
        << "mu " << mu << (triangles ? ", facets" : "");
    }
  }
}

// From outside and inside, in mid height and at the rim: straight back along the normal.
TEST_P(Walls, CylinderNormals)
{
  const double R = 0.03, e = r / std::sqrt(2.0);
  const dem::Wall w = pipeWall({ 0, 0, 0 }, { 0, 0, 0.1 }, R);
  const Vec3d out = normalized(Vec3d{ 3, 4, 0 });
  struct Case
  {
    Vec3d x, v;
  };
  const Case cases[] = { { (R + r) * out + Vec3d{ 0, 0, 0.05 }, -out },
    { (R - r) * out + Vec3d{ 0, 0, 0.05 }, out },
    { (R + e) * out + Vec3d{ 0, 0, 0.1 + e }, std::sqrt(0.5) * (-out - Vec3d{ 0, 0, 1 }) },
    { R * out + Vec3d{ 0, 0, 0.1 + r }, { 0, 0, -1 } } };
  for (const Case& k : cases)
  {
    dem::Scene s = floorScene();
    s.gravity = {};
    addSphere(s, k.x - 1e-6 * k.v, r, 0.5 * k.v);
    setSteps(s, 1e-6, 3000);
    s.walls = { w };
    dem::Simulation sim = simulate(s);
    sim.advanceTo(3000);
    EXPECT_LT(length(velocityOf(sim.frame(), 0) + 0.3 * k.v), 1e-3);
  }
}

// A frictionless ball circles in a funnel at height h of its centre above the apex of its path with
// v^2 = g h; radius of the path and height stay (2e-3), analytic and on 2,000 facets (1e-2).
TEST_P(Walls, BallCirclesInAFunnel)
{
  const double slope = 1.2; // dr / dz
  const dem::Wall cone = pipeWall({ 0, 0, 0 }, { 0, 0, 0.1 }, 0, 0.1 * slope);
  for (bool triangles : { false, true })
  {
    dem::Scene s = floorScene();
    s.materials[0].friction = 0;
    s.materials[0].youngs_modulus = 1e8;
    s.materials[0].restitution = 0.3;
    const double half = std::atan(slope);
    const double h = 0.05; // of the centre above the apex of the cone that centres move on
    const double speed = std::sqrt(9.81 * h);
    const double weight = 9.81 / std::sin(half); // N / m
    const double apex = (r - restOverlap(s, weight)) / std::sin(half);
    addSphere(s, { h * slope, 0, h + apex }, r, { 0, speed, 0 });
    dem::Wall open = cone;
    open.origin = { 0, 0, 0.002 }; // facets need an edge at the tip
    open.radius = 0.002 * slope;
    s.walls = { triangles ? facets(open, 2000) : open };
    setSteps(s, 2e-5, 50000);
    dem::Simulation sim = simulate(s);
    double worst = 0;
    for (int k = 0; k < 100; ++k)
    {
      advance(sim, 250); // 0.5 s: about 0.9 turns
      const Vec3d x = positionOf(sim.frame(motionOnly()), 0);
      worst = std::max({ worst, std::abs(std::hypot(x.x, x.y) / (h * slope) - 1),
        std::abs((x.z - apex) / h - 1) });
    }
    EXPECT_LT(worst, triangles ? 1e-2 : 2e-3);
    EXPECT_GT(std::abs(std::atan2(positionOf(sim.frame(), 0).y, positionOf(sim.frame(), 0).x)),
      0.1); // it went round
  }
}

// A jet of spheres against cone and cylinder and their facets: rebound directions agree to the
// facets' angle (1e-2).
TEST_P(Walls, CurvedWallsAgreeWithFacets)
{
  const dem::Wall shapes[] = { pipeWall({ -0.1, 0, 0 }, { 0.1, 0, 0 }, 0.04),
    pipeWall({ 0, 0, -0.05 }, { 0, 0, 0.1 }, 0.02, 0.07) };
  for (const dem::Wall& w : shapes)
  {
    dem::Scene s = floorScene();
    s.gravity = {};
    std::mt19937 random(8);
    for (int i = 0; i < 6; ++i)
    {
      const double a = 0.3 + i;
      addSphere(s, { 0.012 * std::cos(a), 0.012 * std::sin(a), 0.001 * i }, 0.004,
        { std::cos(a) * 0.5, std::sin(a) * 0.5, 0.3 * uniform(random, -0.5, 0.5) }, { 10, 20, 30 });
    }
    setSteps(s, 5e-6, 20000);
    dem::Scene analytic = s, faceted = s;
    analytic.walls = { w };
    faceted.walls = { facets(w, 3000) };
    const Difference d = compare(analytic, faceted, 14000, 200);
    EXPECT_GT(d.samples_in_contact, 2u);
    EXPECT_LT(d.velocity, 1e-2 * 0.5);
    EXPECT_LT(d.position, 1e-2 * 0.02);
  }
}

// ----
// given back

// What a wall feels: the weight on it, on the triangle under the sphere, with pressure = force /
// area.
TEST_P(Walls, ForceAndPressureOnTheMesh)
{
  dem::Scene s = floorScene();
  const double weight = sphereMass(r, 2500) * 9.81;
  addSphere(s, { 0.02, 0.01, r - restOverlap(s, 9.81) }, r);
  addSphere(s, { -0.02, 0.005, r - restOverlap(s, 9.81) }, r);
  s.walls = { planeWall({ 0, 0, -0.5 }, { 0, 0, 1 }),
    meshWall({ { -0.05, -0.05, 0 }, { 0.05, -0.05, 0 }, { 0.05, 0.05, 0 }, { -0.05, 0.05, 0 } },
      { { 0, 1, 2 }, { 0, 2, 3 } }) };
  setSteps(s, 2e-5, 20000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(5000);
  const dem::Frame f = sim.frame();
  ASSERT_EQ(f.walls.size(), 2u);
  const dem::WallFrame& w = f.walls[1];
  ASSERT_EQ(w.force.size(), 6u);
  ASSERT_EQ(w.pressure.size(), 2u);
  EXPECT_NEAR(w.total_force[2] / (-2 * weight), 1, 1e-3);
  EXPECT_EQ(f.walls[0].total_force[2], 0);
  const double area = 0.005;
  for (int t : { 0, 1 }) // one sphere each
  {
    EXPECT_NEAR(w.force[3 * t + 2] / -weight, 1, 1e-3) << t;
    EXPECT_NEAR(w.pressure[t] * area / weight, 1, 1e-3) << t;
    EXPECT_NEAR(w.shear_stress[t] * area / weight, 0, 1e-3) << t;
  }
  // torque about the motion's origin (0, 0, 0): sum of x cross f
  EXPECT_NEAR(w.total_torque[0], -weight * (0.01 + 0.005), 1e-3 * weight * 0.02);
  EXPECT_NEAR(w.total_torque[1], -weight * -(0.02 - 0.02), 1e-3 * weight * 0.02);
  // the contact names wall and triangle
  ASSERT_EQ(f.contacts.size, 2u);
  EXPECT_EQ(f.contacts.ids[1], -2);
  EXPECT_EQ(f.contacts.wall_element[0], 0);
  EXPECT_EQ(f.contacts.wall_element[1], 1);
}

// Friction of a sphere that starts to roll: 2/7 m g_x, closed form; 5e-3.
TEST_P(Walls, ShearIsGivenBack)
{
  dem::Scene s = floorScene();
  s.gravity = { 1, 0, -9.81 }; // held by friction until it rolls: 2/7 m g_x
  addSphere(s, { 0.01, -0.02, r - restOverlap(s, 9.81) }, r);
  s.walls = { meshWall({ { -0.3, -0.3, 0 }, { 0.3, -0.3, 0 }, { 0, 0.3, 0 } }, { { 0, 1, 2 } }) };
  setSteps(s, 2e-5, 20000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(5000);
  const dem::Frame f = sim.frame();
  const double m = sphereMass(r, 2500), area = 0.18;
  EXPECT_NEAR(f.walls[0].total_force[0] / (2.0 / 7 * m * 1), 1, 5e-3);
  EXPECT_NEAR(f.walls[0].shear_stress[0] * area / (2.0 / 7 * m * 1), 1, 5e-3);
}

// A wall that comes nearer is met in time, and stands where it should. The grain goes 0.4 skins
// while the wall comes by 0.65, or swings by 1.8: nobody looks for the grain's sake. The tip of the
// plate that turns is the last corner of its triangle.
TEST_P(Walls, MovingWallsAreMetInTime)
{
  const double skin = 1e-3, gap = 1.02 * skin, u = 0.65, lever = 0.2, swing = 0.9 * skin,
               omega = 1000, dt = 1e-6;
  for (const dem::MotionKind kind :
    { dem::MotionKind::Translation, dem::MotionKind::Rotation, dem::MotionKind::Oscillation })
  {
    SCOPED_TRACE(static_cast<int>(kind));
    const double v = kind == dem::MotionKind::Oscillation ? 0.05 : 0.4;
    dem::Scene s = emptyScene();
    s.skin = skin;
    addSphere(s, { r + gap, 0, 0 }, r, { -v, 0, 0 });
    dem::Wall w = rectangleWall({ 0, -0.05, -0.05 }, { 0, 0.1, 0 }, { 0, 0, 0.1 });
    w.motion.kind = kind;
    if (kind == dem::MotionKind::Translation)
      w.motion.velocity = { u, 0, 0 };
    else if (kind == dem::MotionKind::Rotation)
    {
      w = dem::Wall{};
      w.points = { { 0, -0.08, -lever }, { 0, 0.08, -lever }, { 0, 0, 0.03 } };
      w.triangles = { { 0, 1, 2 } };
      w.motion.kind = kind;
      w.motion.origin = { 0, 0, -lever };
      w.motion.axis = { 0, 1, 0 };
      w.motion.rate = u / lever;
    }
    else
    {
      w.motion.axis = { 1, 0, 0 };
      w.motion.amplitude = swing;
      w.motion.frequency = omega / (2 * M_PI);
      w.motion.phase = -M_PI / 2;
    }
    s.walls.push_back(w);
    setSteps(s, dt, 3000);
    dem::Simulation sim = simulate(s);
    bool touched = false;
    for (int k = 5; k <= 3000; k += 5)
    {
      sim.advanceTo(k);
      const dem::Frame f = sim.frame(motionAndContacts());
      const double t = k * dt, x = positionOf(f, 0).x, angle = u / lever * t;
      const double overlap = r -
        (kind == dem::MotionKind::Translation ? x - u * t
            : kind == dem::MotionKind::Rotation
            ? x * std::cos(angle) - (lever + positionOf(f, 0).z) * std::sin(angle)
            : x - swing * (1 - std::cos(omega * t)));
      if (std::fabs(overlap) < 1e-9)
        continue;
      ASSERT_EQ(f.contacts.size, overlap > 0 ? 1u : 0u) << "step " << k << ", overlap " << overlap;
      if (overlap > 0)
      {
        touched = true;
        ASSERT_NEAR(f.contacts.overlap[0], overlap, 1e-8 + 1e-4 * overlap) << "step " << k;
      }
    }
    EXPECT_TRUE(touched);
  }
}

// A ball that turns as the drum that it lies in, w r = W R, feels no slip and stays at the bottom.
TEST_P(Walls, DrumTurnsABall)
{
  const double drum = 0.05, rate = 6;
  dem::Scene s = floorScene();
  s.materials[0].friction = 0.5;
  const double sunk = restOverlap(s, 9.81);
  addSphere(s, { 0, 0, -(drum - r + sunk) }, r, {},
    { 0, rate * (drum + 0.5 * sunk) / (r - 0.5 * sunk), 0 });
  dem::Wall w = pipeWall({ 0, -0.1, 0 }, { 0, 0.1, 0 }, drum);
  rotate(w, {}, { 0, 1, 0 }, rate);
  s.walls = { w };
  setSteps(s, 1e-5, 30000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(30000);
  const dem::Frame f = sim.frame();
  EXPECT_LT(std::fabs(positionOf(f, 0).x), 1e-3 * r);
  EXPECT_NEAR(spinOf(f, 0).y * r / (rate * drum), 1, 1e-3);
}

// In a trough of strips that meet at some degrees: below 15 the nearest strip alone is felt, above
// each by itself; in a chain of three, 10 degrees each, the nearest of all, in whatever order they
// are numbered.
TEST_P(Walls, SmoothSeamsHaveOneContact)
{
  enum Mesh
  {
    Merged,
    Unmerged,
    TJunctions
  };
  const auto contacts = [&](int strips, double degrees, std::vector<int> order, Mesh mesh) {
    const double step = degrees * M_PI / 180, trough = r / (1 + 2e-4),
                 nearest = (strips - 1) * step;
    dem::Scene s = emptyScene();
    dem::Wall w;
    for (int k = 0; k <= strips; ++k)
      for (const double y : { -0.03, 0.03 })
      {
        const double at = (k - 0.5) * step, out = trough / std::cos(0.5 * step);
        w.points.push_back({ out * std::sin(at), y, -out * std::cos(at) });
      }
    for (const int k : order)
    {
      w.triangles.push_back({ 2 * k, 2 * k + 1, 2 * k + 3 });
      w.triangles.push_back({ 2 * k, 2 * k + 3, 2 * k + 2 });
    }
    if (mesh !=
      Merged) // each strip has corners of its own, some of them along the edges of the next one
    {
      dem::Wall own;
      for (const int k : order)
      {
        const int parts = mesh == TJunctions ? 2 + k : 1;
        for (int part = 0; part < parts; ++part)
        {
          const auto at = [&](int corner, int step) {
            const Vec3d &a = w.points[corner], &b = w.points[corner + 1];
            return addPoint(
              own, a + (double(part + step) / parts) * (b - a) + Vec3d{ 0, 1e-16 * k, -2e-17 * k });
          };
          const int a = at(2 * k, 0), b = at(2 * k, 1), c = at(2 * k + 2, 1), d = at(2 * k + 2, 0);
          own.triangles.push_back({ a, b, c });
          own.triangles.push_back({ a, c, d });
        }
      }
      w = own;
    }
    s.walls.push_back(w);
    const double off = 1e-5 * r;
    addSphere(s, { off * std::sin(nearest), 0.007, -off * std::cos(nearest) }, r);
    setSteps(s, 1e-7, 10);
    dem::Simulation sim = simulate(s);
    const dem::Frame f = sim.frame();
    double deepest = 0;
    for (std::size_t k = 0; k < f.contacts.size; ++k)
      deepest = std::max<double>(deepest, f.contacts.overlap[k]);
    EXPECT_NEAR(deepest, r - trough + off, 1e-9);
    return f.contacts.size;
  };
  for (const Mesh mesh : { Merged, Unmerged, TJunctions })
  {
    SCOPED_TRACE(mesh);
    for (const auto& order : { std::vector<int>{ 0, 1 }, { 1, 0 } })
    {
      EXPECT_EQ(contacts(2, 13, order, mesh), 1u);
      EXPECT_EQ(contacts(2, 17, order, mesh), 2u);
    }
    std::vector<int> order{ 0, 1, 2 };
    do
      EXPECT_EQ(contacts(3, 10, order, mesh), 1u) << order[0] << order[1] << order[2];
    while (std::next_permutation(order.begin(), order.end()));
  }
}

// Edges and corners that are real keep their contacts, also where no corner is merged: three faces
// that meet in a corner, two bars of a grate, the ridge between two slopes; and a step between two
// plates, whether the lower one begins there or runs on below.
TEST_P(Walls, RealEdgesKeepTheirContacts)
{
  const auto quad = [](dem::Wall& w, const Vec3d& a, const Vec3d& u, const Vec3d& v) {
    const int p = addPoint(w, a), q = addPoint(w, a + u), s = addPoint(w, a + u + v);
    w.triangles.push_back({ p, q, s });
    const int p2 = addPoint(w, a + Vec3d{ 1e-16, 0, 0 }), s2 = addPoint(w, a + u + v),
              t = addPoint(w, a + v);
    w.triangles.push_back({ p2, s2, t });
  };
  const auto contacts = [&](const std::vector<dem::Wall>& walls, const Vec3d& at) {
    dem::Scene s = emptyScene();
    s.walls = walls;
    addSphere(s, at, r);
    setSteps(s, 1e-7, 5);
    dem::Simulation sim = simulate(s);
    advance(sim, 5);
    return sim.frame(motionAndContacts()).contacts.size;
  };
  const double in = r * (1 - 1e-4), far = 0.1;
  dem::Wall corner;
  quad(corner, { 0, 0, 0 }, { far, 0, 0 }, { 0, far, 0 });
  quad(corner, { 0, 0, 0 }, { far, 0, 0 }, { 0, 0, far });
  quad(corner, { 0, 0, 0 }, { 0, far, 0 }, { 0, 0, far });
  EXPECT_EQ(contacts({ corner }, { in, in, in }), 3u);
  EXPECT_EQ(contacts({ corner, corner }, { in, in, in }), 3u) << "twice";
  EXPECT_EQ(
    contacts({ corner, planeWall({ 0, 0, 0 }, { 0, 0, 1 }), planeWall({ 0, 0, 0 }, { 1, 0, 0 }) },
      { in, in, in }),
    3u);
  dem::Wall bars;
  const double gap = 0.2 * r;
  quad(bars, { -far, -far, 0 }, { far - gap, 0, 0 }, { 0, 2 * far, 0 });
  quad(bars, { gap, -far, 0 }, { far, 0, 0 }, { 0, 2 * far, 0 });
  EXPECT_EQ(contacts({ bars }, { 0, 0, std::sqrt(in * in - gap * gap) }), 2u);
  dem::Wall ridge;
  quad(ridge, { 0, -far, 0 }, { -far, 0, -far }, { 0, 2 * far, 0 });
  quad(ridge, { 0, -far, 0 }, { far, 0, -far }, { 0, 2 * far, 0 });
  EXPECT_EQ(contacts({ ridge }, { 0, 0.013, in }), 1u);
  for (const bool below : { false, true })
  {
    dem::Wall step;
    const double height = 0.5 * r, away = std::sqrt(in * in - (in - height) * (in - height));
    quad(step, { -far, -far, height }, { far, 0, 0 }, { 0, 2 * far, 0 });
    quad(step, { below ? -far : 0, -far, 0 }, { below ? 2 * far : far, 0, 0 }, { 0, 2 * far, 0 });
    EXPECT_EQ(contacts({ step }, { away, 0.013, in }), 2u);
  }
}

namespace
{

/// A wall of each kind whose surface has its top at the origin, with z up.
std::vector<std::pair<const char*, dem::Wall>> wallsOfEveryKind(double thickness)
{
  const double r = thickness / 2;
  const Vec3d from{ -1, 0, -r }, to{ 1, 0, -r };
  dem::Wall box, line;
  box.kind = dem::WallKind::Box;
  box.origin = { -1, -1, -thickness };
  box.end = { 1, 1, 0 };
  line.kind = dem::WallKind::Line;
  line.origin = { -1, 0, 0 };
  line.end = { 1, 0, 0 };
  return { { "mesh", meshWall({ { -1, -1, 0 }, { 1, -1, 0 }, { 0, 1, 0 } }, { { 0, 1, 2 } }) },
    { "plane", planeWall({ 0, 0, 0 }, { 0, 0, 1 }) },
    { "rectangle", rectangleWall({ -1, -1, 0 }, { 2, 0, 0 }, { 0, 2, 0 }) }, { "box", box },
    { "cylinder", pipeWall(from, to, r) }, { "cone", pipeWall(from, to, r, r) }, { "line", line } };
}

} // namespace

// Without borders the automatic step knows the fall onto walls of every kind: 0.1 m here, e = 0.9
// comes out to 2e-3, and the step is the mesh's to 1 %.
TEST_P(Walls, AutomaticStepKnowsEveryKind)
{
  const double h = 0.1, e = 0.9;
  double first = 0;
  for (const auto& [name, wall] : wallsOfEveryKind(0.002))
  {
    SCOPED_TRACE(name);
    dem::Scene s = floorScene();
    s.domain.limited = false;
    s.materials[0].restitution = e;
    s.materials[0].friction = 0;
    s.time_step = 0;
    s.walls = { wall };
    s.end_time = 0.2;
    s.output_interval = 0.01;
    addSphere(s, { 0.013, 0, h + r }, r);
    dem::Simulation sim = simulate(s);
    sim.advanceTo(20 * sim.plan().steps_per_output);
    const dem::Frame f = sim.frame(motionAndContacts());
    const double v = velocityOf(f, 0).z, up = positionOf(f, 0).z - r;
    EXPECT_NEAR(std::sqrt((v * v / (2 * 9.81) + up) / h), e, 2e-3); // 40 steps a contact
    first = first > 0 ? first : sim.plan().time_step;
    EXPECT_NEAR(sim.plan().time_step, first, 0.01 * first);
  }
}

// Grains of any shape that begin in a wall of any kind are refused beyond the tolerance that grains
// have among each other: the message names the grain, the wall and how deep it is. Relaxing puts
// them outside; the centre may even lie in the sheet.
TEST_P(Walls, GrainsThatBeginInWalls)
{
  const dem::Shape shapes[] = { dem::makeSphere(),
    dem::makeNamedPolyhedron("cube", "Brick", { 2 * r, 2 * r, 2 * r }),
    dem::makeTablet("ball", 2 * r, r, 0),
    dem::makeMultiSphere("pair", { { -0.5 * r, 0, 0 }, { 0.5 * r, 0, 0 } }, { r, r }) };
  for (const auto& [name, wall] : wallsOfEveryKind(0.2))
    for (const dem::Shape& shape : shapes)
    {
      const bool sphere = shape.kind == dem::ShapeKind::Sphere,
                 solid = shape.kind == dem::ShapeKind::ConvexPolyhedron;
      if (solid && std::string(name) == "line")
        continue; // which is refused
      SCOPED_TRACE(std::string(name) + " " + shape.name);
      const auto scene = [&](double depth) {
        dem::Scene s = floorScene();
        s.walls = { wall };
        s.walls[0].name = "Thing";
        s.gravity = {};
        setSteps(s, 1e-6, 10);
        addSphere(s, { 0.001, 0, r - depth }, r);
        if (!sphere)
        {
          s.shapes = { dem::makeSphere(), shape };
          s.particles.shape = { 1 };
          s.particles.radius = { std::cbrt(0.75 * shape.mass.volume / M_PI) };
        }
        return s;
      };
      EXPECT_NO_THROW(simulate(scene(0.03 * r)));
      for (const double depth : { 0.1 * r, 0.5 * r, 0.9 * r })
      {
        const std::string message = errorOf([&] { simulate(scene(depth)); });
        EXPECT_MENTIONS(message, "grain 0");
        EXPECT_MENTIONS(message, "wall 'Thing'");
        EXPECT_MENTIONS(message, "Initial Overlap Tolerance");
        EXPECT_MENTIONS(message, "Relax Initial Overlaps");
        dem::Scene relaxed = scene(depth);
        relaxed.relax_initial_overlaps = true;
        dem::Simulation sim = simulate(relaxed);
        advance(sim, 1);
        EXPECT_LT(sim.frame().statistics.largest_overlap, 0.05);
      }
      if (sphere)
      {
        EXPECT_MENTIONS(errorOf([&] { simulate(scene(0.1 * r)); }), "10 % of its radius");
        dem::Scene centred = scene(r);
        EXPECT_MENTIONS(errorOf([&] { simulate(centred); }), "100 % of its radius");
        centred.relax_initial_overlaps = true;
        EXPECT_NO_THROW(simulate(centred));
      }
    }
}

// Analytic walls that are set end to end are one surface: a ball on the seam of two pipes has one
// contact.
TEST_P(Walls, PipesEndToEnd)
{
  for (const double x : { 0., 0.02 * r })
  {
    dem::Scene s = emptyScene();
    s.walls = { pipeWall({ -0.1, 0, 0 }, {}, 0.02), pipeWall({}, { 0.1, 0, 0 }, 0.02) };
    addSphere(s, { x, 0, -(0.02 - r * (1 - 1e-3)) }, r);
    setSteps(s, 1e-7, 5);
    dem::Simulation sim = simulate(s);
    advance(sim, 5);
    EXPECT_EQ(sim.frame(motionAndContacts()).contacts.size, 1u) << x;
  }
}

// One flat surface is one, whatever its mesh: unmerged facets, T-junctions, facets listed twice,
// corners moved by up to 1e-6 of its size, walls set flush beside each other, moving ones too. A
// ball on it has one contact and Hertz's overlap, and rolls on as over a plane.
TEST_P(Walls, FlatIsFlatWhateverItsMesh)
{
  const double g = 9.81, half = 0.1;
  const auto facets = [](dem::Wall& w, const std::vector<std::array<Vec3d, 3>>& triangles) {
    for (const auto& t : triangles)
    {
      const int a = addPoint(w, t[0]), b = addPoint(w, t[1]), c = addPoint(w, t[2]);
      w.triangles.push_back({ a, b, c });
    }
  };
  const auto quad = [&](dem::Wall& w, double x0, double x1, double y0, double y1) {
    const Vec3d a{ x0, y0, 0 }, b{ x1, y0, 0 }, c{ x1, y1, 0 }, d{ x0, y1, 0 };
    facets(w, { { a, b, c }, { a, c, d } });
  };
  dem::Wall fan; // six facets that meet at the origin, each with corners of its own
  for (int k = 0; k < 6; ++k)
    facets(fan,
      { { Vec3d{ 0, 0, 0 },
        Vec3d{ 2 * half * std::cos(k * M_PI / 3), 2 * half * std::sin(k * M_PI / 3), 0 },
        Vec3d{ 2 * half * std::cos((k + 1) * M_PI / 3), 2 * half * std::sin((k + 1) * M_PI / 3),
          0 } } });
  dem::Wall tees; // large facets against smaller ones
  quad(tees, -half, 0, -half, half);
  for (int k = 0; k < 7; ++k)
    quad(tees, 0, half, -half + k * 2 * half / 7, -half + (k + 1) * 2 * half / 7);
  dem::Wall twice = randomFloor(half, 5, flat, 3);
  const std::size_t once = twice.triangles.size();
  for (std::size_t k = 0; k < once; ++k)
    twice.triangles.push_back(
      { twice.triangles[k][1], twice.triangles[k][0], twice.triangles[k][2] });
  dem::Wall left, right;
  quad(left, -half, 0, -half, half);
  quad(right, 0, half, -half, half);
  dem::Wall drawn_left = left, drawn_right = right;
  for (dem::Wall* w : { &drawn_left, &drawn_right })
  {
    w->motion.kind = dem::MotionKind::Translation;
    w->motion.velocity = { 0, 0, 0.1 };
    w->motion.start = 1e9; // at rest until then
  }
  const auto shaken = [](std::vector<dem::Wall> walls, double far) {
    std::mt19937 random(11);
    for (dem::Wall& w : walls)
    {
      dem::Wall own;
      for (const auto& t : w.triangles)
      {
        for (int v : t)
        {
          Vec3d p = w.points[v];
          for (int k = 0; k < 3; ++k)
            p[k] += far * uniform(random, -1, 1);
          own.points.push_back(p);
        }
        const int n = static_cast<int>(own.points.size());
        own.triangles.push_back({ n - 3, n - 2, n - 1 });
      }
      w.points = own.points;
      w.triangles = own.triangles;
    }
    return walls;
  };
  const std::vector<dem::Wall> single{ fan };
  const std::pair<const char*, std::vector<dem::Wall>> floors[] = { { "fan", single },
    { "fan, moved by rounding", shaken(single, 1e-16) },
    { "fan, moved by 1e-6", shaken(single, 1e-6 * 2 * half) }, { "T-junctions", { tees } },
    { "T-junctions, moved by 1e-6", shaken({ tees }, 1e-6 * 2 * half) }, { "twice", { twice } },
    { "twice, moved by rounding", shaken({ twice }, 1e-16) }, { "two walls", { left, right } },
    { "two that will move", { drawn_left, drawn_right } },
    { "mesh on a plane", { tees, planeWall({ 0, 0, 0 }, { 0, 0, 1 }) } } };
  for (const auto& [name, walls] : floors)
  {
    SCOPED_TRACE(name);
    const bool moved = std::string(name).find("1e-6") != std::string::npos;
    dem::Scene s = floorScene();
    s.gravity = { 0, 0, -g };
    const double overlap = restOverlap(s, g);
    addSphere(s, { 0, 0, r - overlap }, r);
    setSteps(s, 2e-5, 4000);
    s.walls = walls;
    dem::Simulation resting = simulate(s);
    advance(resting, 4000);
    const dem::Frame at_rest = resting.frame(motionAndContacts());
    EXPECT_EQ(at_rest.contacts.size, 1u);
    EXPECT_NEAR(r - positionOf(at_rest, 0).z, overlap, (moved ? 2e-2 : 1e-5) * overlap);

    dem::Scene rolling = s;
    rolling.particles = {};
    addSphere(rolling, { -0.05, 0.004, r - overlap }, r, { 0.5, -0.03, 0 });
    setSteps(rolling, 2e-5, 10000);
    dem::Scene analytic = rolling;
    analytic.walls = { planeWall({ 0, 0, 0 }, { 0, 0, 1 }) };
    const Difference d = compare(analytic, rolling, 10000, 25);
    EXPECT_EQ(d.most_contacts, 1u);
    EXPECT_LT(d.velocity, (moved ? 1e-2 : 1e-3) * 0.5);
    EXPECT_GE(d.samples_in_contact, moved ? 395u : 400u);
  }

  // plates that move alike are one plate
  dem::Wall whole;
  quad(whole, -half, half, -half, half);
  dem::Motion motions[3];
  motions[0].kind = dem::MotionKind::Translation;
  motions[0].velocity = { 0.3, 0, 0.2 };
  motions[1].kind = dem::MotionKind::Rotation;
  motions[1].axis = { 0, 0, 1 };
  motions[1].origin = { 0.01, 0, 0 };
  motions[1].rate = 4;
  motions[2].kind = dem::MotionKind::Oscillation;
  motions[2].axis = { 1, 0, 0 };
  motions[2].amplitude = 0.002;
  motions[2].frequency = 20;
  for (const dem::Motion& motion : motions)
  {
    SCOPED_TRACE(static_cast<int>(motion.kind));
    dem::Scene s = floorScene();
    addSphere(s, { -0.002, 0.0013, r - restOverlap(s, g) }, r);
    setSteps(s, 2e-5, 5000);
    const auto on = [&](std::vector<dem::Wall> walls) {
      for (dem::Wall& w : walls)
        w.motion = motion;
      dem::Scene moving = s;
      moving.walls = walls;
      return moving;
    };
    const Difference d = compare(on({ whole }), on({ left, right }), 5000, 25);
    EXPECT_EQ(d.most_contacts, 1u);
    EXPECT_GT(d.samples_in_contact, 90u); // a plate that comes up throws the ball
    EXPECT_LT(d.velocity, 1e-4);
  }
}

// Walls are not periodic, grains are: one that leaves over a border or an edge of the box meets
// what stands on the other side at once.
TEST_P(Walls, GrainsMeetThemBehindPeriodicBorders)
{
  const double size = 0.1, away = 1.03 * r, dt = 1e-6;
  for (const Vec3d& way : { Vec3d{ -1, 0, 0 }, Vec3d{ 1, 0, 0 }, Vec3d{ 0, -1, 0 },
         Vec3d{ 0, 1, 0 }, Vec3d{ -M_SQRT1_2, -M_SQRT1_2, 0 }, Vec3d{ M_SQRT1_2, -M_SQRT1_2, 0 },
         Vec3d{ M_SQRT1_2, M_SQRT1_2, 0 } })
  {
    SCOPED_TRACE(std::to_string(way.x) + " " + std::to_string(way.y));
    dem::Scene s = emptyScene();
    s.domain.lower = { 0, 0, -1 };
    s.domain.upper = { size, size, 1 };
    s.domain.exit = { dem::Exit::Periodic, dem::Exit::Periodic, dem::Exit::Wall };
    s.skin = 0.2 * r;
    Vec3d leaves{ size / 2, size / 2, 0 },
      comes = leaves; // where it goes through the border, and where it is then
    for (int k = 0; k < 2; ++k)
      if (way[k] != 0)
      {
        leaves[k] = way[k] > 0 ? size : 0;
        comes[k] = size - leaves[k];
      }
    const Vec3d from = leaves - (0.02 * r) * way, middle = comes + away * way,
                side = cross(way, { 0, 0, 1 });
    addSphere(s, from, r, way);
    s.walls.push_back(rectangleWall(
      middle - (0.1 * r) * side - Vec3d{ 0, 0, 0.1 * r }, (0.2 * r) * side, { 0, 0, 0.2 * r }));
    setSteps(s, dt, 600);
    dem::Simulation sim = simulate(s);
    bool touched = false;
    for (int k = 5; k <= 600; k += 5)
    {
      sim.advanceTo(k);
      const dem::Frame f = sim.frame(motionAndContacts());
      Vec3d d = middle - positionOf(f, 0);
      for (int axis = 0; axis < 2; ++axis)
        d[axis] += d[axis] > size / 2 ? -size : 0.;
      if (std::fabs(dot(positionOf(f, 0) - comes, way)) > 0.05 * r)
        continue; // still on the other side
      const double overlap = r - dot(d, way);
      if (std::fabs(overlap) < 1e-9)
        continue;
      ASSERT_EQ(f.contacts.size, overlap > 0 ? 1u : 0u) << "step " << k << ", overlap " << overlap;
      touched = touched || overlap > 0;
    }
    EXPECT_TRUE(touched);
  }
}

// A wall whose speed is changed goes on from where it is.
// Facets without area before, between and behind the others are skipped and counted: the motion is
// to the bit that of the mesh without them, loads and contacts keep the numbers of the input's
// triangles, a skipped one carries nothing.
TEST_P(Walls, FacetsWithoutAreaAreSkipped)
{
  dem::Scene clean = floorScene();
  addSphere(clean, { 0.03, 0.011, 0.999 * r }, r, { 0.1, 0.05, 0 });
  dem::Wall floor;
  floor.name = "floor";
  floor.points = { { -1, -1, 0 }, { 1, -1, 0 }, { 1, 1, 0 }, { -1, 1, 0 }, { 0, -1, 0 } };
  floor.triangles = { { 0, 2, 3 }, { 0, 1, 2 } };
  clean.walls = { floor, floor };
  for (Vec3d& p : clean.walls[1].points)
    p.z = -0.5;
  clean.time_step = 1e-5;
  dem::Scene slivers = clean;
  slivers.walls[0].triangles = { { 0, 4, 1 }, { 0, 2, 3 }, { 2, 2, 2 }, { 0, 1, 2 }, { 1, 4, 0 } };
  EXPECT_TRUE(dem::wallWarnings(clean.walls).empty());
  const std::vector<std::string> warnings = dem::wallWarnings(slivers.walls);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_HOLDS(warnings[0],
    "Wall 0 ('floor'): 3 of its 5 triangles have no area and are skipped; the first is triangle 0 "
    "near (-1, -1, 0)");

  std::vector<dem::Frame> frames;
  for (const dem::Scene& s : { clean, slivers })
  {
    dem::Simulation sim = simulate(s);
    sim.advanceTo(10);
    frames.push_back(sim.frame());
  }
  const dem::Frame &a = frames[0], &b = frames[1];
  for (int k = 0; k < 3; ++k)
    EXPECT_EQ(positionOf(a, 0)[k], positionOf(b, 0)[k]);
  ASSERT_EQ(b.contacts.size, 1u);
  EXPECT_EQ(a.contacts.wall_element[0], 1);
  EXPECT_EQ(b.contacts.wall_element[0], 3);
  ASSERT_EQ(b.walls[0].pressure.size(), 5u);
  for (const std::size_t k : { 0u, 1u, 2u, 4u })
  {
    EXPECT_EQ(b.walls[0].pressure[k], 0.0f);
    EXPECT_EQ(b.walls[0].force[3 * k + 2], 0.0f);
  }
  EXPECT_LT(b.walls[0].force[3 * 3 + 2], 0.0f);
  EXPECT_EQ(b.walls[0].pressure[3], a.walls[0].pressure[1]);
  ASSERT_EQ(b.walls[1].pressure.size(), 2u);
}

TEST_P(Walls, ChangedSpeedsGoOnFromThere)
{
  dem::Scene s = emptyScene();
  addSphere(s, { 0, 0, 0.5 }, r);
  for (const dem::MotionKind kind : { dem::MotionKind::Translation, dem::MotionKind::Rotation })
  {
    s.walls.emplace_back();
    s.walls.back().points = { { 0, 0, 0 }, { 0.1, 0, 0 }, { 0, 0.1, 0 } };
    s.walls.back().triangles = { { 0, 1, 2 } };
    s.walls.back().motion.kind = kind;
    s.walls.back().motion.velocity = { 0, 0, 0.1 };
    s.walls.back().motion.axis = { 0, 0, 1 };
    s.walls.back().motion.rate = 2;
  }
  s.events = { { 0.01, "WallVelocity", { 0, 0, 0, -0.3 } }, { 0.01, "WallRate", { 1, -5 } } };
  setSteps(s, 1e-5, 2000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(2000);
  const dem::Frame f = sim.frame();
  EXPECT_NEAR(at3(f.walls[0].points, 0).z, 0.1 * 0.01 - 0.3 * 0.01, 1e-9);
  const double angle = 2 * 0.01 - 5 * 0.01;
  EXPECT_LT(
    length(at3(f.walls[1].points, 1) - 0.1 * Vec3d{ std::cos(angle), std::sin(angle), 0 }), 1e-7);
}

PARAGRAIN_ON_ALL_BACKENDS(Walls);
