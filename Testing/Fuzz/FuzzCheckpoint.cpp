// Any bytes as a checkpoint: the file's frame is checked, and the state inside either continues a
// run or is refused by dem::Error.
#include "Core/Error.h"
#include "Solver/Simulation.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace
{

// Three grains on a floor and a plate: pairs, walls and history are all there.
dem::Simulation& simulation()
{
  static dem::Simulation instance = [] {
    dem::Scene scene;
    for (int i = 0; i < 3; ++i)
    {
      scene.particles.position.push_back({ 0.0099 * i, 0, 0.00499 });
      scene.particles.radius.push_back(0.005);
    }
    dem::Wall plate;
    plate.points = { { -1, -1, 0 }, { 1, -1, 0 }, { 0, 1, 0 } };
    plate.triangles = { { 0, 1, 2 } };
    scene.walls.push_back(plate);
    scene.time_step = 1e-5;
    scene.initial_temperature = 350; // states have the column Temperature
    dem::RunOptions options;
    options.device = dem::DeviceKind::CPU;
    options.threads = 1;
    dem::Simulation s(scene, options);
    s.advanceTo(50);
    return s;
  }();
  return instance;
}

void tryState(const dem::SnapshotBytes& bytes)
{
  try
  {
    simulation().restore(bytes);
    simulation().advanceTo(simulation().step() + 2);
  }
  catch (const dem::Error&)
  {
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  // PARAGRAIN_FUZZ_SEED=FILE writes a sound state there, for a new corpus
  if (const char* seed = std::getenv("PARAGRAIN_FUZZ_SEED"))
  {
    const dem::SnapshotBytes sound = simulation().save();
    if (std::FILE* f = std::fopen(seed, "wb"))
    {
      std::fwrite(sound.data(), 1, sound.size(), f);
      std::fclose(f);
    }
  }
  tryState(dem::SnapshotBytes(data, data + size));

  static const std::string path = (access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp") +
    std::string("/paragrain-fuzz-") + std::to_string(getpid());
  if (std::FILE* f = std::fopen(path.c_str(), "wb"))
  {
    std::fwrite(data, 1, size, f);
    std::fclose(f);
    try
    {
      tryState(dem::readSnapshotFile(path));
    }
    catch (const dem::Error&)
    {
    }
    std::remove(path.c_str());
  }
  return 0;
}
