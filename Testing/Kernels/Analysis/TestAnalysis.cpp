// The search for contacts against loops over all pairs, and the index of grains by Id.
#include "AnalysisSupport.h"

#include "Analysis/ContactSearch.h"
#include "Analysis/GrainIndex.h"

#include <algorithm>
#include <set>
#include <tuple>

using namespace test;

namespace
{

/// n spheres with centres in a cube of edge `box`; most radii are near r_min.
Sample randomCloud(int n, double box, double r_min, double r_max, unsigned seed)
{
  Uniform uniform(seed);
  Sample cloud;
  for (int i = 0; i < n; ++i)
  {
    const Vec3d x = uniform.vector(0, box);
    cloud.add(x, r_min * std::pow(r_max / r_min, std::pow(uniform(0, 1), 4)));
  }
  return cloud;
}

class AnalysisSearch : public AnalysisTest
{
protected:
  // The search finds exactly the contacts of a loop over all pairs and their 27 images.
  void check(const Sample& cloud, const dem::ContactSearchOptions& options)
  {
    const dem::FoundContacts found = dem::findContacts(cloud.grains(), options, device());
    std::size_t c = 0;
    for (std::size_t i = 0; i < cloud.radius.size(); ++i)
      for (std::size_t j = i + 1; j < cloud.radius.size(); ++j)
      {
        Vec3d nearest{};
        double least = HUGE_VAL;
        for (int image = 0; image < 27; ++image)
        {
          const Vec3d shift{ (image % 3 - 1) * options.period.x,
            (image / 3 % 3 - 1) * options.period.y, (image / 9 - 1) * options.period.z };
          const Vec3d d = cloud.at(j) + shift - cloud.at(i);
          if (length(d) < least)
          {
            least = length(d);
            nearest = d;
          }
        }
        if (!(least < cloud.radius[i] + cloud.radius[j] + options.tolerance))
          continue;
        ASSERT_LT(c, found.size) << "contact of " << i << " and " << j << " was not found";
        ASSERT_EQ(found.first[c], std::int64_t(i));
        ASSERT_EQ(found.second[c], std::int64_t(j));
        const double overlap = cloud.radius[i] + cloud.radius[j] - least;
        EXPECT_NEAR(found.overlap[c], overlap, 1e-14);
        // the contact point is in the middle of the overlap: r - overlap / 2 from each centre
        const auto triple = [&](const dem::HostArray<double>& a) {
          return Vec3d{ a[3 * c], a[3 * c + 1], a[3 * c + 2] };
        };
        const Vec3d first = triple(found.first_place), second = triple(found.second_place),
                    point = triple(found.point);
        EXPECT_EQ(length(first - cloud.at(i)), 0);
        EXPECT_NEAR(length(second - first - nearest), 0, 1e-14);
        EXPECT_NEAR(length(point - first), std::fabs(cloud.radius[i] - overlap / 2), 1e-14);
        EXPECT_NEAR(length(point - second), std::fabs(cloud.radius[j] - overlap / 2), 1e-14);
        ++c;
      }
    EXPECT_EQ(c, found.size) << "contacts of grains that do not touch";
    EXPECT_GT(c, 0u) << "nothing was compared";
  }
};

} // namespace

TEST_P(AnalysisSearch, AllPairs) { check(randomCloud(800, 0.1, 0.004, 0.004, 1), {}); }

TEST_P(AnalysisSearch, SizesOneToTwenty) { check(randomCloud(1500, 0.1, 0.001, 0.02, 2), {}); }

TEST_P(AnalysisSearch, ToleranceAddsNeighboursThatDoNotTouch)
{
  Sample row;
  for (int i = 0; i < 5; ++i)
    row.add({ 0.0101 * i, 0, 0 }, 0.005);
  EXPECT_EQ(dem::findContacts(row.grains(), {}, device()).size, 0u);
  dem::ContactSearchOptions options;
  options.tolerance = 0.00011;
  check(row, options);
  EXPECT_EQ(dem::findContacts(row.grains(), options, device()).size, 4u);
  check(randomCloud(500, 0.1, 0.003, 0.004, 3), options);
}

// Positions may lie outside the box, as in files with unwrapped coordinates.
TEST_P(AnalysisSearch, PeriodicBox)
{
  for (int axes = 1; axes < 8; ++axes)
  {
    SCOPED_TRACE("axes " + std::to_string(axes));
    Sample cloud = randomCloud(500, 0.1, 0.003, 0.005, 4);
    dem::ContactSearchOptions options;
    options.lower = { 0.01, 0, -0.05 };
    for (int k = 0; k < 3; ++k)
      options.period[k] = axes >> k & 1 ? 0.1 : 0;
    check(cloud, options);
  }
  Sample far;
  far.add({ 0.001, 0.05, 0.05 }, 0.005);
  far.add({ 0.1 * 3 - 0.002, 0.05, 0.05 }, 0.005);
  dem::ContactSearchOptions options;
  options.period = { 0.1, 0.1, 0.1 };
  const dem::FoundContacts found = dem::findContacts(far.grains(), options, device());
  ASSERT_EQ(found.size, 1u);
  EXPECT_NEAR(found.second_place[0], -0.002, 1e-15);
  EXPECT_NEAR(found.overlap[0], 0.007, 1e-15);
}

