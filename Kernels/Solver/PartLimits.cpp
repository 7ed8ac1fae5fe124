#include "Solver/PartLimits.h"

#include "Core/Error.h"
#include "Core/RankChannel.h"
#include "Domain/Partition.cuh"
#include "NeighborList/NeighborListOptions.h"

namespace dem
{

std::string needsOnePart(const Scene& scene)
{
  if (scene.neighbor_list.kind != NeighborListKind::Automatic)
    return std::string("NeighborList '") +
      kNeighborListNames[static_cast<int>(scene.neighbor_list.kind)] + "' runs";
  if (scene.broad_phase.half_search)
    return "a half search runs";
  if (scene.fluid.model != FluidModel::None)
    return "a fluid runs";
  return {};
}

void checkParts(const Scene& scene, const Device& device)
{
  const std::string what = needsOnePart(scene);
  if (what.empty())
    return;
  if (device.ranks)
    throw Error(std::to_string(device.ranks->ranks()) + " processes share the run, but " + what +
      " in one process only. Start the run in one process.");
  throw Error("Devices is " + std::to_string(device.parts) + ", but " + what +
    " on one device only. Set Devices to 1.");
}

bool ranksPay(const Scene& scene, int ranks, DeviceKind kind)
{
  const std::size_t pays = kind == DeviceKind::CUDA ? 500000 : 2500;
  return ranks <= kMostParts && scene.particles.size() >= pays * static_cast<std::size_t>(ranks);
}

} // namespace dem
