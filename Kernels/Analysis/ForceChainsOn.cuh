// findForceChains for an execution policy: stresses of grains, the links that each grain chooses,
// and the rows of grains that agreed links make. The thread of a row's first grain walks along the
// links.
#pragma once

#include "Analysis/ForceChains.h"
#include "Analysis/GrainStress.cuh"
#include "Analysis/detail/ContactInput.cuh"
#include "Analysis/detail/GrainInput.cuh"
#include "Analysis/detail/IncidentContacts.cuh"
#include "Analysis/detail/Staging.h"
#include "Core/Error.h"

#include <cmath>
#include <string>
#include <vector>

namespace dem
{
namespace detail
{

constexpr std::uint32_t kNoLink = 0xffffffffu;

/// Chooses the best aligned link to each of the two sides of a grain, as contact numbers.
struct ChooseLinks
{
  ContactsOnDevice contacts;
  IncidentContacts rows;
  const double *load, *direction;
  double least_load, least_cosine;
  std::uint32_t* choice; // 2 per grain; kNoLink: none

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
        if (cosine < least_cosine ||
          std::fabs(dot(d, vectorAt(direction, static_cast<std::size_t>(other)))) < least_cosine)
          continue;
        // compared in steps of 2^-30, so that rounding does not decide between equal alignments
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

/// Keeps the links that both ends chose.
struct AgreeOnLinks
{
  ContactsOnDevice contacts;
  const std::uint32_t* choice;
  std::uint32_t* link; // 2 per grain; kNoLink: none

  DEM_HD void operator()(unsigned i) const
  {
    for (int side = 0; side < 2; ++side)
    {
      const std::uint32_t c = choice[2 * std::size_t(i) + side];
      std::uint32_t agreed = kNoLink;
      if (c != kNoLink)
      {
        const std::int64_t other =
          contacts.first[c] == std::int64_t(i) ? contacts.second[c] : contacts.first[c];
        if (choice[2 * other] == c || choice[2 * other + 1] == c)
          agreed = c;
      }
      link[2 * std::size_t(i) + side] = agreed;
    }
  }
};

/// A walk over grains along agreed links.
struct ChainLinks
{
  ContactsOnDevice contacts;
  const std::uint32_t* link; // 2 per grain

  DEM_HD bool isEnd(std::uint32_t i) const
  {
    return (link[2 * std::size_t(i)] == kNoLink) != (link[2 * std::size_t(i) + 1] == kNoLink);
  }
  DEM_HD bool isBetween(std::uint32_t i) const
  {
    return link[2 * std::size_t(i)] != kNoLink && link[2 * std::size_t(i) + 1] != kNoLink;
  }
  /// The first link of a row that begins with this grain.
  DEM_HD std::uint32_t first(std::uint32_t i) const
  {
    const std::uint32_t a = link[2 * std::size_t(i)];
    return a != kNoLink ? a : link[2 * std::size_t(i) + 1];
  }
  /// The grain at the other end of a link.
  DEM_HD std::uint32_t across(std::uint32_t i, std::uint32_t along) const
  {
    return static_cast<std::uint32_t>(
      contacts.first[along] == std::int64_t(i) ? contacts.second[along] : contacts.first[along]);
  }
  /// The other link of a grain that was reached along `along`.
  DEM_HD std::uint32_t onward(std::uint32_t i, std::uint32_t along) const
  {
    const std::uint32_t a = link[2 * std::size_t(i)];
    return a == along ? link[2 * std::size_t(i) + 1] : a;
  }
};

/// Finds open rows, those with two ends; each begins with its end of lower index. `rows[i]` is 1 if
/// a row of at least `fewest` grains begins with grain i, and `members[i]` its number of grains.
struct FindOpenRows
{
  ChainLinks links;
  std::uint32_t fewest;
  std::uint32_t *rows, *members;
  std::uint8_t* open; // 1 for grains of open rows
  std::int32_t* chain;

  DEM_HD void operator()(std::uint32_t i) const
  {
    rows[i] = members[i] = 0;
    chain[i] = -1;
    if (!links.isEnd(i))
      return;
    open[i] = 1;
    std::uint32_t last = i, count = 1;
    for (std::uint32_t along = links.first(i); along != kNoLink; along = links.onward(last, along))
    {
      last = links.across(last, along);
      open[last] = 1; // the walk from the other end writes the same value
      ++count;
    }
    if (i < last && count >= fewest)
    {
      rows[i] = 1;
      members[i] = count;
    }
  }
};

/// Finds rings, in the same form; each begins with its grain of lowest index and follows the first
/// link of that grain.
struct FindRings
{
  ChainLinks links;
  std::uint32_t fewest;
  const std::uint8_t* open;
  std::uint32_t *rows, *members;

