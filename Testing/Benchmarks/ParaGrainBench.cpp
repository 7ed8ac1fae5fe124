// paragrain-bench: times the solver without ParaView. See `paragrain-bench --help`.
#include "Core/Error.h"
#include "Solver/Packing.h"
#include "Solver/SceneFile.h"
#include "Solver/Simulation.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>
#include <string>
#include <type_traits>

namespace
{

using dem::Vec3d;

constexpr const char* kHelp =
  "paragrain-bench: times the ParaGrain solver\n"
  "  --list                 the cases\n"
  "  --case NAME            run a case (default: settled)\n"
  "  --particles N          how many (default 100000)\n"
  "  --device auto|cpu|cuda (default auto)    --threads T (CPU, default all)\n"
  "  --precision mixed|double\n"
  "  --base N               settle at most N grains and tile them (default 1000000 on CUDA, 4000 on the CPU)\n"
  "  --steps K              timed steps (default: about ten seconds, at least 200)\n"
  "  --rebuild K            force a list rebuild every K steps (default 20; 0 = only when needed)\n"
  "  --skin S               list skin in mean diameters (default 0.1)\n"
  "  --broad-phase NAME     Automatic (default), Sorted Grid, Linked Cells, Fixed Cells, Hashed Infinite Grid, BVH, Hierarchical Grid; its options:\n"
  "      --cell-order NAME  --linked-cells NAME  --fixed-cells NAME  --cell-capacity N  --hash-function NAME\n"
  "      --hash-table-factor N  --bvh-key-bits 30|63  --half-search   (names as in .dem files; an unknown one lists the known)\n"
  "  --triangle-search NAME BVH (default), Uniform Grid\n"
  "  --sort-particles NAME  Every Rebuild (default), Every Steps, Every Time, Never; --sort-steps N, --sort-time S\n"
  "  --integrator NAME      Velocity Verlet (default), Semi-Implicit Euler, Gear Predictor-Corrector\n"
  "  --no-history  --statistics   without tangential history; with ContactStatistics\n"
  "  --frames K             also time K frames (position, radius, velocity) of the finished state\n"
  "  --export FILE.dem      write the case's bed as a scene and leave\n"
  "  --scene FILE.dem --until T --out FILE.csv   run a scene instead and write one row of statistics an output\n"
  "  --scene FILE.dem --steps K   time a scene as if it were a case (its own skin; --warm W steps before, default 1000)\n"
  "  --json FILE            the results as JSON\n";

struct Options
{
  std::string name = "settled", scene, out, json, bed, precision = "mixed";
  std::int64_t particles = 100000, steps = 0, warm = 1000, base = 0;
  int rebuild = 20, frames = 0;
  double until = -1, skin = 0.1;
  bool history = true, statistics = false;
  dem::BroadPhaseOptions search;
  dem::IntegratorKind integrator = dem::IntegratorKind::VelocityVerlet;
  bool own_integrator = false;
  bool own_search = false; // search was chosen here: it holds for --scene too
  dem::RunOptions run;
};

struct Case
{
  const char* name;
  const char* what;
};
constexpr Case kCases[] = {
  { "settled", "equal spheres settled in a box, e = 0.5, mu = 0.4, history and walls" },
  { "bidisperse", "as settled, with one sphere of ten times the radius for each 3,600" },
  { "gas", "the same number of spheres as a loose gas without gravity: hardly any contacts" },
};

dem::Scene boxScene(const Options& options, dem::ParticleInput particles, const Vec3d& upper)
{
  dem::Scene scene;
  dem::Material& grain = scene.materials[0];
  grain.youngs_modulus = 1e7;
  grain.restitution = 0.5;
  grain.friction = 0.4;
  scene.particles = std::move(particles);
  scene.domain.upper = upper;
  scene.domain.lower = {};
  scene.contact.tangential_history = options.history;
  scene.contact_statistics = options.statistics;
  scene.precision = options.precision == "double" ? dem::Precision::Double : dem::Precision::Mixed;
  scene.output_interval = 1e-3;
  scene.end_time = 100;
  scene.time_step = 1e-5;
  scene.initial_overlap_tolerance = 0.3; // deep beds are pressed together where they start again
  scene.skin = options.skin * 0.004;
  scene.broad_phase = options.search;
  scene.integrator = options.integrator;
  return scene;
}

constexpr double kRadius = 0.002;

// A lattice of spheres of ten times the radius, one for each 3,600 (Kureck 2016, table 6.13: 276 in a million), in place of the small
// ones there.
void addLargeSpheres(dem::ParticleInput& particles, const Vec3d& box)
{
  const double large = 10 * kRadius, spacing = std::cbrt(3600.) * 2.04 * kRadius;
  dem::ParticleInput out;
  const auto lattice = [&](int k, double x) {
    const double n = std::max(1., std::floor(box[k] / spacing)), cell = box[k] / n;
    return (std::min(n - 1, std::max(0., std::floor(x / cell))) + 0.5) * cell;
  };
  for (std::size_t i = 0; i < particles.size(); ++i)
  {
    const Vec3d p = particles.position[i], d = p - Vec3d{ lattice(0, p.x), lattice(1, p.y), lattice(2, p.z) };
    if (length(d) < large + 1.05 * kRadius)
      continue;
    out.position.push_back(p);
    out.velocity.push_back(particles.velocity[i]);
    out.radius.push_back(kRadius);
  }
  for (double z = 0; z < box.z; z += spacing)
    for (double y = 0; y < box.y; y += spacing)
      for (double x = 0; x < box.x; x += spacing)
      {
        const Vec3d c{ lattice(0, x), lattice(1, y), lattice(2, z) };
        if (std::none_of(out.position.rbegin(), out.position.rend(), [&](const Vec3d& p) { return length(p - c) < large; }))
        {
          out.position.push_back(c);
          out.velocity.push_back({});
          out.radius.push_back(large);
        }
      }
  particles = std::move(out);
}

// Settles a column of `n` grains of depth `layers` and gives it back with its box.
dem::ParticleInput settle(const Options& options, std::int64_t n, int layers, Vec3d& box)
{
  const double pitch = 2.04 * kRadius;
  const auto side = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(n) / layers)));
  dem::PackingSpec spec;
  spec.kind = dem::PackingKind::JitteredLattice;
  spec.radius = kRadius;
  spec.spacing = pitch;
  spec.count = n;
  box = { side * pitch * 1.0001, side * pitch * 1.0001, (static_cast<double>(n) / (side * side) + 3) * pitch };
  spec.lower = {};
  spec.upper = box;
  // a little speed at random, so that the lattice does not fall as one block
  dem::ParticleInput particles = dem::makePacking(spec);
  particles.velocity.resize(particles.size());
  std::uint64_t seed = 12345;
  for (Vec3d& v : particles.velocity)
    for (int k = 0; k < 3; ++k)
    {
      seed = seed * 6364136223846793005ull + 1442695040888963407ull;
      v[k] = (static_cast<double>(seed >> 11) / 9007199254740992.0 - 0.5) * 0.4;
    }
  if (options.name == "bidisperse")
    addLargeSpheres(particles, box);
  dem::Scene scene = boxScene(options, particles, box);
  if (options.name == "bidisperse")
    scene.broad_phase.kind = dem::BroadPhaseKind::HierarchicalGrid; // only to get there; bits do not depend on it
  dem::Simulation simulation(scene, options.run);
  double rest = 1;
  for (int k = 1; k <= 60 && rest > 2e-5; ++k)
  {
    simulation.advanceTo(k * 1000);
    const dem::Statistics s = simulation.statistics();
    const double mass = 4. / 3 * 3.14159265 * kRadius * kRadius * kRadius * 2500 * static_cast<double>(s.particles);
    rest = s.kinetic_energy / (mass * 9.81 * 2 * kRadius);
    if (k % 10 == 0)
      std::fprintf(stderr, "settling %lld grains: t = %.2f s, kinetic energy %.2e m g d\n", static_cast<long long>(n), s.time, rest);
  }
  const dem::Frame f = simulation.frame();
  dem::ParticleInput out;
  for (std::size_t i = 0; i < f.size; ++i)
  {
    out.position.push_back({ f.position[3 * i], f.position[3 * i + 1], f.position[3 * i + 2] });
    out.radius.push_back(particles.radius[static_cast<std::size_t>(f.id[i])]);
  }
  return out;
}

