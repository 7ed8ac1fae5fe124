// Rays through grains of all shapes and walls, on every device: against closed forms, against
// geometry that is computed here in other ways, and all searches against each other.
#include "Shapes/ShapeTable.cuh"
#include "Spray/RayCaster.h"
#include "Spray/SprayLedger.h"

#include "Random.h"
#include "TestSupport.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

using namespace test;
using dem::Nozzle;
using dem::RayHit;
using dem::RaySearch;

namespace
{

constexpr double kDegree = M_PI / 180, kNever = 1e300;

// Grains for rays.
struct Bed
{
  std::vector<double> position, radius, orientation;
  std::vector<std::int64_t> id;
  std::vector<std::int32_t> shape;
  std::vector<dem::Shape> shapes{ dem::makeSphere() };
  std::vector<dem::Wall> walls;
  dem::RayBox box;

  void add(const Vec3d& x, double r, int kind = 0, const dem::Quaternion<double>& q = {})
  {
    position.insert(position.end(), { x.x, x.y, x.z });
    radius.push_back(r);
    orientation.insert(orientation.end(), { q.w, q.x, q.y, q.z });
    id.push_back(static_cast<std::int64_t>(id.size()));
    shape.push_back(kind);
  }
  dem::RayGrains grains() const
  {
    dem::RayGrains g;
    g.size = radius.size();
    g.position = position.data();
    g.radius = radius.data();
    g.id = id.data();
    g.orientation = orientation.data();
    g.shape = shape.data();
    return g;
  }
  Vec3d center(std::size_t i) const
  {
    return { position[3 * i], position[3 * i + 1], position[3 * i + 2] };
  }
};

dem::Quaternion<double> randomTurn(Uniform& uniform)
{
  return dem::normalized(
    dem::Quaternion<double>{ uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1) });
}

Nozzle nozzleAt(const Vec3d& x, const Vec3d& axis, double full_angle, int rays)
{
  Nozzle n;
  n.position = x;
  n.axis = axis;
  n.full_angle = full_angle;
  n.rays = rays;
  return n;
}

class RayCaster : public BackendTest
{
protected:
  std::vector<RayHit> cast(const Bed& bed, const Nozzle& nozzle, RaySearch search = RaySearch::BVH,
    int patches = 0, std::uint32_t sample = 0) const
  {
    dem::RayCaster caster(dem::chooseDevice(GetParam().device, 0));
    caster.setShapes(bed.shapes, patches);
    caster.setWalls(dem::wallsInSpace(dem::makeWallSet(bed.walls, {}), 0));
    caster.setGrains(bed.grains(), bed.box, search);
    std::vector<RayHit> hits;
    caster.cast(nozzle, 0, sample, hits);
    return hits;
  }

  // All searches, and the CPU, find the same bits.
  void expectSameHits(const Bed& bed, const Nozzle& nozzle, std::size_t least) const
  {
    const std::vector<RayHit> all = cast(bed, nozzle, RaySearch::EveryGrain, 2);
    std::size_t on_grains = 0;
    for (const RayHit& h : all)
      on_grains += h.surface < bed.radius.size();
    EXPECT_GE(on_grains, least);
    const auto same = [&](const std::vector<RayHit>& hits, const char* what) {
      ASSERT_EQ(hits.size(), all.size());
      for (std::size_t r = 0; r < all.size(); ++r)
        ASSERT_TRUE(hits[r].surface == all[r].surface && hits[r].distance == all[r].distance &&
          hits[r].patch == all[r].patch)
          << what << ": ray " << r << " meets " << hits[r].surface << " at " << hits[r].distance
          << ", not " << all[r].surface << " at " << all[r].distance;
    };
    same(cast(bed, nozzle, RaySearch::UniformGrid, 2), "grid");
    same(cast(bed, nozzle, RaySearch::BVH, 2), "tree");
    same(cast(bed, nozzle, RaySearch::Automatic, 2), "automatic");
    dem::RayCaster cpu(dem::chooseDevice(dem::DeviceKind::CPU, 1));
    cpu.setShapes(bed.shapes, 2);
    cpu.setWalls(dem::wallsInSpace(dem::makeWallSet(bed.walls, {}), 0));
    cpu.setGrains(bed.grains(), bed.box, RaySearch::BVH);
    std::vector<RayHit> hits;
    cpu.cast(nozzle, 0, 0, hits);
    same(hits, "one thread of the CPU");
  }
};

