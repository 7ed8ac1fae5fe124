// The borders of scenes that give none, and what is said of scenes that are not wrong but perhaps
// not what was meant.
#include "Measure/DomainMet.h"
#include "Scene/AutomaticDomain.h"
#include "Scene/SceneWarnings.h"
#include "Scene/Validate.h"
#include "TestSupport.h"

#include <limits>

using namespace test;

namespace
{

constexpr double r = 0.01;

// One grain at the origin under gravity.
dem::Scene oneGrain(const Vec3d& velocity = {})
{
  dem::Scene s = emptyScene();
  s.gravity = { 0, 0, -10 };
  addSphere(s, {}, r, velocity);
  return s;
}

dem::Wall plateBetween(const Vec3d& lower, const Vec3d& upper, const char* name = "Plate")
{
  dem::Wall w = meshWall({ lower, { upper.x, lower.y, lower.z }, upper }, { { 0, 1, 2 } });
  w.name = name;
  return w;
}

void expectBox(dem::Scene s, const Vec3d& lower, const Vec3d& upper)
{
  dem::setAutomaticDomain(s);
  EXPECT_TRUE(s.domain.automatic);
  for (int k = 0; k < 3; ++k)
  {
    const double margin = 0.05 * (upper[k] - lower[k]) + 2 * r;
    EXPECT_NEAR(s.domain.lower[k], lower[k] - margin, 1e-9) << "axis " << k;
    EXPECT_NEAR(s.domain.upper[k], upper[k] + margin, 1e-9) << "axis " << k;
  }
}

} // namespace

TEST(AutomaticDomain, AtRest)
{
  dem::Scene s = oneGrain();
  expectBox(s, { -r, -r, -r }, { r, r, r });
  s.walls.push_back(plateBetween({ -1, -1, -0.5 }, { 1, 1, -0.5 }));
  expectBox(s, { -1, -1, -0.5 }, { 1, 1, r });
  s.end_time = 1000;
  expectBox(s, { -1, -1, -0.5 }, { 1, 1, r });
  dem::Scene none;
  const Vec3d lower = none.domain.lower;
  dem::setAutomaticDomain(none);
  EXPECT_EQ(none.domain.lower, lower);
}

TEST(AutomaticDomain, Throws)
{
  // up: v^2 / 2g = 0.45 m; nothing sideways, and the floor stays
  expectBox(oneGrain({ 0, 0, 3 }), { -r, -r, -r }, { r, r, 0.45 + r });
  // sideways for the time of a throw straight up, (3 + sqrt(9 + 2 * 10 * r)) / 10 s
  const double time = (3 + std::sqrt(9 + 20 * r)) / 10;
  expectBox(oneGrain({ 3, 0, 0 }), { -r, -r, -r }, { 3 * time + r, r, 0.45 + r });
  expectBox(oneGrain({ 0, -3, 0 }), { -r, -3 * time - r, -r }, { r, r, 0.45 + r });
  // a deeper floor gives it more time
  dem::Scene s = oneGrain({ 3, 0, 0 });
  s.walls.push_back(plateBetween({ -0.1, -0.1, -1 }, { 0.1, 0.1, -1 }));
  expectBox(s, { -0.1, -0.1, -1 }, { 3 * (3 + std::sqrt(9 + 20)) / 10 + r, 0.1, 0.45 + r });
  // at most 100 diagonals
  expectBox(oneGrain({ 0, 0, 1e6 }), { -r, -r, -r }, { r, r, 200 * r * std::sqrt(3) + r });
  // grains come back on a periodic axis
  s = oneGrain({ 3, 0, 0 });
  s.domain.exit[0] = dem::Exit::Periodic;
  expectBox(s, { -r, -r, -r }, { r, r, 0.45 + r });
  // without gravity up to the end, at most 10 diagonals
  s = oneGrain({ 0.1, 0, 0 });
  s.gravity = {};
  s.end_time = 0.5;
  expectBox(s, { -r, -r, -r }, { 0.05 + r, r, r });
  s.end_time = 1e6;
  expectBox(s, { -r, -r, -r }, { 20 * r * std::sqrt(3) + r, r, r });
  // numbers that a check refuses later
  s.particles.velocity[0].x = std::numeric_limits<double>::quiet_NaN();
  s.gravity.z = std::numeric_limits<double>::infinity();
  expectBox(s, { -r, -r, -r }, { r, r, r });
}

