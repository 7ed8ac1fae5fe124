// Radii of the grains of a packing. Used by Packing.cpp.
#pragma once

#include "Scene/Packing/Packing.h"
#include "Scene/Packing/RandomStream.h"

#include <cstdint>
#include <vector>

namespace dem
{
namespace detail
{

/// Random radii. The radius of grain i depends only on the spec and on i.
class Radii
{
public:
  /// Throws dem::Error for bounds in the wrong order and invalid tables. `spec` must have values in
  /// their ranges (PackingRows.h), and must outlive this object.
  explicit Radii(const PackingSpec& spec);

  double largest() const { return largest_; }
  double smallest() const { return smallest_; }

  /// Radius of a grain, m. Throws dem::Error if 4000 draws give no radius within the bounds.
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