// A box of n grains with radii from `small` to `large`.
Bed cloud(
  int n, double small, double large, std::uint32_t seed, std::vector<dem::Shape> shapes = {})
{
  Bed bed;
  Uniform uniform(seed);
  for (const dem::Shape& s : shapes)
    bed.shapes.push_back(s);
  for (int k = 0; k < n; ++k)
  {
    const Vec3d x{ uniform(-0.1, 0.1), uniform(-0.1, 0.1), uniform(-0.1, 0.1) };
    const int kind = shapes.empty() ? 0 : 1 + k % static_cast<int>(shapes.size());
    const double r = k % 10 == 0 ? large : small;
    bed.add(x, r, kind, randomTurn(uniform));
  }
  return bed;
}

dem::Shape dumbbell()
{
  return dem::makeMultiSphere("pair", { { -0.6, 0, 0 }, { 0.5, 0.1, 0 } }, { 1, 0.7 });
}

dem::Shape wedge()
{
  return dem::makePolyhedron("wedge",
    { { -1, -1, -0.7 }, { 1, -1, -0.7 }, { 1, 1.2, -0.7 }, { -1, 1, -0.7 }, { 0, 0.2, 1.1 } },
    std::vector<std::vector<std::int32_t>>{
      { 0, 3, 2, 1 }, { 0, 1, 4 }, { 1, 2, 4 }, { 2, 3, 4 }, { 3, 0, 4 } });
}

} // namespace

PARAGRAIN_IN_MIXED_PRECISION(RayCaster);

// The share of the rays that meet one sphere is that of its solid angle in the cone:
// (1 - sqrt(1 - (r / D)^2)) / (1 - cos(angle / 2)), within 3 standard deviations, for more and more
// rays.
TEST_P(RayCaster, ShareOfASphereIsItsSolidAngle)
{
  Bed bed;
  bed.add({ 0.3, 0.02, -0.4 }, 0.1);
  for (const double full : { 60., 120., 180. })
  {
    const double distance = dem::length(bed.center(0));
    const double share =
      (1 - std::sqrt(1 - 0.01 / (distance * distance))) / (1 - std::cos(0.5 * full * kDegree));
    for (const int rays : { 1000, 32000, 1000000 })
    {
      const Nozzle nozzle = nozzleAt({}, { 0.3, 0.02, -0.4 }, full * kDegree, rays);
      std::size_t met = 0;
      for (const RayHit& h : cast(bed, nozzle))
        met += h.surface == 0;
      EXPECT_NEAR(static_cast<double>(met) / rays, share, 3 * std::sqrt(share * (1 - share) / rays))
        << full << " degrees, " << rays << " rays";
    }
  }
}

// A sphere behind a larger one gets nothing; one that is hidden by half gets the rays that meet it
// and not the one in front.
TEST_P(RayCaster, HiddenGrainsGetNothing)
{
  Bed bed;
  bed.add({ 0, 0, -0.3 }, 0.05);
  bed.add({ 0, 0, -0.6 }, 0.05);   // in the shadow
  bed.add({ 0.1, 0, -0.6 }, 0.05); // half in the shadow
  const Nozzle nozzle = nozzleAt({}, { 0, 0, -1 }, 60 * kDegree, 200000);
  const std::vector<RayHit> hits = cast(bed, nozzle);
  const auto passes = [&](std::size_t i, const Vec3d& d) {
    const Vec3d c = bed.center(i);
    const double b = dem::dot(c, d);
    return dem::dot(c, c) - b * b < bed.radius[i] * bed.radius[i];
  };
  std::array<int, 3> met{}, seen{};
  for (std::uint32_t r = 0; r < hits.size(); ++r)
  {
    const Vec3d d = dem::rayDirection(nozzle, 0, 0, r);
    if (hits[r].surface != RayHit::kNothing)
      ++met[hits[r].surface];
    if (passes(0, d))
      ++seen[0];
    else if (passes(2, d))
      ++seen[2];
  }
  EXPECT_GT(met[0], 1000);
  EXPECT_EQ(met[1], 0);
  EXPECT_EQ(met[0], seen[0]);
  EXPECT_EQ(met[2], seen[2]);
  EXPECT_GT(met[2], 100);
}

TEST_P(RayCaster, AGrainAroundTheNozzleIsNotMet)
{
  Bed bed;
  bed.add({ 0, 0, 0.01 }, 0.05);
  bed.add({ 0, 0, -0.3 }, 0.05);
  for (const RayHit& h : cast(bed, nozzleAt({}, { 0, 0, -1 }, 2 * kDegree, 100)))
    EXPECT_EQ(h.surface, 1u);
}

