// findStrongNetwork for an execution policy. Clusters are the connected components of the graph of
// strong contacts. Each grain stores the root of its tree, which is the tree's lowest grain. In
// each round, the root of a tree that touches a tree with a lower root becomes a child of that
// root. The rounds end when no trees touch. The lowest grain of a cluster does not depend on the
// order of threads.
#pragma once

#include "Analysis/ForceChainsOn.cuh"
#include "Analysis/StrongNetwork.h"
#include "Analysis/detail/ContactInput.cuh"
#include "Core/Algorithms.h"
#include "Core/Atomic.cuh"
#include "Core/FixedSum.cuh"

#include <cmath>
#include <string>
#include <vector>

namespace dem
{
namespace detail
{

struct NormalForcesOf
{
  const double* force; // 3 per contact

  DEM_HD double operator[](std::size_t c) const { return length(vectorAt(force, c)); }
};

struct MarkStrong
{
  const double* force;
  double least;
  std::uint32_t* strong;

  DEM_HD void operator()(std::uint32_t c) const
  {
    strong[c] = length(vectorAt(force, c)) > least ? 1 : 0;
  }
};

/// Writes number, Ids, ends, force and length of each strong contact.
struct WriteStrong
{
  ContactsOnDevice contacts;
  const std::int64_t* grain_id; // or null
  const std::uint32_t *strong, *number;
  std::int64_t *contact, *id;
  double *place, *force, *length_of;

  DEM_HD void operator()(std::uint32_t c) const
  {
    if (!strong[c])
      return;
    const std::size_t k = number[c];
    const Vec3d a = vectorAt(contacts.first_place, c), b = vectorAt(contacts.second_place, c);
    contact[k] = c;
    for (int s = 0; s < 2; ++s)
    {
      const std::int64_t i = s == 0 ? contacts.first[c] : contacts.second[c];
      id[2 * k + s] = i < 0 || !grain_id ? i : grain_id[i];
      for (int j = 0; j < 3; ++j)
        place[6 * k + 3 * s + j] = (s == 0 ? a : b)[j];
    }
    force[k] = length(vectorAt(contacts.normal_force, c));
    length_of[k] = length(b - a);
  }
};

/// Makes each grain the root of a tree of its own.
struct EachAlone
{
  unsigned long long* above;
  std::uint32_t* root;

  DEM_HD void operator()(std::uint32_t i) const
  {
    above[i] = i;
    root[i] = i;
  }
};

/// Makes the root of a tree a child of the lowest root that the tree touches.
struct JoinTrees
{
  ContactsOnDevice contacts;
  const std::int64_t* contact;
  const std::uint32_t* root;
  unsigned long long* above;
  unsigned* changed;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::int64_t c = contact[k];
    if (contacts.second[c] < 0)
      return;
    const std::uint32_t a = root[contacts.first[c]], b = root[contacts.second[c]];
    if (a == b)
      return;
    atomicLower(above + (a > b ? a : b), a > b ? b : a);
    atomicPut(changed, 1u);
  }
};

/// Finds the root of each grain.
struct FindRoots
{
  const unsigned long long* above;
  std::uint32_t* root;

  DEM_HD void operator()(std::uint32_t i) const
  {
    std::uint32_t r = root[i];
    while (above[r] != r)
      r = static_cast<std::uint32_t>(above[r]);
    root[i] = r;
  }
};

/// Finds the first strong contact of each tree.
struct FindFirst
{
  ContactsOnDevice contacts;
  const std::int64_t* contact;
  const std::uint32_t* root;
  unsigned long long* first;

  DEM_HD void operator()(std::uint32_t k) const
  {
    atomicLower(first + root[contacts.first[contact[k]]], k);
  }
};

struct MarkFirst
{
  ContactsOnDevice contacts;
  const std::int64_t* contact;
  const std::uint32_t* root;
  const unsigned long long* first;
  std::uint32_t* heads;

