// .dem files with the method MPM: what they hold arrives in the scene, bad input is refused by
// name, and a run of a file has the bits of a run of the same scene made by hand.
#include "MpmSupport.h"

#include "MaterialPoint/MpmBodies.h"
#include "MaterialPoint/MpmCompare.h"
#include "MaterialPoint/MpmSceneFile.h"
#include "Scene/File/SceneFile.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace
{

using namespace test;
namespace fs = std::filesystem;

const std::string kHead = R"({"version": 1, "method": "MPM", )";

mpm::FileScene read(const std::string& rest)
{
  return mpm::parseScene(kHead + rest + "}", "", "case.dem");
}
std::string refusal(const std::string& rest)
{
  return errorOf([&] { read(rest); });
}

const std::string kBox =
  R"("bodies": [{"kind": "Box", "lower": [0.4, 0.4, 0.4], "upper": [0.6, 0.6, 0.6]}])";

TEST(MpmSceneFile, EveryKeyArrives)
{
  const mpm::FileScene file = read(R"(
    "materials": [
      {"name": "Sand", "law": "Drucker-Prager", "density": 1600, "youngs_modulus": 2e6,
       "poissons_ratio": 0.25, "friction_angle": 35, "yield_surface": "Compression Cone",
       "cohesion": 10, "grain_diameter": 0.001, "fast_friction_angle": 45, "inertial_number": 0.3},
      {"name": "Water", "law": "Fluid", "bulk_modulus": 2e5, "gamma": 6, "viscosity": 0.01}],
    "bodies": [
      {"name": "Lump", "kind": "Points", "position": [[0.1, 0.2, 0.3], [0.2, 0.2, 0.3]],
       "velocity": [[1, 0, 0], [0, 2, 0]], "volume": 1e-6, "density": [2000, 1000],
       "material": ["Water", "Sand"]},
      {"kind": "Box", "lower": [0.4, 0.4, 0.4], "upper": [0.5, 0.5, 0.6], "material": "Water",
       "velocity": [0, 0, -1], "density": 900}],
    "points_per_axis": 1, "jitter": 0.5, "seed": 7,
    "walls": [
      {"name": "Floor", "kind": "Plane", "origin": [0, 0, 0.05], "normal": [0, 0, 1]},
      {"name": "Belt", "kind": "Rectangle", "origin": [0, 0, 0.1], "edge_u": [1, 0, 0],
       "edge_v": [0, 1, 0], "wall_contact": "Stick",
       "motion": {"kind": "Translation", "velocity": [1, 0, 0], "start": 0.1, "stop": 0.7}},
      {"name": "Side", "kind": "Plane", "origin": [0.02, 0, 0], "normal": [1, 0, 0],
       "wall_contact": "Separate"},
      {"name": "Back", "kind": "Plane", "origin": [0, 0.98, 0], "normal": [0, -1, 0],
       "wall_contact": "Separate", "wall_friction": 0.7}],
    "wall_contact": "Slip", "wall_friction": 0.4,
    "domain": {"lower": [0, 0, 0], "upper": [1, 1, 1],
      "border": {"x_max": "Remove", "z_min": "Stick", "y_max": "Separate"},
      "border_friction": 0.2},
    "grid_spacing": 0.05, "kernel": "Cubic", "transfer": "FLIP", "flip_fraction": 0.9,
    "precision": "Double", "integrator": "Explicit", "equal_bits": false,
    "implicit": {"newton_tolerance": 1e-5, "newton_iterations": 9, "linear_tolerance": 1e-3,
      "linear_iterations": 50},
    "gravity": [0, 1, -9], "time_step": 1e-5, "courant_number": 0.3, "end_time": 2,
    "output_interval": 0.1, "memory_limit": 100,
    "events": [
      {"time": 0.2, "property": "WallVelocity", "wall": "Belt", "value": [2, 0, 0]},
      {"time": 0.2, "property": "WallContactFriction", "wall": "Floor", "value": 0.1},
      {"time": 0.5, "property": "FrictionAngle", "value": 40}]
  )");
  const mpm::Scene& s = file.scene;
  EXPECT_EQ(file.materials, (std::vector<std::string>{ "Sand", "Water" }));
  const mpm::Material& sand = s.materials[0];
  EXPECT_EQ(sand.kind, mpm::MaterialKind::DruckerPrager);
  EXPECT_EQ(sand.density, 1600);
  EXPECT_EQ(sand.youngs_modulus, 2e6);
  EXPECT_EQ(sand.poissons_ratio, 0.25);
  EXPECT_NEAR(sand.friction_angle, 35 * M_PI / 180, 1e-12);
  EXPECT_EQ(sand.sand_yield, mpm::SandYield::CompressionCone);
  EXPECT_EQ(sand.cohesion, 10);
  EXPECT_EQ(sand.grain_diameter, 0.001);
  EXPECT_NEAR(sand.fast_friction_angle, 45 * M_PI / 180, 1e-12);
  EXPECT_EQ(sand.inertial_number, 0.3);
  EXPECT_EQ(s.materials[1].kind, mpm::MaterialKind::Fluid);
  EXPECT_EQ(s.materials[1].bulk_modulus, 2e5);
  EXPECT_EQ(s.materials[1].gamma, 6);
  EXPECT_EQ(s.materials[1].viscosity, 0.01);
  ASSERT_EQ(s.points.size(), 2u + 2 * 2 * 4);
  EXPECT_EQ(s.points.velocity[1], (Vec3d{ 0, 2, 0 }));
  EXPECT_EQ(s.points.mass[0], 2000 * 1e-6);
  EXPECT_EQ(s.points.material[0], 1);
  EXPECT_EQ(s.points.material[1], 0);
  EXPECT_EQ(s.points.velocity[5], (Vec3d{ 0, 0, -1 }));
  EXPECT_NEAR(s.points.mass[5], 900 * std::pow(0.05, 3), 1e-12);
  ASSERT_EQ(s.walls.size(), 4u);
  EXPECT_EQ(s.walls[0].motion.kind, dem::MotionKind::Fixed);
  EXPECT_EQ(s.walls[1].motion.kind, dem::MotionKind::Translation);
  EXPECT_EQ(s.walls[1].motion.velocity, (Vec3d{ 1, 0, 0 }));
  EXPECT_EQ(s.walls[1].motion.start, 0.1);
  EXPECT_EQ(s.walls[1].motion.stop, 0.7);
  EXPECT_EQ(s.wall_contacts[0].kind, mpm::Contact::Slip);
  EXPECT_EQ(s.wall_contacts[1].kind, mpm::Contact::Stick);
  EXPECT_EQ(s.wall_contacts[2].kind, mpm::Contact::Separate);
  EXPECT_EQ(s.wall_contacts[2].friction, 0.4);
  EXPECT_EQ(s.wall_contacts[3].friction, 0.7);
  EXPECT_EQ(s.domain.border[1], mpm::Border::Remove);
  EXPECT_EQ(s.domain.border[4], mpm::Border::Stick);
  EXPECT_EQ(s.domain.border[3], mpm::Border::Separate);
  EXPECT_EQ(s.domain.border[0], mpm::Border::Slip);
  EXPECT_EQ(s.domain.friction, 0.2);
  EXPECT_EQ(s.grid_spacing, 0.05);
  EXPECT_EQ(s.spline, mpm::Spline::Cubic);
  EXPECT_EQ(s.transfer, mpm::Transfer::FLIP);
  EXPECT_EQ(s.flip_fraction, 0.9);
  EXPECT_EQ(s.precision, mpm::Precision::Double);
  EXPECT_FALSE(s.equal_bits);
  EXPECT_EQ(s.implicit.newton_tolerance, 1e-5);
  EXPECT_EQ(s.implicit.newton_most, 9);
  EXPECT_EQ(s.implicit.cg_tolerance, 1e-3);
  EXPECT_EQ(s.implicit.cg_most, 50);
  EXPECT_EQ(s.gravity, (Vec3d{ 0, 1, -9 }));
  EXPECT_EQ(s.time_step, 1e-5);
  EXPECT_EQ(s.cfl, 0.3);
  EXPECT_EQ(s.end_time, 2);
  EXPECT_EQ(s.output_interval, 0.1);
  EXPECT_EQ(s.memory_limit, 100 * 1048576.);
  ASSERT_EQ(s.events.size(), 3u);
  EXPECT_EQ(s.events[0].value, (std::vector<double>{ 1, 2, 0, 0 }));
  EXPECT_EQ(s.events[1].value, (std::vector<double>{ 0, 0.1 }));
  ASSERT_EQ(s.events[2].value.size(), 1u);
  EXPECT_NEAR(s.events[2].value[0], 40 * M_PI / 180, 1e-12); // degrees in the file
  EXPECT_EQ(s.events[0].time, 0.2);
  EXPECT_EQ(s.events[1].time, 0.2);
  EXPECT_EQ(s.events[2].time, 0.5);
}

// What the first file cannot hold.
TEST(MpmSceneFile, EveryKeyArrivesFromASecondFile)
{
  const mpm::FileScene file = read(R"(
    "materials": [
      {"name": "Clay", "law": "Von Mises", "density": 2000, "yield_stress": 3e4,
       "hardening_modulus": 5e3}],
    "bodies": [
      {"kind": "Points", "position": [[0.1, 0.2, 0.3], [0.2, 0.2, 0.3]], "mass": [0.01, 0.02]},
      {"kind": "Points", "position": [[0.5, 0.2, 0.3], [0.6, 0.2, 0.3]], "radius": 0.02},
      {"kind": "Points", "position": [[0.8, 0.2, 0.3]], "mass": 0.03, "volume": 1e-5}],
    "domain": {"lower": [0, 0, 0], "upper": [1, 1, 1]}, "grid_spacing": 0.05,
    "grid_transfer": "Sync", "batching": 4, "point_transfer": "Global", "point_order": "Index",
    "events": [
      {"time": 0.1, "property": "YieldStress", "value": 2e4},
      {"time": 0.3, "property": "Gravity", "value": [1, 2, 3]}]
  )");
  const mpm::Scene& s = file.scene;
  EXPECT_EQ(s.materials[0].kind, mpm::MaterialKind::VonMises);
  EXPECT_EQ(s.materials[0].yield_stress, 3e4);
  EXPECT_EQ(s.materials[0].hardening_modulus, 5e3);
  ASSERT_EQ(s.points.size(), 5u);
  EXPECT_EQ(s.points.mass[0], 0.01);
  EXPECT_EQ(s.points.mass[1], 0.02);
  EXPECT_NEAR(s.points.volume[1], 0.02 / 2000, 1e-18);
  const double sphere = 4. / 3 * M_PI * std::pow(0.02, 3);
  EXPECT_NEAR(s.points.volume[2], sphere, 1e-15);
  EXPECT_NEAR(s.points.mass[3], 2000 * sphere, 1e-12);
  EXPECT_EQ(s.points.mass[4], 0.03);
  EXPECT_EQ(s.points.volume[4], 1e-5);
  EXPECT_EQ(s.grid_transfer, mpm::GridTransfer::Sync);
  EXPECT_EQ(s.batching, 4);
  EXPECT_EQ(s.point_transfer, mpm::PointTransfer::Global);
  EXPECT_EQ(s.point_order, mpm::PointSorting::Index);
  ASSERT_EQ(s.events.size(), 2u);
  EXPECT_EQ(s.events[0].time, 0.1);
  EXPECT_EQ(s.events[0].value, (std::vector<double>{ 2e4 }));
  EXPECT_EQ(s.events[1].time, 0.3);
  EXPECT_EQ(s.events[1].value, (std::vector<double>{ 1, 2, 3 }));
}

// A file without a domain: analytic walls lie inside, so that bodies meet them.
TEST(MpmSceneFile, TheAutomaticDomainHoldsAnalyticWalls)
{
  const std::string body = R"("grid_spacing": 0.05, "gravity": [0, 0, -9.81], "end_time": 0.6,
    "output_interval": 0.6, "materials": [{"name": "Jelly", "youngs_modulus": 1e4}],
    "bodies": [{"kind": "Box", "lower": [0.1, 0.1, 0.5], "upper": [0.3, 0.3, 0.7]}], "walls": )";
  const auto domainOf = [&](const std::string& wall) {
    return read(body + "[{\"name\": \"W\", " + wall + "}]").scene.domain;
  };
  const auto expect = [](const mpm::Domain& d, const Vec3d& lower, const Vec3d& upper) {
    for (int k = 0; k < 3; ++k) // four cells around
    {
      EXPECT_NEAR(d.lower[k], lower[k] - 0.2, 1e-12) << "axis " << k;
      EXPECT_NEAR(d.upper[k], upper[k] + 0.2, 1e-12) << "axis " << k;
    }
  };
  const std::string plane = R"("kind": "Plane", "origin": [9, 9, 0], "normal": [0, 0, 2])";
  expect(domainOf(plane), { 0.1, 0.1, 0 }, { 0.3, 0.3, 0.7 });
  expect(domainOf(R"("kind": "Rectangle", "origin": [0, 0, 0.1], "edge_u": [1, 0, 0],
      "edge_v": [0, 0.5, -0.1])"),
    { 0, 0, 0 }, { 1, 0.5, 0.7 });
  expect(domainOf(R"("kind": "Box", "origin": [0, 0, 0], "end": [1, 2, 0.2])"), { 0, 0, 0 },
    { 1, 2, 0.7 });
  expect(domainOf(R"("kind": "Cylinder", "origin": [0.2, 0.2, 0], "end": [0.2, 0.2, 1],
      "radius": 0.4)"),
    { -0.2, -0.2, 0 }, { 0.6, 0.6, 1 });
  expect(domainOf(R"("kind": "Cone", "origin": [0.2, 0.2, 0], "end": [0.2, 0.2, 1],
      "radius": 0.1, "end_radius": 0.5)"),
    { -0.3, -0.3, 0 }, { 0.7, 0.7, 1 });
  // the block falls 0.5 m, is stopped by the plane and stays above it
  const mpm::FileScene file = read(body + "[{\"name\": \"Floor\", " + plane + "}]");
  mpm::Simulation run(file.scene, { dem::DeviceKind::CPU, 1 });
  run.advanceTo(run.plan().steps_per_output);
  const mpm::Frame f = run.frame();
  double lowest = 1;
  for (std::size_t i = 0; i < f.size; ++i)
    lowest = std::min(lowest, double(f.position[3 * i + 2]));
  EXPECT_GT(lowest, -0.03);
  EXPECT_LT(lowest, 0.3); // free fall of 0.6 s ends 1.8 m lower
}

