// Spray coating during a run: exact books, the coating of a run against rays that are cast here on
// its frames, equal bits however the run is cut, rewound and restored, and what is refused.
#include "BusyScene.h"

#include "Scene/File/SceneFile.h"
#include "Scene/Validate.h"
#include "Solver/Timeline.h"
#include "Spray/RayCaster.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace test;

namespace
{

dem::Nozzle topNozzle()
{
  dem::Nozzle n;
  n.name = "top";
  n.position = { 0, 0.03, 0.25 };
  n.axis = { 0, 0, -1 };
  n.full_angle = 0.5;
  n.rays = 2000;
  n.mass_rate = 0.002;
  n.interval = 0.00137; // neither a multiple of the step nor a part of the output interval
  n.start = 0.0051;
  n.seed = 5;
  return n;
}

class RunSpray : public BackendTest
{
protected:
  dem::Scene scene(bool spray = true) const
  {
    dem::Scene s = busyScene();
    s.precision = GetParam().precision;
    s.output_interval = 0.004;
    s.end_time = 0.04;
    if (!spray)
      return s;
    s.nozzles.push_back(topNozzle());
    dem::Nozzle flat = topNozzle();
    flat.name = "flat";
    flat.moves_with = "paddle";
    flat.position = { 0.02, 0.03, 0.1 };
    flat.axis = { -0.2, 0, -1 };
    flat.up = { 0, 1, 0 };
    flat.full_angle = 1.5;
    flat.across_angle = 0.2;
    flat.profile = dem::SprayProfile::Gaussian;
    flat.interval = 0.0021;
    flat.start = 0;
    flat.stop = 0.03;
    s.nozzles.push_back(flat);
    s.spray.patches = 2;
    return s;
  }

  dem::TimelineOptions settings(std::size_t snapshots = 1u << 28, int threads = 0) const
  {
    dem::TimelineOptions o;
    o.run = options(threads);
    o.frame_memory = 1;
    o.snapshot_memory = snapshots;
    return o;
  }
};

void expectBooks(const dem::Frame& f)
{
  const dem::Statistics& s = f.statistics;
  EXPECT_EQ(s.spray_emitted, s.spray_on_grains + s.spray_on_walls + s.spray_missed);
  const std::int64_t hits = std::accumulate(f.coating.hits.begin(), f.coating.hits.end(), 0ll);
  EXPECT_LE(hits, static_cast<std::int64_t>(s.spray_on_grains));
  if (f.statistics.lost == 0)
  {
    EXPECT_EQ(hits, static_cast<std::int64_t>(s.spray_on_grains));
  }
  for (std::size_t i = 0; i < f.size && f.coating.patches > 0; ++i)
  {
    double sum = 0;
    for (int p = 0; p < f.coating.patches; ++p)
      sum += f.coating.patch_mass[i * f.coating.patches + p];
    EXPECT_NEAR(sum, f.coating.mass[i], 1e-12 * f.coating.mass[i]);
    const double mean = sum / f.coating.patches;
    double square = 0;
    for (int p = 0; p < f.coating.patches; ++p)
      square += std::pow(f.coating.patch_mass[i * f.coating.patches + p] / mean - 1, 2);
    EXPECT_NEAR(
      f.coating.patch_variation[i], mean > 0 ? std::sqrt(square / f.coating.patches) : 0, 1e-12);
  }
}

} // namespace

PARAGRAIN_ON_ALL_BACKENDS(RunSpray);

