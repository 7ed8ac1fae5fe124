// Any bytes through the scene reader: it returns a scene or throws dem::Error, and nothing else.
// Packings are kept small, so that an input costs milliseconds. STL files are found in
// Testing/Fuzz/meshes.
#include "Core/Error.h"
#include "Scene/File/SceneFile.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  static const dem::PackingLimits limits{ 300, 20000, 100 };
  try
  {
    const dem::Scene scene = dem::parseScene(std::string(reinterpret_cast<const char*>(data), size),
      PARAGRAIN_FUZZ_MESHES, "fuzz.dem", limits);
    if (scene.materials.empty() || scene.particles.position.size() != scene.particles.size())
    {
      std::abort();
    }
  }
  catch (const dem::Error&)
  {
  }
  return 0;
}
