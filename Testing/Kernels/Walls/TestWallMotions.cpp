// Walls with several motions: poses and velocities against closed forms, bounds of their travel,
// grains on them by Galilei's principle, and what files and messages say.
#include "TestSupport.h"

#include "Scene/AutomaticDomain.h"
#include "Scene/Compare.h"
#include "Scene/File/SceneFile.h"
#include "Walls/WallMesh.h"

#include <limits>

using namespace test;

namespace
{

dem::Motion rotation(const Vec3d& origin, const Vec3d& axis, double rate)
{
  dem::Motion m;
  m.kind = dem::MotionKind::Rotation;
  m.origin = origin;
  m.axis = axis;
  m.rate = rate;
  return m;
}

dem::Motion translation(const Vec3d& velocity, double start = 0, double stop = 1e300)
{
  dem::Motion m;
  m.kind = dem::MotionKind::Translation;
  m.velocity = velocity;
  m.start = start;
  m.stop = stop;
  return m;
}

dem::Motion oscillation(const Vec3d& axis, double amplitude, double frequency)
{
  dem::Motion m;
  m.kind = dem::MotionKind::Oscillation;
  m.axis = axis;
  m.amplitude = amplitude;
  m.frequency = frequency;
  return m;
}

dem::Wall moved(dem::Wall wall, const std::vector<dem::Motion>& motions)
{
  wall.motion = motions.front();
  wall.further_motions.assign(motions.begin() + 1, motions.end());
  return wall;
}

dem::WallBody bodyOf(const std::vector<dem::Motion>& motions, double t)
{
  return dem::wallBody(dem::wallMotion(moved({}, motions)), 0, t);
}

Vec3d turnedAboutZ(const Vec3d& p, double angle)
{
  return { std::cos(angle) * p.x - std::sin(angle) * p.y,
    std::sin(angle) * p.x + std::cos(angle) * p.y, p.z };
}

std::vector<dem::Motion> randomMotions(Uniform& random)
{
  std::vector<dem::Motion> motions;
  const int count = 1 + static_cast<int>(random(0, 3.999));
  for (int k = 0; k < count; ++k)
  {
    const Vec3d v{ random(-1, 1), random(-1, 1), random(-1, 1) };
    const double kind = random(0, 3);
    motions.push_back(kind < 1 ? rotation(v, { v.y, v.z, v.x }, random(-9, 9))
        : kind < 2             ? translation(v)
                               : oscillation(v, random(0, 0.3), random(0, 4)));
    motions.back().start = random(0, 0.4);
    motions.back().stop = random(0.4, 1.2);
  }
  return motions;
}

} // namespace

TEST(WallMotionsClosed, TheFirstIsCarriedByTheOthers)
{
  const Vec3d p{ 0.3, 0.1, 0.2 }, pivot{ 0.1, 0, 0 }, v{ 0.2, -0.1, 0.5 }, z{ 0, 0, 2 };
  for (double t : { 0., 0.1, 0.7, 3. })
  {
    // the axis travels along
    const dem::WallBody screw = bodyOf({ rotation(pivot, z, 3), translation(v) }, t);
    EXPECT_LT(length(screw.toWorld(p) - (pivot + turnedAboutZ(p - pivot, 3 * t) + t * v)), 1e-14);
    EXPECT_LT(length(screw.spin - Vec3d{ 0, 0, t > 0 ? 3. : 0. }), 1e-14);
    // the axis rests, and the way bends
    const dem::WallBody arm = bodyOf({ translation(v), rotation(pivot, z, 3) }, t);
    EXPECT_LT(length(arm.toWorld(p) - (pivot + turnedAboutZ(p + t * v - pivot, 3 * t))), 1e-14);
    // a planetary mixer: a tool turns about its axis, which circles about the origin
    const dem::WallBody planet = bodyOf({ rotation(pivot, z, -5), rotation({}, z, 2) }, t);
    EXPECT_LT(
      length(planet.toWorld(p) - turnedAboutZ(pivot + turnedAboutZ(p - pivot, -5 * t), 2 * t)),
      1e-14);
    EXPECT_LT(length(planet.toLocal(planet.toWorld(p)) - p), 1e-14);
  }
}

