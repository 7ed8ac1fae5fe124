#include "ErrorText.h"
#include "Texts.h"
#include "Scene/File/SceneFile.h"
#include "Scene/StepPlan.h"
#include "Scene/TimeStepAdvice.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>

#ifndef PARAGRAIN_DATA_DIR
#error "PARAGRAIN_DATA_DIR must name the folder Data of the source tree"
#endif

using namespace test;

namespace
{

using nlohmann::json;
namespace fs = std::filesystem;

constexpr double pi = 3.14159265358979323846;

// A folder with an STL file, gone with the test.
class SceneFile : public testing::Test
{
protected:
  void SetUp() override
  {
    folder_ = fs::temp_directory_path() /
      ("paragrain-scene-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)));
    fs::create_directories(folder_ / "mesh");
    write("mesh/floor.stl",
      "solid f\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 10 0 0\nvertex 0 10 "
      "0\nendloop\nendfacet\nendsolid f\n");
    write("mesh/bad.stl", "solid f\nfacet normal 0 0 1\nouter hoop\n");
    // a tetrahedron, closed
    std::string tetra = "solid t\n";
    const char* corner[] = { "0 0 0", "1 0 0", "0 1 0", "0 0 1" };
    const int face[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 1, 2, 3 }, { 0, 3, 2 } };
    for (const auto& f : face)
    {
      tetra += "facet normal 0 0 0\nouter loop\n";
      for (const int i : f)
      {
        tetra += std::string("vertex ") + corner[i] + "\n";
      }
      tetra += "endloop\nendfacet\n";
    }
    write("mesh/tetra.stl", tetra + "endsolid t\n");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const
  {
    writeFile((folder_ / name).string(), text);
  }

  dem::Scene parse(const std::string& text) const
  {
    return dem::parseScene(text, folder_.string(), "case.dem");
  }
  dem::Scene parse(const char* text) const { return parse(std::string(text)); }
  dem::Scene parse(const json& document) const { return parse(document.dump()); }

  template <class Text>
  std::string failure(const Text& text) const
  {
    return errorOf([&] { parse(text); });
  }

  /// The error after `change` of a scene that is good before.
  template <class Change>
  std::string failureOf(const Change& change) const
  {
    json document = minimal();
    change(document);
    return failure(document);
  }

  static json minimal()
  {
    return json::parse(
      R"({ "version": 1, "particles": { "position": [[0, 0, 0.5], [0.1, 0, 0.5]], "radius": 0.01 } })");
  }

  fs::path folder_;
};

TEST_F(SceneFile, DefaultsAreThoseOfScene)
{
  const dem::Scene s = parse(minimal()), d;
  EXPECT_EQ(s.materials.size(), 1u);
  EXPECT_EQ(s.materials[0].name, d.materials[0].name);
  EXPECT_EQ(s.gravity.z, d.gravity.z);
  EXPECT_EQ(s.time_step, d.time_step);
  EXPECT_EQ(s.end_time, d.end_time);
  EXPECT_EQ(s.output_interval, d.output_interval);
  EXPECT_EQ(s.precision, d.precision);
  EXPECT_EQ(s.skin, d.skin);
  EXPECT_EQ(s.contact_statistics, d.contact_statistics);
  EXPECT_EQ(s.initial_overlap_tolerance, d.initial_overlap_tolerance);
  EXPECT_EQ(s.contact.law, d.contact.law);
  EXPECT_EQ(s.domain.limited, d.domain.limited);
  ASSERT_EQ(s.particles.size(), 2u);
  EXPECT_EQ(s.particles.radius[1], 0.01);
  EXPECT_TRUE(s.particles.velocity.empty());
}

TEST_F(SceneFile, SearchErrorsTellWhatIsKnown)
{
  using J = json;
  EXPECT_HOLDS(failureOf([](J& d) { d["broad_phase"] = "Octree"; }),
    "\"Automatic\", \"Sorted Grid\", \"Linked Cells\", \"Fixed Cells\"");
  EXPECT_HOLDS(failureOf([](J& d) { d["broad_phase_options"]["hash_function"] = "MD5"; }),
    "\"Uniform\", \"Morton\", \"Universal\"");
  EXPECT_HOLDS(failureOf([](J& d) { d["broad_phase_options"]["hash_table_factor"] = 6; }),
    "/broad_phase_options/hash_table_factor: found 6");
  EXPECT_HOLDS(failureOf([](J& d) { d["broad_phase_options"]["bvh_key_bits"] = 32; }),
    "/broad_phase_options/bvh_key_bits: found 32, expected BVH: bits of a Morton key: one of 30, "
    "63");
  EXPECT_HOLDS(failureOf([](J& d) { d["sort_steps"] = 0; }), "/sort_steps: found 0");
  EXPECT_HOLDS(failureOf([](J& d) { d["broad_phase_options"]["triangle_search"] = "Octree"; }),
    "\"BVH\", \"Uniform Grid\"");
  EXPECT_HOLDS(failureOf([](J& d) { d["integrator"] = "Runge-Kutta"; }),
    "\"Velocity Verlet\", \"Semi-Implicit Euler\", \"Gear Predictor-Corrector\"");
  EXPECT_HOLDS(failureOf([](J& d) {
    d["broad_phase"] = "Linked Cells";
    d["broad_phase_options"]["half_search"] = true;
  }),
    "HalfSearch does not go with BroadPhase 'Linked Cells'");
}

// The list that Kureck 2016 recommends.
TEST_F(SceneFile, UnsortedListsAreRead)
{
  json d = minimal();
  d["broad_phase"] = "Sorted Grid";
  d["broad_phase_options"] = { { "cell_sort", "Radix" }, { "cells_per_particle", 3 } };
  d["neighbor_list"] = "Hybrid";
  d["neighbor_list_options"] = { { "static_size", 8 }, { "symmetric", true },
    { "thread_per", "Contact, Halving Reduction" }, { "list_order", "Unsorted" } };
  d["contact_model"] = { { "tangential_history", false } };
  const dem::Scene s = parse(d);
  EXPECT_EQ(s.broad_phase.cell_sort, dem::CellSort::Radix);
  EXPECT_EQ(s.broad_phase.cells_per_particle, 3);
  EXPECT_EQ(s.neighbor_list.order, dem::ListOrder::Unsorted);
  EXPECT_EQ(s.neighbor_list.thread_per, dem::ThreadPer::ContactHalving);
  EXPECT_TRUE(s.neighbor_list.symmetric);
}

TEST_F(SceneFile, EverythingIsRead)
{
  const dem::Scene s = parse(R"({
    "$schema": "dem.schema.json", "version": 1, "description": "all keys",
    "materials": [
      { "name": "Glass", "description": "d", "youngs_modulus": 1e8, "poissons_ratio": 0.25, "density": 2600, "restitution": 0.9, "friction": 0.2, "rolling_friction": 0.01 },
      { "name": "Steel" } ],
    "pairs": [ { "between": ["Steel", "Glass"], "restitution": 0.8, "friction": 0.3, "rolling_friction": 0.02 } ],
    "particles": {
      "position": [[0, 0, 0.3], [0.1, 0, 0.3]], "radius": [0.01, 0.02], "velocity": [[1, 2, 3], [0, 0, 0]], "angular_velocity": [[0, 0, 1], [0, 0, 2]],
      "orientation": [[2, 0, 0, 0], [0, 0, 3, 4]], "id": [7, 3], "material": ["Steel", "Glass"] },
    "packings": [
      { "kind": "Lattice", "lower": [-0.5, -0.5, 1], "upper": [0.5, 0.5, 1.5], "count": 10, "radius": 0.02, "material": "Steel", "velocity": [0, 0, -1], "angular_velocity": [1, 0, 0] },
      { "description": "in a tetrahedron", "kind": "Random", "region": { "file": "mesh/tetra.stl", "scale": 0.5, "offset": [0, 0, 2] },
        "radius_distribution": "Uniform", "radius_min": 0.01, "radius_max": 0.015, "seed": 5, "count": 20 } ],
    "walls": [
      { "name": "Floor", "kind": "Mesh", "file": "mesh/floor.stl", "scale": 0.1, "offset": [-0.5, -0.5, 0], "material": "Steel" },
      { "name": "Own", "kind": "Mesh", "points": [[0, 0, -1], [1, 0, -1], [0, 1, -1]], "triangles": [[0, 1, 2]] },
      { "name": "Plane", "kind": "Plane", "origin": [0, 0, -2], "normal": [0, 0, 1] },
      { "name": "Rectangle", "kind": "Rectangle", "origin": [0, 0, -2], "edge_u": [1, 0, 0], "edge_v": [0, 1, 0], "motion": { "kind": "Translation", "velocity": [0, 0, 1], "start": 1, "stop": 2 } },
      { "name": "Line", "kind": "Line", "origin": [0, 0, -2], "end": [1, 0, -2], "motion": { "kind": "Fixed" } },
      { "name": "Box", "kind": "Box", "origin": [-3, -3, -3], "end": [3, 3, 3] },
      { "name": "Drum", "kind": "Cylinder", "origin": [0, -2, 0], "end": [0, 2, 0], "radius": 2.5, "motion": { "kind": "Rotation", "origin": [0, 0, 0], "axis": [0, 1, 0], "rpm": 30 } },
      { "name": "Cone", "kind": "Cone", "origin": [0, 0, -2], "end": [0, 0, -1], "radius": 2, "end_radius": 2.5, "motion": { "kind": "Oscillation", "axis": [0, 0, 1], "amplitude": 0.01, "frequency": 20, "phase": 90 } } ],
    "domain": { "limited": true, "lower": [-4, -4, -4], "upper": [4, 4, 4], "exit": { "x": "Periodic", "z": "Remove" }, "wall_material": "Steel" },
    "gravity": [0, 0, -1.6],
    "contact_model": { "law": "Linear Spring-Dashpot", "tangential_history": false, "friction_limit": "Elastic", "tangential_damping": "Equal To Normal", "clamp_normal_force": true,
      "rolling_model": "EPSD", "rolling_damping": 0.4, "collision_time": 2e-3, "normal_stiffness": 100, "stiffness_ratio": 0.3 },
    "time_step": 1e-5, "end_time": 2, "output_interval": 0.02, "precision": "Double", "integrator": "Gear Predictor-Corrector", "broad_phase": "Hashed Infinite Grid", "neighbor_list": "Hybrid",
    "neighbor_list_options": { "static_size": 6, "symmetric": true, "thread_per": "Contact" },
    "broad_phase_options": { "cell_order": "Morton", "cells_per_particle": 8, "hash_order": "Bucket",
      "linked_cells": "Tight", "fixed_cells": "Counted", "cell_capacity": 12, "hash_function": "Universal",
      "hash_table_factor": 5, "bvh_key_bits": 30, "half_search": false, "triangle_search": "Uniform Grid" },
    "sort_particles": "Every Time", "sort_steps": 7, "sort_time": 0.25,
    "skin": 0.001, "contact_statistics": true, "initial_overlap_tolerance": 0.1, "relax_initial_overlaps": true,
    "events": [ { "time": 0.5, "property": "Gravity", "value": [0, 1, 2] }, { "time": 0.5, "property": "Friction", "value": 0.1 },
      { "time": 1, "property": "WallRate", "wall": "Drum", "value": 2 }, { "time": 1.5, "property": "WallVelocity", "wall": "Rectangle", "value": [0, 0, 2] } ] })");
  ASSERT_EQ(s.materials.size(), 2u);
  EXPECT_EQ(s.materials[0].youngs_modulus, 1e8);
  EXPECT_EQ(s.materials[0].poissons_ratio, 0.25);
  EXPECT_EQ(s.materials[0].rolling_friction, 0.01);
  ASSERT_EQ(s.pairs.size(), 1u);
  EXPECT_EQ(s.pairs[0].first, 1);
  EXPECT_EQ(s.pairs[0].second, 0);
  EXPECT_EQ(*s.pairs[0].restitution, 0.8);
  EXPECT_EQ(*s.pairs[0].friction, 0.3);
  EXPECT_EQ(*s.pairs[0].rolling_friction, 0.02);

