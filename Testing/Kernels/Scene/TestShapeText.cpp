// Shapes as text and in .dem files, their surfaces, and packings of them.
#include "TestSupport.h"

#include "Scene/Packing/Packing.h"
#include "Scene/File/SceneFile.h"
#include "Scene/ShapeText.h"

#include <algorithm>

using namespace test;

namespace
{

std::vector<dem::Shape> someShapes()
{
  return { dem::makeSphere("ball"), dem::makeTablet("pill", 0.008, 0.007, 0.002),
    dem::makeTablet("lens", 0.008, 0.007, 0),
    dem::makeNamedPolyhedron("brick", "Brick", { 0.01, 0.007, 0.005 }),
    dem::makeNamedPolyhedron("dodecahedron", "Dodecahedron"),
    dem::makeMultiSphere("angle", { { 0, 0, 0 }, { 0.004, 0.001, 0 }, { 0.001, 0.004, 0.002 } },
      { 0.003, 0.002, 0.0025 }) };
}

// Volume and centroid of closed triangles, by the tetrahedra to the origin.
double enclosed(const dem::ShapeSurface& s, Vec3d& centre)
{
  double volume = 0;
  centre = {};
  for (const auto& t : s.triangles)
  {
    const Vec3d &a = s.points[t[0]], &b = s.points[t[1]], &c = s.points[t[2]];
    const double v = dem::dot(a, dem::cross(b, c)) / 6;
    volume += v;
    centre += (v / 4) * (a + b + c);
  }
  centre = (1 / volume) * centre;
  return volume;
}

std::string scene(const std::string& shapes, const std::string& particles)
{
  return R"({"version": 1, "shapes": [)" + shapes + R"(], "particles": )" + particles + "}";
}

} // namespace

TEST(ShapeText, TextMakesTheSameShape)
{
  for (const dem::Shape& shape : someShapes())
  {
    SCOPED_TRACE(shape.name);
    const dem::Shape again = dem::parseShape(dem::shapeText(shape), "");
    EXPECT_EQ(again.name, shape.name);
    EXPECT_EQ(again.kind, shape.kind);
    EXPECT_NEAR(again.mass.volume, shape.mass.volume, 1e-9 * shape.mass.volume);
    EXPECT_NEAR(
      again.mass.bounding_radius, shape.mass.bounding_radius, 1e-9 * shape.mass.bounding_radius);
    EXPECT_LT(dem::length(again.mass.center), 1e-9 * shape.mass.bounding_radius);
    // surfaces stand in the axes that were given, so they stay where they are
    const dem::ShapeSurface a = dem::shapeSurface(shape, 12), b = dem::shapeSurface(again, 12);
    ASSERT_EQ(a.points.size(), b.points.size());
    if (shape.kind != dem::ShapeKind::ConvexPolyhedron && shape.kind != dem::ShapeKind::MultiSphere)
    {
      for (std::size_t k = 0; k < a.points.size(); ++k)
        EXPECT_LT(dem::length(a.points[k] - b.points[k]), 1e-9 * shape.mass.bounding_radius);
    }
    const auto reach = [](const dem::ShapeSurface& s, const Vec3d& n) {
      double most = -1e300;
      for (const Vec3d& p : s.points)
        most = std::max(most, dem::dot(p, n));
      return most;
    };
    if (shape.kind == dem::ShapeKind::ConvexPolyhedron)
    {
      for (const Vec3d n : { Vec3d{ 1, 0, 0 }, Vec3d{ 0.3, -0.8, 0.2 }, Vec3d{ -0.1, 0.4, -0.9 } })
        EXPECT_NEAR(reach(a, n), reach(b, n), 1e-9 * shape.mass.bounding_radius);
    }
  }
}