// The sprayed run moves as the other one does. Its coating is that of rays through the frames of
// the other one.
TEST_P(RunSpray, CoatingOfTheFramesOfARunWithout)
{
  dem::Scene s = scene();
  s.nozzles.resize(1);
  dem::Simulation run = simulate(s), plain = simulate(scene(false));
  const double dt = plain.plan().time_step;
  const dem::Nozzle& nozzle = s.nozzles[0];
  std::map<std::int64_t, std::int64_t> hits, intervals;
  std::uint64_t emitted = 0, on_grains = 0, on_walls = 0;
  dem::RayCaster caster(plain.device());
  caster.setShapes(s.shapes, 0);
  for (int sample = 0; nozzle.start + sample * nozzle.interval < 0.03; ++sample)
  {
    plain.advanceTo(std::llround((nozzle.start + sample * nozzle.interval) / dt));
    const dem::Frame f = plain.frame();
    const std::vector<double> radius(f.radius.begin(), f.radius.end());
    dem::RayGrains grains;
    grains.size = f.size;
    grains.position = f.position.data();
    grains.radius = radius.data();
    grains.id = f.id.data();
    std::vector<dem::BorderPlane> borders; // the domain's floor and ceiling
    borders.push_back({ s.domain.lower, { 0, 0, 1 }, 0 });
    borders.push_back({ s.domain.upper, { 0, 0, -1 }, 0 });
    caster.setWalls(dem::wallsInSpace(dem::makeWallSet(s.walls, borders), f.time));
    caster.setGrains(
      grains, { { 0, s.domain.lower.y, 0 }, { 0, 0.06, 0 } }, dem::RaySearch::UniformGrid);
    std::vector<dem::RayHit> rays;
    caster.cast(nozzle, 0, sample, rays);
    std::map<std::int64_t, bool> met;
    for (const dem::RayHit& ray : rays)
    {
      on_walls += ray.surface >= f.size && ray.surface != dem::RayHit::kNothing;
      if (ray.surface >= f.size)
        continue;
      ++hits[f.id[ray.surface]];
      met[f.id[ray.surface]] = true;
      ++on_grains;
    }
    for (const auto& grain : met)
      ++intervals[grain.first];
    emitted += rays.size();
  }
  const auto end = static_cast<std::uint64_t>(std::llround(0.03 / dt)) - 1;
  plain.advanceTo(end);
  run.advanceTo(end);
  const dem::Frame f = run.frame();
  dem::Frame bare = run.frame();
  bare.coating = {};
  for (dem::WallFrame& wall : bare.walls)
  {
    wall.coating_mass = {};
    wall.total_coating = 0;
  }
  bare.statistics.spray_emitted = bare.statistics.spray_on_grains = 0;
  bare.statistics.spray_on_walls = bare.statistics.spray_missed = 0;
  bare.statistics.sprayed_mass = bare.statistics.sprayed_on_grains = 0;
  bare.statistics.sprayed_on_walls = bare.statistics.coating_variation = 0;
  bare.statistics.patch_variation = 0;
  EXPECT_SAME_BITS(plain.frame(), bare);
  expectBooks(f);
  EXPECT_EQ(f.statistics.spray_emitted, emitted);
  EXPECT_EQ(f.statistics.spray_on_grains, on_grains);
  EXPECT_EQ(f.statistics.spray_on_walls, on_walls);
  EXPECT_GT(on_grains, 3000u);
  EXPECT_GT(on_walls, 100u);
  const double of_ray = nozzle.mass_rate * nozzle.interval / nozzle.rays;
  double sum = 0, square = 0;
  for (std::size_t i = 0; i < f.size; ++i)
  {
    EXPECT_EQ(f.coating.hits[i], hits[f.id[i]]);
    EXPECT_NEAR(f.coating.mass[i], of_ray * hits[f.id[i]], 1e-12 * of_ray * hits[f.id[i]]);
    EXPECT_NEAR(f.coating.time[i], nozzle.interval * intervals[f.id[i]], 1e-12);
    sum += f.coating.mass[i];
    square += f.coating.mass[i] * f.coating.mass[i];
  }
  const double mean = sum / f.size;
  EXPECT_NEAR(
    f.statistics.coating_variation, std::sqrt(square / f.size - mean * mean) / mean, 1e-9);
  double walls = 0;
  for (const dem::WallFrame& wall : f.walls)
  {
    walls += wall.total_coating;
    EXPECT_NEAR(std::accumulate(wall.coating_mass.begin(), wall.coating_mass.end(), 0.),
      wall.coating_mass.empty() ? 0 : wall.total_coating, 1e-15);
  }
  EXPECT_GT(walls, 0);
  EXPECT_LE(walls, of_ray * on_walls * (1 + 1e-9)); // the rest is on the borders
}

