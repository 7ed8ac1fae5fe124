// The transfers of Meyer 2019 one by one: all ways give what plain loops give; what round trips
// keep (his table 4, smaller); reductions (table 3).
#include "MpmSupport.h"

#include "MaterialPoint/MpmTransfers.h"

namespace
{

using namespace test;

class MpmTransfers : public MpmTest
{
protected:
  mpm::TransferCase smallCase(mpm::TransferPoints arrangement, mpm::Spline spline) const
  {
    mpm::TransferCase c;
    c.points = 6000;
    c.cells = 32;
    c.arrangement = arrangement;
    c.spline = spline;
    c.precision = precision();
    return c;
  }
  dem::Device device() const { return dem::chooseDevice(GetParam().device); }
};
PARAGRAIN_ON_ALL_BACKENDS(MpmTransfers);

double largest(const std::vector<double>& a, const std::vector<double>& b)
{
  double d = a.size() == b.size() ? 0 : 1e300;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    d = std::max(d, std::fabs(a[i] - b[i]));
  return d;
}

TEST_P(MpmTransfers, AllWaysAgree)
{
  using namespace mpm;
  const double small = mixed() ? 3e-6 : 1e-14;
  for (Spline spline : { Spline::Quadratic, Spline::Cubic })
    for (TransferPoints arrangement : { TransferPoints::Random, TransferPoints::Cube })
      for (bool affine : { false, true })
      {
        TransferBench bench(device(), smallCase(arrangement, spline));
        std::vector<double> grid, velocities;
        const auto check = [&](TransferOptions o) {
          o.affine = affine;
          SCOPED_TRACE(std::string(name(spline)) + " " + name(o.sort) + " " + name(o.to_grid) +
            " " + name(o.to_points) + " batching " + std::to_string(o.batching) +
            (o.active_blocks ? " active" : "") + (o.wide_blocks ? " wide" : "") +
            (affine ? " affine" : ""));
          TransferBench own(device(), smallCase(arrangement, spline));
          own.choose(o);
          own.prepare();
          EXPECT_TRUE(o.sort == SortMethod::None || own.sorted());
          for (int trip = 0; trip < 2; ++trip)
          {
            own.run(TransferStage::ToGrid);
            own.run(TransferStage::ToPoints);
          }
          if (grid.empty())
          {
            grid = own.grid();
            velocities = own.velocities();
            double mass = 0;
            for (std::size_t i = 3; i < grid.size(); i += 4)
              mass += grid[i];
            EXPECT_NEAR(mass, 6000, mixed() ? 0.01 : 1e-8);
            return;
          }
          EXPECT_LT(largest(own.grid(), grid), 20 * small);
          EXPECT_LT(largest(own.velocities(), velocities), 20 * small);
        };
        for (SortMethod sort : { SortMethod::None, SortMethod::Index, SortMethod::Deep })
          for (ToGridMethod method :
            { ToGridMethod::Global, ToGridMethod::GlobalSupport, ToGridMethod::WarpSums })
          {
            TransferOptions o;
            o.sort = sort;
            o.to_grid = method;
            check(o);
          }
        for (ToGridMethod method :
          { ToGridMethod::Pull, ToGridMethod::SharedAtomic, ToGridMethod::Sync })
          for (int batching : { 1, 2, 4 })
            for (bool active : { false, true })
            {
              TransferOptions o;
              o.to_grid = method;
              o.batching = batching;
              o.active_blocks = active;
              o.wide_blocks = active && !(method == ToGridMethod::Pull && !mixed());
              o.sort = batching == 2 ? SortMethod::Index : SortMethod::Deep;
              o.to_points = active ? ToPointsMethod::Shared : ToPointsMethod::Global;
              if (method != ToGridMethod::Pull || batching == 1)
                check(o);
            }
      }
}

// Against plain loops in double precision over the weights of Meyer 2019, eq. 74, and its quadratic
// fellow.
TEST_P(MpmTransfers, AgreeWithPlainLoops)
{
  using namespace mpm;
  for (Spline spline : { Spline::Quadratic, Spline::Cubic })
  {
    TransferCase c = smallCase(TransferPoints::Random, spline);
    c.points = 1500;
    c.cells = 16;
    TransferBench bench(device(), c);
    TransferOptions o;
    o.sort = SortMethod::None;
    o.to_grid = ToGridMethod::Global;
    bench.choose(o);
    const std::vector<double> v = bench.velocities();
    // the generator of the case: places first, then velocities
    std::mt19937_64 random(c.seed);
    std::uniform_real_distribution<double> u(0, 1);
    std::vector<Vec3d> x;
    for (std::size_t i = 0; i < c.points; ++i)
      x.push_back({ 3 + 10 * u(random), 3 + 10 * u(random), 3 + 10 * u(random) });
    const auto weight = [&](double d) {
      d = std::fabs(d);
      if (spline == Spline::Cubic)
        return d < 1 ? d * d * d / 2 - d * d + 2. / 3 : (d < 2 ? std::pow(2 - d, 3) / 6 : 0.);
      return d < 0.5 ? 0.75 - d * d : (d < 1.5 ? std::pow(1.5 - d, 2) / 2 : 0.);
    };
    std::vector<double> grid(4 * 16 * 16 * 16, 0.);
    for (std::size_t i = 0; i < c.points; ++i)
      for (int n = 0; n < 16 * 16 * 16; ++n)
      {
        const double w =
          weight(x[i].x - n % 16) * weight(x[i].y - n / 16 % 16) * weight(x[i].z - n / 256);
        for (int k = 0; k < 3; ++k)
          grid[4 * n + k] += w * v[3 * i + k];
        grid[4 * n + 3] += w;
      }
    bench.prepare();
    bench.run(TransferStage::ToGrid);
    EXPECT_LT(largest(bench.grid(), grid), mixed() ? 1e-5 : 1e-13) << name(spline);
    bench.run(TransferStage::ToPoints);
    std::vector<double> back(3 * c.points, 0.);
    for (std::size_t i = 0; i < c.points; ++i)
      for (int n = 0; n < 16 * 16 * 16; ++n)
      {
        const double w =
          weight(x[i].x - n % 16) * weight(x[i].y - n / 16 % 16) * weight(x[i].z - n / 256);
        if (w > 0)
          for (int k = 0; k < 3; ++k)
            back[3 * i + k] += w * grid[4 * n + k] / grid[4 * n + 3];
      }
    EXPECT_LT(largest(bench.velocities(), back), mixed() ? 1e-5 : 1e-13) << name(spline);
  }
}

namespace
{

// His method: synchronised, batching 4, blocks of 4 x 4 x 4.
void prepareMeyers(mpm::TransferBench& bench, bool affine)
{
  mpm::TransferOptions o;
  o.batching = 4;
  o.wide_blocks = false;
  o.affine = affine;
  bench.choose(o);
  bench.prepare();
}

} // namespace

// Meyer 2019, table 4, with fewer points and trips; his method: synchronised, batching 4, blocks of
// 4 x 4 x 4. The points are fixed.
TEST_P(MpmTransfers, RoundTripsKeepMomentum)
{
  using namespace mpm;
  for (bool affine : { false, true })
  {
    TransferBench bench(device(), smallCase(TransferPoints::Cube, Spline::Cubic));
    prepareMeyers(bench, affine);
    const TransferTotals before = bench.ofPoints();
    for (int trip = 0; trip < 100; ++trip)
    {
      bench.run(TransferStage::ToGrid);
      bench.run(TransferStage::ToPoints);
    }
    const TransferTotals after = bench.ofPoints(), grid = bench.ofGrid();
    const double small = mixed() ? 1e-5 : 1e-12;
    EXPECT_NEAR(grid.mass, before.mass, small * before.mass);
    const Vec3d p = after.momentum - before.momentum, l = after.angular - before.angular;
    EXPECT_LT(length(p), small * before.mass);
    const double scale = length(before.angular);
    if (affine)
    {
      EXPECT_LT(length(l), small * 16 * before.mass);
      EXPECT_LT(length(grid.angular - before.angular), small * 16 * before.mass);
    }
    else
    {
      EXPECT_GT(length(l), 1e-3 * scale); // PIC loses it
    }
  }
}

std::vector<double> lengthsOf(const mpm::TransferBench& bench)
{
  const std::vector<double> v = bench.velocities();
  std::vector<double> lengths;
  for (std::size_t i = 0; i < v.size(); i += 3)
    lengths.push_back(std::sqrt(v[i] * v[i] + v[i + 1] * v[i + 1] + v[i + 2] * v[i + 2]));
  return lengths;
}

TEST_P(MpmTransfers, MapsReachEachPoint)
{
  using namespace mpm;
  for (TransferStage stage : { TransferStage::MapSoA1, TransferStage::MapAoS1,
         TransferStage::MapSoA2, TransferStage::MapAoS2 })
    for (int each : { 1, 4 })
    {
      TransferCase c = smallCase(TransferPoints::Random, Spline::Cubic);
      c.points = 6003; // four points a thread do not come out even
      TransferBench bench(device(), c);
      TransferOptions o;
      o.map_points = each;
      bench.choose(o);
      bench.run(stage);
      EXPECT_LT(largest(bench.mapped(0), lengthsOf(bench)), mixed() ? 4e-7 : 8e-16) << each;
      if (stage == TransferStage::MapSoA2 || stage == TransferStage::MapAoS2)
      {
        const std::vector<double> places = bench.mapped(1);
        ASSERT_EQ(places.size(), c.points);
        EXPECT_GT(*std::min_element(places.begin(), places.end()), 3 * std::sqrt(3.) - 1e-5)
          << each;
        EXPECT_LT(*std::max_element(places.begin(), places.end()), 29 * std::sqrt(3.) + 1e-5)
          << each;
      }
    }
}

// Meyer 2019, table 3: errors of reductions; and scans.
void reductionsAreExact(const dem::Device& device, mpm::TransferCase c, bool mixed)
{
  using namespace mpm;
  c.points = 1 << 20;
  c.cells = 64;
  TransferBench bench(device, c);
  long double exact = 0;
  for (double x : lengthsOf(bench))
    exact += x;
  const double sum = static_cast<double>(exact);
  bench.run(TransferStage::ReduceLength);
  EXPECT_NEAR(bench.reduced(), sum, (mixed ? 1e-7 : 1e-14) * sum); // his: 2.7e-4 and 2e-11
  bench.run(TransferStage::ReduceLibrary);
  EXPECT_NEAR(bench.reduced(), sum, (mixed ? 1e-6 : 1e-13) * sum);
  bench.run(TransferStage::ScanIntegers);
  const std::vector<std::uint32_t> scanned = bench.scanned();
  std::uint32_t at = 0;
  ASSERT_EQ(scanned.size(), (std::size_t(4) << 20) + 1);
  for (std::size_t i = 0; i < scanned.size(); ++i)
  {
    ASSERT_EQ(scanned[i], at) << i;
    at += static_cast<std::uint32_t>(i % 3);
  }
  for (TransferStage stage : { TransferStage::ReduceInterleaved, TransferStage::ReduceSequential,
         TransferStage::ReduceSequential2, TransferStage::ReduceSequential128 })
  {
    bench.run(stage);
    EXPECT_NEAR(bench.reduced(), sum, (mixed ? 1e-6 : 1e-13) * sum) << static_cast<int>(stage);
  }
  const std::pair<TransferStage, std::size_t> scans[] = { { TransferStage::ScanConflicts, 1024 },
    { TransferStage::ScanPadded, 1024 }, { TransferStage::ScanPadded2, 2048 },
    { TransferStage::ScanPadded4, 4096 } };
  for (const auto& [stage, segment] : scans)
  {
    bench.run(stage);
    const std::vector<std::uint32_t> within = bench.scanned();
    std::uint32_t next = 0;
    for (std::size_t i = 0; i + 1 < within.size(); ++i)
    {
      next = i % segment ? next : 0;
      ASSERT_EQ(within[i], next) << i << ", segments of " << segment;
      next += static_cast<std::uint32_t>(i % 3);
    }
  }
}

TEST_P(MpmTransfers, ReductionsAreExactToRounding)
{
  reductionsAreExact(device(), smallCase(mpm::TransferPoints::Random, mpm::Spline::Cubic), mixed());
}

TEST_P(MpmTransfers, Refusals)
{
  using namespace mpm;
  TransferBench bench(device(), smallCase(TransferPoints::Random, Spline::Cubic));
  const auto refused = [&](TransferOptions o, const char* one, const char* other) {
    const std::string text = errorOf([&] { bench.choose(o); });
    EXPECT_MENTIONS(text, one);
    EXPECT_MENTIONS(text, other);
  };
  refused({ SortMethod::None }, "sort none", "sync");
  refused(
    { SortMethod::None, ToGridMethod::Global, ToPointsMethod::Shared }, "sort none", "shared");
  refused({ SortMethod::Deep, ToGridMethod::Sync, ToPointsMethod::Global, 3 }, "Batching", "3");
  refused(
    { SortMethod::Deep, ToGridMethod::Pull, ToPointsMethod::Global, 4 }, "Batching 4", "pull");
  if (!mixed())
    refused({ SortMethod::Deep, ToGridMethod::Pull }, "Double precision", "pull");
  TransferOptions map;
  map.map_points = 2;
  refused(map, "1 point or 4", "2");
}

// Meyer 2019, table 4, at his size: 1,000 round trips of a turned cube of 1 M points, 4 a cell, in
// 128^3 cells. A matter of minutes on a CPU: on CUDA alone.
class MpmTransfersAtFullSize : public MpmTransfers
{
};
INSTANTIATE_TEST_SUITE_P(All, MpmTransfersAtFullSize,
  testing::Values(test::Backend{ dem::DeviceKind::CUDA, dem::Precision::Mixed },
    test::Backend{ dem::DeviceKind::CUDA, dem::Precision::Double }),
  [](const testing::TestParamInfo<test::Backend>& info) { return test::backendName(info.param); });

TEST_P(MpmTransfersAtFullSize, RoundTripsKeepMomentum)
{
  using namespace mpm;
  for (bool affine : { false, true })
  {
    SCOPED_TRACE(affine ? "APIC" : "PIC");
    TransferCase c;
    c.arrangement = TransferPoints::Cube;
    c.precision = precision();
    TransferBench bench(device(), c);
    prepareMeyers(bench, affine);
    const TransferTotals before = bench.ofPoints();
    ASSERT_NEAR(before.mass, 1e6, 1e-3);
    for (int trip = 0; trip < 1000; ++trip)
    {
      bench.run(TransferStage::ToGrid);
      bench.run(TransferStage::ToPoints);
    }
    const TransferTotals points = bench.ofPoints(), grid = bench.ofGrid();
    // relative errors of the grid's totals; his: mass 7e-6, momentum 2e-4, angular momentum of
    // APIC 1.5e-4, of PIC 0.27
    const double mass = std::fabs(grid.mass / before.mass - 1),
                 momentum = length(grid.momentum - before.momentum) / length(before.momentum);
    const double angular = length(grid.angular - before.angular) / length(before.angular);
    std::printf("      %s, 1000 round trips: mass %.2g, momentum %.2g, angular momentum %.2g\n",
      affine ? "APIC" : "PIC", mass, momentum, angular);
    EXPECT_LT(mass, mixed() ? 7e-6 : 1e-12);
    EXPECT_LT(momentum, mixed() ? 2e-4 : 1e-10);
    EXPECT_LT(
      length(points.momentum - before.momentum) / length(before.momentum), mixed() ? 2e-4 : 1e-10);
    if (affine)
    {
      EXPECT_LT(angular, mixed() ? 1.5e-4 : 1e-10);
      EXPECT_LT(
        length(points.angular - before.angular) / length(before.angular), mixed() ? 1.5e-4 : 1e-10);
    }
    else
    {
      EXPECT_GT(angular, 0.1); // PIC loses it
      EXPECT_LT(angular, 1.);
    }
  }
}

TEST_P(MpmTransfersAtFullSize, ReductionsAreExactToRounding)
{
  mpm::TransferCase c;
  c.precision = precision();
  reductionsAreExact(device(), c, mixed());
}

} // namespace