TEST(AutomaticDomain, MovingWalls)
{
  // a plate that lifts the grain from 0.1 s to 0.3 s: the grain goes along, and may hop by 2 v^2 /
  // g = 0.05 m
  dem::Scene s = oneGrain();
  s.end_time = 1;
  s.walls.push_back(plateBetween({ -0.1, -0.1, -r }, { 0.1, 0.1, -r }));
  dem::Motion& m = s.walls[0].motion;
  m.kind = dem::MotionKind::Translation;
  m.velocity = { 0, 0, 0.5 };
  m.start = 0.1;
  m.stop = 0.3;
  expectBox(s, { -0.1, -0.1, -r }, { 0.1, 0.1, 0.1 + r + 0.05 });
  m.stop = 1e300;
  expectBox(s, { -0.1, -0.1, -r }, { 0.1, 0.1, 0.45 + r + 0.05 });
  // changes of speed that the scene states: 0.4 s at 0.5 m/s, then 0.5 s at -1 m/s. Grains do not
  // follow below where they began.
  s.events.push_back({ 0.5, "WallVelocity", { 0, 0, 0, -1 } });
  expectBox(s, { -0.1, -0.1, 0.2 - 0.5 - r }, { 0.1, 0.1, 0.2 + r + 2 * 1. / 10 });
  // sideways on a periodic axis nothing
  s.events.clear();
  m.velocity = { 0.5, 0, 0 };
  s.domain.exit[0] = dem::Exit::Periodic;
  expectBox(s, { -0.1, -0.1, -r }, { 0.1, 0.1, r + 0.05 });
  // all the way round
  s.domain.exit[0] = dem::Exit::Wall;
  m = {};
  m.kind = dem::MotionKind::Rotation;
  m.origin = { 0, 0, -r };
  expectBox(s, { -0.1 * std::sqrt(2), -0.1 * std::sqrt(2), -r },
    { 0.1 * std::sqrt(2), 0.1 * std::sqrt(2), r });
  // the whole amplitude
  m = {};
  m.kind = dem::MotionKind::Oscillation;
  m.amplitude = 0.02;
  expectBox(s, { -0.1, -0.1, -r - 0.02 }, { 0.1, 0.1, r + 0.02 });
}

TEST(AutomaticDomain, GrainsThatTouchItAreTold)
{
  dem::Scene s = oneGrain();
  s.domain.automatic = true;
  s.domain.lower = { -0.1, -0.1, -0.05 };
  s.domain.upper = { 0.1, 0.1, 0.1 };
  s.gravity = {};
  const auto told = [&](const dem::Scene& scene, const Vec3d& x) {
    dem::Scene moved = scene;
    moved.particles.position[0] = x;
    moved.end_time = moved.output_interval = moved.time_step = 1e-6;
    dem::Simulation sim(moved, {});
    return dem::automaticDomainMet(scene, sim.frame()).text;
  };
  const Vec3d at_top{ 0, 0, 0.1 - 0.999 * r }, at_floor{ 0, 0, -0.05 + 0.999 * r },
    aside{ -0.1 + 0.999 * r, 0, 0 };
  EXPECT_EQ(told(s, { 0, 0, 0 }), "");
  EXPECT_EQ(told(s, { 0, 0, 0.1 - 1.001 * r }), "");
  const std::string text = told(s, at_top);
  EXPECT_HOLDS(text,
    "Grain 0 touches the upper border in z, which acts as a wall, at t = 0 s; the automatic domain "
    "is x -0.1 to 0.1, y -0.1 "
    "to 0.1, z -0.05 to 0.1 m.");
  EXPECT_HOLDS(text, "switch Automatic Domain off and set Domain");
  EXPECT_HOLDS(told(s, aside), "touches the lower border in x");
  // with gravity grains may rest on all but the top
  s.gravity = { 0, 0, -10 };
  EXPECT_EQ(told(s, at_floor), "");
  EXPECT_EQ(told(s, aside), "");
  EXPECT_HOLDS(told(s, at_top), "upper border in z");
  s.walls.push_back(plateBetween({ 0.05, 0.05, 0 }, { 0.06, 0.06, 0 }));
  EXPECT_EQ(told(s, at_floor), "");
  EXPECT_HOLDS(told(s, at_top), "upper border in z");
  // one that is given is known
  s.domain.automatic = false;
  EXPECT_EQ(told(s, at_floor), "");
  // and what left through one
  s.domain.automatic = true;
  s.domain.exit[2] = dem::Exit::Remove;
  s.end_time = 1;
  s.output_interval = 0.5;
  dem::Simulation sim(s, {});
  sim.advanceTo(2 * sim.plan().steps_per_output);
  const std::string gone = dem::automaticDomainMet(s, sim.frame()).text;
  EXPECT_HOLDS(gone, "1 grain has left the automatic domain (x -0.1 to 0.1");
  EXPECT_HOLDS(gone, ", grain 0 through the lower border in z.");
}

TEST(AutomaticDomain, GivenAxesStay)
{
  dem::Scene s = oneGrain();
  s.domain.given[1] = true;
  s.domain.lower.y = -7;
  s.domain.upper.y = 8;
  dem::setAutomaticDomain(s);
  EXPECT_EQ(s.domain.lower.y, -7);
  EXPECT_EQ(s.domain.upper.y, 8);
  EXPECT_LT(s.domain.upper.x, 1);
}

