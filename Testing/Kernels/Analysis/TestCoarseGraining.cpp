// Coarse graining: kernels and their line integrals against quadrature; single grains, pairs and a
// lattice under gravity against closed forms; a random cloud against plain loops; and the balances
// of mass and momentum.
#include "AnalysisSupport.h"
#include "AveragedFields.h"

#include "Analysis/Smoothing.cuh"

#include <map>

using namespace test;

namespace
{

using dem::SmoothingKernel;

const SmoothingKernel kKernels[] = { SmoothingKernel::Heaviside, SmoothingKernel::Gauss,
  SmoothingKernel::Lucy };

/// The kernels in the form of the papers.
double printed(SmoothingKernel kernel, double w, double r)
{
  switch (kernel)
  {
    case SmoothingKernel::Heaviside:
      return r < w ? 1 / (4. / 3 * M_PI * w * w * w) : 0;
    case SmoothingKernel::Gauss:
    {
      const double c = 3 * w;
      const double v = 2 * std::sqrt(2.) * std::pow(w, 3) * std::pow(M_PI, 1.5) *
          std::erf(c * std::sqrt(2.) / (2 * w)) -
        4 * c * w * w * M_PI * std::exp(-c * c / (2 * w * w));
      return r < c ? std::exp(-r * r / (2 * w * w)) / v : 0;
    }
    default:
    {
      const double q = r / w;
      return r < w ? 105 / (16 * M_PI * w * w * w) * (1 + 3 * q) * std::pow(1 - q, 3)
                   : 0; // Lucy's own factored form
    }
  }
}

double size(const Vec3d& a) { return std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z); }

/// Mean of a kernel on the line from d to d + l, by quadrature with n points.
double printedAlongLine(SmoothingKernel kernel, double w, const Vec3d& d, const Vec3d& l, int n)
{
  double sum = 0;
  for (int i = 0; i < n; ++i)
  {
    sum += printed(kernel, w, size(d + ((i + 0.5) / n) * l));
  }
  return sum / n;
}

using Fields = AveragedFields;

Fields coarseGrain(dem::CoarseGraining& engine, const Sample& s, const std::vector<double>& points,
  const dem::CoarseGrainingOptions& options)
{
  return coarseGrained(engine, s.grains(), s.contacts(), points, options);
}

/// Points of a cubic lattice with spacing h, 3 coordinates each.
std::vector<double> raster(const Vec3d& lower, double h, int nx, int ny, int nz)
{
  std::vector<double> points;
  for (int k = 0; k < nz; ++k)
  {
    for (int j = 0; j < ny; ++j)
    {
      for (int i = 0; i < nx; ++i)
      {
        points.insert(points.end(), { lower.x + i * h, lower.y + j * h, lower.z + k * h });
      }
    }
  }
  return points;
}

class CoarseGrainingOn : public DeviceTest
{
protected:
  Fields at(const Sample& s, const std::vector<double>& points, SmoothingKernel kernel,
    double width, int threads = 0)
  {
    dem::CoarseGrainingOptions options;
    options.kernel = kernel;
    options.width = width;
    dem::CoarseGraining engine(device(threads));
    return coarseGrain(engine, s, points, options);
  }
};

} // namespace

PARAGRAIN_ON_ALL_DEVICES(CoarseGrainingOn);

TEST(CoarseGraining, KernelsAreThePrintedOnesAndIntegrateToOne)
{
  for (const SmoothingKernel kernel : kKernels)
  {
    const double w = 0.3;
    const dem::Smoothing phi = dem::Smoothing::make(kernel, w);
    double sum = 0;
    const int n = 20000;
    for (int i = 0; i < n; ++i)
    {
      const double r = phi.reach * (i + 0.5) / n;
      EXPECT_NEAR(phi(r * r), printed(kernel, w, r), 1e-12 * phi.factor);
      sum += 4 * M_PI * r * r * phi(r * r) * phi.reach / n;
    }
    EXPECT_NEAR(sum, 1, 1e-8);
  }
}

TEST(CoarseGraining, LineIntegralsAgreeWithQuadrature)
{
  Uniform uniform(8);
  for (const SmoothingKernel kernel : kKernels)
  {
    const double w = 0.4;
    const dem::Smoothing phi = dem::Smoothing::make(kernel, w);
    const double peak = phi(0);
    for (int t = 0; t < 60; ++t)
    {
      const Vec3d d = uniform.vector(-0.8, 0.8);
      Vec3d l = uniform.vector(-2, 2);
      if (t % 5 == 0)
      {
        l = -2.5 * d; // through the point itself
      }
      if (t % 7 == 0)
      {
        l = 1e-3 * l;
      }
      // quadrature meets a step of the integrand (Heaviside, cut Gaussian) to 1 / n
      const double along = phi.alongLine(d, (1 / size(l)) * l, size(l));
      EXPECT_NEAR(along, printedAlongLine(kernel, w, d, l, 20000), 2e-4 * peak) << t;
      if (kernel == SmoothingKernel::Lucy)
      {
        EXPECT_NEAR(along, printedAlongLine(kernel, w, d, l, 20000), 1e-7 * peak) << t;
      }
    }
    EXPECT_NEAR(
      phi.alongLine({ 0.1, 0, 0 }, { 0, 0, 0 }, 0), printed(kernel, w, 0.1), 1e-12 * peak);
    EXPECT_EQ(phi.alongLine({ 9, 0, 0 }, { 1, 0, 0 }, 1), 0);
  }
}

