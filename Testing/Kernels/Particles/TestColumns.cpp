// Passive columns of the particles: each grain keeps the temperature that it was given, through
// sorts, periodic borders, exits, frames and saved states. A run without temperatures has the bytes
// of before.
#include "BusyScene.h"

#include "Scene/File/SceneFile.h"
#include "Scene/Validate.h"
#include "Shapes/Shape.h"
#include "Solver/Timeline.h"
#include "State/SnapshotFormat.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>

using namespace test;

namespace
{

constexpr std::size_t kTemperature = 0;

enum class Grains
{
  Spheres,
  Clumps,
  Tablets,
  Mixed
};

// Another number with all its bits for every Id.
double temperatureOf(std::int64_t id)
{
  return 250 + 0.1 * static_cast<double>(id) + 1e-7 / (1. + id);
}

// 216 grains that fly through a box: periodic in y, removing in x, with walls in z. Ids are not in
// the order of the grains.
dem::Scene flyingGrains(Grains kind)
{
  dem::Scene s = emptyScene();
  s.gravity = { 4, 0, -9.81 };
  s.materials[0].restitution = 0.6;
  s.materials[0].friction = 0.4;
  s.domain.lower = { -0.035, 0, 0 };
  s.domain.upper = { 0.035, 0.06, 0.08 };
  s.domain.exit = { dem::Exit::Remove, dem::Exit::Periodic, dem::Exit::Wall };
  addCloud(s, { -0.03, 0, 0.005 }, 6, 6, 6, 0.0016, 0.003, 0.8, 5, 0.01, 30);
  if (kind != Grains::Spheres)
  {
    s.shapes.push_back(
      dem::makeMultiSphere("pair", { { 0, 0, 0.002 }, { 0, 0, -0.002 } }, { 0.0025, 0.0015 }));
    s.shapes.push_back(dem::makeTablet("pill", 0.005, 0.0045, 0.0015));
    s.shapes.push_back(dem::makeNamedPolyhedron("brick", "Brick", { 0.005, 0.004, 0.003 }));
    for (std::size_t i = 0; i < s.particles.size(); ++i)
      s.particles.shape.push_back(kind == Grains::Mixed ? static_cast<int>(i % 4)
          : kind == Grains::Clumps                      ? static_cast<int>(i % 2)
                                                        : 2);
  }
  for (std::size_t i = 0; i < s.particles.size(); ++i)
    s.particles.id.push_back(static_cast<std::int64_t>(7 * ((i * 61) % 216) + 3));
  s.initial_overlap_tolerance = 0.2; // clumps reach farther than the spheres of their volume
  s.end_time = 0.08;
  s.output_interval = 0.01;
  return s;
}

void giveTemperatures(dem::Scene& s)
{
  s.particles.temperature.clear();
  for (std::int64_t id : s.particles.id)
    s.particles.temperature.push_back(temperatureOf(id));
}

dem::FrameSelection withTemperature()
{
  dem::FrameSelection selection;
  selection.passive[kTemperature] = true;
  return selection;
}

// Each grain of the frame has the temperature of its Id, to the bit.
void expectTemperatures(const dem::Frame& f)
{
  const dem::HostArray<double>& shown = f.passive[kTemperature];
  ASSERT_EQ(shown.size(), f.size);
  for (std::size_t k = 0; k < f.size; ++k)
    ASSERT_EQ(shown[k], temperatureOf(f.id[k])) << "Id " << f.id[k];
}

void expectTemperature(const dem::Frame& f, double temperature)
{
  const dem::HostArray<double>& shown = f.passive[kTemperature];
  ASSERT_EQ(shown.size(), f.size);
  for (std::size_t k = 0; k < f.size; ++k)
    ASSERT_EQ(shown[k], temperature) << "Id " << f.id[k];
}

std::uint32_t versionOf(const dem::SnapshotBytes& state)
{
  std::uint32_t version;
  std::memcpy(&version, state.data() + 4, sizeof version);
  return version;
}
void setVersion(dem::SnapshotBytes& state, std::uint32_t version)
{
  std::memcpy(state.data() + 4, &version, sizeof version);
}

// Bytes of the passive columns at the end of a state: count, name, values.
std::size_t tailBytes(std::size_t values)
{
  return 4 + 8 + std::strlen("Temperature") + 8 + 8 * values;
}

class Columns : public BackendTest
{
protected:
  // Runs with looks, new lists and a saved state in between. `many`: with the kernels for many
  // particles.
  void carry(const dem::Scene& scene, bool many)
  {
    dem::Simulation sim = simulate(scene);
    if (many)
      sim.stepAsMany();
    expectTemperatures(sim.frame(withTemperature()));
    const std::uint64_t steps = sim.plan().steps_per_output;
    sim.advanceTo(2 * steps);
    sim.forceRebuild();
    expectTemperatures(sim.frame(withTemperature()));
    sim.advanceTo(3 * steps);
    const std::string path = testing::TempDir() + "paragrain-columns-" + backendName(GetParam());
    dem::writeSnapshotFile(path, sim.save());
    const dem::SnapshotBytes saved = dem::readSnapshotFile(path);
    std::remove(path.c_str());
    sim.advanceTo(7 * steps);
    const dem::Frame end = sim.frame(withTemperature());
    expectTemperatures(end);
    EXPECT_GT(end.statistics.lost, 10u);
    EXPECT_GT(end.size, 20u);
    EXPECT_GT(sim.searchCounts().sorts, 5u);

    dem::Simulation other = simulate(scene);
    other.restore(saved);
    EXPECT_EQ(other.save(), saved);
    expectTemperatures(other.frame(withTemperature()));
    other.advanceTo(7 * steps);
    EXPECT_SAME_BITS(end, other.frame(withTemperature()));
  }
};
PARAGRAIN_ON_ALL_BACKENDS(Columns);

} // namespace