TEST(WallMotionsClosed, OneAfterTheOther)
{
  const std::vector<dem::Motion> way{ translation({ 1, 0, 0 }, 0, 0.5),
    translation({ 0, 2, 0 }, 0.5, 1), translation({ 0, 0, -1 }, 2, 3) };
  const std::pair<double, Vec3d> places[] = { { 0.25, { 0.25, 0, 0 } }, { 0.5, { 0.5, 0, 0 } },
    { 0.75, { 0.5, 0.5, 0 } }, { 1.5, { 0.5, 1, 0 } }, { 2.5, { 0.5, 1, -0.5 } },
    { 9, { 0.5, 1, -1 } } };
  for (const auto& [t, place] : places)
    EXPECT_LT(length(bodyOf(way, t).toWorld({}) - place), 1e-14) << t;
}

TEST(WallMotionsClosed, OneMotionHasTheBitsOfItself)
{
  Uniform random(3);
  for (int k = 0; k < 200; ++k)
  {
    const dem::WallMotion one = dem::wallMotion(moved({}, { randomMotions(random)[0] }));
    const double t = random(0, 2);
    const dem::WallBody a = dem::wallBody(one.part[0], 0, t), b = dem::wallBody(one, 0, t);
    EXPECT_EQ(std::memcmp(&a.rotation, &b.rotation, sizeof a.rotation), 0);
    EXPECT_EQ(std::memcmp(&a.shift, &b.shift, 3 * sizeof(Vec3d)), 0); // velocity and spin follow
  }
}

// Central differences of the places; the times are within all motions or outside of them.
TEST(WallMotionsClosed, VelocitiesAreThoseOfThePlaces)
{
  Uniform random(5);
  for (int k = 0; k < 500; ++k)
  {
    std::vector<dem::Motion> motions = randomMotions(random);
    for (dem::Motion& m : motions)
      m.start = -10, m.stop = 10;
    const Vec3d p{ random(-1, 1), random(-1, 1), random(-1, 1) };
    const double t = random(0, 2), h = 1e-5;
    const Vec3d difference =
      (0.5 / h) * (bodyOf(motions, t + h).toWorld(p) - bodyOf(motions, t - h).toWorld(p));
    const dem::WallBody body = bodyOf(motions, t);
    EXPECT_LT(
      length(body.velocityAt(body.toWorld(p)) - difference), 1e-6 * (1 + length(difference)))
      << k;
  }
}

// No corner of a wall goes farther or faster than the bounds, and none leaves the automatic domain.
TEST(WallMotionsClosed, BoundsHold)
{
  Uniform random(7);
  double tightest = 1e300;
  for (int k = 0; k < 300; ++k)
  {
    dem::Scene s = emptyScene();
    addSphere(s, { 0, 0, 5 }, 0.01);
    const dem::Wall wall =
      moved(sheetWall(-0.2, 0.3, -0.1, 0.2, random(-0.3, 0.3)), randomMotions(random));
    s.walls = { wall };
    s.end_time = 1.5;
    const dem::WallSet set = dem::makeWallSet(s.walls, {});
    dem::setAutomaticDomain(s);
    const double t0 = random(0, 0.8), t1 = t0 + random(0, 0.7);
    const double travel = set.travelBound(0, t0, t1), speed = set.speedBound(0, t0, t1);
    for (const Vec3d& p : wall.points)
    {
      const Vec3d first = dem::wallBody(set.motions[0], 0, t0).toWorld(p);
      double way = 0;
      for (int i = 1; i <= 200; ++i)
      {
        const double t = t0 + (t1 - t0) * i / 200;
        const dem::WallBody body = dem::wallBody(set.motions[0], 0, t);
        const Vec3d now = body.toWorld(p);
        way = std::max(way, length(now - first));
        EXPECT_LE(length(body.velocityAt(now)), speed * (1 + 1e-9) + 1e-12) << k;
        for (int c = 0; c < 3; ++c)
          EXPECT_TRUE(now[c] >= s.domain.lower[c] && now[c] <= s.domain.upper[c]) << k;
      }
      EXPECT_LE(way, travel * (1 + 1e-9) + 1e-12) << k;
      if (way > 0)
        tightest = std::min(tightest, travel / way);
    }
  }
  EXPECT_LT(tightest, 1.2); // the bounds say something
}

