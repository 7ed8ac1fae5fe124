// The narrow phase on every backend: each pair of the matrix shape x {shape, plane, triangle,
// cylinder} against slow references (ShapeReference.h), and what a contact must not do: jump,
// creep, feel a seam.
#include "ShapeReference.h"
#include "TestSupport.h"

#include "Physics/ContactLaw.cuh"
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

const std::vector<Shape>& shapes()
{
  static const std::vector<Shape> all{ dem::makeTablet("Tablet", 0.01, 0.0085, 0.003),
    dem::makeTablet("Lens", 1, 0.75, 0), dem::makeTablet("Flat", 1, 4, 0.3),
    dem::makeTablet("Tall", 1, 0.5, 1.2), dem::makeTablet("Ball", 0.02, 0.01, 0),
    dem::makeNamedPolyhedron("Cube", "Cube"),
    dem::makeNamedPolyhedron("Tetrahedron", "Tetrahedron"),
    dem::makeNamedPolyhedron("Dodecahedron", "Dodecahedron"),
    dem::makeNamedPolyhedron("Brick", "Brick", { 1, 1.6, 2.7 }), reference::stone() };
  return all;
}
const dem::ShapeTable<double>& table()
{
  static const dem::ShapeTable<double> t(shapes());
  return t;
}
bool isTablet(int shape) { return shape >= kTablet && shape <= kBall; }
bool isSolid(int shape) { return shape >= kCube; }
// the rounding about the core, in units of Radius
double rounding(int shape)
{
  return shape == kSphere ? 1 : (isTablet(shape) ? table().shapes[shape].tablet.edge : 0);
}
double equivalentRadius(int shape)
{
  return shape == kSphere
    ? 1
    : std::cbrt(shapes()[shape].mass.volume * 0.75 / M_PI) / shapes()[shape].mass.bounding_radius;
}

