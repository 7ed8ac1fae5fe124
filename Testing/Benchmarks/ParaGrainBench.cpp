// paragrain-bench: times the solver without ParaView. See `paragrain-bench --help`.
#include "Core/Error.h"
#include "PaperScenes.h"
#include "ReboundCase.h"
#include "Scene/Packing/Packing.h"
#include "Scene/ShapeText.h"
#include "Scene/File/SceneFile.h"
#include "Scene/Names.h"
#include "Solver/Simulation.h"
#include "SoftSpheres.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

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
  "  --youngs-modulus E     of the grains, Pa (default 1e7); steps go with its root: stiffer beds "
  "have fewer contacts a grain\n"
  "  --base N               settle at most N grains and tile them (default 1000000 on CUDA, 4000 "
  "on the CPU)\n"
  "  --steps K              timed steps (default: as many as --seconds takes)\n"
  "  --seconds S            wall clock of the timed steps, about (default 10); given, the --warm W "
  "(1000) steps before take half of it at most\n"
  "  --keep-base FILE       take the grains to tile from FILE; where there is none, settle them "
  "and write it\n"
  "  --settle-seconds S     the most that settling takes, wall clock (default 120)\n"
  "  --variants FILE        a JSON list of lists of options: the case is prepared once and timed "
  "with each; --json gets a list of results\n"
  "  --stages               then time the stages of some more steps (those of one launch have "
  "none; for shapes pair_force_ms holds the forces of walls too)\n"
  "  --series K             also the speed in each of K parts of the timed steps\n"
  "  --shuffle              put the grains' data in an order at random before the first step\n"
  "  --data DIR             the folder Data, for geometry (default: the one it was built from)\n"
  "  --rebuild K            force a list rebuild every K steps (default 20; 0 = only when needed)\n"
  "  --skin S               list skin in mean diameters (default 0 = automatic)\n"
  "  --broad-phase NAME     Automatic (default), Sorted Grid, Linked Cells, Fixed Cells, Hashed "
  "Infinite Grid, BVH, Hierarchical Grid; its options:\n"
  "      --cell-sort NAME  --cells-per-particle N (0 = no limit)  --hash-order NAME\n"
  "      --cell-order NAME  --linked-cells NAME  --fixed-cells NAME  --cell-capacity N  "
  "--hash-function NAME\n"
  "      --hash-table-factor N  --bvh-key-bits 30|63  --half-search   (names as in .dem files; an "
  "unknown one lists the known)\n"
  "  --triangle-search NAME BVH (default), Uniform Grid\n"
  "  --neighbor-list NAME   Automatic (default), Static, Dynamic, Hybrid, None, Split Loop; its "
  "options:\n"
  "      --static-size N (0 = tuned)  --symmetric-list  --list-order NAME  --thread-per NAME "
  "(Particle, Contact,\n"
  "      \"Contact, Warp Reduction\" or \"Contact, Halving Reduction\")\n"
  "  --sort-particles NAME  Every Rebuild (default), Every Steps, Every Time, Never; --sort-steps "
  "N, --sort-time S\n"
  "  --integrator NAME      Velocity Verlet (default), Semi-Implicit Euler, Gear "
  "Predictor-Corrector\n"
  "  --no-history  --no-walls  --statistics   without tangential history; without walls and an end "
  "of the domain; with ContactStatistics\n"
  "  --surface-energy G     JKR cohesion of all materials, J/m^2\n"
  "  --heat                 heat conduction; --heat-of-dissipation also that of contacts;\n"
  "                         --heat-of-gas also through air and rough surfaces\n"
  "  --fluid                drag and buoyancy of air at rest, Koch-Hill, void fraction of the "
  "grains\n"
  "  --devices N            CUDA devices that share the run (default 1; 0: one for each 500,000 "
  "particles)\n"
  "                         --device-number N: the first of them; --parts-on-one: N parts on one "
  "device, or\n"
  "                         on the CPU's threads; --no-peer-access: devices copy what they could "
  "read\n"
  "  --hash                 also a hash of the state at the end\n"
  "  --frames K             also time K frames (position, radius, velocity) of the finished state\n"
  "  --export FILE.dem      write the case's bed as a scene and leave\n"
  "  --scene FILE.dem --until T --out FILE.csv   run a scene instead and write one row of "
  "statistics an output\n"
  "  --scene FILE.dem --steps K   time a scene as if it were a case (its own choices but for those "
  "stated; --warm W steps before, default 1000)\n"
  "  --json FILE            the results as JSON\n";

constexpr double kYoungsModulus = 1e7; // Pa, for a step of 1e-5 s

struct Options
{
  std::string name = "settled", scene, out, json, bed, kept_base, precision = "mixed";
  std::string data = PARAGRAIN_DATA_DIR, variants;
  std::int64_t particles = 100000, steps = 0, warm = 1000, base = 0;
  int rebuild = 20, frames = 0, series = 0;
  double youngs_modulus = kYoungsModulus; // Pa
  double until = -1, skin = 0, seconds = 10, warm_seconds = 1e300, settle_seconds = 120;
  double surface_energy = 0; // J/m^2
  bool heat = false, dissipation_heating = false, heat_of_gas = false, fluid = false;
  bool shuffle = false, stages = false;
  bool history = true, walls = true, statistics = false;
  dem::BroadPhaseOptions search;
  dem::NeighborListOptions list;
  dem::IntegratorKind integrator = dem::IntegratorKind::VelocityVerlet;
  bool own_integrator = false, own_precision = false;
  bool own_search = false; // search was chosen here: it holds for --scene too
  bool own_list = false;
  bool hash = false;
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
  { "gas",
    "the same number of spheres as a loose gas without gravity: hardly any contacts (Kureck 2016, "
    "table 6.6)" },
  { "tablets", "as settled, bi-convex tablets with a belt: diameter 1, cup radius 0.85, belt 0.3" },
  { "cubes", "as settled, cubes" },
  { "clumps", "as settled, clumps of three spheres" },
  { "gas_tablets", "as gas, the tablets (Kureck 2016, table 6.7)" },
  { "drum",
    "a rotating drum of triangles, settled and tilted in slices that are then put together (Kureck "
    "2016, test cases 3, 4, 6)" },
  { "drum_tablets", "as drum, the tablets" },
  { "hopper_fill", "Pacevic 2022: a cube of grains falls into a closed hopper" },
  { "hopper_discharge", "Pacevic 2022: it flows out into a box of 8 m" },
  { "avalanche",
    "Pacevic 2022: a cuboid of grains falls into an inclined channel in a box of 32 m" },
  { "rebound",
    "Kureck 2016, table 6.1: oblique impacts of a steel sphere on a wall; with --no-history "
    "without "
    "springs, nothing else applies" },
  { "soft",
    "Barbieri: soft spheres without guards in 64^3 cells, searched every step; only --broad-phase "
    "and its options apply" },
};

