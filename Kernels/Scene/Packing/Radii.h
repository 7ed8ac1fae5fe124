// The radii of the grains of a packing.
#pragma once

#include "Scene/Packing/Packing.h"
#include "Scene/Packing/RandomStream.h"

#include <cstdint>
#include <vector>

namespace dem
{
namespace detail
{

/// The radii of a packing: the radius of grain i depends on the spec and i alone.
class Radii
{
public:
  /// Throws dem::Error for radii that are not above 0, bounds in the wrong order and bad tables.
  /// `spec` must outlive this.
  explicit Radii(const PackingSpec& spec);

  double largest() const { return largest_; }
  double smallest() const { return smallest_; }

  /// m. Throws dem::Error if hardly any radius of the distribution lies within its bounds.
  double operator()(std::uint64_t index) const;

private:
  void readTable();

  // Marsaglia's polar method, repeated until the radius lies within the cut.
  double cut(std::uint64_t index) const;

  const PackingSpec& spec_;
  RandomStream random_;
  double smallest_ = 0, largest_ = 0;
  std::vector<double> cumulative_;
};

} // namespace detail
} // namespace dem