TEST_P(AnalysisSearch, EveryBroadPhaseAndThreadCountGivesTheSameBits)
{
  const Sample cloud = randomCloud(900, 0.1, 0.002, 0.01, 5);
  const auto bits = [&](const dem::ContactSearchOptions& options, int threads) {
    const dem::FoundContacts f = dem::findContacts(cloud.grains(), options, device(threads));
    return std::make_tuple(std::vector<std::int64_t>(f.first.begin(), f.first.end()),
      std::vector<std::int64_t>(f.second.begin(), f.second.end()),
      std::vector<double>(f.point.begin(), f.point.end()),
      std::vector<double>(f.overlap.begin(), f.overlap.end()));
  };
  const auto expected = bits({}, 1);
  for (int kind = 1; kind < 7; ++kind)
  {
    dem::ContactSearchOptions options;
    options.broad_phase.kind = static_cast<dem::BroadPhaseKind>(kind);
    EXPECT_TRUE(bits(options, 0) == expected) << dem::kBroadPhaseNames[kind];
  }
}

TEST_P(AnalysisSearch, NoneOneAndCoincident)
{
  Sample cloud;
  EXPECT_EQ(dem::findContacts(cloud.grains(), {}, device()).size, 0u);
  cloud.add({ 1, 2, 3 }, 0.1);
  EXPECT_EQ(dem::findContacts(cloud.grains(), {}, device()).size, 0u);
  cloud.add({ 1, 2, 3 }, 0.2);
  const dem::FoundContacts found = dem::findContacts(cloud.grains(), {}, device());
  ASSERT_EQ(found.size, 1u);
  EXPECT_NEAR(found.overlap[0], 0.3, 1e-15);
  EXPECT_EQ(found.point[0], 1);
}

TEST_P(AnalysisSearch, InvalidOptionsAreRefused)
{
  const Sample cloud = randomCloud(10, 0.1, 0.004, 0.004, 6);
  dem::ContactSearchOptions options;
  options.tolerance = -0.001;
  EXPECT_HOLDS(errorOf([&] { dem::findContacts(cloud.grains(), options, device()); }), "-0.001");
  options.tolerance = NAN;
  EXPECT_HOLDS(errorOf([&] { dem::findContacts(cloud.grains(), options, device()); }), "nan");
  options.tolerance = 0;
  options.period = { 0, 0.015, 0 };
  const std::string text = errorOf([&] { dem::findContacts(cloud.grains(), options, device()); });
  EXPECT_HOLDS(text, "0.015000 m long in y");
}

PARAGRAIN_ON_ALL_BACKENDS(AnalysisSearch);

namespace
{

// Finds every Id and no other, and converts contacts with walls and with unknown Ids.
void checkIndex(std::vector<std::int64_t> id)
{
  dem::Grains grains;
  grains.size = id.size();
  grains.id = id.data();
  const dem::GrainIndex index(grains);
  for (std::size_t i = 0; i < id.size(); ++i)
    ASSERT_EQ(index.find(id[i]), std::int64_t(i));
  const std::set<std::int64_t> known(id.begin(), id.end());
  for (std::int64_t no : { INT64_MIN, INT64_MAX, std::int64_t(-1), std::int64_t(5),
         *known.begin() - 1, *known.rbegin() + 1 })
    EXPECT_EQ(index.find(no) == dem::GrainIndex::kNone, known.count(no) == 0) << no;

  std::vector<std::int64_t> pairs, first(3), second(3);
  pairs = { id.front(), id.back(), id.back(), -3, id.back(), id.front() };
  ASSERT_EQ(index.contacts(pairs.data(), 3, first.data(), second.data()), 3u);
  EXPECT_EQ(first,
    (std::vector<std::int64_t>{ 0, std::int64_t(id.size()) - 1, std::int64_t(id.size()) - 1 }));
  EXPECT_EQ(second, (std::vector<std::int64_t>{ std::int64_t(id.size()) - 1, -3, 0 }));
  pairs[4] = -1; // a wall cannot be first
  EXPECT_EQ(index.contacts(pairs.data(), 3, first.data(), second.data()), 2u);
  pairs[2] = *known.rbegin() + 7;
  EXPECT_EQ(index.contacts(pairs.data(), 3, first.data(), second.data()), 1u);
}

} // namespace

TEST(AnalysisIndex, CloseFarAndUnordered)
{
  checkIndex({ 0, 1, 2, 3 });
  checkIndex({ 100, 90, 95, 7, 101 });
  checkIndex({ 4000000000000, 1, 9, 1000000, 123456789 });
}

TEST(AnalysisIndex, WithoutIds)
{
  dem::Grains grains;
  grains.size = 3;
  const dem::GrainIndex index(grains);
  EXPECT_EQ(index.find(2), 2);
  EXPECT_EQ(index.find(3), dem::GrainIndex::kNone);
  EXPECT_EQ(index.find(-1), dem::GrainIndex::kNone);
}

TEST(AnalysisIndex, EqualIdsAreAnError)
{
  for (std::int64_t far : { std::int64_t(1), std::int64_t(1) << 40 })
  {
    std::vector<std::int64_t> id{ 3, far, 4, 3 };
    dem::Grains grains;
    grains.size = id.size();
    grains.id = id.data();
    const std::string text = errorOf([&] { dem::GrainIndex{ grains }; });
    EXPECT_HOLDS(text, "Grains 0 and 3");
    EXPECT_HOLDS(text, "Id 3");
  }
}
