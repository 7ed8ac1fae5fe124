// Statistics of neighbours, on the CPU or a CUDA device: the radial distribution function, and
// mixing among nearest neighbours. Grains lie in host memory or in that of the device. Equal input
// gives equal bits for any number of threads.
#pragma once

#include "Analysis/Grains.h"
#include "Core/Device.h"
#include "Core/Vec.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dem
{

/// The box of the grains. `period` is 0 along axes that are not periodic. Lengths in m.
struct PairBox
{
  Vec3d periodic_lower{}, period{};
  /// On axes that are not periodic, only grains whose centre lies between `lower` and `upper`
  /// count. If false, the bounds of all centres are used.
  bool limited = false;
  Vec3d lower{}, upper{};
};

struct RadialDistributionOptions
{
  PairBox box;
  double largest_distance = 0; ///< m; 0: four mean diameters, or less if the box limits it
  int bins = 100;              ///< 1 to 100000
};

struct RadialDistribution
{
  double largest_distance = 0;      ///< m; 0: the box is too small, and there are no bins
  std::size_t size = 0;             ///< grains that count
  double volume = 0;                ///< m^3: of the box
  std::vector<std::uint64_t> pairs; ///< in each bin; each pair counts once
  std::vector<double> g;            ///< of each bin, dimensionless
  /// Mean number of neighbours up to the end of each bin: 2 pairs / N, without correction at
  /// borders.
  std::vector<double> neighbors;
};

/// The radial distribution function g(r) = V / N(N - 1) times the density of ordered pairs. N
/// random points, an ideal gas, have g = 1 at any N. (Allen, Tildesley, Computer Simulation of
/// Liquids, 2nd ed., eq. 2.94, divide by N^2, which gives 1 - 1/N.) The volume of a bin's shell is
/// exact.
///
/// Distances on periodic axes are those of nearest images. On other axes pairs are missing near the
/// borders: on average over directions and places in a box of lengths L, the fraction of pairs at
/// distance r that remain is the normalised set covariance of the box (rigid-motion correction:
/// Ohser, Stoyan, Biometrical Journal 23 (1981) 523),
///   1 - r/2 sum 1/L_i + 2 r^2/(3 pi) sum 1/(L_i L_j) - r^3/(4 pi L_x L_y L_z),
/// with sums over the axes that are not periodic. The shell is multiplied by it, so a homogeneous
/// bed that fills the box needs no margin.
///
/// Distances extend to half the least period and to the least length of an axis that is not
/// periodic. Throws dem::Error, which names the limit, if a larger one is given.
RadialDistribution radialDistribution(
  const Grains& grains, const RadialDistributionOptions& options, const Device& device);

struct NeighborMixing
{
  double index = 0;         ///< NaN if there is only one species or one grain
  double mean_distance = 0; ///< m: mean over grains of the distance of the farthest neighbour
};

/// Mixing among the `neighbors` (1 to 32) nearest neighbours of each grain, after Godlieb, Deen,
/// Kuipers, "Characterizing solids mixing in DEM simulations", 6th Int. Conf. on Multiphase Flow,
/// 2007. The index is the number of neighbours of another species, divided by its mean in a random
/// mixture of the same species, where it is a fraction (N - N_s) / (N - 1) of the neighbours of a
/// grain of species s. 0: segregated, 1: randomly mixed, above 1: ordered. Neighbours at equal
/// distance are taken in the order of the grains. Periodic axes as above. `grains.material` is the
/// species. Throws dem::Error for an invalid number of neighbours or box.
NeighborMixing neighborMixing(
  const Grains& grains, int neighbors, const PairBox& box, const Device& device);

} // namespace dem
