// Reads the borders from the head of a saved state.
#include "State/Snapshot.h"

#include "State/SceneFingerprints.h"
#include "State/SnapshotFormat.h"

#include <cstring>

namespace dem
{

void takeBorders(const SnapshotBytes& state, Domain& domain)
{
  constexpr std::size_t kStart =
    5 * sizeof(std::uint32_t) + 3 * 8 + SceneFingerprints::kParts * sizeof(std::uint64_t);
  std::uint32_t head[2];
  if (!domain.automatic || state.size() < kStart + 2 * sizeof(Vec3d))
    return;
  std::memcpy(head, state.data(), sizeof head);
  if (head[0] != kSnapshotMagic || head[1] <= kSnapshotVersionNoExits || head[1] > kSnapshotVersion)
    return;
  std::memcpy(&domain.lower, state.data() + kStart, sizeof(Vec3d));
  std::memcpy(&domain.upper, state.data() + kStart + sizeof(Vec3d), sizeof(Vec3d));
}

} // namespace dem