TEST_P(RunSpray, SameBitsHoweverTheRunIsCut)
{
  dem::Simulation straight = simulate(scene());
  std::vector<dem::Frame> expected;
  for (std::uint64_t k = 0; k <= 8; ++k)
  {
    straight.advanceTo(k * straight.plan().steps_per_output);
    expected.push_back(straight.frame());
    expectBooks(expected.back());
  }
  ASSERT_GT(expected[8].statistics.spray_on_grains, 10000u);
  ASSERT_GT(expected[8].statistics.coating_variation, 0);
  ASSERT_EQ(expected[8].coating.patch_mass.size(), 24 * expected[8].size);
  for (const std::size_t memory : { std::size_t(1) << 28, std::size_t(1) })
  {
    dem::Timeline t(scene(), settings(memory, memory == 1 ? 1 : 0));
    for (std::uint64_t k : { 3, 8, 2, 7, 0, 8 })
      ASSERT_SAME_BITS(expected[k], *t.at(k).frame) << "output " << k;
  }
  // in pieces, with rebuilds of its own, with the other search
  dem::Scene other = scene();
  other.spray.search = dem::RaySearch::BVH;
  dem::Simulation pieces = simulate(other);
  const std::uint64_t end = 8 * pieces.plan().steps_per_output;
  for (int k = 0; pieces.step() < end; ++k)
  {
    int calls = 0;
    pieces.advanceTo(
      std::min(end, pieces.step() + 7), [&](std::uint64_t, double) { return ++calls < 5; });
    if (k % 50 == 0)
    {
      pieces.forceRebuild();
      pieces.frame();
    }
  }
  EXPECT_SAME_BITS(expected[8], pieces.frame());
  // saved at any step
  dem::Simulation saved = simulate(scene());
  for (const std::uint64_t step : { end / 3, end / 2 + 1 })
  {
    saved.advanceTo(step);
    const dem::SnapshotBytes bytes = saved.save();
    dem::Simulation restored = simulate(scene(), 1);
    restored.restore(bytes);
    EXPECT_EQ(restored.save(), bytes);
    EXPECT_SAME_BITS(saved.frame(), restored.frame());
    restored.advanceTo(end);
    EXPECT_SAME_BITS(expected[8], restored.frame()) << "saved at step " << step;
  }
}

TEST_P(RunSpray, SteeringKeepsTheCoating)
{
  dem::Timeline t(scene(), settings());
  const double before = t.at(4).frame->statistics.spray_on_grains;
  t.steer(4, "Gravity", { 0, 0, 5 });
  const auto first = t.at(8).frame;
  EXPECT_GT(first->statistics.spray_on_grains, before);
  expectBooks(*first);
  t.at(1);
  EXPECT_SAME_BITS(*first, *t.at(8).frame);
}

