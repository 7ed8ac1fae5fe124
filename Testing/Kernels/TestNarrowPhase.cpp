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

// ------------------------------------------------------------------------------------------------------------- polyhedra

reference::Solid solid(const ContactQuery& q, int side)
{
  return reference::solidOf(shapes()[q.shape[side]], q.center[side], q.orientation[side], q.radius[side]);
}

dem::Quaternion<double> turning(const Vec3d& from, const Vec3d& to)
{
  const Vec3d axis = cross(from, to);
  const double s = length(axis), angle = std::atan2(s, dot(from, to));
  if (s < 1e-12)
    return dot(from, to) > 0 ? dem::Quaternion<double>{} : dem::rotationVectorToQuaternion(M_PI * dem::detail::perpendicular(from));
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
    q.orientation[1] = normalized(dem::rotationVectorToQuaternion(reference::uniform(random, 0, 6.3) * out) * (face * q.orientation[1]));
    q.center[1] = pa - length(pb) * (-out) - overlap * out;
    return q;
  }
  const std::size_t fa = random() % sa.faces.size(), fb = random() % sb.faces.size();
  const Vec3d n = rotate(q.orientation[0], first_body.normals[fa]), at = inFace(random, first_body, sa, fa);
  if (mode == 3)
  {
    const Vec3d m = rotate(q.orientation[1], second_body.normals[fb]);
    q.orientation[1] = normalized(turning(m, -n) * q.orientation[1]);
    if (random() % 2)
      q.orientation[1] = normalized(dem::rotationVectorToQuaternion(logUniform(random, 1e-4, 0.1) * reference::direction(random)) * q.orientation[1]);
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

void expectOverlap(const Overlap& expected, const ContactAnswer& got, double size, bool single, const std::string& what)
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
  ASSERT_LT(length(got.point - expected.centroid), (single ? 1e-4 : 1e-7) * size + expected.width * fine) << what;
}

