// radialDistribution and neighborMixing for an execution policy: one thread per centre searches the
// cells around it in SortedCenters.
#pragma once

#include "Analysis/PairStatistics.h"
#include "Analysis/SortedCenters.cuh"
#include "Analysis/detail/GrainInput.cuh"
#include "Analysis/detail/SpeciesTotals.h"
#include "Core/Array.h"
#include "Core/Atomic.cuh"
#include "Core/Error.h"
#include "Core/FixedSum.cuh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace dem
{
namespace detail
{

constexpr int kMostNeighbors = 32;
/// Copies of the histogram, to which threads are distributed: few atomics then use one address.
constexpr int kHistogramCopies = 64;

/// Counts each pair of centres once, by the thread of the one sorted first.
struct CountPairs
{
  CentersView centers;
  double reach, bins_per_meter;
  std::uint32_t bins;
  unsigned* counts; // kHistogramCopies x bins

  DEM_HD void operator()(std::uint32_t place) const
  {
    const Vec4<double> p = centers.center[place];
    unsigned* own = counts + std::size_t(place % kHistogramCopies) * bins;
    const double most = reach * reach;
    centers.around(p, reach, place + 1, [&](std::uint32_t, double squared) {
      if (squared < most)
      {
        const std::uint32_t bin = static_cast<std::uint32_t>(std::sqrt(squared) * bins_per_meter);
        atomicGrow(&own[bin < bins ? bin : bins - 1], 1u);
      }
    });
  }
};

struct GatherSpecies
{
  const std::int32_t* material; // null: one species
  const std::uint32_t* grain;
  std::int32_t* species;

  DEM_HD void operator()(std::uint32_t k) const { species[k] = material ? material[grain[k]] : 0; }
};

struct UnlikeSum
{
  std::uint64_t unlike;
  double farthest;
};

struct SumUnlike
{
  const std::uint32_t* unlike;
  const double* farthest;
  std::size_t n;
  UnlikeSum* partial;

  DEM_HD void operator()(std::uint32_t block) const
  {
    UnlikeSum sum{};
    const std::size_t begin = block * kSumBlock,
                      end = begin + kSumBlock < n ? begin + kSumBlock : n;
    for (std::size_t i = begin; i < end; ++i)
    {
      sum.unlike += unlike[i];
      sum.farthest += farthest[i];
    }
    partial[block] = sum;
  }
};

/// Counts the nearest neighbours of another species. Neighbours are ordered by distance, then by
/// number in the input, so the count does not depend on the order of the cells.
struct CountUnlike
{
  CentersView centers;
  const std::int32_t* species; // by number in Centers
  int wanted;                  // neighbours; below the number of grains
  double first_reach, whole;
  std::uint32_t* unlike;
  double* farthest;

  DEM_HD void operator()(std::uint32_t place) const
  {
    const Vec4<double> p = centers.center[place];
    double squared[kMostNeighbors];
    std::uint32_t which[kMostNeighbors];
    int found = 0;
    for (double reach = first_reach;; reach *= 2)
    {
      found = 0;
      const double most = reach * reach;
      const bool all = reach > whole;
      centers.around(p, reach, 0, [&](std::uint32_t s, double d) {
        if (s == place || (d > most && !all))
          return;
        const std::uint32_t item = static_cast<std::uint32_t>(centers.center[s].w);
        if (found == wanted &&
          (d > squared[found - 1] || (d == squared[found - 1] && item > which[found - 1])))
          return;
        int at = found < wanted ? found++ : found - 1;
        for (; at > 0 && (d < squared[at - 1] || (d == squared[at - 1] && item < which[at - 1]));
             --at)
        {
          squared[at] = squared[at - 1];
          which[at] = which[at - 1];
        }
        squared[at] = d;
        which[at] = item;
      });
      if (found == wanted || all)
        break;
    }
    const std::uint32_t own = static_cast<std::uint32_t>(p.w);
    std::uint32_t count = 0;
    for (int k = 0; k < found; ++k)
      count += species[which[k]] != species[own] ? 1 : 0;
    unlike[own] = count;
    farthest[own] = found > 0 ? std::sqrt(squared[found - 1]) : 0;
  }
};

/// The integral from 0 to r of 4 pi r^2 times the mean fraction of pairs at distance r that lie in
/// a box of size `size` whose axes end where `ends` is true, m^3; see radialDistribution.
inline double shellIntegral(double r, const Vec3d& size, const bool* ends)
{
  const double pi = 3.14159265358979323846;
  double one = 0, two = 0, three = ends[0] && ends[1] && ends[2] ? 1 : 0;
  for (int i = 0; i < 3; ++i)
  {
    if (!ends[i])
      continue;
    one += 1 / size[i];
    three /= size[i];
    for (int j = i + 1; j < 3; ++j)
      two += ends[j] ? 1 / (size[i] * size[j]) : 0;
  }
  return 4 * pi * r * r * r *
    (1. / 3 - r / 8 * one + 2 * r * r / (15 * pi) * two - r * r * r / (24 * pi) * three);
}

template <class Exec>
RadialDistribution radialDistributionOn(
  Exec& exec, const Grains& grains, const RadialDistributionOptions& options)
{
  if (options.bins < 1 || options.bins > 100000)
    throw Error("The radial distribution has " + std::to_string(options.bins) +
      " bins; it takes 1 to 100000.");
  if (!(options.largest_distance >= 0) || !std::isfinite(options.largest_distance))
    throw Error("The largest distance of the radial distribution is " +
      meters(options.largest_distance) + "; it must be 0 (automatic) or more.");
  const Periodic periodic = checkedBox(options.box);
  RadialDistribution out;
  GrainInput<Exec> input(exec);
  Centers<Exec> centers(exec);
  selectCenters(exec, input.stage(placesOf(grains)), options.box, periodic, centers);
  out.size = centers.n;
  if (centers.n < 2)
    return out;
  Vec3d size;
  bool ends[3];
  double limit = HUGE_VAL;
  for (int k = 0; k < 3; ++k)
  {
    ends[k] = !(periodic.period[k] > 0);
    size[k] = !ends[k]      ? periodic.period[k]
      : options.box.limited ? options.box.upper[k] - options.box.lower[k]
                            : centers.upper[k] - centers.lower[k];
    limit = std::min(limit, ends[k] ? size[k] : 0.5 * size[k]);
  }
  out.volume = size.x * size.y * size.z;
  const double diameter = 2 * centers.mean_radius;
  double reach = options.largest_distance;
  if (reach == 0)
    reach = std::min(4 * diameter, limit);
  if (reach > limit * (1 + 1e-12))
    throw Error("The largest distance of the radial distribution is " + meters(reach) +
      ", but the box of the grains allows " + meters(limit) +
      " (half of a period, the length of an axis that ends). Take less, or 0 for the automatic "
      "one.");
  if (!(reach > 0.01 * diameter) || !(out.volume > 0))
    return out;

  SortedCenters<Exec> sorted(exec);
  sortCenters(exec, centers, periodic, 0.5 * reach, sorted);
  const std::uint32_t bins = static_cast<std::uint32_t>(options.bins);
  Array<unsigned, Exec> counts(exec);
  counts.resize(std::size_t(kHistogramCopies) * bins);
  counts.zero();
  exec.forEach(sorted.n, CountPairs{ view(sorted), reach, bins / reach, bins, counts.data() });
  const std::vector<unsigned> copies = counts.host();

  out.largest_distance = reach;
  out.pairs.assign(bins, 0);
  for (std::size_t k = 0; k < copies.size(); ++k)
    out.pairs[k % bins] += copies[k];
  const double n = centers.n;
  std::uint64_t sum = 0;
  for (std::uint32_t b = 0; b < bins; ++b)
  {
    const double shell = shellIntegral((b + 1) * reach / bins, size, ends) -
      shellIntegral(b * reach / bins, size, ends);
    sum += out.pairs[b];
    out.g.push_back(2 * static_cast<double>(out.pairs[b]) * out.volume / (n * (n - 1) * shell));
    out.neighbors.push_back(2 * static_cast<double>(sum) / n);
  }
  return out;
}

template <class Exec>
NeighborMixing neighborMixingOn(Exec& exec, const Grains& grains, int neighbors, const PairBox& box)
{
  if (neighbors < 1 || neighbors > kMostNeighbors)
    throw Error("Mixing is asked for among " + std::to_string(neighbors) +
      " nearest neighbours; it takes 1 to " + std::to_string(kMostNeighbors) + ".");
  const Periodic periodic = checkedBox(box);
  NeighborMixing out;
  out.index = std::numeric_limits<double>::quiet_NaN();
  GrainInput<Exec> input(exec);
  Grains wanted = placesOf(grains);
  wanted.material = grains.material;
  const Grains staged = input.stage(wanted);
  Centers<Exec> centers(exec);
  selectCenters(exec, staged, box, periodic, centers);
  const std::size_t n = centers.n;
  if (n < 2)
    return out;
  Array<std::int32_t, Exec> species(exec);
  species.resize(n);
  exec.forEach(n, GatherSpecies{ staged.material, centers.grain.data(), species.data() });
  SpeciesTotals totals;
  totals.add(species.host());
  const int wanted_neighbors =
    static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(neighbors), n - 1));
  const double diameter = 2 * centers.mean_radius;
  // a packing of solid fraction 0.6 has that many neighbours within reach:
  // (4/3 pi reach^3) 0.6 / (pi/6 d^3)
  const double reach = diameter * std::cbrt(wanted_neighbors / 4.8 + 1);
  SortedCenters<Exec> sorted(exec);
  sortCenters(exec, centers, periodic, 0.5 * reach, sorted);
  Array<std::uint32_t, Exec> unlike(exec);
  Array<double, Exec> farthest(exec);
  unlike.resize(n);
  farthest.resize(n);
  const double whole =
    length(centers.upper - centers.lower) + length(box.period); // no distance is larger
  exec.forEach(n,
    CountUnlike{ view(sorted), species.data(), wanted_neighbors, reach, whole, unlike.data(),
      farthest.data() });
  Array<UnlikeSum, Exec> partial(exec);
  partial.resize(sumBlocks(n));
  exec.forEach(partial.size(), SumUnlike{ unlike.data(), farthest.data(), n, partial.data() });
  std::uint64_t total = 0;
  for (const UnlikeSum& part : partial.host())
  {
    total += part.unlike;
    out.mean_distance += part.farthest;
  }
  out.mean_distance /= static_cast<double>(n);
  double expected = 0;
  for (const auto& s : totals.count)
    expected += s.second * (static_cast<double>(n) - s.second) / static_cast<double>(n - 1);
  if (expected > 0)
    out.index = static_cast<double>(total) / (wanted_neighbors * expected);
  return out;
}

RadialDistribution radialDistributionOnCuda(
  const Grains& grains, const RadialDistributionOptions& options, const Device& device);
NeighborMixing neighborMixingOnCuda(
  const Grains& grains, int neighbors, const PairBox& box, const Device& device);

} // namespace detail
} // namespace dem
