// Runs in several parts, for the tests of Kernels/Domain.
#pragma once

#include "TestSupport.h"

#include <cstdint>
#include <string>
#include <vector>

namespace test
{

/// An empty box with two periodic axes.
inline dem::Scene gasBox()
{
  dem::Scene s = emptyScene();
  s.domain.lower = { 0, 0, 0 };
  s.domain.upper = { 0.05, 0.04, 0.03 };
  s.domain.exit = { dem::Exit::Periodic, dem::Exit::Periodic, dem::Exit::Wall };
  s.end_time = 1;
  s.output_interval = 0.01;
  return s;
}

/// The parts share the CPU or one device here.
class PartsTest : public BackendTest
{
protected:
  dem::Simulation run(dem::Scene scene, int parts, bool peer_access = true) const
  {
    scene.precision = GetParam().precision;
    dem::RunOptions options = this->options();
    options.devices = parts;
    options.parts_on_one = true;
    options.peer_access = peer_access;
    return dem::Simulation(scene, options);
  }

  /// Steps `scene` to `end` in one part and in several. Frames and states must have the same bits.
  void expectSameBits(const dem::Scene& scene, std::uint64_t end, const std::vector<int>& numbers,
    const dem::FrameSelection& selection = {}, bool peer_access = true)
  {
    dem::Simulation one = simulate(scene);
    one.advanceTo(end);
    const dem::Frame whole = one.frame(selection);
    const std::vector<std::uint8_t> state = one.save();
    EXPECT_GT(whole.contacts.size, 2u); // there is something to compare
    EXPECT_GT(whole.statistics.dissipated_energy, 0);
    for (int parts : numbers)
    {
      SCOPED_TRACE(std::to_string(parts) + " parts");
      dem::Simulation sim = run(scene, parts, peer_access);
      sim.advanceTo(end);
      expectSameFrame(whole, sim.frame(selection));
      EXPECT_TRUE(sim.save() == state);
    }
  }

  /// Compares what a run takes samples of: its averages, and the coating of a nozzle.
  void expectSameSamples(dem::Scene s, std::uint64_t end)
  {
    s.end_time = 0.04;
    s.averages.enabled = true;
    s.averages.cells = { 5, 3, 6 };
    s.averages.interval = 0.0013;
    dem::Nozzle nozzle;
    nozzle.name = "top";
    nozzle.position = { 0, 0.03, 0.2 };
    nozzle.axis = { 0.1, 0, -1 };
    nozzle.full_angle = 0.6;
    nozzle.interval = 0.0021;
    nozzle.mass_rate = 1e-3;
    nozzle.rays = 500;
    s.nozzles.push_back(nozzle);
    s.spray.patches = 2;
    dem::Simulation one = simulate(s), sim = run(s, 3);
    for (dem::Simulation* each : { &one, &sim })
      each->advanceTo(end);
    const dem::Frame a = one.frame(), b = sim.frame();
    expectSameFrame(a, b);
    EXPECT_TRUE(one.save() == sim.save());
    EXPECT_GT(a.statistics.spray_on_grains, 0u);
    EXPECT_EQ(a.statistics.spray_on_grains, b.statistics.spray_on_grains);
    ASSERT_EQ(a.averages.samples, b.averages.samples);
    FirstDifference different;
    for (std::size_t k = 0; k < a.averages.mean.size(); ++k)
      different.array("average " + std::to_string(k), a.averages.mean[k], b.averages.mean[k]);
    different.array("coating", a.coating.mass, b.coating.mass);
    different.array("patches", a.coating.patch_mass, b.coating.patch_mass);
    EXPECT_EQ(different.text(), "");
  }

  static void expectSameFrame(const dem::Frame& a, const dem::Frame& b)
  {
    EXPECT_SAME_BITS(a, b);
    FirstDifference different;
    different.array("contacts.point", a.contacts.point, b.contacts.point);
    different.value("kinetic energy", a.statistics.kinetic_energy, b.statistics.kinetic_energy);
    different.value("energy error", a.statistics.energy_error, b.statistics.energy_error);
    different.value("lost", a.statistics.lost, b.statistics.lost);
    different.value("overlap", a.statistics.largest_overlap, b.statistics.largest_overlap);
    EXPECT_EQ(different.text(), "");
  }
};

} // namespace test
