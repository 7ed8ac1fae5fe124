// Tablets that press beyond the rounding of their edge into polyhedra and triangles, on every
// backend, against the search over directions (ShapeReference.h).
#include "ShapeReference.h"
#include "TestSupport.h"

#include "Shapes/ShapeTable.cuh"

#include <tbb/parallel_for.h>

#include <map>

namespace
{

using dem::ContactAnswer;
using dem::ContactPartner;
using dem::ContactQuery;
using dem::Vec3d;
using reference::Body;

// Tablets are numbered below kFirstSolid.
constexpr int kPill = 0, kFirstSolid = 4, kBox = 4;

const std::vector<dem::Shape>& shapes()
{
  static const std::vector<dem::Shape> all{ dem::makeTablet("Pill", 0.016, 0.016, 0.004),
    dem::makeTablet("Lens", 1, 0.75, 0), dem::makeTablet("Flat", 1, 4, 0.3),
    dem::makeTablet("Tall", 1, 0.5, 1.2),
    dem::makeNamedPolyhedron("Box", "Brick", { 0.024, 0.012, 0.008 }),
    dem::makeNamedPolyhedron("Tetrahedron", "Tetrahedron"),
    dem::makeNamedPolyhedron("Dodecahedron", "Dodecahedron"), reference::stone() };
  return all;
}
const dem::ShapeTable<double>& table()
{
  static const dem::ShapeTable<double> t(shapes());
  return t;
}

Body bodyOf(const ContactQuery& q, int side)
{
  const int shape = q.shape[side];
  return reference::body(shapes()[shape], table().shapes[shape].tablet, q.center[side],
    q.orientation[side], q.radius[side]);
}

/// The depth at which a run stops, in units of the radius (Forces/ShapeLaw.cuh).
double deepest(const ContactQuery& q)
{
  return 0.5 *
    std::min(q.radius[0] * table().shapes[q.shape[0]].inner_radius,
      q.radius[1] * table().shapes[q.shape[1]].equivalent_radius);
}

/// A tablet and a polyhedron at random, which have to move by at most a depth, up to the deepest.
ContactQuery pressed(std::mt19937& random, int tablet, int solid)
{
  ContactQuery q;
  q.shape[0] = tablet;
  q.shape[1] = solid;
  q.orientation[0] = reference::orientation(random);
  q.orientation[1] = reference::orientation(random);
  q.radius[1] = reference::uniform(random, 0.4, 1.6);
  const Vec3d n = reference::direction(random), from = bodyOf(q, 0).farthest(n),
              to = bodyOf(q, 1).farthest(-n);
  q.center[1] = from - to - reference::uniform(random, 0, deepest(q)) * n;
  return q;
}

/// The same pair in the other order.
ContactQuery exchanged(ContactQuery q)
{
  std::swap(q.shape[0], q.shape[1]);
  std::swap(q.center[0], q.center[1]);
  std::swap(q.orientation[0], q.orientation[1]);
  std::swap(q.radius[0], q.radius[1]);
  return q;
}

class DeepContacts : public test::BackendTest
{
protected:
  std::vector<ContactAnswer> find(const std::vector<ContactQuery>& queries) const
  {
    return dem::findContacts(shapes(), queries, !mixed(), dem::chooseDevice(GetParam().device));
  }
};

} // namespace

// A brick falls on a tablet that turns under it, and its edge meets the edge of the tablet. The
// overlap once jumped from 0.39 mm to 2.1 mm, where it passes the rounding of 0.4 mm.
TEST_P(DeepContacts, ABricksEdgeOnATabletsEdgeIsAsDeepAsItIs)
{
  std::vector<ContactQuery> queries;
  for (int i = 0; i < 200; ++i)
  {
    ContactQuery q;
    q.shape[0] = kPill;
    q.shape[1] = kBox;
    q.orientation[0] =
      normalized(dem::Quaternion<double>{ 0.7392574, 0.0731431, 0.2142915, -0.6342143 });
    q.orientation[1] =
      normalized(dem::Quaternion<double>{ -0.8561822, 0.2765761, 0.4025167, -0.1686360 });
    q.center[1] = { 0.0026768, 0.0024473, 0.0170946 + 4e-4 - 1e-5 * i };
    for (int k = 0; k < 2; ++k)
      q.radius[k] = shapes()[q.shape[k]].mass.bounding_radius;
    queries.push_back(q);
  }
  const std::size_t count = queries.size();
  for (std::size_t i = 0; i < count; ++i)
    queries.push_back(exchanged(queries[i]));
  const std::vector<ContactAnswer> got = find(queries);
  const double size = queries[0].radius[1], accuracy = 1e-6 * size;
  EXPECT_LT(got[0].overlap, 4e-4);
  for (std::size_t i = 0; i < count; ++i)
  {
    SCOPED_TRACE(i);
    const reference::Signed expected =
      reference::signedDistance(bodyOf(queries[i], 0), bodyOf(queries[i], 1), 200);
    ASSERT_NEAR(got[i].overlap, -expected.distance, accuracy);
    ASSERT_LT(length(got[i].normal - expected.normal), 1e-3);
    if (i > 0)
    {
      ASSERT_LT(length(got[i].normal - got[i - 1].normal), 2e-3);
    }
    // in the other order it is the same contact
    const ContactAnswer& other = got[count + i];
    ASSERT_NEAR(other.overlap, got[i].overlap, accuracy);
    ASSERT_LT(length(other.normal + got[i].normal), 1e-3);
    ASSERT_LT(length(other.point - got[i].point), 1e-3 * size);
  }
}