TEST_P(RayCaster, TiesGoToTheLowerIdAndToGrainsBeforeWalls)
{
  Bed bed;
  bed.add({ 0, 0, -0.3 }, 0.05);
  bed.add({ 0, 0, -0.3 }, 0.05);
  bed.id = { 7, 3 };
  bed.walls.push_back(sheetWall(-1, 1, -1, 1, -0.25));
  bed.walls.push_back(sheetWall(-1, 1, -1, 1, -0.25));
  for (const RaySearch search : { RaySearch::BVH, RaySearch::UniformGrid, RaySearch::EveryGrain })
  {
    for (const RayHit& h : cast(bed, nozzleAt({}, { 0, 0, -1 }, 1e-7, 20), search))
      EXPECT_TRUE(h.surface == 1 || h.surface == 2 || h.surface == 3) << h.surface; // not grain 0
    Bed apart = bed; // the sheets behind the top of the grains
    apart.walls[0] = apart.walls[1] = sheetWall(-1, 1, -1, 1, -0.26);
    for (const RayHit& h : cast(apart, nozzleAt({}, { 0, 0, -1 }, 1e-7, 20), search))
      EXPECT_EQ(h.surface, 1u);
  }
}

TEST_P(RayCaster, AllSearchesFindTheSameSpheres)
{
  expectSameHits(
    cloud(3000, 0.003, 0.003, 1), nozzleAt({ 0, 0, 0.25 }, { 0, 0, -1 }, 1, 20000), 9000);
  expectSameHits(
    cloud(2000, 0.002, 0.02, 2), nozzleAt({ 0.2, 0.1, 0 }, { -1, 0, 0 }, 1.5, 20000), 9000);
  // from within, and a mostly empty domain
  expectSameHits(cloud(2000, 0.002, 0.02, 3), nozzleAt({}, { 1, 1, 1 }, M_PI, 20000), 9000);
  Bed sparse = cloud(500, 0.002, 0.004, 4);
  for (double& x : sparse.position)
    x *= 40;
  sparse.add({ 100, 0, 0 }, 1);
  expectSameHits(sparse, nozzleAt({ 0, 0, 9 }, { 0, 0, -1 }, 1.2, 200000), 1);
}

TEST_P(RayCaster, AllSearchesFindTheSameGrainsOfOtherShapes)
{
  const Nozzle nozzle = nozzleAt({ 0, 0.02, 0.25 }, { 0, 0, -1 }, 1, 10000);
  const dem::Shape tablet = dem::makeTablet("tablet", 0.008, 0.009, 0.003),
                   flat = dem::makeTablet("flat", 0.008, 0.05, 0.0004);
  expectSameHits(cloud(1500, 0.004, 0.004, 5, { tablet, flat }), nozzle, 5000);
  expectSameHits(cloud(1500, 0.004, 0.01, 6, { wedge() }), nozzle, 5000);
  expectSameHits(cloud(1500, 0.004, 0.004, 7, { dumbbell() }), nozzle, 5000);
  expectSameHits(
    cloud(1500, 0.004, 0.008, 8, { tablet, wedge(), dumbbell(), dem::makeSphere("ball") }), nozzle,
    5000);
}

TEST_P(RayCaster, AllSearchesFindTheSameAcrossPeriodicBorders)
{
  for (const bool all_axes : { false, true })
  {
    Bed bed =
      cloud(700, 0.003, 0.009, 9, { wedge(), dem::makeTablet("tablet", 0.008, 0.009, 0.003) });
    bed.box = { { -0.1, -0.1, -0.1 }, { 0.2, 0, all_axes ? 0.2 : 0 } };
    bed.walls.push_back(sheetWall(-0.05, 0.02, -0.06, 0.03, -0.05));
    expectSameHits(bed, nozzleAt({ 0.03, 0, 0.05 }, { 1, 0.1, -0.2 }, 1.2, 5000), 800);
    expectSameHits(bed, nozzleAt({ 0.73, 0, 0.25 }, { -1, 0.1, -0.2 }, 1.2, 5000), 800);
  }
}

// A ray that leaves through a periodic border meets the image on the other side, at the distance
// from the nozzle. Without anything in its way it counts as missed.
TEST_P(RayCaster, RaysCrossPeriodicBorders)
{
  Bed bed;
  bed.add({ -0.3, 0, 0 }, 0.1);
  bed.box = { { -0.5, -0.5, -0.5 }, { 1, 1, 1 } };
  for (const RaySearch search : { RaySearch::BVH, RaySearch::UniformGrid, RaySearch::EveryGrain })
  {
    const std::vector<RayHit> hits =
      cast(bed, nozzleAt({ 0.2, 0, 0 }, { 1, 0, 0 }, 1e-9, 1), search);
    EXPECT_EQ(hits[0].surface, 0u);
    EXPECT_NEAR(hits[0].distance, 0.4, 1e-12); // to the image at 0.7 - 0.1
    const std::vector<RayHit> lost =
      cast(bed, nozzleAt({ 0.2, 0.3, 0 }, { 1, 0, 0 }, 1e-9, 1), search);
    EXPECT_EQ(lost[0].surface, RayHit::kNothing);
  }
}

