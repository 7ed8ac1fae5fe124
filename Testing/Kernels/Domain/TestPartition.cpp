// The division of space among parts, against counts and distances found one by one; and threads of
// parts that fail.
#include "Domain/PartThreads.h"
#include "Domain/Partition.cuh"
#include "ErrorText.h"
#include "Random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace
{

std::vector<dem::Vec3d> points(std::size_t n, unsigned seed)
{
  test::Uniform uniform(seed);
  std::vector<dem::Vec3d> x(n);
  for (dem::Vec3d& p : x)
    p = { uniform(0, 3), uniform(-1, 1), uniform(0, 1) };
  return x;
}

// Distance of x from the nearest of all images of a box, m.
double distanceFrom(const dem::PartBox& part, const dem::Vec3d& x, const dem::Periodic& box)
{
  double least = 1e300;
  for (int a = -1; a <= 1; ++a)
    for (int b = -1; b <= 1; ++b)
      for (int c = -1; c <= 1; ++c)
      {
        const dem::Vec3d y{ x.x + a * box.period.x, x.y + b * box.period.y,
          x.z + c * box.period.z };
        double sum = 0;
        for (int k = 0; k < 3; ++k)
        {
          const double d = y[k] - std::min(std::max(y[k], part.lower[k]), part.upper[k]);
          sum += d * d;
        }
        least = std::min(least, std::sqrt(sum));
      }
  return least;
}

} // namespace

TEST(Partition, EqualNumbers)
{
  const auto x = points(10007, 3);
  for (int parts : { 1, 2, 3, 5, 8, 32 })
  {
    const dem::Partition partition = dem::bisect(x, parts, {});
    std::vector<int> count(parts);
    for (const dem::Vec3d& p : x)
      ++count[partition.part(p)];
    const auto [least, most] = std::minmax_element(count.begin(), count.end());
    EXPECT_LE(*most - *least, 3) << parts;
  }
  // the first cut is across the longest extent
  EXPECT_EQ(dem::bisect(x, 2, {}).cuts[0].axis, 0);
}

TEST(Partition, BoxesCoverSpaceOnce)
{
  const auto x = points(2000, 4);
  const dem::Partition partition = dem::bisect(x, 7, {});
  const std::vector<dem::PartBox> boxes = dem::boxesOf(partition);
  for (const dem::Vec3d& p : points(3000, 5))
    for (int part = 0; part < 7; ++part)
      EXPECT_EQ(boxes[part].distance2(p, {}) == 0, partition.part(p) == part);
}

TEST(Partition, DistancesOverPeriodicBorders)
{
  dem::Periodic box{};
  box.lower = { 0, -1, 0 };
  box.period = { 3, 2, 0 };
  const dem::Partition partition = dem::bisect(points(2000, 6), 6, box);
  const std::vector<dem::PartBox> boxes = dem::boxesOf(partition);
  for (const dem::Vec3d& p : points(2000, 7))
    for (const dem::PartBox& part : boxes)
      EXPECT_NEAR(std::sqrt(part.distance2(p, box)), distanceFrom(part, p, box), 1e-12);
}

TEST(Partition, FewPoints)
{
  for (std::size_t n : { 0u, 1u, 3u })
  {
    const auto x = points(n, 8);
    const dem::Partition partition = dem::bisect(x, 8, {});
    for (const dem::Vec3d& p : x)
      EXPECT_LT(partition.part(p), 8);
    EXPECT_EQ(dem::boxesOf(partition).size(), 8u);
  }
  EXPECT_MENTIONS(test::errorOf([] { dem::bisect({}, 33, {}); }), "33");
}

TEST(PartThreads, GatherInTheOrderOfTheParts)
{
  dem::PartThreads threads(5);
  for (int round = 0; round < 200; ++round)
    threads.run([&](int part) {
      for (int k = 0; k < 5; ++k)
      {
        const std::vector<int> all = threads.link().gather(part, 10 * part + k);
        for (int p = 0; p < 5; ++p)
          EXPECT_EQ(all[p], 10 * p + k);
      }
      EXPECT_EQ(threads.link().most(part, -part), 0);
      EXPECT_EQ(threads.link().any(part, part == 3), true);
      EXPECT_EQ(threads.link().any(part, false), false);
    });
}

// A part that fails ends the others, which wait for it; its message counts, and the next run works.
TEST(PartThreads, OneFails)
{
  dem::PartThreads threads(4);
  for (int failing = 0; failing < 4; ++failing)
  {
    std::atomic<int> ended{ 0 };
    EXPECT_EQ(test::errorOf([&] {
      threads.run([&](int part) {
        threads.link().await(part);
        if (part == failing)
          throw dem::Error("part " + std::to_string(part) + " has no memory");
        for (;;)
        {
          try
          {
            threads.link().await(part);
          }
          catch (const dem::OtherPartFailed&)
          {
            ++ended;
            throw;
          }
        }
      });
    }),
      "part " + std::to_string(failing) + " has no memory");
    EXPECT_EQ(ended, 3);
    threads.run([&](int part) { threads.link().await(part); });
  }
}
