// The yardstick is held against closed forms, against itself, and must tell wrong laws apart.
#include "Reference.h"

#include <gtest/gtest.h>

using namespace reference;

namespace
{

const Solid soft{ 1e7, 0.3 };

Law lawOf(double e) { return hertzMindlin(soft, soft, e, 0.3); }

World obliquePair(double h_speed)
{
  World world;
  const double m = 4.0 / 3.0 * M_PI * 1.25e-7 * 2500;
  world.spheres = { { 0.005, m, { 0, 0, 0 }, { 0, 0, 0 }, { 3, 0, 5 } },
    { 0.005, m, { 0.01, 0, 0 }, { -1, h_speed, 0.2 }, { 0, -20, 0 } } };
  world.law = [](int, int) { return lawOf(0.8); };
  return world;
}

} // namespace

// Johnson 1985, 11.4: peak and duration of the elastic Hertz impact; 2.868 and 2.943 are the
// constants found in print.
TEST(Reference, ElasticHeadOnIsHertzClosedForm)
{
  const double r = 0.0025, m = 6e-4, v = 0.7;
  const Law law = lawOf(1);
  const HeadOn a = headOn(law, r, m, v), b = hertzClosedForm(law, r, m, v);
  EXPECT_NEAR(a.restitution, 1, 1e-8);
  EXPECT_NEAR(a.peak / b.peak, 1, 1e-7);
  EXPECT_NEAR(a.duration / b.duration, 1, 1e-6);
  EXPECT_NEAR(
    b.duration, 2.868 * std::pow(m * m / (r * law.young * law.young * v), 0.2), 1e-3 * b.duration);
  EXPECT_NEAR(b.duration * v / b.peak, 2.943, 1e-3);
}

// Antypov and Elliott 2011: this damping gives back exactly the restitution that was asked for, at
// every speed.
TEST(Reference, DampedHeadOnGivesTheRestitutionAskedFor)
{
  for (double e : { 0.3, 0.5, 0.7, 0.95 })
  {
    for (double v : { 0.01, 1.0 })
    {
      EXPECT_NEAR(headOn(lawOf(e), 0.0025, 6e-4, v).restitution, e, 1e-4)
        << "e " << e << ", v " << v;
    }
  }
}

// design.md, section 6: clamping the pull makes 0.5 into 0.55.
TEST(Reference, ClampingThePullRaisesRestitution)
{
  Law law = lawOf(0.5);
  law.clamp = true;
  EXPECT_NEAR(headOn(law, 0.0025, 6e-4, 1).restitution, 0.55, 0.01);
}

TEST(Reference, LinearLawIsTheDampedOscillator)
{
  for (double e : { 0.3, 0.95 })
  {
    const HeadOn a = headOn(linear(6e-4, 1e-3, e, 0, 0), 1, 6e-4, 0.7),
                 b = linearClosedForm(1e-3, e, 0.7);
    EXPECT_NEAR(a.restitution, e, 1e-6);
    EXPECT_NEAR(a.peak / b.peak, 1, 1e-6);
    EXPECT_NEAR(a.duration / b.duration, 1, 1e-6);
  }
}

TEST(Reference, SeveralBodiesAgreeWithRungeKutta)
{
  World world = obliquePair(0);
  for (Sphere& s : world.spheres)
  {
    s.w = {};
    s.v.z = 0;
  }
  const double m = 0.5 * world.spheres[0].m;
  const HeadOn a = headOn(lawOf(0.8), 0.0025, m, 1);
  collide(world, a.duration / 1e5);
  EXPECT_NEAR(world.spheres[1].v.x - world.spheres[0].v.x, a.restitution, 2e-5);
}

// The friction part has no closed form: its own error is shown by halving the step.
TEST(Reference, ObliqueImpactHasConverged)
{
  for (double speed : { 0.2, 1.0, 4.0 })
  {
    World a = obliquePair(speed), b = obliquePair(speed);
    const double tc = hertzClosedForm(lawOf(1), 0.0025, 0.5 * a.spheres[0].m, 1).duration;
    collide(a, tc / 1e5);
    collide(b, tc / 2e5);
    for (int i : { 0, 1 })
    {
      EXPECT_LT(length(a.spheres[i].v - b.spheres[i].v), 3e-5) << speed;
      EXPECT_LT(0.005 * length(a.spheres[i].w - b.spheres[i].w), 6e-5) << speed;
    }
  }
}

// It must be able to reject: a wrong E* (the damaged print's 2 - v^2), a wrong mass, a missing
// factor in the damping.
TEST(Reference, WrongLawsAreSeen)
{
  const double r = 0.0025, m = 6e-4, v = 1;
  const HeadOn right = headOn(lawOf(0.7), r, m, v);
  Law damaged = lawOf(0.7);
  damaged.young = 1 / (2 * (2 - 0.09) / 1e7);
  const HeadOn a = headOn(damaged, r, m, v);
  EXPECT_NEAR(a.restitution, right.restitution, 1e-3); // restitution alone would not see it
  EXPECT_GT(std::abs(a.peak / right.peak - 1), 0.1);
  EXPECT_GT(std::abs(a.duration / right.duration - 1), 0.1);
  const HeadOn b = headOn(lawOf(0.7), r, 0.75 * m, v); // 4/3 forgotten in the volume
  EXPECT_NEAR(b.restitution, right.restitution, 1e-3);
  EXPECT_GT(std::abs(b.peak / right.peak - 1), 0.05);
}
