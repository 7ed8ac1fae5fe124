// Shapes: what builders accept, volumes, centres and inertia against closed forms and tetrahedron
// sums of the test.
#include "ErrorText.h"
#include "ShapeReference.h"

#include "Shapes/Shape.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

using namespace test;

namespace
{

using dem::Shape;
using dem::Vec3d;

double sphereVolume(double r) { return 4. / 3 * M_PI * r * r * r; }

// Full inertia tensor about the centre, in the frame that the shape was given in.
Eigen::Matrix3d inertiaOf(const Shape& s)
{
  Eigen::Matrix3d r;
  for (int k = 0; k < 3; ++k)
  {
    const Vec3d e =
      rotate(s.mass.axes, Vec3d{ k == 0 ? 1. : 0., k == 1 ? 1. : 0., k == 2 ? 1. : 0. });
    r.col(k) << e.x, e.y, e.z;
  }
  return r * Eigen::Vector3d(s.mass.moments.x, s.mass.moments.y, s.mass.moments.z).asDiagonal() *
    r.transpose();
}

TEST(Shapes, ASphereIsTheUnitOfAllShapes)
{
  const Shape s = dem::makeSphere("Bead");
  EXPECT_NEAR(s.mass.volume, sphereVolume(1), 1e-14);
  EXPECT_NEAR(s.mass.moments.x, 0.4 * sphereVolume(1), 1e-14);
  EXPECT_EQ(s.mass.bounding_radius, 1);
}

TEST(Shapes, TabletsApproachTheClosedFormsOfSharpTablets)
{
  // two caps and a cylinder; the rounded edge and the belt's crown take away volumes that vanish
  // with their sizes
  const double d = 0.01, rc = 0.008, belt = 0.003;
  const double h = rc - std::sqrt(rc * rc - d * d / 4);
  const double cap = M_PI * h * h * (3 * rc - h) / 3, body = M_PI * d * d / 4 * belt;
  const double sharp = 2 * cap + body;
  const Shape round = dem::makeTablet("Round", d, rc, belt, 0.05 * d),
              sharper = dem::makeTablet("Sharper", d, rc, belt, 0.001 * d);
  EXPECT_LT(round.mass.volume, sharper.mass.volume);
  EXPECT_LT(sharper.mass.volume, sharp);
  EXPECT_NEAR(sharper.mass.volume, sharp, 2e-3 * sharp);
  // polar moment: of the cylinder m r^2 / 2, of a cap by its disks
  double polar = 0.5 * body * d * d / 4, axial = body * belt * belt / 12;
  constexpr int kDisks = 200000;
  for (int i = 0; i < kDisks; ++i)
  {
    const double z = (i + 0.5) * h / kDisks, r2 = rc * rc - (rc - h + z) * (rc - h + z),
                 slice = M_PI * r2 * h / kDisks;
    polar += 2 * 0.5 * slice * r2;
    axial += 2 * slice * (belt / 2 + z) * (belt / 2 + z);
  }
  EXPECT_NEAR(sharper.mass.moments.z, polar, 4e-3 * polar);
  EXPECT_NEAR(sharper.mass.moments.x, polar / 2 + axial, 4e-3 * polar);
}

TEST(Shapes, ATabletOfTwoHalfSpheresIsASphere)
{
  const Shape s = dem::makeTablet("Ball", 0.01, 0.005, 0);
  EXPECT_NEAR(s.mass.volume, sphereVolume(0.005), 1e-12 * s.mass.volume);
  EXPECT_NEAR(s.mass.moments.x, 0.4 * sphereVolume(0.005) * 25e-6, 1e-11 * s.mass.moments.x);
  EXPECT_NEAR(s.mass.moments.z, s.mass.moments.x, 1e-12 * s.mass.moments.x);
  EXPECT_NEAR(s.mass.bounding_radius, 0.005, 1e-14);
}

TEST(Shapes, TabletVolumeAndInertiaMatchTheirSurface)
{
  // disks of the surface that the support function gives, for flat and steep caps, with and without
  // a belt
  for (const auto& p : { std::array<double, 3>{ 1, 0.8, 0.3 }, { 1, 0.5, 0.8 }, { 1, 2.5, 0 },
         { 1, 0.75, 0 }, { 1, 8, 0.2 } })
  {
    const Shape s = dem::makeTablet("T", p[0], p[1], p[2]);
    const dem::ShapeTable<double> table({ s });
    const reference::Support support = reference::tabletSupport(table.shapes[0].tablet);
    const double unit = s.mass.bounding_radius;
    double v = 0, polar = 0, axial = 0, far = 0, widest = 0;
    constexpr int kAngles = 400000;
    Vec3d before = unit * support({ 1, 0, 0 });
    for (int i = 1; i <= kAngles; ++i)
    {
      // finer near the equator, where a belt lies between directions
      const double x = static_cast<double>(i) / kAngles, angle = M_PI / 2 * x * x * x;
      const Vec3d q = unit * support({ std::cos(angle), 0, std::sin(angle) });
      ASSERT_GE(q.z, before.z - 1e-15);
      ASSERT_LE(q.x, before.x + 1e-15); // convex
      const double r = 0.5 * (q.x + before.x), z = 0.5 * (q.z + before.z),
                   slice = 2 * M_PI * r * r * (q.z - before.z);
      v += slice;
      polar += slice * r * r / 2;
      axial += slice * z * z;
      far = std::max(far, length(q));
      widest = std::max(widest, q.x);
      before = q;
    }
    EXPECT_NEAR(s.mass.volume, v, 1e-6 * v);
    EXPECT_NEAR(s.mass.moments.z, polar, 1e-6 * polar);
    EXPECT_NEAR(s.mass.moments.x, polar / 2 + axial, 1e-6 * polar);
    EXPECT_NEAR(s.mass.bounding_radius, far, 1e-7);
    EXPECT_NEAR(widest, p[0] / 2, 1e-6) << "the diameter is the given one";
    // the cap is a sphere of the cup radius: half thickness - depth of the point at small r
    const Vec3d top = unit * support({ 0, 0, 1 }),
                beside = unit * support({ 0.01, 0, std::sqrt(1 - 1e-4) });
    EXPECT_NEAR(beside.x * beside.x / (2 * (top.z - beside.z)), p[1], 1e-3 * p[1]);
    if (p[2] > 0)
    {
      EXPECT_NEAR(top.z, p[2] / 2 + p[1] - std::sqrt(p[1] * p[1] - p[0] * p[0] / 4), 1e-9)
        << "the thickness is the given one";
    }
  }
}

TEST(Shapes, NamedSolidsHaveTheirClosedForms)
{
  // volume and principal moment (per density) of edge 1: e.g. Weisstein, MathWorld; the
  // dodecahedron's moment by its golden ratio
  const double golden = (1 + std::sqrt(5.0)) / 2;
  const double dodeca = (15 + 7 * std::sqrt(5.0)) / 4;
  const struct
  {
    const char* name;
    double volume, moment;
    std::size_t vertices, faces;
  } solids[] = { { "Cube", 1, 1. / 6, 8, 6 },
    { "Tetrahedron", std::sqrt(2.0) / 12, std::sqrt(2.0) / 12 / 20, 4, 4 },
    { "Octahedron", std::sqrt(2.0) / 3, std::sqrt(2.0) / 3 / 10, 6, 8 },
    { "Dodecahedron", dodeca, dodeca * (39 * golden + 28) / 150, 20, 12 } };
  for (const auto& k : solids)
  {
    const Shape s = dem::makeNamedPolyhedron(k.name, k.name);
    EXPECT_NEAR(s.mass.volume, k.volume, 1e-12 * k.volume) << k.name;
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(s.mass.moments[i], k.moment, 1e-11 * k.moment) << k.name;
    EXPECT_EQ(s.vertices.size(), k.vertices);
    EXPECT_EQ(s.faces.size(), k.faces);
  }
  const Shape brick = dem::makeNamedPolyhedron("Brick", "Brick", { 1, 2, 3 });
  EXPECT_NEAR(brick.mass.volume, 6, 1e-13);
  EXPECT_NEAR(brick.mass.moments.x, 6 * (4 + 9) / 12., 1e-12);
  EXPECT_NEAR(brick.mass.moments.y, 6 * (1 + 9) / 12., 1e-12);
  EXPECT_NEAR(brick.mass.moments.z, 6 * (1 + 4) / 12., 1e-12);
  EXPECT_NEAR(brick.mass.bounding_radius, std::sqrt(14.0) / 2, 1e-13);
}

// A random convex hull: points on an ellipsoid.
void randomHull(std::mt19937& random, int points, std::vector<Vec3d>& vertices,
  std::vector<std::array<std::int32_t, 3>>& triangles)
{
  vertices.clear();
  for (int i = 0; i < points; ++i)
  {
    const Vec3d n = reference::direction(random);
    vertices.push_back(Vec3d{ 3 + n.x, 2 * n.y - 1, 0.7 * n.z + 5 });
  }
  triangles = reference::hullTriangles(vertices);
}

TEST(Shapes, PolyhedronMomentsMatchTetrahedronSums)
{
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round)
  {
    std::vector<Vec3d> vertices;
    std::vector<std::array<std::int32_t, 3>> triangles;
    randomHull(random, 5 + round, vertices, triangles);
    const Shape s = dem::makePolyhedron("Stone", vertices, triangles);
    // tetrahedra from the mean point, each by its covariance V / 20 (sum of p p^T + (sum p)(sum
    // p)^T)
    double volume = 0;
    Eigen::Vector3d first = Eigen::Vector3d::Zero();
    Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
    const auto eigen = [](const Vec3d& v) { return Eigen::Vector3d(v.x, v.y, v.z); };
    for (const auto& t : triangles)
    {
      const Eigen::Vector3d a = eigen(vertices[t[0]]), b = eigen(vertices[t[1]]),
                            c = eigen(vertices[t[2]]), o(3, -1, 5);
      const double v = (a - o).dot((b - o).cross(c - o)) / 6;
      const Eigen::Vector3d sum = a + b + c + o;
      volume += v;
      first += v / 4 * sum;
      second += v / 20 *
        (a * a.transpose() + b * b.transpose() + c * c.transpose() + o * o.transpose() +
          sum * sum.transpose());
    }
    const Eigen::Vector3d center = first / volume;
    second -= volume * center * center.transpose();
    const Eigen::Matrix3d inertia = second.trace() * Eigen::Matrix3d::Identity() - second;
    EXPECT_NEAR(s.mass.volume, volume, 1e-12 * volume);
    EXPECT_NEAR(length(s.mass.center - Vec3d{ center.x(), center.y(), center.z() }), 0, 1e-12);
    EXPECT_LT((inertiaOf(s) - inertia).norm(), 1e-11 * inertia.norm());
    const Eigen::Vector3d moments =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia).eigenvalues();
    std::array<double, 3> mine{ s.mass.moments.x, s.mass.moments.y, s.mass.moments.z };
    std::sort(mine.begin(), mine.end());
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(mine[k], moments[k], 1e-11 * moments[2]);
    // and the finished shape stands in its principal frame
    const dem::MassProperties again = dem::massProperties(s);
    EXPECT_LT(length(again.center), 1e-12);
    EXPECT_LT(length(again.moments - s.mass.moments), 1e-10 * length(s.mass.moments));
    EXPECT_NEAR(again.axes.w, 1, 1e-12);
    // the given points are found again
    for (const Vec3d& v : s.vertices)
    {
      double nearest = 1;
      for (const Vec3d& p : vertices)
        nearest = std::min(nearest, length(s.mass.center + rotate(s.mass.axes, v) - p));
      EXPECT_LT(nearest, 1e-12);
    }
  }
}

