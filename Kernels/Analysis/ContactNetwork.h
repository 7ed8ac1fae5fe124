// The contact network: normals and force magnitudes of contacts, coordination numbers of grains,
// and fabric, totals and the distribution of forces of the whole.
#pragma once

#include "Analysis/Grains.h"
#include "Core/Device.h"
#include "Core/HostArray.h"

#include <cstdint>
#include <vector>

namespace dem
{

/// Law that estimates normal forces from overlaps, for files without forces.
enum class ForceLaw
{
  None,
  Hertz,       ///< 4/3 E* sqrt(R*) d^1.5, elastic spheres of one material (Hertz 1881)
  LinearSpring ///< k d
};

struct ForceEstimate
{
  ForceLaw law = ForceLaw::None;
  double youngs_modulus = 5e6; ///< Pa, > 0 (Hertz)
  double poissons_ratio = 0.3; ///< in (-1, 0.5] (Hertz)
  double stiffness = 1e4;      ///< N/m, > 0 (LinearSpring)
};

struct NetworkOptions
{
  int rattler_contacts = 2; ///< a grain with fewer contacts is a rattler; 0: no grain is
  int bins = 50;            ///< of the force distribution, 1 to 100000
  /// Upper end of the distribution, in mean forces; 0: the largest force that occurs.
  double largest_force = 0;
  /// Includes contacts with walls. If false, all results are of the other contacts, in their order.
  bool walls = true;
  ForceEstimate estimate; ///< used for contacts with overlaps but without normal forces
};

/// Totals of the network. The fabric counts contacts between grains only; the other values include
/// contacts with walls. Means over nothing are 0; no value is NaN.
struct NetworkTotals
{
  std::uint64_t grains = 0, contacts = 0, wall_contacts = 0, rattlers = 0, sliding = 0;
  double coordination_number = 0; ///< mean number of contacts of a grain, over all grains
  /// The same over grains that are not rattlers. With rattler_contacts = 2 this is the mechanical
  /// coordination number (2 Nc - N1) / (Np - N0 - N1) of Thornton 2000, Geotechnique 50, 43.
  double mechanical_coordination_number = 0;
  /// Mean of n n^T (Satake 1982), xx yy zz xy yz xz; its trace is 1.
  double fabric[6] = { 0, 0, 0, 0, 0, 0 };
  double fabric_values[3] = { 0, 0, 0 }; ///< its eigenvalues, descending
  /// sqrt(3/2 F':F') of the deviator F' of the fabric: 0 isotropic, 1 all normals parallel.
  double anisotropy = 0;
  double sliding_fraction = 0;
  double mean_normal_force = 0, mean_tangential_force = 0,
         largest_normal_force = 0; ///< N; of the magnitudes
};

/// Histogram of normal forces in bins of equal width from 0 to `largest` mean forces. Forces beyond
/// the last bin count in `total` only.
struct ForceDistribution
{
  double largest = 0;               ///< upper end, in mean forces
  double mean = 0;                  ///< mean force, N
  std::uint64_t total = 0;          ///< contacts with a force
  std::vector<std::uint64_t> count; ///< contacts in each bin

  /// Width of a bin, in mean forces.
  double width() const { return count.empty() ? 0 : largest / static_cast<double>(count.size()); }
  /// Middle of a bin, in mean forces.
  double force(std::size_t bin) const { return (static_cast<double>(bin) + 0.5) * width(); }
  /// Probability density of force / mean force in a bin.
  double density(std::size_t bin) const;
  /// The density of the q-model with three contacts below each grain, 27/2 f^2 exp(-3 f):
  /// Coppersmith et al. 1996, Phys. Rev. E 53, 4673.
  static double qModel(double f);
};

struct ContactNetwork
{
  /// 3 per contact, from the first grain to the second. Zero if the centres coincide and there is
  /// no force. For grains that are not spheres (GrainContacts::shaped) opposite to the normal
  /// force.
  HostArray<float> normal;
  HostArray<float> normal_magnitude; ///< N; empty without normal forces
  /// 3 per contact, N; empty if forces were given or no law was chosen.
  HostArray<float> estimated_force;
  HostArray<float> tangential_magnitude; ///< N; empty without tangential forces
  HostArray<double> point;               ///< 3 per contact, m: as given, or in mid overlap
  HostArray<std::uint8_t> wall;          ///< 1 for a contact with a wall
  HostArray<std::int32_t> coordination;  ///< contacts of each grain
  NetworkTotals totals;
  ForceDistribution distribution; ///< without bins if forces are unknown
};

/// Describes the network. Grains and contacts lie in host memory or in that of the device. Throws
/// dem::Error for invalid options. Sums have a fixed order: equal bits for any number of threads.
ContactNetwork describeNetwork(const Grains& grains, const GrainContacts& contacts,
  const NetworkOptions& options, const Device& device);

/// Normal forces on the first grain (3 per contact, N) that a law gives for `overlap` (m), in host
/// memory. 0 for a gap and for coincident centres; empty for ForceLaw::None. Walls are flat and of
/// the same material. Throws dem::Error for invalid coefficients.
HostArray<double> estimateForces(const Grains& grains, const GrainContacts& contacts,
  const double* overlap, const ForceEstimate& estimate, const Device& device);

} // namespace dem