  DEM_HD void operator()(std::uint32_t k) const
  {
    heads[k] = first[root[contacts.first[contact[k]]]] == k ? 1 : 0;
  }
};

/// Numbers clusters in the order of their first contacts, and gives contacts and grains the
/// numbers.
struct NumberClusters
{
  ContactsOnDevice contacts;
  const std::int64_t* contact;
  const std::uint32_t *root, *number; // number: of the cluster of a first contact
  const unsigned long long* first;
  std::int32_t *cluster, *grain;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::int64_t a = contacts.first[contact[k]], b = contacts.second[contact[k]];
    const auto own = static_cast<std::int32_t>(number[first[root[a]]]);
    cluster[k] = own;
    atomicPut(reinterpret_cast<unsigned*>(grain + a),
      static_cast<unsigned>(own)); // all contacts of the grain write the same value
    if (b >= 0)
      atomicPut(reinterpret_cast<unsigned*>(grain + b), static_cast<unsigned>(own));
  }
};

/// Counts the grains of each cluster.
struct CountMembers
{
  const std::int32_t* grain;
  unsigned* members;

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (grain[i] >= 0)
      atomicGrow(members + grain[i], 1u);
  }
};

struct WriteMembers
{
  const std::int32_t* cluster;
  const unsigned* members;
  std::int32_t* grains;

  DEM_HD void operator()(std::uint32_t k) const
  {
    grains[k] = static_cast<std::int32_t>(members[cluster[k]]);
  }
};

struct SetNone
{
  std::int32_t* values;

  DEM_HD void operator()(std::uint32_t i) const { values[i] = -1; }
};

struct SetLast
{
  unsigned long long* values;

  DEM_HD void operator()(std::uint32_t i) const { values[i] = ~0ull; }
};

/// Throws dem::Error for an invalid factor or input.
inline void requireStrongOptions(
  double force_factor, std::size_t grains, const GrainContacts& contacts)
{
  if (!(force_factor >= 0) || !std::isfinite(force_factor))
    throw Error("The force factor is " + std::to_string(force_factor) + "; it must be 0 or more.");
  if (contacts.size > 0 && !contacts.normal_force)
    requireForces(contacts);
  if (grains > 0x7fffffffull || contacts.size > 0x7fffffffull)
    throw Error("There are " + std::to_string(grains) + " grains and " +
      std::to_string(contacts.size) + " contacts; a strong network takes 2^31 - 1 at most.");
}

/// Mean normal force of m > 0 contacts, N. `force`: 3 per contact, readable by kernels.
template <class Exec>
double meanNormalForce(Exec& exec, const double* force, std::size_t m)
{
  Array<double, Exec> partial(exec);
  partial.resize(sumBlocks(m));
  exec.forEach(partial.size(), SumBlocks<double, NormalForcesOf>{ { force }, m, partial.data() });
  double sum = 0;
  for (const double part : partial.host())
    sum += part;
  return sum / static_cast<double>(m);
}

/// Joins the trees of grains connected by strong contacts until every grain has the lowest grain of
/// its cluster as root. `above`, `root`: one per grain.
template <class Exec>
void joinClusters(Exec& exec, const ContactsOnDevice& contacts, const std::int64_t* strong,
  std::size_t many, Array<unsigned long long, Exec>& above, Array<std::uint32_t, Exec>& root)
{
  const std::size_t n = root.size();
  Array<unsigned, Exec> changed(exec);
  changed.resize(1);
  exec.forEach(n, EachAlone{ above.data(), root.data() });
  for (bool again = many > 0; again;)
  {
    changed.zero();
    exec.forEach(many, JoinTrees{ contacts, strong, root.data(), above.data(), changed.data() });
    exec.forEach(n, FindRoots{ above.data(), root.data() });
    again = changed.host()[0] != 0;
  }
}

