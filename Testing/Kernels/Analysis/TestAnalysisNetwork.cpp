// Eigenvalues of symmetric matrices in closed form against Eigen; contact networks against closed
// forms and plain loops.
#include "AnalysisSupport.h"

#include "Analysis/ContactNetwork.h"
#include "Analysis/ContactSearch.h"
#include "Analysis/SymmetricEigen.cuh"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <map>

using namespace test;

namespace
{

// Checks values, residuals and orthogonality to rounding errors of the largest entry.
void checkEigen(const dem::Symmetric3& m)
{
  Eigen::Matrix3d a;
  a << m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz;
  const double scale = a.cwiseAbs().maxCoeff();
  const dem::Eigen3 e = dem::symmetricEigen(m);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> expected(
    scale > 0 ? Eigen::Matrix3d(a / scale) : a);
  for (int k = 0; k < 3; ++k)
  {
    const double unit = scale > 0 ? scale : 1;
    EXPECT_NEAR(e.value[k] / unit, expected.eigenvalues()[k], 6e-15) << a;
    const Eigen::Vector3d v(e.vector[k].x, e.vector[k].y, e.vector[k].z);
    EXPECT_LT((a / unit * v - e.value[k] / unit * v).norm(), 6e-15) << a;
    for (int j = 0; j < 3; ++j)
    {
      EXPECT_NEAR(dot(e.vector[k], e.vector[j]), j == k, 1e-14) << a;
    }
  }
}

} // namespace

TEST(AnalysisEigen, RandomMatricesOfEverySize)
{
  std::mt19937 random(1);
  const auto uniform = [&] { return test::uniform(random, -1, 1); };
  for (int i = 0; i < 20000; ++i)
  {
    const double scale = std::pow(10, i % 200 - 100);
    checkEigen({ scale * uniform(), scale * uniform(), scale * uniform(), scale * uniform(),
      scale * uniform(), scale * uniform() });
  }
}

// Equal and nearly equal eigenvalues, where a cubic alone loses half of the digits.
TEST(AnalysisEigen, EqualAndNearlyEqualValues)
{
  std::mt19937 random(2);
  const auto uniform = [&] { return test::uniform(random, -1, 1); };
  const auto turned = [&](double a, double b, double c) {
    Eigen::Quaterniond q(uniform(), uniform(), uniform(), uniform());
    q.normalize();
    const Eigen::Matrix3d r = q.toRotationMatrix(),
                          m = r * Eigen::Vector3d(a, b, c).asDiagonal() * r.transpose();
    return dem::Symmetric3{ m(0, 0), m(1, 1), m(2, 2), m(0, 1), m(1, 2), m(0, 2) };
  };
  for (int i = 0; i < 200; ++i)
    for (const double near : { 0.0, 1e-16, 1e-12, 1e-9, 1e-8, 1e-6, 1e-3 })
    {
      checkEigen(turned(1, 1 + near, 5));
      checkEigen(turned(-2, 3 - near, 3));
      checkEigen(turned(1 - near, 1, 1 + near));
      checkEigen(turned(0, near, 1));
    }
}

TEST(AnalysisEigen, DiagonalZeroAndSingular)
{
  checkEigen({});
  checkEigen({ 1, 1, 1, 0, 0, 0 });
  checkEigen({ 3, -1, 2, 0, 0, 0 });
  checkEigen({ 0, 0, 0, 1, 0, 0 });
  checkEigen({ 0, 0, 0, 1, 1, 1 });
  checkEigen({ 0, 0, 7, 0, 0, 0 });
  checkEigen({ 1, 1, 0, 1, 0, 0 });
}

namespace
{

class AnalysisNetwork : public AnalysisTest
{
protected:
  // A sample whose contact points are left to the analysis.
  struct Bed : Sample
  {
    void contact(std::int64_t a, std::int64_t b, const Vec3d& place, const Vec3d& fn,
      const Vec3d& ft, bool slides)
    {
      Sample::contact(a, b, place, {}, fn, ft, slides);
    }
    dem::GrainContacts contacts(bool forces = true) const
    {
      dem::GrainContacts c = Sample::contacts();
      c.point = nullptr;
      if (!forces)
        c.normal_force = c.tangential_force = nullptr;
      return c;
    }
  };

  dem::ContactNetwork describe(
    const Bed& bed, const dem::NetworkOptions& options = {}, int threads = 0) const
  {
    dem::GrainContacts contacts = bed.contacts();
    contacts.sliding = bed.sliding.data();
    return dem::describeNetwork(bed.grains(), contacts, options, device(threads));
  }

