// The search of list kinds that visit candidates in every step: Sorted Grid or BVH, chosen at run
// time.
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
