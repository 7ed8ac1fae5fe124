// 3 x 3 decompositions and constitutive models against Eigen, closed forms and finite differences.
#include "MpmEigen.h"
#include "MpmSupport.h"

#include "MaterialPoint/Constitutive.cuh"
#include "MaterialPoint/MatrixBatch.h"
#include "MaterialPoint/SplineWeights.cuh"

#include <Eigen/Dense>

namespace
{

using namespace test;

using Matrix = Eigen::Matrix3d;

class MpmMatrix : public MpmTest
{
};
PARAGRAIN_ON_ALL_BACKENDS(MpmMatrix);

Matrix randomMatrix(std::mt19937_64& random)
{
  std::uniform_real_distribution<double> u(-1, 1);
  Matrix m;
  for (int k = 0; k < 9; ++k)
    m(k / 3, k % 3) = u(random);
  return m;
}

Matrix randomRotation(std::mt19937_64& random)
{
  std::normal_distribution<double> g;
  return Eigen::Quaterniond(g(random), g(random), g(random), g(random))
    .normalized()
    .toRotationMatrix();
}

// Random ones, and every way to be degenerate: of rank 2, 1, 0, with equal singular values,
// inverted, nearly singular, of any scale.
std::vector<Matrix> hardMatrices(std::size_t n)
{
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> u(0, 1);
  std::vector<Matrix> all;
  while (all.size() < n)
  {
    const std::size_t k = all.size() % 16;
    Matrix m = randomMatrix(random);
    const auto with = [&](double a, double b, double c) {
      return Matrix(
        randomRotation(random) * Eigen::Vector3d(a, b, c).asDiagonal() * randomRotation(random));
    };
    switch (k)
    {
      case 7:
        m = with(1 + u(random), 0.4 + u(random),
          0.4 + u(random)); // strains that solids bear, turned anyhow
        break;
      case 8:
        m.col(2) = m.col(0) * u(random) + m.col(1);
        break;
      case 9:
        m = m.col(0) * m.row(1);
        break;
      case 10:
        m = all.size() % 32 == 10 ? Matrix::Zero() : Matrix(Matrix::Identity() * (u(random) - 0.5));
        break;
      case 11:
        m = with(1, 1, u(random) < 0.5 ? 1 : -1);
        break;
      case 12:
        m = with(1 + u(random), u(random), -1e-3 * u(random));
        break;
      case 13:
        m = with(1, std::pow(10., -12 * u(random)), std::pow(10., -14 * u(random)));
        break;
      case 14:
        m *= std::pow(10., 30 * u(random) - 15);
        break;
      case 15:
        m = Matrix::Identity() + 1e-6 * m; // where solids spend their time
        break;
      default:
        break;
    }
    all.push_back(m);
  }
  return all;
}

template <class Real>
Matrix readMatrix(const std::vector<Real>& from, std::size_t i)
{
  Matrix m;
  for (int k = 0; k < 9; ++k)
    m(k / 3, k % 3) = from[9 * i + k];
  return m;
}

// The largest errors of decompositions, relative to the size of the matrices.
template <class Real>
struct DecompositionErrors
{
  const std::vector<Real>& in;
  const mpm::MatrixBatch<Real>& out;
  double eps;
  double worst_value = 0, worst_product = 0, worst_unit = 0, worst_polar = 0, worst_rotation = 0,
         worst_left = 0, worst_near = 0, worst_near_unit = 0;
  std::size_t signs = 0, near_wanted = 0, near_missed = 0, near_inverted = 0;

