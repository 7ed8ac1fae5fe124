// Any bytes through the STL reader: it returns a sound mesh or throws dem::Error, and nothing else.
#include "Core/Error.h"
#include "Scene/File/SceneFile.h"
#include "Scene/File/Stl.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  std::vector<dem::Vec3d> points;
  std::vector<std::array<std::int32_t, 3>> triangles;
  try
  {
    dem::parseStl(
      std::string(reinterpret_cast<const char*>(data), size), "fuzz.stl", points, triangles);
  }
  catch (const dem::Error&)
  {
    return 0;
  }
  bool sound = !triangles.empty();
  for (const auto& t : triangles)
  {
    for (const std::int32_t i : t)
    {
      sound = sound && i >= 0 && static_cast<std::size_t>(i) < points.size();
    }
  }
  for (const dem::Vec3d& p : points)
  {
    sound = sound && std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
  }
  if (!sound)
  {
    std::abort();
  }
  return 0;
}