double now()
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The shape of a case, in mirror images of itself at x = 0 and y = 0, or none.
std::vector<dem::Shape> shapesOf(const std::string& name)
{
  std::vector<dem::Shape> shapes{ dem::makeSphere() };
  if (name == "tablets" || name == "gas_tablets" || name == "drum_tablets")
    shapes.push_back(dem::makeTablet("Tablet", 1, 0.85, 0.3));
  else if (name == "cubes")
    shapes.push_back(dem::makeNamedPolyhedron("Cube", "Cube"));
  else if (name == "clumps")
    shapes.push_back(dem::makeMultiSphere(
      "Clump", { { -0.5, 0, 0 }, { 0.5, 0, 0 }, { 0, 0, 0.8 } }, { 0.6, 0.6, 0.6 }));
  return shapes;
}

// Radius of the bounding sphere over that of the sphere of equal volume, which Radius is.
double reachOf(const std::vector<dem::Shape>& shapes)
{
  return shapes.size() > 1 ? shapes[1].mass.bounding_radius / dem::equalRadius(shapes[1]) : 1;
}

// Steps for one of the default stiffness.
double stiffnessScale(const Options& options)
{
  return std::sqrt(options.youngs_modulus / kYoungsModulus);
}

dem::Scene boxScene(const Options& options, dem::ParticleInput particles, const Vec3d& upper)
{
  dem::Scene scene;
  dem::Material& grain = scene.materials[0];
  grain.youngs_modulus = options.youngs_modulus;
  grain.restitution = 0.5;
  grain.friction = 0.4;
  scene.shapes = shapesOf(options.name);
  scene.particles = std::move(particles);
  scene.domain.upper = upper;
  scene.domain.lower = {};
  scene.contact.tangential_history = options.history;
  scene.contact_statistics = options.statistics;
  scene.precision = options.precision == "double" ? dem::Precision::Double : dem::Precision::Mixed;
  scene.output_interval = 1e-3;
  scene.end_time = 100;
  scene.time_step = 1e-5 / stiffnessScale(options);
  scene.initial_overlap_tolerance = 0.3; // deep beds are pressed together where they start again
  scene.skin = options.skin * 0.004;
  scene.broad_phase = options.search;
  scene.integrator = options.integrator;
  return scene;
}

constexpr double kRadius = 0.002;

// A lattice of spheres of ten times the radius, one for each 3,600 (Kureck 2016, table 6.13: 276 in
// a million), in place of the small ones there.
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
    const Vec3d p = particles.position[i],
                d = p - Vec3d{ lattice(0, p.x), lattice(1, p.y), lattice(2, p.z) };
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
        if (std::none_of(out.position.rbegin(), out.position.rend(),
              [&](const Vec3d& p) { return length(p - c) < large; }))
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
  const std::vector<dem::Shape> shapes = shapesOf(options.name);
  const bool shaped = shapes.size() > 1;
  const double reach = reachOf(shapes);
  const double pitch = 2.04 * kRadius * reach;
  const auto side =
    static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(n) / layers)));
  dem::PackingSpec spec;
  spec.kind = dem::PackingKind::JitteredLattice;
  spec.radius = kRadius;
  spec.spacing = pitch / reach;
  spec.count = n;
  spec.shape = shaped ? 1 : 0;
  spec.reach = reach;
  box = { side * pitch * 1.0001, side * pitch * 1.0001,
    (static_cast<double>(n) / (side * side) + 3) * pitch };
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
    scene.broad_phase.kind =
      dem::BroadPhaseKind::HierarchicalGrid; // only to get there; bits do not depend on it
  dem::Simulation simulation(scene, options.run);
  double rest = 1;
  const double begin = now();
  for (int k = 1;
       k <= 60 * stiffnessScale(options) && rest > 2e-5 && now() - begin < options.settle_seconds;
       ++k)
  {
    simulation.advanceTo(k * 1000);
    const dem::Statistics s = simulation.statistics();
    const double mass =
      4. / 3 * 3.14159265 * kRadius * kRadius * kRadius * 2500 * static_cast<double>(s.particles);
    rest = s.kinetic_energy / (mass * 9.81 * 2 * kRadius);
    if (k % 10 == 0)
      std::fprintf(stderr, "settling %lld grains: t = %.2f s, kinetic energy %.2e m g d\n",
        static_cast<long long>(n), s.time, rest);
  }
  const dem::Frame f = simulation.frame();
  dem::ParticleInput out;
  for (std::size_t i = 0; i < f.size; ++i)
  {
    out.position.push_back({ f.position[3 * i], f.position[3 * i + 1], f.position[3 * i + 2] });
    out.radius.push_back(particles.radius[static_cast<std::size_t>(f.id[i])]);
    if (shaped)
    {
      out.shape.push_back(1);
      out.orientation.push_back({ f.orientation[4 * i], f.orientation[4 * i + 1],
        f.orientation[4 * i + 2], f.orientation[4 * i + 3] });
    }
  }
  return out;
}