  ASSERT_EQ(s.particles.size(), 32u);
  EXPECT_EQ(s.particles.radius[1], 0.02);
  EXPECT_EQ(s.particles.velocity[0].y, 2);
  EXPECT_EQ(s.particles.velocity[2].z, -1);
  EXPECT_EQ(s.particles.velocity[31].z, 0);
  EXPECT_EQ(s.particles.angular_velocity[1].z, 2);
  EXPECT_EQ(s.particles.angular_velocity[2].x, 1);
  EXPECT_EQ(s.particles.orientation[0].w, 1);
  EXPECT_DOUBLE_EQ(s.particles.orientation[1].z, 0.8);
  EXPECT_EQ(s.particles.orientation[31].w, 1);
  EXPECT_EQ(s.particles.id[0], 7);
  EXPECT_EQ(s.particles.id[2], 8);
  EXPECT_EQ(s.particles.id[31], 37);
  EXPECT_EQ(s.particles.material[0], 1);
  EXPECT_EQ(s.particles.material[1], 0);
  EXPECT_EQ(s.particles.material[2], 1);
  EXPECT_EQ(s.particles.material[31], 0);
  for (std::size_t i = 12; i < 32; ++i)
  {
    const dem::Vec3d p = s.particles.position[i];
    EXPECT_LT(p.x + p.y + p.z - 2, 0.5);
    EXPECT_GT(p.z, 2);
  }

