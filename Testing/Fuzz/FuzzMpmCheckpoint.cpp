// Any bytes as the saved state of a Material Point Method run: it continues the run or is
// refused by dem::Error, and the run can be restored from a sound state afterwards.
#include "Core/Error.h"
#include "MaterialPoint/MpmFill.h"
#include "MaterialPoint/MpmSimulation.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace
{

// A few points of sand above a plate, after a change under way: the state
// holds points, loads on walls and events.
mpm::Simulation begin()
{
  mpm::Scene scene;
  scene.grid_spacing = 0.25;
  const dem::Vec3d lower{ -0.25, -0.25, 0.01 }, upper{ 0.25, 0.25, 0.25 };
  scene.points = mpm::fillBox(lower, upper, 0.25, 1, 0, 1);
  scene.materials[0].kind = mpm::MaterialKind::DruckerPrager;
  dem::Wall plate;
  plate.points = { { -1, -1, 0 }, { 1, -1, 0 }, { 0, 1, 0 } };
  plate.triangles = { { 0, 1, 2 } };
  plate.motion.kind = dem::MotionKind::Translation;
  scene.walls.push_back(plate);
  scene.time_step = 1e-3;
  scene.events.push_back({ 0.002, "Gravity", { 1, 0, -9.81 } });
  scene.events.push_back({ 0.003, "WallVelocity", { 0, 0, 0, 0.1 } });
  mpm::RunOptions options;
  options.device = dem::DeviceKind::CPU;
  options.threads = 1;
  mpm::Simulation s(scene, options);
  s.advanceTo(5);
  return s;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  static mpm::Simulation simulation = begin();
  static const mpm::SnapshotBytes sound = simulation.save();
  static const std::size_t events = simulation.scene().events.size();
  // PARAGRAIN_FUZZ_SEED=FILE writes a sound state there, for a new corpus
  if (const char* seed = std::getenv("PARAGRAIN_FUZZ_SEED"))
  {
    if (std::FILE* f = std::fopen(seed, "wb"))
    {
      std::fwrite(sound.data(), 1, sound.size(), f);
      std::fclose(f);
    }
  }
  try
  {
    simulation.restore(mpm::SnapshotBytes(data, data + size));
    simulation.advanceTo(simulation.step() + 2);
    simulation.save();
  }
  catch (const dem::Error&)
  {
  }
  simulation.restore(sound); // a refused or failed state leaves a run that can be restored
  if (simulation.scene().events.size() != events)
  {
    simulation =
      begin(); // a run keeps the later events of states; inputs must not depend on others
  }
  return 0;
}