// Settled grains of a case and their box as JSON; the shape is the case's.
void writeBase(const std::string& path, const std::string& name, const dem::ParticleInput& grains,
  const Vec3d& box)
{
  nlohmann::json j;
  j["case"] = name;
  j["box"] = { box.x, box.y, box.z };
  j["position"] = j["orientation"] = nlohmann::json::array();
  for (const Vec3d& p : grains.position)
    j["position"].push_back({ p.x, p.y, p.z });
  for (const dem::Quaternion<double>& q : grains.orientation)
    j["orientation"].push_back({ q.w, q.x, q.y, q.z });
  j["radius"] = grains.radius;
  if (!(std::ofstream(path) << j.dump() << "\n"))
    throw dem::Error("'" + path + "' cannot be written.");
}

bool readBase(
  const std::string& path, const std::string& name, dem::ParticleInput& grains, Vec3d& box)
{
  std::ifstream file(path);
  if (!file)
    return false;
  try
  {
    const nlohmann::json j = nlohmann::json::parse(file);
    const auto held = j.at("case").get<std::string>();
    if (held != name)
      throw dem::Error("--keep-base: '" + path + "' holds grains of the case " + held +
        ", not of " + name + ". Give each case a file of its own.");
    const auto triple = [](const nlohmann::json& v) {
      return Vec3d{ v.at(0).get<double>(), v.at(1).get<double>(), v.at(2).get<double>() };
    };
    box = triple(j.at("box"));
    for (const nlohmann::json& p : j.at("position"))
      grains.position.push_back(triple(p));
    for (const nlohmann::json& q : j.at("orientation"))
      grains.orientation.push_back({ q.at(0).get<double>(), q.at(1).get<double>(),
        q.at(2).get<double>(), q.at(3).get<double>() });
    grains.radius = j.at("radius").get<std::vector<double>>();
  }
  catch (const nlohmann::json::exception& e)
  {
    throw dem::Error("--keep-base: '" + path + "' holds no base: " + e.what());
  }
  grains.shape.assign(grains.orientation.size(), 1);
  return true;
}

// How many of `tiles` lie side by side: such that no more are made than asked for, unless that
// would be a strip.
std::int64_t tilesInX(std::int64_t tiles)
{
  const auto side = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(tiles))));
  for (std::int64_t nx = side; nx <= 2 * side; ++nx)
    if (tiles % nx == 0)
      return nx;
  return side;
}

// Mirror images of a bed across its side walls: no overlap is made, and the images settle again in
// a few steps.
dem::ParticleInput tile(
  const dem::ParticleInput& base, const Vec3d& box, std::int64_t n, Vec3d& whole)
{
  const auto tiles = static_cast<std::int64_t>((n + base.size() - 1) / base.size());
  const std::int64_t nx = tilesInX(tiles), ny = (tiles + nx - 1) / nx;
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
      if (!base.shape.empty())
      {
        dem::Quaternion<double> q = base.orientation[i];
        if (tx % 2)
          q = { q.w, q.x, -q.y, -q.z };
        if (ty % 2)
          q = { q.w, -q.x, q.y, -q.z };
        out.shape.push_back(base.shape[i]);
        out.orientation.push_back(q);
      }
    }
  }
  return out;
}

// Runs a scene until `time`, or for as long as settling may take, and gives its grains back; `time`
// is then that of the grains.
dem::ParticleInput advanced(
  const Options& options, const dem::Scene& scene, double& time, std::string& how)
{
  dem::Simulation simulation(scene, options.run);
  const double begin = now();
  while (simulation.time() < time && now() - begin < options.settle_seconds)
    simulation.advanceTo(simulation.step() + 200);
  time = simulation.time();
  how += ", advanced to " + std::to_string(time) + " s";
  dem::FrameSelection selection;
  selection.contacts = selection.walls = false;
  const dem::Frame f = simulation.frame(selection);
  dem::ParticleInput out;
  for (std::size_t i = 0; i < f.size; ++i)
  {
    const auto triple = [&](const auto& a) {
      return Vec3d{ a[3 * i], a[3 * i + 1], a[3 * i + 2] };
    };
    out.position.push_back(triple(f.position));
    out.velocity.push_back(triple(f.velocity));
    out.angular_velocity.push_back(triple(f.angular_velocity));
    out.radius.push_back(scene.particles.radius[static_cast<std::size_t>(f.id[i])]);
    if (!scene.particles.shape.empty())
    {
      out.shape.push_back(scene.particles.shape[static_cast<std::size_t>(f.id[i])]);
      out.orientation.push_back({ f.orientation[4 * i], f.orientation[4 * i + 1],
        f.orientation[4 * i + 2], f.orientation[4 * i + 3] });
    }
  }
  return out;
}

struct Prepared
{
  dem::Scene scene;
  std::string how;
};