  EXPECT_EQ(s.neighbor_list.kind, dem::NeighborListKind::Hybrid);
  EXPECT_EQ(s.neighbor_list.static_size, 6);
  EXPECT_TRUE(s.neighbor_list.symmetric);
  EXPECT_EQ(s.neighbor_list.thread_per, dem::ThreadPer::Contact);
  ASSERT_EQ(s.walls.size(), 8u);
  EXPECT_EQ(s.walls[0].points.size(), 3u);
  EXPECT_NEAR(s.walls[0].points[1].x, 0.5, 1e-15);
  EXPECT_EQ(s.walls[0].material, 1);
  EXPECT_EQ(s.walls[1].triangles[0][2], 2);
  EXPECT_EQ(s.walls[2].kind, dem::WallKind::Plane);
  EXPECT_EQ(s.walls[3].edge_v.y, 1);
  EXPECT_EQ(s.walls[3].motion.kind, dem::MotionKind::Translation);
  EXPECT_EQ(s.walls[3].motion.start, 1);
  EXPECT_EQ(s.walls[3].motion.stop, 2);
  EXPECT_EQ(s.walls[4].end.x, 1);
  EXPECT_EQ(s.walls[5].end.z, 3);
  EXPECT_DOUBLE_EQ(s.walls[6].motion.rate, pi);
  EXPECT_GT(s.walls[6].motion.stop, 1e200);
  EXPECT_EQ(s.walls[7].end_radius, 2.5);
  EXPECT_DOUBLE_EQ(s.walls[7].motion.phase, pi / 2);