// An event changes a nozzle from its next sample on: the mass per ray, where it stands, or whether
// it sprays at all.
TEST_P(RunSpray, SteeredNozzles)
{
  dem::Scene s = scene();
  s.nozzles.resize(1);
  const dem::Nozzle n = s.nozzles[0];
  const double first = n.start + 3.5 * n.interval, second = n.start + 6.5 * n.interval,
               third = n.start + 8.5 * n.interval;
  s.events = { { first, "NozzleMassRate", { 0, 3 * n.mass_rate } },
    { second, "NozzleMassRate", { 0, 0 } }, { third, "NozzleMassRate", { 0, n.mass_rate } },
    { third, "NozzlePosition", { 0, 0, 0.03, 1 } }, { third, "NozzleAxis", { 0, 0, 0, 1 } } };
  dem::Timeline t(s, settings());
  const auto at = [&](double time) {
    return t.at(static_cast<int>(std::ceil(time / s.output_interval))).frame;
  };
  const auto end = at(0.039);
  expectBooks(*end);
  const dem::Statistics& x = end->statistics;
  const double samples = std::floor((0.04 - n.start) / n.interval) + 1;
  EXPECT_EQ(x.spray_emitted, static_cast<std::uint64_t>(n.rays * (samples - 2))); // two at rate 0
  const double mass = n.mass_rate * n.interval;
  EXPECT_NEAR(x.sprayed_mass / (mass * (4 + 3 * 3 + samples - 9)), 1, 1e-12);
  // above the domain and turned away from it, it misses
  EXPECT_GE(x.spray_missed, static_cast<std::uint64_t>(n.rays * (samples - 9)));
  EXPECT_LT(x.spray_missed, x.spray_emitted);
  const dem::Frame before = *at(0.015);
  at(0.005);
  EXPECT_SAME_BITS(before, *at(0.015));
  EXPECT_SAME_BITS(*end, *at(0.039));

  EXPECT_MENTIONS(errorOf([&] {
    t.steer(4, "NozzleMassRate", { 1, 1 });
  }),
    "nozzle 1 is not in the scene; the number of nozzles is 1");
  EXPECT_MENTIONS(errorOf([&] { t.steer(4, "NozzleAxis", { 0, 0, 0, 0 }); }), "Axis has no length");
  EXPECT_MENTIONS(errorOf([&] { t.steer(4, "NozzleMassRate", { 0, -1 }); }), "MassRate is -1 kg/s");
  EXPECT_MENTIONS(errorOf([&] { t.steer(4, "NozzleSeed", { 0, 1 }); }), "cannot be changed");
}

// The state of a run without nozzles begins a run with them, if they start later; a state with
// coating is of no use to other nozzles.
TEST_P(RunSpray, StatesOfOtherNozzles)
{
  dem::Scene s = scene();
  s.nozzles[1].start = 0.0051;
  dem::Simulation with = simulate(s), without = simulate(scene(false));
  const auto first = static_cast<std::uint64_t>(std::llround(0.0051 / with.plan().time_step));
  without.advanceTo(first);
  const dem::SnapshotBytes early = without.save();
  without.advanceTo(first + 1);
  const dem::SnapshotBytes late = without.save();
  with.advanceTo(2 * first);
  const dem::Frame expected = with.frame();
  dem::Simulation begun = simulate(s);
  begun.restore(early);
  begun.advanceTo(2 * first);
  EXPECT_SAME_BITS(expected, begun.frame());
  EXPECT_MENTIONS(errorOf([&] { begun.restore(late); }),
    "holds no coating, and nozzle 0 ('top') was due 1 times before its time");
  EXPECT_SAME_BITS(expected, begun.frame()); // a refused state changes nothing
  dem::Scene more = s;
  more.nozzles[0].rays += 1;
  dem::Simulation other = simulate(more);
  EXPECT_MENTIONS(errorOf([&] { other.restore(with.save()); }), "coating of other nozzles");
  without.restore(with.save()); // a run without nozzles has no use for it
  EXPECT_EQ(without.frame().statistics.spray_emitted, 0u);
  const dem::SnapshotBytes whole = begun.save();
  for (std::size_t cut = 1; cut < 20000; cut = cut * 3 + 1)
    EXPECT_NE(
      errorOf([&] { begun.restore(dem::SnapshotBytes(whole.begin(), whole.end() - cut)); }), "")
      << cut;
}

