// The bodies of PairStatistics.h for both devices: centres sorted into a grid, each looking at the cells around it.
#pragma once

#include "Analysis/PairStatistics.h"
#include "Analysis/detail/Staging.h"
#include "BroadPhase/SortedGrid.cuh"
#include "Core/Algorithms.h"
#include "Core/Array.h"
#include "Core/Atomic.cuh"
#include "Core/Error.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace dem
{
namespace detail
{

constexpr int kMostNeighbors = 32;
constexpr int kHistogramCopies = 64; ///< threads share out their counts, so that few meet at one address

/// Centres in the order of their cells; w: the place in the input.
template <class Exec>
struct SortedCenters
{
  Grid grid{};
  Periodic box{};
  std::uint32_t n = 0;
  Array<Vec4<double>, Exec> center;
  Array<std::uint32_t, Exec> cell_start;

  explicit SortedCenters(Exec& exec)
    : center(exec)
    , cell_start(exec)
  {
  }
};

struct GatherCenters
{
  const Vec4<double>* from;
  const std::uint32_t* item;
  Vec4<double>* to;

  DEM_HD void operator()(std::uint32_t place) const { to[place] = from[item[place]]; }
};

/// `centers` (w: place in the input) with periodic axes brought into the box; cells of `cell` m at least.
template <class Exec>
void sortCenters(Exec& exec, const std::vector<Vec4<double>>& centers, const Periodic& box, double cell, SortedCenters<Exec>& out)
{
  const std::uint32_t n = static_cast<std::uint32_t>(centers.size());
  out.n = n;
  out.box = box;
  Array<Vec4<double>, Exec> given(exec);
  given.assign(centers);
  Vec3d lower, upper;
  boundingBox(exec, given.data(), n, lower, upper);
  out.grid = chooseGrid(lower, upper, box, cell, 8.0 * n + 64, false);
  const std::uint32_t cells = out.grid.cells();
  Array<std::uint32_t, Exec> keys(exec), keys_other(exec), item(exec), item_other(exec);
  for (auto* array : { &keys, &keys_other, &item, &item_other })
    array->resize(n);
  exec.forEach(n, ComputeCellKeys{ out.grid, given.data(), keys.data(), item.data() });
  int bits = 1;
  while (bits < 32 && (std::uint64_t(1) << bits) <= cells)
    ++bits;
  sortPairs(exec, keys.data(), keys_other.data(), item.data(), item_other.data(), n, bits);
  out.cell_start.resize(std::size_t(cells) + 1);
  out.cell_start.zero();
  exec.forEach(std::size_t(n) + 1, FindCellStarts{ keys.data(), n, cells, 64, out.cell_start.data() });
  exec.forEach(std::size_t(cells) + 1, FillEmptyCells{ keys.data(), n, out.cell_start.data() });
  out.center.resize(n);
  exec.forEach(n, GatherCenters{ given.data(), item.data(), out.center.data() });
  exec.synchronize();
}

/// What a kernel sees of them.
struct CentersView
{
  Grid grid;
  Periodic box;
  const Vec4<double>* center;
  const std::uint32_t* cell_start;

  DEM_HD double squaredDistance(const Vec4<double>& p, std::uint32_t other) const
  {
    const Vec4<double> q = center[other];
    Vec3d d{ q.x - p.x, q.y - p.y, q.z - p.z };
    if (box.any())
      d = box.image(d);
    return squaredLength(d);
  }

  /// visit(place, squared distance) for all places from `first` on, in the cells within `reach` of p.
  template <class Visit>
  DEM_HD void around(const Vec4<double>& p, double reach, std::uint32_t first, const Visit& visit) const
  {
    const CellRange r = grid.around(p.xyz(), reach);
    for (int z = r.lo[2]; z <= r.hi[2]; ++z)
      for (int y = r.lo[1]; y <= r.hi[1]; ++y)
        grid.forRun(r.lo[0], r.hi[0], y, z, [&](std::uint32_t cell, int run) {
          std::uint32_t s = cell_start[cell];
          const std::uint32_t end = cell_start[cell + run];
          for (s = s < first ? first : s; s < end; ++s)
            visit(s, squaredDistance(p, s));
        });
  }
};

template <class Exec>
CentersView view(const SortedCenters<Exec>& sorted)
{
  return { sorted.grid, sorted.box, sorted.center.data(), sorted.cell_start.data() };
}

/// Each pair once, by the one that stands before the other.
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

/// The nearest of each grain by (distance, place in the input); what is counted does not depend on the order of the cells.
struct CountUnlike
{
  CentersView centers;
  const std::int32_t* species; // by place in the input
  int wanted; // below the number of grains
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
        if (found == wanted && (d > squared[found - 1] || (d == squared[found - 1] && item > which[found - 1])))
          return;
        int at = found < wanted ? found++ : found - 1;
        for (; at > 0 && (d < squared[at - 1] || (d == squared[at - 1] && item < which[at - 1])); --at)
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

inline std::string meters(double value)
{
  char text[32];
  std::snprintf(text, sizeof text, "%.6g m", value);
  return text;
}

inline Periodic checkedBox(const PairBox& box)
{
  for (int k = 0; k < 3; ++k)
  {
    if (!(box.period[k] >= 0) || !std::isfinite(box.period[k]) || !std::isfinite(box.periodic_lower[k]))
      throw Error(std::string("The periodic box has the length ") + meters(box.period[k]) + " in " + "xyz"[k] + "; it must be above 0.");
    if (box.limited && box.period[k] == 0 && !(box.lower[k] < box.upper[k]))
      throw Error(std::string("The region ends in ") + "xyz"[k] + " at " + meters(box.upper[k]) + " and begins at " + meters(box.lower[k]) +
        ". Its lower corner comes first.");
  }
  return { box.periodic_lower, box.period };
}

inline std::vector<Vec4<double>> centersOf(const Grains& grains, const PairBox& box, const Periodic& periodic)
{
  if (grains.size > 0x7fffffffu)
    throw Error("There are " + std::to_string(grains.size) + " grains; statistics of neighbours take 2^31 - 1 at most.");
  requireHost(grains.memory);
  std::vector<Vec4<double>> centers;
  centers.reserve(grains.size);
  for (std::size_t i = 0; i < grains.size; ++i)
  {
    Vec3d x{ grains.position[3 * i], grains.position[3 * i + 1], grains.position[3 * i + 2] };
    bool inside = true;
    for (int k = 0; k < 3; ++k)
      if (periodic.period[k] > 0)
        x[k] -= periodic.period[k] * std::floor((x[k] - periodic.lower[k]) / periodic.period[k]);
      else if (box.limited)
        inside = inside && x[k] >= box.lower[k] && x[k] <= box.upper[k];
    if (inside)
      centers.push_back(vec4(x, static_cast<double>(i)));
  }
  return centers;
}

/// The integral of 4 pi r^2 times the fraction of pairs that the box holds, from 0 to r.
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
  return 4 * pi * r * r * r * (1. / 3 - r / 8 * one + 2 * r * r / (15 * pi) * two - r * r * r / (24 * pi) * three);
}

template <class Exec>
RadialDistribution radialDistributionOn(Exec& exec, const Grains& grains, const RadialDistributionOptions& options)
{
  if (options.bins < 1 || options.bins > 100000)
    throw Error("The radial distribution has " + std::to_string(options.bins) + " bins; it takes 1 to 100000.");
  if (!(options.largest_distance >= 0) || !std::isfinite(options.largest_distance))
    throw Error("The largest distance of the radial distribution is " + meters(options.largest_distance) +
      "; it must be 0 (automatic) or more.");
  const Periodic periodic = checkedBox(options.box);
  RadialDistribution out;
  const std::vector<Vec4<double>> centers = centersOf(grains, options.box, periodic);
  out.size = centers.size();
  if (centers.size() < 2)
    return out;

  Vec3d lower = centers[0].xyz(), upper = lower;
  double radii = 0;
  for (const Vec4<double>& c : centers)
  {
    for (int k = 0; k < 3; ++k)
    {
      lower[k] = std::min(lower[k], c.xyz()[k]);
      upper[k] = std::max(upper[k], c.xyz()[k]);
    }
    radii += grains.radius[static_cast<std::size_t>(c.w)];
  }
  Vec3d size;
  bool ends[3];
  double limit = HUGE_VAL;
  for (int k = 0; k < 3; ++k)
  {
    ends[k] = !(periodic.period[k] > 0);
    size[k] = !ends[k] ? periodic.period[k] :
      options.box.limited ? options.box.upper[k] - options.box.lower[k] : upper[k] - lower[k];
    limit = std::min(limit, ends[k] ? size[k] : 0.5 * size[k]);
  }
  out.volume = size.x * size.y * size.z;
  const double diameter = 2 * radii / static_cast<double>(centers.size());
  double reach = options.largest_distance;
  if (reach == 0)
    reach = std::min(4 * diameter, limit);
  if (reach > limit * (1 + 1e-12))
    throw Error("The largest distance of the radial distribution is " + meters(reach) + ", but the box of the grains allows " +
      meters(limit) + " (half of a period, the length of an axis that ends). Take less, or 0 for the automatic one.");
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
  const double n = static_cast<double>(centers.size());
  std::uint64_t sum = 0;
  for (std::uint32_t b = 0; b < bins; ++b)
  {
    const double shell = shellIntegral((b + 1) * reach / bins, size, ends) - shellIntegral(b * reach / bins, size, ends);
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
    throw Error("Mixing is asked for among " + std::to_string(neighbors) + " nearest neighbours; it takes 1 to " +
      std::to_string(kMostNeighbors) + ".");
  const Periodic periodic = checkedBox(box);
  NeighborMixing out;
  out.index = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Vec4<double>> given = centersOf(grains, box, periodic);
  const std::size_t n = given.size();
  if (n < 2)
    return out;
  // Places in the list, not in the input: grains outside the region do not count.
  std::vector<Vec4<double>> centers = given;
  std::vector<std::int32_t> species(n);
  std::map<std::int32_t, double> totals;
  Vec3d lower = centers[0].xyz(), upper = lower;
  double radii = 0;
  for (std::size_t i = 0; i < n; ++i)
  {
    const std::size_t grain = static_cast<std::size_t>(given[i].w);
    centers[i].w = static_cast<double>(i);
    species[i] = grains.material ? grains.material[grain] : 0;
    ++totals[species[i]];
    radii += grains.radius[grain];
    for (int k = 0; k < 3; ++k)
    {
      lower[k] = std::min(lower[k], given[i].xyz()[k]);
      upper[k] = std::max(upper[k], given[i].xyz()[k]);
    }
  }
  const int wanted = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(neighbors), n - 1));
  const double diameter = 2 * radii / static_cast<double>(n);
  // where a packing of 0.6 has that many neighbours: (4/3 pi reach^3) 0.6 / (pi/6 d^3)
  const double reach = diameter * std::cbrt(wanted / 4.8 + 1);
  SortedCenters<Exec> sorted(exec);
  sortCenters(exec, centers, periodic, 0.5 * reach, sorted);
  Array<std::int32_t, Exec> device_species(exec);
  device_species.assign(species);
  Array<std::uint32_t, Exec> unlike(exec);
  Array<double, Exec> farthest(exec);
  unlike.resize(n);
  farthest.resize(n);
  const double whole = length(upper - lower) + length(box.period); // no distance is larger
  exec.forEach(n, CountUnlike{ view(sorted), device_species.data(), wanted, reach, whole, unlike.data(), farthest.data() });
  const std::vector<std::uint32_t> counts = unlike.host();
  const std::vector<double> distances = farthest.host();
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < n; ++i)
  {
    total += counts[i];
    out.mean_distance += distances[i];
  }
  out.mean_distance /= static_cast<double>(n);
  double expected = 0;
  for (const auto& s : totals)
    expected += s.second * (static_cast<double>(n) - s.second) / static_cast<double>(n - 1);
  if (expected > 0)
    out.index = static_cast<double>(total) / (wanted * expected);
  return out;
}

RadialDistribution radialDistributionOnCuda(const Grains& grains, const RadialDistributionOptions& options, const Device& device);
NeighborMixing neighborMixingOnCuda(const Grains& grains, int neighbors, const PairBox& box, const Device& device);

} // namespace detail
} // namespace dem
