// The transfers of Meyer 2019 one by one: all ways give what plain loops give; what round trips keep (his table 4, smaller); reductions (table 3).
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
          SCOPED_TRACE(std::string(name(spline)) + " " + name(o.sort) + " " + name(o.to_grid) + " " + name(o.to_points) + " batching " +
            std::to_string(o.batching) + (o.active_blocks ? " active" : "") + (o.wide_blocks ? " wide" : "") + (affine ? " affine" : ""));
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
          for (ToGridMethod method : { ToGridMethod::Global, ToGridMethod::GlobalSupport })
          {
            TransferOptions o;
            o.sort = sort;
            o.to_grid = method;
            check(o);
          }
        for (ToGridMethod method : { ToGridMethod::Pull, ToGridMethod::SharedAtomic, ToGridMethod::Sync })
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

// Against plain loops in double precision over the weights of Meyer 2019, eq. 74, and its quadratic fellow.
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
        const double w = weight(x[i].x - n % 16) * weight(x[i].y - n / 16 % 16) * weight(x[i].z - n / 256);
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
        const double w = weight(x[i].x - n % 16) * weight(x[i].y - n / 16 % 16) * weight(x[i].z - n / 256);
        if (w > 0)
          for (int k = 0; k < 3; ++k)
            back[3 * i + k] += w * grid[4 * n + k] / grid[4 * n + 3];
      }
    EXPECT_LT(largest(bench.velocities(), back), mixed() ? 1e-5 : 1e-13) << name(spline);
  }
}

// Meyer 2019, table 4, with fewer points and trips; his method: synchronised, batching 4, blocks of 4 x 4 x 4. The points are fixed.
TEST_P(MpmTransfers, RoundTripsKeepMomentum)
{
  using namespace mpm;
  for (bool affine : { false, true })
  {
    TransferBench bench(device(), smallCase(TransferPoints::Cube, Spline::Cubic));
    TransferOptions o;
    o.batching = 4;
    o.wide_blocks = false;
    o.affine = affine;
    bench.choose(o);
    bench.prepare();
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

TEST_P(MpmTransfers, ReductionsAreExactToRounding)
{
  mpm::TransferCase c = smallCase(mpm::TransferPoints::Random, mpm::Spline::Cubic);
  c.points = 1 << 20;
  c.cells = 64;
  mpm::TransferBench bench(device(), c);
  const std::vector<double> v = bench.velocities();
  long double exact = 0;
  for (std::size_t i = 0; i < v.size(); i += 3)
    exact += std::sqrt(v[i] * v[i] + v[i + 1] * v[i + 1] + v[i + 2] * v[i + 2]);
  const double sum = static_cast<double>(exact);
  bench.run(mpm::TransferStage::ReduceLength);
  EXPECT_NEAR(bench.reduced(), sum, (mixed() ? 1e-7 : 1e-14) * sum); // Meyer 2019, table 3: 2.7e-4 and 2e-11
}

TEST_P(MpmTransfers, Refusals)
{
  mpm::TransferBench bench(device(), smallCase(mpm::TransferPoints::Random, mpm::Spline::Cubic));
  mpm::TransferOptions o;
  o.sort = mpm::SortMethod::None;
  EXPECT_MENTIONS(errorOf([&] { bench.choose(o); }), "sync");
  o.sort = mpm::SortMethod::Deep;
  o.batching = 3;
  EXPECT_MENTIONS(errorOf([&] { bench.choose(o); }), "Batching");
}

} // namespace
