// A scene that goes through bytes is the same scene, in every member that has a row.
#include "BodySupport.h"
#include "BusyScene.h"
#include "Scene/Compare.h"
#include "Scene/SceneBytes.h"
#include "Scene/ShapeText.h"
#include "Scene/detail/BodySet.h"

using namespace test;

TEST(SceneBytes, SameScene)
{
  dem::Scene s = busyScene();
  s.events.push_back({ 0.01, "Gravity", { 1, 2, 3 } });
  s.particles.temperature.assign(s.particles.size(), 300);
  s.particle_materials = { true, false };
  s.domain.given = { true, false, true };
  s.contact.cohesion = dem::CohesionModel::JKR;
  s.nozzles.resize(2);
  s.nozzles[1].name = "second";
  s.nozzles[1].position = { 1, 2, 3 };
  s.averages.cells = { 4, 5, 6 };
  s.end_time = 0.7;
  const auto bytes = dem::sceneBytes(s);
  const dem::Scene back = dem::sceneFromBytes(bytes);
  EXPECT_FALSE(dem::needsNewRun(s, back));
  EXPECT_TRUE(dem::steeredDifferences(s, back).empty());
  EXPECT_EQ(back.end_time, 0.7);
  EXPECT_TRUE(dem::sceneBytes(back) == bytes);
  EXPECT_FALSE(dem::sceneBytes(busyScene()) == bytes);
}

TEST(SceneBytes, Shapes)
{
  dem::Scene s = busyScene();
  s.shapes = { dem::makeSphere(), dumbbell(0.003, 0.002),
    dem::makeTablet("pill", 0.008, 0.007, 0.002),
    dem::makeNamedPolyhedron("dice", "Dodecahedron") };
  for (std::size_t i = 0; i < s.particles.size(); ++i)
    s.particles.shape.push_back(static_cast<int>(i % 4));
  const auto bytes = dem::sceneBytes(s);
  const dem::Scene back = dem::sceneFromBytes(bytes);
  EXPECT_FALSE(dem::needsNewRun(s, back));
  EXPECT_TRUE(dem::sceneBytes(back) == bytes);
  EXPECT_EQ(dem::shapesAsBytes(back), dem::shapesAsBytes(s));
  ASSERT_EQ(back.shapes.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_EQ(dem::shapeText(back.shapes[k]), dem::shapeText(s.shapes[k]));
}

TEST(SceneBytes, BrokenBytes)
{
  auto bytes = dem::sceneBytes(busyScene());
  bytes.resize(bytes.size() / 2);
  EXPECT_NE(errorOf([&] { dem::sceneFromBytes(bytes); }), "");
}