  dem::BroadPhaseOptions search;
  search.kind = dem::BroadPhaseKind::HashedGrid;
  search.cell_order = dem::CellOrder::Morton;
  search.hash_order = dem::HashOrder::Bucket;
  search.linked_cells = dem::LinkedCellsForm::Tight;
  search.fixed_cells = dem::FixedCellsForm::Counted;
  search.cell_capacity = 12;
  search.hash = dem::HashFunction::Universal;
  search.hash_table_factor = 5;
  search.bvh_key_bits = 30;
  search.triangles = dem::TriangleSearchKind::UniformGrid;
  search.sort = dem::SortKind::EveryTime;
  search.sort_steps = 7;
  search.sort_time = 0.25;
  EXPECT_EQ(s.integrator, dem::IntegratorKind::GearPredictorCorrector);
  EXPECT_TRUE(s.broad_phase == search);

  EXPECT_EQ(s.domain.exit[0], dem::Exit::Periodic);
  EXPECT_EQ(s.domain.exit[1], dem::Exit::Wall);
  EXPECT_EQ(s.domain.exit[2], dem::Exit::Remove);
  EXPECT_EQ(s.domain.wall_material, 1);
  EXPECT_EQ(s.gravity.z, -1.6);
  EXPECT_EQ(s.contact.law, dem::NormalLaw::LinearSpringDashpot);
  EXPECT_FALSE(s.contact.tangential_history);
  EXPECT_EQ(s.contact.friction_limit, dem::FrictionLimit::Elastic);
  EXPECT_EQ(s.contact.tangential_damping, dem::TangentialDamping::EqualToNormal);
  EXPECT_TRUE(s.contact.clamp_normal_force);
  EXPECT_EQ(s.contact.rolling, dem::RollingModel::EPSD);
  EXPECT_EQ(s.contact.rolling_damping, 0.4);
  EXPECT_EQ(s.contact.collision_time, 2e-3);
  EXPECT_EQ(s.contact.normal_stiffness, 100);
  EXPECT_EQ(s.contact.stiffness_ratio, 0.3);
  EXPECT_EQ(s.time_step, 1e-5);
  EXPECT_EQ(s.precision, dem::Precision::Double);
  EXPECT_EQ(s.skin, 0.001);
  EXPECT_TRUE(s.contact_statistics);
  EXPECT_EQ(s.initial_overlap_tolerance, 0.1);
  EXPECT_TRUE(s.relax_initial_overlaps);
  ASSERT_EQ(s.events.size(), 4u);
  EXPECT_EQ(s.events[0].value, (std::vector<double>{ 0, 1, 2 }));
  EXPECT_EQ(s.events[1].value, std::vector<double>{ 0.1 });
  EXPECT_EQ(s.events[2].value, (std::vector<double>{ 6, 2 }));
  EXPECT_EQ(s.events[3].value, (std::vector<double>{ 3, 0, 0, 2 }));
}

TEST_F(SceneFile, AutomaticDomain)
{
  json document = minimal();
  dem::Scene s = parse(document);
  EXPECT_NEAR(s.domain.lower.x, -0.01 - 0.05 * 0.12 - 0.02, 1e-12);
  EXPECT_NEAR(s.domain.upper.x, 0.11 + 0.05 * 0.12 + 0.02, 1e-12);
  EXPECT_NEAR(s.domain.upper.z, 0.51 + 0.05 * 0.02 + 0.02, 1e-12);
  EXPECT_TRUE(s.domain.automatic);
  // borders may be chosen without a size
  document["domain"] = { { "exit", { { "z", "Remove" } } } };
  EXPECT_EQ(parse(document).domain.exit[2], dem::Exit::Remove);
  EXPECT_EQ(parse(document).domain.lower.x, s.domain.lower.x);
  // a blade that turns about z is counted all the way round
  document["walls"] =
    json::parse(R"([{ "name": "Blade", "kind": "Line", "origin": [0, 0, 0], "end": [2, 0, 0],
    "motion": { "kind": "Rotation", "origin": [0.5, 0, 0], "axis": [0, 0, 5], "rate": 1 } }])");
  s = parse(document);
  EXPECT_NEAR(s.domain.lower.x, 0.5 - 1.5 - 0.05 * 3 - 0.02, 1e-12);
  EXPECT_NEAR(s.domain.upper.y, 1.5 + 0.05 * 3 + 0.02, 1e-12);
  EXPECT_NEAR(s.domain.lower.z, 0 - 0.05 * 0.51 - 0.02, 1e-12);
  document["walls"] =
    json::parse(R"([{ "name": "Shaker", "kind": "Line", "origin": [0, 0, 0], "end": [0, 0, 0.1],
    "motion": { "kind": "Oscillation", "axis": [0, 0, -1], "amplitude": 0.5, "frequency": 1 } }])");
  s = parse(document);
  // the grains go along, and may be thrown up by twice the wall's speed
  const double top = 0.51 + 0.5 + 2 * std::pow(pi, 2) / 9.81;
  EXPECT_NEAR(s.domain.lower.z, -0.5 - 0.05 * (top + 0.5) - 0.02, 1e-12);
  EXPECT_NEAR(s.domain.upper.z, top + 0.05 * (top + 0.5) + 0.02, 1e-12);
  document["walls"] = json::parse(
    R"([{ "name": "Floor", "kind": "Plane", "origin": [100, 100, 0], "normal": [0, 0, 2] }])");
  s = parse(document);
  EXPECT_NEAR(s.domain.lower.z, 0 - 0.05 * 0.51 - 0.02, 1e-12);
  EXPECT_LT(s.domain.upper.x, 1);
}

