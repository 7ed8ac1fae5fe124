// Statistics of a bed against closed forms, lattices, ideal gases and plain loops over all pairs;
// flow through surfaces against hand counts.
#include "AnalysisSupport.h"

#include "Analysis/FlowCounter.h"
#include "Analysis/PairStatistics.h"
#include "Analysis/Statistics.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

using namespace test;

namespace
{

const double pi = std::acos(-1.);

/// A sample whose grains have a species and mostly no motion.
struct Bed : Sample
{
  void add(const Vec3d& x, double r = 0.5, int kind = 0, double m = 1)
  {
    Sample::add(x, r, m, {}, {}, kind);
  }
};

/// n small grains at random places in a box from the origin to `size`, of `kinds` species at
/// random.
Bed gas(int n, const Vec3d& size, unsigned seed, int kinds = 1)
{
  Uniform uniform(seed);
  Bed bed;
  for (int i = 0; i < n; ++i)
  {
    const double x = uniform(0, size.x), y = uniform(0, size.y), z = uniform(0, size.z);
    bed.add({ x, y, z }, 0.01, static_cast<int>(uniform(0, kinds)));
  }
  return bed;
}

/// A face-centred cubic lattice with nearest neighbours at distance 1, `cells` unit cells per axis.
Bed fcc(int cells)
{
  const double a = std::sqrt(2.);
  Bed bed;
  for (int z = 0; z < cells; ++z)
    for (int y = 0; y < cells; ++y)
      for (int x = 0; x < cells; ++x)
        for (const Vec3d& b : { Vec3d{ 0.25, 0.25, 0.25 }, Vec3d{ 0.75, 0.75, 0.25 },
               Vec3d{ 0.75, 0.25, 0.75 }, Vec3d{ 0.25, 0.75, 0.75 } })
          bed.add(a * (Vec3d{ double(x), double(y), double(z) } + b));
  return bed;
}

class StatisticsPairs : public AnalysisTest
{
};

// ---- bulk

TEST_P(StatisticsPairs, TwoGrainsByHand)
{
  Bed bed;
  bed.add({ 1, 2, 3 }, 0.5, 0, 2);
  bed.add({ -1, 4, 7 }, 1, 0, 6);
  bed.velocity = { 3, 4, 0, 0, 0, -1 };
  bed.angular_velocity = { 0, 0, 2, 1, 2, 2 };
  const dem::BulkStatistics s = dem::bulkStatistics(bed.grains(), { 0, 0, 5 }, 50, device());
  EXPECT_EQ(s.mass, 8);
  EXPECT_DOUBLE_EQ(s.center.x, -0.5);
  EXPECT_DOUBLE_EQ(s.center.y, 3.5);
  EXPECT_DOUBLE_EQ(s.center.z, 6);
  EXPECT_DOUBLE_EQ(s.center_height, 6);
  EXPECT_DOUBLE_EQ(s.mean_velocity.x, 0.75);
  EXPECT_DOUBLE_EQ(s.mean_velocity.z, -0.75);
  EXPECT_DOUBLE_EQ(s.mean_speed, 3);
  EXPECT_DOUBLE_EQ(s.kinetic_energy, 0.5 * 2 * 25 + 0.5 * 6 * 1);
  EXPECT_DOUBLE_EQ(s.rotational_energy, 0.5 * 0.4 * (2 * 0.25 * 4 + 6 * 1 * 9));
  EXPECT_DOUBLE_EQ(s.mean_radius, 0.75);
  EXPECT_DOUBLE_EQ(s.bed_height, 0.5 * (3.5 + 8));
  EXPECT_DOUBLE_EQ(dem::bulkStatistics(bed.grains(), { 1, 0, 0 }, 100, device()).bed_height, 1.5);
  EXPECT_EQ(dem::bulkStatistics(Bed{}.grains(), { 0, 0, 1 }, 95, device()).bed_height, 0);
  EXPECT_HOLDS(errorOf([&] {
    dem::bulkStatistics(bed.grains(), { 0, 0, 0 }, 95, device());
  }),
    "Up is (0.0");
  EXPECT_HOLDS(errorOf([&] {
    dem::bulkStatistics(bed.grains(), { 0, 0, 1 }, 101, device());
  }),
    "HeightPercentile is 101");
}

TEST_P(StatisticsPairs, BedHeightIsThePercentileOfTheTops)
{
  // with tops at 1, 2, ... 101 in random order the p-th percentile is 1 + p
  std::vector<double> tops(101);
  std::iota(tops.begin(), tops.end(), 1.);
  std::shuffle(tops.begin(), tops.end(), std::mt19937(3));
  Bed bed;
  for (const double top : tops)
  {
    bed.add({ 0, 0, top - 0.25 }, 0.25);
  }
  for (const double p : { 0., 10., 37.5, 95., 99.9, 100. })
  {
    EXPECT_NEAR(
      dem::bulkStatistics(bed.grains(), { 0, 0, 1 }, p, device()).bed_height, 1 + p, 1e-12);
  }
}

// ---- mixing

TEST_P(StatisticsPairs, LaceyOfLayersAndCheckerboard)
{
  // cells of 4 x 4 x 4 grains: with one species in each cell S = S0, with equal parts S = 0
  Bed layers, even;
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x)
      {
        const Vec3d place{ x + 0.5, y + 0.5, z + 0.5 };
        layers.add(place, 0.5, z < 4 ? 7 : 9);
        even.add(place, 0.5, (x + y + z) % 2);
      }
  EXPECT_NEAR(dem::laceyIndex(layers.grains(), 4, device()), 0, 1e-14);
  // N = 512, K = 8: Sr^2 / S0^2 = 7 / 511
  EXPECT_NEAR(dem::laceyIndex(even.grains(), 4, device()), 1 / (1 - 7 / 511.), 1e-14);
  EXPECT_TRUE(std::isnan(dem::laceyIndex(fcc(2).grains(), 1, device()))) << "one species";
  EXPECT_TRUE(std::isnan(dem::laceyIndex(Bed{}.grains(), 1, device())));
  EXPECT_TRUE(std::isnan(dem::laceyIndex(even.grains(), 1, device())))
    << "each grain has a cell of its own";
  EXPECT_HOLDS(errorOf([&] { dem::laceyIndex(even.grains(), 0, device()); }), "must be above 0");
  EXPECT_HOLDS(errorOf([&] { dem::laceyIndex(even.grains(), 1e-17, device()); }),
    "too small for the Lacey index");
}

