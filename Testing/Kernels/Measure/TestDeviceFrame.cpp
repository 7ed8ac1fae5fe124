// The frame that a run keeps on its device (Frame::on_device): what analyses compute from it
// equals, to the bit, what they compute from the frame's host arrays as the filters read them; and
// when there is one.
#include "AveragedFields.h"
#include "BusyScene.h"
#include "HostView.h"

#include "Analysis/ContactNetwork.h"
#include "Analysis/ContactSearch.h"
#include "Analysis/ForceChains.h"
#include "Analysis/PairStatistics.h"
#include "Analysis/SphereBounds.h"
#include "Analysis/Statistics.h"
#include "Analysis/StrongNetwork.h"

#include <cstring>
#include <optional>

using namespace test;

namespace
{

template <class T>
void expectSame(const dem::HostArray<T>& a, const dem::HostArray<T>& b, const char* what)
{
  ASSERT_EQ(a.size(), b.size()) << what;
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(T)), 0) << what;
}

class DeviceFrame : public BackendTest
{
protected:
  dem::Simulation kept(std::size_t bytes = std::size_t(1) << 30) const
  {
    dem::Simulation sim = simulate(busyScene());
    sim.keepOnDevice(bytes);
    sim.advanceTo(static_cast<std::uint64_t>(0.05 / sim.plan().time_step));
    return sim;
  }
  static dem::CellGrid grid(int n)
  {
    const double lower[3] = { -0.06, 0, -0.02 }, upper[3] = { 0.06, 0.06, 0.1 };
    const int size[3] = { n, n, n };
    dem::CellGrid g = dem::uniformGrid(lower, upper, size);
    g.periodic[1] = true;
    return g;
  }
};

} // namespace