TEST_F(SceneFile, SyntaxErrorsTellLineAndColumn)
{
  EXPECT_HOLDS(failure("{\n  \"version\": 1,\n  \"gravity\": [0, 0, x]\n}"),
    "case.dem: line 3, column 21 (byte 38): this is no valid JSON: syntax error while parsing "
    "value - invalid literal");
  EXPECT_HOLDS(failure(""), "case.dem: line 1, column 1 (byte 0): this is no valid JSON");
  EXPECT_HOLDS(failure("{ \"version\": 1"), "unexpected end of input");
  EXPECT_HOLDS(failure("{ \"version\": 1 } x"), "line 1, column 18");
  EXPECT_HOLDS(
    failure("{ \"version\": 1, \"end_time\": 1e999 }"), "number overflow parsing '1e999'");
  EXPECT_HOLDS(failure("{ \"version\": 1, \"end_time\": NaN }"), "no valid JSON");
  EXPECT_HOLDS(failure("{ \"version\": 1, \"description\": \"\xff\" }"), "ill-formed UTF-8");
  EXPECT_HOLDS(failure(std::string(100000, '[')), "nested more than 64 levels deep");
  EXPECT_HOLDS(failure(R"({ "version": 1, "domain": { "limited": true, "limited": false } })"),
    "case.dem: /domain: the key \"limited\" is given twice");
  EXPECT_HOLDS(
    failure(R"({ "version": 1, "materials": [ { "name": "a" }, { "name": "a", "name": "b" } ] })"),
    "/materials/1: the key \"name\" is given twice");
}

TEST_F(SceneFile, VersionIsChecked)
{
  EXPECT_HOLDS(failure("{}"), "case.dem: /: the key \"version\" is missing. Write \"version\": 1");
  EXPECT_HOLDS(failure(R"({ "version": 2 })"),
    "/version: the file has version 2, and this program reads version 1. Update the program");
  EXPECT_HOLDS(failure(R"({ "version": "1" })"), "the file has version \"1\"");
  EXPECT_HOLDS(failure("[1, 2]"), "holds one JSON object { ... }, found an array of 2");
}

