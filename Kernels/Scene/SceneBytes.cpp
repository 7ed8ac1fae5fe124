#include "Scene/SceneBytes.h"

#include "Core/RowBytes.h"
#include "Scene/Describe.h"

#include <utility>

namespace dem
{

template <>
struct HasMemberBytes<Shape> : std::true_type
{
  template <class Act>
  static void visit(Shape& s, const Act& act)
  {
    act(s.name);
    act(s.kind);
    act(s.centers);
    act(s.radii);
    for (double* length :
      { &s.diameter, &s.cup_radius, &s.belt_height, &s.edge_radius, &s.crown, &s.lost_volume })
      act(*length);
    act(s.vertices);
    act(s.faces);
    act(s.mass);
  }
};
template <>
struct HasNoBytes<std::shared_ptr<const FluidField>> : std::true_type
{
};

std::vector<std::uint8_t> sceneBytes(const Scene& scene)
{
  SnapshotWriter out;
  RowBytes(out).value(const_cast<Scene&>(scene)); // a writer changes nothing
  return std::move(out.bytes);
}

Scene sceneFromBytes(const std::vector<std::uint8_t>& bytes)
{
  Scene scene;
  SnapshotReader in(bytes);
  RowBytes(in).value(scene);
  return scene;
}

} // namespace dem