TEST_P(DeviceFrame, EqualsHostArraysToTheBit)
{
  dem::Simulation sim = kept();
  const dem::Frame frame = sim.frame();
  ASSERT_GT(frame.statistics.lost, 0u) << "Ids with gaps";
  ASSERT_GT(frame.contacts.size, 100u);
  const auto on_device = frame.on_device.lock();
  ASSERT_TRUE(on_device);
  const dem::Device& device = sim.device();
  const HostView host(frame);
  const dem::Grains grains = on_device->grains();
  const dem::GrainContacts contacts = on_device->contacts();
  EXPECT_EQ(grains.size, frame.size);
  EXPECT_EQ(contacts.size, frame.contacts.size);
  EXPECT_EQ(
    grains.memory, device.kind == dem::DeviceKind::CUDA ? device.ordinal : dem::kHostMemory);

  const dem::SphereBounds a = dem::sphereBounds(host.grains(), device),
                          b = dem::sphereBounds(grains, device);
  EXPECT_EQ(a.mean_radius, b.mean_radius);
  for (int k = 0; k < 3; ++k)
  {
    EXPECT_EQ(a.lower[k], b.lower[k]);
    EXPECT_EQ(a.upper[k], b.upper[k]);
  }

  const dem::ContactNetwork n = dem::describeNetwork(host.grains(), host.contacts(), {}, device),
                            m = dem::describeNetwork(grains, contacts, {}, device);
  expectSame(n.normal, m.normal, "normal");
  expectSame(n.point, m.point, "point");
  expectSame(n.normal_magnitude, m.normal_magnitude, "normal force");
  expectSame(n.tangential_magnitude, m.tangential_magnitude, "tangential force");
  expectSame(n.coordination, m.coordination, "coordination");
  expectSame(n.wall, m.wall, "walls");
  EXPECT_EQ(n.totals.sliding, m.totals.sliding);
  EXPECT_GT(n.totals.sliding, 0u);
  EXPECT_GT(n.totals.wall_contacts, 0u);
  EXPECT_EQ(n.totals.anisotropy, m.totals.anisotropy);
  EXPECT_EQ(n.totals.mean_normal_force, m.totals.mean_normal_force);
  EXPECT_EQ(n.distribution.count, m.distribution.count);

  dem::ChainOptions rules;
  rules.stress_factor = 0.2;
  const dem::ForceChains c = dem::findForceChains(host.grains(), host.contacts(), rules, device),
                         d = dem::findForceChains(grains, contacts, rules, device);
  EXPECT_GT(c.size(), 0u);
  EXPECT_EQ(c.mean_load, d.mean_load);
  expectSame(c.start, d.start, "start");
  expectSame(c.grain, d.grain, "grain");
  expectSame(c.link, d.link, "link");
  expectSame(c.id, d.id, "id");
  expectSame(c.place, d.place, "place");
  expectSame(c.force, d.force, "force");
  expectSame(c.length, d.length, "length");
  expectSame(c.mean_force, d.mean_force, "mean force");
  expectSame(c.chain, d.chain, "chain");
  expectSame(c.stress, d.stress, "stress");
  expectSame(c.direction, d.direction, "direction");

  const dem::StrongNetwork strong_a =
                             dem::findStrongNetwork(host.grains(), host.contacts(), 1, device),
                           strong_b = dem::findStrongNetwork(grains, contacts, 1, device);
  EXPECT_GT(strong_a.contact.size(), 10u);
  EXPECT_EQ(strong_a.mean_force, strong_b.mean_force);
  expectSame(strong_a.contact, strong_b.contact, "strong contacts");
  expectSame(strong_a.cluster, strong_b.cluster, "clusters");
  expectSame(strong_a.id, strong_b.id, "strong ids");
  expectSame(strong_a.place, strong_b.place, "strong places");
  expectSame(strong_a.grain, strong_b.grain, "clusters of grains");

  dem::NetworkOptions pairs_only;
  pairs_only.walls = false;
  const dem::ContactNetwork o = dem::describeNetwork(
                              host.grains(), host.contacts(), pairs_only, device),
                            q = dem::describeNetwork(grains, contacts, pairs_only, device);
  EXPECT_EQ(o.totals.contacts, n.totals.contacts - n.totals.wall_contacts);
  EXPECT_EQ(o.totals.wall_contacts, 0u);
  EXPECT_EQ(o.totals.anisotropy, n.totals.anisotropy) << "fabric is of pairs";
  expectSame(o.point, q.point, "points of pairs");
  expectSame(o.normal_magnitude, q.normal_magnitude, "forces of pairs");
  std::size_t pair = 0;
  for (std::size_t k = 0; k < n.wall.size(); ++k)
    if (!n.wall[k])
    {
      ASSERT_EQ(o.normal_magnitude[pair], n.normal_magnitude[k]);
      ASSERT_EQ(o.point[3 * pair], n.point[3 * k]);
      ++pair;
    }
  EXPECT_EQ(pair, o.wall.size());

  dem::ContactSearchOptions search;
  search.tolerance = 1e-4;
  const dem::FoundContacts found_a = dem::findContacts(host.grains(), search, device),
                           found_b = dem::findContacts(grains, search, device);
  EXPECT_GT(found_a.size, 10u);
  expectSame(found_a.first, found_b.first, "found");
  expectSame(found_a.overlap, found_b.overlap, "found overlaps");
  dem::NetworkOptions estimated;
  estimated.estimate.law = dem::ForceLaw::Hertz;
  const dem::ContactNetwork of_host = dem::describeNetwork(
                              host.grains(), found_a.view(), estimated, device),
                            of_device = dem::describeNetwork(
                              grains, found_b.viewOn(device), estimated, device);
  EXPECT_EQ(of_host.totals.mean_normal_force, of_device.totals.mean_normal_force);
  EXPECT_GT(of_host.totals.mean_normal_force, 0);
  expectSame(of_host.estimated_force, of_device.estimated_force, "estimated forces");

  const dem::BulkStatistics bulk_a = dem::bulkStatistics(host.grains(), { 0, 0.1, 1 }, 93, device),
                            bulk_b = dem::bulkStatistics(grains, { 0, 0.1, 1 }, 93, device);
  EXPECT_EQ(bulk_a.kinetic_energy, bulk_b.kinetic_energy);
  EXPECT_EQ(bulk_a.rotational_energy, bulk_b.rotational_energy);
  EXPECT_EQ(bulk_a.bed_height, bulk_b.bed_height);
  EXPECT_EQ(bulk_a.center.x, bulk_b.center.x);
  EXPECT_EQ(dem::laceyIndex(host.grains(), 0.02, device), dem::laceyIndex(grains, 0.02, device));
  dem::PairBox pair_box;
  pair_box.limited = true;
  pair_box.lower = { -0.05, 0, 0 };
  pair_box.upper = { 0.04, 0.05, 0.05 };
  const dem::NeighborMixing mixing_a = dem::neighborMixing(host.grains(), 6, pair_box, device),
                            mixing_b = dem::neighborMixing(grains, 6, pair_box, device);
  EXPECT_EQ(mixing_a.index, mixing_b.index);
  EXPECT_EQ(mixing_a.mean_distance, mixing_b.mean_distance);
  dem::RadialDistributionOptions shells;
  shells.box = pair_box;
  EXPECT_EQ(dem::radialDistribution(host.grains(), shells, device).pairs,
    dem::radialDistribution(grains, shells, device).pairs);
  EXPECT_GT(dem::radialDistribution(grains, shells, device).size, 10u);

  const auto cells = [&](const dem::Grains& g, const dem::GrainContacts& k, int size) {
    const dem::CellGrid planes = grid(size);
    dem::CellAverageOptions options;
    options.species = 2;
    dem::CellAverage engine(device);
    return cellAverages(engine, g, k, planes, options).values;
  };
  for (int size : { 1, 7 }) // one cell is added up in parts
    EXPECT_EQ(cells(host.grains(), host.contacts(), size), cells(grains, contacts, size)) << size;

  const auto smooth = [&](const dem::Grains& g, const dem::GrainContacts& k) {
    std::vector<double> points;
    for (int i = 0; i < 60; ++i)
      points.insert(points.end(), { -0.05 + 0.0017 * i, 0.03, 0.002 + 0.0005 * i });
    dem::CoarseGrainingOptions options;
    options.width = 0.01;
    dem::CoarseGraining engine(device);
    return coarseGrained(engine, g, k, points, options).values;
  };
  EXPECT_EQ(smooth(host.grains(), host.contacts()), smooth(grains, contacts));
}