TEST_P(CoarseGrainingOn, ASingleGrain)
{
  Sample s;
  s.add({ 0.1, 0.2, 0.3 }, 0.05, 2, { 1, -2, 3 });
  const std::vector<double> points{ 0.1, 0.2, 0.3, 0.15, 0.2, 0.3, 0.1, 0.3, 0.45, 5, 5, 5 };
  for (const SmoothingKernel kernel : kKernels)
  {
    const double w = 0.2;
    const Fields f = at(s, points, kernel, w);
    const double distance[4] = { 0, 0.05, std::sqrt(0.01 + 0.0225), 1e9 };
    for (int i = 0; i < 4; ++i)
    {
      const double phi = printed(kernel, w, distance[i]);
      EXPECT_NEAR(f["MassDensity"][i], 2 * phi, 1e-10 * (1 + phi));
      EXPECT_NEAR(f["SolidFraction"][i], 4. / 3 * M_PI * 1.25e-4 * phi, 1e-10 * (1 + phi));
      for (int k = 0; k < 3; ++k)
      {
        const double v[3] = { 1, -2, 3 };
        EXPECT_NEAR(f["Velocity"][3 * i + k], phi > 0 ? v[k] : 0, 1e-12);
        EXPECT_NEAR(f["MomentumDensity"][3 * i + k], 2 * v[k] * phi, 1e-9 * (1 + phi));
      }
      EXPECT_NEAR(f["GranularTemperature"][i], 0, 1e-20);
    }
  }
}

TEST_P(CoarseGrainingOn, APairInContact)
{
  // The integral of the contact stress is f l, that of the wall force density f.
  Sample s;
  s.add({ 0, 0, 0 }, 0.5, 1, { 1, 0, 0 });
  s.add({ 0.6, 0, 0.8 }, 0.5, 1, { -1, 0, 0 });
  s.touch(0, 1, { -3, 0, -4 }, { 0.8, 0.5, -0.6 });
  s.touchWall(0, 0, { 0, 0, -0.5 }, { 0.1, 0, 4 });
  const double h = 0.1;
  const std::vector<double> points = raster({ -1.45, -1.43, -1.96 }, h, 36, 29, 46);
  for (const SmoothingKernel kernel : { SmoothingKernel::Gauss, SmoothingKernel::Lucy })
  {
    const Fields f = at(s, points, kernel, kernel == SmoothingKernel::Gauss ? 0.4 : 1.0);
    double stress[6] = { 0, 0, 0, 0, 0, 0 }, wall[3] = { 0, 0, 0 }, mass = 0;
    for (std::size_t i = 0; i < points.size() / 3; ++i)
    {
      mass += f["MassDensity"][i] * h * h * h;
      for (int k = 0; k < 6; ++k)
      {
        stress[k] += f["ContactStress"][6 * i + k] * h * h * h;
      }
      for (int k = 0; k < 3; ++k)
      {
        wall[k] += f["WallForceDensity"][3 * i + k] * h * h * h;
      }
    }
    const double fx = -2.2, fy = 0.5, fz = -4.6, lx = 0.6, lz = 0.8;
    const double expected[6] = { fx * lx, 0, fz * lz - 4 * 0.5, fy * lx / 2, fy * lz / 2,
      (fx * lz + fz * lx) / 2 - 0.1 * 0.5 / 2 };
    EXPECT_NEAR(mass, 2, 2e-3);
    for (int k = 0; k < 6; ++k)
    {
      EXPECT_NEAR(stress[k], expected[k], 5e-3) << k;
    }
    EXPECT_NEAR(wall[0], 0.1, 1e-3);
    EXPECT_NEAR(wall[2], 4, 4e-3);
  }
  // Midway between the two grains u = 0 and T = (1 + 1) / 6.
  const Fields f = at(s, { 0.3, 0, 0.4 }, SmoothingKernel::Lucy, 1.0);
  EXPECT_NEAR(f["GranularTemperature"][0], 1. / 3, 1e-12);
  const double rho = f["MassDensity"][0];
  EXPECT_NEAR(f["KineticStress"][0], -rho, 1e-12 * rho);
  EXPECT_NEAR(f["KineticStress"][1], 0, 1e-12 * rho);
}