Prepared prepared(const Options& options)
{
  const bool on_gpu =
    options.run.device != dem::DeviceKind::CPU && dem::cudaUnavailableReason().empty();
  const std::int64_t base_size = std::min<std::int64_t>(options.particles,
    options.base > 0 ? options.base
      : on_gpu       ? 1000000
                     : 4000);
  Prepared out;
  dem::Scene& scene = out.scene;
  if (!options.scene.empty())
  {
    scene = dem::readSceneFile(options.scene);
    out.how = options.scene;
  }
  else if (options.name == "gas" || options.name == "gas_tablets")
  {
    dem::PackingSpec spec;
    spec.radius = kRadius;
    spec.reach = reachOf(shapesOf(options.name));
    spec.shape = options.name == "gas" ? 0 : 1;
    spec.spacing = 4 * kRadius;
    spec.count = options.particles;
    const double side =
      std::ceil(std::cbrt(static_cast<double>(options.particles))) * spec.spacing * spec.reach;
    spec.lower = {};
    spec.upper = { side * 1.001, side * 1.001, side * 1.001 };
    scene = boxScene(options, dem::makePacking(spec), spec.upper);
    scene.gravity = {};
    out.how = "jittered lattice, spacing two diameters";
  }
  else if (options.name == "drum" || options.name == "drum_tablets")
  {
    const std::vector<dem::Shape> shapes = shapesOf(options.name);
    const bench::Drum drum(options.particles, base_size, kRadius, shapes, reachOf(shapes));
    const double turning = 0.3; // s until it turns
    double time = turning +
      0.6 / drum.rate(); // turned by 0.6 rad, about the slope at which a bed begins to flow
    const dem::Scene slice = drum.slice(turning);
    out.how = "slice of " + std::to_string(slice.particles.size()) + " grains";
    const dem::ParticleInput grains = advanced(options, slice, time, out.how);
    scene = drum.whole(grains, std::max(0., time - turning) * drum.rate());
    out.how += ", " + std::to_string(drum.slices()) + " slices, " +
      std::to_string(scene.walls[0].triangles.size()) + " triangles";
  }
  else if (options.name == "hopper_fill" || options.name == "hopper_discharge" ||
    options.name == "avalanche")
  {
    scene = options.name == "avalanche"
      ? bench::avalancheScene(options.particles)
      : bench::hopperScene(options.particles, options.name == "hopper_discharge", options.data);
    out.how = options.name + " of Pacevic 2022";
    double time = 0.5;
    scene.particles = advanced(options, scene, time, out.how);
  }
  else
  {
    Vec3d box;
    const int layers =
      static_cast<int>(std::max(10., std::min(60., std::cbrt(static_cast<double>(base_size)))));
    dem::ParticleInput base;
    if (options.kept_base.empty() || !readBase(options.kept_base, options.name, base, box))
    {
      base = settle(options, base_size, layers, box);
      if (!options.kept_base.empty())
        writeBase(options.kept_base, options.name, base, box);
    }
    Vec3d whole;
    const dem::ParticleInput all = tile(base, box, options.particles, whole);
    scene = boxScene(options, all, whole);
    out.how = "settled bed of " + std::to_string(base.size()) + ", mirror-tiled to " +
      std::to_string(all.size()) + ", relaxed " + std::to_string(options.warm) + " steps at most";
  }
  if (options.shuffle)
  {
    dem::ParticleInput& p = scene.particles;
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::shuffle(order.begin(), order.end(), std::mt19937(1));
    const auto permute = [&](auto& values) {
      const auto old = values;
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = old[order[i]];
    };
    permute(p.position);
    permute(p.radius);
    permute(p.velocity);
    permute(p.angular_velocity);
    permute(p.orientation);
    permute(p.id);
    permute(p.material);
    permute(p.shape);
    out.how += ", shuffled";
  }
  return out;
}

// What a run chooses anew on a prepared scene. A scene file keeps its own choices but for those
// that were stated.
void applyChoices(const Options& options, dem::Scene& scene)
{
  if (options.scene.empty() || options.own_search)
    scene.broad_phase = options.search;
  if (options.scene.empty() || options.own_list)
    scene.neighbor_list = options.list;
  if (options.scene.empty() || options.own_integrator)
    scene.integrator = options.integrator;
  if (!options.walls)
  {
    scene.walls.clear();
    scene.domain.limited = false;
  }
  if (options.scene.empty() || options.own_precision)
    scene.precision =
      options.precision == "double" ? dem::Precision::Double : dem::Precision::Mixed;
  if (options.scene.empty() || options.skin > 0)
  {
    const std::vector<double>& r = scene.particles.radius;
    scene.skin = options.skin * 2 * std::accumulate(r.begin(), r.end(), 0.) /
      static_cast<double>(std::max<std::size_t>(1, r.size()));
  }
  if (!options.history)
    scene.contact.tangential_history = false;
  if (options.statistics)
    scene.contact_statistics = true;
  if (options.surface_energy > 0)
  {
    scene.contact.cohesion = dem::CohesionModel::JKR;
    for (dem::Material& material : scene.materials)
      material.surface_energy = options.surface_energy;
  }
  if (options.heat)
    scene.heat.model = dem::HeatModel::Conduction;
  scene.heat.dissipation = options.dissipation_heating;
  if (options.fluid)
    scene.fluid.model = dem::FluidModel::GivenField;
  if (options.heat_of_gas)
  {
    scene.heat.gas_conductivity = 0.026;
    scene.heat.surface_roughness = 1e-7;
  }
}

nlohmann::ordered_json triples(const float* values, std::size_t n)
{
  auto list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < n; ++i)
    list.push_back({ values[3 * i], values[3 * i + 1], values[3 * i + 2] });
  return list;
}

