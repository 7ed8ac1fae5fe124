// Motion: free flight, spin and orientation, and section 4's promise that small motions survive.
#include "Reference.h"
#include "TestSupport.h"

using namespace test;

namespace
{

class Motion : public BackendTest
{
};

} // namespace

// Velocity Verlet is exact for a parabola up to rounding: 1e-6 of the way, over 10,000 steps.
TEST_P(Motion, FreeFall)
{
  dem::Scene s = emptyScene();
  s.gravity = { 1, -2, -9.81 };
  const Vec3d x0{ 0.1, 0.2, 0.3 }, v0{ -0.4, 0.5, 2 };
  addSphere(s, x0, 0.001, v0);
  setSteps(s, 1e-5, 10000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(10000);
  const dem::Frame f = sim.frame();
  const double t = f.time;
  EXPECT_NEAR(t, 0.1, 1e-12);
  EXPECT_LT(length(positionOf(f, 0) - (x0 + t * v0 + (0.5 * t * t) * s.gravity)), 1e-6);
  EXPECT_LT(length(velocityOf(f, 0) - (v0 + t * s.gravity)), 2e-6 * length(v0));
  const double m = sphereMass(0.001, 2500);
  EXPECT_NEAR(f.mass[0] / m, 1, 1e-6);
  EXPECT_LT(length(at3(f.force, 0) - m * s.gravity), 1e-6 * m * 9.81);
}

// A free sphere turns about its axis for ten turns; orientation to 1e-5 rad, of unit length, and it
// starts as given.
TEST_P(Motion, OrientationFollowsSpin)
{
  dem::Scene s = emptyScene();
  const Vec3d w{ 30, -50, 20 };
  addSphere(s, { 0, 0, 0 }, 0.001, {}, w);
  const dem::Quaternion<double> q0 = dem::rotationVectorToQuaternion({ 0.3, 0.1, -0.7 });
  s.particles.orientation = { q0 };
  setSteps(s, 2e-5, 50000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(50000);
  const dem::Frame f = sim.frame();
  const dem::Quaternion<double> expected = dem::rotationVectorToQuaternion(f.time * w) * q0;
  const float* q = f.orientation.data();
  const double same =
    q[0] * expected.w + q[1] * expected.x + q[2] * expected.y + q[3] * expected.z; // up to the sign
  const double norm = std::sqrt(
    double(q[0]) * q[0] + double(q[1]) * q[1] + double(q[2]) * q[2] + double(q[3]) * q[3]);
  EXPECT_NEAR(norm, 1, 1e-6);
  EXPECT_GT(std::abs(same), 1 - 1e-6);
  const Vec3d marked = dem::rotate({ q[0], q[1], q[2], q[3] }, { 1, 0, 0 });
  EXPECT_LT(length(marked - dem::rotate(expected, { 1, 0, 0 })), mixed() ? 2e-4 : 2e-6);
}

// Turns of 1e-12 to 0.3 rad a step, of steps that 16 does not divide.
TEST_P(Motion, OrientationOfSlowAndFastSpins)
{
  dem::Scene s = emptyScene();
  const double spins[] = { 1e-7, 1e-3, 10, 1e3, 5e3, 3e4 };
  for (int i = 0; i < 6; ++i)
    addSphere(s, { 0.1 * i, 0, 0 }, 0.01, {}, { spins[i], 0, 0 });
  setSteps(s, 1e-5, 1001);
  dem::Simulation sim = simulate(s);
  for (std::uint64_t step : { 7, 16, 500, 1001 })
  {
    sim.advanceTo(step);
    const dem::Frame f = sim.frame();
    for (int i = 0; i < 6; ++i)
    {
      const double half = 0.5 * spins[i] * f.time,
                   tolerance = 2e-6 * half + 1e-6 * std::min(1., half);
      const float* q = f.orientation.data() + 4 * i;
      const double sign = q[0] * std::cos(half) + q[1] * std::sin(half) < 0 ? -1 : 1;
      EXPECT_NEAR(sign * q[1], std::sin(half), tolerance) << spins[i] << " after " << step;
      EXPECT_NEAR(sign * q[0], std::cos(half), tolerance + 1e-7) << spins[i] << " after " << step;
      EXPECT_EQ(q[2], 0);
      EXPECT_EQ(q[3], 0);
    }
  }
}

// Section 4: 1e-5 m/s, 10 m from the origin, steps of 1e-6 s, 1e5 of them: there to 1e-4 of the
// way.
TEST_P(Motion, CreepFarFromTheOrigin)
{
  dem::Scene s = emptyScene();
  s.domain.lower = { -20, -20, -20 };
  s.domain.upper = { 20, 20, 20 };
  const Vec3d places[] = { { 10, 0, 0 }, { -10, 7, 3 }, { 5.77, 5.77, 5.77 },
    { 10.1, -10.3, 9.7 } };
  const Vec3d ways[] = { { 1e-5, 0, 0 }, { 0.6e-5, -0.8e-5, 0 }, { -0.577e-5, 0.577e-5, 0.577e-5 },
    { 0, 0, 1e-5 } };
  for (int i = 0; i < 4; ++i)
  {
    addSphere(s, places[i], 0.005, ways[i]);
  }
  setSteps(s, 1e-6, 100000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(100000);
  const dem::Frame f = sim.frame();
  for (int i = 0; i < 4; ++i)
  {
    const Vec3d way = positionOf(f, i) - places[i];
    EXPECT_LT(length(way - f.time * ways[i]), 1e-4 * length(f.time * ways[i])) << "particle " << i;
  }
}

// A list holds until something is further than half the skin from where it was listed, to the step,
// however it came there: 0.97e-5 m a step along no axis, so 52 steps for 5e-4 m.
TEST_P(Motion, ListsHoldForHalfTheSkin)
{
  dem::Scene s = emptyScene();
  s.skin = 1e-3;
  addSphere(s, { 0, 0, 0 }, 0.01, 0.97 * Vec3d{ 0.6, -0.64, 0.48 });
  setSteps(s, 1e-5, 600);
  dem::Simulation sim = simulate(s);
  advance(sim, 1);
  const std::uint64_t first = sim.searchCounts().rebuilds;
  for (std::uint64_t k = 1; k <= 10; ++k)
  {
    sim.advanceTo(52 * k - 1);
    EXPECT_EQ(sim.searchCounts().rebuilds, first + k - 1) << k;
    sim.advanceTo(52 * k);
    EXPECT_EQ(sim.searchCounts().rebuilds, first + k) << k;
  }
}

// An automatic skin: sqrt(7 u d) where the fastest comes u far in a step, between 0.02 and 0.5
// diameters.
TEST_P(Motion, AutomaticSkinsFollowTheFastest)
{
  const double d = 0.02, dt = 1e-5;
  struct Case
  {
    double speed;
    unsigned steps; // of a list, at most
    double skin;
  };
  for (const auto& [speed, steps, skin] :
    { Case{ 0, 20, 0.002 * d }, { 0.2, 150, std::sqrt(7 * 0.2 * dt * d) },
      { 1, 100, std::sqrt(7 * dt * d) }, { 1, 20, 2.2 * 20 * dt }, { 100, 20, 0.5 * d } })
  {
    dem::Scene s = emptyScene();
    addSphere(s, { -0.2, 0, 0 }, d / 2, { speed, 0, 0 });
    addSphere(s, { 0, 0.3, 0 }, d / 2, { 0, 0, 0.5 * speed });
    setSteps(s, dt, 20 * steps);
    dem::Simulation sim = simulate(s);
    sim.rebuildEvery(steps);
    sim.advanceTo(20 * steps);
    EXPECT_NEAR(sim.searchCounts().skin, skin, 1e-4 * skin)
      << speed << " m/s, " << steps << " steps";
  }
}

// To and fro between two walls, a way of some skins: nothing was ever far from where it was listed
// (1e-4 m and an overlap of 2.2e-4 m).
TEST_P(Motion, ListsHoldForWaysThatReturn)
{
  dem::Scene s = emptyScene();
  s.skin = 1e-3;
  s.materials[0].restitution = 1;
  const double r = 0.01, gap = 2e-4;
  addSphere(s, { 0, 0, r + gap / 2 }, r, { 0, 0, 0.2 });
  s.walls.push_back(rectangleWall({ -0.05, -0.05, 0 }, { 0.1, 0, 0 }, { 0, 0.1, 0 }));
  s.walls.push_back(rectangleWall({ -0.05, -0.05, 2 * r + gap }, { 0.1, 0, 0 }, { 0, 0.1, 0 }));
  setSteps(s, 2e-6, 10000);
  dem::Simulation sim = simulate(s);
  advance(sim, 1);
  const std::uint64_t first = sim.searchCounts().rebuilds;
  bool up = false, down = false;
  while (sim.step() < 10000)
  {
    advance(sim, 50);
    const double v = velocityOf(sim.frame(), 0).z;
    EXPECT_LT(std::abs(v), 0.21);
    up = up || v > 0.15;
    down = down || v < -0.15;
  }
  EXPECT_TRUE(up && down);
  EXPECT_EQ(sim.searchCounts().rebuilds, first);
}

// The same under a force: a slow fall adds 1e-4 * 1e-6 = 1e-10 m/s a step to 1 m/s, below single
// precision's resolution (6e-8); the carried remainder must keep it. Source: parabola; 1e-4 of the
// change.
TEST_P(Motion, SmallForcesOnAFastParticle)
{
  dem::Scene s = emptyScene();
  s.gravity = { 1e-4, 0, 0 };
  addSphere(s, { 0, 0, 0 }, 0.005, { 1, 0, 0 });
  setSteps(s, 1e-6, 100000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(100000);
  const double way = positionOf(sim.frame(), 0).x - 0.1;
  EXPECT_NEAR(way / (0.5 * 1e-4 * 0.01), 1, 1e-3);
}

// A sphere that spins fast on a floor is braked by 2.5 mu g / R: 2.5e-7 rad/s a step off 100 rad/s,
// below single precision's resolution (8e-6).
TEST_P(Motion, SmallTorquesOnAFastSpin)
{
  dem::Scene s = emptyScene();
  const double r = 0.01, g = 9.81, mu = 1e-5, w = 100;
  s.gravity = { 0, 0, -g };
  s.materials[0].restitution = 0.5;
  s.materials[0].friction = mu;
  const double young = reference::effectiveYoung({ 1e7, 0.3 }, { 1e7, 0.3 });
  addSphere(s,
    { 0, 0, r - std::pow(0.75 * sphereMass(r, 2500) * g / (young * std::sqrt(r)), 2. / 3) }, r, {},
    { 0, w, 0 });
  s.walls.push_back(planeWall({ 0, 0, 0 }, { 0, 0, 1 }));
  setSteps(s, 1e-5, 100000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(100000);
  const dem::Frame f = sim.frame();
  EXPECT_NEAR((w - spinOf(f, 0).y) / (2.5 * mu * g / r), 1, 2e-3);
  EXPECT_NEAR(velocityOf(f, 0).x / (mu * g), 1, 2e-3);
}

// Section 4: a contact 10 m away has the same overlap as at the origin to 1e-4 of the overlap. Two
// spheres pressed together by an impact, and one on an analytic wall.
TEST_P(Motion, ContactFarFromTheOrigin)
{
  std::vector<std::vector<double>> overlaps;
  for (const Vec3d place : { Vec3d{ 0, 0, 0 }, Vec3d{ 10, -10, 10 } })
  {
    dem::Scene s = emptyScene();
    s.materials[0].restitution = 0.6;
    s.domain.lower = { -20, -20, -20 };
    s.domain.upper = { 20, 20, 20 };
    const double r = 0.005;
    addSphere(s, place, r, { 1e-3, 0, 0 });
    addSphere(s, place + Vec3d{ 2 * r + 1e-9, 0, 0 }, r, { -1e-3, 0, 0 });
    addSphere(s, place + Vec3d{ 0, 0.1, r + 1e-9 }, r, { 0, 0, -1e-3 });
    s.walls.push_back(rectangleWall(place + Vec3d{ -0.05, 0.05, 0 }, { 0.1, 0, 0 }, { 0, 0.1, 0 }));
    setSteps(s, 2e-6, 2000);
    dem::Simulation sim = simulate(s);
    overlaps.emplace_back();
    for (int k = 0; k < 20; ++k)
    {
      advance(sim, 25);
      const dem::Frame f = sim.frame(motionAndContacts());
      ASSERT_EQ(f.contacts.size, 2u) << "at step " << sim.step();
      for (std::size_t c = 0; c < 2; ++c)
      {
        overlaps.back().push_back(f.contacts.overlap[c]);
      }
    }
  }
  for (std::size_t i = 0; i < overlaps[0].size(); ++i)
  {
    EXPECT_NEAR(overlaps[1][i] / overlaps[0][i], 1, 1e-4) << "sample " << i;
  }
}

// Rest: spheres that settled on a floor with friction are still there 1e5 steps later (1e-6 of the
// radius), near and far.
TEST_P(Motion, RestStaysAtRest)
{
  dem::Scene s = emptyScene();
  s.gravity = { 0, 0, -9.81 };
  s.materials[0].restitution = 0.3;
  s.materials[0].friction = 0.5;
  s.domain.lower = { -20, -20, -20 };
  s.domain.upper = { 20, 20, 20 };
  const double r = 0.005;
  for (const Vec3d place : { Vec3d{ 0, 0, 0 }, Vec3d{ 10, 10, 0 } })
  {
    addSphere(s, place + Vec3d{ 0, 0, r }, r);
    addSphere(s, place + Vec3d{ 2 * r, 0, r }, r);
  }
  s.walls.push_back(planeWall({ 0, 0, 0 }, { 0, 0, 1 }));
  setSteps(s, 1e-5, 100000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(30000);
  const dem::Frame a = sim.frame();
  sim.advanceTo(100000);
  const dem::Frame b = sim.frame();
  for (std::size_t i = 0; i < a.size; ++i)
  {
    EXPECT_LT(length(positionOf(b, i) - positionOf(a, i)), 1e-6 * r) << i;
  }
}

PARAGRAIN_ON_ALL_BACKENDS(Motion);
