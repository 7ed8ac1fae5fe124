// Centres of the grains inside a box, sorted into a grid for searches around a place. Used by
// PairStatisticsOn.cuh.
#pragma once

#include "Analysis/Grains.h"
#include "Analysis/PairStatistics.h"
#include "BroadPhase/SortedGrid.cuh"
#include "Core/Algorithms.h"
#include "Core/Array.h"
#include "Core/Error.h"
#include "Core/FixedSum.cuh"

#include <cmath>
#include <cstdio>
#include <string>

namespace dem
{
namespace detail
{

inline std::string meters(double value)
{
  char text[32];
  std::snprintf(text, sizeof text, "%.6g m", value);
  return text;
}

/// The periodic axes of a box. Throws dem::Error for an invalid box.
inline Periodic checkedBox(const PairBox& box)
{
  for (int k = 0; k < 3; ++k)
  {
    if (!(box.period[k] >= 0) || !std::isfinite(box.period[k]) ||
      !std::isfinite(box.periodic_lower[k]))
      throw Error(std::string("The periodic box has the length ") + meters(box.period[k]) + " in " +
        "xyz"[k] + "; it must be above 0.");
    if (box.limited && box.period[k] == 0 && !(box.lower[k] < box.upper[k]))
      throw Error(std::string("The region ends in ") + "xyz"[k] + " at " + meters(box.upper[k]) +
        " and begins at " + meters(box.lower[k]) + ". Its lower corner comes first.");
  }
  return { box.periodic_lower, box.period };
}

/// The centres inside the box, in the order of the grains, moved into the period on periodic axes.
template <class Exec>
struct Centers
{
  std::uint32_t n = 0;
  Array<Vec4<double>, Exec> place;  // w: number in this array
  Array<std::uint32_t, Exec> grain; // index in the input
  Vec3d lower, upper;               // of the centres
  double mean_radius = 0;

  explicit Centers(Exec& exec)
    : place(exec)
    , grain(exec)
  {
  }
};

/// Moves centres into the period and marks those inside the box.
struct PlaceCenters
{
  const double* position;
  Periodic box;
  bool limited;
  Vec3d lower, upper;
  Vec4<double>* place;
  std::uint32_t* inside;

  DEM_HD void operator()(std::uint32_t i) const
  {
    Vec3d x{ position[3 * std::size_t(i)], position[3 * std::size_t(i) + 1],
      position[3 * std::size_t(i) + 2] };
    bool in = true;
    for (int k = 0; k < 3; ++k)
      if (box.period[k] > 0)
        x[k] -= box.period[k] * std::floor((x[k] - box.lower[k]) / box.period[k]);
      else if (limited)
        in = in && x[k] >= lower[k] && x[k] <= upper[k];
    place[i] = vec4(x, 0.);
    inside[i] = in ? 1 : 0;
  }
};

struct SelectCenters
{
  const Vec4<double>* all;
  const std::uint32_t *inside, *number;
  Vec4<double>* place;
  std::uint32_t* grain;

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (!inside[i])
      return;
    place[number[i]] = vec4(all[i].xyz(), static_cast<double>(number[i]));
    grain[number[i]] = i;
  }
};

struct RadiiOf
{
  const double* radius;
  const std::uint32_t* grain;

  DEM_HD double operator[](std::size_t i) const { return radius[grain[i]]; }
};

/// Selects the centres inside the box. `grains`: readable by kernels. Sets their bounds and mean
/// radius.
template <class Exec>
void selectCenters(Exec& exec, const Grains& grains, const PairBox& box, const Periodic& periodic,
  Centers<Exec>& out)
{
  const std::size_t n = grains.size;
  if (n > 0x7fffffffu)
    throw Error("There are " + std::to_string(n) +
      " grains; statistics of neighbours take 2^31 - 1 at most.");
  Array<Vec4<double>, Exec> all(exec);
  Array<std::uint32_t, Exec> inside(exec), number(exec);
  all.resize(n);
  inside.resize(n);
  number.resize(n + 1);
  exec.forEach(n,
    PlaceCenters{
      grains.position, periodic, box.limited, box.lower, box.upper, all.data(), inside.data() });
  out.n = static_cast<std::uint32_t>(scanCounts(exec, inside.data(), number.data(), n));
  if (out.n == 0)
    return;
  out.place.resize(out.n);
  out.grain.resize(out.n);
  exec.forEach(n,
    SelectCenters{ all.data(), inside.data(), number.data(), out.place.data(), out.grain.data() });
  boundingBox(exec, out.place.data(), out.n, out.lower, out.upper);
  Array<double, Exec> partial(exec);
  partial.resize(sumBlocks(out.n));
  exec.forEach(partial.size(),
    SumBlocks<double, RadiiOf>{ { grains.radius, out.grain.data() }, out.n, partial.data() });
  for (const double part : partial.host())
    out.mean_radius += part;
  out.mean_radius /= out.n;
}

/// Centres in the order of their cells; w: number in Centers.
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

/// Sorts centres into a grid. `cell`: least edge of its cells, m.
template <class Exec>
void sortCenters(Exec& exec, const Centers<Exec>& given, const Periodic& box, double cell,
  SortedCenters<Exec>& out)
{
  const std::uint32_t n = given.n;
  out.n = n;
  out.box = box;
  out.grid = chooseGrid(given.lower, given.upper, box, cell, 8.0 * n + 64, false);
  const std::uint32_t cells = out.grid.cells();
  Array<std::uint32_t, Exec> keys(exec), keys_other(exec), item(exec), item_other(exec);
  for (auto* array : { &keys, &keys_other, &item, &item_other })
    array->resize(n);
  exec.forEach(n, ComputeCellKeys{ out.grid, given.place.data(), keys.data(), item.data() });
  int bits = 1;
  while (bits < 32 && (std::uint64_t(1) << bits) <= cells)
    ++bits;
  sortPairs(exec, keys.data(), keys_other.data(), item.data(), item_other.data(), n, bits);
  out.cell_start.resize(std::size_t(cells) + 1);
  out.cell_start.zero();
  exec.forEach(
    std::size_t(n) + 1, FindCellStarts{ keys.data(), n, cells, 64, out.cell_start.data() });
  exec.forEach(std::size_t(cells) + 1, FillEmptyCells{ keys.data(), n, out.cell_start.data() });
  out.center.resize(n);
  exec.forEach(n, GatherCenters{ given.place.data(), item.data(), out.center.data() });
  exec.synchronize();
}

/// Sorted centres for kernels.
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

  /// Calls visit(i, squared distance to p) for all sorted centres i >= `first` in cells within
  /// `reach` of p.
  template <class Visit>
  DEM_HD void around(
    const Vec4<double>& p, double reach, std::uint32_t first, const Visit& visit) const
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

} // namespace detail
} // namespace dem
