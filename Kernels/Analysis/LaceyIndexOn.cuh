// laceyIndex for an execution policy: grains are sorted by cell and species, and runs of equal keys
// are counted.
#pragma once

#include "Analysis/Statistics.h"
#include "Analysis/detail/GrainInput.cuh"
#include "Analysis/detail/SpeciesTotals.h"
#include "Core/Algorithms.h"
#include "Core/Error.h"
#include "Core/FixedSum.cuh"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace dem
{
namespace detail
{

/// Cell and species of a grain as one sort key: sorted grains of one cell are neighbours, and
/// within the cell grains of one species are.
struct LaceyKeys
{
  const double* position;
  const std::int32_t* species; // counted from 0
  double cell;
  double first[3];       // number of the first cell on each axis
  std::uint64_t size[2]; // cells in x and y
  std::uint64_t kinds;
  std::uint64_t* keys;
  std::uint32_t* place;

  DEM_HD void operator()(std::uint32_t i) const
  {
    std::uint64_t c[3];
    for (int k = 0; k < 3; ++k)
      c[k] =
        static_cast<std::uint64_t>(std::floor(position[3 * std::size_t(i) + k] / cell) - first[k]);
    keys[i] =
      ((c[2] * size[1] + c[1]) * size[0] + c[0]) * kinds + static_cast<std::uint64_t>(species[i]);
    place[i] = i;
  }
};

/// Marks the first key of each run of equal keys.
struct MarkRuns
{
  const std::uint64_t* keys;
  std::uint32_t* heads;

  DEM_HD void operator()(std::uint32_t i) const
  {
    heads[i] = i == 0 || keys[i] != keys[i - 1] ? 1 : 0;
  }
};

struct StartRuns
{
  const std::uint32_t *heads, *number;
  std::uint32_t n, runs;
  std::uint32_t* start; // runs + 1

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (heads[i])
      start[number[i]] = i;
    if (i == 0)
      start[runs] = n;
  }
};

struct LaceySum
{
  double squares; // sum over cells of count^2 / n_i
  std::uint64_t cells;
};

/// Adds up cells. A run holds the grains of one cell and one species; the first run of a cell adds
/// those of the whole cell. One thread per block of kSumBlock runs.
struct SumCells
{
  const std::uint64_t* keys;
  const std::uint32_t* start;
  std::uint64_t kinds;
  std::uint32_t runs;
  LaceySum* partial;

  DEM_HD std::uint64_t cell(std::uint32_t run) const { return keys[start[run]] / kinds; }

  DEM_HD void operator()(std::uint32_t block) const
  {
    LaceySum sum{};
    const std::uint32_t begin = block * static_cast<std::uint32_t>(kSumBlock), left = runs - begin;
    for (std::uint32_t
           r = begin,
           end = begin + (left < kSumBlock ? left : static_cast<std::uint32_t>(kSumBlock));
         r < end; ++r)
    {
      const std::uint64_t own = cell(r);
      if (r > 0 && cell(r - 1) == own)
        continue;
      double squares = 0, all = 0;
      for (std::uint32_t s = r; s < runs && cell(s) == own; ++s)
      {
        const double count = start[s + 1] - start[s];
        squares += count * count;
        all += count;
      }
      sum.squares += squares / all;
      ++sum.cells;
    }
    partial[block] = sum;
  }
};

/// Numbers the species that occur from 0.
struct DenseSpecies
{
  const std::int32_t *material, *known; // known: ascending
  int kinds;
  std::int32_t* species;

  DEM_HD void operator()(std::uint32_t i) const
  {
    int low = 0, high = kinds; // known[low] <= material < known[high]
    while (high - low > 1)
    {
      const int middle = (low + high) / 2;
      if (known[middle] <= material[i])
        low = middle;
      else
        high = middle;
    }
    species[i] = low;
  }
};

struct CentersAsPoints
{
  const double* position;
  Vec4<double>* points;

  DEM_HD void operator()(std::uint32_t i) const
  {
    points[i] = vec4(PackGrains::at(position, i), 0.);
  }
};

/// Number of grains of each species. `material`: readable by kernels.
template <class Exec>
SpeciesTotals speciesTotals(Exec& exec, const std::int32_t* material, std::size_t n)
{
  std::vector<std::int32_t> on_host(n);
  exec.toHost(on_host.data(), material, n * sizeof(std::int32_t));
  exec.synchronize();
  SpeciesTotals totals;
  totals.add(on_host);
  return totals;
}

/// The bounding box of n centres, m. `position`: readable by kernels.
template <class Exec>
void boxOfCenters(Exec& exec, const double* position, std::size_t n, Vec3d& lower, Vec3d& upper)
{
  Array<Vec4<double>, Exec> points(exec);
  points.resize(n);
  exec.forEach(n, CentersAsPoints{ position, points.data() });
  boundingBox(exec, points.data(), n, lower, upper);
}

/// Sets the cells of `keys` to those of edge `keys.cell` that cover a box. Returns the number of
/// possible keys: cells times species. Throws dem::Error if that exceeds what a key can hold.
inline double setCells(LaceyKeys& keys, const Vec3d& lower, const Vec3d& upper)
{
  double numbers = static_cast<double>(keys.kinds);
  for (int k = 0; k < 3; ++k)
  {
    const double first = std::floor(lower[k] / keys.cell), last = std::floor(upper[k] / keys.cell),
                 cells = last - first + 1;
    numbers *= cells;
    if (!(std::fabs(first) < 9e15 && std::fabs(last) < 9e15 && numbers < 9e18))
      throw Error("Cells of " + std::to_string(keys.cell) +
        " m are too small for the Lacey index: there would be " + std::to_string(cells) +
        " of them along " + "xyz"[k] + ". Make them larger.");
    keys.first[k] = first;
    if (k < 2)
      keys.size[k] = static_cast<std::uint64_t>(cells);
  }
  return numbers;
}

/// Sorts the keys of n grains and adds up their cells. `largest`: number of possible keys.
template <class Exec>
LaceySum sumOverCells(Exec& exec, LaceyKeys of, std::size_t n, double largest)
{
  Array<std::uint64_t, Exec> keys(exec), keys_other(exec);
  Array<std::uint32_t, Exec> place(exec), place_other(exec), start(exec);
  for (auto* array : { &keys, &keys_other })
    array->resize(n);
  for (auto* array : { &place, &place_other })
    array->resize(n + 1);
  of.keys = keys.data();
  of.place = place.data();
  exec.forEach(n, of);
  sortPairs(exec, keys.data(), keys_other.data(), place.data(), place_other.data(), n,
    bitsOf(static_cast<std::uint64_t>(largest)));
  std::uint32_t *heads = place.data(), *number = place_other.data();
  exec.forEach(n, MarkRuns{ keys.data(), heads });
  const auto runs = static_cast<std::uint32_t>(scanCounts(exec, heads, number, n));
  start.resize(std::size_t(runs) + 1);
  exec.forEach(n, StartRuns{ heads, number, static_cast<std::uint32_t>(n), runs, start.data() });
  Array<LaceySum, Exec> partial(exec);
  partial.resize(sumBlocks(runs));
  exec.forEach(
    partial.size(), SumCells{ keys.data(), start.data(), of.kinds, runs, partial.data() });
  LaceySum sum{};
  for (const LaceySum& part : partial.host())
  {
    sum.squares += part.squares;
    sum.cells += part.cells;
  }
  return sum;
}

/// Lacey's index from the sums over cells and the grains of each species. `n`: number of grains.
inline double laceyIndexOf(const LaceySum& sum, const SpeciesTotals& totals, std::size_t n)
{
  // sum over cells of n_i (p_i - p)^2 = sum of count^2 / n_i - N p^2
  const double all = static_cast<double>(n);
  double segregated = 0, mean_squares = 0;
  for (const auto& total : totals.count)
  {
    const double p = total.second / all;
    segregated += p * (1 - p);
    mean_squares += p * p;
  }
  const double variance = sum.squares / all - mean_squares;
  const double random = segregated * (static_cast<double>(sum.cells) - 1) / (all - 1);
  if (!(segregated - random > 1e-12 * segregated))
    return std::numeric_limits<double>::quiet_NaN();
  return (segregated - variance) / (segregated - random);
}

template <class Exec>
double laceyIndexOn(Exec& exec, const Grains& given, double cell)
{
  if (!(cell > 0) || !std::isfinite(cell))
    throw Error("The cells of the Lacey index have an edge of " + std::to_string(cell) +
      " m; it must be above 0.");
  const std::size_t n = given.size;
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  if (n == 0 || !given.material)
    return unknown;
  if (n > 0x7fffffffu)
    throw Error("There are " + std::to_string(n) + " grains; statistics take 2^31 - 1 at most.");
  Grains wanted = placesOf(given);
  wanted.material = given.material;
  GrainInput<Exec> input(exec);
  const Grains grains = input.stage(wanted);
  const SpeciesTotals totals = speciesTotals(exec, grains.material, n);
  if (totals.count.size() < 2)
    return unknown;
  std::vector<std::int32_t> names;
  for (const auto& total : totals.count)
    names.push_back(total.first);
  const std::uint64_t kinds = names.size();

  Vec3d lower, upper;
  boxOfCenters(exec, grains.position, n, lower, upper);
  LaceyKeys keys_of{ grains.position, nullptr, cell, {}, {}, kinds, nullptr, nullptr };
  const double largest = setCells(keys_of, lower, upper);
  Array<std::int32_t, Exec> species(exec), known(exec);
  known.assign(names);
  species.resize(n);
  exec.forEach(
    n, DenseSpecies{ grains.material, known.data(), static_cast<int>(kinds), species.data() });
  keys_of.species = species.data();
  return laceyIndexOf(sumOverCells(exec, keys_of, n, largest), totals, n);
}

double laceyIndexOnCuda(const Grains& grains, double cell, const Device& device);

} // namespace detail
} // namespace dem
