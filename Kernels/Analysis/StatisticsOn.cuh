// bulkStatistics for an execution policy.
#pragma once

#include "Analysis/Statistics.h"
#include "Analysis/detail/GrainInput.cuh"
#include "Core/Algorithms.h"
#include "Core/Error.h"
#include "Core/FixedSum.cuh"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace dem
{
namespace detail
{

/// Sums over a block of grains.
struct BulkSum
{
  double mass, speeds, twice_kinetic, twice_rotational, radii;
  Vec3d moment, momentum;
  double first, above, squares; // temperature of the first grain, sum and squares of those above it
  std::size_t size;
};

/// One thread per block of kSumBlock grains.
struct SumBulk
{
  Grains grains;
  BulkSum* partial;

  DEM_HD void operator()(std::uint32_t block) const
  {
    BulkSum s{};
    const std::size_t begin = block * kSumBlock,
                      end = begin + kSumBlock < grains.size ? begin + kSumBlock : grains.size;
    s.size = end - begin;
    s.first = grains.temperature ? grains.temperature[begin] : 0;
    for (std::size_t i = begin; i < end; ++i)
    {
      const double m = grains.mass[i], r = grains.radius[i];
      s.mass += m;
      s.moment += m * PackGrains::at(grains.position, i);
      s.radii += r;
      if (grains.velocity)
      {
        const Vec3d velocity = PackGrains::at(grains.velocity, i);
        s.momentum += m * velocity;
        const double squared = dot(velocity, velocity);
        s.speeds += std::sqrt(squared);
        s.twice_kinetic += m * squared;
      }
      if (grains.temperature)
      {
        const double above = grains.temperature[i] - s.first;
        s.above += above;
        s.squares += above * above;
      }
      if (grains.angular_velocity)
      {
        const Vec3d w = PackGrains::at(grains.angular_velocity, i);
        s.twice_rotational += 0.4 * m * r * r * dot(w, w);
      }
    }
    partial[block] = s;
  }
};

/// Heights of the tops of grains (centre + radius), as sort keys that ascend with the height.
struct TopKeys
{
  const double *position, *radius;
  Vec3d up;
  std::uint64_t* keys;
  std::uint32_t* place;

  DEM_HD static std::uint64_t key(double x)
  {
#if defined(__CUDA_ARCH__)
    const std::uint64_t bits = static_cast<std::uint64_t>(__double_as_longlong(x));
#else
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
#endif
    return bits >> 63 ? ~bits : bits | 0x8000000000000000ull;
  }
  static double value(std::uint64_t key)
  {
    const std::uint64_t bits = key >> 63 ? key & 0x7fffffffffffffffull : ~key;
    double x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
  }
  DEM_HD void operator()(std::uint32_t i) const
  {
    keys[i] = key(dot(up, PackGrains::at(position, i)) + radius[i]);
    place[i] = i;
  }
};

/// Percentile (in percent) of heights given as sort keys, interpolated between ranks, m. Reorders
/// the keys.
template <class Exec>
double heightPercentile(Exec& exec, Array<std::uint64_t, Exec>& keys,
  Array<std::uint32_t, Exec>& place, double percentile)
{
  const std::size_t n = keys.size();
  const double rank = percentile / 100 * (static_cast<double>(n) - 1);
  const std::size_t below = static_cast<std::size_t>(std::floor(rank));
  std::uint64_t around[2];
  if constexpr (Exec::kDevice)
  {
    Array<std::uint64_t, Exec> keys_other(exec);
    Array<std::uint32_t, Exec> place_other(exec);
    keys_other.resize(n);
    place_other.resize(n);
    sortPairs(exec, keys.data(), keys_other.data(), place.data(), place_other.data(), n, 64);
    exec.toHost(around, keys.data() + below, (below + 1 < n ? 2 : 1) * sizeof(std::uint64_t));
    exec.synchronize();
  }
  else
  {
    std::uint64_t* first = keys.data();
    std::nth_element(first, first + below, first + n);
    around[0] = first[below];
    if (below + 1 < n)
      around[1] = *std::min_element(first + below + 1, first + n);
  }
  double height = TopKeys::value(around[0]);
  if (below + 1 < n)
    height += (rank - static_cast<double>(below)) * (TopKeys::value(around[1]) - height);
  return height;
}

/// Sets mean and standard deviation of the temperatures of n grains.
inline void finishTemperatures(
  const std::vector<BulkSum>& partial, std::size_t n, BulkStatistics& s)
{
  const double number = static_cast<double>(n);
  double sum = 0, squares = 0;
  for (const BulkSum& part : partial)
    sum += static_cast<double>(part.size) * part.first + part.above;
  s.mean_temperature = sum / number;
  for (const BulkSum& part : partial)
  {
    const double size = static_cast<double>(part.size), mean = part.above / size,
                 off = part.first + mean - s.mean_temperature;
    squares += std::max(0., part.squares - part.above * mean) + size * off * off;
  }
  s.temperature_deviation = std::sqrt(squares / number);
}

/// Sets the totals and means over n grains from the sums over blocks, which are added in their
/// order. Does not set size and bed height.
inline void finishBulk(
  const std::vector<BulkSum>& partial, const Vec3d& up, std::size_t n, BulkStatistics& s)
{
  BulkSum sum{};
  for (const BulkSum& part : partial)
  {
    sum.mass += part.mass;
    sum.speeds += part.speeds;
    sum.twice_kinetic += part.twice_kinetic;
    sum.twice_rotational += part.twice_rotational;
    sum.radii += part.radii;
    sum.moment += part.moment;
    sum.momentum += part.momentum;
  }
  const double number = static_cast<double>(n);
  s.mass = sum.mass;
  if (s.mass > 0)
  {
    s.center = (1 / s.mass) * sum.moment;
    s.mean_velocity = (1 / s.mass) * sum.momentum;
  }
  s.center_height = dot(up, s.center);
  s.mean_speed = sum.speeds / number;
  s.kinetic_energy = 0.5 * sum.twice_kinetic;
  s.rotational_energy = 0.5 * sum.twice_rotational;
  s.mean_radius = sum.radii / number;
  finishTemperatures(partial, n, s);
}

template <class Exec>
BulkStatistics bulkStatisticsOn(Exec& exec, const Grains& given, const Vec3d& up, double percentile)
{
  const double up_length = length(up);
  if (!(up_length > 0) || !std::isfinite(up_length))
    throw Error("Up is (" + std::to_string(up.x) + ", " + std::to_string(up.y) + ", " +
      std::to_string(up.z) +
      "), which is no direction. Take (0, 0, 1), or the direction against gravity.");
  if (!(percentile >= 0 && percentile <= 100))
    throw Error(
      "HeightPercentile is " + std::to_string(percentile) + " %; it must be from 0 to 100.");
  BulkStatistics s;
  const std::size_t n = given.size;
  s.size = n;
  if (n == 0)
    return s;
  if (!given.mass)
    throw Error("The grains have no masses: give a Density above 0.");
  if (n > 0x7fffffffu)
    throw Error("There are " + std::to_string(n) + " grains; statistics take 2^31 - 1 at most.");
  const Vec3d direction = (1 / up_length) * up;
  Grains wanted = given;
  wanted.id = nullptr;
  wanted.material = nullptr;
  GrainInput<Exec> input(exec);
  const Grains grains = input.stage(wanted);
  Array<BulkSum, Exec> partial(exec);
  partial.resize(sumBlocks(n));
  exec.forEach(partial.size(), SumBulk{ grains, partial.data() });
  Array<std::uint64_t, Exec> keys(exec);
  Array<std::uint32_t, Exec> place(exec);
  keys.resize(n);
  place.resize(n);
  exec.forEach(n, TopKeys{ grains.position, grains.radius, direction, keys.data(), place.data() });
  finishBulk(partial.host(), direction, n, s);
  s.bed_height = heightPercentile(exec, keys, place, percentile);
  return s;
}

BulkStatistics bulkStatisticsOnCuda(
  const Grains& grains, const Vec3d& up, double percentile, const Device& device);

} // namespace detail
} // namespace dem
