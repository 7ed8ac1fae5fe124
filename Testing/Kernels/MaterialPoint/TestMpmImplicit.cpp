// The implicit midpoint rule and backward Euler: energy, Newton's convergence, momentum of
// unfinished solves, agreement with explicit steps, refusals.
#include "MpmSupport.h"

namespace
{

using namespace test;
using mpm::Scene;

class MpmImplicit : public MpmTest
{
};
PARAGRAIN_ON_ALL_BACKENDS(MpmImplicit);

constexpr double kYoung = 1e6, kDensity = 1000, kLength = 1;

// A free bar in its first axial mode; `steps` a period.
Scene ringingBar(int cells, double steps, double strain = 1e-3)
{
  Scene s;
  const double h = kLength / cells, c = std::sqrt(kYoung / kDensity);
  s.gravity = { 0, 0, 0 };
  s.integration = mpm::TimeIntegration::ImplicitMidpoint;
  s.grid_spacing = h;
  s.materials[0].youngs_modulus = kYoung;
  s.materials[0].poissons_ratio = 0;
  s.materials[0].density = kDensity;
  s.domain.lower = { 0, 0, 0 };
  s.domain.upper = { kLength + 8 * h, 8 * h, 8 * h };
  const Vec3d low{ 4 * h, 3 * h, 3 * h };
  s.points = mpm::fillBox(low, low + Vec3d{ kLength, 2 * h, 2 * h }, h, 2, 0, 1);
  setVelocity(s, [&](const Vec3d& x) {
    return Vec3d{ strain * c * std::cos(M_PI * (x.x - low.x) / kLength), 0, 0 };
  });
  s.time_step = 2 * kLength / c / steps;
  s.output_interval = s.time_step;
  s.end_time = 1;
  return s;
}

double energy(const mpm::Statistics& t) { return t.kinetic_energy + t.elastic_energy; }

// Points fixed to the grid: nothing but the integrator. 25 steps a period are 1.28 times the
// explicit limit on 16 cells.
TEST_P(MpmImplicit, TheIntegratorAloneKeepsEnergy)
{
  for (mpm::MaterialKind kind : { mpm::MaterialKind::FixedCorotated, mpm::MaterialKind::NeoHookean,
         mpm::MaterialKind::LinearElastic, mpm::MaterialKind::StVenantKirchhoff })
  {
    Scene s = ringingBar(16, 25);
    s.materials[0].kind = kind;
    s.implicit.hold_points = true;
    s.implicit.newton_tolerance = mixed() ? 1e-5 : 1e-9;
    const double sound = std::sqrt(kYoung / kDensity);
    ASSERT_GT(s.time_step, s.grid_spacing / sound);
    auto run = simulate(s);
    run.advanceTo(1); // the first step puts the points' velocities on the nodes
    const double begin = energy(run.statistics());
    double most = 0, least_kinetic = 1e9, most_kinetic = 0;
    for (int k = 2; k <= 250; ++k)
    {
      run.advanceTo(k);
      const mpm::Statistics t = run.statistics();
      most = std::max(most, std::fabs(energy(t) / begin - 1));
      least_kinetic = std::min(least_kinetic, t.kinetic_energy);
      most_kinetic = std::max(most_kinetic, t.kinetic_energy);
    }
    EXPECT_LT(most, 0.01) << mpm::name(kind);
    EXPECT_LT(least_kinetic, 0.1 * most_kinetic); // it rings
    // with points that move, velocities go through APIC: that loss is told apart
    s.implicit.hold_points = false;
    auto whole = simulate(s);
    whole.advanceTo(250);
    const mpm::Statistics t = whole.statistics();
    const double left = (energy(t) + t.affine_energy) / begin;
    RecordProperty(
      std::string("EnergyLeftAfter10PeriodsOfAPIC") + mpm::name(kind)[0], std::to_string(left));
    EXPECT_LT(left, 1.01);
    EXPECT_GT(left, 0.05);
  }
}

// An oscillator of frequency w loses the share 1 - 1 / (1 + w^2 dt^2) of its energy in each step of
// backward Euler, for any step: here w = pi c / L, with 25 and with 2 pi steps a period (w dt = 1:
// half of the energy a step).
TEST_P(MpmImplicit, BackwardEulerLosesItsShareOfEnergy)
{
  for (mpm::MaterialKind kind : { mpm::MaterialKind::FixedCorotated,
         mpm::MaterialKind::LinearElastic, mpm::MaterialKind::StVenantKirchhoff })
    for (double steps : { 25., 2 * M_PI })
    {
      SCOPED_TRACE(std::string(mpm::name(kind)) + ", steps a period: " + std::to_string(steps));
      Scene s = ringingBar(16, steps);
      s.integration = mpm::TimeIntegration::BackwardEuler;
      s.materials[0].kind = kind;
      s.implicit.hold_points = true;
      s.implicit.newton_tolerance = mixed() ? 1e-5 : 1e-9;
      auto run = simulate(s);
      run.advanceTo(1); // the first step puts the points' velocities on the nodes
      const double begin = energy(run.statistics());
      const int count = steps > 10 ? 40 : 6;
      run.advanceTo(1 + count);
      const double w = 2 * M_PI / steps, loss = std::log(energy(run.statistics()) / begin) / count;
      EXPECT_NEAR(loss / -std::log(1 + w * w), 1, 0.03);
    }
}

// Steps of up to thirty times the explicit bound, strains of 3 %: no step gains energy, and the bar
// comes to rest. The midpoint rule keeps the energy of the same bar.
TEST_P(MpmImplicit, BackwardEulerNeverGainsEnergy)
{
  for (mpm::MaterialKind kind : { mpm::MaterialKind::Corotated, mpm::MaterialKind::FixedCorotated,
         mpm::MaterialKind::NeoHookean, mpm::MaterialKind::LinearElastic,
         mpm::MaterialKind::StVenantKirchhoff })
    for (double steps : { 12., 1. })
    {
      SCOPED_TRACE(std::string(mpm::name(kind)) + ", steps a period: " + std::to_string(steps));
      Scene s = ringingBar(16, steps, 0.03);
      s.integration = mpm::TimeIntegration::BackwardEuler;
      s.materials[0].kind = kind;
      s.materials[0].poissons_ratio = 0.3;
      s.implicit.hold_points = true;
      s.implicit.newton_tolerance = mixed() ? 1e-4 : 1e-8;
      s.implicit.cg_most = 2000;
      auto run = simulate(s);
      run.advanceTo(1);
      const double begin = energy(run.statistics());
      double last = begin;
      for (int k = 2; k <= 30; ++k)
      {
        run.advanceTo(k);
        const double now = energy(run.statistics());
        ASSERT_LT(now, last + 1e-5 * begin) << k;
        last = now;
      }
      EXPECT_LT(last, 0.1 * begin);
    }
}

// Errors against fine explicit steps: of first order for backward Euler, of second for the midpoint
// rule. Points are held, so that the transfers do not add theirs.
TEST_P(MpmImplicit, OrdersOfTheIntegrators)
{
  if (mixed())
    GTEST_SKIP() << "rounding hides the order in single precision";
  const auto modeAt = [&](mpm::TimeIntegration integration, double steps) {
    Scene s = ringingBar(8, steps);
    s.integration = integration;
    s.implicit.hold_points = true;
    s.implicit.newton_tolerance = 1e-10;
    s.implicit.cg_tolerance = 1e-8;
    auto run = simulate(s);
    run.advanceTo(static_cast<std::uint64_t>(steps / 4)); // a quarter of a period
    return run.statistics().elastic_energy;
  };
  for (mpm::TimeIntegration integration :
    { mpm::TimeIntegration::ImplicitMidpoint, mpm::TimeIntegration::BackwardEuler })
  {
    const double fine = modeAt(mpm::TimeIntegration::ImplicitMidpoint, 1024),
                 a = std::fabs(modeAt(integration, 64) - fine),
                 b = std::fabs(modeAt(integration, 128) - fine);
    const double order = std::log2(a / b);
    EXPECT_NEAR(order, integration == mpm::TimeIntegration::BackwardEuler ? 1 : 2, 0.25)
      << mpm::name(integration);
  }
}

// Gradient and Hessian products on the grid against central differences, far from rest: strains of
// 0.2.
TEST_P(MpmImplicit, DerivativesAgreeWithDifferences)
{
  for (mpm::Spline spline : { mpm::Spline::Quadratic, mpm::Spline::Cubic })
    for (mpm::MaterialKind kind : { mpm::MaterialKind::Corotated, mpm::MaterialKind::FixedCorotated,
           mpm::MaterialKind::NeoHookean, mpm::MaterialKind::Fluid,
           mpm::MaterialKind::LinearElastic, mpm::MaterialKind::StVenantKirchhoff })
    {
      SCOPED_TRACE(std::string(mpm::name(spline)) + " " + mpm::name(kind));
      Scene s = softScene();
      s.integration = kind == mpm::MaterialKind::NeoHookean
        ? mpm::TimeIntegration::BackwardEuler
        : mpm::TimeIntegration::ImplicitMidpoint;
      const double share = std::pow(mpm::implicitTime(s.integration), 2);
      s.spline = spline;
      s.materials[0].kind = kind;
      s.domain.border[4] = mpm::Border::Stick;
      s.points = mpm::fillBox({ 0.3, 0.3, 0 }, { 0.6, 0.6, 0.3 }, s.grid_spacing, 2, 0.5, 3);
      auto run = simulate(s), untouched = simulate(s);
      const double dt = 0.01;
      const mpm::DerivativeErrors e = run.derivativeErrors(dt, 0.2 * s.grid_spacing / (share * dt));
      EXPECT_LT(e.gradient, mixed() ? 1e-2 : 1e-7);
      EXPECT_LT(e.product, mixed() ? 1e-2 : 1e-7);
      EXPECT_LT(e.symmetry, mixed() ? 1e-4 : 1e-11);
      EXPECT_EQ(firstDifference(run.frame(), untouched.frame()), "");
    }
}

TEST_P(MpmImplicit, NewtonConvergesQuadratically)
{
  for (mpm::MaterialKind kind : { mpm::MaterialKind::Corotated, mpm::MaterialKind::FixedCorotated,
         mpm::MaterialKind::NeoHookean, mpm::MaterialKind::StVenantKirchhoff })
  {
    Scene s = ringingBar(8, 12, 0.05);
    s.materials[0].kind = kind;
    s.materials[0].poissons_ratio = 0.3;
    s.implicit.newton_tolerance = mixed() ? 1e-4 : 1e-11;
    s.implicit.cg_tolerance = mixed() ? 1e-4 : 1e-10;
    s.implicit.cg_most = 2000;
    auto run = simulate(s);
    run.advanceTo(2);
    const std::vector<double>& r = run.newtonResiduals();
    ASSERT_GE(r.size(), 2u);
    EXPECT_LE(r.size(), 9u);
    EXPECT_LT(r.back(), (mixed() ? 1e-3 : 1e-10) * r.front());
    if (mixed())
      continue;
    // the order, which comes to 2 from below, of the last step that rounding does not bound:
    // log(r[k+1] / r[k]) / log(r[k] / r[k-1])
    double order = 0;
    for (std::size_t k = 2; k < r.size(); ++k)
      if (r[k] > 1e-11 * r[0] && r[k - 1] < 0.1 * r[0])
        order = std::max(order, std::log(r[k] / r[k - 1]) / std::log(r[k - 1] / r[k - 2]));
    ASSERT_GT(r.size(), 3u) << mpm::name(kind);
    EXPECT_GT(order, 1.6) << mpm::name(kind);
  }
}

// Conjugate gradients that stop after two products: the step is not solved, but momentum is kept.
TEST_P(MpmImplicit, UnfinishedSolvesKeepMomentum)
{
  Scene s = softScene();
  s.integration = mpm::TimeIntegration::ImplicitMidpoint;
  s.points = mpm::fillBox({ 0.3, 0.3, 0.3 }, { 0.6, 0.6, 0.6 }, s.grid_spacing, 2, 0.5, 3);
  setVelocity(s, [](const Vec3d& x) {
    return Vec3d{ 0.1 + std::sin(20 * x.y), 0.3 * std::cos(15 * x.z), x.x > 0.45 ? -0.5 : 0.2 };
  });
  s.time_step = s.output_interval = 0.008;
  s.implicit.cg_most = 2;
  s.implicit.newton_tolerance = 0.5;
  auto run = simulate(s);
  const mpm::Statistics before = run.statistics();
  run.advanceTo(10);
  const mpm::Statistics after = run.statistics();
  for (int k = 0; k < 3; ++k)
  {
    EXPECT_NEAR(after.momentum[k], before.momentum[k], (mixed() ? 3e-6 : 1e-13) * before.mass);
    EXPECT_NEAR(
      after.angular_momentum[k], before.angular_momentum[k], (mixed() ? 1e-3 : 1e-2) * before.mass);
  }
}

// Short implicit steps and short explicit ones tell the same story.
TEST_P(MpmImplicit, AgreesWithExplicitSteps)
{
  for (mpm::Spline spline : { mpm::Spline::Quadratic, mpm::Spline::Cubic })
  {
    Scene s = softScene(1. / 12);
    s.spline = spline;
    s.gravity = { 0, 0, -10 };
    s.domain.border[4] = mpm::Border::Separate;
    s.points = mpm::fillBox({ 0.33, 0.33, 0.05 }, { 0.66, 0.66, 0.5 }, s.grid_spacing, 2, 0, 3);
    s.output_interval = 0.02;
    auto explicit_run = simulate(s);
    explicit_run.advanceTo(5 * explicit_run.plan().steps_per_output);
    const mpm::Frame a = explicit_run.frame();
    for (mpm::TimeIntegration integration :
      { mpm::TimeIntegration::ImplicitMidpoint, mpm::TimeIntegration::BackwardEuler })
    {
      s.integration = integration;
      s.time_step = 1e-3;
      auto implicit_run = simulate(s);
      implicit_run.advanceTo(5 * implicit_run.plan().steps_per_output);
      const mpm::Frame b = implicit_run.frame();
      double most = 0;
      for (std::size_t i = 0; i < a.size; ++i)
        most = std::max(most, length(at3(a.position, i) - at3(b.position, i)));
      EXPECT_LT(most, 0.004) // it fell 0.05 m and bounces
        << mpm::name(spline) << " " << mpm::name(integration);
      EXPECT_GT(implicit_run.statistics().newton_iterations, 0u);
      EXPECT_GT(implicit_run.statistics().hessian_products, 0u);
    }
  }
}

TEST_P(MpmImplicit, SameBitsAndStates)
{
  for (mpm::TimeIntegration integration :
    { mpm::TimeIntegration::ImplicitMidpoint, mpm::TimeIntegration::BackwardEuler })
  {
    Scene s = ringingBar(8, 12, 0.01);
    s.integration = integration;
    auto one = simulate(s, 1), two = simulate(s, 2), rest = simulate(s, 2);
    one.advanceTo(12);
    two.advanceTo(5);
    rest.restore(two.save());
    two.advanceTo(12);
    rest.advanceTo(12);
    EXPECT_EQ(firstDifference(one.frame(), two.frame()), "");
    EXPECT_EQ(firstDifference(one.frame(), rest.frame()), "");
  }
}

// Steps of forty times the explicit bound make conjugate gradients' steps small, down to (h / c
// dt)^2, a two-thousandth, which single precision cuts to its digits, in the solution and the
// residual alike. It finds what double precision finds, with at most twice the products (directions
// stay conjugate for fewer rounds).
TEST_P(MpmImplicit, SinglePrecisionSolvesAsDouble)
{
  if (!mixed())
    GTEST_SKIP() << "single precision against double";
  Scene s = ringingBar(16, 0.75, 1e-3);
  s.implicit.newton_tolerance = 1e-4;
  s.implicit.cg_most = 2000;
  ASSERT_GT(s.time_step, 40 * s.grid_spacing / std::sqrt(kYoung / kDensity));
  auto cut = simulate(s);
  s.precision = mpm::Precision::Double;
  mpm::Simulation whole(s, { GetParam().device, 0 });
  cut.advanceTo(4);
  whole.advanceTo(4);
  const mpm::Frame a = cut.frame(), b = whole.frame();
  const double way = 1e-3 * kLength;
  for (std::size_t i = 0; i < 3 * a.size; ++i)
    ASSERT_NEAR(a.position[i], b.position[i], 0.02 * way) << i;
  EXPECT_LT(a.statistics.hessian_products, 2 * b.statistics.hessian_products);
  EXPECT_GT(b.statistics.hessian_products, 20u);
}

TEST_P(MpmImplicit, NoConvergenceIsAnError)
{
  Scene s = ringingBar(8, 4, 0.2);
  s.implicit.newton_most = 1;
  s.implicit.newton_tolerance = 1e-12;
  s.implicit.cg_most = 1;
  auto run = simulate(s), fresh = simulate(s);
  const std::string e = errorOf([&] { run.advanceTo(5); });
  EXPECT_MENTIONS(e, "does not converge");
  EXPECT_MENTIONS(e, "NewtonTolerance");
  EXPECT_EQ(run.step(), 0u);
  EXPECT_EQ(firstDifference(run.frame(), fresh.frame()), "");
}

} // namespace