  // n grains in a row along `axis`, the first one on a wall; normal forces 1, 2, 3 ...
  static Bed column(int n, const Vec3d& axis)
  {
    Bed bed;
    for (int i = 0; i < n; ++i)
      bed.add(double(i) * axis, 0.5);
    bed.contact(0, -1, -0.5 * axis, 1.0 * axis, {}, true);
    for (int i = 0; i + 1 < n; ++i)
      bed.contact(i, i + 1, bed.at(i + 1), (-2.0 - i) * axis, {}, false);
    return bed;
  }
};

} // namespace

TEST_P(AnalysisNetwork, Column)
{
  const Bed bed = column(5, { 0.6, 0, 0.8 });
  const dem::ContactNetwork net = describe(bed);
  const dem::NetworkTotals& t = net.totals;
  EXPECT_EQ(t.contacts, 5u);
  EXPECT_EQ(t.wall_contacts, 1u);
  EXPECT_EQ(t.sliding, 1u);
  EXPECT_DOUBLE_EQ(t.sliding_fraction, 0.2);
  EXPECT_DOUBLE_EQ(t.coordination_number, 9. / 5);
  EXPECT_EQ(t.rattlers, 1u); // the top grain has one contact
  EXPECT_DOUBLE_EQ(t.mechanical_coordination_number, 2);
  EXPECT_NEAR(t.anisotropy, 1, 1e-14);
  const double expected[6] = { 0.36, 0, 0.64, 0, 0, 0.48 };
  for (int k = 0; k < 6; ++k)
    EXPECT_NEAR(t.fabric[k], expected[k], 1e-15);
  EXPECT_NEAR(t.fabric_values[0], 1, 1e-14);
  EXPECT_NEAR(t.mean_normal_force, (1 + 2 + 3 + 4 + 5) / 5., 1e-15);
  EXPECT_NEAR(t.largest_normal_force, 5, 1e-14);
  EXPECT_EQ(net.coordination[0], 2);
  EXPECT_EQ(net.coordination[4], 1);
  EXPECT_EQ(net.normal[0], -0.6f); // towards the wall
  EXPECT_EQ(net.normal[5], 0.8f);
  EXPECT_EQ(net.normal_magnitude[2], 3.f);
}

// The fabric of a simple cubic lattice is isotropic; without the contacts along z its anisotropy
// has a closed form.
TEST_P(AnalysisNetwork, FabricOfLattices)
{
  for (const bool without_z : { false, true })
  {
    Bed bed;
    const int m = 6;
    const auto number = [](int x, int y, int z) { return (z * m + y) * m + x; };
    for (int i = 0; i < m * m * m; ++i)
      bed.add({ double(i % m), double(i / m % m), double(i / m / m) }, 0.5);
    for (int x = 0; x < m; ++x)
      for (int y = 0; y < m; ++y)
        for (int z = 0; z < m; ++z)
        {
          if (x + 1 < m)
            bed.contact(
              number(x, y, z), number(x + 1, y, z), bed.at(number(x + 1, y, z)), {}, {}, false);
          if (y + 1 < m)
            bed.contact(
              number(x, y, z), number(x, y + 1, z), bed.at(number(x, y + 1, z)), {}, {}, false);
          if (z + 1 < m && !without_z)
            bed.contact(
              number(x, y, z), number(x, y, z + 1), bed.at(number(x, y, z + 1)), {}, {}, false);
        }
    const dem::NetworkTotals t = describe(bed).totals;
    EXPECT_NEAR(t.fabric[0], without_z ? 0.5 : 1. / 3, 1e-15);
    EXPECT_NEAR(t.fabric[2], without_z ? 0 : 1. / 3, 1e-15);
    // deviator (1/6, 1/6, -1/3): sqrt(3/2 * (1/36 + 1/36 + 1/9)) = 1/2
    EXPECT_NEAR(t.anisotropy, without_z ? 0.5 : 0, 1e-15);
    EXPECT_NEAR(t.coordination_number, (without_z ? 4. : 6.) * (m - 1) / m, 1e-14);
    EXPECT_EQ(t.mean_normal_force, 0);
  }
}