TEST_P(NarrowPhase, PolyhedraMatchSolidsCutByPlanes)
{
  const int pairs[][2] = { { kCube, kCube }, { kCube, kTetrahedron }, { kDodecahedron, kCube }, { kBrick, kStone }, { kStone, kStone },
    { kTetrahedron, kTetrahedron }, { kDodecahedron, kDodecahedron } };
  for (const auto& p : pairs)
  {
    std::mt19937 random(static_cast<unsigned>(50 + 10 * p[0] + p[1]));
    std::vector<ContactQuery> queries(10000);
    for (ContactQuery& q : queries)
      q = placedSolids(random, p[0], p[1], (random() % 10 == 0 ? -1 : 1) * logUniform(random, 1e-4, 0.3));
    const std::vector<ContactAnswer> got = find(queries);
    int touching = 0;
    for (std::size_t i = 0; i < queries.size() && !HasFailure(); ++i)
    {
      const reference::Solid a = solid(queries[i], 0), both = reference::common(a, solid(queries[i], 1));
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
    const ContactQuery q = placedSolids(random, i % 2 ? kCube : kStone, kDodecahedron, reference::uniform(random, 0.05, 0.2));
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

// ----------------------------------------------------------------------------------------------------------------- walls

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
          q.orientation[0] = normalized(dem::rotationVectorToQuaternion(logUniform(random, 1e-4, 0.1) * reference::direction(random)) * q.orientation[0]);
      }
      const double overlap = (random() % 10 == 0 ? -1 : 1) * logUniform(random, 1e-5, 0.3);
      q.corner[0] = first(q).farthest(-n) + overlap * n + 3.0 * dem::normalized(cross(n, Vec3d{ n.y, n.z, -n.x }));
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
        expectRound(q, { dot(n, b.farthest(-n) - q.corner[0]), -n }, got[i], accuracy(), what.c_str());
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
  const Vec3d u = normalized(cross(n, std::fabs(n.x) < 0.6 ? Vec3d{ 1, 0, 0 } : Vec3d{ 0, 1, 0 })), v = cross(n, u);
  // from inside, on an edge or from a corner of it
  const double size = logUniform(random, 0.2, 5), turn = reference::uniform(random, 0, 6.3), ox = reference::uniform(random, -1, 1) * 0.7 * size,
               oy = reference::uniform(random, -1, 1) * 0.7 * size;
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
  b.vertices = { q.corner[0], q.corner[1], q.corner[2] };
  b.support = reference::hullSupport(b.vertices);
  b.normals = { normalized(cross(q.corner[1] - q.corner[0], q.corner[2] - q.corner[0])) };
  b.edges = { { 0, 1 }, { 1, 2 }, { 0, 2 } };
  return b;
}

TEST_P(NarrowPhase, RoundBodiesWithTrianglesMatchTheBestDirection)
{
  static std::map<int, std::vector<RoundCase>> known;
  for (const int shape : { int(kSphere), int(kTablet), int(kLens), int(kFlat), int(kTall), int(kBall) })
  {
    std::vector<RoundCase>& cases = known[shape];
    if (cases.empty())
    {
      std::mt19937 random(static_cast<unsigned>(700 + shape));
      cases.resize(10000);
      for (RoundCase& c : cases)
        c.query = placedTriangle(random, shape, (random() % 8 == 0 ? -1 : 1) * logUniform(random, 1e-5, 0.5 * std::min(rounding(shape), 0.2)));
      tbb::parallel_for(std::size_t(0), cases.size(), [&](std::size_t i) {
        cases[i].expected = reference::signedDistance(first(cases[i].query), triangleBody(cases[i].query), 300);
      });
    }
    std::vector<ContactQuery> queries;
    for (const RoundCase& c : cases)
      queries.push_back(c.query);
    const std::vector<ContactAnswer> got = find(queries);
    for (std::size_t i = 0; i < cases.size() && !HasFailure(); ++i)
    {
      const std::string what = std::to_string(shape) + " on a triangle, pose " + std::to_string(i);
      expectRound(cases[i].query, cases[i].expected, got[i], accuracy(), what.c_str());
      if (!(got[i].overlap > 0))
        continue;
      // the feature: the triangle's point is where the body's is, less the overlap
      const ContactQuery& q = queries[i];
      const Vec3d x = got[i].point - 0.5 * got[i].overlap * got[i].normal;
      const Vec3d e1 = q.corner[1] - q.corner[0], e2 = q.corner[2] - q.corner[0], n = cross(e1, e2);
      const double w1 = dot(cross(x - q.corner[0], e2), n) / dot(n, n), w2 = dot(cross(e1, x - q.corner[0]), n) / dot(n, n);
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
      q = placedTriangle(random, shape, (random() % 8 == 0 ? -1 : 1) * logUniform(random, 1e-4, 0.2));
      const Vec3d n = normalized(cross(q.corner[1] - q.corner[0], q.corner[2] - q.corner[0]));
      for (int k = 0; k < 3; ++k)
      {
        // no neighbour, a coplanar one, or one that falls away on the side that the body is on; rising ones have a test of their own
        const Vec3d away = normalized(cross(q.corner[(k + 1) % 3] - q.corner[k], n));
        const double fall = (random() % 3) * reference::uniform(random, 0, 0.5) * (dot(n, q.center[0] - q.corner[0]) > 0 ? 1 : -1);
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
        ASSERT_LT(got[i].overlap > 0 ? std::sqrt(got[i].radius * got[i].overlap) * got[i].overlap : 0, 1e-4) << what;
        continue;
      }
      ++touching;
      const double force = 2 * volume / std::sqrt(2 * M_PI * section); // sqrt(R d) d
      const double size = q.radius[0], width = std::sqrt(section);
      const double fine = (mixed() ? 1e-5 : 1e-11) * (1 + size / got[i].overlap + size / std::min(width, volume / section));
      ASSERT_GT(got[i].overlap, 0) << what;
      ASSERT_NEAR(std::sqrt(got[i].radius * got[i].overlap) * got[i].overlap, force, force * fine + 1e-10) << what << " " << volume;
      ASSERT_NEAR(got[i].share, std::max(1e-6, share / section), fine) << what;
      ASSERT_LT(length(got[i].point - centroid), size * fine) << what;
      ASSERT_LT(length(got[i].normal + n), 1e-6) << what;
      double deepest = 0;
      for (const auto& f : part.faces)
        for (const Vec3d& p : f)
          deepest = std::max(deepest, dot(n, q.corner[0] - p));
      ASSERT_NEAR(got[i].overlap, share * deepest > volume ? 2 * volume / share : 2 * deepest, 2 * deepest * fine) << what;
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
  const double radius = logUniform(random, inside ? 2.5 : 0.5, 30), widening = conical ? reference::uniform(random, -0.3, 0.3) : 0;
  const double half = std::min(12.0, 0.9 * radius / std::max(std::fabs(widening), 1e-6));
  const double cosine = 1 / std::sqrt(1 + widening * widening);
  const Vec3d out = cosine * (e - widening * k), n = inside ? out : -out; // from the grain to the surface
  const Vec3d touch = first(q).farthest(n) - overlap * n, axis = touch - radius * e;
  q.corner[0] = axis - half * k;
  q.corner[1] = axis + half * k;
  q.cone_radius[0] = radius - half * widening;
  q.cone_radius[1] = radius + half * widening;
  return q;
}

TEST_P(NarrowPhase, RoundBodiesInAndOnConesMatchTheirTangentPlanes)
{
  for (const int shape : { int(kSphere), int(kTablet), int(kLens), int(kFlat), int(kTall), int(kBall) })
  {
    std::mt19937 random(static_cast<unsigned>(600 + shape));
    std::vector<ContactQuery> queries(4000);
    std::vector<bool> inside(queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i)
    {
      inside[i] = random() % 2;
      queries[i] = placedCone(random, shape, inside[i], (random() % 8 == 0 ? -1 : 1) * logUniform(random, 1e-5, 0.1), random() % 2);
    }
    const std::vector<ContactAnswer> got = find(queries);
    for (std::size_t i = 0; i < queries.size() && !HasFailure(); ++i)
    {
      const ContactQuery& q = queries[i];
      const Body b = first(q);
      const Vec3d along = q.corner[1] - q.corner[0], k = normalized(along);
      const double widening = (q.cone_radius[1] - q.cone_radius[0]) / length(along), cosine = 1 / std::sqrt(1 + widening * widening);
      const Vec3d u = normalized(cross(k, std::fabs(k.x) < 0.6 ? Vec3d{ 1, 0, 0 } : Vec3d{ 0, 1, 0 })), v = cross(k, u);
      const auto normalAt = [&](double t) { return cosine * (std::cos(t) * u + std::sin(t) * v - widening * k); };
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
      const std::string what = std::to_string(shape) + (inside[i] ? " in" : " on") + " a cone, pose " + std::to_string(i);
      const double overlap = inside[i] ? best : -best;
      if (overlap < 1e-5)
      {
        ASSERT_LT(got[i].overlap, 2e-5) << what;
        continue;
      }
      ASSERT_NEAR(got[i].overlap, overlap, mixed() ? 1e-5 + 2e-6 * q.cone_radius[0] : 1e-8) << what;
      // nearly round about the axis, many directions are as good
      const double turned = beyond(angle + 0.01) - 2 * best + beyond(angle - 0.01);
      if (-turned > 1e-4 * 0.01)
      {
        ASSERT_LT(length(got[i].normal - n), mixed() ? 1e-4 : 1e-5) << what;
      }
      ASSERT_NEAR(dot(got[i].normal, b.farthest(got[i].normal) - got[i].point), 0.5 * got[i].overlap, mixed() ? 1e-5 : 1e-8) << what;
    }
  }
}

TEST_P(NarrowPhase, PolyhedraInAndOnCylindersMatchManyPlanes)
{
  for (int shape = kCube; shape < kShapes; ++shape)
  {
    std::mt19937 random(static_cast<unsigned>(500 + shape));
    std::vector<ContactQuery> queries(120);
    std::vector<bool> inside(queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i)
    {
      inside[i] = i % 2;
      queries[i] = placedCone(random, shape, inside[i], reference::uniform(random, 0.005, 0.1), false);
    }
    const std::vector<ContactAnswer> got = find(queries);
    for (std::size_t i = 0; i < queries.size() && !HasFailure(); ++i)
    {
      const ContactQuery& q = queries[i];
      const std::string what = std::to_string(shape) + (inside[i] ? " in" : " on") + " a cylinder, pose " + std::to_string(i);
      const Vec3d k = normalized(q.corner[1] - q.corner[0]);
      const Vec3d u = normalized(cross(k, std::fabs(k.x) < 0.6 ? Vec3d{ 1, 0, 0 } : Vec3d{ 0, 1, 0 })), v = cross(k, u);
      const reference::Solid whole = solid(q, 0);
      reference::Solid core = whole;
      constexpr int kPlanes = 3000;
      for (int j = 0; j < kPlanes; ++j)
      {
        const Vec3d m = std::cos(2 * M_PI * j / kPlanes) * u + std::sin(2 * M_PI * j / kPlanes) * v;
        core = core.cut(m, dot(m, q.corner[0]) + q.cone_radius[0]);
      }
      Vec3d all, within{};
      const double total = whole.volume(&all), kept = core.volume(&within);
      const Vec3d area = core.area(1, kPlanes);
      const Overlap expected = inside[i] ? overlapOf(total - kept, (1 / (total - kept)) * (total * all - kept * within), area)
                                         : overlapOf(kept, within, -area);
      if (length(area) < 1.5 * std::cbrt(expected.volume * expected.volume) || expected.overlap > 0.3)
        continue;
      ASSERT_NEAR(got[i].overlap, expected.overlap, 2e-4) << what; // twice the facets' error
      ASSERT_LT(length(got[i].normal - expected.normal), 1e-2) << what;
      ASSERT_LT(length(got[i].point - expected.centroid), 1e-2 * std::max(1.0, expected.width)) << what;
    }
  }
}

PARAGRAIN_ON_ALL_BACKENDS(NarrowPhase);

} // namespace
