// Infinite grid: unbounded cell numbers, mapped to a hash table of fixed size. Pacevic and
// Kaceniauskas, Information Technology and Control 51 (2022), section 3; the primes of `Universal`
// are those of Teschner et al., Vision, Modeling and Visualization 2003.
#pragma once

#include "BroadPhase/BroadPhaseOptions.h"
#include "BroadPhase/Bvh.cuh"
#include "BroadPhase/SortedGrid.cuh"

#include <cstdint>

namespace dem
{

/// Cells and their buckets.
struct HashedGrid
{
  Vec3d lower;
  Vec3d inverse_cell;      // 1/m
  std::int64_t size[3];    // cells of a period; 0 if the axis is not periodic
  std::uint64_t extent[2]; // cells of the cloud in x and y, for `Uniform`
  double pad;              // m, exceeds the rounding error of a position's cell
  HashFunction hash;
  std::uint32_t buckets;

  DEM_HD std::int64_t placeOf(double x, int axis) const
  {
    const double c = std::floor((x - lower[axis]) * inverse_cell[axis]);
    const double far = 4503599627370496.; // 2^52: positions beyond share a cell
    return static_cast<std::int64_t>(c < -far ? -far : (c > far ? far : c));
  }
  DEM_HD std::int64_t wrap(std::int64_t c, int axis) const
  {
    const std::int64_t n = size[axis];
    return n == 0 ? c : (c < 0 ? c + n : (c >= n ? c - n : c));
  }
  DEM_HD std::uint32_t bucket(std::int64_t x, std::int64_t y, std::int64_t z) const
  {
    const std::uint64_t a = static_cast<std::uint64_t>(x), b = static_cast<std::uint64_t>(y),
                        c = static_cast<std::uint64_t>(z);
    std::uint64_t h;
    if (hash == HashFunction::Uniform)
      h = a + extent[0] * (b + extent[1] * c);
    else if (hash == HashFunction::Morton)
      h = spreadBits(a) << 2 | spreadBits(b) << 1 | spreadBits(c);
    else
      h = (a * 73856093u) ^ (b * 19349663u) ^ (c * 83492791u);
    return static_cast<std::uint32_t>(h % buckets);
  }
  DEM_HD std::uint32_t bucketOf(const Vec4<double>& p) const
  {
    return bucket(wrap(placeOf(p.x, 0), 0), wrap(placeOf(p.y, 1), 1), wrap(placeOf(p.z, 2), 2));
  }
};

/// The bucket of each particle; removed particles sort behind the last bucket.
struct ComputeBuckets
{
  HashedGrid grid;
  const Vec4<double>* position;
  std::uint32_t* keys;
  std::uint32_t* index;

  DEM_HD void operator()(std::uint32_t i) const
  {
    keys[i] = isGone(position[i].x) ? grid.buckets : grid.bucketOf(position[i]);
    index[i] = i;
  }
};

/// The search; see GridSearch for its interface.
struct HashedSearch
{
  HashedGrid grid;
  PairTest near;
  CellContents buckets;
  double radius_max;

  /// Several of the 27 cells may map to the same bucket; each bucket is read once.
  template <class Visit>
  DEM_HD void candidates(std::uint32_t i, const Visit& visit) const
  {
    const Vec4<double> p = buckets.position[i];
    const double reach = (p.w + radius_max + near.skin) * (1 + 1e-12) + grid.pad;
    std::int64_t lo[3], hi[3];
    for (int k = 0; k < 3; ++k)
    {
      const double x = k == 0 ? p.x : (k == 1 ? p.y : p.z);
      lo[k] = grid.placeOf(x - reach, k);
      hi[k] = grid.placeOf(x + reach, k);
    }
    std::uint32_t seen[27];
    int known = 0;
    for (std::int64_t z = lo[2]; z <= hi[2]; ++z)
      for (std::int64_t y = lo[1]; y <= hi[1]; ++y)
        for (std::int64_t x = lo[0]; x <= hi[0]; ++x)
        {
          const std::uint32_t b = grid.bucket(grid.wrap(x, 0), grid.wrap(y, 1), grid.wrap(z, 2));
          const std::uint32_t begin = buckets.cell_start[b], end = buckets.cell_start[b + 1];
          if (begin == end)
            continue;
          int s = 0;
          while (s < known && seen[s] != b)
            ++s;
          if (s < known)
            continue;
          seen[known++] = b;
          buckets.test(near, i, p, begin, end, visit);
        }
  }
};

} // namespace dem