TEST(Shapes, TrianglesOfOnePlaneBecomeOneFace)
{
  // a cube of 2 x 2 squares a side, each of two triangles, as STL files have them
  std::vector<Vec3d> points;
  std::vector<std::array<std::int32_t, 3>> triangles;
  const auto at = [&](const Vec3d& p) {
    for (std::size_t i = 0; i < points.size(); ++i)
      if (length(points[i] - p) < 1e-9)
        return static_cast<std::int32_t>(i);
    points.push_back(p);
    return static_cast<std::int32_t>(points.size() - 1);
  };
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
        {
          std::int32_t c[4];
          for (int k = 0; k < 4; ++k)
          {
            Vec3d p{};
            p[axis] = side;
            p[(axis + 1) % 3] = 0.5 * (i + (k == 1 || k == 2));
            p[(axis + 2) % 3] = 0.5 * (j + (k >= 2));
            c[k] = at(p);
          }
          if (side)
          {
            triangles.push_back({ c[0], c[1], c[2] });
            triangles.push_back({ c[0], c[2], c[3] });
          }
          else
          {
            triangles.push_back({ c[0], c[2], c[1] });
            triangles.push_back({ c[0], c[3], c[2] });
          }
        }
  const Shape s = dem::makePolyhedron("Cube", points, triangles);
  EXPECT_EQ(s.faces.size(), 6u);
  EXPECT_EQ(s.vertices.size(), 8u);
  EXPECT_NEAR(s.mass.volume, 1, 1e-14);
}