// The present instant as a scene of its own. Contact history is not part of it: grains that rest on
// friction settle once more.
void exportBed(const std::string& path, dem::Simulation& simulation)
{
  const dem::Frame f = simulation.frame();
  const dem::Scene& scene = simulation.scene();
  const dem::Material& grain = scene.materials[0];
  const auto triple = [](const dem::Vec3d& v) {
    return nlohmann::ordered_json::array({ v.x, v.y, v.z });
  };
  nlohmann::ordered_json j;
  j["version"] = 1;
  j["materials"] = { { { "name", "Grain" }, { "youngs_modulus", grain.youngs_modulus },
    { "poissons_ratio", grain.poissons_ratio }, { "density", grain.density },
    { "restitution", grain.restitution }, { "friction", grain.friction } } };
  auto radii = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < f.size; ++i)
    radii.push_back(std::round(f.radius[i] * 1e9) / 1e9); // the frame's are single
  j["particles"] = { { "radius", radii }, { "position", nlohmann::ordered_json::array() },
    { "velocity", triples(f.velocity.data(), f.size) },
    { "angular_velocity", triples(f.angular_velocity.data(), f.size) } };
  for (std::size_t i = 0; i < f.size; ++i)
    j["particles"]["position"].push_back(
      { f.position[3 * i], f.position[3 * i + 1], f.position[3 * i + 2] });
  j["domain"] = { { "lower", triple(scene.domain.lower) },
    { "upper", triple(scene.domain.upper) } };
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

// FNV-1a of the bytes of a state.
std::string hashOf(const dem::SnapshotBytes& bytes)
{
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::uint8_t byte : bytes)
    hash = (hash ^ byte) * 0x100000001b3;
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

// A frame with the contacts of more grains takes longer than timing them.
constexpr std::uint64_t kMostWithFrame = 20000000;

// Steps for a while: `warm` of them, or as many as `warm_seconds` allow.
void warmUp(const Options& options, dem::Simulation& simulation)
{
  const double begin = now();
  const std::uint64_t end = simulation.step() + static_cast<std::uint64_t>(options.warm);
  while (simulation.step() < end && now() - begin < options.warm_seconds)
    simulation.advanceTo(std::min<std::uint64_t>(end, simulation.step() + 50));
}

// Milliseconds of each stage, in steps after those that were timed.
void timeStages(dem::Simulation& simulation, std::int64_t steps, nlohmann::ordered_json& j)
{
  simulation.timeStages();
  const dem::SearchCounts before = simulation.searchCounts();
  simulation.advanceTo(simulation.step() + steps);
  const dem::SearchCounts after = simulation.searchCounts();
  const double rebuilds =
                 std::max<double>(1, static_cast<double>(after.rebuilds - before.rebuilds)),
               n = static_cast<double>(steps);
  j["build_ms"] = 1e3 * (after.build_seconds - before.build_seconds) / rebuilds;
  j["collect_ms"] = 1e3 * (after.pair_list_seconds - before.pair_list_seconds) / rebuilds;
  j["collect_walls_ms"] = 1e3 * (after.wall_list_seconds - before.wall_list_seconds) / rebuilds;
  j["pair_force_ms"] = 1e3 * (after.pair_force_seconds - before.pair_force_seconds) / n;
  j["wall_force_ms"] = 1e3 * (after.wall_force_seconds - before.wall_force_seconds) / n;
}

