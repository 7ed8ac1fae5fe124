// Saves the state of a run in a file, and continues the run from the file in a second simulation.
// Shows Simulation::save() and restore(), and the files of Core/CheckpointFile.h.
//
// Prints whether both runs end with the same bits in positions, velocities and contact forces. The
// second run uses two threads, because results do not depend on the number of threads. A third run
// has another friction: it must refuse the file, and its bits must differ.
//
// Run: save_restore [FILE]     default: save_restore.dem-checkpoint in the current folder
#include "Check.h"

#include "Core/CheckpointFile.h"
#include "Scene/Packing/Packing.h"
#include "Solver/Simulation.h"

#include <cstring>
#include <string>

namespace
{

dem::Scene makeScene(double friction)
{
  dem::PackingSpec packing;
  packing.lower = { -0.04, -0.04, 0 }; // m
  packing.upper = { 0.04, 0.04, 0.08 };
  packing.radius = 0.004; // m
  dem::Scene scene;
  scene.materials[0].friction = friction;
  scene.particles = dem::makePacking(packing);
  scene.domain.lower = { -0.04, -0.04, 0 }; // m; a closed box
  scene.domain.upper = { 0.04, 0.04, 0.3 };
  scene.end_time = 0.2;         // s
  scene.output_interval = 0.01; // s
  return scene;
}

template <class T>
bool sameBits(const dem::HostArray<T>& a, const dem::HostArray<T>& b)
{
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

bool sameBits(const dem::Frame& a, const dem::Frame& b)
{
  return sameBits(a.position, b.position) && sameBits(a.velocity, b.velocity) &&
    sameBits(a.contacts.ids, b.contacts.ids) &&
    sameBits(a.contacts.normal_force, b.contacts.normal_force) &&
    sameBits(a.contacts.tangential_force, b.contacts.tangential_force);
}

} // namespace

int main(int argc, char** argv)
{
  const std::string file = argc > 1 ? argv[1] : "save_restore.dem-checkpoint";
  const dem::Scene scene = makeScene(0.5);

  dem::Simulation first(scene, { dem::DeviceKind::CPU, 1 });
  const std::uint64_t steps = first.plan().steps_per_output * (first.plan().outputs - 1);
  first.advanceTo(steps / 2);
  dem::writeSnapshotFile(file, first.save());
  first.advanceTo(steps);

  dem::Simulation second(scene, { dem::DeviceKind::CPU, 2 });
  second.restore(dem::readSnapshotFile(file));
  std::printf("%zu grains, continued from step %llu of %llu\n", scene.particles.size(),
    static_cast<unsigned long long>(second.step()), static_cast<unsigned long long>(steps));
  second.advanceTo(steps);

  dem::Simulation other(makeScene(0.4), { dem::DeviceKind::CPU, 1 });
  bool refused = false;
  try
  {
    other.restore(dem::readSnapshotFile(file));
  }
  catch (const dem::Error& error)
  {
    std::printf("The other scene: %s\n", error.what());
    refused = true;
  }
  other.advanceTo(steps);

  const dem::Frame end = first.frame();
  Checks checks;
  checks.isTrue("the grains touch at the end", end.contacts.size > 0);
  checks.isTrue("the continued run has the same bits", sameBits(end, second.frame()));
  checks.isTrue("another friction refuses the file", refused);
  checks.isTrue("another friction gives other bits", !sameBits(end, other.frame()));
  return checks.status();
}
