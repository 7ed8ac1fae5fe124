// describeNetwork and estimateForces for an execution policy.
#pragma once

#include "Analysis/ContactNetwork.h"
#include "Analysis/SymmetricEigen.cuh"
#include "Analysis/detail/ContactInput.cuh"
#include "Analysis/detail/NetworkContacts.cuh"
#include "Analysis/detail/Staging.h"
#include "Core/Algorithms.h"
#include "Core/Array.h"
#include "Core/Atomic.cuh"
#include "Core/Error.h"
#include "Core/FixedSum.cuh"
#include "Core/Vec.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace dem
{
namespace detail
{

/// Normal, force magnitudes and wall flag of each contact; counts the contacts of grains.
struct DescribeContact
{
  ContactsOnDevice contacts;
  float *normal, *normal_magnitude, *tangential_magnitude;
  std::uint8_t* wall;
  std::uint32_t* coordination;

  DEM_HD void operator()(unsigned c) const
  {
    const Vec3d n = contacts.surfaceNormal(c);
    for (int k = 0; k < 3; ++k)
      normal[3 * std::size_t(c) + k] = static_cast<float>(n[k]);
    if (normal_magnitude)
      normal_magnitude[c] = static_cast<float>(length(vectorAt(contacts.normal_force, c)));
    if (tangential_magnitude)
      tangential_magnitude[c] = static_cast<float>(length(vectorAt(contacts.tangential_force, c)));
    wall[c] = contacts.second[c] < 0 ? 1 : 0;
    atomicGrow(coordination + contacts.first[c], 1u);
    if (contacts.second[c] >= 0)
      atomicGrow(coordination + contacts.second[c], 1u);
  }
};

/// Sums over a block of contacts.
struct ContactSums
{
  double fabric[6], normal_force, tangential_force, largest;
  std::uint64_t walls, pairs, sliding;
};

/// One thread per block of kSumBlock contacts, which it adds in ascending order.
struct SumContacts
{
  ContactsOnDevice contacts;
  const std::uint8_t* sliding;
  ContactSums* partial;

  DEM_HD void operator()(unsigned block) const
  {
    ContactSums sum{};
    const std::size_t begin = block * kSumBlock,
                      end = begin + kSumBlock < contacts.size ? begin + kSumBlock : contacts.size;
    for (std::size_t c = begin; c < end; ++c)
    {
      if (contacts.second[c] < 0)
        ++sum.walls;
      else
      {
        const Vec3d n = contacts.surfaceNormal(c);
        const double nn[6] = { n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.y * n.z, n.x * n.z };
        if (nn[0] + nn[1] + nn[2] > 0)
        {
          ++sum.pairs;
          for (int k = 0; k < 6; ++k)
            sum.fabric[k] += nn[k];
        }
      }
      if (contacts.normal_force)
      {
        const double f = length(vectorAt(contacts.normal_force, c));
        sum.normal_force += f;
        sum.largest = f > sum.largest ? f : sum.largest;
      }
      if (contacts.tangential_force)
        sum.tangential_force += length(vectorAt(contacts.tangential_force, c));
      if (sliding && sliding[c])
        ++sum.sliding;
    }
    partial[block] = sum;
  }
};

/// Sums over a block of grains. A carrying grain is one that is not a rattler.
struct EndSums
{
  std::uint64_t ends, carrying_ends, carrying; // contacts of all grains, of carrying ones; grains
};

/// One thread per block of kSumBlock grains.
struct SumEnds
{
  const std::int32_t* coordination;
  std::size_t grains;
  std::int32_t least; // contacts of a carrying grain
  EndSums* partial;

  DEM_HD void operator()(unsigned block) const
  {
    EndSums sum{};
    const std::size_t begin = block * kSumBlock,
                      end = begin + kSumBlock < grains ? begin + kSumBlock : grains;
    for (std::size_t i = begin; i < end; ++i)
    {
      const std::uint64_t z = static_cast<std::uint64_t>(coordination[i]);
      sum.ends += z;
      if (coordination[i] >= least)
      {
        sum.carrying_ends += z;
        ++sum.carrying;
      }
    }
    partial[block] = sum;
  }
};

/// Counts the magnitudes of forces in bins.
struct CountForces
{
  const double* normal_force;
  double per_bin; // bins per newton
  unsigned bins;
  bool keep_last; // the last bin ends at the largest force and includes it
  std::uint32_t* count;

  DEM_HD void operator()(unsigned c) const
  {
    const double place = length(vectorAt(normal_force, c)) * per_bin;
    unsigned bin = place < bins ? static_cast<unsigned>(place) : bins;
    if (bin == bins && keep_last)
      bin = bins - 1;
    if (bin < bins)
      atomicGrow(count + bin, 1u);
  }
};

/// The normal force of each contact after a force law, on the first grain.
struct EstimateForce
{
  ContactsOnDevice contacts;
  const double *radius, *overlap;
  ForceEstimate estimate;
  double* force;

  DEM_HD void operator()(unsigned c) const
  {
    const double d = overlap[c];
    double f = 0;
    if (d > 0 && estimate.law == ForceLaw::LinearSpring)
      f = estimate.stiffness * d;
    else if (d > 0 && estimate.law == ForceLaw::Hertz)
    {
      // both bodies have one material: 1/E* = 2 (1 - nu^2) / E; a wall is flat: R* = R
      const double modulus =
        estimate.youngs_modulus / (2 * (1 - estimate.poissons_ratio * estimate.poissons_ratio));
      const double r = radius[contacts.first[c]],
                   other = contacts.second[c] < 0 ? 0 : radius[contacts.second[c]];
      const double effective = contacts.second[c] < 0 ? r : r * other / (r + other);
      f = 4. / 3. * modulus * std::sqrt(effective * d) * d;
    }
    const Vec3d n = contacts.normal(c);
    for (int k = 0; k < 3; ++k)
      force[3 * std::size_t(c) + k] = -f * n[k];
  }
};

/// Throws dem::Error for a law with invalid coefficients.
inline void requireEstimate(const ForceEstimate& estimate)
{
  if (estimate.law == ForceLaw::Hertz)
  {
    if (!(estimate.youngs_modulus > 0) || !std::isfinite(estimate.youngs_modulus))
      throw Error("Youngs Modulus is " + std::to_string(estimate.youngs_modulus) +
        " Pa; it must be above 0.");
    if (!(estimate.poissons_ratio > -1) || !(estimate.poissons_ratio <= 0.5))
      throw Error("Poissons Ratio is " + std::to_string(estimate.poissons_ratio) +
        "; it must be above -1 and not above 0.5.");
  }
  if (estimate.law == ForceLaw::LinearSpring &&
    (!(estimate.stiffness > 0) || !std::isfinite(estimate.stiffness)))
    throw Error(
      "Normal Stiffness is " + std::to_string(estimate.stiffness) + " N/m; it must be above 0.");
}

struct NarrowValues
{
  const double* from;
  float* to;

  DEM_HD void operator()(unsigned i) const { to[i] = static_cast<float>(from[i]); }
};

/// Throws dem::Error for invalid options.
inline void requireNetworkOptions(const NetworkOptions& options, const GrainContacts& contacts)
{
  if (options.rattler_contacts < 0)
    throw Error("Rattlers have fewer than " + std::to_string(options.rattler_contacts) +
      " contacts; the number must be 0 or more.");
  if (options.bins < 1 || options.bins > 100000)
    throw Error("The force distribution has " + std::to_string(options.bins) +
      " bins; it must have 1 to 100000.");
  if (!(options.largest_force >= 0) || !std::isfinite(options.largest_force))
    throw Error("The force distribution ends at " + std::to_string(options.largest_force) +
      " mean forces; it must be above 0, or 0 for the largest.");
  if (contacts.size > 0xffffffffull)
    throw Error("There are " + std::to_string(contacts.size) +
      " contacts; a network takes 2^32 - 1 at most.");
  if (!contacts.normal_force)
    requireEstimate(options.estimate);
}

/// Sets the eigenvalues and the anisotropy from the fabric.
inline void describeFabric(NetworkTotals& t)
{
  const Eigen3 e = symmetricEigen(
    { t.fabric[0], t.fabric[1], t.fabric[2], t.fabric[3], t.fabric[4], t.fabric[5] });
  const double mean = (e.value[0] + e.value[1] + e.value[2]) / 3;
  double deviator = 0;
  for (int k = 0; k < 3; ++k)
  {
    t.fabric_values[k] = e.value[2 - k];
    deviator += (e.value[k] - mean) * (e.value[k] - mean);
  }
  t.anisotropy = std::sqrt(1.5 * deviator);
}

/// Totals of the network from the sums over blocks, which are added in their order.
inline NetworkTotals addTotals(std::size_t grains, std::size_t contacts,
  const std::vector<ContactSums>& contact_sums, const std::vector<EndSums>& end_sums)
{
  NetworkTotals t;
  t.grains = grains;
  t.contacts = contacts;
  std::uint64_t pairs = 0;
  for (const ContactSums& sum : contact_sums)
  {
    for (int k = 0; k < 6; ++k)
      t.fabric[k] += sum.fabric[k];
    t.mean_normal_force += sum.normal_force;
    t.mean_tangential_force += sum.tangential_force;
    t.largest_normal_force = std::max(t.largest_normal_force, sum.largest);
    t.wall_contacts += sum.walls;
    t.sliding += sum.sliding;
    pairs += sum.pairs;
  }
  std::uint64_t ends = 0, carrying_ends = 0, carrying = 0;
  for (const EndSums& sum : end_sums)
  {
    ends += sum.ends;
    carrying_ends += sum.carrying_ends;
    carrying += sum.carrying;
  }
  t.rattlers = t.grains - carrying;
  const auto over = [](double sum, std::uint64_t number) {
    return number ? sum / static_cast<double>(number) : 0;
  };
  t.coordination_number = over(static_cast<double>(ends), t.grains);
  t.mechanical_coordination_number = over(static_cast<double>(carrying_ends), carrying);
  t.sliding_fraction = over(static_cast<double>(t.sliding), t.contacts);
  t.mean_normal_force = over(t.mean_normal_force, t.contacts);
  t.mean_tangential_force = over(t.mean_tangential_force, t.contacts);
  for (double& f : t.fabric)
    f = over(f, pairs);
  describeFabric(t);
  return t;
}

/// The distribution of the forces of n contacts. `normal_force`: readable by kernels.
template <class Exec>
ForceDistribution distributeForces(Exec& exec, const double* normal_force, std::size_t n,
  const NetworkTotals& totals, const NetworkOptions& options)
{
  ForceDistribution d;
  const std::size_t bins = static_cast<std::size_t>(options.bins);
  d.count.assign(bins, 0);
  d.total = n;
  d.mean = totals.mean_normal_force;
  d.largest = options.largest_force > 0 ? options.largest_force
                                        : (d.mean > 0 ? totals.largest_normal_force / d.mean : 1);
  if (n == 0)
    return d;
  Array<std::uint32_t, Exec> count(exec);
  count.resize(bins);
  count.zero();
  // if all forces are 0 they count in the first bin
  const double per_bin = d.mean > 0 ? static_cast<double>(bins) / (d.largest * d.mean) : 0;
  exec.forEach(n,
    CountForces{ normal_force, per_bin, static_cast<unsigned>(bins), options.largest_force == 0,
      count.data() });
  const std::vector<std::uint32_t> counted = count.host();
  d.count.assign(counted.begin(), counted.end());
  return d;
}

template <class Exec>
ContactNetwork describeNetworkOn(Exec& exec, const Grains& given_grains,
  const GrainContacts& given_contacts, const NetworkOptions& options)
{
  requireNetworkOptions(options, given_contacts);
  ContactNetwork out;
  requireReachable(exec, given_grains.memory);
  NetworkContacts<Exec> staged(exec);
  GrainContacts given = staged.take(given_contacts, options.walls);
  const std::size_t n = given.size, grains = given_grains.size;
  Input<double, Exec> radius_input(exec);
  const double* radius = radius_input(given_grains.radius, grains, given_grains.memory);
  ContactInput<Exec> input(exec);
  ContactsOnDevice contacts = input.stage(given);
  Array<double, Exec> estimated(exec);
  Output<float, Exec> estimated_force(exec);
  if (!given.normal_force && options.estimate.law != ForceLaw::None)
  {
    if (n > 0 && !given.overlap)
      throw Error("The contacts have no overlaps from which forces could be estimated.");
    estimated.resize(3 * n);
    exec.forEach(
      n, EstimateForce{ contacts, radius, given.overlap, options.estimate, estimated.data() });
    exec.forEach(
      3 * n, NarrowValues{ estimated.data(), estimated_force(out.estimated_force, 3 * n) });
    estimated_force.fetch();
    given.normal_force = contacts.normal_force = estimated.data();
  }
  const bool forces = given.normal_force ||
    (n == 0 && (given_contacts.normal_force || options.estimate.law != ForceLaw::None));

  Output<float, Exec> normal(exec, out.normal, 3 * n),
    normal_magnitude(exec, out.normal_magnitude, forces ? n : 0),
    tangential_magnitude(exec, out.tangential_magnitude, given.tangential_force ? n : 0);
  Output<double, Exec> point(exec, out.point, 3 * n);
  Output<std::uint8_t, Exec> wall(exec, out.wall, n);
  Output<std::int32_t, Exec> coordination(exec, out.coordination, grains);
  exec.zero(coordination.data(), grains * sizeof(std::int32_t));
  exec.forEach(n,
    DescribeContact{ contacts, normal.data(), forces ? normal_magnitude.data() : nullptr,
      given.tangential_force ? tangential_magnitude.data() : nullptr, wall.data(),
      reinterpret_cast<std::uint32_t*>(coordination.data()) });
  for (auto* part : { &normal, &normal_magnitude, &tangential_magnitude })
    part->fetch();
  wall.fetch();
  coordination.fetch();
  exec.copy(point.data(), input.points(given, contacts, radius), 3 * n * sizeof(double));
  point.fetch();

  Array<ContactSums, Exec> contact_sums(exec);
  contact_sums.resize(sumBlocks(n));
  exec.forEach(
    contact_sums.size(), SumContacts{ contacts, input.sliding(given), contact_sums.data() });
  Array<EndSums, Exec> end_sums(exec);
  end_sums.resize(sumBlocks(grains));
  exec.forEach(end_sums.size(),
    SumEnds{ coordination.data(), grains, options.rattler_contacts, end_sums.data() });
  out.totals = addTotals(grains, n, contact_sums.host(), end_sums.host());
  if (forces)
    out.distribution = distributeForces(exec, contacts.normal_force, n, out.totals, options);
  exec.finishCopies();
  return out;
}

template <class Exec>
HostArray<double> estimateForcesOn(Exec& exec, const Grains& grains, const GrainContacts& given,
  const double* overlap, const ForceEstimate& estimate)
{
  HostArray<double> force;
  requireEstimate(estimate);
  if (estimate.law == ForceLaw::None)
    return force;
  ContactInput<Exec> input(exec);
  const ContactsOnDevice contacts = input.stage(given);
  Input<double, Exec> radius(exec), depth(exec);
  requireReachable(exec, grains.memory);
  Output<double, Exec> filled(exec, force, 3 * given.size);
  exec.forEach(given.size,
    EstimateForce{ contacts, radius(grains.radius, grains.size, grains.memory),
      depth(overlap, given.size, given.memory), estimate, filled.data() });
  filled.fetch();
  exec.finishCopies();
  return force;
}

ContactNetwork describeNetworkOnCuda(const Grains& grains, const GrainContacts& contacts,
  const NetworkOptions& options, const Device& device);
HostArray<double> estimateForcesOnCuda(const Grains& grains, const GrainContacts& contacts,
  const double* overlap, const ForceEstimate& estimate, const Device& device);

} // namespace detail
} // namespace dem