Body body(int shape, const Vec3d& center, const dem::Quaternion<double>& q, double radius)
{
  if (shape != kSphere)
    return reference::body(shapes()[shape], table().shapes[shape].tablet, center, q, radius);
  Body b;
  b.center = center;
  b.q = q;
  b.scale = radius;
  b.support = reference::sphereSupport();
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

/// Two bodies turned at random whose surfaces overlap by `overlap` along n, where both have n as
/// normal.
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
dem::Quaternion<double> leaning(std::mt19937& random, const dem::Quaternion<double>& q)
{
  const double angle = logUniform(random, 1e-4, 0.1);
  return normalized(dem::rotationVectorToQuaternion(angle * reference::direction(random)) * q);
}
double anySign(std::mt19937& random, unsigned one_in) { return random() % one_in == 0 ? -1 : 1; }

class NarrowPhase : public test::BackendTest
{
protected:
  std::vector<ContactAnswer> find(const std::vector<ContactQuery>& queries) const
  {
    return dem::findContacts(shapes(), queries, !mixed(), dem::chooseDevice(GetParam().device));
  }
  ContactAnswer find(const ContactQuery& query) const
  {
    return find(std::vector<ContactQuery>{ query })[0];
  }
  double accuracy() const { return mixed() ? 1e-4 : 1e-6; }
};

/// Expected answers of round pairs, computed once for all backends.
struct RoundCase
{
  ContactQuery query;
  reference::Signed expected;
};

std::vector<ContactQuery> queriesOf(const std::vector<RoundCase>& cases)
{
  std::vector<ContactQuery> queries;
  for (const RoundCase& c : cases)
    queries.push_back(c.query);
  return queries;
}

std::vector<RoundCase> roundCases(int a, int b, int count)
{
  std::mt19937 random(static_cast<unsigned>(100 * (a + 2) + b));
  std::vector<RoundCase> cases(static_cast<std::size_t>(count));
  for (RoundCase& c : cases)
  {
    // below the roundings the cores are apart, and the best direction is a continuous function of
    // the pose
    const double edges = rounding(a) + 0.4 * rounding(b), sign = anySign(random, 8);
    c.query = placed(random, a, b, reference::direction(random),
      sign * logUniform(random, 1e-5, 0.5 * std::min(edges, 0.2)));
  }
  tbb::parallel_for(std::size_t(0), cases.size(), [&](std::size_t i) {
    cases[i].expected =
      reference::signedDistance(first(cases[i].query), second(cases[i].query), 200);
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

void expectRound(const ContactQuery& q, const Body& a, const Body& b,
  const reference::Signed& expected, const ContactAnswer& got, double accuracy,
  const std::string& what)
{
  const double size = std::max(q.radius[0], q.partner == ContactPartner::Grain ? q.radius[1] : 0);
  if (expected.distance > accuracy * size)
  {
    EXPECT_LE(got.overlap, 0) << what;
    return;
  }
  if (expected.distance > -accuracy * size)
    return;
  if (got.overlap <= 0)
  {
    // the slow search may have stopped at a crease of a hull's support function, short of a
    // direction that parts the bodies
    ASSERT_GT(reference::signedDistance(a, b, 3000, 40).distance, -accuracy * size) << what;
    return;
  }
  // what is said of the normal holds, and no direction that was found parts the bodies better
  const double along = reference::separation(a, b, got.normal);
  ASSERT_NEAR(length(got.normal), 1, 1e-6) << what;
  ASSERT_NEAR(got.overlap, -along, accuracy * size) << what;
  ASSERT_LT(got.overlap, -expected.distance + accuracy * size) << what;
  // (where the slow search stuck to a crease of a hull's support function the kernel's direction is
  // the better one)
  if (along < expected.distance + 1e-9)
  {
    ASSERT_LT(length(got.normal - expected.normal), std::max(2 * accuracy, 5e-5))
      << what << " overlap " << got.overlap;
  }
  // halfway between the surfaces: the body's supporting plane across the normal is half the overlap
  // away
  const double from = dot(got.normal, a.farthest(got.normal)), at = dot(got.normal, got.point);
  ASSERT_NEAR(from - at, 0.5 * got.overlap, accuracy * size) << what;
  // and the point lies in the touching feature, not beside it
  if (a.vertices.empty())
  {
    ASSERT_LT(length(got.point + 0.5 * got.overlap * got.normal - a.farthest(got.normal)),
      10 * accuracy * size)
      << what;
  }
}

TEST_P(NarrowPhase, RoundPairsMatchTheBestDirection)
{
  const int pairs[][2] = { { kSphere, kSphere }, { kSphere, kTablet }, { kLens, kSphere },
    { kTablet, kTablet }, { kTablet, kLens }, { kLens, kLens }, { kTall, kTablet },
    { kFlat, kFlat } };
  for (const auto& p : pairs)
  {
    const std::vector<RoundCase>& cases = roundCasesOf(p[0], p[1], 10000);
    const std::vector<ContactQuery> queries = queriesOf(cases);
    const std::vector<ContactAnswer> got = find(queries);
    for (std::size_t i = 0; i < cases.size(); ++i)
    {
      expectRound(cases[i].query, first(cases[i].query), second(cases[i].query), cases[i].expected,
        got[i], accuracy(),
        std::to_string(p[0]) + " with " + std::to_string(p[1]) + ", pose " + std::to_string(i));
      if (got[i].overlap > 0)
      {
        const double ra = equivalentRadius(p[0]) * queries[i].radius[0],
                     rb = equivalentRadius(p[1]) * queries[i].radius[1];
        ASSERT_NEAR(got[i].radius, ra * rb / (ra + rb), 1e-6);
      }
      if (HasFailure())
        break;
    }
  }
}

TEST_P(NarrowPhase, RoundBodiesWithPolyhedraMatchTheBestDirection)
{
  const int pairs[][2] = { { kSphere, kCube }, { kStone, kSphere }, { kTablet, kCube },
    { kLens, kTetrahedron }, { kDodecahedron, kTablet }, { kTall, kStone } };
  for (const auto& p : pairs)
  {
    const std::vector<RoundCase>& cases = roundCasesOf(p[0], p[1], 10000);
    const std::vector<ContactAnswer> got = find(queriesOf(cases));
    for (std::size_t i = 0; i < cases.size() && !HasFailure(); ++i)
      expectRound(cases[i].query, first(cases[i].query), second(cases[i].query), cases[i].expected,
        got[i], accuracy(),
        std::to_string(p[0]) + " with " + std::to_string(p[1]) + ", pose " + std::to_string(i));
  }
}

// ----
// polyhedra

reference::Solid solid(const ContactQuery& q, int side)
{
  return reference::solidOf(
    shapes()[q.shape[side]], q.center[side], q.orientation[side], q.radius[side]);
}

dem::Quaternion<double> turning(const Vec3d& from, const Vec3d& to)
{
  const Vec3d axis = cross(from, to);
  const double s = length(axis), angle = std::atan2(s, dot(from, to));
  if (s < 1e-12)
    return dot(from, to) > 0
      ? dem::Quaternion<double>{}
      : dem::rotationVectorToQuaternion(M_PI * dem::detail::perpendicular(from));
  return dem::rotationVectorToQuaternion((angle / s) * axis);
}

Vec3d inFace(std::mt19937& random, const Body& b, const Shape& s, std::size_t face)
{
  Vec3d p{};
  double sum = 0;
  for (const std::int32_t c : s.faces[face])
  {
    const double w = reference::uniform(random, 0.05, 1);
    p += w * b.vertex(c);
    sum += w;
  }
  return (1 / sum) * p;
}

/// Corner on face, edge on edge, face on face (parallel or leaning a little) and anything.
ContactQuery placedSolids(std::mt19937& random, int a, int b, double overlap)
{
  ContactQuery q = placed(random, a, b, reference::direction(random), overlap);
  const unsigned mode = random() % 4;
  if (mode == 0)
    return q;
  q.center[1] = {};
  Body first_body = first(q), second_body = second(q);
  const Shape &sa = shapes()[a], &sb = shapes()[b];
  if (mode == 2)
  {
    const auto& ea = first_body.edges[random() % first_body.edges.size()];
    const auto& eb = second_body.edges[random() % second_body.edges.size()];
    const double u = reference::uniform(random, 0.1, 0.9), v = reference::uniform(random, 0.1, 0.9);
    const Vec3d pa = u * first_body.vertex(ea.first) + (1 - u) * first_body.vertex(ea.second);
    const Vec3d pb = v * second_body.vertex(eb.first) + (1 - v) * second_body.vertex(eb.second);
    // turned so that the edges look at each other, then about that line
    const Vec3d out = normalized(pa);
    const dem::Quaternion<double> face = turning(normalized(pb), -out);
    q.orientation[1] =
      normalized(dem::rotationVectorToQuaternion(reference::uniform(random, 0, 6.3) * out) *
        (face * q.orientation[1]));
    q.center[1] = pa - length(pb) * (-out) - overlap * out;
    return q;
  }
  const std::size_t fa = random() % sa.faces.size(), fb = random() % sb.faces.size();
  const Vec3d n = rotate(q.orientation[0], first_body.normals[fa]),
              at = inFace(random, first_body, sa, fa);
  if (mode == 3)
  {
    const Vec3d m = rotate(q.orientation[1], second_body.normals[fb]);
    q.orientation[1] = normalized(turning(m, -n) * q.orientation[1]);
    if (random() % 2)
      q.orientation[1] = leaning(random, q.orientation[1]);
    second_body = second(q);
    q.center[1] = at - inFace(random, second_body, sb, fb) - overlap * n;
    return q;
  }
  second_body = second(q);
  q.center[1] = at - second_body.farthest(-n) - overlap * n;
  return q;
}

struct Overlap
{
  double volume = 0, overlap = 0, radius = 0, width = 0;
  Vec3d centroid, normal;
};

Overlap overlapOf(double volume, const Vec3d& centroid, const Vec3d& area)
{
  Overlap o;
  o.volume = volume;
  o.centroid = centroid;
  const double s = length(area);
  o.overlap = 2 * volume / s;
  o.radius = s * s / (4 * M_PI * volume);
  o.width = std::sqrt(s);
  o.normal = (1 / s) * area;
  return o;
}

void expectOverlap(const Overlap& expected, const ContactAnswer& got, double size, bool single,
  const std::string& what)
{
  const double unit = (single ? 4e-7 : 1e-12) * size; // rounding of coordinates
  if (!(expected.volume > 0))
  {
    EXPECT_TRUE(got.overlap < 1e-4 * size) << what;
    return;
  }
  // the contact's own sizes are known to the rounding of coordinates
  if (expected.overlap < 20 * unit || expected.width < 20 * unit)
    return;
  ASSERT_NEAR(got.overlap, expected.overlap, 1e-4 * size) << what;
  const double fine = 30 * unit * (1 / expected.overlap + 1 / expected.width);
  ASSERT_NEAR(got.overlap, expected.overlap, expected.overlap * fine + 1e-9 * size) << what;
  ASSERT_NEAR(got.radius, expected.radius, expected.radius * 3 * fine + 1e-9 * size) << what;
  ASSERT_LT(length(got.normal - expected.normal), 1e-8 + 30 * unit / expected.width) << what;
  ASSERT_LT(
    length(got.point - expected.centroid), (single ? 1e-4 : 1e-7) * size + expected.width * fine)
    << what;
}

TEST_P(NarrowPhase, PolyhedraMatchSolidsCutByPlanes)
{
  const int pairs[][2] = { { kCube, kCube }, { kCube, kTetrahedron }, { kDodecahedron, kCube },
    { kBrick, kStone }, { kStone, kStone }, { kTetrahedron, kTetrahedron },
    { kDodecahedron, kDodecahedron } };
  for (const auto& p : pairs)
  {
    std::mt19937 random(static_cast<unsigned>(50 + 10 * p[0] + p[1]));
    std::vector<ContactQuery> queries(10000);
    for (ContactQuery& q : queries)
      q = placedSolids(random, p[0], p[1], anySign(random, 10) * logUniform(random, 1e-4, 0.3));
    const std::vector<ContactAnswer> got = find(queries);
    int touching = 0;
    for (std::size_t i = 0; i < queries.size() && !HasFailure(); ++i)
    {
      const reference::Solid a = solid(queries[i], 0),
                             both = reference::common(a, solid(queries[i], 1));
      Vec3d centroid;
      const double volume = both.volume(&centroid);
      Overlap expected;
      if (volume > 1e-15)
        expected = overlapOf(volume, centroid, both.area(0, 0));
      // nearly whole bodies: the area is replaced, and nothing is promised
      if (volume > 0 && length(both.area(0, 0)) < 1.5 * std::cbrt(volume * volume))
        continue;
      touching += expected.volume > 0;
      expectOverlap(expected, got[i], std::max(queries[i].radius[0], queries[i].radius[1]), mixed(),
        std::to_string(p[0]) + " with " + std::to_string(p[1]) + ", pose " + std::to_string(i));
    }
    EXPECT_GT(touching, 6000);
  }
}

TEST_P(NarrowPhase, ThePolyhedraNormalIsTheGradientOfTheVolume)
{
  std::mt19937 random(5);
  for (int i = 0; i < 300; ++i)
  {
    const ContactQuery q = placedSolids(
      random, i % 2 ? kCube : kStone, kDodecahedron, reference::uniform(random, 0.05, 0.2));
    const reference::Solid a = solid(q, 0);
    const auto volumeAt = [&](const Vec3d& shift) {
      ContactQuery moved = q;
      moved.center[1] += shift;
      return reference::common(a, solid(moved, 1)).volume();
    };
    constexpr double h = 1e-5;
    Vec3d gradient;
    for (int k = 0; k < 3; ++k)
    {
      Vec3d e{};
      e[k] = h;
      gradient[k] = (volumeAt(-e) - volumeAt(e)) / (2 * h);
    }
    const double volume = volumeAt({});
    if (volume < 1e-4 || length(gradient) < 1.5 * std::cbrt(volume * volume))
      continue;
    const ContactAnswer got = find(q);
    EXPECT_LT(length(got.normal - normalized(gradient)), 1e-4);
    EXPECT_NEAR(got.overlap, 2 * volume / length(gradient), 1e-4);
  }
}

// ----
// walls

TEST_P(NarrowPhase, PlanesMatchTheFarthestPointOrTheSolidBehind)
{
  for (int shape = kSphere; shape < kShapes; ++shape)
  {
    std::mt19937 random(static_cast<unsigned>(900 + shape));
    std::vector<ContactQuery> queries(10000);
    for (ContactQuery& q : queries)
    {
      q.partner = ContactPartner::Plane;
      q.shape[0] = shape;
      q.radius[0] = reference::uniform(random, 0.5, 2);
      q.orientation[0] = reference::orientation(random);
      const Vec3d n = reference::direction(random);
      q.corner[1] = n;
      if (isSolid(shape) && random() % 2) // a face down, or nearly
      {
        const Body b = first(q);
        const Vec3d m = rotate(q.orientation[0], b.normals[random() % b.normals.size()]);
        q.orientation[0] = normalized(turning(m, -n) * q.orientation[0]);
        if (random() % 2)
          q.orientation[0] = leaning(random, q.orientation[0]);
      }
      const double overlap = anySign(random, 10) * logUniform(random, 1e-5, 0.3);
      q.corner[0] = first(q).farthest(-n) + overlap * n +
        3.0 * dem::normalized(cross(n, Vec3d{ n.y, n.z, -n.x }));
    }
    const std::vector<ContactAnswer> got = find(queries);
    for (std::size_t i = 0; i < queries.size() && !HasFailure(); ++i)
    {
      const ContactQuery& q = queries[i];
      const Vec3d n = q.corner[1];
      const Body b = first(q);
      const std::string what = std::to_string(shape) + " on a plane, pose " + std::to_string(i);
      if (!isSolid(shape))
      {
        Body half_space; // as far as -n is concerned
        half_space.support = [](const Vec3d&) { return Vec3d{}; };
        half_space.center = q.corner[0];
        expectRound(
          q, b, half_space, { dot(n, b.farthest(-n) - q.corner[0]), -n }, got[i], accuracy(), what);
        continue;
      }
      const reference::Solid whole = solid(q, 0), below = whole.cut(n, dot(n, q.corner[0]));
      Vec3d centroid;
      const double volume = below.volume(&centroid);
      Overlap expected;
      if (volume > 1e-15)
        expected = overlapOf(volume, centroid, below.area(0, 0));
      if (volume > 0 && length(below.area(0, 0)) < 1.5 * std::cbrt(volume * volume))
        continue;
      expectOverlap(expected, got[i], q.radius[0], mixed(), what);
      if (got[i].overlap > 0)
      {
        ASSERT_LT(length(got[i].normal + n), 1e-6) << what;
      }
    }
  }
}

/// A triangle about the place where the body would touch it.
ContactQuery placedTriangle(std::mt19937& random, int shape, double overlap)
{
  ContactQuery q;
  q.partner = ContactPartner::Triangle;
  q.shape[0] = shape;
  q.radius[0] = reference::uniform(random, 0.5, 2);
  q.orientation[0] = reference::orientation(random);
  const Vec3d n = reference::direction(random);
  Body b = first(q);
  if (isSolid(shape) && random() % 2)
  {
    const Vec3d m = rotate(q.orientation[0], b.normals[random() % b.normals.size()]);
    q.orientation[0] = normalized(turning(m, -n) * q.orientation[0]);
    b = first(q);
  }
  const Vec3d touch = b.farthest(-n) + overlap * n;
  const Vec3d u = normalized(cross(n, std::fabs(n.x) < 0.6 ? Vec3d{ 1, 0, 0 } : Vec3d{ 0, 1, 0 })),
              v = cross(n, u);
  // from inside, on an edge or from a corner of it
  const double size = logUniform(random, 0.2, 5), turn = reference::uniform(random, 0, 6.3);
  const double ox = reference::uniform(random, -0.7, 0.7) * size,
               oy = reference::uniform(random, -0.7, 0.7) * size;
  for (int k = 0; k < 3; ++k)
  {
    const double angle = turn + 2 * M_PI * k / 3 + reference::uniform(random, -0.5, 0.5);
    q.corner[k] = touch + (ox + size * std::cos(angle)) * u + (oy + size * std::sin(angle)) * v;
  }
  if (random() % 2)
    std::swap(q.corner[1], q.corner[2]);
  return q;
}

Body triangleBody(const ContactQuery& q)
{
  Body b;
  b.vertices = b.in_space = { q.corner[0], q.corner[1], q.corner[2] };
  b.support = reference::hullSupport(b.vertices);
  b.normals = { normalized(cross(q.corner[1] - q.corner[0], q.corner[2] - q.corner[0])) };
  b.edges = { { 0, 1 }, { 1, 2 }, { 0, 2 } };
  return b;
}

TEST_P(NarrowPhase, RoundBodiesWithTrianglesMatchTheBestDirection)
{
  static std::map<int, std::vector<RoundCase>> known;
  for (const int shape : { int(kSphere), int(kTablet), int(kLens), int(kFlat), int(kTall) })
  {
    std::vector<RoundCase>& cases = known[shape];
    if (cases.empty())
    {
      std::mt19937 random(static_cast<unsigned>(700 + shape));
      cases.resize(10000);
      for (RoundCase& c : cases)
        c.query = placedTriangle(random, shape,
          anySign(random, 8) * logUniform(random, 1e-5, 0.5 * std::min(rounding(shape), 0.2)));
      tbb::parallel_for(std::size_t(0), cases.size(), [&](std::size_t i) {
        cases[i].expected =
          reference::signedDistance(first(cases[i].query), triangleBody(cases[i].query), 200);
      });
    }
    const std::vector<ContactQuery> queries = queriesOf(cases);
    const std::vector<ContactAnswer> got = find(queries);
    for (std::size_t i = 0; i < cases.size() && !HasFailure(); ++i)
    {
      const std::string what = std::to_string(shape) + " on a triangle, pose " + std::to_string(i);
      expectRound(cases[i].query, first(cases[i].query), triangleBody(cases[i].query),
        cases[i].expected, got[i], accuracy(), what);
      if (!(got[i].overlap > 0))
        continue;
      // the feature: the triangle's point is where the body's is, less the overlap
      const ContactQuery& q = queries[i];
      const Vec3d x = got[i].point - 0.5 * got[i].overlap * got[i].normal;
      const Vec3d e1 = q.corner[1] - q.corner[0], e2 = q.corner[2] - q.corner[0], n = cross(e1, e2);
      const double w1 = dot(cross(x - q.corner[0], e2), n) / dot(n, n),
                   w2 = dot(cross(e1, x - q.corner[0]), n) / dot(n, n);
      const double w[3] = { 1 - w1 - w2, w1, w2 };
      for (int k = 0; k < 3; ++k)
      {
        if (w[k] > 1e-3)
        {
          ASSERT_TRUE(got[i].feature & (1u << k)) << what;
        }
        ASSERT_GT(w[k], -1e-3) << what;
      }
    }
  }
}

/// The outward normal of the plane through edge k that halves the angle with the neighbour.
Vec3d sideOf(const ContactQuery& q, int k, const Vec3d& n, bool back)
{
  const Vec3d u = q.corner[k], v = q.corner[(k + 1) % 3], along = back ? u - v : v - u;
  return normalized(cross(along, n + (back ? -q.neighbor[k] : q.neighbor[k])));
}

TEST_P(NarrowPhase, PolyhedraOnTrianglesMatchSolidsCutByPlanes)
{
  for (int shape = kCube; shape < kShapes; ++shape)
  {
    std::mt19937 random(static_cast<unsigned>(800 + shape));
    std::vector<ContactQuery> queries(10000);
    for (ContactQuery& q : queries)
    {
      q = placedTriangle(random, shape, anySign(random, 8) * logUniform(random, 1e-4, 0.2));
      const Vec3d n = normalized(cross(q.corner[1] - q.corner[0], q.corner[2] - q.corner[0]));
      for (int k = 0; k < 3; ++k)
      {
        // no neighbour, a coplanar one, or one that falls away on the side that the body is on;
        // rising ones have a test of their own
        const Vec3d away = normalized(cross(q.corner[(k + 1) % 3] - q.corner[k], n));
        const double fall = (random() % 3) * reference::uniform(random, 0, 0.5) *
          (dot(n, q.center[0] - q.corner[0]) > 0 ? 1 : -1);
        q.neighbor[k] = random() % 4 == 0 ? Vec3d{} : std::cos(fall) * n + std::sin(fall) * away;
      }
    }
    const std::vector<ContactAnswer> got = find(queries);
    int touching = 0;
    for (std::size_t i = 0; i < queries.size() && !HasFailure(); ++i)
    {
      const ContactQuery& q = queries[i];
      const std::string what = std::to_string(shape) + " on a triangle, pose " + std::to_string(i);
      Vec3d n = normalized(cross(q.corner[1] - q.corner[0], q.corner[2] - q.corner[0]));
      const bool back = dot(n, q.center[0] - q.corner[0]) < 0;
      if (back)
        n = -n;
      const reference::Solid whole = solid(q, 0);
      const double section = std::fabs(dot(n, whole.cut(n, dot(n, q.corner[0])).area(1, 1)));
      reference::Solid part = whole;
      for (int k = 0; k < 3; ++k)
      {
        const Vec3d side = sideOf(q, k, n, back);
        part = part.cut(side, dot(side, q.corner[k]));
      }
      part = part.cut(n, dot(n, q.corner[0]));
      Vec3d centroid;
      const double volume = part.volume(&centroid), share = dot(n, part.area(4, 4));
      if (!(volume > 1e-9))
      {
        ASSERT_LT(
          got[i].overlap > 0 ? std::sqrt(got[i].radius * got[i].overlap) * got[i].overlap : 0, 1e-4)
          << what;
        continue;
      }
      ++touching;
      const double force = 2 * volume / std::sqrt(2 * M_PI * section); // sqrt(R d) d
      const double size = q.radius[0], width = std::sqrt(section);
      const double fine = (mixed() ? 1e-5 : 1e-11) *
        (1 + size / got[i].overlap + size / std::min(width, volume / section));
      ASSERT_GT(got[i].overlap, 0) << what;
      ASSERT_NEAR(
        std::sqrt(got[i].radius * got[i].overlap) * got[i].overlap, force, force * fine + 1e-10)
        << what << " " << volume;
      ASSERT_NEAR(got[i].share, std::max(1e-6, share / section), fine) << what;
      ASSERT_LT(length(got[i].point - centroid), size * fine) << what;
      ASSERT_LT(length(got[i].normal + n), 1e-6) << what;
      double deepest = 0;
      for (const auto& f : part.faces)
        for (const Vec3d& p : f)
          deepest = std::max(deepest, dot(n, q.corner[0] - p));
      ASSERT_NEAR(got[i].overlap, share * deepest > volume ? 2 * volume / share : 2 * deepest,
        2 * deepest * fine)
        << what;
    }
    EXPECT_GT(touching, 3000);
  }
}

/// A grain at or in a long cylinder or cone about a random axis.
ContactQuery placedCone(std::mt19937& random, int shape, bool inside, double overlap, bool conical)
{
  ContactQuery q;
  q.partner = ContactPartner::Cone;
  q.shape[0] = shape;
  q.orientation[0] = reference::orientation(random);
  const Vec3d k = reference::direction(random);
  const Vec3d e = normalized(cross(k, std::fabs(k.x) < 0.6 ? Vec3d{ 1, 0, 0 } : Vec3d{ 0, 1, 0 }));
  const double radius = logUniform(random, inside ? 2.5 : 0.5, 30),
               widening = conical ? reference::uniform(random, -0.3, 0.3) : 0;
  const double half = std::min(12.0, 0.9 * radius / std::max(std::fabs(widening), 1e-6));
  const double cosine = 1 / std::sqrt(1 + widening * widening);
  const Vec3d out = cosine * (e - widening * k),
              n = inside ? out : -out; // from the grain to the surface
  const Vec3d touch = first(q).farthest(n) - overlap * n, axis = touch - radius * e;
  q.corner[0] = axis - half * k;
  q.corner[1] = axis + half * k;
  q.cone_radius[0] = radius - half * widening;
  q.cone_radius[1] = radius + half * widening;
  return q;
}

TEST_P(NarrowPhase, RoundBodiesInAndOnConesMatchTheirTangentPlanes)
{
  for (const int shape :
    { int(kSphere), int(kTablet), int(kLens), int(kFlat), int(kTall), int(kBall) })
  {
    std::mt19937 random(static_cast<unsigned>(600 + shape));
    std::vector<ContactQuery> queries(4000);
    std::vector<bool> inside(queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i)
    {
      inside[i] = random() % 2;
      queries[i] = placedCone(
        random, shape, inside[i], anySign(random, 8) * logUniform(random, 1e-5, 0.1), random() % 2);
    }
    const std::vector<ContactAnswer> got = find(queries);
    for (std::size_t i = 0; i < queries.size() && !HasFailure(); ++i)
    {
      const ContactQuery& q = queries[i];
      const Body b = first(q);
      const Vec3d along = q.corner[1] - q.corner[0], k = normalized(along);
      const double widening = (q.cone_radius[1] - q.cone_radius[0]) / length(along),
                   cosine = 1 / std::sqrt(1 + widening * widening);
      const Vec3d u = normalized(
                    cross(k, std::fabs(k.x) < 0.6 ? Vec3d{ 1, 0, 0 } : Vec3d{ 0, 1, 0 })),
                  v = cross(k, u);
      const auto normalAt = [&](double t) {
        return cosine * (std::cos(t) * u + std::sin(t) * v - widening * k);
      };
      // overlap with the half space beyond a tangent plane, or the gap before one
      const auto beyond = [&](double t) {
        const Vec3d m = normalAt(t);
        const double offset = dot(m, q.corner[0]) + cosine * q.cone_radius[0];
        return inside[i] ? dot(m, b.farthest(m)) - offset : dot(m, b.farthest(-m)) - offset;
      };
      double best = -1e300, angle = 0;
      constexpr int kNet = 720;
      for (int j = 0; j < kNet; ++j)
        if (beyond(2 * M_PI * j / kNet) > best)
          best = beyond(2 * M_PI * j / kNet), angle = 2 * M_PI * j / kNet;
      for (double step = M_PI / kNet; step > 1e-8;)
      {
        if (beyond(angle + step) > best)
          best = beyond(angle += step);
        else if (beyond(angle - step) > best)
          best = beyond(angle -= step);
        else
          step *= 0.5;
      }
      const Vec3d n = (inside[i] ? 1.0 : -1.0) * normalAt(angle);
      const std::string what =
        std::to_string(shape) + (inside[i] ? " in" : " on") + " a cone, pose " + std::to_string(i);
      const double overlap = inside[i] ? best : -best;
      // coordinates are of the cone's size
      const double near =
        mixed() ? 1e-5 + 2e-6 * (q.cone_radius[0] + q.cone_radius[1] + length(along)) : 1e-8;
      if (overlap < near)
      {
        ASSERT_LT(got[i].overlap, 2 * near) << what;
        continue;
      }
      ASSERT_NEAR(got[i].overlap, overlap, near) << what;
      // nearly round about the axis, many directions are as good
      const double turned = beyond(angle + 0.01) - 2 * best + beyond(angle - 0.01);
      if (-turned > 1e-4 * 0.01)
      {
        ASSERT_LT(length(got[i].normal - n), mixed() ? 1e-4 : 1e-5) << what;
      }
      ASSERT_NEAR(dot(got[i].normal, b.farthest(got[i].normal) - got[i].point),
        0.5 * got[i].overlap, mixed() ? 1e-5 : 1e-8)
        << what;
    }
  }
}

constexpr int kSlices = 12;

struct GaussRule
{
  double node[kSlices], weight[kSlices];

  GaussRule()
  {
    for (int i = 0; i < kSlices; ++i)
    {
      double x = std::cos(M_PI * (i + 0.75) / (kSlices + 0.5)), slope = 1;
      for (int round = 0; round < 20; ++round)
      {
        double last = 1, p = x; // Legendre's polynomials
        for (int n = 2; n <= kSlices; ++n)
        {
          const double next = ((2 * n - 1) * x * p - (n - 1) * last) / n;
          last = p;
          p = next;
        }
        slope = kSlices * (x * p - last) / (x * x - 1);
        x -= p / slope;
      }
      node[i] = x;
      weight[i] = 2 / ((1 - x * x) * slope * slope);
    }
  }
};

// A body and a cylinder or cone about the z axis, slice by slice across it: circles and convex
// polygons in closed form.
struct SlicedCone
{
  std::vector<Vec3d> corners; // the body's vertices
  std::vector<std::pair<int, int>> edges;
  std::vector<std::pair<Vec3d, double>> planes;
  double radius = 0, widening = 0, length = 0; // R(z) = radius + widening z, from 0 to length
  bool inside = false;

  struct Sums
  {
    double volume = 0;
    Vec3d moment{}, area{};
  };

  Sums slice(double z) const
  {
    std::vector<std::array<double, 2>> polygon;
    double mx = 0, my = 0;
    for (const auto& e : edges)
    {
      const Vec3d &p = corners[e.first], &q = corners[e.second];
      if ((p.z > z) == (q.z > z))
        continue;
      const double t = (z - p.z) / (q.z - p.z);
      polygon.push_back({ p.x + t * (q.x - p.x), p.y + t * (q.y - p.y) });
      mx += polygon.back()[0];
      my += polygon.back()[1];
    }
    Sums sum;
    if (polygon.size() < 3)
      return sum;
    mx /= static_cast<double>(polygon.size());
    my /= static_cast<double>(polygon.size());
    std::sort(polygon.begin(), polygon.end(), [&](const auto& a, const auto& b) {
      return std::atan2(a[1] - my, a[0] - mx) < std::atan2(b[1] - my, b[0] - mx);
    });
    const double r = radius + widening * z;
    double disk = 0, all = 0, turned = 0;
    Vec3d disk_moment{}, all_moment{}, arc{};
    for (std::size_t i = 0; i < polygon.size(); ++i)
    {
      const auto &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
      const double dx = q[0] - p[0], dy = q[1] - p[1], twice = p[0] * q[1] - p[1] * q[0];
      all += 0.5 * twice;
      all_moment += (twice / 6) * Vec3d{ p[0] + q[0], p[1] + q[1], 0 };
      // parts of the edge in and out of the circle: triangles and sectors about its centre
      std::vector<double> t{ 0 };
      const double a = dx * dx + dy * dy, b = p[0] * dx + p[1] * dy,
                   under = b * b - a * (p[0] * p[0] + p[1] * p[1] - r * r);
      if (under > 0)
        for (const double root : { (-b - std::sqrt(under)) / a, (-b + std::sqrt(under)) / a })
          if (root > 0 && root < 1)
            t.push_back(root);
      t.push_back(1);
      for (std::size_t k = 0; k + 1 < t.size(); ++k)
      {
        const double ax = p[0] + t[k] * dx, ay = p[1] + t[k] * dy, bx = p[0] + t[k + 1] * dx,
                     by = p[1] + t[k + 1] * dy;
        const double area = 0.5 * (ax * by - ay * bx),
                     middle = std::hypot(0.5 * (ax + bx), 0.5 * (ay + by));
        if (middle < r)
        {
          disk += area;
          disk_moment += (area / 3) * Vec3d{ ax + bx, ay + by, 0 };
          continue;
        }
        const double angle = std::atan2(ax * by - ay * bx, ax * bx + ay * by),
                     la = std::hypot(ax, ay), lb = std::hypot(bx, by);
        const Vec3d bow{ by / lb - ay / la, ax / la - bx / lb,
          0 }; // integral of the direction over the angle
        disk += 0.5 * r * r * angle;
        disk_moment += (r * r * r / 3) * bow;
        arc += r * bow;
        turned += r * angle;
      }
    }
    sum.volume = inside ? all - disk : disk;
    sum.moment = inside ? all_moment - disk_moment : disk_moment;
    sum.moment.z = z * sum.volume;
    sum.area = arc - (widening * turned) * Vec3d{ 0, 0, 1 };
    return sum;
  }

  /// Between the heights where a slice changes its kind, by Gauss's rule after z = (3 t - t^3) / 2,
  /// since the ends begin like square roots.
  Sums whole() const
  {
    std::vector<double> breaks{ 0, length };
    for (const Vec3d& p : corners)
      breaks.push_back(p.z);
    for (const auto& e : edges)
    {
      const Vec3d &p = corners[e.first], d = corners[e.second] - p;
      const double r = radius + widening * p.z, dr = widening * d.z,
                   a = d.x * d.x + d.y * d.y - dr * dr, b = p.x * d.x + p.y * d.y - r * dr;
      const double under = b * b - a * (p.x * p.x + p.y * p.y - r * r);
      if (under > 0 && a != 0)
        for (const double root : { (-b - std::sqrt(under)) / a, (-b + std::sqrt(under)) / a })
          breaks.push_back(p.z + root * d.z);
    }
    for (const auto& f :
      planes) // where a face's line touches the circle: w - n_z z = +-across R(z)
      for (const double across :
        { std::hypot(f.first.x, f.first.y), -std::hypot(f.first.x, f.first.y) })
        breaks.push_back((f.second - across * radius) / (f.first.z + across * widening));
    std::sort(breaks.begin(), breaks.end());
    static const GaussRule rule;
    Sums sum;
    for (std::size_t i = 0; i + 1 < breaks.size(); ++i)
    {
      const double from = std::max(0., breaks[i]), to = std::min(length, breaks[i + 1]);
      if (!(to - from > 1e-12))
        continue;
      for (int k = 0; k < kSlices; ++k)
      {
        const double t = rule.node[k];
        const Sums s = slice(0.5 * (from + to) + 0.25 * (to - from) * t * (3 - t * t));
        const double w = 0.75 * (to - from) * (1 - t * t) * rule.weight[k];
        sum.volume += w * s.volume;
        sum.moment += w * s.moment;
        sum.area += w * s.area;
      }
    }
    return sum;
  }
};

Overlap slicedCone(const ContactQuery& q, bool inside)
{
  const Body body = first(q);
  const Shape& shape = shapes()[q.shape[0]];
  const Vec3d along = q.corner[1] - q.corner[0], k = normalized(along);
  const Vec3d u = normalized(cross(k, std::fabs(k.x) < 0.6 ? Vec3d{ 1, 0, 0 } : Vec3d{ 0, 1, 0 })),
              v = cross(k, u);
  SlicedCone c;
  c.radius = q.cone_radius[0];
  c.widening = (q.cone_radius[1] - q.cone_radius[0]) / length(along);
  c.length = length(along);
  c.inside = inside;
  for (std::size_t i = 0; i < shape.vertices.size(); ++i)
  {
    const Vec3d p = body.vertex(static_cast<int>(i)) - q.corner[0];
    c.corners.push_back({ dot(p, u), dot(p, v), dot(p, k) });
  }
  for (const auto& f : shape.faces)
  {
    for (std::size_t i = 0; i < f.size(); ++i)
      if (f[i] < f[(i + 1) % f.size()])
        c.edges.emplace_back(f[i], f[(i + 1) % f.size()]);
    const Vec3d n =
      normalized(cross(c.corners[f[1]] - c.corners[f[0]], c.corners[f[2]] - c.corners[f[1]]));
    c.planes.emplace_back(n, dot(n, c.corners[f[0]]));
  }
  const SlicedCone::Sums s = c.whole();
  if (!(s.volume > 1e-12))
    return {};
  const auto back = [&](const Vec3d& d) { return d.x * u + d.y * v + d.z * k; };
  return overlapOf(
    s.volume, q.corner[0] + back((1 / s.volume) * s.moment), (inside ? 1. : -1.) * back(s.area));
}

TEST_P(NarrowPhase, PolyhedraInAndOnCylindersAndConesMatchSlices)
{
  constexpr int kPoses = 2000;                // of each of five bodies
  static std::vector<Overlap> known[kShapes]; // all backends meet the same
  int touching = 0;
  for (int shape = kCube; shape < kShapes; ++shape)
  {
    std::mt19937 random(static_cast<unsigned>(500 + shape));
    std::vector<ContactQuery> queries(kPoses);
    std::vector<bool> inside(queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i)
    {
      inside[i] = i % 2;
      queries[i] = placedCone(random, shape, inside[i], logUniform(random, 1e-3, 0.15), i % 4 > 1);
      if (i % 8 < 4) // an edge or a face along the wall
      {
        const Vec3d k = normalized(queries[i].corner[1] - queries[i].corner[0]);
        const Body body = first(queries[i]);
        const auto& e = body.edges[random() % body.edges.size()];
        const Vec3d tip = body.vertex(e.second) - body.vertex(e.first);
        const dem::Quaternion<double> before = queries[i].orientation[0];
        queries[i].orientation[0] = normalized(turning(normalized(tip), k) * before);
      }
      known[shape].reserve(queries.size());
      if (known[shape].size() == i)
        known[shape].push_back(slicedCone(queries[i], inside[i]));
    }
    const std::vector<ContactAnswer> got = find(queries);
    for (std::size_t i = 0; i < queries.size() && !HasFailure(); ++i)
    {
      const ContactQuery& q = queries[i];
      const Overlap& expected = known[shape][i];
      const std::string what = std::to_string(shape) + (inside[i] ? " in" : " on") +
        (i % 4 > 1 ? " a cone" : " a cylinder") + ", pose " + std::to_string(i);
      const double rounding = (mixed() ? 1e-6 : 1e-13) * (1 + q.cone_radius[0] + q.cone_radius[1]);
      if (!(expected.volume > 0))
      {
        ASSERT_LT(got[i].overlap, 1e-3) << what;
        continue;
      }
      if (std::pow(expected.width, 3) < 3.4 * expected.volume || expected.overlap < 20 * rounding ||
        expected.width < 20 * rounding)
        continue; // the area is replaced; or below the rounding of coordinates
      ++touching;
      const double fine = 20 * rounding * (1 / expected.overlap + 1 / expected.width);
      ASSERT_NEAR(got[i].overlap, expected.overlap, 2e-6 + expected.overlap * fine) << what;
      ASSERT_LT(length(got[i].normal - expected.normal), 2e-6 + 20 * rounding / expected.width)
        << what;
      if (expected.volume > 1e-10) // less is hard on the slices
      {
        ASSERT_LT(length(got[i].point - expected.centroid), 1e-4 + fine * expected.width) << what;
      }
    }
  }
  EXPECT_GT(touching, 3 * kPoses);
}

// ----
// special poses

TEST_P(NarrowPhase, ATabletOfTwoHalfSpheresBehavesAsTheSphere)
{
  std::mt19937 random(21);
  std::vector<ContactQuery> tablets, spheres;
  for (int i = 0; i < 4000; ++i)
  {
    const double overlap = logUniform(random, 1e-4, 0.3);
    ContactQuery q;
    const int partner = i % 4;
    if (partner == 0)
      q = placed(
        random, kBall, i % 8 ? kCube : int(kSphere), reference::direction(random), 0.1 * overlap);
    else if (partner == 1)
      q = placedTriangle(random, kBall, 0.1 * overlap);
    else if (partner == 2)
      q = placedCone(random, kBall, random() % 2, overlap, random() % 2);
    else
    {
      q = placedTriangle(random, kBall, overlap);
      q.partner = ContactPartner::Plane;
      q.corner[1] = normalized(q.center[0] - q.corner[0]);
    }
    tablets.push_back(q);
    q.shape[0] = kSphere;
    spheres.push_back(q);
  }
  const std::vector<ContactAnswer> a = find(tablets), b = find(spheres);
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    // corners and edges poke into spheres and into tablets alike as long as they stay within the
    // rounding
    if (b[i].overlap <= 0 ||
      (i % 4 < 2 && b[i].overlap > 0.8 * rounding(kBall) * tablets[i].radius[0]))
      continue;
    const double near =
      mixed() ? 1e-5 + 1e-6 * (tablets[i].cone_radius[0] + tablets[i].cone_radius[1]) : 1e-9;
    ASSERT_NEAR(a[i].overlap, b[i].overlap, near) << i;
    ASSERT_LT(length(a[i].normal - b[i].normal), 10 * near) << i;
    ASSERT_LT(length(a[i].point - b[i].point), 10 * near) << i;
    ASSERT_NEAR(a[i].radius, b[i].radius, 1e-6) << i;
  }
}

TEST_P(NarrowPhase, CoincidentCentresAreFiniteAndSymmetric)
{
  for (int a = kSphere; a < kShapes; ++a)
    for (int b = kSphere; b < kShapes; ++b)
      for (int turned = 0; turned < 2; ++turned)
      {
        ContactQuery q;
        q.shape[0] = a;
        q.shape[1] = b;
        q.center[0] = q.center[1] = { 1, 2, 3 };
        if (turned)
        {
          q.orientation[0] = normalized(dem::Quaternion<double>{ 0.3, -0.5, 0.2, 0.7 });
          q.orientation[1] = normalized(dem::Quaternion<double>{ -0.1, 0.4, 0.9, 0.2 });
        }
        ContactQuery r = q;
        std::swap(r.shape[0], r.shape[1]);
        std::swap(r.orientation[0], r.orientation[1]);
        const ContactAnswer x = find(q), y = find(r);
        const std::string what = std::to_string(a) + " within " + std::to_string(b);
        ASSERT_GT(x.overlap, 0.1) << what;
        ASSERT_LT(x.overlap, 4) << what;
        ASSERT_NEAR(length(x.normal), 1, 1e-5) << what;
        ASSERT_LT(length(x.point - q.center[0]), 1.5) << what;
        ASSERT_GT(x.radius, 0) << what;
        ASSERT_NEAR(x.overlap, y.overlap, 1e-4) << what;
      }
}

TEST_P(NarrowPhase, TouchingAndParallelFacesAreNoContactUntilTheyOverlap)
{
  // a cube upon a larger one, faces parallel; sides in one plane or not
  for (const double side : { 0.0, 0.25, 0.6 })
    for (const double depth : { -1e-3, 0.0, 1e-3, 0.01 })
    {
      ContactQuery q;
      q.shape[0] = q.shape[1] = kCube;
      q.radius[0] = std::sqrt(3.0); // edge 2
      q.radius[1] = std::sqrt(3.0) / 2;
      q.center[1] = { 0.5, side, 1.5 - depth };
      const ContactAnswer c = find(q);
      if (depth <= 0)
      {
        EXPECT_LT(c.overlap, mixed() ? 1e-6 : 1e-14);
        continue;
      }
      const double width = std::min(1.0, 1.5 - side);
      EXPECT_NEAR(c.overlap, 2 * depth, (mixed() ? 1e-5 : 0) + 5 * depth * depth * depth)
        << "sides lean the area by depth / width";
      EXPECT_NEAR(c.radius * c.overlap, width / (2 * M_PI), 2e-4);
      EXPECT_LT(length(c.normal - Vec3d{ 0, 0, 1 }), 2 * depth);
      EXPECT_LT(length(c.point - Vec3d{ 0.5, side - (1 - width) / 2, 1 - depth / 2 }), 1e-4);
    }
  // and tablets lying on each other, with the same axis and leaning by less than nothing
  for (const double lean : { 0.0, 1e-9, 1e-4 })
  {
    ContactQuery q;
    q.shape[0] = q.shape[1] = kFlat;
    q.orientation[1] = dem::rotationVectorToQuaternion({ lean, 0, 0 });
    const double top = first(q).farthest({ 0, 0, 1 }).z;
    q.center[1] = { 0, 0, 2 * top - 1e-3 };
    const ContactAnswer c = find(q);
    EXPECT_NEAR(c.overlap, 1e-3, 1e-6);
    EXPECT_LT(length(c.normal - Vec3d{ 0, 0, 1 }), 2e-4);
    // belts side by side touch at half height
    q.orientation[1] = q.orientation[0];
    const double out = first(q).farthest({ 1, 0, 0 }).x;
    q.center[1] = { 2 * out - 1e-3, 0, 0 };
    const ContactAnswer d = find(q);
    EXPECT_NEAR(d.overlap, 1e-3, 1e-6);
    EXPECT_LT(length(d.normal - Vec3d{ 1, 0, 0 }), 2e-4);
    EXPECT_LT(length(d.point - Vec3d{ out - 5e-4, 0, 0 }), 2e-3);
  }
}

TEST_P(NarrowPhase, BeltsAgainstCapsAreAsFarAsTheyAre)
{
  // at a belt the support function bends so sharply that a search for the best direction may stop
  // beside it
  const std::vector<Shape> tablets{ dem::makeTablet("Belt", 1, 1, 0.3),
    dem::makeTablet("Lens", 1, 2, 0), dem::makeTablet("Flat", 1, 4, 0.3),
    dem::makeTablet("Round", 1, 0.75, 0.2) };
  const dem::ShapeTable<double> table(tablets);
  std::mt19937 random(5);
  std::vector<ContactQuery> queries;
  std::vector<double> gaps;
  for (int i = 0; i < 100000; ++i)
  {
    ContactQuery q;
    q.shape[0] = i % 4;
    q.shape[1] = i / 4 % 4;
    q.orientation[0] = reference::orientation(random);
    // n on the belt of the first, the axis of the second about along it, and both apart or pressed
    // by a gap along n
    const Vec3d axis = rotate(q.orientation[0], { 0, 0, 1 });
    const Vec3d n = normalized(
      normalized(cross(axis, reference::direction(random))) + 1e-6 * reference::direction(random));
    const Vec3d lean = normalized(n + logUniform(random, 1e-3, 0.6) * reference::direction(random)),
                across = cross(Vec3d{ 0, 0, 1 }, lean);
    q.orientation[1] =
      dem::rotationVectorToQuaternion(std::atan2(length(across), lean.z) * normalized(across));
    const double gap = (i / 16 % 2 ? -1 : 1) * logUniform(random, 2e-4, 1.6e-3);
    const dem::detail::RoundBody<double> a(
      table.view(), q.shape[0], dem::shapePose<double>({}, q.orientation[0], 1.)),
      b(table.view(), q.shape[1], dem::shapePose<double>({}, q.orientation[1], 1.));
    q.center[1] = a.support(n) + (a.edge + b.edge + gap) * n - b.support(-n);
    queries.push_back(q);
    gaps.push_back(gap);
  }
  const std::vector<ContactAnswer> got =
    dem::findContacts(tablets, queries, !mixed(), dem::chooseDevice(GetParam().device));
  for (std::size_t i = 0; i < queries.size();
       ++i) // the best direction parts them by no less than n does
    ASSERT_LT(got[i].overlap, std::max(0., -gaps[i]) + (mixed() ? 1e-5 : 1e-10))
      << i << ": " << queries[i].shape[0] << " with " << queries[i].shape[1];
}

TEST_P(NarrowPhase, FacesThatMeetByRoundingAloneTouchWhereTheBodiesAre)
{
  // volume and moment of such an overlap are all rounding: their quotient is anywhere, in single
  // precision hundreds of sizes away
  std::mt19937 random(77);
  const int solids[] = { kCube, kTetrahedron, kDodecahedron };
  std::vector<ContactQuery> queries;
  for (int i = 0; i < 30000; ++i)
  {
    ContactQuery q;
    q.shape[0] = q.shape[1] = solids[i % 3];
    q.orientation[0] = dem::rotationVectorToQuaternion(3. * reference::direction(random));
    const auto faces = solid(q, 0).faces;
    const std::vector<Vec3d>& face = faces[i % faces.size()];
    const Vec3d n = normalized(cross(face[1] - face[0], face[2] - face[0]));
    const Vec3d along = normalized(face[0] - face[1]);
    const double inside = anySign(random, 8) * logUniform(random, 1e-10, 1e-6),
                 height = dot(n, face[0]);
    if (i % 2)
    {
      q.partner = ContactPartner::Plane;
      q.corner[0] = (height - inside) * n;
      q.corner[1] = -n;
    }
    else // turned over about an edge's direction, and put on the face, a little beside it and
         // aslant
    {
      q.orientation[1] = dem::rotationVectorToQuaternion(inside * reference::direction(random)) *
        dem::rotationVectorToQuaternion(M_PI * along) * q.orientation[0];
      q.center[1] = (2 * height - inside) * n + logUniform(random, 1e-3, 0.3) * along;
    }
    queries.push_back(q);
  }
  const std::vector<ContactAnswer> got = find(queries);
  int touching = 0;
  for (std::size_t i = 0; i < queries.size(); ++i)
    if (got[i].overlap > 0)
    {
      ++touching;
      ASSERT_LT(got[i].overlap, 1e-4) << i;
      ASSERT_NEAR(length(got[i].normal), 1, 1e-5) << i;
      ASSERT_LT(length(got[i].point), 1.2)
        << i; // put into one bounding sphere, then into the other
      ASSERT_LT(queries[i].partner == ContactPartner::Grain
          ? length(got[i].point - queries[i].center[1])
          : 0,
        1.2)
        << i;
    }
  EXPECT_GT(touching, 10000);
}

TEST_P(NarrowPhase, NothingDependsOnThePlaceInSpace)
{
  std::mt19937 random(31);
  for (int i = 0; i < 200; ++i)
  {
    ContactQuery q =
      placed(random, i % kShapes, (3 * i + 1) % kShapes, reference::direction(random), 0.01);
    for (Vec3d& c : q.center) // on a grid that far places have, too
      for (int k = 0; k < 3; ++k)
        c[k] = std::round(c[k] * 65536) / 65536;
    const ContactAnswer near = find(q);
    for (Vec3d& c : q.center)
      c += Vec3d{ 1e6, -2e6, 3e6 };
    const ContactAnswer far = find(q);
    EXPECT_EQ(near.overlap, far.overlap);
    EXPECT_EQ(near.radius, far.radius);
    EXPECT_TRUE(near.normal == far.normal);
  }
}

TEST_P(NarrowPhase, PiecesOfAFlatFloorAddUpToThePlane)
{
  std::mt19937 random(41);
  for (int shape = kCube; shape < kShapes; ++shape)
    for (int i = 0; i < 60; ++i)
    {
      ContactQuery q;
      q.partner = ContactPartner::Plane;
      q.shape[0] = shape;
      q.orientation[0] = reference::orientation(random);
      q.corner[1] = { 0, 0, 1 };
      if (i % 2)
      {
        const Vec3d m = rotate(q.orientation[0], first(q).normals[0]);
        q.orientation[0] = normalized(turning(m, { 0, 0, -1 }) * q.orientation[0]);
      }
      q.center[0] = { reference::uniform(random, -1, 1), reference::uniform(random, -1, 1), 0 };
      q.center[0].z = -first(q).farthest({ 0, 0, -1 }).z - 0.01;
      const ContactAnswer whole = find(q);
      // triangles of a jittered lattice
      constexpr int n = 12;
      Vec3d node[n + 1][n + 1];
      for (int x = 0; x <= n; ++x)
        for (int y = 0; y <= n; ++y)
          node[x][y] = Vec3d{ (x - n / 2) * 0.5, (y - n / 2) * 0.5, 0 } +
            Vec3d{ reference::uniform(random, -0.1, 0.1), reference::uniform(random, -0.1, 0.1),
              0 };
      std::vector<ContactQuery> pieces;
      q.partner = ContactPartner::Triangle;
      for (int x = 0; x < n; ++x)
        for (int y = 0; y < n; ++y)
          for (int half = 0; half < 2; ++half)
          {
            q.corner[0] = node[x][y];
            q.corner[1] = half ? node[x + 1][y + 1] : node[x + 1][y];
            q.corner[2] = half ? node[x][y + 1] : node[x + 1][y + 1];
            for (Vec3d& m : q.neighbor)
              m = { 0, 0, 1 };
            pieces.push_back(q);
          }
      double force = 0, stiffness = 0, share = 0;
      Vec3d point{};
      for (const ContactAnswer& c : find(pieces))
        if (c.overlap > 0)
        {
          const double a = std::sqrt(c.radius * c.overlap);
          force += a * c.overlap;
          stiffness += a;
          share += c.share;
          point += (a * c.overlap) * c.point;
          EXPECT_LT(length(c.normal - whole.normal), 1e-6);
        }
      const double a = std::sqrt(whole.radius * whole.overlap), near = mixed() ? 3e-4 : 1e-9;
      EXPECT_NEAR(force, a * whole.overlap, near * a * whole.overlap);
      EXPECT_NEAR(stiffness, a, 0.02 * a)
        << "slivers whose solid lies beside them are taken as thin layers";
      EXPECT_NEAR(share, 1, near + 1e-4) << "none is below 1e-6";
      EXPECT_LT(length((1 / force) * point - whole.point), near);
    }
}

TEST_P(NarrowPhase, AStepsSideDoesNotPushWhatStandsOnTop)
{
  // a brick stands over the edge of a step: the face of the step below it must not be felt but for
  // the edge's own size
  for (const double overhang : { -0.3, -0.05, 0.05, 0.3 })
  {
    ContactQuery q;
    q.partner = ContactPartner::Triangle;
    q.shape[0] = kCube;
    q.radius[0] = std::sqrt(3.0) / 2; // edge 1
    const double depth = 1e-3;
    q.center[0] = { overhang, 0, 0.5 - depth };
    // the top, x < 0, facing up, with the side beyond its first edge
    q.corner[0] = { 0, -5, 0 };
    q.corner[1] = { 0, 5, 0 };
    q.corner[2] = { -9, 0, 0 };
    q.neighbor[0] = { 1, 0, 0 };
    const ContactAnswer top = find(q);
    // the side, facing +x
    q.corner[0] = { 0, 5, 0 };
    q.corner[1] = { 0, -5, 0 };
    q.corner[2] = { 0, 0, -9 };
    q.neighbor[0] = { 0, 0, 1 };
    const ContactAnswer side = find(q);
    const auto push = [](const ContactAnswer& c) {
      return c.overlap > 0 ? std::sqrt(c.radius * c.overlap) * c.overlap : 0;
    };
    EXPECT_GT(push(top), 0);
    EXPECT_LT(push(side), 4 * depth * push(top)) << overhang;
  }
  // and in a true corner both faces are felt
  ContactQuery q;
  q.partner = ContactPartner::Triangle;
  q.shape[0] = kCube;
  q.radius[0] = std::sqrt(3.0) / 2;
  q.center[0] = { 0.499, 0, 0.499 };
  q.corner[0] = { 0, 5, 0 };
  q.corner[1] = { 0, -5, 0 };
  q.corner[2] = { 9, 0, 0 };
  q.neighbor[0] = { 1, 0, 0 };
  EXPECT_NEAR(find(q).overlap, 2e-3, 1e-5);
  q.corner[0] = { 0, -5, 0 };
  q.corner[1] = { 0, 5, 0 };
  q.corner[2] = { 0, 0, 9 };
  q.neighbor[0] = { 0, 0, 1 };
  EXPECT_NEAR(find(q).overlap, 2e-3, 1e-5);
}

// ----
// sweeps

struct Load
{
  double v[6];
};

/// Normal force of unit stiffness and its torque about the first body's centre.
Load loadOf(const ContactQuery& q, const ContactAnswer& c)
{
  Load l{};
  if (!(c.overlap > 0))
    return l;
  const Vec3d f = std::sqrt(c.radius * c.overlap) * c.overlap * c.normal,
              t = cross(c.point - q.center[0], f);
  for (int k = 0; k < 3; ++k)
  {
    l.v[k] = f[k];
    l.v[3 + k] = t[k];
  }
  return l;
}

using Path = std::function<ContactQuery(double)>;

/// The largest change of the load in one of `steps` steps, relative to the largest load.
double largestJump(const Path& path, int steps,
  const std::function<std::vector<ContactAnswer>(const std::vector<ContactQuery>&)>& find)
{
  std::vector<ContactQuery> queries;
  for (int i = 0; i <= steps; ++i)
    queries.push_back(path(static_cast<double>(i) / steps));
  const std::vector<ContactAnswer> got = find(queries);
  double jump = 0, largest = 0;
  Load before = loadOf(queries[0], got[0]);
  for (int i = 1; i <= steps; ++i)
  {
    const Load l = loadOf(queries[i], got[i]);
    double d2 = 0, l2 = 0;
    for (int k = 0; k < 6; ++k)
    {
      d2 += (l.v[k] - before.v[k]) * (l.v[k] - before.v[k]);
      l2 += l.v[k] * l.v[k];
    }
    jump = std::max(jump, std::sqrt(d2));
    largest = std::max(largest, std::sqrt(l2));
    before = l;
  }
  return jump / largest;
}

TEST_P(NarrowPhase, LoadsChangeContinuouslyAlongSweeps)
{
  std::vector<std::pair<std::string, Path>> paths;
  // rolling over faces, edges and corners (belts, edges and caps) at a fixed height above a plane,
  // a large triangle, a cube's face, in a drum
  for (const int shape : { int(kTablet), int(kLens), int(kTall), int(kCube), int(kTetrahedron),
         int(kBrick), int(kStone) })
    for (const ContactPartner partner : { ContactPartner::Plane, ContactPartner::Triangle,
           ContactPartner::Cone, ContactPartner::Grain })
    {
      if (partner == ContactPartner::Cone && (shape == kTablet || shape == kTall))
        continue; // a belt within a drum touches at both ends, of which the deeper counts
      paths.emplace_back(
        shapes()[shape].name + " rolls on partner " + std::to_string(static_cast<int>(partner)),
        [=](double t) {
          ContactQuery q;
          q.partner = partner;
          q.shape[0] = shape;
          q.orientation[0] = normalized(dem::rotationVectorToQuaternion({ 0, 3.2 * t, 0 }) *
            dem::rotationVectorToQuaternion({ 0.3 * t, 0, 0.2 + 0.4 * t }));
          const double low = first(q).farthest({ 0, 0, -1 }).z;
          q.center[0] = { 0.2 - 0.3 * t, 0.1, -low - 0.01 };
          q.corner[0] = { 0, 0, 0 };
          q.corner[1] = { 0, 0, 1 };
          if (partner == ContactPartner::Triangle)
          {
            q.corner[0] = { -4, -3, 0 };
            q.corner[1] = { 5, -4, 0 };
            q.corner[2] = { 0, 6, 0 };
          }
          else if (partner == ContactPartner::Cone)
          {
            q.corner[0] = { 0, -3, 9 };
            q.corner[1] = { 0, 3, 9 };
            q.cone_radius[0] = q.cone_radius[1] = 9;
            q.center[0].x = 0.1;
          }
          else if (partner == ContactPartner::Grain)
          {
            q.shape[1] = kCube;
            q.radius[1] = 2.5;
            q.center[1] = { 0.1, 0.2, -2.5 / std::sqrt(3.0) };
          }
          return q;
        });
    }
  // over the edge and the corner of a cube and of a triangle
  for (const int shape : { int(kTablet), int(kLens), int(kCube), int(kDodecahedron) })
    for (const bool triangle : { false, true })
      paths.emplace_back(
        shapes()[shape].name + (triangle ? " slides off a triangle" : " slides off a cube"),
        [=](double t) {
          ContactQuery q;
          q.partner = triangle ? ContactPartner::Triangle : ContactPartner::Grain;
          q.shape[0] = shape;
          q.orientation[0] = normalized(dem::Quaternion<double>{ 0.9, 0.2, -0.3, 0.1 });
          const double low = first(q).farthest({ 0, 0, -1 }).z;
          q.center[0] = { 2.8 * t, 1.1 * t, -low - 0.01 };
          q.shape[1] = kCube;
          q.radius[1] = 1.5 * std::sqrt(3.0);
          q.center[1] = { 0, 0, -1.5 };
          q.corner[0] = { 1.5, -2, 0 };
          q.corner[1] = { 1.5, 2, 0 };
          q.corner[2] = { -6, 0, 0 };
          return q;
        });
  // edge over edge, corner over corner
  for (const int other : { int(kCube), int(kTetrahedron), int(kTablet), int(kLens) })
    paths.emplace_back("edges cross: cube and " + shapes()[other].name, [=](double t) {
      ContactQuery q;
      q.shape[0] = kCube;
      q.shape[1] = other;
      q.orientation[0] = dem::rotationVectorToQuaternion({ M_PI / 4, 0, 0 });
      const dem::Quaternion<double> lean = dem::rotationVectorToQuaternion({ 0, M_PI / 4, 0.1 });
      q.orientation[1] = normalized(dem::rotationVectorToQuaternion({ 0, 0, 2 * t }) * lean);
      const double ridge = first(q).farthest({ 0, 0, 1 }).z;
      const Vec3d low = second(q).farthest({ 0, 0, -1 });
      q.center[1] = Vec3d{ 0.9 - 1.8 * t, 0.01 * t, ridge - 0.02 } - low;
      return q;
    });
  for (const auto& p : paths)
  {
    const auto call = [&](const std::vector<ContactQuery>& queries) { return find(queries); };
    const double coarse = largestJump(p.second, 3000, call),
                 fine = largestJump(p.second, 12000, call);
    EXPECT_LT(fine, 0.4 * coarse + (mixed() ? 2e-3 : 1e-6))
      << p.first << ": " << coarse << " -> " << fine;
    EXPECT_LT(fine, 0.15) << p.first;
  }
}

// ----
// rest

// One body under gravity on a floor, by the contact law of the solver and an explicit step.
TEST_P(NarrowPhase, ABoxAtRestStaysWhereItIs)
{
  if (GetParam().device == dem::DeviceKind::CUDA)
  {
    GTEST_SKIP() << "a launch a step; the geometry's bits are those of the other tests";
  }
  for (const bool triangles : { false, true })
  {
    // a brick of 10 x 16 x 27 mm, dropped from 0.1 mm and leaning by a milliradian
    const dem::ShapeNumbers<double>& n = table().shapes[kBrick];
    const double radius = 0.5 * std::sqrt(0.01 * 0.01 + 0.016 * 0.016 + 0.027 * 0.027);
    const double mass = 2500 * n.volume * std::pow(radius, 3);
    const Vec3d moments = (2500 * std::pow(radius, 5)) * n.moments;
    ContactQuery q;
    q.shape[0] = kBrick;
    q.radius[0] = radius;
    q.orientation[0] = dem::rotationVectorToQuaternion({ 1e-3, 5e-4, 0.3 });
    q.center[0] = { 0.001, 0.0005, 0.0136 + 1e-4 };
    std::vector<ContactQuery> floor;
    if (triangles)
    {
      // seams across the brick, one nearly along its side
      const Vec3d corner[4] = { { -0.05, -0.05, 0 }, { 0.06, -0.05, 0 }, { 0.05, 0.07, 0 },
        { -0.06, 0.05, 0 } };
      for (int k = 0; k < 4; ++k)
      {
        q.partner = ContactPartner::Triangle;
        q.corner[0] = { 0.0012, 0.0007, 0 };
        q.corner[1] = corner[k];
        q.corner[2] = corner[(k + 1) % 4];
        for (Vec3d& m : q.neighbor)
          m = { 0, 0, 1 };
        floor.push_back(q);
      }
    }
    else
    {
      q.partner = ContactPartner::Plane;
      q.corner[0] = {};
      q.corner[1] = { 0, 0, 1 };
      floor.push_back(q);
    }
    dem::LawParameters<double> law{};
    law.law = dem::NormalLaw::HertzMindlin;
    law.history = true;
    constexpr double youngs = 5e6, shear = 1e6, damping_ratio = 0.4; // E*, G*
    const dem::PairCoefficients<double> pair{ 2 * youngs, 8 * shear,
      2 * std::sqrt(5. / 6) * damping_ratio, 0.5, 0, 0, std::sqrt(8 * shear / (2 * youngs)) };
    std::vector<dem::ContactHistory<double>> history(floor.size());
    std::vector<char> touching(floor.size(), 0);
    Vec3d v{}, w{};
    constexpr double dt = 2e-5;
    const int settle = 50000, stay = 250000;
    const dem::ShapeTable<float> single(shapes());
    const auto step = [&] {
      Vec3d force{ 0, 0, -9.81 * mass }, torque{};
      for (std::size_t c = 0; c < floor.size(); ++c)
      {
        ContactQuery& f = floor[c];
        f.center[0] = q.center[0];
        f.orientation[0] = q.orientation[0];
        ContactAnswer a;
        const auto answer = [&](const auto& shapes_view, auto real) {
          using Real = decltype(real);
          const auto near = [&](const Vec3d& p) { return (p - f.center[0]).as<Real>(); };
          const dem::ShapePose<Real> pose =
            dem::shapePose(dem::Vec3<Real>{}, f.orientation[0], static_cast<Real>(radius));
          dem::ContactGeometry<Real> g;
          if (f.partner == ContactPartner::Plane)
            g = dem::planeContact(
              shapes_view, kBrick, pose, near(f.corner[0]), f.corner[1].as<Real>());
          else
          {
            dem::ContactTriangle<Real> t{ near(f.corner[0]), near(f.corner[1]), near(f.corner[2]) };
            for (int k = 0; k < 3; ++k)
              t.neighbor[k] = f.neighbor[k].as<Real>();
            g = dem::triangleContact(shapes_view, kBrick, pose, t);
          }
          a = { g.overlap, g.normal.template as<double>(),
            f.center[0] + g.point.template as<double>(), g.radius, g.rolling_radius, g.share,
            g.feature };
        };
        if (mixed())
          answer(single.view(), 0.0f);
        else
          answer(table().view(), 0.0);
        if (!(a.overlap > 0))
        {
          touching[c] = 0;
          continue;
        }
        const Vec3d arm = a.point - q.center[0];
        dem::ContactMotion<double> m{};
        m.normal = a.normal;
        m.overlap = a.overlap;
        m.velocity = v + cross(w, arm);
        m.radius = a.radius;
        m.mass = a.share * mass;
        const dem::ContactForce<double> l =
          dem::contactForce<true>(law, pair, m, dt, !touching[c], history[c]);
        touching[c] = 1;
        const Vec3d on = l.tangential - l.normal * a.normal;
        force += on;
        torque += cross(arm, on);
        // what a patch has beside its point: damped rocking, and friction against twisting
        const double stiffness = 2 * youngs * std::sqrt(a.radius * a.overlap);
        const double damping =
          2 * std::sqrt(5. / 6) * damping_ratio * std::sqrt(stiffness * m.mass);
        torque -=
          dem::rockingDamping(damping, a.radius, a.overlap) * (w - dot(w, a.normal) * a.normal);
        const double twist = dot(w, a.normal),
                     most = 2. / 3 * pair.friction * l.normal * std::sqrt(a.radius * a.overlap);
        const double stopping = 0.25 * moments.x * std::fabs(twist) / dt;
        torque -= (twist < 0 ? -1 : 1) * std::max(0.0, std::min(most, stopping)) * a.normal;
      }
      v += (dt / mass) * force;
      const Vec3d local = rotate(conjugate(q.orientation[0]), torque),
                  spin = rotate(conjugate(q.orientation[0]), w);
      const Vec3d momentum{ moments.x * spin.x, moments.y * spin.y, moments.z * spin.z };
      const Vec3d rate = local - cross(spin, momentum);
      w = rotate(q.orientation[0],
        spin + dt * Vec3d{ rate.x / moments.x, rate.y / moments.y, rate.z / moments.z });
      q.center[0] += dt * v;
      q.orientation[0] = normalized(dem::rotationVectorToQuaternion(dt * w) * q.orientation[0]);
    };
    for (int i = 0; i < settle; ++i)
      step();
    const Vec3d center = q.center[0];
    const dem::Quaternion<double> orientation = q.orientation[0];
    double moved = 0, turned = 0;
    for (int i = 0; i < stay; ++i)
    {
      step();
      if (i % 500 == 0)
      {
        moved = std::max(moved, length(q.center[0] - center));
        const dem::Quaternion<double> d = q.orientation[0] * conjugate(orientation);
        turned = std::max(turned, 2 * length(Vec3d{ d.x, d.y, d.z }));
      }
    }
    EXPECT_LT(std::fabs(rotate(orientation, Vec3d{ 0, 0, 1 }).z - 1), 1e-9)
      << "it lies on its face";
    EXPECT_LT(moved, 1e-6 * radius) << (triangles ? "on triangles" : "on a plane");
    EXPECT_LT(turned, 1e-6) << (triangles ? "on triangles" : "on a plane");
  }
}

PARAGRAIN_ON_ALL_BACKENDS(NarrowPhase);

} // namespace