// A grain that reaches through a border is met on both sides.
TEST_P(RayCaster, GrainsReachThroughPeriodicBorders)
{
  Bed bed;
  bed.add({ 0.48, 0, 0 }, 0.1);
  bed.box = { { -0.5, 0, 0 }, { 1, 0, 0 } };
  for (const RaySearch search : { RaySearch::BVH, RaySearch::UniformGrid, RaySearch::EveryGrain })
  {
    const auto hits = cast(bed, nozzleAt({ -0.45, 0, 1 }, { 0, 0, -1 }, 1e-9, 1), search);
    EXPECT_EQ(hits[0].surface, 0u);
    EXPECT_NEAR(hits[0].distance, 1 - std::sqrt(0.01 - 0.07 * 0.07), 1e-9);
  }
}

// The support function of the tablet bounds it: the deepest half space through a hit point touches
// it there, points in front are outside.
TEST_P(RayCaster, TabletsAreMetOnTheirSurface)
{
  Uniform uniform(11);
  const std::vector<dem::Shape> shapes{ dem::makeTablet("round", 0.008, 0.0041, 0.002),
    dem::makeTablet("usual", 0.008, 0.009, 0.003), dem::makeTablet("flat", 0.008, 0.1, 0.001),
    dem::makeTablet("lens", 0.008, 0.006, 0), dem::makeTablet("rod", 0.004, 0.003, 0.02, 0.0009) };
  for (const dem::Shape& shape : shapes)
  {
    Bed bed;
    bed.shapes.push_back(shape);
    const dem::ShapeTable<double> table({ shape });
    const double radius = 0.004, reach = radius / table.shapes[0].equivalent_radius;
    const dem::Quaternion<double> q = randomTurn(uniform);
    bed.add({ 0.01, -0.02, 0.03 }, radius, 1, q);
    // how far a point is outside, by the support function, in the frame of the tablet
    const dem::TabletNumbers<double>& t = table.shapes[0].tablet;
    const auto outside = [&](const Vec3d& p) {
      const Vec3d b = (1 / reach) * dem::rotate(dem::conjugate(q), p - bed.center(0));
      const double rho = std::hypot(b.x, b.y), z = std::fabs(b.z);
      const auto gap = [&](double a) {
        const double nr = std::cos(a), nz = std::sin(a),
                     crown = std::sqrt(nz * nz + t.crown * t.crown * nr * nr);
        const double h =
          nz >= t.cap_cosine ? t.cap + t.cap_center * nz : t.rim * nr + t.height * crown;
        return rho * nr + z * nz - h - t.edge;
      };
      double best = -1, at = 0;
      for (int k = 0; k <= 500; ++k)
        if (const double a = 0.5 * M_PI * k / 500; gap(a) > best)
          best = gap(a), at = a;
      double low = std::max(0., at - 0.004), high = std::min(0.5 * M_PI, at + 0.004);
      for (int k = 0; k < 80; ++k)
      {
        const double m1 = low + 0.4 * (high - low), m2 = low + 0.6 * (high - low);
        (gap(m1) < gap(m2) ? low : high) = gap(m1) < gap(m2) ? m1 : m2;
      }
      return std::max(best, gap(0.5 * (low + high)));
    };
    int met = 0, missed = 0;
    for (int k = 0; k < 60; ++k)
    {
      const Vec3d from = bed.center(0) +
        (2.5 * reach) * dem::normalized(Vec3d{ uniform(-1, 1), uniform(-1, 1), uniform(-1, 1) });
      const Nozzle nozzle = nozzleAt(from, bed.center(0) - from, 50 * kDegree, 20);
      const std::vector<RayHit> hits = cast(bed, nozzle);
      for (std::uint32_t r = 0; r < hits.size(); ++r)
      {
        const Vec3d d = dem::rayDirection(nozzle, 0, 0, r);
        if (hits[r].surface == 0)
        {
          ++met;
          EXPECT_NEAR(outside(from + hits[r].distance * d), 0, 1e-9) << shape.name;
          EXPECT_GT(outside(from + (hits[r].distance - 1e-4 * reach) * d), 0) << shape.name;
          continue;
        }
        ++missed;
        for (double s = 1.4 * reach; s < 3.6 * reach; s += 0.05 * reach)
          EXPECT_GT(outside(from + s * d), 0) << shape.name;
      }
    }
    EXPECT_GT(met, 100) << shape.name;
    EXPECT_GT(missed, 10) << shape.name;
  }
}

