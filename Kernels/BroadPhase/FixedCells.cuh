// Uniform grid of slots by atomic add: Barbieri et al., section 1 (after Green). With a maximum per
// cell, which grows when a cell has more; or counted first, which needs no maximum. The order
// within a cell is left to chance and does not show in the neighbour list.
#pragma once

#include "BroadPhase/Grid.cuh"
#include "Core/Algorithms.h"
#include "Core/Atomic.cuh"

#include <cstdint>

namespace dem
{

/// Slot s of cell c lies at c * cell_stride + s * slot_stride.
struct FixedSlots
{
  std::uint32_t* item;
  std::uint32_t* count; // of each cell
  std::uint32_t capacity;
  std::uint32_t cell_stride, slot_stride;
};

struct FillFixedCells
{
  Grid grid;
  const Vec4<double>* position;
  FixedSlots slots;    // counts are zeros
  std::uint32_t* most; // most particles seen in a cell, where that passes the capacity

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

struct FixedCellsSearch
{
  Grid grid;
  PairTest near;
  const Vec4<double>* position;
  FixedSlots slots; // no cell has more than the capacity
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

/// Counts the particles of each cell and gives each its place there.
struct CountCells
{
  Grid grid;
  const Vec4<double>* position;
  std::uint32_t* count; // zeros
  std::uint32_t* place; // of each particle in its cell

  DEM_HD void operator()(std::uint32_t i) const
  {
    place[i] = atomicGrow(&count[grid.keyOf(position[i])], 1u);
  }
};

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