TEST_P(StatisticsPairs, LaceyOfAllPermutations)
{
  // the mean over all arrangements of 2 + 2 + 1 grains on cells of 3 and 2 places is exactly 1,
  // also for unequal cells and three species
  std::vector<int> kinds{ 0, 0, 1, 1, 2 };
  double sum = 0;
  int count = 0;
  do
  {
    Bed bed;
    for (int i = 0; i < 5; ++i)
    {
      bed.add({ i < 3 ? -0.5 : 0.5, 0, 0 }, 0.1, kinds[i]);
    }
    sum += dem::laceyIndex(bed.grains(), 1, device());
    ++count;
  }
  while (std::next_permutation(kinds.begin(), kinds.end()));
  EXPECT_EQ(count, 30);
  EXPECT_NEAR(sum / count, 1, 1e-14);
}

TEST_P(StatisticsPairs, LaceyAgainstThePlainFormula)
{
  const Bed bed = gas(3000, { 1, 2, 1 }, 11, 3);
  std::map<std::array<int, 3>, std::map<int, double>> cells;
  std::map<int, double> totals;
  const double edge = 0.23;
  for (std::size_t i = 0; i < bed.size(); ++i)
  {
    const Vec3d x = bed.at(i);
    ++cells[{ int(std::floor(x.x / edge)), int(std::floor(x.y / edge)),
      int(std::floor(x.z / edge)) }][bed.material[i]];
    ++totals[bed.material[i]];
  }
  double variance = 0, segregated = 0;
  for (const auto& total : totals)
  {
    const double p = total.second / 3000;
    segregated += p * (1 - p);
    for (const auto& cell : cells)
    {
      double n = 0;
      for (const auto& kind : cell.second)
        n += kind.second;
      const auto found = cell.second.find(total.first);
      const double q = (found == cell.second.end() ? 0 : found->second) / n;
      variance += n / 3000 * (q - p) * (q - p);
    }
  }
  const double random = segregated * (double(cells.size()) - 1) / 2999;
  EXPECT_NEAR(dem::laceyIndex(bed.grains(), edge, device()),
    (segregated - variance) / (segregated - random), 1e-12);
  EXPECT_NEAR(dem::laceyIndex(bed.grains(), edge, device()), 1, 0.05);
}