// A convex polyhedron is met on the nearest of its faces, cut into triangles; a clump on the
// nearest of its spheres.
TEST_P(RayCaster, PolyhedraAndClumpsAreMetOnTheirSurface)
{
  Uniform uniform(12);
  for (const dem::Shape& shape : { wedge(), dumbbell() })
  {
    Bed bed;
    bed.shapes.push_back(shape);
    const dem::Quaternion<double> q = randomTurn(uniform);
    const double radius = 0.3, scale = radius / std::cbrt(0.75 / M_PI * shape.mass.volume);
    bed.add({ 1, 2, 3 }, radius, 1, q);
    const auto inSpace = [&](const Vec3d& v) {
      return bed.center(0) + dem::rotate(q, dem::rotate(shape.mass.axes, scale * v));
    };
    const auto nearest = [&](const Vec3d& x, const Vec3d& d) {
      double first = kNever;
      for (std::size_t k = 0; k < shape.centers.size(); ++k)
      {
        const Vec3d c = inSpace(shape.centers[k]) - x;
        const double b = dem::dot(c, d),
                     chord = std::pow(scale * shape.radii[k], 2) - dem::dot(c, c) + b * b;
        first = chord > 0 ? std::min(first, b - std::sqrt(chord)) : first;
      }
      for (const auto& face : shape.faces)
        for (std::size_t k = 1; k + 1 < face.size(); ++k)
        {
          const Vec3d a = inSpace(shape.vertices[face[0]]), b = inSpace(shape.vertices[face[k]]),
                      c = inSpace(shape.vertices[face[k + 1]]);
          const Vec3d n = dem::cross(b - a, c - a);
          const double s = dem::dot(a - x, n) / dem::dot(d, n);
          const Vec3d p = x + s * d;
          if (s > 0 && dem::dot(dem::cross(b - a, p - a), n) >= 0 &&
            dem::dot(dem::cross(c - b, p - b), n) >= 0 &&
            dem::dot(dem::cross(a - c, p - c), n) >= 0)
            first = std::min(first, s);
        }
      return first;
    };
    int met = 0;
    for (int k = 0; k < 40; ++k)
    {
      const Vec3d from =
        bed.center(0) + dem::normalized(Vec3d{ uniform(-1, 1), uniform(-1, 1), uniform(-1, 1) });
      const Nozzle nozzle = nozzleAt(from, bed.center(0) - from, 70 * kDegree, 50);
      const std::vector<RayHit> hits = cast(bed, nozzle);
      for (std::uint32_t r = 0; r < hits.size(); ++r)
      {
        const double expected = nearest(from, dem::rayDirection(nozzle, 0, 0, r));
        met += hits[r].surface == 0;
        if (expected == kNever)
          EXPECT_EQ(hits[r].surface, RayHit::kNothing);
        else
          EXPECT_NEAR(hits[r].distance, expected, 1e-11);
      }
    }
    EXPECT_GT(met, 200) << shape.name;
  }
}

// Cylinders and cones are open and two-sided, planes are seen from the front, boxes from both
// sides: hit points lie on the surface, and a march along the ray finds no earlier crossing.
TEST_P(RayCaster, AnalyticWallsAreMetOnTheirSurface)
{
  Uniform uniform(13);
  Bed bed;
  bed.walls.push_back(pipeWall({ 0, 0, 0 }, { 0.1, 0.2, 1 }, 0.3));
  bed.walls.push_back(pipeWall({ 1, 0, 0 }, { 1, 0, 1 }, 0.4, 0));
  const auto level = [&](int w, const Vec3d& p, bool& within) { // 0 on the surface
    const dem::Wall& wall = bed.walls[w];
    const Vec3d axis = wall.end - wall.origin;
    const double size = dem::length(axis), z = dem::dot(p - wall.origin, axis) / size;
    const double r1 = wall.kind == dem::WallKind::Cone ? wall.end_radius : wall.radius;
    within = z >= 0 && z <= size;
    return dem::length(p - wall.origin - (z / size) * axis) -
      (wall.radius + (r1 - wall.radius) * z / size);
  };
  int met = 0;
  for (int k = 0; k < 60; ++k)
  {
    const Vec3d from{ uniform(-0.5, 1.5), uniform(-0.5, 0.5), uniform(-0.5, 1.5) };
    const Nozzle nozzle = nozzleAt(from, { uniform(-1, 1), uniform(-1, 1), uniform(-1, 1) }, 3, 30);
    const std::vector<RayHit> hits = cast(bed, nozzle);
    for (std::uint32_t r = 0; r < hits.size(); ++r)
    {
      const Vec3d d = dem::rayDirection(nozzle, 0, 0, r);
      bool within = false;
      const double end = hits[r].surface == RayHit::kNothing ? 4 : hits[r].distance;
      if (hits[r].surface != RayHit::kNothing)
      {
        ++met;
        EXPECT_NEAR(level(static_cast<int>(hits[r].surface), from + end * d, within), 0, 1e-12);
      }
      for (int w = 0; w < 2; ++w)
        for (double s = 0; s + 0.002 < end - 1e-6; s += 0.002)
        {
          bool a_in = false, b_in = false;
          const double a = level(w, from + s * d, a_in), b = level(w, from + (s + 0.002) * d, b_in);
          EXPECT_FALSE(a_in && b_in && a * b < 0 && std::min(std::fabs(a), std::fabs(b)) > 1e-9);
        }
    }
  }
  EXPECT_GT(met, 300);
  Bed plane;
  plane.walls.push_back(planeWall({ 0, 0, -1 }, { 0, 0, 1 }));
  EXPECT_EQ(cast(plane, nozzleAt({}, { 0, 0, -1 }, 1e-6, 1))[0].surface, 0u);
  EXPECT_EQ(cast(plane, nozzleAt({ 0, 0, -2 }, { 0, 0, 1 }, 1e-6, 1))[0].surface, RayHit::kNothing);
}