// Mirror images of a bed across its side walls: no overlap is made, and the images settle again in a few steps.
dem::ParticleInput tile(const dem::ParticleInput& base, const Vec3d& box, std::int64_t n, Vec3d& whole)
{
  const auto tiles = static_cast<std::int64_t>((n + base.size() - 1) / base.size());
  const auto nx = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(tiles)))), ny = (tiles + nx - 1) / nx;
  whole = { nx * box.x, ny * box.y, box.z };
  dem::ParticleInput out;
  for (std::int64_t t = 0; t < nx * ny; ++t)
  {
    const std::int64_t tx = t % nx, ty = t / nx;
    for (std::size_t i = 0; i < base.size(); ++i)
    {
      Vec3d p = base.position[i];
      p.x = (tx % 2 ? box.x - p.x : p.x) + tx * box.x;
      p.y = (ty % 2 ? box.y - p.y : p.y) + ty * box.y;
      out.position.push_back(p);
      out.radius.push_back(base.radius[i]);
    }
  }
  return out;
}

std::string prepared(const Options& options, dem::Simulation*& simulation)
{
  const bool on_gpu = options.run.device != dem::DeviceKind::CPU && dem::cudaUnavailableReason().empty();
  const std::int64_t base_size = std::min<std::int64_t>(options.particles, options.base > 0 ? options.base : on_gpu ? 1000000 : 4000);
  Vec3d box;
  std::string how;
  dem::Scene scene;
  if (!options.scene.empty())
  {
    scene = dem::readSceneFile(options.scene);
    if (options.own_search)
      scene.broad_phase = options.search;
    if (options.own_integrator)
      scene.integrator = options.integrator;
    how = options.scene;
  }
  else if (options.name == "gas")
  {
    dem::PackingSpec spec;
    spec.radius = kRadius;
    spec.spacing = 4 * kRadius;
    spec.count = options.particles;
    const double side = std::ceil(std::cbrt(static_cast<double>(options.particles))) * spec.spacing;
    spec.lower = {};
    spec.upper = { side * 1.001, side * 1.001, side * 1.001 };
    scene = boxScene(options, dem::makePacking(spec), spec.upper);
    scene.gravity = {};
    how = "jittered lattice, spacing two diameters";
  }
  else
  {
    const int layers = static_cast<int>(std::max(10., std::min(60., std::cbrt(static_cast<double>(base_size)))));
    const dem::ParticleInput base = settle(options, base_size, layers, box);
    Vec3d whole;
    const dem::ParticleInput all = tile(base, box, options.particles, whole);
    scene = boxScene(options, all, whole);
    how = "settled bed of " + std::to_string(base.size()) + ", mirror-tiled to " + std::to_string(all.size()) + ", relaxed 1000 steps";
  }
  simulation = new dem::Simulation(scene, options.run);
  simulation->advanceTo(options.warm);
  return how;
}