TEST_F(SceneFile, ContentErrorsTellThePointer)
{
  using J = json;
  EXPECT_HOLDS(failureOf([](J& d) { d["end_tiem"] = 3; }),
    "case.dem: /end_tiem: unknown key. Known here: \"$schema\", \"averages\", \"broad_phase\"");
  EXPECT_HOLDS(failureOf([](J& d) { d["end_time"] = "3 s"; }),
    "/end_time: found \"3 s\", expected end of the run, s, 0 or above");
  EXPECT_HOLDS(failureOf([](J& d) { d["end_time"] = -1; }),
    "/end_time: found -1, expected end of the run, s, 0 or above");
  EXPECT_HOLDS(failureOf([](J& d) { d["time_step"] = -1; }),
    "/time_step: found -1, expected time step, s; 0 = automatic");
  EXPECT_HOLDS(failureOf([](J& d) {
    d["gravity"] = { 0, 1 };
  }),
    "/gravity: found an array of 2, expected gravity, three numbers, m/s^2");
  EXPECT_HOLDS(failureOf([](J& d) { d["precision"] = "Single"; }),
    "/precision: found \"Single\", expected numbers of the solver: one of \"Mixed\", \"Double\"");
  EXPECT_HOLDS(
    failureOf([](J& d) { d["materials"] = J::array(); }), "/materials: found an array of 0");
  EXPECT_HOLDS(failureOf([](J& d) { d["materials"] = { J::object() }; }),
    "/materials/0: the key \"name\" is missing (a name, at least one character)");
  EXPECT_HOLDS(failureOf([](J& d) {
    d["materials"] = { { { "name", "a" }, { "youngs_modulus", -1 } } };
  }),
    "/materials/0/youngs_modulus: found -1, expected Young's modulus, Pa, above 0");
  EXPECT_HOLDS(failureOf([](J& d) {
    d["materials"] = { { { "name", "a" }, { "poissons_ratio", 0.6 } } };
  }),
    "/materials/0/poissons_ratio: found 0.6, expected Poisson's ratio, above -1, at most 0.5");
  EXPECT_HOLDS(failureOf([](J& d) {
    d["materials"] = { { { "name", "a" }, { "restitution", 0 } } };
  }),
    "/materials/0/restitution: found 0, expected coefficient of restitution with itself, above 0, "
    "at most 1");
  EXPECT_HOLDS(failureOf([](J& d) {
    d["materials"] = { { { "name", "a" } }, { { "name", "a" } } };
  }),
    "/materials/1/name: the name \"a\" is taken");
  EXPECT_HOLDS(failureOf([](J& d) {
    d["materials"] = { { { "name", "a" }, { "colour/shade", 1 } } };
  }),
    "/materials/0/colour~1shade: unknown key");
  EXPECT_HOLDS(failureOf([](J& d) {
    d["pairs"] = { { { "between", { "Grain", "Steel" } } } };
  }),
    "/pairs/0/between/1: unknown material \"Steel\". Known: \"Grain\"");
  EXPECT_HOLDS(failureOf([](J& d) {
    d["pairs"] = { { { "between", { "Grain", "Grain" } } } };
  }),
    "/pairs/0/between: a pair joins two different materials");
  EXPECT_HOLDS(failureOf([](J& d) { d["contact_model"]["law"] = "Hertz"; }),
    "/contact_model/law: found \"Hertz\", expected normal and tangential law: one of "
    "\"Hertz-Mindlin\", \"Linear Spring-Dashpot\"");
  EXPECT_HOLDS(failureOf([](J& d) { d["contact_model"]["rolling_model"] = nullptr; }),
    "/contact_model/rolling_model: found null");
  EXPECT_HOLDS(failureOf([](J& d) { d["domain"]["lower"] = { 0, 0, 0 }; }), "/domain");
  EXPECT_HOLDS(failureOf([](J& d) { d["domain"]["exit"]["x"] = "Open"; }),
    "/domain/exit/x: found \"Open\", expected what happens at the two borders of this axis: one of "
    "\"Wall\", \"Remove\", \"Periodic\"");
  EXPECT_HOLDS(failureOf([](J& d) { d["domain"]["wall_material"] = "Wood"; }),
    "/domain/wall_material: unknown material \"Wood\"");
}

TEST_F(SceneFile, ParticleErrors)
{
  using J = json;
  EXPECT_HOLDS(failureOf([](J& d) { d["particles"]["radius"] = -0.1; }),
    "/particles/radius: found -0.1, expected radii, m, above 0");
  EXPECT_HOLDS(failureOf([](J& d) {
    d["particles"]["radius"] = { 0.1, -0.1 };
  }),
    "/particles/radius/1: found -0.1, expected a radius, m, above 0");
  EXPECT_HOLDS(failureOf([](J& d) { d["particles"]["radius"] = { 0.1 }; }),
    "/particles/radius: has 1 entries, and there are 2 positions");
  EXPECT_HOLDS(failureOf([](J& d) { d["particles"].erase("radius"); }),
    "/particles: the key \"radius\" is missing (radii, m, above 0");
  EXPECT_HOLDS(failureOf([](J& d) {
    d["particles"]["position"][1] = { 0, 0, "a" };
  }),
    "/particles/position/1/2: found \"a\"");
  EXPECT_HOLDS(failureOf([](J& d) {
    d["particles"]["orientation"] = { { 1, 0, 0, 0 }, { 0, 0, 0, 0 } };
  }),
    "/particles/orientation/1: the quaternion is zero");
  EXPECT_HOLDS(failureOf([](J& d) {
    d["particles"]["id"] = { 1, -1 };
  }),
    "/particles/id/1: found -1, expected an Id");
  EXPECT_HOLDS(failureOf([](J& d) {
    d["particles"]["id"] = { 1, 1.5 };
  }),
    "/particles/id/1: found 1.5, expected an Id");
  EXPECT_HOLDS(failureOf([](J& d) {
    d["particles"]["id"] = { 1, 18446744073709551615u };
  }),
    "/particles/id/1: found 18446744073709551615, expected an Id, a whole number from 0 to 2^42 - "
    "1");
  EXPECT_HOLDS(failureOf([](J& d) {
    d["particles"]["material"] = { "Grain", "Sand" };
  }),
    "/particles/material/1: unknown material \"Sand\"");
  // the first fault of a long list, and no more than that
  EXPECT_HOLDS(failureOf([](J& d) {
    d["particles"]["position"] = J::array();
    for (int i = 0; i < 50000; ++i)
    {
      d["particles"]["position"].push_back(i < 31234 ? J({ i, 0, 0 }) : J({ i, 0 }));
    }
  }),
    "/particles/position/31234: found an array of 2, expected three numbers [x, y, z]");
}

