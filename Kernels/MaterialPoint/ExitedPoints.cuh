// Places of points in the world, and points that left the run through removing borders.
#pragma once

#include "Core/Atomic.cuh"
#include "MaterialPoint/Blocks.cuh"

namespace mpm
{

/// The place of a point in m.
struct PlaceToWorld
{
  BlockGrid grid;
  Vec3d start; // of bin 0
  double spacing;

  template <class Real>
  DEM_HD Vec3d operator()(BinKey key, const Vec3<Real>& f) const
  {
    int x, y, z;
    grid.bin(key, x, y, z);
    return { start.x + spacing * (x + static_cast<double>(f.x)),
      start.y + spacing * (y + static_cast<double>(f.y)),
      start.z + spacing * (z + static_cast<double>(f.z)) };
  }
};

/// A point that left through a removing border.
struct ExitedPoint
{
  std::int64_t id;   // rank of the Id
  std::int64_t step; // step in which it left
  Vec3d position;    // m, a thousandth of a cell beyond the border
};

/// Lists the points that left in the last sub-step. Their places are where they left, in cells from
/// bin 0.
template <class Real>
struct ListExits
{
  PointsView<Real> points;
  const BinKey* before; // bins before a sub-step in place, else null: points that left in earlier
                        // sub-steps of the same step still have entries
  Vec3d start;          // m, of bin 0
  double spacing;
  std::int64_t step;
  ExitedPoint* list;
  unsigned* count;

  DEM_HD void operator()(std::uint32_t i) const
  {
    Vec4<Real>& place = points.column[0][i];
    if (points.key[i] != kGone || place.x < 0 || (before && before[i] == kGone))
      return;
    list[dem::atomicNext(count)] = { static_cast<std::int64_t>(points.id[i]), step,
      start + spacing * place.xyz().template as<double>() };
    place.x = Real(-1); // listed
  }
};

} // namespace mpm
