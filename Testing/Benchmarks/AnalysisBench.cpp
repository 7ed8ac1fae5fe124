// paragrain-bench-analysis: times what DEM Contact Network, Force Chains, Statistics, Cell Average
// and Coarse Graining compute, without ParaView, from the request to filled host arrays: once from
// the frame that a simulation keeps on its device, once from host arrays in the form of the
// analysis.
//   paragrain-bench-analysis [PARTICLES [auto|cpu|cuda [THREADS [REPEATS]]]]
// The grains are a cubic lattice, each moved at random, that overlap with about six neighbours, in
// shuffled order (as settled grains lie in memory by Id), at rest in a simulation. Each time is the
// least of the repeats, the first one apart: it allocates. Memory of results is recycled from
// request to request, as it is while somebody looks at a running simulation.
#include "Analysis/CellAverage.h"
#include "Analysis/CoarseGraining.h"
#include "Analysis/ContactNetwork.h"
#include "Analysis/ContactSearch.h"
#include "Analysis/ChainEvents.h"
#include "Analysis/ForceChains.h"
#include "Analysis/GrainIndex.h"
#include "Analysis/PairStatistics.h"
#include "Analysis/SphereBounds.h"
#include "Analysis/Statistics.h"
#include "Analysis/StrongNetwork.h"
#include "Core/Error.h"
#include "Solver/Simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace
{

double milliseconds(const std::chrono::steady_clock::time_point& begin)
{
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
    .count();
}

struct Timing
{
  double first = 0, least = 1e300; // ms
};

template <class Work>
Timing timed(int repeats, const Work& work)
{
  Timing t;
  for (int k = 0; k <= repeats; ++k)
  {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const double ms = milliseconds(begin);
    if (k == 0)
      t.first = ms;
    else
      t.least = std::min(t.least, ms);
  }
  return t;
}

struct Row
{
  std::string name;
  Timing arrays, frame;
  double limit = 0; // ms, of the frame at a million grains on an H200; 0: none
};

dem::Scene lattice(std::size_t side)
{
  const std::size_t n = side * side * side;
  std::mt19937 random(1);
  const auto uniform = [&](double a, double b) { return a + (b - a) * (random() / 4294967296.0); };
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::shuffle(order.begin(), order.end(), random);
  dem::Scene scene;
  scene.gravity = { 0, 0, -9.81 };
  scene.initial_overlap_tolerance = 0.3;
  scene.particles.position.resize(n);
  scene.particles.radius.resize(n);
  for (std::size_t k = 0; k < n; ++k)
  {
    const std::size_t cell[3] = { k % side, k / side % side, k / side / side };
    for (int j = 0; j < 3; ++j)
      scene.particles.position[order[k]][j] =
        0.01 * (static_cast<double>(cell[j]) + uniform(-0.03, 0.03));
    scene.particles.radius[order[k]] = uniform(0.0051, 0.0053);
  }
  const double size = 0.01 * static_cast<double>(side);
  scene.domain.lower = { -0.02, -0.02, -0.0055 };
  scene.domain.upper = { size + 0.01, size + 0.01, size + 0.01 };
  scene.output_interval = 1;
  scene.end_time = 1;
  return scene;
}

// A frame's host arrays in the form of the analysis.
struct Arrays
{
  std::vector<double> radius, mass, velocity, spin, normal, tangential, overlap, first_place,
    second_place;
  std::vector<std::int64_t> first, second;
  dem::Grains grains;
  dem::GrainContacts contacts;

  explicit Arrays(const dem::Frame& f)
    : radius(f.radius.begin(), f.radius.end())
    , mass(f.mass.begin(), f.mass.end())
    , velocity(f.velocity.begin(), f.velocity.end())
    , spin(f.angular_velocity.begin(), f.angular_velocity.end())
    , normal(f.contacts.normal_force.begin(), f.contacts.normal_force.end())
    , tangential(f.contacts.tangential_force.begin(), f.contacts.tangential_force.end())
    , overlap(f.contacts.overlap.begin(), f.contacts.overlap.end())
    , first_place(3 * f.contacts.size)
    , second_place(3 * f.contacts.size)
    , first(f.contacts.size)
    , second(f.contacts.size)
  {
    grains.size = f.size;
    grains.position = f.position.data();
    grains.radius = radius.data();
    grains.id = f.id.data();
    grains.mass = mass.data();
    grains.velocity = velocity.data();
    grains.angular_velocity = spin.data();
    grains.material = f.material.data();
    dem::GrainIndex(grains).contacts(
      f.contacts.ids.data(), f.contacts.size, first.data(), second.data());
    for (std::size_t c = 0; c < f.contacts.size; ++c)
    {
      std::copy_n(f.contacts.ends.data() + 6 * c, 3, first_place.data() + 3 * c);
      std::copy_n(f.contacts.ends.data() + 6 * c + 3, 3, second_place.data() + 3 * c);
    }
    contacts.size = f.contacts.size;
    contacts.first = first.data();
    contacts.second = second.data();
    contacts.first_place = first_place.data();
    contacts.second_place = second_place.data();
    contacts.normal_force = normal.data();
    contacts.tangential_force = tangential.data();
    contacts.overlap = overlap.data();
    contacts.sliding = f.contacts.sliding.data();
  }
};

using Values = std::vector<dem::HostArray<double>>;

template <class Fields>
Values resultsFor(
  const std::vector<dem::AveragedField>& info, std::size_t places, bool pinned, Fields& fields)
{
  Values values;
  const auto pointers = dem::pointersOf(fields);
  for (std::size_t f = 0; f < info.size(); ++f)
  {
    values.emplace_back(places * static_cast<std::size_t>(info[f].components), pinned);
    *pointers[f] = values[f].data();
  }
  return values;
}

void run(std::size_t wanted, dem::DeviceKind kind, int threads, int repeats)
{
  const std::size_t side =
    static_cast<std::size_t>(std::llround(std::cbrt(static_cast<double>(wanted))));
  const dem::Scene scene = lattice(side);
  dem::Simulation simulation(scene, { kind, threads });
  const dem::Device device = simulation.device();
  const bool pinned = device.kind == dem::DeviceKind::CUDA;
  std::vector<Row> rows;

  dem::Frame frame;
  Row shown{ "frame (arrays: not kept)" };
  shown.arrays = timed(repeats, [&] { frame = simulation.frame(); });
  simulation.keepOnDevice(std::size_t(8) << 30);
  shown.frame = timed(repeats, [&] { frame = simulation.frame(); });
  rows.push_back(shown);
  const auto on_device = frame.on_device.lock();
  if (!on_device)
    throw dem::Error("The frame was not kept on the device: there is too little memory.");
  const Arrays arrays(frame);
  const auto both = [&](const char* name, double limit, const auto& work) {
    Row row{ name, {}, {}, limit };
    row.arrays = timed(repeats, [&] { work(arrays.grains, arrays.contacts); });
    row.frame = timed(repeats, [&] { work(on_device->grains(), on_device->contacts()); });
    rows.push_back(row);
  };

  both("contacts from radii", 0,
    [&](const dem::Grains& g, const dem::GrainContacts&) { dem::findContacts(g, {}, device); });
  both("strong network", 0, [&](const dem::Grains& g, const dem::GrainContacts& c) {
    dem::findStrongNetwork(g, c, 1, device);
  });
  both("statistics of the bed", 0, [&](const dem::Grains& g, const dem::GrainContacts&) {
    dem::bulkStatistics(g, { 0, 0, 1 }, 95, device);
  });
  both("mixing, 12 neighbours", 0, [&](const dem::Grains& g, const dem::GrainContacts&) {
    dem::neighborMixing(g, 12, {}, device);
  });
  both("g(r), four diameters", 0, [&](const dem::Grains& g, const dem::GrainContacts&) {
    dem::radialDistribution(g, {}, device);
  });

  dem::ContactNetwork network;
  both("contact network", 60, [&](const dem::Grains& g, const dem::GrainContacts& c) {
    network = dem::describeNetwork(g, c, {}, device);
  });
  dem::ForceChains chains;
  both("force chains", 100, [&](const dem::Grains& g, const dem::GrainContacts& c) {
    chains = dem::findForceChains(g, c, {}, device);
  });
  const dem::ChainRecord record = dem::recordChains(chains, 0);
  dem::Grains places = arrays.grains;
  Row events{ "events of force chains" };
  events.arrays = timed(repeats, [&] { dem::compareChains(record, record, places, 0.02); });
  rows.push_back(events);

  const dem::SphereBounds box = dem::sphereBounds(arrays.grains, device);
  const auto average = [&](const char* name, double limit, int nx, int ny, int nz) {
    const double lower[3] = { box.lower.x, box.lower.y, box.lower.z },
                 upper[3] = { box.upper.x, box.upper.y, box.upper.z };
    const int size[3] = { nx, ny, nz };
    const dem::CellGrid grid = dem::uniformGrid(lower, upper, size);
    dem::CellAverage engine(device);
    dem::CellAverageOptions options;
    options.memory_limit = 64e9;
    Values kept; // what the request before has filled is still shown
    both(name, limit, [&](const dem::Grains& g, const dem::GrainContacts& c) {
      dem::CellAverageFields fields;
      Values values = resultsFor(dem::cellAverageFields(1), grid.cells(), pinned, fields);
      engine.compute(g, &c, grid, options, fields);
      kept = std::move(values);
    });
  };
  average("cell average, 128^3", 15, 128, 128, 128);
  average("cell average, 32^3", 0, 32, 32, 32);
  average("profile of 10 slabs", 0, 1, 1, 10);

  {
    constexpr int kSide = 64;
    dem::CoarseGrainingOptions options;
    options.width = 3 * box.mean_radius;
    options.memory_limit = 64e9;
    const double reach = dem::smoothingReach(options.kernel, options.width);
    std::vector<double> points;
    for (int z = 0; z < kSide; ++z)
      for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x)
        {
          const int place[3] = { x, y, z };
          for (int k = 0; k < 3; ++k)
            points.push_back(box.lower[k] - reach +
              place[k] * (box.upper[k] - box.lower[k] + 2 * reach) / (kSide - 1));
        }
    dem::CoarseGraining engine(device);
    Values kept;
    both("coarse graining, 64^3", 60, [&](const dem::Grains& g, const dem::GrainContacts& c) {
      dem::CoarseGrainedFields fields;
      Values values = resultsFor(dem::coarseGrainedFields(), points.size() / 3, pinned, fields);
      engine.compute(g, &c, points.data(), points.size() / 3, options, fields);
      kept = std::move(values);
    });
  }

  std::printf("%s: %zu grains, %zu contacts, coordination number %.2f, %zu force chains, %.1f MiB "
              "kept on the device\n",
    device.name.c_str(), frame.size, frame.contacts.size, network.totals.coordination_number,
    chains.size(), static_cast<double>(on_device->bytes()) / 1048576);
  std::printf(
    "%-28s %12s %12s %12s %12s %9s\n", "ms", "arrays 1st", "arrays", "frame 1st", "frame", "limit");
  const bool on_limits = pinned && frame.size > 900000, cpu_limits = !pinned && frame.size < 120000;
  for (const Row& row : rows)
  {
    std::printf("%-28s %12.1f %12.1f", row.name.c_str(), row.arrays.first, row.arrays.least);
    if (row.frame.first > 0)
      std::printf(" %12.1f %12.1f", row.frame.first, row.frame.least);
    const double limit = row.limit > 0 && cpu_limits ? 1000 : (on_limits ? row.limit : 0);
    if (limit > 0)
      std::printf(" %9.0f%s", limit, row.frame.least <= limit ? "" : "  TOO SLOW");
    std::printf("\n");
  }

  // What a sample of the run's own averages costs.
  const auto stepping = [&](bool sampling) {
    dem::Scene s = scene;
    s.averages.enabled = sampling;
    s.averages.cells = { 32, 32, 32 };
    s.averages.from = 0;
    s.averages.interval = 1e-12; // each step
    dem::Simulation run(s, { kind, threads });
    run.advanceTo(5);
    double least = 1e300;
    for (int k = 1; k <= repeats; ++k)
    {
      const auto begin = std::chrono::steady_clock::now();
      run.advanceTo(5 + 4 * static_cast<std::uint64_t>(k));
      least = std::min(least, milliseconds(begin) / 4);
    }
    return least;
  };
  const double step = stepping(false), sampled = stepping(true);
  std::printf("a step: %.2f ms; a sample of averages on 32^3 cells: %.2f ms, %.1f steps\n", step,
    sampled - step, (sampled - step) / step);
}

} // namespace

int main(int argc, char** argv)
{
  try
  {
    const std::string name = argc > 2 ? argv[2] : "auto";
    if (name != "auto" && name != "cpu" && name != "cuda")
      throw dem::Error("Device '" + name + "' is not known. Known devices: auto, cpu, cuda.");
    const dem::DeviceKind kind = name == "cpu"
      ? dem::DeviceKind::CPU
      : (name == "cuda" ? dem::DeviceKind::CUDA : dem::DeviceKind::Auto);
    const long long particles = argc > 1 ? std::atoll(argv[1]) : 100000;
    if (particles < 8)
      throw dem::Error(
        "The number of particles is " + std::to_string(particles) + "; it must be 8 or more.");
    run(static_cast<std::size_t>(particles), kind, argc > 3 ? std::atoi(argv[3]) : 0,
      argc > 4 ? std::max(1, std::atoi(argv[4])) : 5);
  }
  catch (const std::exception& e)
  {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