TEST_F(SceneFile, PackingErrors)
{
  const auto with = [&](const char* packing) {
    return failureOf([&](json& d) { d["packings"] = { json::parse(packing) }; });
  };
  EXPECT_HOLDS(
    with(R"({})"), "/packings/0: a packing needs a box (\"lower\" and \"upper\") or a \"region\"");
  EXPECT_HOLDS(with(R"({ "lower": [0, 0, 0] })"), "/packings/0: a packing needs a box");
  EXPECT_HOLDS(with(R"({ "lower": [0, 0, 0], "upper": [1, 1, 1], "kind": "Hexagonal" })"),
    "/packings/0/kind: found \"Hexagonal\", expected rule by which particles are placed: one of "
    "\"Lattice\"");
  EXPECT_HOLDS(with(R"({ "lower": [0, 0, 0], "upper": [1, 1, 1], "count": 1.5 })"),
    "/packings/0/count: found 1.5, expected number of particles, a whole number");
  EXPECT_HOLDS(with(R"({ "lower": [0, 0, 0], "upper": [1, 1, 1], "count": 18446744073709551615 })"),
    "/packings/0/count: found 18446744073709551615, expected number of particles");
  EXPECT_HOLDS(with(R"({ "lower": [0, 0, 0], "upper": [1, 1, 1], "count": 1000000000000 })"),
    "/packings/0: Packing: it would hold 1e+12 grains");
  EXPECT_HOLDS(with(R"({ "lower": [0, 0, 0], "upper": [1, 1, 1], "radius": 2 })"),
    "/packings/0: Packing: nothing fits");
  EXPECT_HOLDS(with(R"({ "lower": [0, 0, 0], "upper": [1, 1, 1], "material": "Sand" })"),
    "/packings/0/material: unknown material \"Sand\"");
  EXPECT_HOLDS(with(R"({ "region": { "file": "mesh/floor.stl" } })"),
    "/packings/0: Packing: the region is not a closed surface");
  EXPECT_HOLDS(
    with(R"({ "region": { "file": "mesh/none.stl" } })"), "none.stl: this STL file does not exist");
}

TEST_F(SceneFile, WallErrors)
{
  const auto with = [&](const char* wall) {
    return failureOf([&](json& d) { d["walls"] = { json::parse(wall) }; });
  };
  EXPECT_HOLDS(with(R"({ "name": "W" })"), "/walls/0: the key \"kind\" is missing (Mesh: 'file'");
  EXPECT_HOLDS(with(R"({ "name": "W", "kind": "Wedge" })"), "/walls/0/kind: found \"Wedge\"");
  EXPECT_HOLDS(with(R"({ "name": "W", "kind": "Plane", "origin": [0, 0, 0] })"),
    "/walls/0: the key \"normal\" is missing (normal of a plane");
  EXPECT_HOLDS(
    with(R"({ "name": "W", "kind": "Cone", "origin": [0, 0, 0], "end": [0, 0, 1], "radius": 1 })"),
    "/walls/0: the key \"end_radius\" is missing");
  EXPECT_HOLDS(
    with(
      R"({ "name": "W", "kind": "Plane", "origin": [0, 0, 0], "normal": [0, 0, 1], "radius": 1 })"),
    "/walls/0/radius: a wall of kind \"Plane\" has no use for this key");
  EXPECT_HOLDS(with(R"({ "name": "W", "kind": "Mesh" })"),
    "/walls/0: a wall of kind \"Mesh\" needs either a \"file\" or both");
  EXPECT_HOLDS(with(R"({ "name": "W", "kind": "Mesh", "points": [[0, 0, 0]] })"),
    "needs either a \"file\" or both");
  EXPECT_HOLDS(
    with(R"({ "name": "W", "kind": "Mesh", "points": [[0, 0, 0]], "triangles": [[0, 0, 1]] })"),
    "/walls/0/triangles/0/2: there is no point 1; the mesh has 1");
  EXPECT_HOLDS(
    with(
      R"({ "name": "W", "kind": "Mesh", "points": [[0, 0, 0]], "triangles": [[0, 0, 0]], "scale": 2 })"),
    "/walls/0/scale: this key belongs to a mesh from a \"file\"");
  EXPECT_HOLDS(with(R"({ "name": "W", "kind": "Mesh", "file": "mesh/bad.stl" })"),
    "case.dem: /walls/0/file: ");
  EXPECT_HOLDS(with(R"({ "name": "W", "kind": "Mesh", "file": "mesh/bad.stl" })"),
    "mesh/bad.stl: line 3: found 'hoop', expected 'loop'");
  EXPECT_HOLDS(with(R"({ "name": "W", "kind": "Mesh", "file": "mesh" })"), "it is a folder");
  EXPECT_HOLDS(
    with(R"({ "name": "W", "kind": "Mesh", "file": "a\u0000b" })"), "cannot hold the character 0");
  const std::string line =
    R"({ "name": "W", "kind": "Line", "origin": [0, 0, 0], "end": [1, 0, 0], "motion": )";
  const auto moving = [&](const char* motion) { return with((line + motion + "}").c_str()); };
  EXPECT_HOLDS(moving(R"({ "kind": "Rotation", "axis": [0, 0, 1] })"),
    "/walls/0/motion: a rotation needs either \"rate\" (rad/s) or \"rpm\"");
  EXPECT_HOLDS(
    moving(R"({ "kind": "Rotation", "axis": [0, 0, 1], "rate": 1, "rpm": 1 })"), "needs either");
  EXPECT_HOLDS(
    moving(R"({ "kind": "Rotation", "rate": 1 })"), "/walls/0/motion: the key \"axis\" is missing");
  EXPECT_HOLDS(moving(R"({ "kind": "Rotation", "axis": [0, 0, 0], "rate": 1 })"),
    "/walls/0/motion/axis: the axis has no length");
  EXPECT_HOLDS(moving(R"({ "kind": "Translation", "velocity": [0, 0, 1], "rate": 1 })"),
    "/walls/0/motion/rate: a motion of kind \"Translation\" has no use for this key");
  EXPECT_HOLDS(moving(R"({ "kind": "Translation", "velocity": [0, 0, 1], "start": 2, "stop": 1 })"),
    "/walls/0/motion/stop: the motion stops at 1 s, before it starts");
  EXPECT_HOLDS(failureOf([](json& d) {
    d["walls"] =
      json::parse(R"([{ "name": "W", "kind": "Plane", "origin": [0, 0, 0], "normal": [0, 0, 1] },
    { "name": "W", "kind": "Plane", "origin": [0, 0, 0], "normal": [0, 0, 1] }])");
  }),
    "/walls/1/name: the name \"W\" is taken by another wall");
}

