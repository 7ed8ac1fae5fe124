// The narrow phase on every backend: each pair of the matrix shape x {shape, plane, triangle, cylinder} against slow references (ShapeReference.h), and
// what a contact must not do: jump, creep, feel a seam.
#include "ShapeReference.h"
#include "TestSupport.h"

#include "Contact/ContactLaw.cuh"
#include "Shapes/ShapeContact.cuh"

#include <tbb/parallel_for.h>

#include <map>

namespace
{

using dem::ContactAnswer;
using dem::ContactPartner;
using dem::ContactQuery;
using dem::Shape;
using dem::Vec3d;
using reference::Body;

enum ShapeNumber
{
  kSphere = -1,
  kTablet,
  kLens,
  kFlat,
  kTall,
  kBall,
  kCube,
  kTetrahedron,
  kDodecahedron,
  kBrick,
  kStone,
  kShapes
};

Shape stone()
{
  // a hull of 14 points on an ellipsoid, faces by brute force
  std::mt19937 random(11);
  std::vector<Vec3d> vertices;
  for (int i = 0; i < 14; ++i)
  {
    const Vec3d n = reference::direction(random);
    vertices.push_back({ 1.3 * n.x, n.y, 0.8 * n.z });
  }
  std::vector<std::array<std::int32_t, 3>> triangles;
  for (std::int32_t i = 0; i < 14; ++i)
    for (std::int32_t j = i + 1; j < 14; ++j)
      for (std::int32_t k = i + 1; k < 14; ++k)
      {
        const Vec3d n = cross(vertices[j] - vertices[i], vertices[k] - vertices[i]);
        bool hull = j != k;
        for (const Vec3d& p : vertices)
          hull = hull && dot(n, p - vertices[i]) < 1e-12;
        if (hull)
          triangles.push_back({ i, j, k });
      }
  return dem::makePolyhedron("Stone", vertices, triangles);
}

const std::vector<Shape>& shapes()
{
  static const std::vector<Shape> all{ dem::makeTablet("Tablet", 0.01, 0.0085, 0.003), dem::makeTablet("Lens", 1, 0.75, 0),
    dem::makeTablet("Flat", 1, 4, 0.3), dem::makeTablet("Tall", 1, 0.5, 1.2), dem::makeTablet("Ball", 0.02, 0.01, 0),
    dem::makeNamedPolyhedron("Cube", "Cube"), dem::makeNamedPolyhedron("Tetrahedron", "Tetrahedron"),
    dem::makeNamedPolyhedron("Dodecahedron", "Dodecahedron"), dem::makeNamedPolyhedron("Brick", "Brick", { 1, 1.6, 2.7 }), stone() };
  return all;
}
const dem::ShapeTable<double>& table()
{
  static const dem::ShapeTable<double> t(shapes());
  return t;
}
bool isTablet(int shape)
{
  return shape >= kTablet && shape <= kBall;
}
bool isSolid(int shape)
{
  return shape >= kCube;
}
// the rounding about the core, in units of Radius
double rounding(int shape)
{
  return shape == kSphere ? 1 : (isTablet(shape) ? table().shapes[shape].tablet.edge : 0);
}
double equivalentRadius(int shape)
{
  return shape == kSphere ? 1 : std::cbrt(shapes()[shape].mass.volume * 0.75 / M_PI) / shapes()[shape].mass.bounding_radius;
}

Body body(int shape, const Vec3d& center, const dem::Quaternion<double>& q, double radius)
{
  Body b;
  b.center = center;
  b.q = q;
  b.scale = radius;
  if (shape == kSphere)
    b.support = reference::sphereSupport();
  else if (isTablet(shape))
    b.support = reference::tabletSupport(table().shapes[shape].tablet);
  else
  {
    const Shape& s = shapes()[shape];
    for (const Vec3d& v : s.vertices)
      b.vertices.push_back((1 / s.mass.bounding_radius) * v);
    b.support = reference::hullSupport(b.vertices);
    for (const auto& f : s.faces)
    {
      b.normals.push_back(normalized(cross(s.vertices[f[1]] - s.vertices[f[0]], s.vertices[f[2]] - s.vertices[f[0]])));
      for (std::size_t k = 0; k < f.size(); ++k)
        if (f[k] < f[(k + 1) % f.size()])
          b.edges.emplace_back(f[k], f[(k + 1) % f.size()]);
    }
  }
  return b;
}
Body first(const ContactQuery& q)
{
  return body(q.shape[0], q.center[0], q.orientation[0], q.radius[0]);
}
Body second(const ContactQuery& q)
{
  return body(q.shape[1], q.center[1], q.orientation[1], q.radius[1]);
}

/// Two bodies turned at random whose surfaces overlap by `overlap` along n, where both have n as normal.
ContactQuery placed(std::mt19937& random, int a, int b, const Vec3d& n, double overlap)
{
  ContactQuery q;
  q.shape[0] = a;
  q.shape[1] = b;
  q.orientation[0] = reference::orientation(random);
  q.orientation[1] = reference::orientation(random);
  q.radius[0] = 1;
  q.radius[1] = reference::uniform(random, 0.4, 1.6);
  q.center[1] = {};
  const Vec3d from = first(q).farthest(n), to = second(q).farthest(-n);
  q.center[1] = from - to - overlap * n;
  return q;
}

double logUniform(std::mt19937& random, double a, double b)
{
  return a * std::exp(reference::uniform(random, 0, std::log(b / a)));
}

class NarrowPhase : public test::BackendTest
{
protected:
  std::vector<ContactAnswer> find(const std::vector<ContactQuery>& queries) const
  {
    return dem::findContacts(shapes(), queries, !mixed(), dem::chooseDevice(GetParam().device));
  }
  ContactAnswer find(const ContactQuery& query) const { return find(std::vector<ContactQuery>{ query })[0]; }
  double accuracy() const { return mixed() ? 1e-4 : 1e-6; }
};

/// Expected answers of round pairs, computed once for all backends.
struct RoundCase
{
  ContactQuery query;
  reference::Signed expected;
};

std::vector<RoundCase> roundCases(int a, int b, int count)
{
  std::mt19937 random(static_cast<unsigned>(100 * (a + 2) + b));
  std::vector<RoundCase> cases(static_cast<std::size_t>(count));
  for (RoundCase& c : cases)
  {
    // below the roundings the cores are apart, and the best direction is a continuous function of the pose
    const double edges = rounding(a) + 0.4 * rounding(b), sign = random() % 8 == 0 ? -1 : 1;
    c.query = placed(random, a, b, reference::direction(random), sign * logUniform(random, 1e-5, 0.5 * std::min(edges, 0.2)));
  }
  tbb::parallel_for(std::size_t(0), cases.size(), [&](std::size_t i) {
    cases[i].expected = reference::signedDistance(first(cases[i].query), second(cases[i].query), 300);
  });
  return cases;
}

const std::vector<RoundCase>& roundCasesOf(int a, int b, int count)
{
  static std::map<std::pair<int, int>, std::vector<RoundCase>> known;
  std::vector<RoundCase>& cases = known[{ a, b }];
  if (cases.empty())
    cases = roundCases(a, b, count);
  return cases;
}

void expectRound(const ContactQuery& q, const reference::Signed& expected, const ContactAnswer& got, double accuracy, const char* what)
{
  const double size = std::max(q.radius[0], q.radius[1]);
  if (expected.distance > accuracy * size)
  {
    EXPECT_LE(got.overlap, 0) << what;
    return;
  }
  if (expected.distance > -accuracy * size)
    return;
  ASSERT_NEAR(got.overlap, -expected.distance, accuracy * size) << what;
  ASSERT_LT(length(got.normal - expected.normal), std::max(accuracy, 2e-5)) << what << " overlap " << got.overlap;
  // halfway between the surfaces: both bodies' supporting planes across the normal are half the overlap away
  const double from = dot(got.normal, first(q).farthest(got.normal)), at = dot(got.normal, got.point);
  ASSERT_NEAR(from - at, 0.5 * got.overlap, accuracy * size) << what;
  // and the point lies in the touching feature, not beside it
  const Body a = first(q);
  if (a.vertices.empty())
  {
    ASSERT_LT(length(got.point + 0.5 * got.overlap * got.normal - a.farthest(got.normal)), 10 * accuracy * size) << what;
  }
}

TEST_P(NarrowPhase, RoundPairsMatchTheBestDirection)
{
  const int pairs[][2] = { { kSphere, kSphere }, { kSphere, kTablet }, { kLens, kSphere }, { kTablet, kTablet }, { kTablet, kLens },
    { kLens, kLens }, { kFlat, kTablet }, { kTall, kTablet }, { kTall, kTall }, { kFlat, kFlat }, { kBall, kTablet } };
  for (const auto& p : pairs)
  {
    const std::vector<RoundCase>& cases = roundCasesOf(p[0], p[1], 10000);
    std::vector<ContactQuery> queries;
    for (const RoundCase& c : cases)
      queries.push_back(c.query);
    const std::vector<ContactAnswer> got = find(queries);
    for (std::size_t i = 0; i < cases.size(); ++i)
    {
      expectRound(cases[i].query, cases[i].expected, got[i], accuracy(),
        (std::to_string(p[0]) + " with " + std::to_string(p[1]) + ", pose " + std::to_string(i)).c_str());
      if (got[i].overlap > 0)
      {
        const double ra = equivalentRadius(p[0]) * queries[i].radius[0], rb = equivalentRadius(p[1]) * queries[i].radius[1];
        ASSERT_NEAR(got[i].radius, ra * rb / (ra + rb), 1e-6);
      }
      if (HasFailure())
        break;
    }
  }
}

TEST_P(NarrowPhase, RoundBodiesWithPolyhedraMatchTheBestDirection)
{
  const int pairs[][2] = { { kSphere, kCube }, { kSphere, kDodecahedron }, { kStone, kSphere }, { kTablet, kCube }, { kLens, kTetrahedron },
    { kDodecahedron, kTablet }, { kFlat, kBrick }, { kTall, kStone }, { kBall, kCube } };
  for (const auto& p : pairs)
  {
    const std::vector<RoundCase>& cases = roundCasesOf(p[0], p[1], 10000);
    std::vector<ContactQuery> queries;
    for (const RoundCase& c : cases)
      queries.push_back(c.query);
    const std::vector<ContactAnswer> got = find(queries);
    for (std::size_t i = 0; i < cases.size() && !HasFailure(); ++i)
      expectRound(cases[i].query, cases[i].expected, got[i], accuracy(),
        (std::to_string(p[0]) + " with " + std::to_string(p[1]) + ", pose " + std::to_string(i)).c_str());
  }
}

PARAGRAIN_ON_ALL_BACKENDS(NarrowPhase);

} // namespace
