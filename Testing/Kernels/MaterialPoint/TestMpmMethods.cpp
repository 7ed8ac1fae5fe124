// The transfers and orders of points that a run can choose: they agree with the default, keep equal
// bits where they promise them, and refuse what they cannot do.
#include "MpmSupport.h"

namespace
{

using namespace test;
using mpm::GridTransfer;
using mpm::Scene;

class MpmMethods : public MpmTest
{
protected:
  /// The end of a run of eight outputs, and of the default run of the same scene.
  mpm::Frame end(const Scene& scene, int threads = 2) const
  {
    auto run = simulate(scene, threads);
    run.advanceTo(8 * run.plan().steps_per_output);
    return run.frame();
  }
};
PARAGRAIN_ON_ALL_BACKENDS(MpmMethods);

// Two blocks of different materials, one turned, fall on a floor; some points leave at the side.
Scene tumble(mpm::Transfer transfer, mpm::Spline spline)
{
  Scene s = softScene(1. / 12);
  s.transfer = transfer;
  s.spline = spline;
  s.gravity = { 3, 0, -10 };
  s.domain.border[4] = mpm::Border::Separate;
  s.domain.border[1] = mpm::Border::Remove;
  s.materials.push_back(s.materials[0]);
  s.materials[1].kind = mpm::MaterialKind::LinearElastic;
  s.points = mpm::fillBox({ 0.3, 0.3, 0.02 }, { 0.6, 0.6, 0.4 }, s.grid_spacing, 2, 0.5, 3);
  const mpm::PointInput more =
    mpm::fillBox({ 0.8, 0.3, 0.1 }, { 0.96, 0.5, 0.3 }, s.grid_spacing, 2, 0.5, 4);
  s.points.material.assign(s.points.size(), 0);
  for (std::size_t i = 0; i < more.size(); ++i)
  {
    s.points.position.push_back(more.position[i]);
    s.points.volume.push_back(more.volume[i]);
    s.points.material.push_back(1);
  }
  setVelocity(s, [](const Vec3d& x) {
    return Vec3d{ x.x > 0.7 ? 2. : 5 * (x.z - 0.2), 0.3 * std::sin(9 * x.x), -1 };
  });
  s.output_interval = 0.01;
  return s;
}

const GridTransfer kAll[] = { GridTransfer::Sync, GridTransfer::SharedAtomic, GridTransfer::Pull,
  GridTransfer::Global, GridTransfer::GlobalSupport, GridTransfer::WarpSums };

/// Largest difference of places over 1 m, and of velocities over 1 m/s.
void expectAgreement(const mpm::Frame& a, const mpm::Frame& b, double most)
{
  ASSERT_EQ(a.size, b.size);
  ASSERT_EQ(a.statistics.lost, b.statistics.lost);
  const Apart d = apart(a, b);
  EXPECT_LT(d.place, most);
  EXPECT_LT(d.speed, 100 * most); // accelerations are 1e3 m/s^2
}

TEST_P(MpmMethods, AgreeWithTheDefault)
{
  for (mpm::Transfer transfer : { mpm::Transfer::APIC, mpm::Transfer::FLIP })
    for (mpm::Spline spline : { mpm::Spline::Quadratic, mpm::Spline::Cubic })
    {
      Scene s = tumble(transfer, spline);
      const mpm::Frame expected = end(s);
      ASSERT_GT(expected.statistics.lost, 10u);
      s.equal_bits = false;
      for (GridTransfer method : kAll)
      {
        SCOPED_TRACE(
          std::string(mpm::name(transfer)) + " " + mpm::name(spline) + " " + mpm::name(method));
        s.grid_transfer = method;
        expectAgreement(end(s), expected, mixed() ? 3e-6 : 1e-12);
      }
      s.batching = 4;
      for (GridTransfer method : { GridTransfer::Sync, GridTransfer::SharedAtomic })
      {
        SCOPED_TRACE(std::string("batches of 4, ") + mpm::name(method));
        s.grid_transfer = method;
        expectAgreement(end(s), expected, mixed() ? 3e-6 : 1e-12);
      }
      s.batching = 1;
      s.grid_transfer = GridTransfer::Tiles;
      s.point_order = mpm::PointSorting::Index;
      expectAgreement(end(s), expected, mixed() ? 3e-6 : 1e-12);
    }
}

TEST_P(MpmMethods, ReadingFromGlobalMemoryGivesTheSameBits)
{
  for (mpm::Spline spline : { mpm::Spline::Quadratic, mpm::Spline::Cubic })
  {
    Scene s = tumble(mpm::Transfer::APIC, spline);
    const mpm::Frame expected = end(s);
    s.point_transfer = mpm::PointTransfer::Global;
    EXPECT_EQ(firstDifference(end(s), expected), "");
  }
}

// An option that were ignored would agree with the default too. Methods round differently, so the
// bits differ; those that add in the order of arrival in global memory hold sums of the nodes.
TEST_P(MpmMethods, AreInUse)
{
  Scene s = tumble(mpm::Transfer::APIC, mpm::Spline::Quadratic);
  const mpm::Frame tiles = end(s, 1);
  const auto differs = [](const mpm::Frame& a, const mpm::Frame& b) {
    const Apart d = apart(a, b);
    return d.place > 0 || d.speed > 0;
  };
  s.grid_transfer = GridTransfer::Pull;
  const mpm::Frame pull = end(s, 1);
  EXPECT_TRUE(differs(pull, tiles));
  s.grid_transfer = GridTransfer::Sync;
  const mpm::Frame sync = end(s, 1);
  EXPECT_TRUE(differs(sync, tiles));
  EXPECT_TRUE(differs(sync, pull));
  s.batching = 4;
  EXPECT_TRUE(differs(end(s, 1), sync));
  s.batching = 1;
  s.equal_bits = false;
  s.grid_transfer = GridTransfer::Tiles;
  const mpm::Frame any = end(s, 1);
  for (GridTransfer method : { GridTransfer::SharedAtomic, GridTransfer::Global,
         GridTransfer::GlobalSupport, GridTransfer::WarpSums })
  {
    s.grid_transfer = method;
    const mpm::Frame f = end(s, 1);
    EXPECT_TRUE(differs(f, any)) << mpm::name(method);
    if (method != GridTransfer::SharedAtomic)
    {
      EXPECT_GT(f.statistics.device_bytes, any.statistics.device_bytes) << mpm::name(method);
    }
  }
  s.equal_bits = true;
  s.grid_transfer = GridTransfer::Tiles;
  s.point_order = mpm::PointSorting::Index;
  EXPECT_NE(end(s, 1).statistics.device_bytes, tiles.statistics.device_bytes);
}

// Without additions in the order of arrival a run has the same bits on any number of threads, saved
// or not.
TEST_P(MpmMethods, KeepEqualBits)
{
  for (GridTransfer method : { GridTransfer::Sync, GridTransfer::Pull, GridTransfer::Tiles })
    for (mpm::PointSorting order : { mpm::PointSorting::Deep, mpm::PointSorting::Index })
    {
      SCOPED_TRACE(std::string(mpm::name(method)) + " " + mpm::name(order));
      Scene s = tumble(mpm::Transfer::APIC, mpm::Spline::Quadratic);
      s.grid_transfer = method;
      s.point_order = order;
      const mpm::Frame one = end(s, 1), two = end(s, 2);
      EXPECT_EQ(firstDifference(one, two), "");
      auto half = simulate(s), rest = simulate(s);
      half.advanceTo(4 * half.plan().steps_per_output);
      rest.restore(half.save());
      rest.advanceTo(8 * rest.plan().steps_per_output);
      EXPECT_EQ(firstDifference(rest.frame(), one), "");
    }
}

// MemoryLimit counts what a method holds beside the default: sums of the nodes.
TEST(MpmMethodsRefusals, TheMemoryLimitCountsSumsOfNodes)
{
  Scene s = tumble(mpm::Transfer::APIC, mpm::Spline::Quadratic);
  s.equal_bits = false;
  const auto fits = [&](double bytes, GridTransfer method) {
    s.memory_limit = bytes;
    s.grid_transfer = method;
    try
    {
      mpm::Simulation run(s, { dem::DeviceKind::CPU, 1 });
      run.advanceTo(1);
      return true;
    }
    catch (const dem::Error& error)
    {
      EXPECT_MENTIONS(error.what(), "MemoryLimit");
      return false;
    }
  };
  double least = 1, most = 1 << 30;
  ASSERT_TRUE(fits(most, GridTransfer::Global));
  while (most - least > 8)
  {
    const double middle = 0.5 * (least + most);
    (fits(middle, GridTransfer::Tiles) ? most : least) = middle;
  }
  for (GridTransfer method : { GridTransfer::Sync, GridTransfer::SharedAtomic })
    EXPECT_TRUE(fits(most, method)) << mpm::name(method);
  for (GridTransfer method : { GridTransfer::Pull, GridTransfer::Global,
         GridTransfer::GlobalSupport, GridTransfer::WarpSums })
  {
    // 16 bytes a node in Single, of at least one block of 4 x 4 x 4
    EXPECT_FALSE(fits(most + 64 * 16 - 16, method)) << mpm::name(method);
  }
}

TEST(MpmMethodsRefusals, NameBothParts)
{
  Scene s = tumble(mpm::Transfer::APIC, mpm::Spline::Quadratic);
  const auto refuse = [&](const std::string& one, const std::string& other) {
    const std::string e = errorOf([&] { mpm::Simulation run(s, { dem::DeviceKind::CPU, 1 }); });
    EXPECT_MENTIONS(e, one);
    EXPECT_MENTIONS(e, other);
  };
  s.grid_transfer = GridTransfer::Global;
  refuse("'Global'", "EqualBits");
  s.batching = 4;
  s.grid_transfer = GridTransfer::Pull;
  refuse("Batching 4", "'Pull'");
  s.batching = 1;
  s.grid_transfer = GridTransfer::Tiles;
  s.transfer = mpm::Transfer::FLIP;
  s.point_transfer = mpm::PointTransfer::Global;
  refuse("PointTransfer 'Global'", "FLIP");
  s.transfer = mpm::Transfer::APIC;
  s.point_transfer = mpm::PointTransfer::Shared;
  s.grid_transfer = GridTransfer::Sync;
  s.integration = mpm::TimeIntegration::BackwardEuler;
  refuse("Sync", "Backward Euler");
  s.grid_transfer = GridTransfer::Tiles;
  s.point_order = mpm::PointSorting::Index;
  refuse("Index", "Backward Euler");
}

} // namespace
