// Options of the averages that a run accumulates (Scene::averages).
#pragma once

#include "Core/Vec.h"

#include <array>

namespace dem
{

/// Times and grid of samples of the cell averages (Analysis/CellAverage.h, exact overlap). The
/// first sample is at the step nearest to `from`, the others at the steps nearest to 1, 2, ...
/// intervals later. Samples do not depend on the outputs or on the frames that are requested.
struct AveragesOptions
{
  bool enabled = false;
  /// The grid covers the domain, which must be limited. The grid is periodic on an axis if the
  /// domain is periodic there and the grid covers it.
  bool whole_domain = true;
  Vec3d lower{ -1, -1, -1 }, upper{ 1, 1, 1 }; ///< m, bounds of the grid unless `whole_domain`
  std::array<int, 3> cells{ 20, 20, 20 };
  double from = 0;     ///< s, time of the first sample
  double to = 0;       ///< s, end of the samples; 0 = end of the run
  double interval = 0; ///< s between samples, at least one step; 0 = the output interval
  double memory_limit = 4294967296.0; ///< bytes for sums, means and one sample

  bool operator==(const AveragesOptions& o) const
  {
    return enabled == o.enabled && whole_domain == o.whole_domain && lower == o.lower &&
      upper == o.upper && cells == o.cells && from == o.from && to == o.to &&
      interval == o.interval && memory_limit == o.memory_limit;
  }
};

} // namespace dem