// Rays meet the triangles of a mesh as a loop over all of them finds, far from the origin too.
TEST_P(RayCaster, TrianglesAreMetAsOneByOne)
{
  Uniform uniform(29);
  Bed bed;
  dem::Wall soup;
  const Vec3d middle{ 30, -20, 10 };
  const auto around = [&](const Vec3d& x, double r) {
    return x + Vec3d{ uniform(-r, r), uniform(-r, r), uniform(-r, r) };
  };
  for (std::int32_t t = 0; t < 3000; ++t)
  {
    const Vec3d x = around(middle, 0.5);
    const double size = std::pow(10., uniform(-3, -0.7));
    for (int corner = 0; corner < 3; ++corner)
      soup.points.push_back(around(x, size));
    soup.triangles.push_back({ 3 * t, 3 * t + 1, 3 * t + 2 });
  }
  bed.walls.push_back(soup);
  const dem::WallSet set = dem::makeWallSet(bed.walls, {});
  const Nozzle nozzle = nozzleAt(around(middle, 0.1), { 1, -2, 0.5 }, 2.5, 4000);
  const std::vector<RayHit> hits = cast(bed, nozzle);
  int met = 0;
  for (std::uint32_t r = 0; r < hits.size(); ++r)
  {
    const Vec3d d = dem::rayDirection(nozzle, 0, 0, r);
    double first = kNever;
    std::uint32_t surface = RayHit::kNothing;
    bool is_clear = true; // no edge is so close that rounding decides
    for (std::uint32_t e = 0; e < set.elements.size(); ++e)
    {
      const dem::WallElement& t = set.elements[e];
      const Vec3d n = dem::cross(t.b - t.a, t.c - t.a);
      const double s = dem::dot(n, t.a - nozzle.position) / dem::dot(n, d);
      const Vec3d at = nozzle.position + s * d;
      double inside = 1; // least of the three barycentric coordinates
      for (const auto& edge : { std::pair(t.a, t.b), std::pair(t.b, t.c), std::pair(t.c, t.a) })
        inside = std::min(inside,
          dem::dot(n, dem::cross(edge.second - edge.first, at - edge.first)) / dem::dot(n, n));
      is_clear = is_clear && !(s > 0 && std::fabs(inside) < 1e-9);
      if (s > 0 && inside > 0 && s < first)
      {
        first = s;
        surface = e;
      }
    }
    if (!is_clear)
      continue;
    ASSERT_EQ(hits[r].surface, surface) << "ray " << r;
    if (surface == RayHit::kNothing)
      continue;
    ++met;
    ASSERT_NEAR(hits[r].distance, first, 1e-10);
  }
  EXPECT_GT(met, 2000);
}

