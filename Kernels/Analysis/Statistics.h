// Statistics of a whole bed of grains, on the CPU or a CUDA device. Grains lie in host memory or in
// that of the device. Sums run over fixed blocks in the order of the grains: equal input gives
// equal bits for any number of threads.
#pragma once

#include "Analysis/Grains.h"
#include "Core/Device.h"
#include "Core/Vec.h"

#include <cstddef>
#include <cstdint>

namespace dem
{

struct BulkStatistics
{
  std::size_t size = 0;
  double mass = 0;                  ///< kg
  Vec3d center;                     ///< m: centre of mass
  double center_height = 0;         ///< m: of the centre of mass along `up`
  Vec3d mean_velocity;              ///< m/s: mean over mass
  double mean_speed = 0;            ///< m/s: mean over grains
  double kinetic_energy = 0;        ///< J: of translation
  double rotational_energy = 0;     ///< J: of rotation, for solid spheres
  double mean_radius = 0;           ///< m
  double mean_temperature = 0;      ///< K: mean over grains; 0 without temperatures
  double temperature_deviation = 0; ///< K: standard deviation over all grains
  double bed_height = 0;            ///< m: percentile of the grains' tops along `up`
};

/// Needs masses; missing velocities count as 0. `up`: direction of any length but 0; heights are
/// distances along it from the origin. `percentile` (percent) of the tops of grains (centre +
/// radius) gives the bed height, interpolated between ranks as numpy does by default. Without
/// grains all values are 0. Throws dem::Error without masses and for an invalid direction or
/// percentile.
BulkStatistics bulkStatistics(
  const Grains& grains, const Vec3d& up, double percentile, const Device& device = {});

/// Lacey's mixing index (P. M. C. Lacey, J. Appl. Chem. 4 (1954) 257), (S0^2 - S^2) / (S0^2 -
/// Sr^2): 0 segregated, 1 randomly mixed. The cells are cubes of edge `cell` (m) on a grid with a
/// plane through the origin; cells without grains do not count.
/// - S^2 is the variance among cells of the species' fractions by number, summed over species. A
/// cell
///   is weighted with its number n_i of grains.
/// - S0^2 = sum p (1 - p) is S^2 of full segregation.
/// - Sr^2 = S0^2 (K - 1) / (N - 1) is the mean of S^2 over all permutations of N grains on the
/// places
///   of K cells. For many equal cells it is Lacey's p (1 - p) / n.
/// NaN if there is only one species, or if each grain has a cell of its own. `grains.material` is
/// the species. Throws dem::Error for an invalid or too small `cell`.
double laceyIndex(const Grains& grains, double cell, const Device& device = {});

} // namespace dem