// Tablets, polyhedra and clumps are hit on their true shape; the coating goes to bodies, also when
// their parts are sorted.
TEST_P(RunSpray, BodiesAreCoated)
{
  dem::Scene s = emptyScene();
  s.precision = GetParam().precision;
  s.gravity = { 0, 0, -9.81 };
  s.domain.lower = { -0.05, -0.05, 0 };
  s.domain.upper = { 0.05, 0.05, 0.3 };
  s.shapes.push_back(dem::makeTablet("tablet", 0.008, 0.009, 0.003));
  s.shapes.push_back(dem::makeNamedPolyhedron("cube", "Cube", { 1, 1, 1 }));
  s.shapes.push_back(
    dem::makeMultiSphere("pair", { { -0.004, 0, 0 }, { 0.004, 0, 0 } }, { 0.004, 0.004 }));
  addCloud(s, { -0.045, -0.045, 0.005 }, 6, 6, 4, 0.003, 0.004, 0.3, 3, 0.015);
  for (std::size_t i = 0; i < s.particles.size(); ++i)
    s.particles.shape.push_back(static_cast<std::int32_t>(i % 4));
  dem::Nozzle nozzle = topNozzle();
  nozzle.position = { 0, 0, 0.28 };
  nozzle.start = 0;
  nozzle.interval = 0.002;
  s.nozzles.push_back(nozzle);
  s.spray.patches = 1;
  s.output_interval = 0.01;
  s.end_time = 0.02;
  dem::Simulation run = simulate(s);
  run.advanceTo(2 * run.plan().steps_per_output);
  const dem::Frame f = run.frame();
  expectBooks(f);
  std::array<std::int64_t, 4> hits{};
  for (std::size_t i = 0; i < f.size; ++i)
    hits[f.shape[i]] += f.coating.hits[i];
  for (int kind = 0; kind < 4; ++kind)
    EXPECT_GT(hits[kind], 500) << kind;
  dem::Simulation again = simulate(s, 1);
  again.advanceTo(run.step() / 2);
  const dem::SnapshotBytes bytes = again.save();
  dem::Simulation restored = simulate(s);
  restored.restore(bytes);
  restored.advanceTo(run.step());
  EXPECT_SAME_BITS(f, restored.frame());
}

// A nozzle above a plate that turns with a wall: the spray meets the target only while the wall has
// turned it there.
TEST_P(RunSpray, ANozzleMovesWithItsWall)
{
  dem::Scene s = emptyScene();
  s.precision = GetParam().precision;
  addSphere(s, { 0.5, 0, 0 }, 0.05);
  dem::Wall arm = sheetWall(-0.01, 0.01, -0.01, 0.01, 0.8);
  arm.name = "arm";
  rotate(arm, { 0, 0, 0 }, { 0, 1, 0 }, M_PI / 2); // in 1 s from -z to -x, in 3 s to +x
  s.walls.push_back(arm);
  dem::Nozzle n = topNozzle();
  n.position = {};
  n.axis = { 0, 0, -1 };
  n.full_angle = 0.05;
  n.start = 0;
  n.interval = 1;
  n.moves_with = "arm";
  s.nozzles.push_back(n);
  s.time_step = 1e-3;
  s.output_interval = 1;
  s.end_time = 4;
  dem::Simulation run = simulate(s);
  for (std::uint64_t k = 0; k <= 4; ++k)
  {
    run.advanceTo(k * run.plan().steps_per_output);
    EXPECT_EQ(run.frame().coating.hits[0], k < 3 ? 0 : n.rays) << k;
  }
}

// A run without nozzles has no arrays of coating, and its states have the format without them.
TEST_P(RunSpray, NoNozzleCostsNothing)
{
  dem::Simulation run = simulate(scene(false));
  run.advanceTo(5);
  const dem::Frame f = run.frame();
  EXPECT_TRUE(f.coating.mass.empty());
  EXPECT_FALSE(f.statistics.has_spray);
  EXPECT_EQ(run.save()[4], 7);
}