/// Distance of the nearest images.
double distance(const Vec3d& a, const Vec3d& b, const Vec3d& period)
{
  Vec3d d = b - a;
  for (int k = 0; k < 3; ++k)
    if (period[k] > 0)
      d[k] -= period[k] * std::round(d[k] / period[k]);
  return length(d);
}

TEST_P(StatisticsPairs, NearestNeighborsAgainstAllPairs)
{
  for (const Vec3d& period : { Vec3d{}, Vec3d{ 1, 0, 2 }, Vec3d{ 1, 1, 2 } })
    for (const int k : { 1, 4, 12, 32 })
      for (const int n : { 2, 20, 700 })
      {
        Bed bed = gas(n, { 1, 1, 2 }, 5, 3);
        bed.material[0] = 0;
        bed.material[1] = 1;
        std::map<int, double> totals;
        for (const int s : bed.material)
          ++totals[s];
        double unlike = 0, expected = 0, far = 0;
        const int wanted = std::min(k, n - 1);
        for (int i = 0; i < n; ++i)
        {
          std::vector<std::pair<double, int>> others;
          for (int j = 0; j < n; ++j)
            if (j != i)
              others.emplace_back(distance(bed.at(i), bed.at(j), period), j);
          std::sort(others.begin(), others.end());
          for (int m = 0; m < wanted; ++m)
            unlike += bed.material[others[m].second] != bed.material[i];
          far += others[wanted - 1].first / n;
          expected += wanted * (n - totals[bed.material[i]]) / (n - 1.);
        }
        dem::PairBox box;
        box.period = period;
        const dem::NeighborMixing mixing = dem::neighborMixing(bed.grains(), k, box, device());
        EXPECT_NEAR(mixing.index, unlike / expected, 1e-12) << "k = " << k << ", n = " << n;
        EXPECT_NEAR(mixing.mean_distance, far, 1e-12);
      }
}

TEST_P(StatisticsPairs, MixingOfLayersAndLattices)
{
  // a periodic simple cubic lattice whose layers along z alternate: 2 of 6 neighbours are unlike
  Bed bed;
  for (int z = 0; z < 6; ++z)
    for (int y = 0; y < 6; ++y)
      for (int x = 0; x < 6; ++x)
        bed.add({ double(x), double(y), double(z) }, 0.5, z % 2);
  dem::PairBox box;
  box.period = { 6, 6, 6 };
  EXPECT_NEAR(
    dem::neighborMixing(bed.grains(), 6, box, device()).index, (2 / 6.) / (108 / 215.), 1e-12);
  EXPECT_NEAR(dem::neighborMixing(bed.grains(), 6, box, device()).mean_distance, 1, 1e-12);
  for (std::int32_t& s : bed.material)
    s = 4;
  EXPECT_TRUE(std::isnan(dem::neighborMixing(bed.grains(), 6, box, device()).index))
    << "one species";
  EXPECT_TRUE(std::isnan(dem::neighborMixing(Bed{}.grains(), 6, box, device()).index));
  EXPECT_HOLDS(errorOf([&] { dem::neighborMixing(bed.grains(), 33, box, device()); }),
    "33 nearest neighbours");
  EXPECT_HOLDS(
    errorOf([&] { dem::neighborMixing(bed.grains(), 0, box, device()); }), "0 nearest neighbours");
}

// ---- radial distribution

TEST_P(StatisticsPairs, ShellsOfFcc)
{
  const Bed bed = fcc(5);
  dem::RadialDistributionOptions options;
  options.box.period = 5 * std::sqrt(2.) * Vec3d{ 1, 1, 1 };
  options.box.periodic_lower = { 0.3, -7, 100 };
  options.largest_distance = 2.3;
  options.bins = 20; // no shell lies on a border of bins, which are multiples of 0.115
  const dem::RadialDistribution rdf = dem::radialDistribution(bed.grains(), options, device());
  ASSERT_EQ(rdf.pairs.size(), 20u);
  EXPECT_EQ(rdf.size, 500u);
  // up to 2.3 there are 12, 6, 24, 12, 24 neighbours at distances 1, sqrt 2, sqrt 3, 2, sqrt 5
  std::map<int, int> shells;
  for (const auto& shell :
    std::map<double, int>{ { 1, 12 }, { 2, 6 }, { 3, 24 }, { 4, 12 }, { 5, 24 } })
    shells[static_cast<int>(std::sqrt(shell.first) / 0.115)] = shell.second;
  ASSERT_EQ(shells.size(), 5u);
  double neighbors = 0;
  for (int b = 0; b < 20; ++b)
  {
    const double expected = shells.count(b) ? shells[b] : 0;
    neighbors += expected;
    EXPECT_EQ(2. * rdf.pairs[b] / 500, expected) << b;
    EXPECT_NEAR(rdf.neighbors[b], neighbors, 1e-12);
    // the number density of the 499 other grains is sqrt(2) 499 / 500
    const double volume = 4 / 3. * pi * (std::pow(0.115 * (b + 1), 3) - std::pow(0.115 * b, 3));
    EXPECT_NEAR(rdf.g[b], expected / (std::sqrt(2.) * 499 / 500 * volume), 1e-9);
  }
}