TEST_P(Columns, SpheresKeepTheirTemperature)
{
  dem::Scene s = flyingGrains(Grains::Spheres);
  giveTemperatures(s);
  carry(s, false);
  s.broad_phase.sort = dem::SortKind::EverySteps;
  s.broad_phase.sort_steps = 20;
  carry(s, true);
  s.integrator = dem::IntegratorKind::GearPredictorCorrector;
  carry(s, false);
}

TEST_P(Columns, ClumpsKeepTheirTemperature)
{
  dem::Scene s = flyingGrains(Grains::Clumps);
  giveTemperatures(s);
  carry(s, false);
}

TEST_P(Columns, TabletsKeepTheirTemperature)
{
  dem::Scene s = flyingGrains(Grains::Tablets);
  giveTemperatures(s);
  carry(s, false);
}

TEST_P(Columns, MixedShapesKeepTheirTemperature)
{
  dem::Scene s = flyingGrains(Grains::Mixed);
  giveTemperatures(s);
  carry(s, false);
}

TEST_P(Columns, NeighborListsKeepTemperatures)
{
  dem::Scene s = flyingGrains(Grains::Spheres);
  giveTemperatures(s);
  s.neighbor_list.kind = dem::NeighborListKind::Dynamic;
  carry(s, false);
}

// Steps of the slider in any order.
TEST_P(Columns, TemperaturesOfATimeline)
{
  dem::Scene s = flyingGrains(Grains::Clumps);
  giveTemperatures(s);
  s.precision = GetParam().precision;
  dem::TimelineOptions options;
  options.run = this->options();
  options.selection = withTemperature();
  options.frame_memory = 1; // only the newest frame is kept
  dem::Timeline timeline(s, options);
  for (int output : { 3, 1, 5, 0, 4 })
    expectTemperatures(*timeline.at(output).frame);
  timeline.select({});
  EXPECT_EQ(timeline.at(2).frame->passive[kTemperature].size(), 0u);
}

// A run without temperatures saves format 7. One with temperatures differs from it in the version
// and in what follows the end of the other, whatever was shown.
TEST_P(Columns, WithoutTemperaturesStatesAreAsBefore)
{
  for (Grains kind : { Grains::Spheres, Grains::Mixed })
  {
    dem::Scene s = flyingGrains(kind);
    dem::Simulation plain = simulate(s), shown = simulate(s);
    giveTemperatures(s);
    dem::Simulation warm = simulate(s);
    for (dem::Simulation* sim : { &plain, &shown, &warm })
    {
      if (sim == &shown)
        expectTemperature(sim->frame(withTemperature()), 293.15);
      advance(*sim, 700);
    }
    EXPECT_LT(plain.deviceBytes(), warm.deviceBytes());
    expectTemperature(shown.frame(withTemperature()), 293.15);
    const dem::SnapshotBytes before = plain.save();
    EXPECT_EQ(versionOf(before), 7u);
    EXPECT_EQ(shown.save(), before);
    dem::SnapshotBytes now = warm.save();
    EXPECT_EQ(versionOf(now), 8u);
    setVersion(now, 7);
    ASSERT_GT(now.size(), before.size());
    now.resize(before.size());
    EXPECT_EQ(now, before);
    EXPECT_SAME_BITS(plain.frame(), warm.frame());
  }
}

