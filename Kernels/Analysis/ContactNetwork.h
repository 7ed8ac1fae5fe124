// Contacts described one by one and as a whole: normals, force magnitudes, coordination, fabric,
// the distribution of forces.
#pragma once

#include "Analysis/Grains.h"
#include "Core/Device.h"
#include "Core/HostArray.h"

#include <cstdint>
#include <vector>

namespace dem
{

/// A normal force from the overlap alone, where a file has none.
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
  int rattler_contacts = 2; ///< a grain with fewer contacts is a rattler; 0: none is
  int bins = 50;            ///< of the force distribution, 1 to 100000
  double largest_force =
    0; ///< upper end of the distribution, in mean forces; 0: the largest force there is
  bool walls =
    true; ///< contacts with walls too; else all that follows is of the others alone, in their order
  ForceEstimate estimate; ///< where the contacts have no normal forces but overlaps
};

/// One row. Fabric counts contacts between grains only, all else walls too; nothing is NaN, means
/// over nothing are 0.
struct NetworkTotals
{
  std::uint64_t grains = 0, contacts = 0, wall_contacts = 0, rattlers = 0, sliding = 0;
  double coordination_number = 0; ///< contacts a grain has, in the mean over all grains
  /// The same over grains that are no rattlers; with rattler_contacts = 2 the mechanical
  /// coordination number (2 Nc - N1) / (Np - N0 - N1) of Thornton 2000, Geotechnique 50, 43.
  double mechanical_coordination_number = 0;
  double fabric[6] = { 0, 0, 0, 0, 0,
    0 }; ///< mean of n n^T (Satake 1982), xx yy zz xy yz xz; trace 1
  double fabric_values[3] = { 0, 0, 0 }; ///< its eigenvalues, descending
  double anisotropy =
    0; ///< sqrt(3/2 F':F') of its deviator F'; 0 isotropic, 1 all normals parallel
  double sliding_fraction = 0;
  double mean_normal_force = 0, mean_tangential_force = 0,
         largest_normal_force = 0; ///< N, of magnitudes
};

/// Bins of equal width from 0 to `largest` mean forces. Forces beyond count in `total` only.
struct ForceDistribution
{
  double largest = 0, mean = 0;     ///< upper end in mean forces; N
  std::uint64_t total = 0;          ///< contacts with a force
  std::vector<std::uint64_t> count; ///< contacts a bin

  double width() const { return count.empty() ? 0 : largest / static_cast<double>(count.size()); }
  double force(std::size_t bin) const { return (static_cast<double>(bin) + 0.5) * width(); }
  /// Of a force in this bin, as density over force / mean force.
  double density(std::size_t bin) const;
  /// What the q-model gives for three contacts below each grain, 27/2 f^2 exp(-3 f): Coppersmith et
  /// al. 1996, Phys. Rev. E 53, 4673.
  static double qModel(double f);
};

struct ContactNetwork
{
  HostArray<float>
    normal; ///< 3 a contact, from the first grain to the second; zero where centres coincide
            ///< without force; of grains that are no spheres (GrainContacts::shaped) that of the
            ///< surfaces, against the normal force
  HostArray<float> normal_magnitude; ///< N; empty without normal forces
  HostArray<float> estimated_force; ///< 3 a contact, N; empty where they were given or are left out
  HostArray<float> tangential_magnitude; ///< N; empty without tangential forces
  HostArray<double> point;      ///< 3 a contact, m: those that were given, or in mid overlap
  HostArray<std::uint8_t> wall; ///< 1 a contact with a wall
  HostArray<std::int32_t> coordination; ///< contacts of each grain
  NetworkTotals totals;
  ForceDistribution distribution; ///< without bins when forces are not known
};

/// Grains and contacts in host memory or in that of the device. Throws dem::Error for options that
/// cannot be.
ContactNetwork describeNetwork(const Grains& grains, const GrainContacts& contacts,
  const NetworkOptions& options, const Device& device);

/// Normal forces (3 a contact, N, on the first grain) that a law gives for overlaps in m; a gap and
/// a pair with one centre have none. Empty for ForceLaw::None. Walls count as flat and of the same
/// material. In host memory.
HostArray<double> estimateForces(const Grains& grains, const GrainContacts& contacts,
  const double* overlap, const ForceEstimate& estimate, const Device& device);

} // namespace dem