TEST_P(StatisticsPairs, IdealGasOfFewGrains)
{
  // the mean over many periodic boxes of five random points is 1; division by N^2 would give 0.8
  dem::RadialDistributionOptions options;
  options.box.period = { 1, 1, 1 };
  options.largest_distance = 0.45;
  options.bins = 3;
  constexpr int times = 4000;
  double sum[3] = { 0, 0, 0 };
  for (int k = 0; k < times; ++k)
  {
    const dem::RadialDistribution rdf =
      dem::radialDistribution(gas(5, { 1, 1, 1 }, 1000 + k).grains(), options, device(1));
    for (int b = 0; b < 3; ++b)
      sum[b] += rdf.g[b] / times;
  }
  // five standard deviations of Poisson counts: of 10 pairs per box the bins expect 0.141, 0.99 and
  // 2.69
  EXPECT_NEAR(sum[0], 1, 5 / std::sqrt(times * 0.141));
  EXPECT_NEAR(sum[1], 1, 5 / std::sqrt(times * 0.99));
  EXPECT_NEAR(sum[2], 1, 5 / std::sqrt(times * 2.69));
}

TEST_P(StatisticsPairs, IdealGas)
{
  // 1 in every bin, with periodic axes, axes that end, and both
  const Vec3d size{ 1, 1.4, 0.9 };
  for (const int periodic : { 7, 0, 1, 5, 6 })
  {
    const Bed bed = gas(20000, size, 100 + periodic);
    dem::RadialDistributionOptions options;
    for (int k = 0; k < 3; ++k)
      options.box.period[k] = periodic >> k & 1 ? size[k] : 0;
    options.box.limited = true;
    options.box.upper = size;
    options.largest_distance = 0.42;
    options.bins = 20;
    const dem::RadialDistribution rdf = dem::radialDistribution(bed.grains(), options, device());
    double total = 0, weight = 0;
    for (int b = 0; b < 20; ++b)
    {
      ASSERT_GT(rdf.pairs[b], 1000u);
      // five standard deviations of Poisson counts, and 0.004 because pairs near a border are
      // correlated
      EXPECT_NEAR(rdf.g[b], 1, 5 / std::sqrt(double(rdf.pairs[b])) + 0.004)
        << "periodic " << periodic << ", bin " << b;
      total += rdf.g[b] * rdf.pairs[b];
      weight += rdf.pairs[b];
    }
    EXPECT_NEAR(total / weight, 1, 0.004) << periodic;
  }
}

TEST_P(StatisticsPairs, PairsAgainstAllPairs)
{
  const Bed bed = gas(1500, { 1, 1, 1 }, 9);
  for (const Vec3d& period : { Vec3d{}, Vec3d{ 0, 1, 0 }, Vec3d{ 1, 1, 1 } })
  {
    dem::RadialDistributionOptions options;
    options.box.period = period;
    options.largest_distance = 0.4;
    options.bins = 37;
    std::vector<std::uint64_t> expected(37);
    for (std::size_t i = 0; i < bed.size(); ++i)
      for (std::size_t j = i + 1; j < bed.size(); ++j)
      {
        const double d = distance(bed.at(i), bed.at(j), period);
        if (d < 0.4)
          ++expected[static_cast<std::size_t>(d / 0.4 * 37)];
      }
    EXPECT_EQ(dem::radialDistribution(bed.grains(), options, device()).pairs, expected);
    EXPECT_EQ(dem::radialDistribution(bed.grains(), options, device(1)).pairs, expected)
      << "one thread";
  }
}

