// The body of findForceChains for both devices: stresses, links and choices by kernels, the rows of grains on the host.
#pragma once

#include "Analysis/ForceChains.h"
#include "Analysis/detail/ContactNetworkImpl.cuh"
#include "Analysis/detail/IncidentContacts.cuh"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace dem
{
namespace detail
{

/// Love-Weber: sum of force times arm over the grain's volume, made symmetric; its least eigenvalue and vector.
struct StressGrains
{
  ContactsOnDevice contacts;
  const double *point, *radius;
  IncidentContacts rows;
  double *stress, *load, *direction;

  DEM_HD void operator()(unsigned i) const
  {
    Symmetric3 s;
    for (std::uint32_t k = rows.start[i]; k < rows.start[i + 1]; ++k)
    {
      const std::size_t c = rows.entry[k] / 2;
      const bool second = rows.entry[k] & 1;
      Vec3d f = vectorAt(contacts.normal_force, c);
      if (contacts.tangential_force)
        f = f + vectorAt(contacts.tangential_force, c);
      if (second)
        f = -1. * f;
      const Vec3d arm = vectorAt(point, c) - vectorAt(second ? contacts.second_place : contacts.first_place, c);
      s.xx += f.x * arm.x;
      s.yy += f.y * arm.y;
      s.zz += f.z * arm.z;
      s.xy += 0.5 * (f.x * arm.y + f.y * arm.x);
      s.yz += 0.5 * (f.y * arm.z + f.z * arm.y);
      s.xz += 0.5 * (f.x * arm.z + f.z * arm.x);
    }
    const double r = radius[i], per_volume = 1 / (4. / 3. * 3.14159265358979323846 * r * r * r);
    double* out = stress + 6 * std::size_t(i);
    const double values[6] = { s.xx, s.yy, s.zz, s.xy, s.yz, s.xz };
    for (int k = 0; k < 6; ++k)
      out[k] = per_volume * values[k];
    const Eigen3 e = symmetricEigen({ out[0], out[1], out[2], out[3], out[4], out[5] });
    load[i] = e.value[0] < 0 ? -e.value[0] : 0;
    for (int k = 0; k < 3; ++k)
      direction[3 * std::size_t(i) + k] = e.vector[0][k];
  }
};

constexpr std::uint32_t kNoLink = 0xffffffffu;

/// The best aligned link to either side of a grain, as contact numbers.
struct ChooseLinks
{
  ContactsOnDevice contacts;
  IncidentContacts rows;
  const double *load, *direction;
  double least_load, least_cosine;
  std::uint32_t* choice; // 2 a grain

  DEM_HD bool takesPart(std::size_t i) const { return load[i] > least_load; }

  DEM_HD void operator()(unsigned i) const
  {
    std::uint32_t best[2] = { kNoLink, kNoLink };
    double best_score[2] = { -1, -1 };
    if (takesPart(i))
    {
      const Vec3d own = vectorAt(direction, i);
      for (std::uint32_t k = rows.start[i]; k < rows.start[i + 1]; ++k)
      {
        const std::uint32_t c = rows.entry[k] / 2;
        const bool second = rows.entry[k] & 1;
        const std::int64_t other = second ? contacts.first[c] : contacts.second[c];
        if (other < 0 || !takesPart(static_cast<std::size_t>(other)))
          continue;
        const Vec3d d = (second ? -1. : 1.) * contacts.normal(c);
        const double along = dot(d, own), cosine = std::fabs(along);
        if (cosine < least_cosine || std::fabs(dot(d, vectorAt(direction, static_cast<std::size_t>(other)))) < least_cosine)
          continue;
        // rounding must not decide between links that lie alike
        const double score = std::floor(cosine * 1073741824. + 0.5);
        const int side = along < 0 ? 0 : 1;
        if (score > best_score[side])
        {
          best_score[side] = score;
          best[side] = c;
        }
      }
    }
    choice[2 * std::size_t(i)] = best[0];
    choice[2 * std::size_t(i) + 1] = best[1];
  }
};

/// Links that the other end takes too.
struct AgreeOnLinks
{
  ContactsOnDevice contacts;
  const std::uint32_t* choice;
  std::uint32_t* link; // 2 a grain

  DEM_HD void operator()(unsigned i) const
  {
    for (int side = 0; side < 2; ++side)
    {
      const std::uint32_t c = choice[2 * std::size_t(i) + side];
      std::uint32_t agreed = kNoLink;
      if (c != kNoLink)
      {
        const std::int64_t other = contacts.first[c] == std::int64_t(i) ? contacts.second[c] : contacts.first[c];
        if (choice[2 * other] == c || choice[2 * other + 1] == c)
          agreed = c;
      }
      link[2 * std::size_t(i) + side] = agreed;
    }
  }
};

/// Rows of grains along agreed links.
inline void traceChains(const GrainContacts& contacts, const std::vector<std::uint32_t>& link, std::size_t fewest, ForceChains& out)
{
  const std::size_t n = link.size() / 2;
  std::vector<char> seen(n, 0);
  std::vector<std::int64_t> grains, links;
  const auto follow = [&](std::size_t from, std::uint32_t along) {
    grains.assign(1, static_cast<std::int64_t>(from));
    links.clear();
    seen[from] = 1;
    while (along != kNoLink)
    {
      links.push_back(along);
      const std::int64_t last = grains.back();
      const std::size_t next = static_cast<std::size_t>(contacts.first[along] == last ? contacts.second[along] : contacts.first[along]);
      if (seen[next])
        break; // a ring is closed
      seen[next] = 1;
      grains.push_back(static_cast<std::int64_t>(next));
      along = link[2 * next] == along ? link[2 * next + 1] : link[2 * next];
    }
    if (links.size() < grains.size())
      links.push_back(-1);
    if (grains.size() < fewest)
      return;
    const std::int32_t number = static_cast<std::int32_t>(out.size());
    for (const std::int64_t grain : grains)
      out.chain[static_cast<std::size_t>(grain)] = number;
    out.grain.insert(out.grain.end(), grains.begin(), grains.end());
    out.link.insert(out.link.end(), links.begin(), links.end());
    out.start.push_back(static_cast<std::int64_t>(out.grain.size()));
  };
  for (const bool rings : { false, true })
    for (std::size_t i = 0; i < n; ++i)
    {
      const std::uint32_t a = link[2 * i], b = link[2 * i + 1];
      if (!seen[i] && (rings ? a != kNoLink && b != kNoLink : (a == kNoLink) != (b == kNoLink)))
        follow(i, a != kNoLink ? a : b);
    }
}

inline void requireForces(const GrainContacts& contacts)
{
  if (contacts.size > 0 && !contacts.normal_force)
    throw Error("The contacts carry no forces, which force chains are made of. Show the array NormalForce of the contacts, or put DEM Contact "
                "Network with a Force Law in front.");
  if (contacts.size > 0 && !contacts.point)
    throw Error("The contacts carry no contact points, which the stresses of grains need.");
}

template <class Exec>
ForceChains findForceChainsOn(Exec& exec, const Grains& grains, const GrainContacts& given, const ChainOptions& options)
{
  if (!(options.stress_factor >= 0) || !std::isfinite(options.stress_factor))
    throw Error("The stress factor is " + std::to_string(options.stress_factor) + "; it must be 0 or more.");
  if (!(options.largest_angle > 0) || !(options.largest_angle <= 1.5707963267948968))
    throw Error("The largest angle is " + std::to_string(options.largest_angle * 57.295779513082323) + " degrees; it must be above 0 and not above 90.");
  if (options.fewest_grains < 3)
    throw Error("A chain has " + std::to_string(options.fewest_grains) + " grains at least; it must have 3 or more.");
  if (given.size > 0x7fffffffull)
    throw Error("There are " + std::to_string(given.size) + " contacts; force chains take 2^31 - 1 at most.");
  requireForces(given);

  ForceChains out;
  const std::size_t n = grains.size;
  out.chain = HostArray<std::int32_t>(n);
  std::fill_n(out.chain.data(), n, -1);
  Filled<double, Exec> stress(exec, out.stress, 6 * n), load(exec, out.load, n), direction(exec, out.direction, 3 * n);
  if (n == 0)
    return out;
  const StagedContacts<Exec> staged_contacts(exec, given);
  const ContactsOnDevice& contacts = staged_contacts.view;
  Array<double, Exec> point_copy(exec), radius_copy(exec);
  const double* point = staged(exec, point_copy, given.point, 3 * given.size);
  const double* radius = staged(exec, radius_copy, grains.radius, n);
  const IncidentRows<Exec> rows(exec, n, contacts.first, contacts.second, given.size);
  exec.forEach(n, StressGrains{ contacts, point, radius, rows.view(), stress.data(), load.data(), direction.data() });
  for (auto* part : { &stress, &load, &direction })
    part->fetch();
  exec.synchronize();

  // Added on the host in the order of the grains; who touches anything is known from the contacts.
  std::vector<char> touches(n, 0);
  for (std::size_t c = 0; c < given.size; ++c)
  {
    touches[static_cast<std::size_t>(given.first[c])] = 1;
    if (given.second[c] >= 0)
      touches[static_cast<std::size_t>(given.second[c])] = 1;
  }
  double sum = 0;
  std::size_t touching = 0;
  for (std::size_t i = 0; i < n; ++i)
    if (touches[i])
    {
      sum += out.load[i];
      ++touching;
    }
  out.mean_load = touching ? sum / static_cast<double>(touching) : 0;

  Array<std::uint32_t, Exec> choice(exec), link(exec);
  choice.resize(2 * n);
  link.resize(2 * n);
  exec.forEach(n,
    ChooseLinks{ contacts, rows.view(), load.data(), direction.data(), options.stress_factor * out.mean_load,
      std::cos(options.largest_angle) - 1e-12, choice.data() });
  exec.forEach(n, AgreeOnLinks{ contacts, choice.data(), link.data() });
  traceChains(given, link.host(), static_cast<std::size_t>(options.fewest_grains), out);
  return out;
}

ForceChains findForceChainsOnCuda(const Grains& grains, const GrainContacts& contacts, const ChainOptions& options, const Device& device);

} // namespace detail
} // namespace dem
