// Any bytes through the reader of scenes with the method MPM: it returns a scene or throws
// dem::Error, and nothing else. Bodies are kept small, so that an input costs milliseconds. STL
// files are found in Testing/Fuzz/meshes.
#include "Core/Error.h"
#include "MaterialPoint/MpmSceneFile.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  mpm::FileLimits limits;
  limits.points = 20000;
  try
  {
    const mpm::FileScene file =
      mpm::parseScene(std::string(reinterpret_cast<const char*>(data), size), PARAGRAIN_FUZZ_MESHES,
        "fuzz.dem", limits);
    if (file.materials.size() != file.scene.materials.size() || file.scene.points.size() == 0)
    {
      std::abort();
    }
  }
  catch (const dem::Error&)
  {
  }
  return 0;
}
