// sphereBounds for an execution policy.
#pragma once

#include "Analysis/SphereBounds.h"
#include "Analysis/detail/Staging.h"
#include "Core/FixedSum.cuh"

namespace dem
{
namespace detail
{

/// Bounds and sum of radii of a block of grains.
struct BlockBounds
{
  Vec3d lower, upper;
  double radii;
};

/// One thread per block of kSumBlock grains.
struct BoundBlocks
{
  const double *position, *radius;
  std::size_t n;
  BlockBounds* partial;

  DEM_HD void operator()(unsigned block) const
  {
    BlockBounds b{ { 1e300, 1e300, 1e300 }, { -1e300, -1e300, -1e300 }, 0 };
    const std::size_t begin = block * kSumBlock,
                      end = begin + kSumBlock < n ? begin + kSumBlock : n;
    for (std::size_t i = begin; i < end; ++i)
    {
      const double r = radius[i];
      b.radii += r;
      for (int k = 0; k < 3; ++k)
      {
        const double x = position[3 * i + k];
        b.lower[k] = x - r < b.lower[k] ? x - r : b.lower[k];
        b.upper[k] = x + r > b.upper[k] ? x + r : b.upper[k];
      }
    }
    partial[block] = b;
  }
};

template <class Exec>
SphereBounds sphereBoundsOn(Exec& exec, const Grains& grains)
{
  requireReachable(exec, grains.memory);
  SphereBounds out{ { 1e300, 1e300, 1e300 }, { -1e300, -1e300, -1e300 }, 0 };
  const std::size_t n = grains.size;
  if (n == 0)
    return out;
  Input<double, Exec> position(exec), radius(exec);
  Array<BlockBounds, Exec> partial(exec);
  partial.resize(sumBlocks(n));
  exec.forEach(sumBlocks(n),
    BoundBlocks{ position(grains.position, 3 * n, grains.memory),
      radius(grains.radius, n, grains.memory), n, partial.data() });
  double radii = 0;
  for (const BlockBounds& b : partial.host())
  {
    radii += b.radii;
    for (int k = 0; k < 3; ++k)
    {
      out.lower[k] = b.lower[k] < out.lower[k] ? b.lower[k] : out.lower[k];
      out.upper[k] = b.upper[k] > out.upper[k] ? b.upper[k] : out.upper[k];
    }
  }
  out.mean_radius = radii / static_cast<double>(n);
  return out;
}

SphereBounds sphereBoundsOnCuda(const Grains& grains, const Device& device);

} // namespace detail
} // namespace dem