namespace
{

// A network of random contacts with exponentially distributed normal forces.
class AnalysisRandomNetwork : public AnalysisNetwork
{
protected:
  void SetUp() override
  {
    AnalysisNetwork::SetUp();
    std::mt19937 random(7);
    const auto uniform = [&] { return (random() + 0.5) / 4294967296.0; };
    for (int i = 0; i < 500; ++i)
      bed_.add({ uniform(), uniform(), uniform() }, 0.1);
    for (int c = 0; c < 20000; ++c)
    {
      const int a = static_cast<int>(400 * uniform());
      Vec3d n{ uniform() - 0.5, uniform() - 0.5, uniform() - 0.3 };
      n = (1 / length(n)) * n;
      const bool wall = uniform() < 0.1;
      const int b = static_cast<int>(450 * uniform());
      bed_.contact(a, wall ? -3 : b, bed_.at(a) + 0.19 * n, 5 * std::log(uniform()) * n,
        uniform() * Vec3d{ n.y, -n.x, 0 }, uniform() < 0.3);
    }
    options_.bins = 40;
    options_.largest_force = 4;
    options_.rattler_contacts = 30;
  }

  Bed bed_;
  dem::NetworkOptions options_;
};

} // namespace

TEST_P(AnalysisRandomNetwork, TotalsAgainstALoop)
{
  const dem::ContactNetwork net = describe(bed_, options_);
  const std::size_t contacts = bed_.first.size();
  long double fabric[6] = {}, normal = 0, tangential = 0;
  std::size_t pairs = 0, sliding = 0;
  for (std::size_t c = 0; c < contacts; ++c)
  {
    if (bed_.second[c] >= 0)
    {
      const Vec3d n = bed_.at(bed_.second_place, c) - bed_.at(bed_.first_place, c);
      const double l = dot(n, n);
      const double nn[6] = { n.x * n.x / l, n.y * n.y / l, n.z * n.z / l, n.x * n.y / l,
        n.y * n.z / l, n.x * n.z / l };
      for (int k = 0; k < 6; ++k)
        fabric[k] += nn[k];
      ++pairs;
    }
    sliding += bed_.sliding[c];
    const auto size = [&](const std::vector<double>& f) {
      return std::hypot(f[3 * c], f[3 * c + 1], f[3 * c + 2]);
    };
    normal += size(bed_.normal_force);
    tangential += size(bed_.tangential_force);
    EXPECT_NEAR(net.normal_magnitude[c], size(bed_.normal_force), 1e-6 * size(bed_.normal_force));
    EXPECT_NEAR(net.tangential_magnitude[c], size(bed_.tangential_force), 1e-6);
  }
  const dem::NetworkTotals& t = net.totals;
  for (int k = 0; k < 6; ++k)
    EXPECT_NEAR(t.fabric[k], double(fabric[k] / pairs), 1e-13);
  EXPECT_EQ(t.sliding, sliding);
  EXPECT_EQ(t.wall_contacts, contacts - pairs);
  EXPECT_NEAR(t.mean_normal_force, double(normal / contacts), 1e-12);
  EXPECT_NEAR(t.mean_tangential_force, double(tangential / contacts), 1e-13);
}

TEST_P(AnalysisRandomNetwork, CoordinationAgainstALoop)
{
  const dem::ContactNetwork net = describe(bed_, options_);
  std::vector<int> z(500);
  for (std::size_t c = 0; c < bed_.first.size(); ++c)
  {
    ++z[bed_.first[c]];
    if (bed_.second[c] >= 0)
      ++z[bed_.second[c]];
  }
  std::size_t ends = 0, carrying_ends = 0, carrying = 0;
  for (std::size_t i = 0; i < z.size(); ++i)
  {
    EXPECT_EQ(net.coordination[i], z[i]);
    ends += z[i];
    carrying_ends += z[i] >= 30 ? z[i] : 0;
    carrying += z[i] >= 30;
  }
  EXPECT_GT(carrying, 0u);
  EXPECT_LT(carrying, 450u);
  const dem::NetworkTotals& t = net.totals;
  EXPECT_EQ(t.rattlers, 500 - carrying);
  EXPECT_DOUBLE_EQ(t.coordination_number, ends / 500.);
  EXPECT_DOUBLE_EQ(t.mechanical_coordination_number, double(carrying_ends) / carrying);
}