nlohmann::ordered_json triples(const float* values, std::size_t n)
{
  auto list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < n; ++i)
    list.push_back({ values[3 * i], values[3 * i + 1], values[3 * i + 2] });
  return list;
}

// The present instant as a scene of its own. Contact history is not part of it: grains that rest on friction settle once more.
void exportBed(const std::string& path, dem::Simulation& simulation)
{
  const dem::Frame f = simulation.frame();
  const dem::Scene& scene = simulation.scene();
  const dem::Material& grain = scene.materials[0];
  const auto triple = [](const dem::Vec3d& v) { return nlohmann::ordered_json::array({ v.x, v.y, v.z }); };
  nlohmann::ordered_json j;
  j["version"] = 1;
  j["materials"] = { { { "name", "Grain" }, { "youngs_modulus", grain.youngs_modulus }, { "poissons_ratio", grain.poissons_ratio },
    { "density", grain.density }, { "restitution", grain.restitution }, { "friction", grain.friction } } };
  auto radii = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < f.size; ++i)
    radii.push_back(std::round(f.radius[i] * 1e9) / 1e9); // the frame's are single
  j["particles"] = { { "radius", radii }, { "position", nlohmann::ordered_json::array() },
    { "velocity", triples(f.velocity.data(), f.size) }, { "angular_velocity", triples(f.angular_velocity.data(), f.size) } };
  for (std::size_t i = 0; i < f.size; ++i)
    j["particles"]["position"].push_back({ f.position[3 * i], f.position[3 * i + 1], f.position[3 * i + 2] });
  j["domain"] = { { "lower", triple(scene.domain.lower) }, { "upper", triple(scene.domain.upper) } };
  j["gravity"] = triple(scene.gravity);
  j["contact_model"] = { { "tangential_history", scene.contact.tangential_history } };
  j["time_step"] = scene.time_step;
  j["output_interval"] = scene.output_interval;
  j["end_time"] = 1;
  j["precision"] = scene.precision == dem::Precision::Double ? "Double" : "Mixed";
  j["skin"] = scene.skin;
  j["contact_statistics"] = scene.contact_statistics;
  j["initial_overlap_tolerance"] = scene.initial_overlap_tolerance;
  std::ofstream file(path);
  file << j.dump() << "\n";
  file.flush();
  if (!file)
    throw dem::Error("'" + path + "' cannot be written.");
}