TEST(WallMotionsClosed, BadOnesAreRefusedByNumber)
{
  const dem::Wall sheet = sheetWall(0, 1, 0, 1, 0);
  const auto check = [](const dem::Wall& w) { dem::validateWall(w, 0); };
  const dem::Motion shift = translation({ 1, 0, 0 });
  EXPECT_NO_THROW(check(moved(sheet, { shift, rotation({}, { 0, 0, 1 }, 1) })));
  EXPECT_NO_THROW(check(moved(sheet, std::vector<dem::Motion>(8, shift))));
  EXPECT_HOLDS(errorOf([&] {
    check(moved(sheet, { shift, rotation({}, {}, 1) }));
  }),
    "motion 2 of 2 needs an axis");
  EXPECT_HOLDS(errorOf([&] {
    check(moved(planeWall({}, { 0, 0, 1 }), { shift, rotation({}, { 0, 0, 1 }, 1) }));
  }),
    "motion 2 of 2 is a rotation");
  dem::Motion bad = shift;
  bad.angle_before = std::numeric_limits<double>::quiet_NaN();
  EXPECT_HOLDS(errorOf([&] { check(moved(sheet, { shift, shift, bad })); }), "motion 3 of 3");
  EXPECT_HOLDS(errorOf([&] { check(moved(sheet, std::vector<dem::Motion>(9, shift))); }),
    "it has 9 motions; a wall may have 8");
}