// The newest frame only, within its memory; who holds on to it keeps it, after the run too.
TEST_P(DeviceFrame, OnlyOfTheNewestFrame)
{
  std::shared_ptr<const dem::DeviceFrame> held;
  std::optional<dem::SphereBounds> bounds;
  const dem::Device device = dem::chooseDevice(GetParam().device);
  {
    dem::Simulation sim = kept();
    const dem::Frame first = sim.frame();
    held = first.on_device.lock();
    ASSERT_TRUE(held);
    EXPECT_EQ(held->time, first.time);
    EXPECT_EQ(held->step, first.step);
    EXPECT_EQ(held->run, first.run);
    EXPECT_TRUE(held->reachableBy(device));
    dem::Device other = device;
    other.kind = device.kind == dem::DeviceKind::CPU ? dem::DeviceKind::CUDA : dem::DeviceKind::CPU;
    EXPECT_FALSE(held->reachableBy(other));
    if (device.kind == dem::DeviceKind::CUDA)
    {
      EXPECT_GT(held->bytes(), 100 * first.size);
      other = device;
      ++other.ordinal;
      EXPECT_FALSE(held->reachableBy(other));
      const std::size_t with = sim.deviceBytes();
      sim.keepOnDevice(0);
      EXPECT_EQ(sim.deviceBytes(), with - held->bytes());
      sim.keepOnDevice(1u << 30);
    }
    bounds = dem::sphereBounds(held->grains(), device);
    sim.advanceTo(sim.step() + 50);
    const dem::Frame second = sim.frame();
    ASSERT_TRUE(second.on_device.lock());
    EXPECT_NE(second.on_device.lock(), held);
    EXPECT_EQ(first.on_device.lock(), held); // as long as somebody reads it
    held.reset();
    EXPECT_FALSE(first.on_device.lock());
    held = second.on_device.lock();
    bounds = dem::sphereBounds(held->grains(), device);
    EXPECT_NE(simulate(busyScene()).frame().run, first.run);
  }
  const dem::SphereBounds again = dem::sphereBounds(held->grains(), device);
  EXPECT_EQ(again.upper.z, bounds->upper.z);
  EXPECT_EQ(again.mean_radius, bounds->mean_radius);

  EXPECT_FALSE(simulate(busyScene()).frame().on_device.lock()); // nobody asked for it
  if (GetParam().device == dem::DeviceKind::CUDA)
  {
    EXPECT_FALSE(kept(10000).frame().on_device.lock()) << "more than its memory";
  }
}