TEST(Shapes, ClumpsCountOverlapsOnce)
{
  // two spheres: the sum less the lens, pi (r + R - d)^2 (d^2 + 2 d r - 3 r^2 + 2 d R + 6 r R - 3
  // R^2) / (12 d)
  const double r = 0.8, q = 1.1, d = 1.3;
  const double lens = M_PI * std::pow(r + q - d, 2) *
    (d * d + 2 * d * r - 3 * r * r + 2 * d * q + 6 * r * q - 3 * q * q) / (12 * d);
  const Shape two = dem::makeMultiSphere("Two", { { 0, 0, 0 }, { d, 0, 0 } }, { r, q });
  EXPECT_NEAR(two.mass.volume, sphereVolume(r) + sphereVolume(q) - lens, 1e-12);
  EXPECT_EQ(two.mass.error, 0);
  // apart: a dumbbell
  const Shape far = dem::makeMultiSphere("Dumbbell", { { 0, 0, -2 }, { 0, 0, 2 } }, { 1, 1 });
  EXPECT_NEAR(far.mass.moments.z, 2 * 0.4 * sphereVolume(1), 1e-11);
  EXPECT_NEAR(far.mass.moments.x, 2 * (0.4 + 4) * sphereVolume(1), 1e-11);
  EXPECT_NEAR(far.mass.bounding_radius, 3, 1e-12);
}