TEST_P(StatisticsPairs, RegionsAndLimits)
{
  const Bed bed = gas(3000, { 1, 1, 1 }, 21);
  dem::RadialDistributionOptions options;
  EXPECT_NEAR(
    dem::radialDistribution(bed.grains(), options, device()).largest_distance, 0.08, 1e-12)
    << "four diameters of 0.02";
  options.box.limited = true;
  options.box.lower = { 0.2, 0.2, 0.2 };
  options.box.upper = { 0.8, 0.7, 0.6 };
  options.largest_distance = 0.4;
  const dem::RadialDistribution part = dem::radialDistribution(bed.grains(), options, device());
  EXPECT_NEAR(part.volume, 0.12, 1e-12);
  EXPECT_NEAR(double(part.size), 3000 * 0.12, 5 * std::sqrt(360));
  options.largest_distance = 0.41;
  EXPECT_HOLDS(errorOf([&] { dem::radialDistribution(bed.grains(), options, device()); }),
    "is 0.41 m, but the box of the grains allows 0.4 m");
  options.box.limited = false;
  options.box.period = { 0.5, 0, 0 };
  EXPECT_HOLDS(
    errorOf([&] { dem::radialDistribution(bed.grains(), options, device()); }), "allows 0.25 m");
  options.bins = 0;
  EXPECT_HOLDS(
    errorOf([&] { dem::radialDistribution(bed.grains(), options, device()); }), "has 0 bins");
  EXPECT_TRUE(dem::radialDistribution(Bed{}.grains(), {}, device()).pairs.empty());
  Bed flat;
  for (int i = 0; i < 9; ++i)
    flat.add({ double(i % 3), double(i / 3), 0 });
  EXPECT_TRUE(dem::radialDistribution(flat.grains(), {}, device()).pairs.empty())
    << "a layer has no g(r) in space";
}

INSTANTIATE_TEST_SUITE_P(Backends, StatisticsPairs,
  testing::Values(Backend{ dem::DeviceKind::CPU, dem::Precision::Mixed },
    Backend{ dem::DeviceKind::CUDA, dem::Precision::Mixed }),
  [](const testing::TestParamInfo<Backend>& info) { return backendName(info.param); });

// ---- flow

/// A square of side 2 at z = 0 with normal +z: `cells` x `cells` squares, each of two triangles
/// that do not share points. `bend` moves the points.
dem::FlowSurface square(
  int cells, const std::function<Vec3d(const Vec3d&)>& bend = [](const Vec3d& x) { return x; })
{
  std::vector<Vec3d> points;
  std::vector<std::array<std::int32_t, 3>> triangles;
  const auto corner = [&](int x, int y) {
    points.push_back(bend({ 2. * x / cells - 1, 2. * y / cells - 1, 0 }));
  };
  for (int y = 0; y < cells; ++y)
    for (int x = 0; x < cells; ++x)
      for (const bool upper : { false, true })
      {
        const auto first = static_cast<std::int32_t>(points.size());
        corner(x, y);
        corner(x + 1, upper ? y + 1 : y);
        corner(upper ? x : x + 1, y + 1);
        triangles.push_back({ first, first + 1, first + 2 });
      }
  return dem::FlowSurface::triangles(points, triangles);
}

TEST(Statistics, PathsThroughEdgesAndCornersPassOnce)
{
  for (const int cells : { 1, 2, 8 })
  {
    const dem::FlowSurface surface = square(cells);
    // paths through corners, edges, diagonals and triangles
    for (int y = -7; y < 8; ++y)
      for (int x = -7; x < 8; ++x)
      {
        const Vec3d at{ x / 8., y / 8., 0 }, up{ 0, 0, 1 };
        const auto rising =
          surface.passages(at - Vec3d{ 0.25, 0, 0.5 }, at + Vec3d{ 0.25, 0, 0.5 });
        const auto falling = surface.passages(at + up, at - up);
        EXPECT_EQ(rising.forward, 1) << x << " " << y;
        EXPECT_EQ(falling.backward, 1) << x << " " << y;
        EXPECT_EQ(rising.backward + falling.forward, 0);
        EXPECT_EQ(surface.passages(at + Vec3d{ 3, 0, -1 }, at + Vec3d{ 3, 0, 1 }).forward, 0)
          << "beside";
        EXPECT_EQ(surface.passages(at + up, at + 2. * up).forward, 0) << "above";
        // a path with a stop on the surface passes once
        EXPECT_EQ(surface.passages(at - up, at).forward + surface.passages(at, at + up).forward, 1);
      }
  }
}

