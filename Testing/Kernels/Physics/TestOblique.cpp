// Item 2: oblique impact on a wall, e = 0.95, mu = 0.75 (Kureck 2016, section 6.2.2, table 6.1,
// after Walton 1994).
#include "Reference.h"
#include "TestSupport.h"

#include <functional>

using namespace test;

namespace
{

// A steel ball. It must be hard: arms reach to mid overlap, so that 1 % of overlap would shift the
// zero crossing by 0.5 %.
const double e = 0.95, mu = 0.75, radius = 0.005, density = 7800, young = 2.1e11, poisson = 0.3,
             vn = 0.5;
const double linear_time = 2e-5; // of the linear law

// -v_t' / v_n' of the contact point (positive: it goes on the way it came).
double reflected(const Vec3d& v, const Vec3d& w) { return (v.x - radius * w.y) / v.z; }

// The same impact by Reference.h.
double expected(double ratio, const reference::Law& law, double duration)
{
  reference::World world;
  world.spheres = { { radius, sphereMass(radius, density), { 0, 0, radius }, { ratio * vn, 0, -vn },
    {} } };
  world.planes = { {} };
  world.law = [&](int, int) { return law; };
  reference::collide(world, duration / 40000);
  return reflected(world.spheres[0].v, world.spheres[0].w);
}

reference::Law hertz()
{
  return reference::hertzMindlin({ young, poisson }, { young, poisson }, e, mu);
}

double hertzTime()
{
  return reference::headOn(hertz(), radius, sphereMass(radius, density), vn, 4000).duration;
}

class Oblique : public BackendTest
{
protected:
  double rebound(double ratio, double duration, const std::function<void(dem::Scene&)>& change = {})
  {
    dem::Scene s = emptyScene();
    dem::Material& m = s.materials[0];
    m.youngs_modulus = young;
    m.poissons_ratio = poisson;
    m.density = density;
    m.restitution = e;
    m.friction = mu;
    addSphere(s, { 0, 0, radius }, radius, { ratio * vn, 0, -vn });
    s.walls.push_back(planeWall({ 0, 0, 0 }, { 0, 0, 1 }));
    setSteps(s, duration / 1000, 1400);
    if (change)
    {
      change(s);
    }
    dem::Simulation sim = simulate(s);
    sim.advanceTo(1400);
    const dem::Frame f = sim.frame();
    EXPECT_EQ(f.contacts.size, 0u);
    return reflected(velocityOf(f, 0), spinOf(f, 0));
  }
};

} // namespace

// The sliding line: slope 1/e = 1.0526 and zero crossing 7/2 mu (1 + e) = 5.1188, both to 0.01.
// Closed form: gross sliding takes mu times the normal impulse, whatever the law.
TEST_P(Oblique, SlidingLine)
{
  const double duration = hertzTime();
  const double at7 = rebound(7, duration), at9 = rebound(9, duration);
  const double slope = (at9 - at7) / 2;
  EXPECT_NEAR(slope, 1 / e, 0.01);
  EXPECT_NEAR(7 - at7 / slope, 3.5 * mu * (1 + e), 0.01);
  EXPECT_NEAR(at7, 1.977, 0.02); // table 6.1
  EXPECT_NEAR(at9, 4.081, 0.02);
}

// The whole curve, sticking branch included, against an independent integration of the same law:
// 1e-3.
TEST_P(Oblique, EveryAngleAgreesWithTheReference)
{
  const double duration = hertzTime();
  const reference::Law law = hertz();
  for (double ratio : { 0.25, 0.5, 1.0, 2.0, 3.0, 3.5, 4.0, 5.0, 6.0, 8.0 })
  {
    EXPECT_NEAR(
      rebound(ratio, duration), expected(ratio, law, duration), 1e-3 * std::max(1.0, 0.25 * ratio))
      << ratio;
  }
}

// Walton's beta0 = 0.35 is an input of his model. The linear law has it too once its stiffness
// ratio is tuned, here by bisection on the independent integration at v_t / v_n = 1 (table 6.1:
// -0.368): slope -beta0 / e to 5e-3. His branch is straight; a spring that is still stretched when
// the normal force fades slides at the end, so that this one bends: the other points are held
// against the independent integration alone.
TEST_P(Oblique, WaltonSlopeWithTheTunedLinearLaw)
{
  const double m = sphereMass(radius, density);
  double low = 0.05,
         high = 2.0 / 7; // the closed form without sliding: cos(w_t t_c) = -0.35 at 0.108
  const auto slope = [&](double k) {
    return expected(1, reference::linear(m, linear_time, e, mu, k), linear_time);
  };
  ASSERT_GT(slope(low), -0.35 / e);
  ASSERT_LT(slope(high), -0.35 / e);
  for (int i = 0; i < 14; ++i)
  {
    const double k = 0.5 * (low + high);
    (slope(k) > -0.35 / e ? low : high) = k;
  }
  const double ratio = 0.5 * (low + high);
  RecordProperty("stiffness_ratio", std::to_string(ratio));
  const auto change = [&](dem::Scene& s) {
    s.contact.law = dem::NormalLaw::LinearSpringDashpot;
    s.contact.collision_time = linear_time;
    s.contact.stiffness_ratio = ratio;
    s.contact.tangential_damping = dem::TangentialDamping::None;
  };
  const reference::Law law = reference::linear(m, linear_time, e, mu, ratio);
  for (double r : { 0.5, 1.0, 2.0, 3.0 })
  {
    const double seen = rebound(r, linear_time, change);
    EXPECT_NEAR(seen, expected(r, law, linear_time), 1e-3 * std::max(1.0, r)) << r;
    if (r == 1)
    {
      EXPECT_NEAR(seen, -0.35 / e, 5e-3);
    }
  }
  // this soft tangential spring takes a larger slip to slide all the way
  const double at12 = rebound(12, linear_time, change), at16 = rebound(16, linear_time, change);
  EXPECT_NEAR((at16 - at12) / 4, 1 / e, 0.01);
  EXPECT_NEAR(12 - at12 * e, 3.5 * mu * (1 + e), 0.01);
}

// Without history nothing springs back: the slip after the impact keeps its direction (table 6.1,
// column "without FH").
TEST_P(Oblique, WithoutHistorySlipStaysPositive)
{
  const double duration = hertzTime();
  reference::Law law = hertz();
  law.history = false;
  for (double ratio : { 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0 })
  {
    const double seen =
      rebound(ratio, duration, [](dem::Scene& s) { s.contact.tangential_history = false; });
    EXPECT_GT(seen, 0) << ratio;
    EXPECT_NEAR(seen, expected(ratio, law, duration), 2e-3 * std::max(1.0, ratio)) << ratio;
  }
}

PARAGRAIN_ON_ALL_BACKENDS(Oblique);
