// Force chains: rows of grains that carry most of the load. ChainEvents.h compares them between two
// times.
#pragma once

#include "Analysis/Grains.h"
#include "Core/Device.h"
#include "Core/HostArray.h"

#include <cstdint>
#include <vector>

namespace dem
{

/// Options of the method of Peters, Muthuswamy, Wibowo, Tordesillas 2005, Phys. Rev. E 72, 041307,
/// changed so that chains do not branch:
/// 1. The stress of a grain is the Love-Weber mean over its volume. Its load is the size of the
/// most
///    compressive principal stress.
/// 2. Grains take part if their load is above `stress_factor` times the mean load of the grains
/// that
///    have contacts.
/// 3. Two such grains in contact may be linked if the line of their centres is within
/// `largest_angle`
///    of the most compressive direction of both.
/// 4. On each of its two sides a grain chooses the link that is best aligned with its own
/// direction.
///    Alignments are compared in steps of 2^-30; among equal ones the first contact is chosen.
///    Links chosen by both ends make the chains. A grain has at most two, so it is in at most one
///    chain.
/// 5. Chains have at least `fewest_grains` grains.
struct ChainOptions
{
  double stress_factor = 1;                      ///< >= 0
  double largest_angle = 0.78539816339744830962; ///< rad, in (0, pi/2]
  int fewest_grains = 3;                         ///< >= 3
};

/// Chains as lists of members, with values of chains and of all grains. Chains are ordered by the
/// index of their first grain; rings follow the open chains.
struct ForceChains
{
  /// The members of chain k are [start[k], start[k + 1]). Empty if there are no grains.
  HostArray<std::int64_t> start;
  /// Index of each member's grain. An open chain begins with its end of lower index, a ring with
  /// its lowest index.
  HostArray<std::int64_t> grain;
  /// Number of the contact with the next member. For the last member -1, or the contact that closes
  /// the ring.
  HostArray<std::int64_t> link;
  HostArray<std::int64_t> id; ///< of each member
  /// 3 per member, m: centre; on periodic axes as the image next to the previous member.
  HostArray<double> place;
  HostArray<double> member_load; ///< of each member, Pa
  HostArray<double> force;       ///< of each member, N: mean normal force of its links
  HostArray<double> length;      ///< of each chain, m: sum of its branches
  HostArray<double> mean_force;  ///< of each chain, N: of the normal forces of its links
  HostArray<std::int32_t> chain; ///< chain of each grain, or -1
  HostArray<double> stress;      ///< 6 per grain, Pa: xx yy zz xy yz xz, tension positive
  HostArray<double> load;        ///< of each grain, Pa, >= 0
  HostArray<double> direction;   ///< 3 per grain: unit vector of the most compressive stress
  double mean_load = 0;          ///< Pa, over the grains that have contacts

  std::size_t size() const { return start.empty() ? 0 : start.size() - 1; } ///< number of chains
  bool ring(std::size_t k) const { return link[static_cast<std::size_t>(start[k + 1]) - 1] >= 0; }
};

/// Finds the chains. The contacts need forces, and points or overlaps. Grains and contacts lie in
/// host memory or in that of the device. Throws dem::Error without forces and for invalid options.
/// Sums have a fixed order: equal bits for any number of threads.
ForceChains findForceChains(const Grains& grains, const GrainContacts& contacts,
  const ChainOptions& options, const Device& device);

} // namespace dem
