// Numbers for a whole bed of grains, on the CPU or a CUDA device. Sums run in blocks in the order
// of the grains, so equal input gives equal bits on any number of threads.
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
  double mass = 0;              ///< kg
  Vec3d center;                 ///< m: centre of mass
  double center_height = 0;     ///< m: of the centre of mass along `up`
  Vec3d mean_velocity;          ///< m/s: of the mass
  double mean_speed = 0;        ///< m/s: mean over grains
  double kinetic_energy = 0;    ///< J: of the motion of centres
  double rotational_energy = 0; ///< J: of the rotation of full spheres
  double mean_radius = 0;       ///< m
  double bed_height = 0;        ///< m: percentile of the grains' tops along `up`
};

/// Needs masses; velocities that are not there count as 0. `up`: any length but 0; heights are
/// distances along it from the origin. `percentile` in percent, of the tops of grains (centre +
/// radius), interpolated between ranks as numpy does by default. Throws dem::Error for a direction
/// or percentile that cannot be. No grains: all 0. Grains in host memory or in that of the device.
BulkStatistics bulkStatistics(
  const Grains& grains, const Vec3d& up, double percentile, const Device& device = {});

/// Lacey's mixing index (P. M. C. Lacey, J. Appl. Chem. 4 (1954) 257) over the cubic cells of edge
/// `cell` (m) that hold grains, the grid's origin being that of space: (S0^2 - S^2) / (S0^2 -
/// Sr^2), 0 segregated, 1 as mixed as by chance. S^2 is the variance of the species' fractions by
/// number among cells, each cell weighted with its number n_i of grains and summed over species;
/// S0^2 = sum p (1 - p) is that of full segregation, and Sr^2 = S0^2 (K - 1) / (N - 1) the mean of
/// S^2 over all permutations of N grains on the places of K cells, which is Lacey's p (1 - p) / n
/// for many equal cells. NaN with one species, or where each grain has a cell of its own.
/// `grains.material` is the species.
double laceyIndex(const Grains& grains, double cell, const Device& device = {});

} // namespace dem
