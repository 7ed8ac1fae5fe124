// Uniform grid of slots, filled by atomic additions: Barbieri et al., section 1 (after Green).
// Slots either have a fixed number a cell, which grows if a cell overflows, or are counted first.
// The order within a cell varies; rows are sorted later.
#pragma once

#include "BroadPhase/Grid.cuh"
#include "Core/Algorithms.h"
#include "Core/Atomic.cuh"

#include <cstdint>

namespace dem
{

/// Slots of cells: slot s of cell c is at c * cell_stride + s * slot_stride.
struct FixedSlots
{
  std::uint32_t* item;
  std::uint32_t* count; // of each cell
  std::uint32_t capacity;
  std::uint32_t cell_stride, slot_stride;
};

/// Enters each particle into its cell.
struct FillFixedCells
{
  Grid grid;
  const Vec4<double>* position;
  FixedSlots slots;    // counts are initially 0
  std::uint32_t* most; // most particles of a cell, if above the capacity

  DEM_HD void operator()(std::uint32_t i) const
  {
    const std::uint32_t cell = grid.keyOf(position[i]);
    const std::uint32_t s = atomicGrow(&slots.count[cell], 1u);
    if (s < slots.capacity)
      slots.item[cell * slots.cell_stride + s * slots.slot_stride] = i;
    else
      atomicRaise(most, s + 1);
  }
};

/// The search; see GridSearch for its interface.
struct FixedCellsSearch
{
  Grid grid;
  PairTest near;
  const Vec4<double>* position;
  FixedSlots slots; // no cell exceeds the capacity
  double radius_max;

  template <class Visit>
  DEM_HD void candidates(std::uint32_t i, const Visit& visit) const
  {
    const Vec4<double> p = position[i];
    grid.forCells(grid.around(p.xyz(), p.w + radius_max + near.skin), [&](std::uint32_t cell) {
      const std::uint32_t n = slots.count[cell];
      for (std::uint32_t s = 0; s < n; ++s)
      {
        const std::uint32_t j = slots.item[cell * slots.cell_stride + s * slots.slot_stride];
        if (j != i && near(p, position[j]))
          visit(j);
      }
    });
  }
};

/// Counts the particles of each cell and stores the rank of each particle in its cell.
struct CountCells
{
  Grid grid;
  const Vec4<double>* position;
  std::uint32_t* count; // initially 0
  std::uint32_t* place; // rank of each particle in its cell

  DEM_HD void operator()(std::uint32_t i) const
  {
    place[i] = atomicGrow(&count[grid.keyOf(position[i])], 1u);
  }
};

/// Enters each particle into its cell, after CountCells and a scan.
struct FillCountedCells
{
  Grid grid;
  const Vec4<double>* position;
  const std::uint32_t *cell_start, *place;
  std::uint32_t* item;

  DEM_HD void operator()(std::uint32_t i) const
  {
    item[cell_start[grid.keyOf(position[i])] + place[i]] = i;
  }
};

} // namespace dem