TEST(MpmSceneFile, WhatIsLeftOutTakesTheDefault)
{
  const mpm::FileScene file = read(kBox);
  const mpm::Scene& s = file.scene;
  const mpm::Scene standard;
  EXPECT_EQ(s.materials[0].kind, standard.materials[0].kind);
  EXPECT_EQ(s.transfer, standard.transfer);
  EXPECT_EQ(s.cfl, standard.cfl);
  // 4096 cells inside a box of 0.2 m, 8 points a cell, and half its size around it
  EXPECT_NEAR(s.grid_spacing, 0.2 / 16, 1e-12);
  EXPECT_EQ(s.points.size(), 8u * 4096);
  EXPECT_NEAR(s.domain.lower.x, 0.3, 1e-12);
  EXPECT_NEAR(s.domain.upper.z, 0.7, 1e-12);
}

TEST(MpmSceneFile, BadInputIsRefusedByName)
{
  const auto mentions = [](const std::string& rest, const std::string& place,
                          const std::string& what) {
    const std::string e = refusal(rest);
    EXPECT_MENTIONS(e, "case.dem");
    EXPECT_MENTIONS(e, place);
    EXPECT_MENTIONS(e, what);
  };
  mentions(R"("gravity": [0, 0, 0])", "", "the key \"bodies\" is missing");
  mentions(kBox + R"(, "colour": 1)", "/colour", "unknown key");
  mentions(kBox + R"(, "packings": [])", "/packings", "unknown key");
  mentions(kBox + R"(, "kernel": "Linear")", "/kernel", "\"Quadratic\", \"Cubic\"");
  mentions(kBox + R"(, "materials": [{"name": "A", "law": "Jelly"}])", "/materials/0/law",
    "\"St. Venant-Kirchhoff\"");
  mentions(kBox + R"(, "materials": [{"name": "A"}, {"name": "A"}])", "/materials/1/name",
    "Names must differ");
  mentions(R"("bodies": [{"kind": "Box", "lower": [0, 0, 0]}])", "/bodies/0", "\"upper\"");
  mentions(R"("bodies": [{"kind": "Box", "lower": [0, 0, 0], "upper": [1, 1, 0]}])",
    "/bodies/0/upper", "above that of");
  mentions(R"("bodies": [{"kind": "Box", "lower": [0, 0, 0], "upper": [1, 1, 1], "mass": 1}])",
    "/bodies/0/mass", "has no use for this key");
  mentions(R"("bodies": [{"kind": "Box", "lower": [0, 0, 0], "upper": [1, 1, 1],
      "velocity": [[0, 0, 1]]}])",
    "/bodies/0/velocity", "one velocity");
  mentions(R"("bodies": [{"kind": "Points", "position": [[0, 0, 0], [1, 1, 1]],
      "mass": [1, 2, 3]}])",
    "/bodies/0/mass", "has 3 entries, and there are 2 positions");
  mentions(R"("bodies": [{"kind": "Points", "position": [[0, 0, 0]], "velocity": []}])",
    "/bodies/0/velocity", "has 0 entries");
  mentions(R"("bodies": [{"kind": "Points", "position": [[0, 0, 0]], "material": "Iron"}])",
    "/bodies/0/material", "Known: \"Material\"");
  mentions(R"("bodies": [{"kind": "Points", "position": [[0, 0, 0]]}])", "", "GridSpacing");
  mentions(R"("bodies": [{"kind": "Mesh", "points": [[0,0,0],[1,0,0],[0,1,0]],
      "triangles": [[0,1,2]]}], "grid_spacing": 0.1)",
    "Body 1", "");
  mentions(R"("bodies": [{"kind": "Mesh", "file": "none.stl"}])", "/bodies/0/file", "none.stl");
  mentions(kBox + R"(, "walls": [{"name": "W", "kind": "Plane", "origin": [0, 0, 0],
      "normal": [0, 0, 1], "material": "Material"}])",
    "/walls/0/material", "has no use for this key");
  mentions(kBox + R"(, "walls": [{"name": "W", "kind": "Plane", "origin": [0, 0, 0],
      "normal": [0, 0, 1], "wall_friction": -1}])",
    "/walls/0/wall_friction", "0 or above");
  mentions(kBox + R"(, "events": [{"time": 0, "property": "Friction", "value": 1}])",
    "/events/0/property", "\"FrictionAngle\"");
  mentions(kBox + R"(, "events": [{"time": 0, "property": "WallRate", "value": 1}])", "/events/0",
    "needs the key \"wall\"");
  mentions(kBox + R"(, "events": [{"time": 0, "property": "Gravity", "value": 1}])",
    "/events/0/value", "takes 3 numbers");
  mentions(kBox + R"(, "integrator": "Backward Euler",
      "materials": [{"name": "A", "law": "Drucker-Prager"}])",
    "", "Backward Euler");
  mentions(kBox + R"(, "domain": {"lower": [0, 0, 0], "upper": [0.5, 1, 1]})", "",
    "lies outside of the domain");
  // keys without effect
  mentions(R"("bodies": [{"kind": "Points", "position": [[0, 0, 0]], "mass": 1, "volume": 1,
      "density": 1}])",
    "/bodies/0/density", "Leave out one");
  mentions(
    kBox + R"(, "wall_contact": "Slip", "wall_friction": 0.4)", "/wall_friction", "\"Separate\"");
  mentions(kBox + R"(, "walls": [{"name": "W", "kind": "Plane", "origin": [0, 0, 0],
      "normal": [0, 0, 1], "wall_contact": "Stick", "wall_friction": 0.5}])",
    "/walls/0/wall_friction", "\"Stick\"");
  mentions(kBox + R"(, "domain": {"border_friction": 0.2})", "/domain/border_friction",
    "no border is \"Separate\"");
  mentions(kBox + R"(, "transfer": "FLIP", "point_transfer": "Global")", "", "PointTransfer");
  // the other method
  const std::string grains = R"({"version": 1})";
  EXPECT_MENTIONS(errorOf([&] { mpm::parseScene(grains, "", "case.dem"); }), "of grains (DEM)");
  EXPECT_MENTIONS(
    errorOf([&] { dem::parseScene(kHead + kBox + "}", "", "case.dem"); }), "Material Point Method");
  EXPECT_MENTIONS(
    errorOf([&] { dem::parseScene(R"({"version": 1, "method": "SPH"})", "", "case.dem"); }),
    "/method");
  EXPECT_MENTIONS(errorOf([&] {
    dem::parseScene(R"({"version": 1, "walls": [{"name": "W", "kind": "Plane",
      "origin": [0, 0, 0], "normal": [0, 0, 1], "wall_friction": 1}]})",
      "", "case.dem");
  }),
    "/walls/0/wall_friction");
  mpm::FileLimits few;
  few.points = 100;
  EXPECT_MENTIONS(
    errorOf([&] { mpm::parseScene(kHead + kBox + "}", "", "case.dem", few); }), "points_per_axis");
}