TEST(WallMotionsClosed, FilesListThem)
{
  const auto scene = [](const std::string& motions) {
    return dem::parseScene(
      R"({ "version": 1, "particles": { "position": [[0, 0, 1]], "radius": 0.01 },
      "walls": [ { "name": "Tool", "kind": "Rectangle", "origin": [0, 0, 0], "edge_u": [1, 0, 0],
                   "edge_v": [0, 1, 0], )" +
        motions + "} ] }",
      "", "text");
  };
  const std::string turn = R"({ "kind": "Rotation", "axis": [0, 0, 1], "rpm": 60, "stop": 2 })",
                    shift = R"({ "kind": "Translation", "velocity": [0, 0, 0.5], "start": 2 })";
  const dem::Scene both = scene("\"motions\": [" + turn + ", " + shift + "]");
  ASSERT_EQ(both.walls[0].further_motions.size(), 1u);
  EXPECT_EQ(both.walls[0].motion.stop, 2);
  EXPECT_EQ(both.walls[0].further_motions[0].velocity.z, 0.5);
  const dem::Scene one = scene("\"motions\": [" + turn + "]"), plain = scene("\"motion\": " + turn);
  EXPECT_FALSE(dem::needsNewRun(one, plain));
  EXPECT_TRUE(dem::needsNewRun(both, plain));
  dem::Scene faster = both;
  faster.walls[0].further_motions[0].velocity.z = 0.6; // no event can say this
  EXPECT_TRUE(dem::needsNewRun(both, faster));
  EXPECT_HOLDS(errorOf([&] { scene("\"motion\": " + turn + ", \"motions\": [" + shift + "]"); }),
    "/walls/0/motions");
  EXPECT_HOLDS(errorOf([&] { scene("\"motions\": [" + turn + R"(, { "kind": "Rotation" }])"); }),
    "/walls/0/motions/1");
}

namespace
{

class WallMotions : public BackendTest
{
};

} // namespace

// The points and the places of a frame.
TEST_P(WallMotions, FramesShowThem)
{
  dem::Scene s = emptyScene();
  addSphere(s, { 0, 0, 0.9 }, 0.01);
  s.walls = { moved(sheetWall(0.1, 0.3, -0.1, 0.1, 0.2),
    { rotation({ 0.2, 0, 0 }, { 0, 0, 1 }, 40), translation({ 1, 2, 0 }, 0.005, 0.015) }) };
  setSteps(s, 1e-4, 200);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(120);
  const dem::Frame f = sim.frame();
  const double t = 0.012;
  for (std::size_t k = 0; k < 4; ++k)
  {
    const Vec3d pivot{ 0.2, 0, 0 }, p = s.walls[0].points[k];
    const Vec3d expected = pivot + turnedAboutZ(p - pivot, 40 * t) + (t - 0.005) * Vec3d{ 1, 2, 0 };
    EXPECT_LT(length(at3(f.walls[0].points, k) - expected), 1e-9);
  }
}

// Galilei: a turntable that also travels does to a ball, which travels with it, what a turntable at
// rest does. 1e-6 of the way.
TEST_P(WallMotions, ATravellingTurntableIsATurntable)
{
  const Vec3d v{ 0.3, -0.2, 0.1 };
  const auto run = [&](bool travels) {
    dem::Scene s = emptyScene();
    s.domain.limited = false;
    s.materials[0].friction = 0.8;
    const Vec3d extra = travels ? v : Vec3d{};
    addSphere(s, { 0.05, 0, 0.0099 }, 0.01, extra);
    s.walls = { sheetWall(-0.2, 0.2, -0.2, 0.2, 0) };
    const dem::Motion turn = rotation({}, { 0, 0, 1 }, 10);
    s.walls[0] = moved(s.walls[0],
      travels ? std::vector<dem::Motion>{ turn, translation(v) }
              : std::vector<dem::Motion>{ turn });
    setSteps(s, 2e-5, 10000);
    dem::Simulation sim = simulate(s);
    sim.advanceTo(10000);
    return positionOf(sim.frame(), 0);
  };
  const Vec3d rest = run(false), travelled = run(true);
  EXPECT_GT(length(rest - Vec3d{ 0.05, 0, rest.z }), 1e-3); // the table did move the ball
  EXPECT_LT(length(travelled - rest - 0.2 * v), 1e-6 * length(v));
}

// A planetary blade stirs a cloud: lists are made in time for any skin.
TEST_P(WallMotions, SameBitsForAnySkin)
{
  dem::Frame first;
  std::uint64_t fewest = ~0ull, most = 0;
  for (double skin : { 1e-4, 4e-4, 2e-3 })
  {
    dem::Scene s = emptyScene();
    s.gravity = {};
    addCloud(s, { -0.04, -0.04, 0 }, 8, 8, 3, 0.002, 0.004, 0.2, 17, 0.01);
    s.walls = { moved(sheetWall(0.005, 0.03, 0, 0.001, 0),
      { rotation({ 0.0175, 0, 0 }, { 0, 0, 1 }, -40), rotation({}, { 0, 0, 1 }, 15),
        oscillation({ 0, 0, 1 }, 0.005, 20) }) };
    for (Vec3d& p : s.walls[0].points) // upright
      p = { p.x, 0, 30 * p.y };
    s.initial_overlap_tolerance = 0.5;
    s.relax_initial_overlaps = true;
    s.skin = skin;
    setSteps(s, 2e-5, 3000);
    dem::Simulation sim = simulate(s);
    sim.advanceTo(3000);
    if (most == 0)
      first = sim.frame();
    else
      EXPECT_SAME_BITS(first, sim.frame()) << skin;
    fewest = std::min(fewest, sim.searchCounts().rebuilds);
    most = std::max(most, sim.searchCounts().rebuilds);
  }
  EXPECT_GT(most, 2 * fewest);
}

PARAGRAIN_ON_ALL_BACKENDS(WallMotions);