nlohmann::ordered_json timedCase(const Options& options, const Prepared& prepared)
{
  dem::Scene scene = prepared.scene;
  const double start = now();
  applyChoices(options, scene);
  const auto simulation = std::make_unique<dem::Simulation>(scene, options.run);
  const double start_seconds = now() - start;
  scene.particles = {};
  simulation->rebuildEvery(static_cast<unsigned>(
    options.rebuild)); // to which an automatic skin adapts before anything is timed
  warmUp(options, *simulation);
  const auto run = [&](std::int64_t count) {
    const double begin = now();
    simulation->advanceTo(simulation->step() + count);
    return now() - begin;
  };
  std::int64_t steps = options.steps;
  if (steps == 0)
  {
    double probe = 0;
    std::int64_t probed = 0;
    for (; probed < 100 && probe < 0.2 * options.seconds; probed += 10)
      probe += run(10);
    const double fit = options.seconds * static_cast<double>(probed) / probe;
    steps = 10 *
      std::max<std::int64_t>(
        1, std::min<std::int64_t>(100000, static_cast<std::int64_t>(fit / 10)));
  }
  const dem::SearchCounts before = simulation->searchCounts();
  const std::clock_t cpu = std::clock();
  double seconds = 0;
  auto series = nlohmann::ordered_json::array();
  const int parts = std::max(1, std::min<int>(options.series, static_cast<int>(steps)));
  for (int k = 0; k < parts; ++k)
  {
    const std::int64_t part = steps * (k + 1) / parts - steps * k / parts;
    const double took = run(part);
    seconds += took;
    series.push_back({ simulation->time(), part / took });
  }
  const double cpu_seconds = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
  const dem::SearchCounts after = simulation->searchCounts();
  const dem::Statistics s = simulation->statistics();

  const double n = static_cast<double>(s.particles), rate = steps / seconds;
  std::size_t pairs = 0; // contacts that are not with a wall
  double height = 0;     // m, above the floor of the domain
  const bool count_pairs = s.particles <= kMostWithFrame;
  if (count_pairs)
  {
    dem::FrameSelection contacts;
    contacts.velocity = contacts.angular_velocity = contacts.orientation = contacts.force =
      contacts.torque = contacts.mass = contacts.material = contacts.shape =
        contacts.coordination_number = contacts.stress = contacts.walls = false;
    const dem::Frame f = simulation->frame(contacts);
    for (std::size_t c = 0; c < f.contacts.size; ++c)
      pairs += f.contacts.ids[2 * c] >= 0 && f.contacts.ids[2 * c + 1] >= 0;
    for (std::size_t i = 0; i < f.size; ++i)
      height += (f.position[3 * i + 2] - simulation->scene().domain.lower.z) / n;
  }
  nlohmann::ordered_json j;
  j["case"] = options.scene.empty() ? options.name : "scene";
  j["scene"] = prepared.how;
  j["device"] = simulation->device().name;
  j["devices"] = simulation->device().parts;
  j["imbalance"] = s.imbalance;
  if (options.hash)
    j["state_hash"] = hashOf(simulation->save());
  j["precision"] = simulation->scene().precision == dem::Precision::Double ? "double" : "mixed";
  j["history"] = simulation->scene().contact.tangential_history;
  j["contact_statistics"] = simulation->scene().contact_statistics;
  j["particles"] = s.particles;
  j["lost"] = s.lost;
  j["contacts_per_particle"] = 2.0 * static_cast<double>(s.contacts) / n;
  if (count_pairs)
  {
    j["pair_contacts_per_particle"] = 2.0 * static_cast<double>(pairs) / n;
    j["mean_height"] = height;
  }
  j["kinetic_energy"] = s.kinetic_energy;
  j["list_entries_per_particle"] = static_cast<double>(after.list_entries) / n;
  j["list_skin"] = after.skin;
  j["grouped"] = after.grouped;
  j["steps"] = steps;
  j["steps_per_rebuild"] = static_cast<double>(steps) /
    static_cast<double>(std::max<std::uint64_t>(1, after.rebuilds - before.rebuilds));
  j["steps_per_second"] = rate;
  j["start_seconds"] = start_seconds;
  j["cpu_seconds"] = cpu_seconds;
  j["particle_steps_per_second"] = rate * n;
  const dem::BroadPhaseOptions& search = simulation->scene().broad_phase;
  j["integrator"] = dem::kIntegratorNames[static_cast<int>(simulation->scene().integrator)];
  j["broad_phase"] = dem::name(after.search.kind);
  const dem::NeighborListOptions& list = simulation->scene().neighbor_list;
  j["neighbor_list"] = dem::name(list.kind);
  j["symmetric_list"] = list.symmetric;
  j["thread_per"] = dem::kThreadPerNames[static_cast<int>(list.thread_per)];
  j["list_order"] = dem::kListOrderNames[static_cast<int>(list.order)];
  j["static_size"] = after.static_size;
  j["list_pairs_per_particle"] = static_cast<double>(after.list_pairs) / n;
  j["lists_redone"] = after.lists_redone;
  j["step_ms_without_rebuild"] =
    1e3 * (seconds - (after.rebuild_seconds - before.rebuild_seconds)) / static_cast<double>(steps);
  j["triangle_search"] = dem::kTriangleSearchNames[static_cast<int>(search.triangles)];
  j["triangle_cells"] = after.triangle_cells;
  j["triangle_places"] = after.triangle_places;
  j["triangles_ms"] = 1e3 * after.triangle_seconds;
  j["rebuild_ms"] = 1e3 * (after.rebuild_seconds - before.rebuild_seconds) /
    static_cast<double>(std::max<std::uint64_t>(1, after.rebuilds - before.rebuilds));
  j["sorts"] = after.sorts - before.sorts;
  j["search_cell_size"] = after.search.cell_size;
  j["search_cells"] = after.search.cells;
  j["search_buckets"] = after.search.buckets;
  j["search_levels"] = after.search.levels;
  j["search_cell_capacity"] = after.search.cell_capacity;
  j["search_bytes_per_particle"] = static_cast<double>(after.search.bytes) / n;
  j["rebuild_share"] = (after.rebuild_seconds - before.rebuild_seconds) / seconds;
  const Vec3d extent = simulation->scene().domain.upper - simulation->scene().domain.lower;
  j["domain_cells"] = after.search.cell_size > 0
    ? extent.x * extent.y * extent.z / std::pow(after.search.cell_size, 3)
    : 0;
  j["search_bytes"] = after.search.bytes;
  j["device_bytes"] = after.device_bytes;
  j["bytes_per_particle"] = static_cast<double>(after.device_bytes) / n;
  j["largest_overlap"] = s.largest_overlap;
  if (s.has_flow)
  {
    j["fluid_step"] = s.fluid_step;
    j["fluid_rounds"] = s.fluid_rounds;
  }
  if (options.frames > 0)
  {
    dem::FrameSelection selection;
    selection.angular_velocity = selection.orientation = selection.force = selection.torque =
      selection.mass = selection.material = selection.shape = selection.coordination_number =
        selection.stress = selection.contacts = selection.walls = false;
    {
      const dem::Frame warm = simulation->frame(selection);
    }
    const double begin = now();
    for (int k = 0; k < options.frames; ++k)
      const dem::Frame f = simulation->frame(selection);
    j["frame_ms"] = 1e3 * (now() - begin) / options.frames;
  }
  if (options.series > 0)
    j["series"] = series;
  if (options.stages)
    timeStages(*simulation, std::max<std::int64_t>(10, steps / 4), j);
  return j;
}

// Steps at most before the soft spheres are timed: they have fallen, and the wave of the paper runs
// through the box.
constexpr std::int64_t kSoftFall = 300;

nlohmann::ordered_json timedSoftSpheres(const Options& options, const bench::SoftState& start)
{
  const dem::Device device = dem::chooseDevice(options.run.device, options.run.threads);
  dem::BroadPhaseOptions search = options.search;
  if (search.kind == dem::BroadPhaseKind::Automatic) // which is this one where all radii are equal
    search.kind = dem::BroadPhaseKind::SortedGrid;
  const bench::SoftSpheresResult r = bench::runSoftSpheres(
    start, search, device, options.steps > 0 ? options.steps : 2000, options.seconds);
  const double n = static_cast<double>(options.particles), steps = static_cast<double>(r.steps);
  nlohmann::ordered_json j;
  j["case"] = options.name;
  j["device"] = device.name;
  j["broad_phase"] = dem::name(search.kind);
  j["particles"] = options.particles;
  j["lost"] = r.outside;
  j["steps"] = r.steps;
  j["mpups"] = 1e-6 * n * steps / r.seconds;
  j["inserts_per_second"] = n * steps / r.insert_seconds;
  j["inserts_per_second_slowest"] = n / r.slowest_insert;
  j["neighbours_per_particle"] = r.entries;
  j["mean_height"] = r.mean_height;
  j["search_cells"] = r.search.cells;
  j["search_cell_capacity"] = r.search.cell_capacity;
  j["search_bytes"] = r.search.bytes;
  return j;
}