TEST_P(CoarseGrainingOn, MassAndMomentumAreKept)
{
  // The sum over points with a spacing of an eighth of the width approximates the integral.
  for (const SmoothingKernel kernel : kKernels)
  {
    // the error of the raster is larger for a kernel with a step: many grains average it out
    Sample s = randomSample(kernel == SmoothingKernel::Heaviside ? 1500 : 30, 0.01, 0.04, 9);
    s.first.clear();
    double mass = 0;
    Vec3d p;
    for (std::size_t i = 0; i < s.size(); ++i)
    {
      mass += s.mass[i];
      p += s.mass[i] * s.at(s.velocity, i);
    }
    const double w = kernel == SmoothingKernel::Gauss ? 0.1 : 0.2,
                 reach = dem::smoothingReach(kernel, w), h = w / 8;
    const int n = static_cast<int>((1 + 2 * reach) / h) + 2;
    const Fields f = at(s, raster({ -reach, -reach, -reach }, h, n, n, n), kernel, w);
    double sum = 0;
    Vec3d momentum;
    for (std::size_t i = 0; i < std::size_t(n) * n * n; ++i)
    {
      sum += f["MassDensity"][i] * h * h * h;
      momentum += (h * h * h) * s.at(f["MomentumDensity"], i);
    }
    EXPECT_NEAR(sum, mass, 1e-3 * mass);
    EXPECT_NEAR(momentum.x, p.x, 1e-3 * p.x);
    EXPECT_NEAR(momentum.z, p.z, 1e-3 * p.x);
  }
}

TEST_P(CoarseGrainingOn, StressOfALatticeIsTheWeightAbove)
{
  const double r = 0.01, m = 0.01, g = 9.81;
  const int nx = 12, nz = 16;
  const Sample s = latticeUnderGravity(nx, nz, r, m, g);
  const double middle = r * nx, height = 2 * r * nz, rho = m / (8 * r * r * r), w = 6 * r;
  for (const SmoothingKernel kernel : { SmoothingKernel::Lucy, SmoothingKernel::Gauss })
  {
    const double width = kernel == SmoothingKernel::Lucy ? w : w / 3;
    std::vector<double> points;
    for (int i = 0; i < 40; ++i)
    {
      const double z = w + (height - 2 * w) * i / 39;
      points.insert(points.end(), { middle + 0.3 * r, middle, z });
    }
    const Fields f = at(s, points, kernel, width);
    for (int i = 0; i < 40; ++i)
    {
      const double weight = rho * g * (height - points[3 * i + 2]);
      EXPECT_NEAR(f["ContactStress"][6 * i + 2], -weight, 0.01 * weight) << points[3 * i + 2];
    }
    // the balance of momentum at any point, also near walls and surfaces:
    // d(stress_zz)/dz + t_z = rho g
    const double dz = 1e-5;
    for (double z = -0.9 * w; z < height + w; z += 0.37 * r)
    {
      const Fields b = at(s,
        { middle, 0.7 * middle, z, middle, 0.7 * middle, z - dz, middle, 0.7 * middle, z + dz },
        kernel, width);
      const double slope = (b["ContactStress"][2 + 12] - b["ContactStress"][2 + 6]) / (2 * dz);
      EXPECT_NEAR(slope + b["WallForceDensity"][2], b["MassDensity"][0] * g, 1e-3 * rho * g) << z;
    }
  }
}

