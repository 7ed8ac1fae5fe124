// One iterator over candidates for loops that ask the search itself in every step: Sorted Grid and
// BVH.
#pragma once

#include "BroadPhase/BvhSearch.cuh"
#include "BroadPhase/SortedGrid.cuh"

namespace dem
{

struct StepSearch
{
  bool tree;
  GridSearch grid;
  BvhSearch bvh;

  template <class Visit>
  DEM_HD void candidates(std::uint32_t i, const Visit& visit) const
  {
    if (tree)
      bvh.candidates(i, visit);
    else
      grid.candidates(i, visit);
  }
};

} // namespace dem