double now()
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int runCase(const Options& options)
{
  if (std::none_of(std::begin(kCases), std::end(kCases), [&](const Case& c) { return options.name == c.name; }))
    throw dem::Error("There is no case '" + options.name + "'. See --list.");
  dem::Simulation* raw = nullptr;
  const std::string how = prepared(options, raw);
  std::unique_ptr<dem::Simulation> simulation(raw);
  if (!options.bed.empty())
  {
    exportBed(options.bed, *simulation);
    return 0;
  }

  std::int64_t steps = options.steps;
  const auto run = [&](std::int64_t count) {
    const double begin = now();
    for (std::int64_t done = 0; done < count;)
    {
      const std::int64_t chunk = options.rebuild > 0 ? std::min<std::int64_t>(options.rebuild, count - done) : count;
      simulation->advanceTo(simulation->step() + chunk);
      done += chunk;
      if (options.rebuild > 0)
        simulation->forceRebuild();
    }
    return now() - begin;
  };
  const double probe = run(100) / 100;
  if (steps == 0)
    steps = std::max<std::int64_t>(200, std::min<std::int64_t>(100000, static_cast<std::int64_t>(10 / probe)) / 20 * 20);
  const dem::SearchCounts before = simulation->searchCounts();
  const std::clock_t cpu = std::clock();
  const double seconds = run(steps);
  const double cpu_seconds = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
  const dem::SearchCounts after = simulation->searchCounts();
  const dem::Statistics s = simulation->statistics();

  const double n = static_cast<double>(s.particles), rate = steps / seconds;
  std::size_t pairs = 0; // contacts that are not with a wall
  {
    const dem::Frame f = simulation->frame();
    for (std::size_t c = 0; c < f.contacts.size; ++c)
      pairs += f.contacts.ids[2 * c] >= 0 && f.contacts.ids[2 * c + 1] >= 0;
  }
  nlohmann::ordered_json j;
  j["case"] = options.scene.empty() ? options.name : "scene";
  j["scene"] = how;
  j["device"] = simulation->device().name;
  j["precision"] = options.precision;
  j["history"] = options.history;
  j["contact_statistics"] = options.statistics;
  j["particles"] = s.particles;
  j["contacts_per_particle"] = 2.0 * static_cast<double>(s.contacts) / n;
  j["pair_contacts_per_particle"] = 2.0 * static_cast<double>(pairs) / n;
  j["list_entries_per_particle"] = static_cast<double>(after.list_entries) / n;
  j["steps"] = steps;
  j["steps_per_rebuild"] = static_cast<double>(steps) / static_cast<double>(std::max<std::uint64_t>(1, after.rebuilds - before.rebuilds));
  j["steps_per_second"] = rate;
  j["cpu_seconds"] = cpu_seconds;
  j["particle_steps_per_second"] = rate * n;
  const dem::BroadPhaseOptions& search = simulation->scene().broad_phase;
  j["integrator"] = dem::kIntegratorNames[static_cast<int>(simulation->scene().integrator)];
  j["broad_phase"] = dem::name(after.search.kind);
  j["triangle_search"] = dem::kTriangleSearchNames[static_cast<int>(search.triangles)];
  j["triangle_cells"] = after.triangle_cells;
  j["triangle_places"] = after.triangle_places;
  j["rebuild_ms"] = 1e3 * (after.rebuild_seconds - before.rebuild_seconds) / static_cast<double>(std::max<std::uint64_t>(1, after.rebuilds - before.rebuilds));
  j["sorts"] = after.sorts - before.sorts;
  j["search_cell_size"] = after.search.cell_size;
  j["search_cells"] = after.search.cells;
  j["search_buckets"] = after.search.buckets;
  j["search_levels"] = after.search.levels;
  j["search_cell_capacity"] = after.search.cell_capacity;
  j["search_bytes_per_particle"] = static_cast<double>(after.search.bytes) / n;
  j["rebuild_share"] = (after.rebuild_seconds - before.rebuild_seconds) / seconds;
  j["bytes_per_particle"] = static_cast<double>(after.device_bytes) / n;
  j["largest_overlap"] = s.largest_overlap;
  if (options.frames > 0)
  {
    dem::FrameSelection selection;
    selection.angular_velocity = selection.orientation = selection.force = selection.torque = selection.mass = selection.material =
      selection.shape = selection.coordination_number = selection.stress = selection.contacts = selection.walls = false;
    { const dem::Frame warm = simulation->frame(selection); }
    const double begin = now();
    for (int k = 0; k < options.frames; ++k)
      const dem::Frame f = simulation->frame(selection);
    j["frame_ms"] = 1e3 * (now() - begin) / options.frames;
  }
  for (const auto& [key, value] : j.items())
    std::printf("%-26s %s\n", key.c_str(), value.dump().c_str());
  if (!options.json.empty())
    std::ofstream(options.json) << j.dump(2) << "\n";
  return 0;
}

