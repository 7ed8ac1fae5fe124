// Division of space among the parts of a run: recursive bisection by numbers of particles. Used by
// Subdomain.cuh.
#pragma once

#include "BroadPhase/Grid.cuh"
#include "Core/Vec.h"

#include <cstdint>
#include <vector>

namespace dem
{

/// Largest number of parts of a run.
constexpr int kMostParts = 32;

/// A box of space for each part. The boxes do not overlap and cover all of space, or all of the
/// box along periodic axes. A plain struct that kernels take by value.
struct Partition
{
  struct Cut
  {
    int axis;
    double at;         // m; below it: first, else second
    int first, second; // index of a cut, or -1 - part
  };

  int parts = 1;
  Cut cuts[kMostParts - 1] = {};
  Periodic box;

  /// The part that owns a place, m.
  DEM_HD int part(const Vec3d& x) const
  {
    int at = parts > 1 ? 0 : -1;
    while (at >= 0)
      at = x[cuts[at].axis] < cuts[at].at ? cuts[at].first : cuts[at].second;
    return -1 - at;
  }
};

/// Boxes of the parts, for tests of distance. Along periodic axes they end at the periodic box.
struct PartBox
{
  Vec3d lower, upper;

  /// Square of the distance of a place from the box, m^2.
  DEM_HD double distance2(const Vec3d& x, const Periodic& box) const
  {
    double sum = 0;
    for (int k = 0; k < 3; ++k)
    {
      const double period = box.period[k];
      double d = beyond(x[k], k);
      if (period > 0)
      {
        const double up = beyond(x[k] + period, k), down = beyond(x[k] - period, k);
        d = d < up ? d : up;
        d = d < down ? d : down;
      }
      sum += d * d;
    }
    return sum;
  }

private:
  DEM_HD double beyond(double x, int k) const
  {
    return x < lower[k] ? lower[k] - x : (x > upper[k] ? x - upper[k] : 0);
  }
};

/// Divides space into parts with equal numbers of the points `x` (m), by planes across the longest
/// extent of the points. Equal points give equal partitions. Throws dem::Error if there are more
/// than kMostParts parts.
Partition bisect(std::vector<Vec3d> x, int parts, const Periodic& box);

/// The boxes of all parts.
std::vector<PartBox> boxesOf(const Partition& partition);

} // namespace dem
