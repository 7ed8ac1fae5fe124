// Grid of the averages that a run accumulates, and check of their options. Used by validation and
// Measure/RunAverages.cpp.
#pragma once

#include "Scene/Scene.h"

#include <array>

namespace dem
{

/// Uniform grid of cells.
struct AveragesGrid
{
  Vec3d lower, upper; ///< m
  std::array<int, 3> cells;
  std::array<bool, 3> periodic;
};

/// Returns the grid of the scene's averages, which must be enabled.
AveragesGrid averagesGrid(const Scene& scene);

/// Throws dem::Error if the averages have no valid grid, need more memory than their limit, or have
/// times outside the run. Does nothing if they are not enabled.
void checkAverages(const Scene& scene);

} // namespace dem