int runScene(const Options& options)
{
  dem::Scene scene = dem::readSceneFile(options.scene);
  if (options.own_search)
    scene.broad_phase = options.search;
  if (options.own_integrator)
    scene.integrator = options.integrator;
  if (options.until >= 0)
    scene.end_time = options.until;
  dem::Simulation simulation(scene, options.run);
  std::FILE* csv = options.out.empty() ? stdout : std::fopen(options.out.c_str(), "w");
  if (!csv)
    throw dem::Error("'" + options.out + "' cannot be written.");
  std::fprintf(csv, "time,particles,lost,contacts,kinetic_energy,potential_energy,dissipated_energy,stiffness_work,wall_work,largest_overlap\n");
  const double begin = now();
  for (std::uint64_t k = 0; k < simulation.plan().outputs; ++k)
  {
    simulation.advanceTo(k * simulation.plan().steps_per_output);
    const dem::Statistics s = simulation.statistics();
    std::fprintf(csv, "%.9g,%llu,%llu,%llu,%.9g,%.9g,%.9g,%.9g,%.9g,%.6g\n", s.time, static_cast<unsigned long long>(s.particles),
      static_cast<unsigned long long>(s.lost), static_cast<unsigned long long>(s.contacts), s.kinetic_energy, s.potential_energy,
      s.dissipated_energy, s.stiffness_work, s.wall_work, s.largest_overlap);
  }
  if (csv != stdout)
    std::fclose(csv);
  const dem::SearchCounts c = simulation.searchCounts();
  std::fprintf(stderr, "%s: %llu steps of %.4g s in %.2f s on %s, %llu rebuilds (%.0f %% of the time)\n", options.scene.c_str(),
    static_cast<unsigned long long>(simulation.step()), simulation.plan().time_step, now() - begin, simulation.device().name.c_str(),
    static_cast<unsigned long long>(c.rebuilds), 100 * c.rebuild_seconds / (now() - begin));
  return 0;
}