// The footprint on a plate at the distance h: uniform in solid angle, its density falls as
// cos^3 of the angle; the share within the radius R is (1 - cos(atan(R / h))) / (1 - cos(half)).
TEST_P(RayCaster, FootprintOnAPlate)
{
  const double h = 0.2, half = 35 * kDegree;
  Bed bed;
  for (int k = 0; k < 8; ++k) // rings of triangles, not aligned with the axes
  {
    dem::Wall ring;
    const double inner = h * std::tan(half) * k / 8, outer = h * std::tan(half) * (k + 1) / 8;
    const int sectors = 720;
    for (int s = 0; s < sectors; ++s)
      for (const double r : { inner, outer })
        ring.points.push_back(
          { r * std::cos(2 * M_PI * s / sectors), r * std::sin(2 * M_PI * s / sectors), -h });
    for (int s = 0; s < sectors; ++s)
    {
      const int a = 2 * s, b = 2 * ((s + 1) % sectors);
      if (k > 0)
        ring.triangles.push_back({ a, a + 1, b });
      ring.triangles.push_back({ b, a + 1, b + 1 });
    }
    bed.walls.push_back(ring);
  }
  const dem::WallSet set = dem::makeWallSet(bed.walls, {});
  for (const auto profile : { dem::SprayProfile::Uniform, dem::SprayProfile::Gaussian })
  {
    Nozzle nozzle = nozzleAt({}, { 0, 0, -1 }, 2 * half, 400000);
    nozzle.profile = profile;
    std::array<int, 8> found{};
    int lost = 0;
    for (const RayHit& hit : cast(bed, nozzle))
      if (hit.surface == RayHit::kNothing)
        ++lost;
      else
        ++found[set.elements[hit.surface].wall];
    const auto within = [&](double part) {
      return profile == dem::SprayProfile::Uniform
        ? (1 - std::cos(std::atan(part * std::tan(half)))) / (1 - std::cos(half))
        : (1 - std::exp(-2 * part * part)) / (1 - std::exp(-2.));
    };
    for (int k = 0; k < 8; ++k)
    {
      const double p = within((k + 1) / 8.) - within(k / 8.);
      EXPECT_NEAR(found[k], p * nozzle.rays, 4 * std::sqrt(p * nozzle.rays) + 2e-4 * nozzle.rays)
        << k;
    }
    EXPECT_LT(lost, 2e-4 * nozzle.rays); // between the rim of polygons and the circle
  }
}

// A grain far away makes the cells of the grid wide: Automatic then takes the tree.
TEST_P(RayCaster, AutomaticTakesTheTreeWhereCellsAreCrowded)
{
  Bed bed = cloud(3000, 0.003, 0.003, 16);
  dem::RayCaster caster(dem::chooseDevice(GetParam().device, 0));
  caster.setGrains(bed.grains(), bed.box, RaySearch::Automatic);
  EXPECT_EQ(caster.searchInUse(), RaySearch::UniformGrid);
  bed.add({ 100, 100, 100 }, 0.003);
  caster.setGrains(bed.grains(), bed.box, RaySearch::Automatic);
  EXPECT_EQ(caster.searchInUse(), RaySearch::BVH);
  caster.setGrains(bed.grains(), bed.box, RaySearch::UniformGrid);
  EXPECT_EQ(caster.searchInUse(), RaySearch::UniformGrid);
}

// The patches that a ray meets are those of the hit point in the frame of the grain.
TEST_P(RayCaster, PatchesTurnWithTheGrain)
{
  Uniform uniform(14);
  Bed bed;
  bed.shapes.push_back(wedge());
  for (int k = 0; k < 2; ++k)
    bed.add({ 3. * k, 0, 0 }, 0.5, k, randomTurn(uniform));
  for (int k = 0; k < 2; ++k)
  {
    const Nozzle nozzle = nozzleAt({ 3. * k, 0.3, 2 }, { 0, 0, -1 }, 1, 500);
    const std::vector<RayHit> hits = cast(bed, nozzle, RaySearch::BVH, 3);
    const dem::Quaternion<double> q{ bed.orientation[4 * k], bed.orientation[4 * k + 1],
      bed.orientation[4 * k + 2], bed.orientation[4 * k + 3] };
    int met = 0;
    for (std::uint32_t r = 0; r < hits.size(); ++r)
      if (hits[r].surface == static_cast<std::uint32_t>(k))
      {
        ++met;
        const Vec3d p =
          nozzle.position + hits[r].distance * dem::rayDirection(nozzle, 0, 0, r) - bed.center(k);
        EXPECT_EQ(hits[r].patch, dem::coatingPatch(3, dem::rotate(dem::conjugate(q), p)));
      }
    EXPECT_GT(met, 30);
  }
}

TEST_P(RayCaster, GrainsThatCannotBeAreRefused)
{
  const auto refusal = [&](auto&& spoil) {
    Bed bed = cloud(5, 0.01, 0.01, 15, { wedge() });
    spoil(bed);
    return errorOf([&] { cast(bed, nozzleAt({}, { 0, 0, -1 }, 1, 1)); });
  };
  EXPECT_NE(refusal([](Bed& b) { b.radius[3] = -1; }).find("Grain 3"), std::string::npos);
  EXPECT_NE(refusal([](Bed& b) { b.position[4] = NAN; }).find("Grain 1"), std::string::npos);
  EXPECT_NE(refusal([](Bed& b) { b.shape[2] = 9; }).find("Grain 2"), std::string::npos);
  EXPECT_NE(refusal([](Bed& b) { std::fill_n(b.orientation.begin(), 4, 0.); }).find("Grain 0"),
    std::string::npos);
  EXPECT_NO_THROW(cast(cloud(5, 0.01, 0.01, 15, { wedge() }), nozzleAt({}, { 0, 0, -1 }, 1, 1)));
}

