// A scene that goes through bytes is the same scene, in every member that has a row.
#include "BusyScene.h"
#include "Scene/Compare.h"
#include "Scene/SceneBytes.h"

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

TEST(SceneBytes, BrokenBytes)
{
  auto bytes = dem::sceneBytes(busyScene());
  bytes.resize(bytes.size() / 2);
  EXPECT_NE(errorOf([&] { dem::sceneFromBytes(bytes); }), "");
}