TEST_P(RunSpray, GrainsThatLeaveKeepTheirRays)
{
  dem::Simulation run = simulate(scene());
  run.advanceTo(8 * run.plan().steps_per_output);
  const dem::Frame f = run.frame();
  const std::int64_t hits = std::accumulate(f.coating.hits.begin(), f.coating.hits.end(), 0ll);
  ASSERT_GT(f.statistics.lost, 0u);
  EXPECT_LE(hits, static_cast<std::int64_t>(f.statistics.spray_on_grains));
  double sum = 0, square = 0;
  for (const double m : f.coating.mass)
  {
    sum += m;
    square += m * m;
  }
  const double mean = sum / f.size;
  EXPECT_NEAR(
    f.statistics.coating_variation, std::sqrt(square / f.size - mean * mean) / mean, 1e-9);
}

TEST_P(RunSpray, WhatIsRefused)
{
  const auto refusal = [&](const auto& change) { return refusalOf(scene(), change); };
  EXPECT_MENTIONS(refusal([](dem::Scene& s) { s.nozzles[0].axis = {}; }),
    "Nozzle 0 ('top'): Axis has no length. Give it the direction of the spray");
  EXPECT_MENTIONS(refusal([](dem::Scene& s) { s.nozzles[0].full_angle = 181 * M_PI / 180; }),
    "FullAngle is 181 degrees; it must lie in (0, 180]. 180 degrees is half a sphere");
  EXPECT_MENTIONS(refusal([](dem::Scene& s) { s.nozzles[0].full_angle = 0; }), "FullAngle is 0");
  EXPECT_MENTIONS(refusal([](dem::Scene& s) { s.nozzles[1].full_angle = 3.1; }),
    "Nozzle 1 ('flat'): FullAngle and AcrossAngle of a flat spray must be at most 170 degrees");
  EXPECT_MENTIONS(refusal([](dem::Scene& s) {
    s.nozzles[0].profile = dem::SprayProfile::Gaussian;
    s.nozzles[0].full_angle = M_PI;
  }),
    "profile Gaussian must be at most 170 degrees");
  EXPECT_MENTIONS(
    refusal([](dem::Scene& s) { s.nozzles[1].up = s.nozzles[1].axis; }), "parallel to Axis");
  EXPECT_MENTIONS(refusal([](dem::Scene& s) { s.nozzles[0].mass_rate = -1; }),
    "MassRate is -1 kg/s; it must be above 0, or 0 for no spray");
  EXPECT_MENTIONS(refusal([](dem::Scene& s) { s.nozzles[0].rays = 0; }), "RaysPerSample is 0");
  EXPECT_MENTIONS(refusal([](dem::Scene& s) { s.nozzles[0].rays = 2000000000; }),
    "RaysPerSample is 2000000000; it must lie in [1, 1.34218e+08]. More rays need more than 2 GiB");
  EXPECT_MENTIONS(
    refusal([](dem::Scene& s) { s.nozzles[0].interval = 0; }), "SampleInterval is 0 s");
  EXPECT_MENTIONS(refusal([](dem::Scene& s) { s.nozzles[0].interval = 1e-9; }),
    "SampleInterval is 1e-09 s, less than the time step");
  EXPECT_MENTIONS(refusal([](dem::Scene& s) { s.nozzles[1].stop = 0; }), "Let StopTime be later");
  EXPECT_MENTIONS(refusal([](dem::Scene& s) { s.nozzles[1].moves_with = "drum"; }),
    "names the wall 'drum', which is not in the scene. Known: 'Wall', 'paddle'");
  EXPECT_MENTIONS(refusal([](dem::Scene& s) { s.nozzles[0].position.x = NAN; }), "Position");
  EXPECT_MENTIONS(refusal([](dem::Scene& s) { s.spray.patches = 33; }), "CoatingPatches is 33");
}

