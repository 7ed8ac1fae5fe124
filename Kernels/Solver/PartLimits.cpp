#include "Solver/PartLimits.h"

#include "Core/Error.h"
#include "Core/RankChannel.h"

#include <algorithm>
#include <string>

namespace dem
{

void checkParts(const Scene& scene, const Device& device)
{
  const auto refuse = [&](bool has, const char* what) {
    if (!has)
      return;
    if (device.ranks)
      throw Error(std::to_string(device.ranks->ranks()) + " processes share the run, but " + what +
        " in one process only.");
    throw Error("Devices is " + std::to_string(device.parts) + ", but " + what +
      " on one device only. Set Devices to 1.");
  };
  refuse(std::any_of(scene.particles.shape.begin(), scene.particles.shape.end(),
           [](int shape) { return shape != 0; }),
    "grains that are no spheres run");
  refuse(scene.neighbor_list.kind != NeighborListKind::Automatic, "this kind of neighbour list runs");
  refuse(scene.broad_phase.half_search, "a half search runs");
  refuse(scene.heat.on(), "heat transfer runs");
  refuse(scene.fluid.model != FluidModel::None, "a fluid runs");
}

} // namespace dem