  DEM_HD void operator()(std::uint32_t i) const
  {
    rows[i] = members[i] = 0;
    if (open[i] || !links.isBetween(i))
      return;
    std::uint32_t last = i, count = 0, along = links.first(i);
    do
    {
      last = links.across(last, along);
      along = links.onward(last, along);
      ++count;
    }
    while (last > i);
    if (last == i && count >= fewest)
    {
      rows[i] = 1;
      members[i] = count;
    }
  }
};

/// Writes the members of rows and the values of chains; see ForceChains for the arrays.
struct WriteChains
{
  ChainLinks links;
  const double *position, *radius, *load;
  const std::int64_t* id;
  std::uint32_t n;
  const std::uint32_t *rows, *number, *offset; // n for open rows, then n for rings
  std::int64_t *start, *grain, *link, *member_id;
  double *place, *member_load, *force, *length_of, *mean_force;
  std::int32_t* chain;

  DEM_HD double forceOf(std::uint32_t c) const
  {
    return length(vectorAt(links.contacts.normal_force, c));
  }

  DEM_HD void operator()(std::uint32_t row) const
  {
    if (row == 0)
      start[0] = 0;
    if (!rows[row])
      return;
    const std::uint32_t first = row < n ? row : row - n, k = number[row], begin = offset[row],
                        end = offset[row + 1];
    const bool ring = row >= n;
    start[k + 1] = end;
    double path = 0, sum = 0, before = 0;
    std::uint32_t used = 0, i = first, along = links.first(first);
    Vec3d x = vectorAt(position, first);
    for (std::uint32_t m = begin; m < end; ++m)
    {
      const bool last = m + 1 == end;
      const bool linked = !last || ring;
      grain[m] = i;
      member_id[m] = id ? id[i] : i;
      chain[i] = static_cast<std::int32_t>(k);
      member_load[m] = load[i];
      link[m] = linked ? std::int64_t(along) : -1;
      for (int c = 0; c < 3; ++c)
        place[3 * std::size_t(m) + c] = x[c];
      const double after = linked ? forceOf(along) : 0;
      force[m] = m == begin ? after : (linked ? 0.5 * (before + after) : before);
      before = after;
      if (!linked)
        break;
      const Vec3d d =
        vectorAt(links.contacts.second_place, along) - vectorAt(links.contacts.first_place, along);
      sum += after;
      path += length(d);
      ++used;
      if (last)
        break;
      i = links.across(i, along);
      const Vec3d next = x + (links.contacts.second[along] == std::int64_t(i) ? 1. : -1.) * d;
      x = vectorAt(position, i);
      x = length(next - x) < radius[i] ? x : next; // next: the link leads to an image of the grain
      along = links.onward(i, along);
    }
    if (ring)
      force[begin] = 0.5 * (force[begin] + before); // before: the force of the closing link
    length_of[k] = path;
    mean_force[k] = sum / used;
  }
};

/// Throws dem::Error if contacts lack forces or what contact points are computed from.
inline void requireForces(const GrainContacts& contacts)
{
  if (contacts.size > 0 && !contacts.normal_force)
    throw Error("The contacts carry no forces, which force chains need. Show the array NormalForce "
                "of the contacts, or put DEM Contact Network with a Force Law in front.");
  if (contacts.size > 0 && !contacts.point && !contacts.overlap)
    throw Error("The contacts carry no contact points, which the stresses of grains need.");
}

/// Throws dem::Error for invalid options or input.
inline void requireChainOptions(
  const ChainOptions& options, std::size_t grains, const GrainContacts& contacts)
{
  if (!(options.stress_factor >= 0) || !std::isfinite(options.stress_factor))
    throw Error(
      "The stress factor is " + std::to_string(options.stress_factor) + "; it must be 0 or more.");
  if (!(options.largest_angle > 0) || !(options.largest_angle <= 1.5707963267948968))
    throw Error("The largest angle is " +
      std::to_string(options.largest_angle * 57.295779513082323) +
      " degrees; it must be above 0 and not above 90.");
  if (options.fewest_grains < 3)
    throw Error("A chain has " + std::to_string(options.fewest_grains) +
      " grains at least; the number must be 3 or more.");
  if (contacts.size > 0x7fffffffull)
    throw Error("There are " + std::to_string(contacts.size) +
      " contacts; force chains take 2^31 - 1 at most.");
  requireForces(contacts);
  if (grains > 0x7fffffffull)
    throw Error(
      "There are " + std::to_string(grains) + " grains; force chains take 2^31 - 1 at most.");
}

/// Finds the rows that agreed links make, writes them as chains to `out`, and their numbers to
/// `chain`, one per grain. All copies to the host are complete at the end.
template <class Exec>
void writeChains(Exec& exec, const ChainLinks& links, std::uint32_t fewest, const Grains& grains,
  const double* load, Output<std::int32_t, Exec>& chain, ForceChains& out)
{
  const std::size_t n = grains.size;
  Array<std::uint8_t, Exec> open(exec);
  Array<std::uint32_t, Exec> begins(exec), members(exec), number(exec), offset(exec);
  open.resize(n);
  open.zero();
  for (auto* array : { &begins, &members })
    array->resize(2 * n);
  for (auto* array : { &number, &offset })
    array->resize(2 * n + 1);
  exec.forEach(
    n, FindOpenRows{ links, fewest, begins.data(), members.data(), open.data(), chain.data() });
  exec.forEach(n, FindRings{ links, fewest, open.data(), begins.data() + n, members.data() + n });
  const std::size_t chains =
    static_cast<std::size_t>(scanCounts(exec, begins.data(), number.data(), 2 * n));
  const std::size_t all =
    static_cast<std::size_t>(scanCounts(exec, members.data(), offset.data(), 2 * n));
  Output<std::int64_t, Exec> start(exec, out.start, chains + 1), grain(exec, out.grain, all),
    member_link(exec, out.link, all), id(exec, out.id, all);
  Output<double, Exec> place(exec, out.place, 3 * all), member_load(exec, out.member_load, all),
    force(exec, out.force, all), length_of(exec, out.length, chains),
    mean_force(exec, out.mean_force, chains);
  exec.forEach(2 * n,
    WriteChains{ links, grains.position, grains.radius, load, grains.id,
      static_cast<std::uint32_t>(n), begins.data(), number.data(), offset.data(), start.data(),
      grain.data(), member_link.data(), id.data(), place.data(), member_load.data(), force.data(),
      length_of.data(), mean_force.data(), chain.data() });
  for (auto* part : { &start, &grain, &member_link, &id })
    part->fetch();
  for (auto* part : { &place, &member_load, &force, &length_of, &mean_force })
    part->fetch();
  chain.fetch();
  exec.finishCopies(); // before the arrays on the device are released
}

template <class Exec>
ForceChains findForceChainsOn(
  Exec& exec, const Grains& given_grains, const GrainContacts& given, const ChainOptions& options)
{
  requireChainOptions(options, given_grains.size, given);
  ForceChains out;
  const std::size_t n = given_grains.size;
  Output<double, Exec> stress(exec, out.stress, 6 * n), load(exec, out.load, n),
    direction(exec, out.direction, 3 * n);
  Output<std::int32_t, Exec> chain(exec, out.chain, n);
  if (n == 0)
    return out;
  GrainInput<Exec> grain_input(exec);
  ContactInput<Exec> contact_input(exec);
  Grains wanted = given_grains; // unused arrays are not staged
  wanted.mass = wanted.velocity = wanted.angular_velocity = nullptr;
  wanted.material = nullptr;
  const Grains grains = grain_input.stage(wanted);
  const ContactsOnDevice contacts = contact_input.stage(given);
  const IncidentRows<Exec> rows(exec, n, contacts.first, contacts.second, given.size);
  exec.forEach(n,
    StressGrains{ contacts, contact_input.points(given, contacts, grains.radius), grains.radius,
      rows.view(), stress.data(), load.data(), direction.data() });
  out.mean_load = meanLoad(exec, rows.view(), load.data(), n);
  for (auto* part : { &stress, &load, &direction })
    part->fetch();

  Array<std::uint32_t, Exec> choice(exec), link(exec);
  choice.resize(2 * n);
  link.resize(2 * n);
  exec.forEach(n,
    ChooseLinks{ contacts, rows.view(), load.data(), direction.data(),
      options.stress_factor * out.mean_load, std::cos(options.largest_angle) - 1e-12,
      choice.data() });
  exec.forEach(n, AgreeOnLinks{ contacts, choice.data(), link.data() });
  writeChains(exec, ChainLinks{ contacts, link.data() },
    static_cast<std::uint32_t>(options.fewest_grains), grains, load.data(), chain, out);
  return out;
}

ForceChains findForceChainsOnCuda(const Grains& grains, const GrainContacts& contacts,
  const ChainOptions& options, const Device& device);

} // namespace detail
} // namespace dem
