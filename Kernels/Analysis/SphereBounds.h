// The bounding box of spheres and their mean radius.
#pragma once

#include "Analysis/Grains.h"
#include "Core/Device.h"
#include "Core/Vec.h"

namespace dem
{

struct SphereBounds
{
  Vec3d lower, upper;     ///< m; lower > upper if there are no grains
  double mean_radius = 0; ///< m

  /// True if there are grains.
  bool any() const { return lower.x <= upper.x; }
};

/// Grains lie in host memory or in that of the device. Equal bits for any number of threads.
SphereBounds sphereBounds(const Grains& grains, const Device& device);

} // namespace dem