TEST(Statistics, PathsThroughACurvedSurface)
{
  // a height field: the net number of passages depends only on whether the ends lie above or below
  const auto height = [](double x, double y) { return 0.3 * x * y; };
  const dem::FlowSurface surface = square(6, [&](const Vec3d& p) {
    return Vec3d{ p.x, p.y, height(p.x, p.y) };
  });
  const auto facet = [&](const Vec3d& p) {
    const double u = (p.x + 1) * 3, v = (p.y + 1) * 3;
    const double x0 = std::floor(u), y0 = std::floor(v), fx = u - x0, fy = v - y0;
    const auto h = [&](double x, double y) { return height(x / 3 - 1, y / 3 - 1); };
    return fx > fy
      ? h(x0, y0) + fx * (h(x0 + 1, y0) - h(x0, y0)) + fy * (h(x0 + 1, y0 + 1) - h(x0 + 1, y0))
      : h(x0, y0) + fy * (h(x0, y0 + 1) - h(x0, y0)) + fx * (h(x0 + 1, y0 + 1) - h(x0, y0 + 1));
  };
  Uniform uniform(4);
  int passed = 0;
  for (int i = 0; i < 2000; ++i)
  {
    const auto place = [&] {
      const double x = uniform(-0.99, 0.99), y = uniform(-0.99, 0.99), z = uniform(-0.5, 0.5);
      return Vec3d{ x, y, z };
    };
    const Vec3d a = place(), b = place();
    const auto found = surface.passages(a, b);
    EXPECT_EQ(found.forward - found.backward, (b.z >= facet(b)) - (a.z >= facet(a)));
    passed += found.forward + found.backward;
  }
  EXPECT_GT(passed, 500);
}

TEST(Statistics, FlowOfASteadyStream)
{
  // grains in a row, 0.1 m apart, rise by 0.3 m per output: three pass each time; two species have
  // masses 1 and 3
  const int n = 200;
  for (const dem::FlowSurface& surface :
    { dem::FlowSurface::plane({ 9, 9, 0 }, { 0, 0, 4 }), square(3) })
  {
    dem::FlowCounter counter;
    for (int step = 0; step <= 70; ++step)
    {
      Bed bed;
      for (int k = 0; k < n; ++k)
      {
        // another order in memory for some outputs, with the same Ids
        const int i = (7 * k * (step + 1) + step) % n;
        const int grain = std::gcd(7 * (step + 1), n) == 1 ? i : k;
        bed.add({ 0.3, 0.2, -0.1 * grain - 0.05 + 0.3 * step }, 0.01, grain % 2 ? 5 : 2,
          grain % 2 ? 3 : 1);
        bed.id.back() = grain;
      }
      counter.add(0.25 * step, bed.grains(), surface, {});
      const dem::FlowRecord& record = counter.records().back();
      if (step == 0)
      {
        EXPECT_TRUE(record.total.empty());
        continue;
      }
      std::uint64_t forward = 0, last = 0;
      for (const auto& s : record.total)
      {
        forward += s.second.forward;
        EXPECT_EQ(s.second.backward, 0u);
        EXPECT_EQ(
          s.second.mass(), static_cast<double>(s.second.count()) * (s.first == 5 ? 3. : 1.));
      }
      for (const auto& s : record.last)
        last += s.second.forward;
      EXPECT_EQ(forward, std::min(n, 3 * step)) << step;
      EXPECT_EQ(last, std::max(0, std::min(3, n - 3 * (step - 1)))) << step;
      EXPECT_EQ(record.interval, 0.25);
    }
    EXPECT_EQ(counter.records().back().total.at(5).mass_forward, 300);
    EXPECT_EQ(counter.find(-1), nullptr);
    EXPECT_EQ(counter.find(0.74)->time, 0.5);
  }
}