// At random: no direction that the slow search finds parts the bodies by a shorter way.
TEST_P(DeepContacts, TabletsInPolyhedraAreAsDeepAsTheShortestWayOut)
{
  constexpr int kPoses = 1000;
  static std::map<std::pair<int, int>, std::pair<std::vector<ContactQuery>, std::vector<double>>>
    known; // once for all backends
  int deep = 0;
  for (int tablet = 0; tablet < kFirstSolid; ++tablet)
    for (int solid = kFirstSolid; solid < static_cast<int>(shapes().size()); ++solid)
    {
      auto& [queries, expected] = known[{ tablet, solid }];
      if (queries.empty())
      {
        std::mt19937 random(static_cast<unsigned>(100 * tablet + solid));
        for (int i = 0; i < kPoses; ++i)
          queries.push_back(pressed(random, tablet, solid));
        expected.resize(queries.size());
        tbb::parallel_for(std::size_t(0), queries.size(), [&](std::size_t i) {
          expected[i] =
            reference::signedDistance(bodyOf(queries[i], 0), bodyOf(queries[i], 1), 100).distance;
        });
      }
      const std::vector<ContactAnswer> got = find(queries);
      for (std::size_t i = 0; i < queries.size(); ++i)
      {
        SCOPED_TRACE(
          shapes()[tablet].name + " in " + shapes()[solid].name + ", pose " + std::to_string(i));
        const double accuracy = mixed() ? 5e-6 : 1e-6;
        // the slow search may miss the best direction, but what it finds is a way out
        ASSERT_LT(got[i].overlap, -expected[i] + accuracy);
        if (got[i].overlap <= 0)
          continue;
        const Body a = bodyOf(queries[i], 0), b = bodyOf(queries[i], 1);
        ASSERT_NEAR(length(got[i].normal), 1, 1e-6);
        ASSERT_NEAR(got[i].overlap, -reference::separation(a, b, got[i].normal), accuracy);
        const double from = dot(got[i].normal, a.farthest(got[i].normal));
        ASSERT_NEAR(from - dot(got[i].normal, got[i].point), 0.5 * got[i].overlap, accuracy);
        deep += got[i].overlap > table().shapes[tablet].tablet.edge ? 1 : 0;
      }
    }
  EXPECT_GT(deep, kPoses * 8);
}

// A triangle is slid into a tablet: where the overlap passes the rounding of the edge it grows by
// no more than the way.
TEST_P(DeepContacts, TrianglesEnterTabletsWithoutAJump)
{
  constexpr int kSlides = 200, kSteps = 100;
  constexpr double kStep = 2e-3;
  int passed = 0;
  for (int tablet = 0; tablet < kFirstSolid; ++tablet)
  {
    std::mt19937 random(static_cast<unsigned>(40 + tablet));
    std::vector<ContactQuery> queries;
    for (int i = 0; i < kSlides; ++i)
    {
      ContactQuery q;
      q.partner = ContactPartner::Triangle;
      q.shape[0] = tablet;
      q.orientation[0] = reference::orientation(random);
      const Vec3d n = reference::direction(random),
                  u = normalized(cross(n, reference::direction(random))), v = cross(n, u);
      const double size = reference::uniform(random, 0.5, 3),
                   x = reference::uniform(random, -size, size),
                   y = reference::uniform(random, -size, size);
      const Vec3d touch = bodyOf(q, 0).farthest(n);
      for (int step = 0; step < kSteps; ++step)
      {
        for (int k = 0; k < 3; ++k)
        {
          const double angle = 2 * M_PI * k / 3;
          q.corner[k] = touch + (x + size * std::cos(angle)) * u +
            (y + size * std::sin(angle)) * v - kStep * step * n;
        }
        queries.push_back(q);
      }
    }
    const std::vector<ContactAnswer> got = find(queries);
    const double edge = table().shapes[tablet].tablet.edge;
    for (std::size_t i = 1; i < got.size(); ++i)
    {
      const double before = got[i - 1].overlap, now = got[i].overlap;
      if (i % kSteps == 0 || !(before > 0 && before <= edge && now > edge))
        continue;
      ++passed;
      ASSERT_LT(now, before + kStep + 1e-5)
        << shapes()[tablet].name << ", slide " << i / kSteps << ", step " << i % kSteps;
    }
  }
  EXPECT_GT(passed, kSlides);
}

PARAGRAIN_ON_ALL_BACKENDS(DeepContacts);