// The table's impacts, one row each.
nlohmann::ordered_json reboundTable(const Options& options)
{
  const double ratio = options.history ? bench::reboundStiffnessRatio(options.run) : 0;
  nlohmann::ordered_json j;
  j["case"] = options.name;
  j["device"] = dem::chooseDevice(options.run.device, options.run.threads).name;
  j["particles"] = 1;
  j["lost"] = 0;
  j["stiffness_ratio"] = ratio;
  auto rows = nlohmann::ordered_json::array();
  for (const bench::Rebound& r : bench::rebounds(options.run, ratio))
    rows.push_back({ { "incidence", r.incidence }, { "reflexion", r.reflexion } });
  j["rows"] = rows;
  return j;
}

void parse(Options& o, const std::vector<std::string>& arguments);

int runCase(const Options& options)
{
  if (std::none_of(std::begin(kCases), std::end(kCases),
        [&](const Case& c) { return options.name == c.name; }))
    throw dem::Error("There is no case '" + options.name + "'. See --list.");
  const bool soft = options.scene.empty() && options.name == "soft";
  const bool rebound = options.scene.empty() && options.name == "rebound";
  const Prepared prepared = soft || rebound ? Prepared{} : ::prepared(options);
  const bench::SoftState soft_start = soft
    ? bench::softState(options.particles, std::min(options.warm, kSoftFall),
        dem::chooseDevice(options.run.device, options.run.threads))
    : bench::SoftState{};
  if (!options.bed.empty())
  {
    if (soft || rebound)
      throw dem::Error(
        "--export does not go with the case '" + options.name + "', which is no scene of a bed.");
    dem::Scene scene = prepared.scene;
    applyChoices(options, scene);
    dem::Simulation simulation(scene, options.run);
    warmUp(options, simulation);
    exportBed(options.bed, simulation);
    return 0;
  }
  std::vector<std::vector<std::string>> variants{ {} };
  if (!options.variants.empty())
  {
    std::ifstream file(options.variants);
    try
    {
      variants = nlohmann::json::parse(file).get<std::vector<std::vector<std::string>>>();
    }
    catch (const nlohmann::json::exception& e)
    {
      throw dem::Error(
        "--variants: '" + options.variants + "' is no JSON list of lists of options: " + e.what());
    }
  }
  auto all = nlohmann::ordered_json::array();
  for (const std::vector<std::string>& variant : variants)
  {
    Options chosen = options;
    parse(chosen, variant);
    nlohmann::ordered_json j;
    try
    {
      j = soft    ? timedSoftSpheres(chosen, soft_start)
        : rebound ? reboundTable(chosen)
                  : timedCase(chosen, prepared);
    }
    catch (const std::exception& e)
    {
      if (options.variants.empty())
        throw;
      j["error"] = e.what(); // out of memory, say: the other variants go on
    }
    for (const auto& [key, value] : j.items())
      std::printf("%-26s %s\n", key.c_str(), value.dump().c_str());
    std::fflush(stdout);
    all.push_back(j);
    if (!options.json.empty()) // whoever stops it has what came before
      std::ofstream(options.json) << (options.variants.empty() ? all[0] : all).dump(2) << "\n";
  }
  return 0;
}

int runScene(const Options& options)
{
  dem::Scene scene = dem::readSceneFile(options.scene);
  applyChoices(options, scene);
  if (options.until >= 0)
    scene.end_time = options.until;
  dem::Simulation simulation(scene, options.run);
  std::FILE* csv = options.out.empty() ? stdout : std::fopen(options.out.c_str(), "w");
  if (!csv)
    throw dem::Error("'" + options.out + "' cannot be written.");
  std::fprintf(csv,
    "time,particles,lost,contacts,kinetic_energy,potential_energy,dissipated_energy,stiffness_work,"
    "wall_work,largest_overlap\n");
  const double begin = now();
  for (std::uint64_t k = 0; k < simulation.plan().outputs; ++k)
  {
    simulation.advanceTo(k * simulation.plan().steps_per_output);
    const dem::Statistics s = simulation.statistics();
    std::fprintf(csv, "%.9g,%llu,%llu,%llu,%.9g,%.9g,%.9g,%.9g,%.9g,%.6g\n", s.time,
      static_cast<unsigned long long>(s.particles), static_cast<unsigned long long>(s.lost),
      static_cast<unsigned long long>(s.contacts), s.kinetic_energy, s.potential_energy,
      s.dissipated_energy, s.stiffness_work, s.wall_work, s.largest_overlap);
  }
  if (csv != stdout)
    std::fclose(csv);
  const dem::SearchCounts c = simulation.searchCounts();
  std::fprintf(stderr,
    "%s: %llu steps of %.4g s in %.2f s on %s, %llu rebuilds (%.0f %% of the time)\n",
    options.scene.c_str(), static_cast<unsigned long long>(simulation.step()),
    simulation.plan().time_step, now() - begin, simulation.device().name.c_str(),
    static_cast<unsigned long long>(c.rebuilds), 100 * c.rebuild_seconds / (now() - begin));
  return 0;
}

