// Kernels that divide the branches of contacts at the planes of a grid and add up each cell's
// contact stress. Used by CellAverageOn.cuh.
#pragma once

#include "Analysis/CellEntries.cuh"
#include "Analysis/CellGrains.cuh"
#include "Analysis/CellPlanes.cuh"
#include "Analysis/detail/GrainInput.cuh"

#include <cstddef>
#include <cstdint>

namespace dem
{
namespace detail
{

/// The branches of contacts: lines from `first_place` to `second_place`.
struct ContactBranches
{
  CellPlanes grid;
  const double *first_place, *second_place;

  DEM_HD Vec3d first(std::uint32_t c) const { return PackGrains::at(first_place, c); }
  DEM_HD Vec3d second(std::uint32_t c) const { return PackGrains::at(second_place, c); }
};

/// Counts the pieces of a branch: one, and one more for each plane that it crosses.
struct CountPieces
{
  ContactBranches branches;
  std::uint32_t* counts;

  DEM_HD void operator()(std::uint32_t c) const
  {
    const Vec3d a = branches.first(c), b = branches.second(c);
    std::uint32_t count = 1;
    for (int k = 0; k < 3; ++k)
    {
      const int d = branches.grid.cellOf(b[k], k) - branches.grid.cellOf(a[k], k);
      count += static_cast<std::uint32_t>(d < 0 ? -d : d);
    }
    counts[c] = count;
  }
};

/// Enters the pieces of a branch into their cells, by a walk from cell to cell after Amanatides and
/// Woo (Eurographics 1987). Pieces outside the grid get the key behind the last cell.
struct EnterPieces
{
  ContactBranches branches;
  const std::uint32_t* offsets;
  std::uint32_t* keys;
  std::uint32_t* entry;
  std::uint32_t* contact; // of each entry
  double* part;           // of each entry: its fraction of the branch

  DEM_HD void operator()(std::uint32_t c) const
  {
    const CellPlanes& grid = branches.grid;
    const Vec3d a = branches.first(c), b = branches.second(c);
    int cell[3], last[3];
    for (int k = 0; k < 3; ++k)
    {
      cell[k] = grid.cellOf(a[k], k);
      last[k] = grid.cellOf(b[k], k);
    }
    double begin = 0;
    for (std::uint32_t at = offsets[c];; ++at)
    {
      int axis = -1;
      double end = 1;
      for (int k = 0; k < 3; ++k)
      {
        if (cell[k] == last[k])
          continue;
        const double t =
          (grid.edge(last[k] > cell[k] ? cell[k] + 1 : cell[k], k) - a[k]) / (b[k] - a[k]);
        if (axis < 0 || t < end)
        {
          axis = k;
          end = t;
        }
      }
      end = axis < 0 || end > 1 ? 1 : (end < begin ? begin : end);
      keys[at] = grid.key(cell);
      entry[at] = at;
      contact[at] = c;
      part[at] = end - begin;
      if (axis < 0)
        return;
      begin = end;
      cell[axis] += last[axis] > cell[axis] ? 1 : -1;
    }
  }
};

/// Force times branch of each contact, stored so that a cell reads one array.
struct PackContactStress
{
  ContactBranches branches;
  const double *normal_force, *tangential_force;
  TensorSum* stress;

  DEM_HD void operator()(std::uint32_t c) const
  {
    TensorSum t;
    t.add(PackGrains::at(normal_force, c) + PackGrains::at(tangential_force, c),
      branches.second(c) - branches.first(c));
    stress[c] = t;
  }
};

/// Adds up the pieces of a cell and writes its contact stress, one thread per cell.
struct SumContactStress
{
  CellSums cells;
  const TensorSum* stress; // of each contact
  const std::uint32_t *entry, *contact;
  const double* part;
  PartsView parts;
  TensorSum* part_sums;

  DEM_HD TensorSum sum(std::uint32_t begin, std::uint32_t end) const
  {
    TensorSum t;
    for (std::uint32_t i = begin; i < end; ++i)
    {
      const std::uint32_t e = entry[i];
      const TensorSum& s = stress[contact[e]];
      for (int k = 0; k < 6; ++k)
        t.value[k] += part[e] * s.value[k];
    }
    return t;
  }
  DEM_HD void operator()(std::uint32_t c) const
  {
    TensorSum t;
    if (!parts.divided(c))
      t = sum(parts.cell_start[c], parts.cell_start[c + 1]);
    for (std::uint32_t p = parts.first[c]; p < parts.first[c + 1]; ++p)
      t += part_sums[p];
    const double per_volume = 1 / cells.volume(c);
    for (int k = 0; k < 6; ++k)
      cells.out.contact_stress[6 * std::size_t(c) + k] = t.value[k] * per_volume;
  }
};

struct SumContactParts
{
  SumContactStress cells;

  DEM_HD void operator()(std::uint32_t part) const
  {
    cells.part_sums[part] = cells.sum(cells.parts.begin(part), cells.parts.end(part));
  }
};

} // namespace detail
} // namespace dem