TEST_P(Columns, InitialTemperature)
{
  for (Grains kind : { Grains::Spheres, Grains::Clumps })
  {
    dem::Scene s = flyingGrains(kind);
    s.initial_temperature = 350.25;
    dem::Simulation sim = simulate(s);
    sim.advanceTo(700);
    expectTemperature(sim.frame(withTemperature()), 350.25);
    EXPECT_EQ(versionOf(sim.save()), 8u);
    // the array counts, not the property
    giveTemperatures(s);
    dem::Simulation given = simulate(s);
    expectTemperatures(given.frame(withTemperature()));
  }
}

// The last grain leaves; the state still has the column, now empty.
TEST_P(Columns, EveryGrainLeaves)
{
  dem::Scene s = emptyScene();
  s.domain.exit = { dem::Exit::Remove, dem::Exit::Remove, dem::Exit::Remove };
  s.domain.lower = { -0.1, -0.1, -0.1 };
  s.domain.upper = { 0.1, 0.1, 0.1 };
  addSphere(s, {}, 0.01, { 2, 0, 0 });
  s.particles.temperature = { 300 };
  setSteps(s, 1e-4, 1000);
  dem::Simulation sim = simulate(s), other = simulate(s);
  sim.advanceTo(1000);
  const dem::SnapshotBytes empty = sim.save();
  EXPECT_EQ(sim.frame(withTemperature()).size, 0u);
  EXPECT_EQ(versionOf(empty), 8u);
  other.restore(empty);
  EXPECT_EQ(other.save(), empty);
}

TEST_P(Columns, StatesOfOtherScenes)
{
  dem::Scene s = flyingGrains(Grains::Mixed);
  dem::Simulation plain = simulate(s);
  plain.advanceTo(100);
  const dem::SnapshotBytes without = plain.save();
  giveTemperatures(s);
  dem::Simulation warm = simulate(s);
  warm.advanceTo(150);
  const dem::SnapshotBytes with = warm.save();

  // a scene without temperatures takes those of the state, and loses them with a state without
  plain.restore(with);
  expectTemperatures(plain.frame(withTemperature()));
  EXPECT_EQ(plain.save(), with);
  plain.restore(without);
  expectTemperature(plain.frame(withTemperature()), 293.15);
  EXPECT_EQ(plain.save(), without);

  // a property serves all grains of a state without temperatures, and none of one with them
  dem::Scene of_property = flyingGrains(Grains::Mixed);
  of_property.initial_temperature = 310;
  dem::Simulation tepid = simulate(of_property);
  tepid.restore(without);
  expectTemperature(tepid.frame(withTemperature()), 310);
  tepid.restore(with);
  expectTemperatures(tepid.frame(withTemperature()));

  // an input with temperatures does not know those of the grains of a state without
  const std::string message = errorOf([&] { warm.restore(without); });
  EXPECT_MENTIONS(message, "The saved state has no Temperature of the particles");
  EXPECT_MENTIONS(message, "leave the array Temperature out of the input");
  EXPECT_MENTIONS(message, "InitialTemperature");
  EXPECT_EQ(warm.save(), with);
}

