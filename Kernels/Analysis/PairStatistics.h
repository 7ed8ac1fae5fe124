// Statistics of neighbours: the radial distribution function and mixing among nearest neighbours,
// on the CPU or a CUDA device.
#pragma once

#include "Analysis/Grains.h"
#include "Core/Device.h"
#include "Core/Vec.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dem
{

/// Where grains are. Lengths are 0 along axes that are not periodic.
struct PairBox
{
  Vec3d periodic_lower{}, period{};
  /// Of the axes that are not periodic, the box that the grains fill: only those with their centre
  /// inside count. Off: the box of the centres.
  bool limited = false;
  Vec3d lower{}, upper{};
};

struct RadialDistributionOptions
{
  PairBox box;
  double largest_distance = 0; ///< m; 0: four mean diameters, or what the box allows
  int bins = 100;
};

struct RadialDistribution
{
  double largest_distance = 0;      ///< m; 0: the box allows no distance, and there are no bins
  std::size_t size = 0;             ///< grains that count
  double volume = 0;                ///< m^3: of the box
  std::vector<std::uint64_t> pairs; ///< of each bin, each pair once
  std::vector<double> g;            ///< without unit
  std::vector<double> neighbors; ///< mean number of neighbours up to the end of the bin: 2 pairs /
                                 ///< N, without correction at borders
};

/// g(r) = V / N(N - 1) times the density of ordered pairs, so that N points at random, an ideal
/// gas, have 1 at any N (Allen, Tildesley, Computer Simulation of Liquids, 2nd ed., eq. 2.94,
/// divides by N^2, which gives them 1 - 1/N); the shell of a bin is exact. Distances on periodic
/// axes are those of nearest images. Other axes end: pairs at a distance r are then missing, on
/// average over directions and over places in a box of lengths L, by the factor of the box's set
/// covariance (rigid-motion correction: Ohser, Stoyan, Biometrical Journal 23 (1981) 523),
///   1 - r/2 sum 1/L_i + 2 r^2/(3 pi) sum 1/(L_i L_j) - r^3/(4 pi L_x L_y L_z), sums over axes that
///   end,
/// by which the shell is multiplied; so a homogeneous bed that fills the box needs no margin.
/// Distances go up to half the least period and the least length of an axis that ends; a larger one
/// asked for is a dem::Error that tells the limit.
RadialDistribution radialDistribution(
  const Grains& grains, const RadialDistributionOptions& options, const Device& device);

struct NeighborMixing
{
  double index = 0;         ///< NaN: one species, or one grain
  double mean_distance = 0; ///< m: of the farthest neighbour that counts
};

/// Mixing among the `neighbors` nearest of each grain (1 to 32), after Godlieb, Deen, Kuipers,
/// "Characterizing solids mixing in DEM simulations", 6th Int. Conf. on Multiphase Flow, 2007:
/// neighbours of another species over those that a random mixture of the same species has in the
/// mean, a fraction (N - N_s) / (N - 1) of the neighbours of a grain of species s. 0 segregated, 1
/// as mixed as by chance, above 1 ordered. Equal distances are taken in the order of the grains.
/// Periodic axes as above; `grains.material` is the species.
NeighborMixing neighborMixing(
  const Grains& grains, int neighbors, const PairBox& box, const Device& device);

} // namespace dem
