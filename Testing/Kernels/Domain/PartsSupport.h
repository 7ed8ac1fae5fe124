// Runs in several parts, for the tests of Kernels/Domain.
#pragma once

#include "TestSupport.h"

#include <cstdint>
#include <string>
#include <vector>

namespace test
{

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
