// Item 3 and rolling resistance: a sphere on a plane, against closed forms.
#include "Reference.h"
#include "TestSupport.h"

using namespace test;

namespace
{

class Rolling : public BackendTest
{
protected:
  // A sphere resting on a plane at its static overlap, gravity tilted by `angle` against the
  // plane's normal.
  static dem::Scene resting(double angle, double mu)
  {
    dem::Scene s = emptyScene();
    const double r = 0.01, g = 9.81;
    s.materials[0].youngs_modulus = 2e9;
    s.materials[0].restitution = 0.5;
    s.materials[0].friction = mu;
    s.gravity = { g * std::sin(angle), 0, -g * std::cos(angle) };
    const double young = reference::effectiveYoung({ 2e9, 0.3 }, { 2e9, 0.3 });
    const double weight = sphereMass(r, 2500) * g * std::cos(angle);
    const double overlap = std::pow(0.75 * weight / (young * std::sqrt(r)), 2.0 / 3);
    EXPECT_LT(overlap, 1e-4 * r); // item 3 asks for it
    addSphere(s, { 0, 0, r - overlap }, r);
    s.walls.push_back(planeWall({ 0, 0, 0 }, { 0, 0, 1 }));
    s.domain.lower = { -5, -1, -1 };
    s.domain.upper = { 5, 1, 1 };
    return s;
  }
};

} // namespace

// Item 3. Source: closed form of a sliding sphere with Coulomb friction; 2e-3 of speed and of time.
TEST_P(Rolling, SlidingTurnsIntoRolling)
{
  const double mu = 0.3, g = 9.81, r = 0.01;
  struct Start
  {
    double v, w;
  };
  for (const Start start : { Start{ 1, 0 }, Start{ 0.5, -40 }, Start{ 0, 100 } })
  {
    SCOPED_TRACE("v0 = " + std::to_string(start.v) + ", w0 = " + std::to_string(start.w));
    dem::Scene s = resting(0, mu);
    s.particles.velocity[0] = { start.v, 0, 0 };
    s.particles.angular_velocity[0] = { 0, start.w, 0 };
    setSteps(s, 1e-5, 200000);
    dem::Simulation sim = simulate(s);
    const double slip = start.v - r * start.w;
    const double expected_time = 2 * std::abs(slip) / (7 * mu * g);
    const double expected_speed = (5 * start.v + 2 * r * start.w) / 7;
    const double dt = sim.plan().time_step;
    double end_of_sliding = -1;
    while (sim.time() < 1.5 * expected_time)
    {
      advance(sim, end_of_sliding < 0 && sim.time() > 0.98 * expected_time ? 2 : 50);
      const dem::Frame f = sim.frame(motionAndContacts());
      ASSERT_EQ(f.contacts.size, 1u);
      if (end_of_sliding < 0 && !f.contacts.sliding[0])
      {
        end_of_sliding = f.time - dt;
      }
    }
    EXPECT_NEAR(end_of_sliding / expected_time, 1, 2e-3);
    const dem::Frame f = sim.frame();
    const double scale = std::abs(start.v) + r * std::abs(start.w);
    EXPECT_NEAR(velocityOf(f, 0).x, expected_speed, 2e-3 * scale);
    EXPECT_NEAR(r * spinOf(f, 0).y, expected_speed, 2e-3 * scale);
    EXPECT_NEAR(velocityOf(f, 0).y, 0, 1e-5 * scale);
  }
}

// Item 3. 5/7 g sin a while tan a < 3.5 mu, else g (sin a - mu cos a); 2e-3.
TEST_P(Rolling, DownAnIncline)
{
  const double mu = 0.2, g = 9.81;
  for (double ratio : { 0.3, 0.9, 1.15, 2.0 })
  {
    const double angle = std::atan(ratio * 3.5 * mu);
    SCOPED_TRACE("tan a / 3.5 mu = " + std::to_string(ratio));
    dem::Scene s = resting(angle, mu);
    setSteps(s, 1e-5, 200000);
    dem::Simulation sim = simulate(s);
    sim.advanceTo(10000);
    const dem::Frame a = sim.frame(motionOnly());
    sim.advanceTo(30000);
    const dem::Frame b = sim.frame(motionOnly());
    const double acceleration = (velocityOf(b, 0).x - velocityOf(a, 0).x) / (b.time - a.time);
    const double expected =
      ratio < 1 ? 5.0 / 7 * g * std::sin(angle) : g * (std::sin(angle) - mu * std::cos(angle));
    EXPECT_NEAR(acceleration / expected, 1, 2e-3);
  }
}

