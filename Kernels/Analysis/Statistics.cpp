#include "Analysis/Statistics.h"

#include "Core/Error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace dem
{

BulkStatistics bulkStatistics(const Grains& grains, const Vec3d& up, double percentile)
{
  const double up_length = length(up);
  if (!(up_length > 0) || !std::isfinite(up_length))
  {
    throw Error("Up is (" + std::to_string(up.x) + ", " + std::to_string(up.y) + ", " + std::to_string(up.z) +
      "), which is no direction. Take (0, 0, 1), or the direction against gravity.");
  }
  if (!(percentile >= 0 && percentile <= 100))
  {
    throw Error("HeightPercentile is " + std::to_string(percentile) + " %; it must be from 0 to 100.");
  }
  BulkStatistics s;
  s.size = grains.size;
  if (grains.size == 0)
  {
    return s;
  }
  if (!grains.mass)
  {
    throw Error("The grains have no masses: give a Density above 0.");
  }
  const Vec3d direction = (1 / up_length) * up;
  std::vector<double> tops(grains.size);
  Vec3d moment, momentum;
  double speeds = 0, twice_kinetic = 0, twice_rotational = 0, radii = 0;
  for (std::size_t i = 0; i < grains.size; ++i)
  {
    const double* x = grains.position + 3 * i;
    const double m = grains.mass[i], r = grains.radius[i];
    const Vec3d place{ x[0], x[1], x[2] };
    s.mass += m;
    moment += m * place;
    radii += r;
    tops[i] = dot(direction, place) + r;
    if (grains.velocity)
    {
      const double* v = grains.velocity + 3 * i;
      const Vec3d velocity{ v[0], v[1], v[2] };
      momentum += m * velocity;
      const double squared = dot(velocity, velocity);
      speeds += std::sqrt(squared);
      twice_kinetic += m * squared;
    }
    if (grains.angular_velocity)
    {
      const double* w = grains.angular_velocity + 3 * i;
      twice_rotational += 0.4 * m * r * r * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    }
  }
  const double n = static_cast<double>(grains.size);
  if (s.mass > 0)
  {
    s.center = (1 / s.mass) * moment;
    s.mean_velocity = (1 / s.mass) * momentum;
  }
  s.center_height = dot(direction, s.center);
  s.mean_speed = speeds / n;
  s.kinetic_energy = 0.5 * twice_kinetic;
  s.rotational_energy = 0.5 * twice_rotational;
  s.mean_radius = radii / n;

  const double rank = percentile / 100 * (n - 1);
  const std::size_t below = static_cast<std::size_t>(std::floor(rank));
  std::nth_element(tops.begin(), tops.begin() + static_cast<std::ptrdiff_t>(below), tops.end());
  s.bed_height = tops[below];
  if (below + 1 < tops.size())
  {
    const double next = *std::min_element(tops.begin() + static_cast<std::ptrdiff_t>(below) + 1, tops.end());
    s.bed_height += (rank - static_cast<double>(below)) * (next - s.bed_height);
  }
  return s;
}

double laceyIndex(const Grains& grains, double cell)
{
  if (!(cell > 0) || !std::isfinite(cell))
  {
    throw Error("The cells of the Lacey index have an edge of " + std::to_string(cell) + " m; it must be above 0.");
  }
  const std::size_t n = grains.size;
  std::vector<std::array<std::int64_t, 4>> places(n); // cell and species
  std::map<std::int32_t, std::uint64_t> totals;
  for (std::size_t i = 0; i < n; ++i)
  {
    for (int k = 0; k < 3; ++k)
    {
      const double c = std::floor(grains.position[3 * i + k] / cell);
      if (!(std::fabs(c) < 9e15))
      {
        throw Error("Cells of " + std::to_string(cell) + " m are too small for the Lacey index: there would be " + std::to_string(c) +
          " of them before grain " + std::to_string(i) + ". Make them larger.");
      }
      places[i][k] = static_cast<std::int64_t>(c);
    }
    const std::int32_t species = grains.material ? grains.material[i] : 0;
    places[i][3] = species;
    ++totals[species];
  }
  std::sort(places.begin(), places.end());

  const double all = static_cast<double>(n);
  double segregated = 0;
  for (const auto& total : totals)
  {
    const double p = static_cast<double>(total.second) / all;
    segregated += p * (1 - p);
  }
  // sum over cells of n_i (p_i - p)^2 = sum of count^2 / n_i - N p^2
  double squares = 0, cells = 0;
  for (std::size_t begin = 0; begin < n;)
  {
    std::size_t end = begin;
    double of_cell = 0;
    while (end < n && std::equal(places[end].begin(), places[end].begin() + 3, places[begin].begin()))
    {
      std::size_t run = end;
      while (run < n && places[run] == places[end])
      {
        ++run;
      }
      const double count = static_cast<double>(run - end);
      of_cell += count * count;
      end = run;
    }
    squares += of_cell / static_cast<double>(end - begin);
    cells += 1;
    begin = end;
  }
  double mean_squares = 0;
  for (const auto& total : totals)
  {
    const double p = static_cast<double>(total.second) / all;
    mean_squares += p * p;
  }
  const double variance = squares / all - mean_squares;
  const double random = n > 1 ? segregated * (cells - 1) / (all - 1) : segregated;
  if (totals.size() < 2 || !(segregated - random > 1e-12 * segregated))
  {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return (segregated - variance) / (segregated - random);
}

} // namespace dem