// Four hits of grain 5, two of grain 9, one of grain 3, one of a wall and two of nothing.
TEST(RayCasterLedger, CountsRaysAndThePresentGrains)
{
  const std::int64_t ids[] = { 3, 5, 9 };
  std::vector<RayHit> hits;
  for (const std::uint32_t surface : { 1u, 1u, 2u, 0u, 1u, 4u, RayHit::kNothing, 2u, 1u })
    hits.push_back({ 1, surface, 0 });
  hits.push_back({ 1e300, RayHit::kNothing, 0 });
  dem::SprayLedger ledger(2);
  ledger.add(hits, ids, 3, 0.5, 0.1);
  EXPECT_EQ(ledger.totals().emitted, 10u);
  EXPECT_EQ(ledger.totals().on_grains, 7u);
  EXPECT_EQ(ledger.totals().on_walls, 1u);
  EXPECT_EQ(ledger.totals().missed, 2u);
  EXPECT_EQ(ledger.wallMass(1), 0.5);
  EXPECT_EQ(ledger.totals().mass, 5.);
  EXPECT_EQ(ledger.massOnGrains(), 3.5);
  EXPECT_EQ(ledger.massOnWalls(), 0.5);
  const std::int64_t present[] = { 9, 11, 3 }; // 5 left, 11 came and was not hit
  EXPECT_NEAR(ledger.variation(present, 3), std::sqrt(2. / 3), 1e-14);
  EXPECT_NEAR(ledger.variation(3, [](std::int64_t id) { return id == 5; }),
    ledger.variation(present, 3), 1e-14);
  EXPECT_EQ(ledger.variation(present + 1, 1), 0);
  EXPECT_EQ(ledger.variation(nullptr, 0), 0);
}

TEST(RayCasterLedger, PatchesThatExceedTheMemoryAreRefused)
{
  EXPECT_EQ(errorOf([] { dem::requirePatchMemory(200000, 32); }),
    "CoatingPatches = 32 for 200000 grains would take 9.2 GiB of memory; the limit is 8.0 GiB. Set "
    "CoatingPatches to 29 or less.");
  EXPECT_NO_THROW(dem::requirePatchMemory(200000, 29));
  EXPECT_NO_THROW(dem::requirePatchMemory(std::size_t(1) << 40, 0));
  EXPECT_NO_THROW(dem::requirePatchMemory(0, 32));
}

// The samples of a nozzle add up to the time of its spray.
TEST(RayCasterSamples, StandForTheTimeOfTheSpray)
{
  Nozzle nozzle;
  for (const double interval : { 0.3, 0.1, 0.25, 0.37, 1., 5. })
  {
    nozzle.start = 0.2;
    nozzle.stop = 1.2;
    double sum = 0;
    int samples = 0;
    for (double time = nozzle.start; dem::sampleDuration(nozzle, time, interval) > 0;
         time = nozzle.start + ++samples * interval)
      sum += dem::sampleDuration(nozzle, time, interval);
    EXPECT_EQ(samples, static_cast<int>(std::ceil(1 / interval - 1e-9))) << interval;
    EXPECT_NEAR(sum, 1, 1e-12) << interval;
  }
  nozzle.stop = 1e300;
  EXPECT_EQ(dem::sampleDuration(nozzle, 0.7, 0.3), 0.3);
}

TEST(RayCasterSamples, DirectionsHaveAFiniteLength)
{
  const auto validate = [](const Vec3d& axis, const Vec3d& up) {
    Nozzle nozzle;
    nozzle.axis = axis;
    nozzle.up = up;
    dem::validateNozzle(nozzle, 0, {});
  };
  EXPECT_NO_THROW(validate({ 0, 0, -1e150 }, { 1e-150, 0, 0 }));
  EXPECT_HOLDS(errorOf([&] {
    validate({ 0, 0, -1e200 }, { 1, 0, 0 });
  }),
    "Axis is (0, 0, -1e+200), too long");
  EXPECT_HOLDS(errorOf([&] {
    validate({ 0, 0, -1 }, { 1e200, 0, 0 });
  }),
    "Up is (1e+200, 0, 0), too long");
}
