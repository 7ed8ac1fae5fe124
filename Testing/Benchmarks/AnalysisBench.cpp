// paragrain-bench-analysis: times contact search, contact network and force chains without ParaView, host arrays to host arrays.
//   paragrain-bench-analysis [PARTICLES [auto|cpu|cuda [THREADS [REPEATS]]]]
// The grains are a cubic lattice, each moved at random, that overlap with about six neighbours, in shuffled order (as settled grains lie in
// memory by Id); forces are Hertz's. Each time is the least of the repeats, the first one apart: it allocates.
#include "Analysis/ContactNetwork.h"
#include "Analysis/ContactSearch.h"
#include "Analysis/ForceChains.h"
#include "Core/Error.h"

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
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    if (k == 0)
      t.first = ms;
    else
      t.least = std::min(t.least, ms);
  }
  return t;
}

void run(std::size_t wanted, const dem::Device& device, int repeats)
{
  const std::size_t side = static_cast<std::size_t>(std::llround(std::cbrt(static_cast<double>(wanted)))), n = side * side * side;
  std::mt19937 random(1);
  const auto uniform = [&](double a, double b) { return a + (b - a) * (random() / 4294967296.0); };
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::shuffle(order.begin(), order.end(), random);
  std::vector<double> position(3 * n), radius(n);
  for (std::size_t k = 0; k < n; ++k)
  {
    const std::size_t cell[3] = { k % side, k / side % side, k / side / side };
    for (int j = 0; j < 3; ++j)
      position[3 * order[k] + j] = 0.01 * (static_cast<double>(cell[j]) + uniform(-0.03, 0.03));
    radius[order[k]] = uniform(0.0051, 0.0053);
  }
  dem::Grains grains;
  grains.size = n;
  grains.position = position.data();
  grains.radius = radius.data();

  dem::FoundContacts found;
  const Timing search = timed(repeats, [&] { found = dem::findContacts(grains, {}, device); });
  dem::GrainContacts contacts = found.view();
  dem::ForceEstimate law;
  law.law = dem::ForceLaw::Hertz;
  const dem::HostArray<double> force = dem::estimateForces(grains, contacts, found.overlap.data(), law, device);
  contacts.normal_force = force.data();
  dem::ContactNetwork network;
  const Timing describe = timed(repeats, [&] { network = dem::describeNetwork(grains, contacts, {}, device); });
  dem::ForceChains chains;
  const Timing find = timed(repeats, [&] { chains = dem::findForceChains(grains, contacts, {}, device); });

  std::printf("%s: %zu grains, %zu contacts, coordination number %.2f, %zu force chains\n", device.name.c_str(), n, contacts.size,
    network.totals.coordination_number, chains.size());
  std::printf("%-28s %10s %10s\n", "", "first ms", "then ms");
  for (const auto& [name, t] : { std::pair("contacts from radii", search), std::pair("contact network", describe), std::pair("force chains", find) })
    std::printf("%-28s %10.1f %10.1f\n", name, t.first, t.least);
}

} // namespace

int main(int argc, char** argv)
{
  try
  {
    const std::string name = argc > 2 ? argv[2] : "auto";
    if (name != "auto" && name != "cpu" && name != "cuda")
      throw dem::Error("Device '" + name + "' is not known. Known devices: auto, cpu, cuda.");
    const dem::DeviceKind kind = name == "cpu" ? dem::DeviceKind::CPU : (name == "cuda" ? dem::DeviceKind::CUDA : dem::DeviceKind::Auto);
    const long long particles = argc > 1 ? std::atoll(argv[1]) : 100000;
    if (particles < 8)
      throw dem::Error("The number of particles is " + std::to_string(particles) + "; it must be 8 or more.");
    run(static_cast<std::size_t>(particles), dem::chooseDevice(kind, argc > 3 ? std::atoi(argv[3]) : 0), argc > 4 ? std::max(1, std::atoi(argv[4])) : 5);
  }
  catch (const std::exception& e)
  {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