// The union's moments by a grid of points, with an error of the order of the cell's surface.
void sampledUnion(const std::vector<Vec3d>& c, const std::vector<double>& r, int n, double& volume,
  Vec3d& center, Eigen::Matrix3d& inertia)
{
  Vec3d low{ 1e9, 1e9, 1e9 }, high{ -1e9, -1e9, -1e9 };
  for (std::size_t i = 0; i < c.size(); ++i)
    for (int k = 0; k < 3; ++k)
    {
      low[k] = std::min(low[k], c[i][k] - r[i]);
      high[k] = std::max(high[k], c[i][k] + r[i]);
    }
  const Vec3d h = (1.0 / n) * (high - low);
  std::int64_t count = 0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
      {
        const Vec3d p{ low.x + (i + 0.5) * h.x, low.y + (j + 0.5) * h.y, low.z + (k + 0.5) * h.z };
        for (std::size_t s = 0; s < c.size(); ++s)
          if (dot(p - c[s], p - c[s]) < r[s] * r[s])
          {
            const Eigen::Vector3d x(p.x, p.y, p.z);
            ++count;
            first += x;
            second += x * x.transpose();
            break;
          }
      }
  const double cell = h.x * h.y * h.z;
  volume = count * cell;
  const Eigen::Vector3d m = first / count;
  center = { m.x(), m.y(), m.z() };
  second = second * cell - volume * m * m.transpose();
  inertia = second.trace() * Eigen::Matrix3d::Identity() - second;
}

