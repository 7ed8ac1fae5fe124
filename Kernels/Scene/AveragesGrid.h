// The grid of the averages that a run accumulates, and the check of their options.
#pragma once

#include "Scene/Scene.h"

#include <array>

namespace dem
{

struct AveragesGrid
{
  Vec3d lower, upper; ///< m
  std::array<int, 3> cells;
  std::array<bool, 3> periodic;
};

/// The grid of the scene's averages, which are enabled.
AveragesGrid averagesGrid(const Scene& scene);

/// Throws dem::Error if the averages have no grid, need more memory than their limit, or lie
/// outside of the run. Does nothing if they are not enabled.
void checkAverages(const Scene& scene);

} // namespace dem
