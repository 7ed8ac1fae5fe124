// Any bytes as the text of a shape: it gives a shape of finite volume, whose own text gives an
// equal shape again, or dem::Error. STL files are found in Testing/Fuzz/meshes.
#include "Core/Error.h"
#include "Scene/ShapeText.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace
{

void require(bool sound)
{
  if (!sound)
  {
    std::abort();
  }
}

void checkSurface(const dem::Shape& shape)
{
  const dem::ShapeSurface surface = dem::shapeSurface(shape, 8);
  require(surface.points.size() == surface.normals.size() && !surface.triangles.empty());
  for (const auto& triangle : surface.triangles)
  {
    for (const std::int32_t corner : triangle)
    {
      require(corner >= 0 && static_cast<std::size_t>(corner) < surface.points.size());
    }
  }
  for (const dem::Vec3d& p : surface.points)
  {
    require(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  dem::Shape shape;
  try
  {
    const std::string text(reinterpret_cast<const char*>(data), size);
    shape = dem::parseShape(text, PARAGRAIN_FUZZ_MESHES);
  }
  catch (const dem::Error&)
  {
    return 0;
  }
  const double radius = dem::equalRadius(shape);
  require(std::isfinite(radius) && radius > 0);
  require(std::isfinite(shape.mass.bounding_radius) && shape.mass.bounding_radius > 0);
  checkSurface(shape);
  const dem::Shape again = dem::parseShape(dem::shapeText(shape), "");
  require(again.kind == shape.kind && again.name == shape.name);
  require(std::fabs(dem::equalRadius(again) - radius) < 1e-3 * radius);
  return 0;
}