TEST_P(Columns, BrokenColumnsOfStatesAreRefused)
{
  dem::Scene s = flyingGrains(Grains::Clumps);
  giveTemperatures(s);
  dem::Simulation sim = simulate(s);
  const dem::SnapshotBytes sound = sim.save();
  const std::size_t parts = 216 + 108, tail = sound.size() - tailBytes(parts);
  std::uint32_t count;
  std::memcpy(&count, sound.data() + tail, sizeof count);
  ASSERT_EQ(count, 1u);
  const std::size_t name = tail + 12, values = name + std::strlen("Temperature") + 8;
  const auto refusal = [&](const std::function<void(dem::SnapshotBytes&)>& spoil) {
    dem::SnapshotBytes bytes = sound;
    spoil(bytes);
    return errorOf([&] { sim.restore(bytes); });
  };
  EXPECT_MENTIONS(refusal([&](auto& b) { b[name] = 'X'; }),
    "has the array Xemperature of the particles, which this program does not know");
  EXPECT_MENTIONS(refusal([&](auto& b) { b[name] = 7; }), "name of an array of the particles");
  EXPECT_MENTIONS(refusal([&](auto& b) { b[tail] = 2; }), "it ends too early");
  EXPECT_MENTIONS(refusal([&](auto& b) {
    b[tail] = 2;
    b.insert(b.end(), sound.begin() + tail + 4, sound.end());
  }),
    "Temperature is there twice");
  EXPECT_MENTIONS(refusal([&](auto& b) { b.push_back(0); }), "more behind its end");
  for (double bad : { -1., std::numeric_limits<double>::quiet_NaN(),
         std::numeric_limits<double>::infinity(), 300. })
  {
    const std::string message =
      refusal([&](auto& b) { std::memcpy(b.data() + values + 8 * 323, &bad, sizeof bad); });
    EXPECT_MENTIONS(message, "Temperature of particle 323 is not possible") << bad;
  }
  expectTemperatures(sim.frame(withTemperature()));
  EXPECT_EQ(sim.save(), sound);
}

TEST(ColumnsOfFiles, BadTemperaturesAreRefused)
{
  const auto message = [](auto&& spoil) {
    dem::Scene s = flyingGrains(Grains::Spheres);
    giveTemperatures(s);
    spoil(s);
    return errorOf([&] { dem::validate(s); });
  };
  EXPECT_EQ(message([](auto& s) { s.particles.temperature[5] = -3; }),
    "Particle 5: Temperature is -3 K; it must be at least 0.");
  EXPECT_MENTIONS(
    message([](auto& s) { s.particles.temperature[6] = std::nan(""); }), "Particle 6: Temperature");
  EXPECT_MENTIONS(
    message([](auto& s) { s.particles.temperature[7] = HUGE_VAL; }), "Particle 7: Temperature");
  EXPECT_EQ(message([](auto& s) { s.particles.temperature.pop_back(); }),
    "The particles have 216 radii but 215 values of Temperature.");
  EXPECT_EQ(message([](auto& s) { s.initial_temperature = -1; }),
    "InitialTemperature is -1 K; it must be at least 0.");
}

TEST(ColumnsOfFiles, TemperaturesOfSceneFiles)
{
  const auto parse = [](const std::string& more) {
    return dem::parseScene(
      R"({ "version": 1, "initial_temperature": 310, )" + more + "}", "", "a.dem");
  };
  const std::string list =
    R"("particles": { "position": [[0, 0, 0.5], [0.1, 0, 0.5]], "radius": 0.01)";
  const std::string packing =
    R"({ "lower": [0.2, 0, 0], "upper": [0.22, 0.01, 0.01], "radius": 0.005)";
  using Values = std::vector<double>;
  EXPECT_EQ(parse(list + "}").initial_temperature, 310);
  EXPECT_EQ(parse(list + "}").particles.temperature, Values());
  EXPECT_EQ(
    parse(list + R"(, "temperature": [300.5, 0] })").particles.temperature, (Values{ 300.5, 0 }));
  EXPECT_EQ(parse(list + R"(, "temperature": 290 })").particles.temperature, (Values{ 290, 290 }));
  const auto packings = [&](const std::string& one, const std::string& two) {
    return parse(list + R"( }, "packings": [)" + packing + one + "}," + packing + two + "}]")
      .particles.temperature;
  };
  EXPECT_EQ(packings("", ""), Values());
  const Values mixed = packings("", R"(, "temperature": 400)");
  const std::size_t each = (mixed.size() - 2) / 2;
  ASSERT_GE(each, 1u);
  for (std::size_t i = 0; i < mixed.size(); ++i)
    EXPECT_EQ(mixed[i], i < 2 + each ? 310 : 400) << i;
  const auto refusal = [&](const std::string& text) { return errorOf([&] { parse(text); }); };
  EXPECT_MENTIONS(refusal(list + R"(, "temperature": -1 })"), "/particles/temperature: found -1");
  EXPECT_MENTIONS(
    refusal(list + R"(, "temperature": [300, -2] })"), "/particles/temperature/1: found -2");
  EXPECT_MENTIONS(refusal(list + R"(, "temperature": [300] })"),
    "/particles/temperature: has 1 entries, and there are 2 positions");
  EXPECT_MENTIONS(
    refusal(R"("packings": [)" + packing + R"(, "temperature": -4 }])"), "/packings/0/temperature");
}
