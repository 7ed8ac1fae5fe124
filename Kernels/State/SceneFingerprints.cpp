// Hashes the members of a scene by the rows of Scene/Describe.h.
#include "State/SceneFingerprints.h"

#include "Core/RowHash.h"
#include "Scene/Describe.h"
#include "Scene/detail/BodySet.h"

namespace dem
{
namespace
{

std::uint64_t ofShapes(const Scene& scene)
{
  RowHash shapes;
  if (usesBodies(scene))
    for (std::uint8_t byte : shapesAsBytes(scene))
      shapes.bytes(byte);
  return shapes.value();
}

} // namespace

const char* SceneFingerprints::name(std::size_t part)
{
  static const char* const names[kParts] = { "its number of particles", "its materials",
    "its contact model, heat transfer or fluid", "its walls", "its domain", "its shapes" };
  return names[part];
}

std::array<std::uint64_t, SceneFingerprints::kParts> SceneFingerprints::of(const Scene& scene)
{
  RowHash materials, law, walls;
  materials.add(scene.materials);
  materials.add(scene.pairs);
  law.add(scene.contact);
  law.add(scene.heat);
  law.add(scene.fluid);
  walls.add(scene.walls);
  return { scene.particles.size(), materials.value(), law.value(), walls.value(),
    ofDomain(scene.domain, false), ofShapes(scene) };
}

std::uint64_t SceneFingerprints::ofDomain(const Domain& domain, bool borders)
{
  RowHash hash;
  hash.addRows(domain, borders ? nullptr : "Domain");
  return hash.value();
}

std::uint64_t SceneFingerprints::spheres() { return RowHash{}.value(); }

} // namespace dem
