// The strong network: contacts whose normal force is above a multiple of the mean over all contacts
// (Radjai et al. 1998, Phys. Rev. Lett. 80, 61), and the clusters that they connect.
#pragma once

#include "Analysis/Grains.h"
#include "Core/Device.h"
#include "Core/HostArray.h"

#include <cstdint>

namespace dem
{

/// The strong contacts, in ascending number.
struct StrongNetwork
{
  HostArray<std::int64_t> contact; ///< number of each contact in the input
  /// Cluster of each contact. Contacts that share a grain are in one cluster. Clusters count from 0
  /// in the order of their first contacts.
  HostArray<std::int32_t> cluster;
  HostArray<std::int32_t> cluster_grains; ///< of each contact: number of grains in its cluster
  HostArray<std::int64_t> id;             ///< 2 per contact: Ids; -1 - w for wall number w
  HostArray<double> place;                ///< 6 per contact, m: its two ends
  HostArray<double> force;                ///< of each contact: normal force, N
  HostArray<double> length;               ///< of each contact: distance of its ends, m
  HostArray<std::int32_t> grain;          ///< cluster of each grain, or -1
  double mean_force = 0;                  ///< N, over all contacts
};

/// Finds the contacts with a normal force above `force_factor` times the mean. Grains and contacts
/// lie in host memory or in that of the device. Throws dem::Error without forces and for a negative
/// factor.
StrongNetwork findStrongNetwork(
  const Grains& grains, const GrainContacts& contacts, double force_factor, const Device& device);

} // namespace dem