  // Compares matrix i with Eigen's decomposition.
  void compare(std::size_t i)
  {
    const Matrix a = readMatrix(in, i), u = readMatrix(out.u, i), v = readMatrix(out.v, i);
    const Eigen::Vector3d s(out.singular[3 * i], out.singular[3 * i + 1], out.singular[3 * i + 2]);
    const Eigen::JacobiSVD<Matrix> reference(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Eigen::Vector3d expected = reference.singularValues();
    const double size = expected[0], unit = size > 0 ? 1 / size : 1;
    // the sign of the last is that of the determinant, which Eigen's vectors tell better than its
    // own rounding; where it is rounding, any sign is right
    const double det = reference.matrixU().determinant() * reference.matrixV().determinant();
    const bool clear = expected[2] > 100 * eps * size;
    if (det < 0)
      expected[2] = -expected[2];
    if (!clear)
      expected[2] = std::fabs(expected[2]);
    const double last = clear ? s[2] : std::fabs(s[2]);
    signs += clear && s[2] * det < 0;
    worst_value = std::max({ worst_value, unit * std::fabs(s[0] - expected[0]),
      unit * std::fabs(s[1] - expected[1]), unit * std::fabs(last - expected[2]) });
    ASSERT_GE(s[0] + eps * size, s[1]);
    ASSERT_GE(s[1] + eps * size, std::fabs(s[2]));
    worst_product = std::max(
      worst_product, unit * (u * s.asDiagonal() * v.transpose() - a).cwiseAbs().maxCoeff());
    worst_unit =
      std::max({ worst_unit, (u * u.transpose() - Matrix::Identity()).cwiseAbs().maxCoeff(),
        std::fabs(u.determinant() - 1),
        (v * v.transpose() - Matrix::Identity()).cwiseAbs().maxCoeff(),
        std::fabs(v.determinant() - 1) });
    const Matrix r = readMatrix(out.r, i), p = readMatrix(out.s, i);
    worst_polar = std::max({ worst_polar, unit * (r * p - a).cwiseAbs().maxCoeff(),
      unit * (p - p.transpose()).cwiseAbs().maxCoeff() });
    worst_unit =
      std::max({ worst_unit, (r * r.transpose() - Matrix::Identity()).cwiseAbs().maxCoeff(),
        std::fabs(r.determinant() - 1) });
    compareRotations(i, reference, expected, det, r);
    compareLeft(i, a, s, unit);
  }

private:
  void compareRotations(std::size_t i, const Eigen::JacobiSVD<Matrix>& reference,
    const Eigen::Vector3d& expected, double det, const Matrix& r)
  {
    const double size = reference.singularValues()[0], unit = size > 0 ? 1 / size : 1;
    Matrix flip = Matrix::Identity();
    flip(2, 2) = det < 0 ? -1 : 1;
    const Matrix rotation = reference.matrixU() * flip * reference.matrixV().transpose();
    // the rotation itself, where it is unique and well conditioned
    if (expected[1] + expected[2] > 0.1 * size)
      worst_rotation = std::max(worst_rotation, 0.1 * (r - rotation).cwiseAbs().maxCoeff());
    // the quick way to it: where it says that it got there it is that rotation, and it gets there
    // where strains are moderate
    const Matrix near = readMatrix(out.near, i);
    const bool found = near != Matrix::Zero();
    if (found)
    {
      near_inverted += !(expected.prod() > 0);
      worst_near = std::max(
        worst_near, (expected[1] + expected[2]) * unit * (near - rotation).cwiseAbs().maxCoeff());
      worst_near_unit = std::max(
        { worst_near_unit, (near * near.transpose() - Matrix::Identity()).cwiseAbs().maxCoeff(),
          std::fabs(near.determinant() - 1) });
    }
    if (det > 0 && expected[0] < 2.9 && expected[2] > 0.35 && expected.prod() > 0.11 &&
      expected.prod() < 9.9)
    {
      ++near_wanted;
      near_missed += !found;
    }
  }
  void compareLeft(std::size_t i, const Matrix& a, const Eigen::Vector3d& s, double unit)
  {
    const Matrix l = readMatrix(out.left, i);
    for (int k = 0; k < 3; ++k)
      worst_left = std::max(worst_left,
        unit *
          std::fabs(std::fabs(out.left_singular[3 * i + k]) - std::fabs(out.singular[3 * i + k])));
    worst_left = std::max(worst_left,
      unit * unit *
        (l * Eigen::Vector3d(s[0] * s[0], s[1] * s[1], s[2] * s[2]).asDiagonal() * l.transpose() -
          a * a.transpose())
          .cwiseAbs()
          .maxCoeff());
  }
};

template <class Real>
void decompositionsAgreeWithEigen(const dem::Device& device, std::size_t n)
{
  const std::vector<Matrix> matrices = hardMatrices(n);
  std::vector<Real> in;
  in.reserve(9 * n);
  for (const Matrix& m : matrices)
    for (int k = 0; k < 9; ++k)
      in.push_back(static_cast<Real>(m(k / 3, k % 3)));
  const mpm::MatrixBatch<Real> out = mpm::decomposeMatrices(device, in);
  // in single precision on a device quotients and roots are good to 2 units in the last place
  const double eps = sizeof(Real) == 4 ? 4e-6 : 4e-15;
  DecompositionErrors<Real> e{ in, out, eps };
  for (std::size_t i = 0; i < n && !testing::Test::HasFatalFailure(); ++i)
    e.compare(i);
  EXPECT_EQ(e.signs, 0u);
  EXPECT_LT(e.worst_value, eps);
  EXPECT_LT(e.worst_product, eps);
  EXPECT_LT(e.worst_unit, eps);
  EXPECT_LT(e.worst_polar, eps);
  EXPECT_LT(e.worst_rotation, eps);
  EXPECT_LT(e.worst_left, 2 * eps);
  EXPECT_GT(e.near_wanted, n / 8);
  EXPECT_EQ(e.near_missed, 0u);
  EXPECT_EQ(e.near_inverted, 0u);
  EXPECT_LT(e.worst_near, eps);
  EXPECT_LT(e.worst_near_unit, eps);
}

TEST_P(MpmMatrix, DecompositionsAgreeWithEigen)
{
  const dem::Device device = dem::chooseDevice(GetParam().device);
  if (mixed())
    decompositionsAgreeWithEigen<float>(device, 1000000);
  else
    decompositionsAgreeWithEigen<double>(device, 1000000);
}

// ----
// constitutive models

const mpm::MaterialKind kElastic[] = { mpm::MaterialKind::Corotated,
  mpm::MaterialKind::FixedCorotated, mpm::MaterialKind::NeoHookean,
  mpm::MaterialKind::StVenantKirchhoff };

// The derivative of the energy density by the deformation gradient.
template <class Parameters>
Matrix stressOf(const Parameters& m, const Matrix& x)
{
  const auto d = mpm::svd(toMatrix(x));
  const auto first = mpm::principalTangent(m, d.s).first;
  return Matrix(toEigen(d.u) * Eigen::Vector3d(first.x, first.y, first.z).asDiagonal() *
    toEigen(d.v).transpose());
}

// P = d psi / d F by central differences of the energy, tau = P F^T, and dP along a direction by
// differences of P.
TEST(MpmConstitutive, StressesAreDerivativesOfTheEnergy)
{
  std::mt19937_64 random(4);
  mpm::Material material;
  material.youngs_modulus = 7;
  material.poissons_ratio = 0.3;
  for (mpm::MaterialKind kind : kElastic)
  {
    material.kind = kind;
    const auto m = mpm::materialParameters<double>(material);
    for (int trial = 0; trial < 200; ++trial)
    {
      const Matrix f0 = Matrix(Matrix::Identity() + 0.3 * randomMatrix(random)),
                   d0 = randomMatrix(random);
      if (f0.determinant() < 0.1)
        continue;
      const auto energy = [&](const Matrix& x) { return mpm::energyDensity(m, toMatrix(x)); };
      const auto stress = [&](const Matrix& x) { return stressOf(m, x); };
      const double e = 1e-5;
      Matrix by_difference;
      for (int k = 0; k < 9; ++k)
      {
        Matrix d = Matrix::Zero();
        d(k / 3, k % 3) = e;
        by_difference(k / 3, k % 3) = (energy(f0 + d) - energy(f0 - d)) / (2 * e);
      }
      const Matrix p = stress(f0);
      ASSERT_LT((p - by_difference).cwiseAbs().maxCoeff(), 2e-8) << mpm::name(kind);
      auto f = toMatrix(f0);
      double plastic = 0;
      const auto response = mpm::respond(m, {}, f, plastic);
      ASSERT_LT((toEigen(response.tau.full()) - p * f0.transpose()).cwiseAbs().maxCoeff(), 1e-12);
      const Matrix change = (stress(f0 + e * d0) - stress(f0 - e * d0)) / (2 * e);
      const auto d = mpm::svd(toMatrix(f0));
      const auto within = mpm::change(mpm::principalTangent(m, d.s),
        toMatrix(Matrix(toEigen(d.u).transpose() * d0 * toEigen(d.v))));
      const Matrix computed = toEigen(d.u) * toEigen(within) * toEigen(d.v).transpose();
      ASSERT_LT((change - computed).cwiseAbs().maxCoeff(), 1e-7) << mpm::name(kind);
    }
  }
  material.kind = mpm::MaterialKind::Fluid;
  material.bulk_modulus = 3;
  const auto m = mpm::materialParameters<double>(material);
  for (double j : { 0.8, 1.0, 1.1 })
  {
    auto f = mpm::Matrix3<double>::diagonal(j, 1, 1);
    double plastic = 0;
    const double e = 1e-6;
    const double slope = (mpm::energyDensity(m, mpm::Matrix3<double>::diagonal(j + e, 1, 1)) -
                           mpm::energyDensity(m, mpm::Matrix3<double>::diagonal(j - e, 1, 1))) /
      (2 * e);
    EXPECT_NEAR(mpm::respond(m, {}, f, plastic).tau.xx, slope * j, 1e-8);
    EXPECT_NEAR(-slope, 3. / 7 * (std::pow(j, -7) - 1), 1e-8);
  }
}

// Where singular values are equal the quotients of the tangent are 0 / 0: against differences of
// the stress, of corotated kinds also inverted ones.
TEST(MpmConstitutive, TheTangentHasNoHoles)
{
  std::mt19937_64 random(6);
  mpm::Material material;
  material.youngs_modulus = 7;
  material.poissons_ratio = 0.3;
  material.bulk_modulus = 3;
  for (mpm::MaterialKind kind :
    { kElastic[0], kElastic[1], kElastic[2], kElastic[3], mpm::MaterialKind::Fluid })
    for (const Eigen::Vector3d& s :
      { Eigen::Vector3d(1, 1, 1), Eigen::Vector3d(1.2, 1.2, 0.9), Eigen::Vector3d(1.1, 0.8, 0.8),
        Eigen::Vector3d(1.1, 0.9, 0.8), Eigen::Vector3d(1.1, 0.9, -0.3) })
    {
      material.kind = kind;
      const auto m = mpm::materialParameters<double>(material);
      if (s.z() < 0 && mpm::needsPositive(kind))
        continue;
      const Matrix f = randomRotation(random) * s.asDiagonal() * randomRotation(random).transpose(),
                   d0 = randomMatrix(random);
      const auto stress = [&](const Matrix& x) { return stressOf(m, x); };
      const double e = 1e-5;
      const Matrix expected = (stress(f + e * d0) - stress(f - e * d0)) / (2 * e);
      const auto d = mpm::svd(toMatrix(f));
      const auto within = mpm::change(mpm::principalTangent(m, d.s),
        toMatrix(Matrix(toEigen(d.u).transpose() * d0 * toEigen(d.v))));
      EXPECT_LT((toEigen(d.u) * toEigen(within) * toEigen(d.v).transpose() - expected)
                  .cwiseAbs()
                  .maxCoeff(),
        1e-7)
        << mpm::name(kind) << " " << s.transpose();
    }
}

// Three numbers hold a rotation, half turns too.
TEST(MpmConstitutive, RotationsInThreeNumbers)
{
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 1000; ++trial)
  {
    Matrix r = randomRotation(random);
    if (trial % 4 == 0)
    {
      const Eigen::Vector3d axis = r.col(0);
      r = Eigen::AngleAxisd(
        trial % 8 ? M_PI : M_PI * (1 - 1e-9), trial < 500 ? axis : Eigen::Vector3d::Unit(trial % 3))
            .toRotationMatrix();
    }
    const auto p = mpm::rotationParameters(toMatrix(r));
    EXPECT_LT(length(p), 1 + 1e-6);
    ASSERT_LT((toEigen(mpm::rotationMatrix(p)) - r).cwiseAbs().maxCoeff(), 1e-12);
  }
}

// Rotating a state rotates its stress; and small strains obey Hooke.
TEST(MpmConstitutive, ObjectiveAndHookean)
{
  std::mt19937_64 random(5);
  for (mpm::MaterialKind kind : { mpm::MaterialKind::Corotated, mpm::MaterialKind::FixedCorotated,
         mpm::MaterialKind::NeoHookean, mpm::MaterialKind::DruckerPrager,
         mpm::MaterialKind::VonMises, mpm::MaterialKind::StVenantKirchhoff })
  {
    mpm::Material material;
    material.kind = kind;
    material.youngs_modulus = 1000;
    material.poissons_ratio = 0.25;
    material.cohesion = 1e9; // stays elastic
    material.yield_stress = 1e9;
    const auto m = mpm::materialParameters<double>(material);
    const Matrix f0 = Matrix(Matrix::Identity() + 0.1 * randomMatrix(random)),
                 r = randomRotation(random);
    auto f = toMatrix(f0), g = toMatrix(r * f0);
    double plastic = 0;
    const Matrix a = toEigen(mpm::respond(m, {}, f, plastic).tau.full()),
                 b = toEigen(mpm::respond(m, {}, g, plastic).tau.full());
    EXPECT_LT((r * a * r.transpose() - b).cwiseAbs().maxCoeff(), 1e-10) << mpm::name(kind);
    const Matrix grad = 1e-6 * randomMatrix(random), strain = (grad + grad.transpose()) / 2;
    auto small = toMatrix(Matrix::Identity() + grad);
    const double mu = 1000 / 2.5, lambda = 1000 * 0.25 / (1.25 * 0.5);
    const Matrix hooke = 2 * mu * strain + lambda * strain.trace() * Matrix::Identity();
    EXPECT_LT(
      (toEigen(mpm::respond(m, {}, small, plastic).tau.full()) - hooke).cwiseAbs().maxCoeff(), 1e-8)
      << mpm::name(kind);
    EXPECT_EQ(plastic, 0);
  }
}

Matrix deviator(const Matrix& t) { return t - t.trace() / 3 * Matrix::Identity(); }
Matrix stretched(const Eigen::Vector3d& strain, std::mt19937_64& random)
{
  return randomRotation(random) *
    Eigen::Vector3d(std::exp(strain[0]), std::exp(strain[1]), std::exp(strain[2])).asDiagonal() *
    randomRotation(random);
}

// After a return the stress lies on the yield surface, told by its eigenvalues, and the volume has
// kept its size.
TEST(MpmConstitutive, SandReturnsToItsYieldSurface)
{
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> u(-0.1, 0.1);
  mpm::Material sand;
  sand.kind = mpm::MaterialKind::DruckerPrager;
  sand.youngs_modulus = 100;
  sand.poissons_ratio = 0.2;
  sand.friction_angle = 0.6;
  sand.cohesion = 0.5;
  const double sine = std::sin(0.6);
  for (mpm::SandYield surface : { mpm::SandYield::MohrCoulomb, mpm::SandYield::PlaneStrainCone,
         mpm::SandYield::CompressionCone })
  {
    SCOPED_TRACE(mpm::name(surface));
    sand.sand_yield = surface;
    const auto m = mpm::materialParameters<double>(sand);
    int flowed = 0, tipped = 0;
    for (int trial = 0; trial < 2000; ++trial)
    {
      const Matrix f0 = stretched({ u(random), u(random), u(random) }, random);
      auto f = toMatrix(f0);
      double plastic = 0;
      const Matrix tau = toEigen(mpm::respond(m, {}, f, plastic).tau.full());
      const Eigen::Vector3d s =
        Eigen::SelfAdjointEigenSolver<Matrix>(tau).eigenvalues(); // ascending, tension positive
      const double pressure = -tau.trace() / 3;
      double yield;
      if (surface ==
        mpm::SandYield::MohrCoulomb) // largest shear stress against the mean of the outer two
        yield = (s[2] - s[0]) / 2 + (s[2] + s[0]) / 2 * sine - 0.5;
      else if (surface == mpm::SandYield::PlaneStrainCone)
        yield = deviator(tau).norm() - std::sqrt(2.) * (sine * pressure + 0.5);
      else
        yield = deviator(tau).norm() - std::sqrt(2. / 3) * 6 * sine / (3 - sine) * pressure -
          std::sqrt(2.) * 0.5;
      EXPECT_LT(yield, 1e-10);
      EXPECT_NEAR(determinant(f), f0.determinant(), 1e-12);
      if (plastic > 0)
      {
        ++flowed;
        EXPECT_NEAR(yield, 0, 1e-10);
        tipped += deviator(tau).norm() < 1e-12;
      }
    }
    EXPECT_GT(flowed, 100);
    EXPECT_GT(tipped, 10);
  }
  // triaxial compression is where cone and pyramid of Klar meet, shear at constant volume where the
  // other cone does
  sand.cohesion = 0;
  const auto strength = [&](mpm::SandYield surface, const Eigen::Vector3d& deviatoric) {
    sand.sand_yield = surface;
    auto f = toMatrix(stretched(deviatoric - Eigen::Vector3d::Constant(0.02), random));
    double plastic = 0;
    return deviator(
      toEigen(mpm::respond(mpm::materialParameters<double>(sand), {}, f, plastic).tau.full()))
      .norm();
  };
  const Eigen::Vector3d compression(0.1, 0.1, -0.2), shear(0.2, 0, -0.2);
  EXPECT_NEAR(strength(mpm::SandYield::CompressionCone, compression),
    strength(mpm::SandYield::MohrCoulomb, compression), 1e-10);
  EXPECT_NEAR(strength(mpm::SandYield::PlaneStrainCone, shear),
    strength(mpm::SandYield::MohrCoulomb, shear), 1e-10);
  EXPECT_GT(strength(mpm::SandYield::CompressionCone, shear),
    1.2 * strength(mpm::SandYield::MohrCoulomb, shear));
}

// Friction of a law with a rate: the stress that is left and the rate of what has flowed obey
// mu(I), and at rest the law is that without one.
TEST(MpmConstitutive, FastSandHasTheFrictionOfItsInertialNumber)
{
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> u(-0.05, 0.05), exponent(-8, -1);
  mpm::Material sand;
  sand.kind = mpm::MaterialKind::DruckerPrager;
  sand.density = 1500;
  sand.youngs_modulus = 1e6;
  sand.poissons_ratio = 0.2;
  sand.friction_angle = 0.4;
  mpm::Material fast = sand;
  fast.grain_diameter = 1e-3;
  fast.fast_friction_angle = 0.7;
  fast.inertial_number = 0.3;
  const double mu = 1e6 / 2.4;
  for (mpm::SandYield surface : { mpm::SandYield::MohrCoulomb, mpm::SandYield::PlaneStrainCone,
         mpm::SandYield::CompressionCone })
  {
    SCOPED_TRACE(mpm::name(surface));
    for (double cohesion : { 0., 50. })
    {
      sand.sand_yield = fast.sand_yield = surface;
      sand.cohesion = fast.cohesion = cohesion;
      const auto with = mpm::materialParameters<double>(fast),
                 without = mpm::materialParameters<double>(sand);
      int flowed = 0, quick = 0;
      for (int trial = 0; trial < 1000; ++trial)
      {
        const Eigen::Vector3d strain(u(random) - 0.01, u(random) - 0.01, u(random) - 0.01);
        const double dt = std::pow(10, exponent(random));
        auto f = toMatrix(stretched(strain, random)), g = f;
        double plastic = 0, none = 0;
        const Matrix tau = toEigen(mpm::respond(with, {}, f, plastic, dt).tau.full());
        const double least =
          deviator(toEigen(mpm::respond(without, {}, g, none).tau.full())).norm();
        EXPECT_GE(deviator(tau).norm(), least * (1 - 1e-9));
        if (!(plastic > 0) || !(tau.trace() < 0))
          continue;
        ++flowed;
        // simple shear of rate g has a deviator of norm g / sqrt(2); the plastic strain is
        // sqrt(2/3) of the norm
        const double rate = std::sqrt(2.) * plastic / std::sqrt(2. / 3) / dt,
                     pressure = -tau.trace() / 3;
        const double inertial = rate * 1e-3 * std::sqrt(1500 / 0.6 / pressure);
        const double sine = std::sin(0.4) + (std::sin(0.7) - std::sin(0.4)) / (0.3 / inertial + 1);
        quick += sine > 0.5 * (std::sin(0.4) + std::sin(0.7));
        const Eigen::Vector3d s = Eigen::SelfAdjointEigenSolver<Matrix>(tau).eigenvalues();
        double limit, shear;
        if (surface == mpm::SandYield::MohrCoulomb)
        {
          shear = (s[2] - s[0]) / 2;
          limit = cohesion - (s[2] + s[0]) / 2 * sine;
        }
        else
        {
          shear = deviator(tau).norm();
          limit = std::sqrt(2.) * cohesion +
            (surface == mpm::SandYield::PlaneStrainCone
                ? std::sqrt(2.) * sine
                : std::sqrt(2. / 3) * 6 * sine / (3 - sine)) *
              pressure;
        }
        EXPECT_NEAR(shear, limit, 1e-7 * mu * strain.norm());
        // the flow of the step can be told from where it has ended, and returned once more it ends
        // there again
        if (sine > 0.1 * std::sin(0.4) + 0.9 * std::sin(0.7))
          continue;
        const double told =
          mpm::detail::flowOfSand(with, dt, mpm::detail::mapLog(mpm::leftDecomposition(f).s));
        EXPECT_NEAR(told, plastic, 1e-6 * plastic + 1e-9);
        auto again = f;
        double sum = plastic;
        const Matrix twice = toEigen(mpm::respond(with, {}, again, sum, dt, told).tau.full());
        EXPECT_NEAR(sum, plastic, 1e-6 * plastic + 1e-9);
        EXPECT_LT((twice - tau).norm(), 1e-6 * tau.norm());
      }
      EXPECT_GT(flowed, 100);
      EXPECT_GT(quick, 20);
      EXPECT_LT(quick, flowed - 20);
    }
  }
}

// Torn open by 10 % and closed again: no stress on the way, and the pressure of a volume only where
// there is less of it than at rest.
TEST(MpmConstitutive, OpenedSandClosesBeforeItBears)
{
  mpm::Material sand;
  sand.kind = mpm::MaterialKind::DruckerPrager;
  sand.youngs_modulus = 100;
  sand.poissons_ratio = 0.2;
  const auto m = mpm::materialParameters<double>(sand);
  auto f = mpm::Matrix3<double>::identity();
  double plastic = 0;
  const auto step = [&](double ratio) {
    const double edge = std::cbrt(ratio);
    f = mpm::Matrix3<double>::diagonal(edge, edge, edge) * f;
    return toEigen(mpm::respond(m, {}, f, plastic).tau.full());
  };
  for (int k = 0; k < 10; ++k)
    EXPECT_EQ(step(1.01).norm(), 0);
  EXPECT_NEAR(determinant(f), std::pow(1.01, 10), 1e-12);
  EXPECT_EQ(mpm::energyDensity(m, f), 0);
  for (int k = 0; k < 9; ++k)
    EXPECT_EQ(step(1 / 1.01).norm(), 0);
  EXPECT_LT(step(0.99 / 1.01).trace(), 0);
  // Hencky: p = K ln(1 / J), K = E / (3 (1 - 2 nu))
  EXPECT_NEAR(step(1).trace() / 3, 100 / 1.8 * std::log(0.99), 1e-9);
  // far apart it forgets how far
  for (int k = 0; k < 200; ++k)
    step(1.05);
  EXPECT_NEAR(determinant(f), 2, 1e-9);
}

TEST(MpmConstitutive, MetalReturnsToItsYieldStress)
{
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> u(-0.1, 0.1);
  mpm::Material metal;
  metal.kind = mpm::MaterialKind::VonMises;
  metal.youngs_modulus = 100;
  metal.poissons_ratio = 0.3;
  metal.yield_stress = 1;
  metal.hardening_modulus = 10;
  const auto m = mpm::materialParameters<double>(metal);
  int flowed = 0;
  for (int trial = 0; trial < 2000; ++trial)
  {
    const Matrix f0 = stretched({ u(random), u(random), u(random) }, random);
    auto f = toMatrix(f0);
    double plastic = 0;
    const Matrix tau = toEigen(mpm::respond(m, {}, f, plastic).tau.full());
    const double mises = std::sqrt(1.5) * deviator(tau).norm(), yield = 1 + 10 * plastic;
    EXPECT_LT(mises, yield + 1e-10);
    EXPECT_NEAR(determinant(f), f0.determinant(), 1e-12);
    if (plastic > 0)
    {
      ++flowed;
      EXPECT_NEAR(mises, yield, 1e-10);
    }
    // once returned it stays
    auto again = f;
    double same = plastic;
    mpm::respond(m, {}, again, same);
    EXPECT_NEAR(same, plastic, 1e-12);
  }
  EXPECT_GT(flowed, 100);
}

// ----
// splines

template <mpm::Spline spline>
void splinesAreAPartition()
{
  constexpr int n = mpm::SplineTraits<spline>::kNodes;
  for (int k = 0; k <= 1000; ++k)
  {
    const double f = k / 1000. * (1 - 1e-15);
    const mpm::SplineWeights<spline, double> s(f), up(f + 1e-6), down(f - 1e-6);
    double one = 0, slope = 0, place = 0, second = 0, linear = 0;
    for (int i = 0; i < n; ++i)
    {
      EXPECT_GE(s.w[i], 0);
      one += s.w[i];
      slope += s.g[i];
      place += s.w[i] * s.d[i];
      second += s.w[i] * s.d[i] * s.d[i];
      linear += s.g[i] * s.d[i];
      EXPECT_NEAR(s.g[i], (up.w[i] - down.w[i]) / 2e-6, 1e-9);
      // Meyer 2019, eq. 74, and the quadratic one, of the distance
      const double x = std::fabs(s.d[i]);
      const double expected = spline == mpm::Spline::Cubic
        ? (x < 1 ? x * x * x / 2 - x * x + 2. / 3 : std::pow(std::max(0., 2 - x), 3) / 6)
        : (x < 0.5 ? 0.75 - x * x : std::pow(std::max(0., 1.5 - x), 2) / 2);
      EXPECT_NEAR(s.w[i], expected, 1e-14);
    }
    EXPECT_NEAR(one, 1, 1e-14);
    EXPECT_NEAR(slope, 0, 1e-14);
    EXPECT_NEAR(place, 0, 1e-14);
    EXPECT_NEAR(linear, 1, 1e-14);
    EXPECT_NEAR(second, mpm::SplineTraits<spline>::kD, 1e-14);
  }
}

TEST(MpmSplines, ArePartitionsOfUnity)
{
  splinesAreAPartition<mpm::Spline::Quadratic>();
  splinesAreAPartition<mpm::Spline::Cubic>();
}

} // namespace