// A state holds its borders: an automatic domain takes them, one that is given must have them.
TEST(AutomaticDomain, StatesGoOnInTheirBorders)
{
  dem::Scene s = oneGrain({ 0, 0, 1 });
  s.time_step = 1e-5;
  s.end_time = s.output_interval = 0.01;
  s.gravity = {};
  dem::setAutomaticDomain(s);
  dem::Simulation sim(s, {});
  sim.advanceTo(500);
  const dem::SnapshotBytes state = sim.save();
  dem::Scene longer = s;
  longer.end_time = longer.output_interval = 0.1;
  dem::setAutomaticDomain(longer);
  ASSERT_GT(longer.domain.upper.z, s.domain.upper.z);
  dem::Simulation other(longer, {});
  const std::string error = errorOf([&] { other.restore(state); });
  EXPECT_HOLDS(error, "belongs to a domain x ");
  EXPECT_HOLDS(error, "RestartFile");
  dem::takeBorders(state, longer.domain);
  EXPECT_EQ(longer.domain.upper.z, s.domain.upper.z);
  dem::Simulation goes_on(longer, {});
  EXPECT_NO_THROW(goes_on.restore(state));
  dem::Scene given = longer;
  given.domain.automatic = false;
  given.domain.upper.z = 5;
  dem::takeBorders(state, given.domain);
  EXPECT_EQ(given.domain.upper.z, 5);
}

TEST(AutomaticDomain, MessagesNameIt)
{
  dem::Scene s = oneGrain();
  s.domain.lower = { 0.5, -1, -1 };
  EXPECT_HOLDS(errorOf([&] { dem::validate(s); }),
    "Domain (x 0.5 to 1, y -1 to 1, z -1 to 1 m) leaves out 1 particles");
  s.domain.automatic = true;
  EXPECT_HOLDS(errorOf([&] { dem::validate(s); }), "The automatic domain (x 0.5 to 1");
}

TEST(AutomaticDomain, WarningsOfAScene)
{
  dem::Scene s = oneGrain();
  s.walls.push_back(plateBetween({ -0.1, -0.1, -0.5 }, { 0.1, 0.1, -0.5 }));
  EXPECT_TRUE(dem::sceneWarnings(s).empty());
  // outside of a given domain, but in an automatic one
  s.walls[0] = plateBetween({ 1.5, 0, 0 }, { 1.6, 0.1, 0 }, "Chute");
  ASSERT_EQ(dem::sceneWarnings(s).size(), 1u);
  EXPECT_HOLDS(dem::sceneWarnings(s)[0], "Wall 0 ('Chute') lies outside of Domain (x -1 to 1");
  dem::setAutomaticDomain(s);
  EXPECT_TRUE(dem::sceneWarnings(s).empty());
  // far beside the grains, and far below them
  s.walls[0] = plateBetween({ 15, 0, 0 }, { 15.1, 0.1, 0 }, "Chute");
  dem::setAutomaticDomain(s);
  ASSERT_EQ(dem::sceneWarnings(s).size(), 1u);
  EXPECT_HOLDS(dem::sceneWarnings(s)[0], "Wall 0 ('Chute') is 14.99 m away from the nearest grain");
  s.walls[0] = plateBetween({ -0.05, -0.05, -15 }, { 0.05, 0.05, -15 });
  dem::setAutomaticDomain(s);
  EXPECT_TRUE(dem::sceneWarnings(s).empty());
  // millimetres
  s.walls[0] = plateBetween({ -100, -100, -20 }, { 100, 100, -20 }, "Hopper");
  dem::setAutomaticDomain(s);
  ASSERT_EQ(dem::sceneWarnings(s).size(), 1u);
  EXPECT_HOLDS(dem::sceneWarnings(s)[0],
    "Wall 0 ('Hopper') is 282.8 m large, all grains together 0.03464 m. If it is given in "
    "millimetres, scale it by 0.001");
  s.walls.clear();
  s.time_step = 1;
  s.output_interval = 0.01;
  ASSERT_EQ(dem::sceneWarnings(s).size(), 1u);
  EXPECT_HOLDS(dem::sceneWarnings(s)[0],
    "TimeStep, 1 s, is longer than OutputInterval: steps are as long as the interval, 0.01 s");
  s.shapes.push_back(dem::makeMultiSphere("Pair", { {}, { 1, 0, 0 } }, { 1, 1 }));
  s.shapes.back().lost_volume = 0.05;
  EXPECT_EQ(dem::sceneWarnings(s).size(), 1u);
  s.shapes.back().lost_volume = 0.286;
  EXPECT_HOLDS(dem::sceneWarnings(s)[0],
    "The clump 'Pair' of 2 spheres has 29 % less volume than its surface, and so less mass. Use "
    "more");
  s.shapes.pop_back();
  // what was typed is quoted
  EXPECT_HOLDS(errorOf([&] { dem::Simulation{ s }; }), "TimeStep 1 s is too large");
}