void parse(Options& o, const std::vector<std::string>& arguments)
{
  for (std::size_t i = 0; i < arguments.size(); ++i)
  {
    const std::string a = arguments[i];
    const auto value = [&]() -> std::string {
      if (i + 1 >= arguments.size())
        throw dem::Error(a + " needs a value. See --help.");
      return arguments[++i];
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
        std::printf("%-16s %s\n", c.name, c.what);
      std::exit(0);
    }
    else if (a == "--case")
      o.name = value();
    else if (a == "--particles")
      o.particles = static_cast<std::int64_t>(number());
    else if (a == "--device")
    {
      const std::string d = value();
      o.run.device = dem::deviceKindFromName(d == "cpu" ? "CPU"
          : d == "cuda"                                 ? "CUDA"
          : d == "auto"                                 ? "Auto"
                                                        : d);
    }
    else if (a == "--threads")
      o.run.threads = static_cast<int>(number());
    else if (a == "--devices")
      o.run.devices = static_cast<int>(number());
    else if (a == "--device-number")
      o.run.device_number = static_cast<int>(number());
    else if (a == "--parts-on-one")
      o.run.parts_on_one = true;
    else if (a == "--no-peer-access")
      o.run.peer_access = false;
    else if (a == "--hash")
      o.hash = true;
    else if (a == "--precision")
    {
      o.precision = value();
      if (o.precision != "mixed" && o.precision != "double")
        throw dem::Error("--precision is mixed or double.");
      o.own_precision = true;
    }
    else if (a == "--youngs-modulus")
      o.youngs_modulus = number();
    else if (a == "--base")
      o.base = static_cast<std::int64_t>(number());
    else if (a == "--steps")
      o.steps = static_cast<std::int64_t>(number());
    else if (a == "--warm")
      o.warm = static_cast<std::int64_t>(number());
    else if (a == "--seconds")
    {
      o.seconds = number();
      o.warm_seconds = 0.5 * o.seconds;
    }
    else if (a == "--keep-base")
      o.kept_base = value();
    else if (a == "--settle-seconds")
      o.settle_seconds = number();
    else if (a == "--variants")
      o.variants = value();
    else if (a == "--series")
      o.series = static_cast<int>(number());
    else if (a == "--stages")
      o.stages = true;
    else if (a == "--shuffle")
      o.shuffle = true;
    else if (a == "--data")
      o.data = value();
    else if (a == "--export")
      o.bed = value();
    else if (a == "--rebuild")
      o.rebuild = static_cast<int>(number());
    else if (a == "--skin")
      o.skin = number();
    else if (a == "--broad-phase")
      choice(dem::kBroadPhaseNames, o.search.kind);
    else if (a == "--cell-order")
      choice(dem::kCellOrderNames, o.search.cell_order);
    else if (a == "--cell-sort")
      choice(dem::kCellSortNames, o.search.cell_sort);
    else if (a == "--cells-per-particle")
      whole(o.search.cells_per_particle);
    else if (a == "--linked-cells")
      choice(dem::kLinkedCellsNames, o.search.linked_cells);
    else if (a == "--fixed-cells")
      choice(dem::kFixedCellsNames, o.search.fixed_cells);
    else if (a == "--cell-capacity")
      whole(o.search.cell_capacity);
    else if (a == "--hash-function")
      choice(dem::kHashFunctionNames, o.search.hash);
    else if (a == "--hash-table-factor")
      whole(o.search.hash_table_factor);
    else if (a == "--hash-order")
      choice(dem::kHashOrderNames, o.search.hash_order);
    else if (a == "--bvh-key-bits")
      whole(o.search.bvh_key_bits);
    else if (a == "--half-search")
      o.search.half_search = o.own_search = true;
    else if (a == "--neighbor-list" || a == "--thread-per" || a == "--static-size" ||
      a == "--symmetric-list" || a == "--list-order")
    {
      o.own_list = true;
      if (a == "--neighbor-list")
        named(dem::kNeighborListNames, o.list.kind);
      else if (a == "--thread-per")
        named(dem::kThreadPerNames, o.list.thread_per);
      else if (a == "--list-order")
        named(dem::kListOrderNames, o.list.order);
      else if (a == "--static-size")
        o.list.static_size = static_cast<int>(number());
      else
        o.list.symmetric = true;
    }
    else if (a == "--triangle-search")
      choice(dem::kTriangleSearchNames, o.search.triangles);
    else if (a == "--sort-particles")
      choice(dem::kSortNames, o.search.sort);
    else if (a == "--sort-steps")
      whole(o.search.sort_steps);
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
    else if (a == "--no-history")
      o.history = false;
    else if (a == "--no-walls")
      o.walls = false;
    else if (a == "--surface-energy")
      o.surface_energy = number();
    else if (a == "--heat")
      o.heat = true;
    else if (a == "--heat-of-dissipation")
      o.heat = o.dissipation_heating = true;
    else if (a == "--fluid")
      o.fluid = true;
    else if (a == "--heat-of-gas")
      o.heat = o.heat_of_gas = true;
    else if (a == "--statistics")
      o.statistics = true;
    else if (a == "--frames")
      o.frames = static_cast<int>(number());
    else if (a == "--scene")
      o.scene = value();
    else if (a == "--until")
      o.until = number();
    else if (a == "--out")
      o.out = value();
    else if (a == "--json")
      o.json = value();
    else
      throw dem::Error("'" + a + "' is not known. See --help.");
  }
  if (o.particles < 1)
    throw dem::Error("--particles must be at least 1.");
  if (o.steps < 0 || o.warm < 0)
    throw dem::Error("--steps and --warm must not be negative.");
  if (!(o.seconds > 0) || !(o.settle_seconds >= 0))
    throw dem::Error("--seconds must be above 0, --settle-seconds must not be below.");
}

} // namespace

int main(int argc, char** argv)
{
  try
  {
    Options options;
    parse(options, std::vector<std::string>(argv + 1, argv + argc));
    return options.scene.empty() || options.steps > 0 ? runCase(options) : runScene(options);
  }
  catch (const std::exception& e)
  {
    std::fprintf(stderr, "paragrain-bench: %s\n", e.what());
    return 1;
  }
}