TEST(Shapes, ClumpMomentsMatchSampling)
{
  const std::vector<std::pair<std::vector<Vec3d>, std::vector<double>>> clumps{
    { { { 0, 0, 0 }, { 1.1, 0.2, 0 }, { 2.3, -0.1, 0.4 } }, { 0.9, 0.8, 0.7 } }, // a chain: exact
    { { { 0, 0, 0 }, { 0.6, 0, 0 }, { 0.3, 0.5, 0.1 }, { 0.2, 0.2, 0.6 } },
      { 0.7, 0.6, 0.65, 0.5 } }
  }; // all overlap
  for (const auto& clump : clumps)
  {
    const Shape s = dem::makeMultiSphere("Clump", clump.first, clump.second);
    double volume;
    Vec3d center;
    Eigen::Matrix3d inertia;
    sampledUnion(clump.first, clump.second, 200, volume, center, inertia);
    EXPECT_NEAR(s.mass.volume, volume, 5e-4 * volume);
    EXPECT_LT(length(s.mass.center - center), 1e-3);
    EXPECT_LT((inertiaOf(s) - inertia).norm(), 1e-3 * inertia.norm());
    EXPECT_LT(s.mass.error, 1e-4);
  }
  // three equal spheres about one point: exact by symmetry of the three lenses' common part, here
  // from the error the shape states
  const Shape same =
    dem::makeMultiSphere("Line", { { 0, 0, 0 }, { 0.5, 0, 0 }, { 1, 0, 0 } }, { 1, 1, 1 });
  // a union of spheres on a line: two half spheres and, per gap, the slab of half the distance at
  // both of its ends
  double exact = sphereVolume(1);
  for (int gap = 0; gap < 2; ++gap)
    exact += 2 * M_PI * (0.25 - 0.25 * 0.25 * 0.25 / 3);
  EXPECT_NEAR(same.mass.volume, exact, std::max(same.mass.error, 1e-6) * exact);
}

TEST(Shapes, AClumpOfOneSphereIsTheSphere)
{
  const Shape s = dem::makeMultiSphere("One", { { 3, -2, 1 } }, { 0.4 });
  EXPECT_NEAR(s.mass.volume, sphereVolume(0.4), 1e-14);
  EXPECT_NEAR(s.mass.moments.y, 0.4 * sphereVolume(0.4) * 0.16, 1e-14);
  EXPECT_NEAR(s.mass.bounding_radius, 0.4, 1e-14);
  EXPECT_LT(length(s.centers[0]), 1e-14);
}

void boxSurface(
  const Vec3d& e, std::vector<Vec3d>& points, std::vector<std::array<std::int32_t, 3>>& triangles)
{
  points.clear();
  for (int i = 0; i < 8; ++i)
    points.push_back({ i & 1 ? e.x : 0, i & 2 ? e.y : 0, i & 4 ? e.z : 0 });
  triangles = { { 0, 2, 1 }, { 1, 2, 3 }, { 4, 5, 6 }, { 5, 7, 6 }, { 0, 1, 4 }, { 1, 5, 4 },
    { 2, 6, 3 }, { 3, 6, 7 }, { 0, 4, 2 }, { 2, 4, 6 }, { 1, 3, 5 }, { 3, 7, 5 } };
}

