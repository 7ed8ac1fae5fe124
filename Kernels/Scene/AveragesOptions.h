// Grid and times of the averages that a run accumulates.
#pragma once

#include "Core/Vec.h"

#include <array>

namespace dem
{

/// Samples of the cell averages (Analysis/CellAverage.h, exact overlap): the first at the whole
/// step nearest to `from`, the others at the whole steps nearest to 1, 2, ... intervals later. They
/// depend neither on the outputs nor on the requests of a run.
struct AveragesOptions
{
  bool enabled = false;
  /// The grid is the domain, which must be limited. On an axis on which the domain is periodic and
  /// the grid fills it, the grid is periodic too.
  bool whole_domain = true;
  Vec3d lower{ -1, -1, -1 }, upper{ 1, 1, 1 }; ///< m, where the grid is not the domain
  std::array<int, 3> cells{ 20, 20, 20 };
  double from = 0;     ///< s, of the first sample
  double to = 0;       ///< s, no sample comes later; 0 = the end of the run
  double interval = 0; ///< s between samples, one step at least; 0 = the output interval
  double memory_limit = 4294967296.0; ///< bytes for sums, means and one sample

  bool operator==(const AveragesOptions& o) const
  {
    return enabled == o.enabled && whole_domain == o.whole_domain && lower == o.lower &&
      upper == o.upper && cells == o.cells && from == o.from && to == o.to &&
      interval == o.interval && memory_limit == o.memory_limit;
  }
};

} // namespace dem
