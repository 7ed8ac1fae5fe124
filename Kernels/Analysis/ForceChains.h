// Force chains: rows of grains that carry most of the load, and what becomes of them between two
// times.
#pragma once

#include "Analysis/Grains.h"
#include "Core/Device.h"
#include "Core/HostArray.h"

#include <cstdint>
#include <vector>

namespace dem
{

/// After Peters, Muthuswamy, Wibowo, Tordesillas 2005, Phys. Rev. E 72, 041307, made single-file:
/// 1. The stress of a grain is the Love-Weber mean over its volume. Its load is the size of its
/// most compressive principal stress.
/// 2. Grains take part whose load is above `stress_factor` times the mean load of the grains that
/// touch anything.
/// 3. Two of them that touch may be linked when the line of centres is within `largest_angle` of
/// the most compressive direction of both.
/// 4. To each of its two sides a grain takes the link that is best aligned with its own direction
/// (compared to 2^-30; then the contact that
///    comes first). Links that both ends take make the chains: no grain has more than two, so none
///    is in two chains.
/// 5. Chains have `fewest_grains` grains at least.
struct ChainOptions
{
  double stress_factor = 1;                      ///< >= 0
  double largest_angle = 0.78539816339744830962; ///< rad, in (0, pi/2]
  int fewest_grains = 3;                         ///< >= 3
};

struct ForceChains
{
  /// Chain k: members [start[k], start[k + 1]); empty without grains. The link of a member goes to
  /// the next one; that of the last is -1, or closes a ring.
  HostArray<std::int64_t> start;
  HostArray<std::int64_t> grain; ///< index, from the end with the lower one; chains ascend in their
                                 ///< first grain, rings behind the others
  HostArray<std::int64_t> link;  ///< number of the contact
  HostArray<std::int64_t> id;    ///< of each member
  HostArray<double> place;       ///< 3 a member, m: next to each other where periodic
  HostArray<double> member_load; ///< of each member, Pa
  HostArray<double> force;       ///< of each member, N: mean normal force of its links
  HostArray<double> length;      ///< of each chain, m, along its branches
  HostArray<double> mean_force;  ///< of each chain, N: of the normal forces of its links
  HostArray<std::int32_t> chain; ///< of each grain, or -1
  HostArray<double> stress;      ///< 6 a grain, Pa: xx yy zz xy yz xz, tension positive
  HostArray<double> load;        ///< of each grain, Pa, >= 0
  HostArray<double> direction;   ///< 3 a grain: unit vector of the most compressive stress
  double mean_load = 0;          ///< Pa, over the grains that touch anything

  std::size_t size() const { return start.empty() ? 0 : start.size() - 1; }
  bool ring(std::size_t k) const { return link[static_cast<std::size_t>(start[k + 1]) - 1] >= 0; }
};

/// Contacts with forces; both in host memory or in that of the device. Throws dem::Error without
/// forces and for options that cannot be.
ForceChains findForceChains(const Grains& grains, const GrainContacts& contacts,
  const ChainOptions& options, const Device& device);

} // namespace dem