// CDT (Ai et al. 2011, model A): a rolling sphere is braked by mr R |Fn|, so by 5/7 mr g; 2e-3.
TEST_P(Rolling, ConstantTorqueBrakes)
{
  dem::Scene s = resting(0, 0.5);
  const double mr = 0.05, g = 9.81, v0 = 0.5, r = 0.01;
  s.contact.rolling = dem::RollingModel::CDT;
  s.materials[0].rolling_friction = mr;
  s.particles.velocity[0] = { v0, 0, 0 };
  s.particles.angular_velocity[0] = { 0, v0 / r, 0 };
  setSteps(s, 1e-5, 200000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(10000);
  const dem::Frame a = sim.frame(motionOnly());
  sim.advanceTo(50000);
  const dem::Frame b = sim.frame(motionOnly());
  EXPECT_NEAR(
    (velocityOf(a, 0).x - velocityOf(b, 0).x) / (b.time - a.time) / (5.0 / 7 * mr * g), 1, 2e-3);
  sim.advanceTo(200000); // 2 s: long at rest (stops at v0 / (5/7 mr g) = 1.43 s)
  EXPECT_NEAR(velocityOf(sim.frame(motionOnly()), 0).x, 0, 1e-3);
}

// CDT is capped at what stops the rolling within a step, I w / dt. So on a slope that it holds a
// sphere creeps: in proportion to the step, and no faster than m r^2 / I g sin a dt = 5/2 mr g dt.
TEST_P(Rolling, ConstantTorqueCreepsOnASlope)
{
  const double mr = 0.1, g = 9.81;
  for (double ratio : { 0.5, 0.9 })
  {
    SCOPED_TRACE("tan a / mr = " + std::to_string(ratio));
    double speed[2];
    for (int k = 0; k < 2; ++k)
    {
      const double dt = 1e-5 * (k + 1);
      dem::Scene s = resting(std::atan(ratio * mr), 0.5);
      s.contact.rolling = dem::RollingModel::CDT;
      s.materials[0].rolling_friction = mr;
      setSteps(s, dt, 60000 / (k + 1));
      dem::Simulation sim = simulate(s);
      sim.advanceTo(30000 / (k + 1));
      const dem::Frame a = sim.frame(motionOnly());
      sim.advanceTo(60000 / (k + 1));
      const dem::Frame b = sim.frame(motionOnly());
      speed[k] = (b.position[0] - a.position[0]) / (b.time - a.time);
      EXPECT_GT(speed[k], 0.5 * mr * g * dt);
      EXPECT_LT(speed[k], 2.6 * mr * g * dt);
    }
    EXPECT_NEAR(speed[1] / speed[0], 2, 0.2);
  }
}

// EPSD (Ai et al. 2011, model C): on a slope below mr the sphere comes to rest, above it rolls at
// 5/7 g (sin a - mr cos a).
TEST_P(Rolling, ElasticPlasticHoldsOnASlope)
{
  const double mr = 0.1, g = 9.81;
  for (double ratio : { 0.5, 2.0 })
  {
    SCOPED_TRACE("tan a / mr = " + std::to_string(ratio));
    const double angle = std::atan(ratio * mr);
    dem::Scene s = resting(angle, 0.5);
    s.contact.rolling = dem::RollingModel::EPSD;
    s.materials[0].rolling_friction = mr;
    setSteps(s, 1e-5, 100000);
    dem::Simulation sim = simulate(s);
    sim.advanceTo(60000);
    const dem::Frame a = sim.frame(motionOnly());
    sim.advanceTo(100000);
    const dem::Frame b = sim.frame(motionOnly());
    const double acceleration = (velocityOf(b, 0).x - velocityOf(a, 0).x) / (b.time - a.time);
    if (ratio < 1)
    {
      EXPECT_LT(std::abs(velocityOf(b, 0).x), 1e-4);
      EXPECT_LT(std::abs(positionOf(b, 0).x - positionOf(a, 0).x), 1e-5);
    }
    else
    {
      EXPECT_NEAR(acceleration / (5.0 / 7 * g * (std::sin(angle) - mr * std::cos(angle))), 1, 5e-3);
    }
  }
}

// EPSD below its limit: a spring kr = 2.25 kn (mr R*)^2, kn = Fn / d, and a dashpot 2 eta sqrt(Ir
// kr), Ir of the relative rolling, each body about the contact point. Angle, rate and overlap are
// read from frames, the torque is that of the frame; 1e-3 of its largest value.
TEST_P(Rolling, ElasticPlasticIsASpringAndADashpot)
{
  const double ra = 0.01, rb = 0.006, mr = 0.1, eta = 0.05, wa = 0.2, wb = -0.12, dt = 1e-6;
  constexpr int steps = 1000;
  for (const bool wall : { false, true })
  {
    SCOPED_TRACE(wall ? "wall" : "pair");
    dem::Scene s = emptyScene();
    s.contact.rolling = dem::RollingModel::EPSD;
    s.contact.rolling_damping = eta;
    s.materials[0].youngs_modulus = 1e7;
    s.materials[0].rolling_friction = mr;
    const double depth = 2e-6;
    addSphere(s, { -ra, 0, 0 }, ra, {}, { 0, wa, 0 });
    if (wall)
      s.walls.push_back(planeWall({ -depth, 0, 0 }, { -1, 0, 0 }));
    else
      addSphere(s, { rb - depth, 0, 0 }, rb, {}, { 0, wb, 0 });
    const auto rolling = [](double r) { return 1.4 * sphereMass(r, 2500) * r * r; };
    const double reduced = wall ? ra : ra * rb / (ra + rb),
                 inertia =
                   wall ? rolling(ra) : rolling(ra) * rolling(rb) / (rolling(ra) + rolling(rb));
    const double young = reference::effectiveYoung({ 1e7, 0.3 }, { 1e7, 0.3 });
    setSteps(s, dt, steps);
    dem::Simulation sim = simulate(s);
    double angle = 0, before = wall ? wa : wa - wb, spring = 0, dashpot = 0, worst = 0;
    for (int k = 1; k <= steps; ++k)
    {
      advance(sim, 1);
      const dem::Frame f = sim.frame();
      ASSERT_EQ(f.contacts.size, 1u);
      const double rate = spinOf(f, 0).y - (wall ? 0 : spinOf(f, 1).y), d = f.contacts.overlap[0];
      angle += 0.5 * dt * (before + rate);
      before = rate;
      const double kr =
                     2.25 * 4. / 3 * young * std::sqrt(reduced * d) * mr * mr * reduced * reduced,
                   c = 2 * eta * std::sqrt(inertia * kr);
      ASSERT_LT(angle, 0.8 * d / (2.25 * mr * reduced)) << "the limit is far";
      const double torque = at3(f.torque, 0).y;
      worst = std::max(worst, std::abs(torque + kr * angle + c * rate));
      if (!wall)
      {
        EXPECT_EQ(f.torque[4], -f.torque[1]);
      }
      spring = std::max(spring, kr * angle);
      dashpot = std::max(dashpot, c * rate);
    }
    EXPECT_GT(spring, 0.2 * dashpot);
    EXPECT_GT(dashpot, 0.2 * spring);
    EXPECT_LT(worst, 1e-3 * std::min(spring, dashpot));
  }
}

// What a sliding contact says of itself: its age, the way that it slipped, v t - 3.5 mu g t^2 / 2,
// and the heat, mu m g times that.
TEST_P(Rolling, SlidingContactsTellTheirWay)
{
  const double mu = 0.02, g = 9.81, v = 1;
  dem::Scene s = resting(0, mu);
  s.contact_statistics = true;
  s.materials[0].restitution = 1;
  s.particles.velocity[0] = { v, 0, 0 };
  setSteps(s, 1e-5, 5000);
  dem::Simulation sim = simulate(s);
  const auto way = [&](double t) { return v * t - 0.5 * 3.5 * mu * g * t * t; };
  sim.advanceTo(500); // past the step in which it begins
  const dem::Frame a = sim.frame();
  sim.advanceTo(5000);
  const dem::Frame b = sim.frame();
  ASSERT_EQ(a.contacts.size, 1u);
  ASSERT_EQ(b.contacts.size, 1u);
  EXPECT_NEAR((b.contacts.age[0] - a.contacts.age[0]) / (b.time - a.time), 1, 1e-3);
  EXPECT_NEAR(
    (b.contacts.slip_distance[0] - a.contacts.slip_distance[0]) / (way(b.time) - way(a.time)), 1,
    1e-3);
  EXPECT_NEAR((b.contacts.dissipated_energy[0] - a.contacts.dissipated_energy[0]) /
      (mu * b.mass[0] * g * (way(b.time) - way(a.time))),
    1, 2e-3);
}

PARAGRAIN_ON_ALL_BACKENDS(Rolling);