TEST_P(CoarseGrainingOn, AgreesWithPlainLoops)
{
  const Sample s = randomSample(60, 0.03, 0.1, 21);
  Uniform uniform(5);
  std::vector<double> points;
  for (int i = 0; i < 60; ++i)
  {
    points.insert(points.end(), { uniform(-0.2, 1.2), uniform(-0.2, 1.2), uniform(-0.2, 1.2) });
  }
  for (const SmoothingKernel kernel : kKernels)
  {
    const double w = kernel == SmoothingKernel::Gauss ? 0.12 : 0.3;
    const Fields f = at(s, points, kernel, w);
    for (std::size_t i = 0; i < points.size() / 3; ++i)
    {
      const Vec3d x = s.at(points, i);
      double mass = 0, solid = 0, kinetic[6] = { 0, 0, 0, 0, 0, 0 },
             contact[6] = { 0, 0, 0, 0, 0, 0 };
      Vec3d p, wall;
      for (std::size_t g = 0; g < s.size(); ++g)
      {
        const double phi = printed(kernel, w, size(s.at(s.position, g) - x));
        mass += phi * s.mass[g];
        solid += phi * 4. / 3 * M_PI * std::pow(s.radius[g], 3);
        p += phi * s.mass[g] * s.at(s.velocity, g);
      }
      const Vec3d u = mass > 0 ? (1 / mass) * p : Vec3d{};
      const auto add = [](double* t, double weight, const Vec3d& a, const Vec3d& b) {
        const double parts[6] = { a.x * b.x, a.y * b.y, a.z * b.z, (a.x * b.y + a.y * b.x) / 2,
          (a.y * b.z + a.z * b.y) / 2, (a.x * b.z + a.z * b.x) / 2 };
        for (int k = 0; k < 6; ++k)
        {
          t[k] += weight * parts[k];
        }
      };
      for (std::size_t g = 0; g < s.size(); ++g)
      {
        const Vec3d d = s.at(s.velocity, g) - u;
        add(kinetic, -printed(kernel, w, size(s.at(s.position, g) - x)) * s.mass[g], d, d);
      }
      for (std::size_t c = 0; c < s.first.size(); ++c)
      {
        const Vec3d a = s.at(s.first_place, c), b = s.at(s.second_place, c),
                    force = s.at(s.normal_force, c) + s.at(s.tangential_force, c);
        add(contact, printedAlongLine(kernel, w, a - x, b - a, 3000), force, b - a);
        if (s.second[c] < 0)
        {
          wall += printed(kernel, w, size(b - x)) * force;
        }
      }
      const double scale = 60 * printed(kernel, w, 0);
      EXPECT_NEAR(f["MassDensity"][i], mass, 1e-12 * scale);
      EXPECT_NEAR(f["SolidFraction"][i], solid, 1e-12 * scale);
      for (int k = 0; k < 3; ++k)
      {
        EXPECT_NEAR(f["Velocity"][3 * i + k], u[k], 1e-9);
        EXPECT_NEAR(f["WallForceDensity"][3 * i + k], wall[k], 1e-11 * scale);
      }
      EXPECT_NEAR(f["GranularTemperature"][i],
        mass > 0 ? -(kinetic[0] + kinetic[1] + kinetic[2]) / mass / 3 : 0, 1e-9);
      for (int k = 0; k < 6; ++k)
      {
        EXPECT_NEAR(f["KineticStress"][6 * i + k], kinetic[k], 1e-11 * scale);
        EXPECT_NEAR(f["ContactStress"][6 * i + k], contact[k], 2e-4 * scale);
      }
    }
  }
}

TEST_P(CoarseGrainingOn, TheSameBits)
{
  const Sample s = randomSample(2000, 0.01, 0.05, 6);
  const std::vector<double> points = raster({ 0, 0, 0 }, 0.07, 15, 15, 15);
  const Fields a = at(s, points, SmoothingKernel::Lucy, 0.1, 1),
               b = at(s, points, SmoothingKernel::Lucy, 0.1, 2);
  EXPECT_EQ(a.values, b.values);
  dem::CoarseGraining cpu(dem::chooseDevice(dem::DeviceKind::CPU));
  dem::CoarseGrainingOptions options;
  options.width = 0.1;
  const Fields c = coarseGrain(cpu, s, points, options);
  for (std::size_t k = 0; k < c.values.size(); ++k)
  {
    double largest = 0;
    for (double v : c.values[k])
    {
      largest = std::max(largest, std::abs(v));
    }
    for (std::size_t i = 0; i < c.values[k].size(); ++i)
    {
      ASSERT_NEAR(a.values[k][i], c.values[k][i], 1e-10 * largest) << c.info[k].name;
    }
  }
}

TEST_P(CoarseGrainingOn, NothingToAverage)
{
  const Sample none;
  const Fields f = at(none, { 0, 0, 0, 1, 1, 1 }, SmoothingKernel::Lucy, 0.1);
  for (const auto& field : f.values)
  {
    for (double v : field)
    {
      EXPECT_EQ(v, 0);
    }
  }
  const Fields g = at(randomSample(20, 0.05, 0.1, 1), {}, SmoothingKernel::Gauss, 0.1);
  EXPECT_TRUE(g["MassDensity"].empty());
}

TEST_P(CoarseGrainingOn, BadInputIsNamed)
{
  Sample s = randomSample(20, 0.05, 0.1, 1);
  EXPECT_HOLDS(::errorOf([&] { at(s, { 0, 0, 0 }, SmoothingKernel::Lucy, 0); }), "width is 0");
  EXPECT_HOLDS(::errorOf([&] { at(s, { 0, 0, NAN }, SmoothingKernel::Lucy, 0.1); }), "Point 0");
  dem::CoarseGrainingOptions options;
  options.width = 0.1;
  options.memory_limit = 1e4;
  EXPECT_HOLDS(::errorOf([&] { dem::CoarseGraining::require(1e6, options); }), "1000000 points");
  s.tangential_force[3] = INFINITY;
  EXPECT_HOLDS(::errorOf([&] {
    at(s, { 0, 0, 0 }, SmoothingKernel::Lucy, 0.1);
  }),
    "tangential force of contact 1");
}