TEST(Statistics, FlowBackAndForthAndComingAndGoing)
{
  const dem::FlowSurface plane = dem::FlowSurface::plane({ 0, 0, 1 }, { 0, 0, -1 });
  Bed bed;
  bed.add({ 0, 0, 0 });
  bed.add({ 0, 0, 2 });
  dem::FlowCounter counter;
  counter.add(0, bed.grains(), plane, {});
  bed.position[2] = 2; // now both are above
  counter.add(1, bed.grains(), plane, {});
  EXPECT_EQ(counter.records()[1].total.at(0).backward, 1u);
  bed.position[2] = bed.position[5] = 0;
  bed.id[1] = 77; // another grain
  counter.add(2, bed.grains(), plane, {});
  const dem::FlowTotals t = counter.records()[2].total.at(0);
  EXPECT_EQ(t.forward, 1u);
  EXPECT_EQ(t.backward, 1u);
  EXPECT_EQ(t.count(), 0);
  EXPECT_EQ(counter.records()[1].total.at(0).forward, 0u) << "earlier totals stay";
  counter.add(3, Bed{}.grains(), plane, {});
  EXPECT_EQ(counter.records()[3].total.at(0).forward, 1u);
  EXPECT_HOLDS(errorOf([&] { counter.add(3, bed.grains(), plane, {}); }), "times must ascend");
  EXPECT_HOLDS(errorOf([&] { dem::FlowSurface::plane({}, {}); }), "no direction");
  counter.reset();
  EXPECT_TRUE(counter.records().empty());
  counter.add(1, bed.grains(), plane, {});
  EXPECT_TRUE(counter.records()[0].total.empty());
}

// A grain that leaves between two outputs passes the surface between its last place and its exit,
// for any interval.
TEST(Statistics, FlowOfGrainsThatLeave)
{
  const int n = 5;
  // they fall at 1 m/s and leave at z = 0
  const auto height = [](int i, double t) { return 0.1 + 0.03 * i - t; };
  for (const dem::FlowSurface& surface : { dem::FlowSurface::plane({ 0, 0, 0.005 }, { 0, 0, -1 }),
         dem::FlowSurface::plane({}, { 0, 0, -1 }) })
    for (const double interval : { 0.3, 0.07, 0.002 })
    {
      dem::FlowCounter counter;
      for (int step = 0; interval * step < 0.4; ++step)
      {
        Bed bed;
        std::vector<std::int64_t> ids;
        std::vector<double> places;
        for (int i = 0; i < n; ++i)
        {
          if (height(i, interval * step) >= 0)
          {
            bed.add({ 0.01 * i, 0, height(i, interval * step) }, 0.01, i == 4 ? 3 : 1, 1 + i);
            bed.id.back() = 10 + i;
            continue;
          }
          ids.push_back(10 + i);
          places.insert(places.end(), { 0.01 * i, 0., -1e-4 });
        }
        counter.add(step, bed.grains(), surface, {}, { ids.size(), ids.data(), places.data() });
      }
      const auto& total = counter.records().back().total;
      EXPECT_EQ(total.at(1).forward, 4u) << interval;
      EXPECT_EQ(total.at(3).forward, 1u) << interval;
      EXPECT_EQ(total.at(1).mass_forward, 10) << interval;
      EXPECT_EQ(total.at(3).mass_forward, 5) << interval;
      EXPECT_EQ(total.at(1).backward + total.at(3).backward, 0u) << interval;
    }
  const std::int64_t id = 4;
  const double place[3] = { 1, 2, 3 };
  EXPECT_NE(dem::FlowCounter::fingerprint({}, square(3), {}),
    dem::FlowCounter::fingerprint({}, square(3), { 1, &id, place }));
}

TEST(Statistics, FlowOverAPeriodicBorder)
{
  // grains move along x through a periodic box of 1 m, three times; each passes the plane once per
  // round, wherever the plane lies
  for (const double where : { 0.02, 0.5, 0.98 })
  {
    dem::FlowCounter counter;
    for (int step = 0; step <= 100; ++step)
    {
      Bed bed;
      for (int i = 0; i < 10; ++i)
        bed.add({ std::fmod(0.1 * i + 0.053 + 0.03 * step, 1.0), 0, 0 });
      counter.add(
        step, bed.grains(), dem::FlowSurface::plane({ where, 0, 0 }, { 1, 0, 0 }), { 1, 0, 0 });
    }
    EXPECT_EQ(counter.records().back().total.at(0).forward, 30u) << where;
    EXPECT_EQ(counter.records().back().total.at(0).backward, 0u) << where;
  }
}

} // namespace