/// Finds the clusters of `many` strong contacts, whose numbers are `strong`, and writes them to
/// `out` and `grain`. `heads`, `number`: buffers of many, and many + 1 entries. All copies to the
/// host are complete at the end.
template <class Exec>
void writeClusters(Exec& exec, const ContactsOnDevice& contacts, const std::int64_t* strong,
  std::size_t many, std::uint32_t* heads, std::uint32_t* number, std::size_t n,
  Output<std::int32_t, Exec>& grain, StrongNetwork& out)
{
  Array<unsigned long long, Exec> above(exec);
  Array<std::uint32_t, Exec> root(exec);
  above.resize(n);
  root.resize(n);
  joinClusters(exec, contacts, strong, many, above, root);
  exec.forEach(n, SetLast{ above.data() });
  exec.forEach(many, FindFirst{ contacts, strong, root.data(), above.data() });
  exec.forEach(many, MarkFirst{ contacts, strong, root.data(), above.data(), heads });
  const std::size_t clusters = static_cast<std::size_t>(scanCounts(exec, heads, number, many));
  Output<std::int32_t, Exec> cluster(exec, out.cluster, many),
    grains_of(exec, out.cluster_grains, many);
  exec.forEach(many,
    NumberClusters{
      contacts, strong, root.data(), number, above.data(), cluster.data(), grain.data() });
  Array<unsigned, Exec> members(exec);
  members.resize(clusters + 1);
  members.zero();
  exec.forEach(n, CountMembers{ grain.data(), members.data() });
  exec.forEach(many, WriteMembers{ cluster.data(), members.data(), grains_of.data() });
  for (auto* part : { &cluster, &grains_of, &grain })
    part->fetch();
  exec.finishCopies(); // before the arrays on the device are released
}

template <class Exec>
StrongNetwork findStrongNetworkOn(
  Exec& exec, const Grains& given_grains, const GrainContacts& given, double force_factor)
{
  requireStrongOptions(force_factor, given_grains.size, given);
  StrongNetwork out;
  const std::size_t n = given_grains.size, m = given.size;
  requireReachable(exec, given_grains.memory);
  Output<std::int32_t, Exec> grain(exec, out.grain, n);
  exec.forEach(n, SetNone{ grain.data() });
  if (m == 0)
  {
    grain.fetch();
    exec.finishCopies();
    return out;
  }
  ContactInput<Exec> input(exec);
  const ContactsOnDevice contacts = input.stage(given);
  input.check(contacts, n);
  Input<std::int64_t, Exec> id_input(exec);
  const std::int64_t* ids = id_input(given_grains.id, n, given_grains.memory);
  out.mean_force = meanNormalForce(exec, contacts.normal_force, m);

  Array<std::uint32_t, Exec> strong(exec), number(exec);
  strong.resize(m);
  number.resize(m + 1);
  exec.forEach(
    m, MarkStrong{ contacts.normal_force, force_factor * out.mean_force, strong.data() });
  const std::size_t many =
    static_cast<std::size_t>(scanCounts(exec, strong.data(), number.data(), m));
  Output<std::int64_t, Exec> contact(exec, out.contact, many), id(exec, out.id, 2 * many);
  Output<double, Exec> place(exec, out.place, 6 * many), force(exec, out.force, many),
    length_of(exec, out.length, many);
  exec.forEach(m,
    WriteStrong{ contacts, ids, strong.data(), number.data(), contact.data(), id.data(),
      place.data(), force.data(), length_of.data() });
  for (auto* part : { &contact, &id })
    part->fetch();
  for (auto* part : { &place, &force, &length_of })
    part->fetch();
  writeClusters(exec, contacts, contact.data(), many, strong.data(), number.data(), n, grain, out);
  return out;
}

StrongNetwork findStrongNetworkOnCuda(
  const Grains& grains, const GrainContacts& contacts, double force_factor, const Device& device);

} // namespace detail
} // namespace dem
