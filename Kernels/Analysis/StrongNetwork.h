// The strong network: contacts that carry more than a given multiple of the mean normal force, and
// the clusters that they make.
#pragma once

#include "Analysis/Grains.h"
#include "Core/Device.h"
#include "Core/HostArray.h"

#include <cstdint>

namespace dem
{

/// Contacts whose normal force is above a multiple of the mean over all contacts (Radjai et al.
/// 1998, Phys. Rev. Lett. 80, 61).
struct StrongNetwork
{
  HostArray<std::int64_t> contact; ///< their numbers, ascending
  HostArray<std::int32_t> cluster; ///< of each: connected through grains; clusters count from 0 in
                                   ///< the order of their first contact
  HostArray<std::int32_t> cluster_grains; ///< of each: grains in its cluster
  HostArray<std::int64_t> id;             ///< 2 a contact, Ids; a wall is -1 - its number
  HostArray<double> place;                ///< 6 a contact, m: its two ends
  HostArray<double> force, length;        ///< of each: normal force, N; distance of its ends, m
  HostArray<std::int32_t> grain;          ///< cluster of each grain, or -1
  double mean_force = 0;                  ///< N, over all contacts
};

/// Grains and contacts in host memory or in that of the device. Throws dem::Error without forces
/// and for a negative factor.
StrongNetwork findStrongNetwork(
  const Grains& grains, const GrainContacts& contacts, double force_factor, const Device& device);

} // namespace dem