// Memory is asked for before it is needed, from the frame as from arrays.
TEST_P(DeviceFrame, TooFineAGridIsRefused)
{
  dem::Simulation sim = kept();
  const dem::Frame frame = sim.frame();
  const auto on_device = frame.on_device.lock();
  ASSERT_TRUE(on_device);
  const dem::GrainContacts contacts = on_device->contacts();
  const auto error = [&](int n, double limit) {
    dem::CellAverageOptions options;
    options.species = 2;
    options.memory_limit = limit;
    std::string text;
    try
    {
      dem::CellAverage(sim.device()).compute(on_device->grains(), &contacts, grid(n), options, {});
    }
    catch (const dem::Error& e)
    {
      text = e.what();
    }
    return text;
  };
  EXPECT_NE(error(2000, 4e9).find("2000 x 2000 x 2000 cells would take"), std::string::npos)
    << error(2000, 4e9);
  EXPECT_NE(error(2000, 4e9).find("TiB of memory; the limit is 3.7 GiB"), std::string::npos)
    << error(2000, 4e9);
  // the grid itself fits, what the grains take in it does not
  EXPECT_NE(error(60, 1.001 * dem::CellAverage::bytes(216000, 2))
              .find("entries of grains into them, would take"),
    std::string::npos)
    << error(60, 1.001 * dem::CellAverage::bytes(216000, 2));
}

// What a frame hides is not there.
TEST_P(DeviceFrame, FollowsTheSelection)
{
  dem::Simulation sim = kept();
  dem::FrameSelection shown;
  shown.angular_velocity = shown.mass = shown.contacts = false;
  const dem::Frame frame = sim.frame(shown);
  const auto on_device = frame.on_device.lock();
  ASSERT_TRUE(on_device);
  EXPECT_FALSE(on_device->grains().angular_velocity);
  EXPECT_FALSE(on_device->grains().mass);
  EXPECT_TRUE(on_device->grains().velocity);
  EXPECT_EQ(on_device->contacts().size, 0u);
}

PARAGRAIN_ON_ALL_BACKENDS(DeviceFrame);

// A device reads its own memory and the host's, nothing else.
TEST(DeviceFrameMemory, OfAnotherDeviceIsRefused)
{
  const double position[3] = { 0, 0, 0 }, radius[1] = { 1 };
  dem::Grains grains;
  grains.size = 1;
  grains.position = position;
  grains.radius = radius;
  grains.memory = 3;
  const dem::Device cpu = dem::chooseDevice(dem::DeviceKind::CPU);
  const auto error = [](const auto& work) {
    try
    {
      work();
    }
    catch (const dem::Error& e)
    {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(
    error([&] { dem::sphereBounds(grains, cpu); }).find("CUDA device 3"), std::string::npos);
  EXPECT_NE(error([&] { dem::findForceChains(grains, {}, {}, cpu); }).find("CUDA device 3"),
    std::string::npos);
}
