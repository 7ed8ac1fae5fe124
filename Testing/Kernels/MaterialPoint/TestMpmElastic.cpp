// Linear elasticity and the St. Venant-Kirchhoff material against closed forms: stresses, energies,
// tangents, speeds of waves, and their known limits.
#include "MpmEigen.h"
#include "MpmSupport.h"

#include "MaterialPoint/Constitutive.cuh"

#include <Eigen/Dense>

namespace
{

using namespace test;
using mpm::MaterialKind;
using mpm::Scene;

using Matrix = Eigen::Matrix3d;

constexpr double kYoung = 1000, kPoisson = 0.25, kMu = kYoung / (2 * (1 + kPoisson)),
                 kLambda = kYoung * kPoisson / ((1 + kPoisson) * (1 - 2 * kPoisson));

mpm::MaterialParameters<double> parameters(MaterialKind kind)
{
  mpm::Material m;
  m.kind = kind;
  m.youngs_modulus = kYoung;
  m.poissons_ratio = kPoisson;
  return mpm::materialParameters<double>(m);
}

/// tau of a point with deformation gradient f.
Matrix stress(MaterialKind kind, const Matrix& f)
{
  auto m = toMatrix(f);
  double plastic = 0;
  const auto r = mpm::respond(parameters(kind), {}, m, plastic);
  EXPECT_TRUE(r.good);
  return toEigen(r.tau.full());
}

/// P of textbooks: Meyer 2019, eq. 36 and 38, and F S with S = 2 mu E + lambda tr(E) 1.
Matrix firstStress(MaterialKind kind, const Matrix& f)
{
  const Matrix one = Matrix::Identity();
  if (kind == MaterialKind::LinearElastic)
  {
    const Matrix e = (f + f.transpose()) / 2 - one;
    return 2 * kMu * e + kLambda * e.trace() * one;
  }
  const Matrix e = (f.transpose() * f - one) / 2;
  return f * (2 * kMu * e + kLambda * e.trace() * one);
}

Matrix randomMatrix(std::mt19937_64& random, double size)
{
  std::uniform_real_distribution<double> u(-size, size);
  Matrix m;
  for (int k = 0; k < 9; ++k)
    m(k / 3, k % 3) = u(random);
  return m;
}

const MaterialKind kBoth[] = { MaterialKind::LinearElastic, MaterialKind::StVenantKirchhoff };

TEST(MpmElastic, StretchAndShearInClosedForm)
{
  for (double s : { 0.8, 1.0, 1.3 })
  {
    const Matrix f = Eigen::Vector3d(s, 1, 1).asDiagonal();
    const Matrix linear = stress(MaterialKind::LinearElastic, f),
                 venant = stress(MaterialKind::StVenantKirchhoff, f);
    EXPECT_NEAR(linear(0, 0), (kLambda + 2 * kMu) * (s - 1) * s, 1e-10);
    EXPECT_NEAR(linear(1, 1), kLambda * (s - 1), 1e-10);
    EXPECT_NEAR(venant(0, 0), (kLambda + 2 * kMu) * (s * s - 1) / 2 * s * s, 1e-10);
    EXPECT_NEAR(venant(2, 2), kLambda * (s * s - 1) / 2, 1e-10);
  }
  for (double g : { 0.1, 0.7 })
  {
    Matrix f = Matrix::Identity();
    f(0, 1) = g;
    const Matrix linear = stress(MaterialKind::LinearElastic, f),
                 venant = stress(MaterialKind::StVenantKirchhoff, f);
    EXPECT_NEAR(linear(0, 1), kMu * g, 1e-10);
    EXPECT_NEAR(linear(0, 0), kMu * g * g, 1e-10);
    const double volume = kLambda * g * g / 2; // S: xx = volume, xy = mu g, yy = mu g^2 + volume
    EXPECT_NEAR(venant(0, 0), volume + 2 * g * kMu * g + g * g * (kMu * g * g + volume), 1e-10);
    EXPECT_NEAR(venant(0, 1), kMu * g + g * (kMu * g * g + volume), 1e-10);
    EXPECT_NEAR(venant(1, 1), kMu * g * g + volume, 1e-10);
  }
}

// P is the derivative of the energy, tau the symmetric part of P F^T, and the tangent of the
// implicit solver the derivative of P.
TEST(MpmElastic, StressAndTangentAreDerivatives)
{
  std::mt19937_64 random(3);
  for (MaterialKind kind : kBoth)
    for (int trial = 0; trial < 100; ++trial)
    {
      const auto m = parameters(kind);
      const Matrix f = Matrix::Identity() + randomMatrix(random, 0.3),
                   way = randomMatrix(random, 1), p = firstStress(kind, f);
      const double e = 1e-5;
      Matrix slope;
      for (int k = 0; k < 9; ++k)
      {
        Matrix d = Matrix::Zero();
        d(k / 3, k % 3) = e;
        slope(k / 3, k % 3) =
          (mpm::energyDensity(m, toMatrix(f + d)) - mpm::energyDensity(m, toMatrix(f - d))) /
          (2 * e);
      }
      ASSERT_LT((slope - p).cwiseAbs().maxCoeff(), 1e-5) << mpm::name(kind);
      const Matrix t = p * f.transpose();
      if (f.determinant() > 0.1)
      {
        ASSERT_LT((stress(kind, f) - (t + t.transpose()) / 2).cwiseAbs().maxCoeff(), 1e-10);
      }
      const Matrix expected =
        (firstStress(kind, f + e * way) - firstStress(kind, f - e * way)) / (2 * e);
      Matrix computed;
      if (kind == MaterialKind::LinearElastic)
      {
        ASSERT_LT((toEigen(mpm::linearStress(m, toMatrix(f))) - p).cwiseAbs().maxCoeff(), 1e-10);
        computed = toEigen(mpm::change(mpm::principalTangent(m, { 1, 1, 1 }), toMatrix(way)));
      }
      else
      {
        const auto d = mpm::svd(toMatrix(f));
        const Matrix u = toEigen(d.u), v = toEigen(d.v);
        computed = u *
          toEigen(
            mpm::change(mpm::principalTangent(m, d.s), toMatrix(Matrix(u.transpose() * way * v)))) *
          v.transpose();
      }
      ASSERT_LT((computed - expected).cwiseAbs().maxCoeff(), 1e-5) << mpm::name(kind);
    }
}

// The stiffness of respond() is an upper bound of the acoustic tensor n.(dP/dF)(. F^-T n ..) in all
// directions, and lambda + 2 mu at rest.
TEST(MpmElastic, NoWaveIsFasterThanTheBound)
{
  std::mt19937_64 random(9);
  for (MaterialKind kind : kBoth)
    for (int trial = 0; trial < 60; ++trial)
    {
      const auto m = parameters(kind);
      const Matrix f = Matrix::Identity() + randomMatrix(random, trial ? 0.35 : 0.);
      if (f.determinant() < 0.1)
        continue;
      auto g = toMatrix(f);
      double plastic = 0, most = 0;
      const double bound = mpm::respond(m, {}, g, plastic).stiffness;
      for (int k = 0; k < 200; ++k)
      {
        const Eigen::Vector3d n =
          (k == 0 ? Eigen::Vector3d(1, 0, 0) : Eigen::Vector3d(randomMatrix(random, 1).col(0)))
            .normalized();
        Matrix acoustic; // column a: change of P along e_a (F^T n)^T, times F^T n
        const Eigen::Vector3d material_n = f.transpose() * n;
        for (int a = 0; a < 3; ++a)
        {
          const Matrix d = 1e-6 * Eigen::Vector3d::Unit(a) * material_n.transpose();
          acoustic.col(a) =
            (firstStress(kind, f + d) - firstStress(kind, f - d)) / 2e-6 * material_n;
        }
        most = std::max(most,
          Eigen::SelfAdjointEigenSolver<Matrix>((acoustic + acoustic.transpose()) / 2)
            .eigenvalues()
            .maxCoeff());
      }
      EXPECT_LT(most, bound * (1 + 1e-6)) << mpm::name(kind);
      if (trial == 0)
      {
        EXPECT_NEAR(bound, kLambda + 2 * kMu, 1e-6 * kYoung);
        EXPECT_NEAR(most, kLambda + 2 * kMu, 1e-6 * kYoung);
      }
    }
}

// The limits that the panel states: a rotation by an angle a gives linear elasticity the pressure
// 2 (lambda + mu) (1 - cos a) in its plane, and St. Venant-Kirchhoff nothing; under uniaxial
// compression the latter is strongest at the stretch 1 / sqrt(3), and an inversion is a fault.
TEST(MpmElastic, KnownLimits)
{
  const double a = 0.5;
  const Matrix turn = Eigen::AngleAxisd(a, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  const Matrix p = firstStress(MaterialKind::LinearElastic, turn);
  EXPECT_NEAR(p(0, 0), -2 * (kLambda + kMu) * (1 - std::cos(a)), 1e-10);
  EXPECT_NEAR(stress(MaterialKind::LinearElastic, turn)(0, 0), p(0, 0) * std::cos(a), 1e-10);
  EXPECT_LT(stress(MaterialKind::StVenantKirchhoff, turn).cwiseAbs().maxCoeff(), 1e-10);

  const auto m = parameters(MaterialKind::StVenantKirchhoff);
  const auto push = [&](double s) { return -mpm::principalTangent(m, { 1., 1., s }).first.z; };
  const double strongest = 1 / std::sqrt(3.);
  EXPECT_NEAR(push(strongest), (kLambda + 2 * kMu) / std::sqrt(27.), 1e-10);
  EXPECT_GT(push(strongest), push(strongest + 0.05));
  EXPECT_GT(push(strongest), push(strongest - 0.05));
  EXPECT_NEAR(mpm::principalTangent(m, { 1., 1., strongest }).normal.zz, 0, 1e-9);
  auto inverted = mpm::Matrix3<double>::diagonal(1, 1, -0.5);
  double plastic = 0;
  EXPECT_FALSE(mpm::respond(m, {}, inverted, plastic).good);
  EXPECT_TRUE(mpm::respond(parameters(MaterialKind::LinearElastic), {}, inverted, plastic).good);
}

class MpmElasticRuns : public MpmTest
{
};
PARAGRAIN_ON_ALL_BACKENDS(MpmElasticRuns);

Scene jelly()
{
  Scene s = softScene(1. / 12);
  s.gravity = { 0, 0, -10 };
  s.domain.border[4] = mpm::Border::Separate;
  s.points = mpm::fillBox({ 0.33, 0.33, 0.05 }, { 0.66, 0.66, 0.5 }, s.grid_spacing, 2, 0.3, 3);
  s.output_interval = 0.02;
  return s;
}

// Materials without an asymmetric stress do not notice the load that carries one.
TEST_P(MpmElasticRuns, AnUnusedLinearMaterialChangesNothing)
{
  Scene s = jelly();
  auto alone = simulate(s);
  s.materials.push_back(s.materials[0]);
  s.materials[1].kind = MaterialKind::LinearElastic;
  auto beside = simulate(s);
  alone.advanceTo(3 * alone.plan().steps_per_output);
  beside.advanceTo(3 * beside.plan().steps_per_output);
  const Apart d = apart(alone.frame(), beside.frame());
  EXPECT_LT(d.place, mixed() ? 1e-6 : 1e-14);
  EXPECT_LT(d.speed, mixed() ? 1e-4 : 1e-12);
}

// A block falls, hits the floor and rebounds, by explicit and by implicit steps; strains of some
// per cent. A run gives the same bits on any number of threads, saved or not.
TEST_P(MpmElasticRuns, ExplicitAndImplicitAgree)
{
  for (MaterialKind kind : kBoth)
  {
    SCOPED_TRACE(mpm::name(kind));
    Scene s = jelly();
    s.materials[0].kind = kind;
    auto by_explicit = simulate(s, 1), again = simulate(s, 2), rest = simulate(s, 2);
    by_explicit.advanceTo(5 * by_explicit.plan().steps_per_output);
    again.advanceTo(20);
    rest.restore(again.save());
    again.advanceTo(5 * again.plan().steps_per_output);
    rest.advanceTo(5 * again.plan().steps_per_output);
    EXPECT_EQ(firstDifference(by_explicit.frame(), again.frame()), "");
    EXPECT_EQ(firstDifference(by_explicit.frame(), rest.frame()), "");
    for (mpm::TimeIntegration integration :
      { mpm::TimeIntegration::ImplicitMidpoint, mpm::TimeIntegration::BackwardEuler })
    {
      Scene t = s;
      t.integration = integration;
      t.time_step = 1e-3;
      auto by_implicit = simulate(t);
      by_implicit.advanceTo(5 * by_implicit.plan().steps_per_output);
      EXPECT_LT(apart(by_explicit.frame(), by_implicit.frame()).place, 0.004)
        << mpm::name(integration);
    }
    const mpm::Statistics now = by_explicit.statistics();
    EXPECT_GT(now.elastic_energy, 0);
  }
}

// A clamped beam under its own weight sags by w L^4 / (8 E I), w = rho g A, and by shear w L^2 / (2
// k G A), k = 5/6 (Timoshenko). With four cells across, the border holds the beam from some 0.4
// cells inside it on, so it sags 10 % more; all laws agree at these slopes of 0.02.
TEST_P(MpmElasticRuns, ABeamSags)
{
  if (!mixed())
    GTEST_SKIP() << "single precision suffices";
  const double h = 1. / 16, length = 1, high = 4 * h, young = 2e6, density = 1000, g = 1;
  const double bend = density * g * std::pow(length, 4) / (8 * young * high * high / 12),
               shear = density * g * length * length / (2 * 5. / 6 * young / 2);
  std::vector<double> sags;
  for (MaterialKind kind :
    { MaterialKind::FixedCorotated, MaterialKind::LinearElastic, MaterialKind::StVenantKirchhoff })
  {
    Scene s;
    s.grid_spacing = h;
    s.materials[0].kind = kind;
    s.materials[0].youngs_modulus = young;
    s.materials[0].poissons_ratio = 0;
    s.materials[0].density = density;
    s.gravity = { 0, 0, -g };
    s.domain.lower = { 0, 0, 0 };
    s.domain.upper = { length + 6 * h, 2 * h, 16 * h };
    s.domain.border[0] = mpm::Border::Stick;
    s.points = mpm::fillBox({ 0, 0, 6 * h }, { length, 2 * h, 6 * h + high }, h, 2, 0, 1);
    s.integration = mpm::TimeIntegration::BackwardEuler; // comes to rest
    s.implicit.newton_tolerance = 1e-4;
    s.implicit.cg_most = 2000;
    s.time_step = s.output_interval = 0.1; // w dt = 1.1: a step leaves less than half of the energy
    s.end_time = 10;
    auto run = simulate(s);
    const mpm::Frame a = run.frame();
    run.advanceTo(20);
    const mpm::Frame b = run.frame();
    double sag = 0;
    int tips = 0;
    for (std::size_t i = 0; i < a.size; ++i)
      if (a.position[3 * i] > length - 0.5 * h)
      {
        sag += a.position[3 * i + 2] - b.position[3 * i + 2];
        ++tips;
      }
    sags.push_back(sag / tips);
    EXPECT_NEAR(sags.back() / (bend + shear), 1.07, 0.05) << mpm::name(kind);
    EXPECT_NEAR(sags.back() / sags.front(), 1, 0.02) << mpm::name(kind);
  }
}

} // namespace