TEST(Shapes, ClumpsFromASurfaceLieInsideAndSayWhatIsMissing)
{
  std::vector<Vec3d> points;
  std::vector<std::array<std::int32_t, 3>> triangles;
  boxSurface({ 2, 1, 1 }, points, triangles);
  double missing = 1;
  for (const int spheres : { 2, 8, 40 })
  {
    dem::ClumpFit fit;
    fit.spheres = spheres;
    dem::ClumpQuality quality;
    const Shape s = dem::makeMultiSphere("Box", points, triangles, fit, &quality);
    EXPECT_LE(s.centers.size(), static_cast<std::size_t>(spheres));
    EXPECT_NEAR(quality.volume, 2, 1e-12);
    EXPECT_EQ(s.lost_volume, quality.missing);
    EXPECT_LT(quality.missing, missing) << "more spheres fill more";
    missing = quality.missing;
    EXPECT_NEAR(1 - s.mass.volume / 2, quality.missing, 1e-12);
    for (std::size_t i = 0; i < s.centers.size(); ++i)
    {
      const Vec3d c = s.mass.center + rotate(s.mass.axes, s.centers[i]);
      const double wall = std::min({ c.x, 2 - c.x, c.y, 1 - c.y, c.z, 1 - c.z });
      EXPECT_NEAR(s.radii[i], wall, 1e-6) << "the largest sphere about its centre";
    }
    EXPECT_LT(length(s.mass.center - Vec3d{ 1, 0.5, 0.5 }), 0.1);
    if (spheres == 2)
    {
      EXPECT_NEAR(missing, 1 - M_PI / 6, 0.01) << "two spheres of radius 1/2";
    }
  }
  EXPECT_LT(missing, 0.2);
}

TEST(Shapes, ClumpsFromASphereFindIt)
{
  std::vector<Vec3d> points;
  std::vector<std::array<std::int32_t, 3>> triangles;
  constexpr int kRings = 24;
  points.push_back({ 0, 0, 1 });
  for (int i = 1; i < kRings; ++i)
    for (int j = 0; j < 2 * kRings; ++j)
    {
      const double a = M_PI * i / kRings, b = M_PI * j / kRings;
      points.push_back({ std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a) });
    }
  points.push_back({ 0, 0, -1 });
  const auto at = [](int i, int j) {
    return static_cast<std::int32_t>(1 + (i - 1) * 2 * kRings + j % (2 * kRings));
  };
  for (int j = 0; j < 2 * kRings; ++j)
  {
    triangles.push_back({ 0, at(1, j), at(1, j + 1) });
    for (int i = 1; i + 1 < kRings; ++i)
    {
      triangles.push_back({ at(i, j), at(i + 1, j), at(i + 1, j + 1) });
      triangles.push_back({ at(i, j), at(i + 1, j + 1), at(i, j + 1) });
    }
    triangles.push_back(
      { at(kRings - 1, j), static_cast<std::int32_t>(points.size() - 1), at(kRings - 1, j + 1) });
  }
  dem::ClumpFit fit;
  fit.spheres = 1;
  dem::ClumpQuality quality;
  const Shape s = dem::makeMultiSphere("Ball", points, triangles, fit, &quality);
  ASSERT_EQ(s.radii.size(), 1u);
  EXPECT_NEAR(s.radii[0], 1, 0.012) << "the facets' sagitta, 1 - cos(pi / 48) and its like";
  EXPECT_LT(quality.missing, 0.03);
}

// ----
// bad input

