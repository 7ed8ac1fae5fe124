// Where grains are: the box of their spheres and their mean radius.
#pragma once

#include "Analysis/Grains.h"
#include "Core/Device.h"
#include "Core/Vec.h"

namespace dem
{

struct SphereBounds
{
  Vec3d lower, upper;     ///< m; of no grains: lower > upper
  double mean_radius = 0; ///< m

  bool any() const { return lower.x <= upper.x; }
};

/// Grains in host memory or in that of the device.
SphereBounds sphereBounds(const Grains& grains, const Device& device);

} // namespace dem