TEST_F(SceneFile, EventErrors)
{
  const auto with = [&](const char* events) {
    return failureOf([&](json& d) { d["events"] = json::parse(events); });
  };
  EXPECT_HOLDS(with(R"([{ "time": 1, "property": "Mass", "value": 1 }])"),
    "/events/0/property: found \"Mass\", expected what changes");
  EXPECT_HOLDS(with(R"([{ "time": 1, "property": "Gravity", "value": 1 }])"),
    "/events/0/value: Gravity takes 3 numbers, found 1");
  EXPECT_HOLDS(with(R"([{ "time": 1, "property": "WallRate", "value": 1 }])"),
    "/events/0: WallRate needs the key \"wall\"");
  EXPECT_HOLDS(with(R"([{ "time": 1, "property": "WallRate", "wall": "Drum", "value": 1 }])"),
    "/events/0/wall: unknown wall \"Drum\". Known: none");
  EXPECT_HOLDS(with(R"([{ "time": 1, "property": "Friction", "wall": "Drum", "value": 1 }])"),
    "goes with WallRate, WallVelocity, WallTemperature and WallHeatFlux only");
  EXPECT_HOLDS(
    with(
      R"([{ "time": 1, "property": "Friction", "value": 1 }, { "time": 0.5, "property": "Friction", "value": 1 }])"),
    "/events/1/time: the event is earlier than the one before it");
}

TEST_F(SceneFile, ReadsFromDiskRelativeToItself)
{
  json document = minimal();
  document["walls"] =
    json::parse(R"([{ "name": "Floor", "kind": "Mesh", "file": "mesh/floor.stl" }])");
  write("my.dem", document.dump());
  EXPECT_EQ(dem::readSceneFile((folder_ / "my.dem").string()).walls[0].points.size(), 3u);
  EXPECT_HOLDS(errorOf([&] { dem::readSceneFile((folder_ / "none.dem").string()); }),
    "none.dem: this scene file (.dem) does not exist");
  write("cut.dem", document.dump().substr(0, 40));
  EXPECT_HOLDS(errorOf([&] { dem::readSceneFile((folder_ / "cut.dem").string()); }),
    "cut.dem: line 1, column 41");
}

// What the schema says is checked against the published file, which must be this text.
TEST_F(SceneFile, PublishedSchemaIsTheOneInUse)
{
  std::ifstream in(fs::path(PARAGRAIN_DATA_DIR) / "dem.schema.json");
  if (!in)
  {
    GTEST_SKIP() << "the source tree is not on this machine";
  }
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  EXPECT_EQ(text, dem::sceneSchema());
}

TEST_F(SceneFile, ReadyCasesAreRead)
{
  if (!fs::exists(PARAGRAIN_DATA_DIR))
  {
    GTEST_SKIP() << "the source tree is not on this machine";
  }
  std::size_t found = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(PARAGRAIN_DATA_DIR) / "Cases"))
  {
    if (entry.path().extension() != ".dem")
    {
      continue;
    }
    std::ifstream in(entry.path());
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (text.find("\"MPM\"") != std::string::npos)
    {
      continue; // TestMpmSceneFile reads it
    }
    ++found;
    const dem::Scene s = dem::readSceneFile(entry.path().string());
    EXPECT_GE(s.particles.size(), 500u) << entry.path();
    EXPECT_LE(s.particles.size(), 20000u) << entry.path();
    EXPECT_LE(dem::planSteps(s).time_step, dem::adviseTimeStep(s).contact_duration / 15)
      << entry.path();
  }
  EXPECT_GE(found, 4u);
}

} // namespace