// P(f) = exp(-f), to the noise of some hundred contacts in a bin.
TEST_P(AnalysisRandomNetwork, DistributionOfForces)
{
  const dem::ContactNetwork net = describe(bed_, options_);
  const dem::ForceDistribution& d = net.distribution;
  ASSERT_EQ(d.count.size(), 40u);
  std::uint64_t counted = 0;
  for (std::size_t bin = 0; bin < 40; ++bin)
  {
    counted += d.count[bin];
    const double expected = (std::exp(-0.1 * bin) - std::exp(-0.1 * (bin + 1))) / 0.1;
    EXPECT_NEAR(d.density(bin), expected, 5 * std::sqrt(expected / 2000)) << bin;
    EXPECT_NEAR(d.force(bin), 0.1 * bin + 0.05, 1e-12);
  }
  EXPECT_LT(counted, d.total); // some forces lie beyond 4 mean forces
  options_.largest_force = 0;
  const dem::ForceDistribution all = describe(bed_, options_).distribution;
  counted = 0;
  double area = 0;
  for (std::size_t bin = 0; bin < 40; ++bin)
  {
    counted += all.count[bin];
    area += all.density(bin) * all.width();
  }
  EXPECT_EQ(counted, all.total);
  EXPECT_NEAR(area, 1, 1e-12);
  EXPECT_NEAR(all.largest, net.totals.largest_normal_force / net.totals.mean_normal_force, 1e-12);
}

// The density of the q-model and its first moment integrate to 1.
TEST(AnalysisDistribution, QModelIsNormalised)
{
  double area = 0, mean = 0;
  for (int i = 0; i < 200000; ++i)
  {
    const double f = (i + 0.5) * 1e-4, p = dem::ForceDistribution::qModel(f) * 1e-4;
    area += p;
    mean += f * p;
  }
  EXPECT_NEAR(area, 1, 1e-6);
  EXPECT_NEAR(mean, 1, 1e-6);
}

TEST_P(AnalysisNetwork, TheSameBitsOnAnyThreads)
{
  std::mt19937 random(9);
  Bed bed;
  for (int i = 0; i < 3000; ++i)
    bed.add({ random() * 1e-9, random() * 1e-9, random() * 1e-9 }, 0.1);
  for (int c = 0; c < 30000; ++c)
    bed.contact(random() % 3000, random() % 3000, { random() * 1e-9, 1, 0 },
      { random() * 1e-9, 0, 0 }, {}, random() % 2);
  const dem::NetworkTotals a = describe(bed, {}, 1).totals, b = describe(bed, {}, 4).totals;
  EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0);
}

// Forces from overlaps against hand calculations with the formulas: E* = 5e6 / (2 0.91), R* = 1/300
// m, d = 1e-4 m.
TEST_P(AnalysisNetwork, EstimatedForces)
{
  Bed bed;
  bed.add({ 0, 0, 0 }, 0.005);
  bed.add({ 0, 0, 0.0149 }, 0.01);
  bed.contact(0, 1, bed.at(1), {}, {}, false);
  bed.contact(1, -1, { 0, 0, 0.0249 - 1e-4 }, {}, {}, false);
  bed.contact(0, 1, { 0, 0, 0.0151 }, {}, {}, false);
  const std::vector<double> overlap{ 1e-4, 1e-4, -1e-4 };
  dem::ForceEstimate estimate;
  estimate.law = dem::ForceLaw::Hertz;
  const auto force = [&] {
    return dem::estimateForces(
      bed.grains(), bed.contacts(false), overlap.data(), estimate, device());
  };
  const double pair = 4. / 3 * 5e6 / 1.82 * std::sqrt(1. / 300) * 1e-6;
  dem::HostArray<double> f = force();
  EXPECT_NEAR(f[2], -pair, 1e-14); // repulsion: the second grain lies above the first
  EXPECT_NEAR(f[5], -pair * std::sqrt(3.), 1e-14);
  EXPECT_EQ(f[8], 0);
  estimate.law = dem::ForceLaw::LinearSpring;
  estimate.stiffness = 2e4;
  f = force();
  EXPECT_NEAR(f[2], -2, 1e-14);
  EXPECT_EQ(f[8], 0);
  estimate.law = dem::ForceLaw::None;
  EXPECT_EQ(force().size(), 0u);
  estimate.law = dem::ForceLaw::Hertz;
  estimate.poissons_ratio = 0.7;
  EXPECT_HOLDS(errorOf(force), "0.7");
}

TEST_P(AnalysisNetwork, EmptyAndWrong)
{
  const dem::ContactNetwork net = describe(Bed{});
  EXPECT_EQ(net.totals.contacts, 0u);
  EXPECT_EQ(net.totals.coordination_number, 0);
  EXPECT_EQ(net.totals.anisotropy, 0);
  dem::NetworkOptions options;
  options.bins = 0;
  EXPECT_HOLDS(errorOf([&] { describe(Bed{}, options); }), "0 bins");
  options.bins = 10;
  options.largest_force = -2;
  EXPECT_HOLDS(errorOf([&] { describe(Bed{}, options); }), "-2");
}

PARAGRAIN_ON_ALL_BACKENDS(AnalysisNetwork);
PARAGRAIN_ON_ALL_BACKENDS(AnalysisRandomNetwork);