Options parse(int argc, char** argv)
{
  Options o;
  for (int i = 1; i < argc; ++i)
  {
    const std::string a = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 >= argc)
        throw dem::Error(a + " needs a value. See --help.");
      return argv[++i];
    };
    const auto number = [&] {
      const std::string text = value();
      char* end = nullptr;
      const double x = std::strtod(text.c_str(), &end);
      if (text.empty() || *end)
        throw dem::Error(a + ": '" + text + "' is not a number.");
      return x;
    };
    // one of the names of an enumeration
    const auto named = [&](const auto& names, auto& out) {
      const std::string text = value();
      std::string known;
      for (std::size_t k = 0; k < std::size(names); ++k)
      {
        if (text == names[k])
        {
          out = static_cast<std::decay_t<decltype(out)>>(k);
          return;
        }
        known += (k ? ", " : "") + std::string(names[k]);
      }
      throw dem::Error(a + ": '" + text + "' is not known. Known: " + known + ".");
    };
    const auto choice = [&](const auto& names, auto& out) {
      named(names, out);
      o.own_search = true;
    };
    const auto whole = [&](int& out) {
      out = static_cast<int>(number());
      o.own_search = true;
    };
    if (a == "--help")
    {
      std::fputs(kHelp, stdout);
      std::exit(0);
    }
    else if (a == "--list")
    {
      for (const Case& c : kCases)
        std::printf("%-10s %s\n", c.name, c.what);
      std::exit(0);
    }
    else if (a == "--case") o.name = value();
    else if (a == "--particles") o.particles = static_cast<std::int64_t>(number());
    else if (a == "--device")
    {
      const std::string d = value();
      o.run.device = dem::deviceKindFromName(d == "cpu" ? "CPU" : d == "cuda" ? "CUDA" : d == "auto" ? "Auto" : d);
    }
    else if (a == "--threads") o.run.threads = static_cast<int>(number());
    else if (a == "--precision")
    {
      o.precision = value();
      if (o.precision != "mixed" && o.precision != "double")
        throw dem::Error("--precision is mixed or double.");
    }
    else if (a == "--base") o.base = static_cast<std::int64_t>(number());
    else if (a == "--steps") o.steps = static_cast<std::int64_t>(number());
    else if (a == "--warm") o.warm = static_cast<std::int64_t>(number());
    else if (a == "--export") o.bed = value();
    else if (a == "--rebuild") o.rebuild = static_cast<int>(number());
    else if (a == "--skin") o.skin = number();
    else if (a == "--broad-phase") choice(dem::kBroadPhaseNames, o.search.kind);
    else if (a == "--cell-order") choice(dem::kCellOrderNames, o.search.cell_order);
    else if (a == "--linked-cells") choice(dem::kLinkedCellsNames, o.search.linked_cells);
    else if (a == "--fixed-cells") choice(dem::kFixedCellsNames, o.search.fixed_cells);
    else if (a == "--cell-capacity") whole(o.search.cell_capacity);
    else if (a == "--hash-function") choice(dem::kHashFunctionNames, o.search.hash);
    else if (a == "--hash-table-factor") whole(o.search.hash_table_factor);
    else if (a == "--bvh-key-bits") whole(o.search.bvh_key_bits);
    else if (a == "--half-search") o.search.half_search = o.own_search = true;
    else if (a == "--triangle-search") choice(dem::kTriangleSearchNames, o.search.triangles);
    else if (a == "--sort-particles") choice(dem::kSortNames, o.search.sort);
    else if (a == "--sort-steps") whole(o.search.sort_steps);
    else if (a == "--sort-time")
    {
      o.search.sort_time = number();
      o.own_search = true;
    }
    else if (a == "--integrator")
    {
      named(dem::kIntegratorNames, o.integrator);
      o.own_integrator = true;
    }
    else if (a == "--no-history") o.history = false;
    else if (a == "--statistics") o.statistics = true;
    else if (a == "--frames") o.frames = static_cast<int>(number());
    else if (a == "--scene") o.scene = value();
    else if (a == "--until") o.until = number();
    else if (a == "--out") o.out = value();
    else if (a == "--json") o.json = value();
    else
      throw dem::Error("'" + a + "' is not known. See --help.");
  }
  if (o.particles < 1)
    throw dem::Error("--particles must be at least 1.");
  if (o.steps < 0 || o.warm < 0)
    throw dem::Error("--steps and --warm must not be negative.");
  return o;
}

} // namespace

int main(int argc, char** argv)
{
  try
  {
    const Options options = parse(argc, argv);
    return options.scene.empty() || options.steps > 0 ? runCase(options) : runScene(options);
  }
  catch (const std::exception& e)
  {
    std::fprintf(stderr, "paragrain-bench: %s\n", e.what());
    return 1;
  }
}