TEST(MpmSceneFile, ARunHasTheBitsOfTheSceneMadeByHand)
{
  const mpm::FileScene file = read(kBox + R"(,
    "materials": [{"name": "Jelly", "youngs_modulus": 1e5, "law": "Neo-Hookean"}],
    "grid_spacing": 0.05, "domain": {"lower": [0, 0, 0], "upper": [1, 1, 1],
    "border": {"z_min": "Separate"}}, "end_time": 0.1, "output_interval": 0.02)");
  mpm::Scene s;
  s.materials[0].kind = mpm::MaterialKind::NeoHookean;
  s.materials[0].youngs_modulus = 1e5;
  s.grid_spacing = 0.05;
  s.domain.lower = { 0, 0, 0 };
  s.domain.upper = { 1, 1, 1 };
  s.domain.border[4] = mpm::Border::Separate;
  s.end_time = 0.1;
  s.output_interval = 0.02;
  s.points = mpm::fillBox({ 0.4, 0.4, 0.4 }, { 0.6, 0.6, 0.6 }, 0.05, 2, 0, 1);
  mpm::Simulation from_file(file.scene, { dem::DeviceKind::CPU, 1 }),
    by_hand(s, { dem::DeviceKind::CPU, 2 });
  from_file.advanceTo(5 * from_file.plan().steps_per_output);
  by_hand.advanceTo(5 * by_hand.plan().steps_per_output);
  EXPECT_EQ(firstDifference(from_file.frame(), by_hand.frame()), "");
}

TEST(MpmSceneFile, ReadyCasesAreRead)
{
  if (!fs::exists(PARAGRAIN_DATA_DIR))
    GTEST_SKIP() << "the source tree is not on this machine";
  std::size_t found = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(PARAGRAIN_DATA_DIR) / "Cases"))
  {
    if (entry.path().extension() != ".dem")
      continue;
    const auto any = mpm::readAnySceneFile(entry.path().string());
    if (const auto* file = std::get_if<mpm::FileScene>(&any))
    {
      ++found;
      EXPECT_GE(file->scene.points.size(), 500u) << entry.path();
      EXPECT_TRUE(file->warnings.empty()) << entry.path();
    }
  }
  EXPECT_GE(found, 1u);
}

TEST(MpmSceneFile, ThePublishedSchemaIsTheOneInUse)
{
  std::ifstream in(std::string(PARAGRAIN_DATA_DIR) + "/mpm.schema.json");
  if (!in)
    GTEST_SKIP() << "the source tree is not on this machine";
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  EXPECT_EQ(text, dem::mpmSceneSchema());
}

} // namespace