TEST(ShapeText, SurfacesEncloseTheShape)
{
  for (const dem::Shape& shape : someShapes())
  {
    SCOPED_TRACE(shape.name);
    const dem::ShapeSurface s = dem::shapeSurface(shape, 96);
    Vec3d centre;
    const double volume = enclosed(s, centre);
    if (shape.kind == dem::ShapeKind::MultiSphere)
    {
      EXPECT_GT(volume, 0.99 * shape.mass.volume); // what its spheres share counts more than once
    }
    else
    {
      EXPECT_NEAR(volume, shape.mass.volume, 5e-3 * shape.mass.volume);
      EXPECT_LT(dem::length(centre), 1e-6 * shape.mass.bounding_radius);
    }
    ASSERT_EQ(s.normals.size(), s.points.size());
    for (const auto& t : s.triangles)
    {
      const Vec3d across =
        dem::cross(s.points[t[1]] - s.points[t[0]], s.points[t[2]] - s.points[t[0]]);
      ASSERT_GT(dem::length(across), 0);
      for (int c = 0; c < 3; ++c)
        ASSERT_GT(dem::dot(across, s.normals[t[c]]), 0.5 * dem::length(across));
    }
    for (const Vec3d& p : s.points)
      ASSERT_LT(dem::length(p), (1 + 1e-6) * shape.mass.bounding_radius);
  }
}

TEST(ShapeText, ScenesNameTheirShapes)
{
  const std::string pill =
    R"({"name": "pill", "kind": "Bi-Convex Tablet", "diameter": 0.008, "cup_radius": 0.007, "belt_height": 0.002})";
  const std::string die = R"({"name": "die", "kind": "Convex Polyhedron", "solid": "Cube"})";
  const dem::Scene s = dem::parseScene(
    scene(pill + "," + die,
      R"({"position": [[0,0,0],[0,0,0.1],[0,0,0.2]], "shape": ["pill", "die", "Sphere"], "radius": [0.004, 0.005, 0.006]})"),
    "", "text");
  ASSERT_EQ(s.shapes.size(), 3u);
  EXPECT_EQ(s.particles.shape, (std::vector<std::int32_t>{ 1, 2, 0 }));
  EXPECT_EQ(s.shapes[2].kind, dem::ShapeKind::ConvexPolyhedron);
  const dem::Scene own =
    dem::parseScene(scene(pill, R"({"position": [[0,0,0]], "shape": "pill"})"), "", "text");
  EXPECT_DOUBLE_EQ(own.particles.radius[0], dem::equalRadius(own.shapes[1])); // its own size
}

TEST(ShapeText, BadScenesAreNamed)
{
  const auto refused = [](const std::string& shapes,
                         const std::string& particles =
                           R"({"position": [[0,0,0]], "radius": 0.01})") {
    return errorOf([&] { dem::parseScene(scene(shapes, particles), "", "text"); });
  };
  EXPECT_MENTIONS(refused(R"({"name": "x", "kind": "Egg"})"), "Bi-Convex Tablet");
  EXPECT_MENTIONS(
    refused(R"({"name": "x", "kind": "Bi-Convex Tablet", "diameter": 0.01, "cup_radius": 0.004})"),
    "0.004");
  EXPECT_MENTIONS(
    refused(R"({"name": "x", "kind": "Bi-Convex Tablet", "cup_radius": 0.004})"), "diameter");
  EXPECT_MENTIONS(
    refused(R"({"name": "x", "kind": "Sphere", "diameter": 0.01})"), "no use for \"diameter\"");
  EXPECT_MENTIONS(refused(R"({"name": "x", "kind": "Multi-Sphere"})"), "spheres");
  EXPECT_MENTIONS(
    refused(R"({"name": "x", "kind": "Multi-Sphere", "spheres": [[0, 0, 0, 0]]})"), "/shapes/0");
  EXPECT_MENTIONS(
    refused(R"({"name": "x", "kind": "Convex Polyhedron", "solid": "Teapot"})"), "Teapot");
  EXPECT_MENTIONS(
    refused(
      R"({"name": "x", "kind": "Convex Polyhedron", "points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]})"),
    "faces");
  EXPECT_MENTIONS(refused(R"({"name": "Sphere", "kind": "Convex Polyhedron", "solid": "Cube"})"),
    "taken by another shape");
  EXPECT_MENTIONS(refused(R"({"name": "x", "kind": "Sphere"})",
                    R"({"position": [[0,0,0]], "radius": 0.01, "shape": "y"})"),
    "unknown shape \"y\"");
  EXPECT_MENTIONS(
    refused(R"({"name": "x", "kind": "Sphere"})", R"({"position": [[0,0,0]]})"), "radius");
}

