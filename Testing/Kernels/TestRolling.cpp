// Item 3 and rolling resistance: a sphere on a plane, against closed forms.
#include "Reference.h"
#include "TestSupport.h"

using namespace test;

namespace
{

class Rolling : public BackendTest
{
protected:
  // A sphere resting on a plane at its static overlap, gravity tilted by `angle` against the plane's normal.
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
    const double expected = ratio < 1 ? 5.0 / 7 * g * std::sin(angle) : g * (std::sin(angle) - mu * std::cos(angle));
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
  EXPECT_NEAR((velocityOf(a, 0).x - velocityOf(b, 0).x) / (b.time - a.time) / (5.0 / 7 * mr * g), 1, 2e-3);
  sim.advanceTo(200000); // 2 s: long at rest (stops at v0 / (5/7 mr g) = 1.43 s)
  EXPECT_NEAR(velocityOf(sim.frame(motionOnly()), 0).x, 0, 1e-3);
}

// EPSD (Ai et al. 2011, model C): on a slope below mr the sphere comes to rest, above it rolls at 5/7 g (sin a - mr cos a).
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

PARAGRAIN_ON_ALL_BACKENDS(Rolling);