TEST(RunSprayFile, TheSceneFileDeclaresNozzles)
{
  const std::string head = R"({"version": 1, "particles": {"position": [[0, 0, 0]], "radius": 0.01},
    "output_interval": 0.01, "end_time": 0.1,
    "walls": [{"name": "arm", "kind": "Line", "origin": [0, 0, 1], "end": [0, 0, 2]}])";
  EXPECT_TRUE(dem::parseScene(head + "}", "", "case").nozzles.empty());
  const dem::Scene s = dem::parseScene(head + R"(, "ray_search": "Uniform Grid",
    "coating_patches": 3, "nozzles": [{"position": [1, 2, 3], "axis": [0, 1, 0]},
    {"name": "side", "position": [4, 5, 6], "axis": [0, 0, 1], "up": [0, 1, 0], "full_angle": 90,
     "across_angle": 30, "profile": "Gaussian", "mass_rate": 2, "rays_per_sample": 7,
     "sample_interval": 0.5, "start": 1, "stop": 2, "seed": 8, "moves_with": "arm"}]})",
    "", "case");
  ASSERT_EQ(s.nozzles.size(), 2u);
  EXPECT_EQ(s.spray.patches, 3);
  EXPECT_EQ(s.spray.search, dem::RaySearch::UniformGrid);
  EXPECT_EQ(s.nozzles[0].name, "Nozzle 1");
  EXPECT_EQ(s.nozzles[0].full_angle, dem::Nozzle().full_angle);
  const dem::Nozzle& n = s.nozzles[1];
  EXPECT_EQ(n.name, "side");
  EXPECT_EQ(n.position, (Vec3d{ 4, 5, 6 }));
  EXPECT_EQ(n.up, (Vec3d{ 0, 1, 0 }));
  EXPECT_NEAR(n.full_angle, M_PI / 2, 1e-15);
  EXPECT_NEAR(n.across_angle, M_PI / 6, 1e-15);
  EXPECT_EQ(n.profile, dem::SprayProfile::Gaussian);
  EXPECT_EQ(n.mass_rate, 2);
  EXPECT_EQ(n.rays, 7);
  EXPECT_EQ(n.interval, 0.5);
  EXPECT_EQ(n.start, 1);
  EXPECT_EQ(n.stop, 2);
  EXPECT_EQ(n.seed, 8);
  EXPECT_EQ(n.moves_with, "arm");
  const std::string two = R"(, "nozzles": [{"position": [1, 2, 3], "axis": [0, 1, 0]},
    {"name": "side", "position": [4, 5, 6], "axis": [0, 0, 1]}], "events": [)";
  const std::vector<dem::Event> events = dem::parseScene(
    head + two + R"({"time": 0.5, "property": "NozzleMassRate", "nozzle": "side", "value": 3}]})",
    "", "case")
                                           .events;
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].value, (std::vector<double>{ 1, 3 }));
  const auto refused = [&](const std::string& event) {
    return errorOf([&] { dem::parseScene(head + two + event + "]}", "", "case"); });
  };
  EXPECT_MENTIONS(
    refused(R"({"time": 0, "property": "NozzleAxis", "nozzle": "top", "value": [0, 0, 1]})"),
    "unknown nozzle \"top\". Known: \"Nozzle 1\", \"side\"");
  EXPECT_MENTIONS(refused(R"({"time": 0, "property": "NozzleMassRate", "value": 1})"),
    "needs the key \"nozzle\"");
  EXPECT_MENTIONS(
    refused(R"({"time": 0, "property": "Gravity", "nozzle": "side", "value": [0, 0, 1]})"),
    "goes with NozzleMassRate");
  const auto refusal = [&](const std::string& nozzle) {
    return errorOf(
      [&] { dem::parseScene(head + R"(, "nozzles": [)" + nozzle + "]}", "", "case"); });
  };
  EXPECT_MENTIONS(refusal(R"({"position": [0, 0, 0]})"), "axis");
  EXPECT_MENTIONS(refusal(R"({"position": [0, 0, 0], "axis": [0, 0, 0]})"), "Axis has no length");
  EXPECT_MENTIONS(
    refusal(R"({"position": [0, 0, 0], "axis": [0, 0, 1], "full_angle": 200})"), "full_angle");
  EXPECT_MENTIONS(
    refusal(R"({"position": [0, 0, 0], "axis": [0, 0, 1], "moves_with": "x"})"), "Known: 'arm'");
}