TEST(ShapeText, NumbersOutOfRangeAreNamed)
{
  const std::string meshes = PARAGRAIN_SOURCE_DIR "/Testing/Fuzz/meshes";
  const auto error = [&](const std::string& of) {
    return errorOf([&] { dem::parseShape("{\"name\": \"s\", " + of + "}", meshes); });
  };
  const std::string clump = R"("kind": "Multi-Sphere", "file": "tetra.stl", )";
  EXPECT_HOLDS(error(clump + R"("scale": 0)"), "\"scale\" is 0; it must be above 0");
  EXPECT_HOLDS(error(clump + R"("scale": 1e-300)"), "longer than 1e-50 m");
  EXPECT_HOLDS(error(clump + R"("cells": 1e300)"),
    "a number of \"cells\" is 1e+300; it must be a whole number");
  EXPECT_HOLDS(error(clump + R"("most_spheres": 2.5)"), "a number of \"most_spheres\" is 2.5");
  EXPECT_HOLDS(error(R"("kind": "Multi-Sphere", "spheres": [[0, 0, 0, 1], [1e308, 0, 0, 1]])"),
    "below 1e50 m");
  const std::string corners = R"("kind": "Convex Polyhedron", "points": [[0, 0, 0]], "faces": )";
  EXPECT_HOLDS(error(corners + "[[0, 1e69, 2]]"), "a number of \"faces\" is 1e+69");
  EXPECT_HOLDS(error(corners + "[[0, \"a\", 2]]"), "a number of \"faces\" is \"a\"");
}

TEST(ShapeText, PackingsTurnThemAtRandomWithoutOverlap)
{
  const dem::Shape brick = dem::makeNamedPolyhedron("brick", "Brick", { 0.03, 0.01, 0.01 });
  dem::PackingSpec spec;
  spec.kind = dem::PackingKind::Random;
  spec.lower = { 0, 0, 0 };
  spec.upper = { 0.2, 0.2, 0.2 };
  spec.count = 300;
  spec.radius_kind = dem::RadiusKind::Uniform;
  spec.radius_min = 0.004;
  spec.radius_max = 0.006;
  spec.shape = 1;
  spec.reach = brick.mass.bounding_radius / dem::equalRadius(brick);
  const dem::ParticleInput p = dem::makePacking(spec);
  ASSERT_EQ(p.size(), 300u);
  ASSERT_EQ(p.orientation.size(), 300u);
  Vec3d mean{};
  double least = 1, along2 = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
  {
    EXPECT_EQ(p.shape[i], 1);
    EXPECT_GE(p.radius[i], 0.004 * (1 - 1e-12));
    EXPECT_LE(p.radius[i], 0.006 * (1 + 1e-12));
    const Vec3d axis = dem::rotate(p.orientation[i], { 1, 0, 0 });
    mean += (1. / 300) * axis;
    along2 += axis.z * axis.z / 300;
    for (std::size_t j = 0; j < i; ++j)
      least = std::min(least,
        dem::length(p.position[i] - p.position[j]) - spec.reach * (p.radius[i] + p.radius[j]));
    for (int k = 0; k < 3; ++k)
    {
      EXPECT_GE(p.position[i][k], spec.reach * p.radius[i] * (1 - 1e-9));
      EXPECT_LE(p.position[i][k], 0.2 - spec.reach * p.radius[i] * (1 - 1e-9));
    }
  }
  EXPECT_GE(least, -1e-12);
  EXPECT_LT(dem::length(mean), 4 / std::sqrt(300.)); // four deviations
  EXPECT_NEAR(along2, 1. / 3, 4 * 0.3 / std::sqrt(300.));
}