TEST(Shapes, BadTabletsAreRefused)
{
  const auto tablet = [](double d, double rc, double belt, double edge = 0) {
    return errorOf([&] { dem::makeTablet("Aspirin", d, rc, belt, edge); });
  };
  EXPECT_HOLDS(tablet(0, 1, 1), "Aspirin");
  EXPECT_HOLDS(tablet(-0.5, 1, 1), "-0.5");
  EXPECT_HOLDS(tablet(1, 0.4, 0), "0.4");
  EXPECT_HOLDS(tablet(1, 30, 0), "flat");
  EXPECT_HOLDS(tablet(1, 1, -0.25), "-0.25");
  EXPECT_HOLDS(tablet(1, 1, 10.5), "10.5");
  EXPECT_HOLDS(tablet(1, 1, 0.2, 0.3), "0.3");
  EXPECT_HOLDS(tablet(1, std::nan(""), 0.2), "Cup Radius");
}

TEST(Shapes, BadPolyhedraAreRefused)
{
  std::vector<Vec3d> points;
  std::vector<std::array<std::int32_t, 3>> box, bad;
  boxSurface({ 1, 1, 1 }, points, box);
  const auto stone = [&] { return errorOf([&] { dem::makePolyhedron("Stone", points, bad); }); };
  bad = box;
  bad.pop_back();
  EXPECT_HOLDS(stone(), "open");
  bad = box;
  std::swap(bad[3][0], bad[3][1]);
  EXPECT_HOLDS(stone(), "inverted");
  bad = box;
  for (auto& t : bad)
    std::swap(t[0], t[1]);
  EXPECT_HOLDS(stone(), "all faces are inverted");
  bad = box;
  bad[0][0] = 9;
  EXPECT_HOLDS(stone(), "vertex 9");
  // a corner pushed in
  bad = box;
  points[7] = { 0.3, 0.3, 0.3 };
  EXPECT_HOLDS(stone(), "not convex");
  for (Vec3d& p : points)
    p.z = 0;
  bad = box;
  EXPECT_FALSE(stone().empty());
  // four points in a plane, both sides
  points = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 } };
  bad = { { 0, 1, 2 }, { 0, 2, 3 }, { 0, 3, 1 }, { 1, 3, 2 } };
  EXPECT_HOLDS(stone(), "volume");
  std::mt19937 random(3);
  randomHull(random, 66, points, bad);
  EXPECT_HOLDS(stone(), "66 vertices");
  EXPECT_HOLDS(errorOf([] { dem::makeNamedPolyhedron("X", "Kube"); }), "Kube");
  EXPECT_HOLDS(errorOf([] { dem::makeNamedPolyhedron("X", "Brick", { 1, 0, 1 }); }), "edge 1");
  EXPECT_HOLDS(
    errorOf([] { dem::makePolyhedron("X", {}, std::vector<std::array<std::int32_t, 3>>{}); }),
    "at least 4");
}

TEST(Shapes, BadClumpsAreRefused)
{
  const auto clump = [](const std::vector<Vec3d>& c, const std::vector<double>& r) {
    return errorOf([&] { dem::makeMultiSphere("Popcorn", c, r); });
  };
  EXPECT_HOLDS(clump({}, {}), "0 spheres");
  EXPECT_HOLDS(clump(std::vector<Vec3d>(65), std::vector<double>(65, 1)), "65 spheres");
  EXPECT_HOLDS(clump({ {}, { 1, 0, 0 } }, { 1, -0.5 }), "-0.5");
  EXPECT_HOLDS(clump({ {}, { 0.1, 0, 0 } }, { 1, 0.5 }), "sphere 1 lies within sphere 0");
  EXPECT_HOLDS(clump({ {} }, { 1, 2 }), "2 radii");
  std::vector<Vec3d> points;
  std::vector<std::array<std::int32_t, 3>> triangles;
  boxSurface({ 1, 1, 1 }, points, triangles);
  triangles.pop_back();
  EXPECT_HOLDS(errorOf([&] { dem::makeMultiSphere("Popcorn", points, triangles, {}); }), "open");
}

} // namespace
