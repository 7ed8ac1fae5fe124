// Kernels that enter grains into cells and add up each cell's grains. Used by CellAverageOn.cuh.
#pragma once

#include "Analysis/CellAverage.h"
#include "Analysis/CellEntries.cuh"
#include "Analysis/CellPlanes.cuh"
#include "Analysis/SphereBoxOverlap.cuh"
#include "Analysis/detail/GrainInput.cuh"
#include "Core/Atomic.cuh"

#include <cstddef>
#include <cstdint>

namespace dem
{
namespace detail
{

/// The cells that a grain is entered into: on each axis `count` of them, starting with `first`. On
/// a periodic axis several images may be the same cell, which counts once.
struct GrainCells
{
  int first[3], last[3], count[3];

  DEM_HD GrainCells(const CellPlanes& grid, const Vec4<double>& p, GrainShare share)
  {
    const Vec3d x = p.xyz();
    for (int k = 0; k < 3; ++k)
    {
      const double r = share == GrainShare::Overlap ? p.w : 0;
      first[k] = grid.cellOf(x[k] - r, k);
      last[k] = grid.cellOf(x[k] + r, k);
      if (!grid.periodic[k])
      {
        first[k] = first[k] < 0 ? 0 : first[k];
        last[k] = last[k] >= grid.size[k] ? grid.size[k] - 1 : last[k];
      }
      count[k] = last[k] - first[k] + 1;
      count[k] = count[k] < 0 ? 0 : (count[k] > grid.size[k] ? grid.size[k] : count[k]);
    }
  }
  DEM_HD std::uint32_t size() const
  {
    return static_cast<std::uint32_t>(count[0]) * count[1] * count[2];
  }
};

struct CountGrainCells
{
  CellPlanes grid;
  GrainShare share;
  const Vec4<double>* position;
  std::uint32_t* counts;

  DEM_HD void operator()(std::uint32_t k) const
  {
    counts[k] = GrainCells(grid, position[k], share).size();
  }
};

struct EnterGrains
{
  CellPlanes grid;
  GrainShare share;
  const Vec4<double>* position;
  const std::uint32_t* offsets;
  std::uint32_t* keys;
  std::uint32_t* entry;
  std::uint32_t* grain; // of each entry

  DEM_HD void operator()(std::uint32_t k) const
  {
    const GrainCells cells(grid, position[k], share);
    std::uint32_t at = offsets[k];
    for (int z = 0; z < cells.count[2]; ++z)
      for (int y = 0; y < cells.count[1]; ++y)
        for (int x = 0; x < cells.count[0]; ++x)
        {
          keys[at] = grid.key({ cells.first[0] + x, cells.first[1] + y, cells.first[2] + z });
          grain[at] = k;
          entry[at] = at;
          ++at;
        }
  }
};

/// The shares of a grain in the cells that it is entered into. The shares of a grain inside the
/// grid add up to 1.
struct ComputeShares
{
  CellPlanes grid;
  GrainShare share;
  const Vec4<double>* position;
  const std::uint32_t* offsets;
  double* shares; // of each entry

  DEM_HD void operator()(std::uint32_t g) const
  {
    const Vec4<double> p = position[g];
    const GrainCells cells(grid, p, share);
    double* out = shares + offsets[g];
    const std::uint32_t n = cells.size();
    if (share == GrainShare::Centre || n == 0)
    {
      if (n)
        out[0] = 1;
      return;
    }
    for (std::uint32_t i = 0; i < n; ++i)
      out[i] = 0;
    int span[3];
    for (int k = 0; k < 3; ++k)
      span[k] = cells.last[k] - cells.first[k] + 1; // exceeds the count if images are the same cell
    const double inverse = 1 / p.w;
    constexpr int kMost = 8; // up to this span planes are stored, because each is read many times
    double planes[3][kMost + 1];
    const bool few = span[0] <= kMost && span[1] <= kMost && span[2] <= kMost;
    for (int k = 0; few && k < 3; ++k)
      for (int i = 0; i <= span[k]; ++i)
        planes[k][i] = (grid.edge(cells.first[k] + i, k) - p.xyz()[k]) * inverse;
    unitSphereInCells(
      span,
      [&](int k, int i) {
        return few ? planes[k][i] : (grid.edge(cells.first[k] + i, k) - p.xyz()[k]) * inverse;
      },
      [&](const int(&cell)[3], double volume) {
        int at[3];
        for (int k = 0; k < 3; ++k)
          at[k] = cell[k] < cells.count[k] ? cell[k] : cell[k] % cells.count[k];
        out[(at[2] * cells.count[1] + at[1]) * cells.count[0] + at[0]] +=
          volume * (1 / kUnitSphere);
      });
    for (std::uint32_t i = 0; i < n; ++i)
      out[i] = out[i] > 0 ? out[i] : 0; // against rounding
  }
};

/// Stores the number of contacts of each packed grain beside its spin.
struct SetTouching
{
  const std::uint32_t* contacts_of; // by index in the input
  const std::uint32_t* place;       // index in the input of a packed grain
  Vec4<double>* spin;

  DEM_HD void operator()(std::uint32_t k) const { spin[k].w = contacts_of[place[k]]; }
};

struct CountContactsOfGrains
{
  const std::int64_t *first, *second;
  std::uint32_t* counts;

  DEM_HD void operator()(std::uint32_t c) const
  {
    atomicGrow(counts + first[c], 1u);
    if (second[c] >= 0)
      atomicGrow(counts + second[c], 1u);
  }
};

/// Sums over grains, weighed by their shares.
struct GrainSum
{
  double count = 0, mass = 0, solid = 0, touching = 0;
  double heat = 0; // kg K
  Vec3d momentum, spin;

  DEM_HD GrainSum& operator+=(const GrainSum& o)
  {
    count += o.count;
    mass += o.mass;
    solid += o.solid;
    touching += o.touching;
    heat += o.heat;
    momentum += o.momentum;
    spin += o.spin;
    return *this;
  }
  DEM_HD Vec3d velocity() const { return (mass > 0 ? 1 / mass : 0) * momentum; }
};

/// Adds up the grains of a cell and writes its fields, one thread per cell.
struct CellSums
{
  CellPlanes grid;
  PackedGrains grains;
  const std::uint32_t *entry, *grain;
  const double* shares;
  int species;
  PartsView parts;
  GrainSum* part_sums;  // of each part; JoinGrainParts adds those of a cell into its first one
  double* part_species; // `species` numbers per part
  TensorSum* part_fluctuation;
  CellAverageFields out; // readable by kernels; null: not wanted

  DEM_HD bool fluctuates() const { return out.granular_temperature || out.kinetic_stress; }
  DEM_HD double volume(std::uint32_t c) const
  {
    int cell[3];
    grid.place(c, cell);
    double v = 1;
    for (int k = 0; k < 3; ++k)
      v *= grid.edges[k][cell[k] + 1] - grid.edges[k][cell[k]];
    return v;
  }
  /// Sums over entries [begin, end); `of_species`: volume of each species, or null.
  DEM_HD GrainSum sum(std::uint32_t begin, std::uint32_t end, double* of_species) const
  {
    GrainSum t;
    for (int k = 0; of_species && k < species; ++k)
      of_species[k] = 0;
    for (std::uint32_t s = begin; s < end; ++s)
    {
      const std::uint32_t g = grain[entry[s]];
      const double share = shares[entry[s]];
      const Vec4<double> p = grains.position[g], v = grains.velocity[g];
      const double of_volume = share * kUnitSphere * p.w * p.w * p.w;
      t.count += share;
      t.solid += of_volume;
      t.mass += share * v.w;
      t.momentum += share * v.w * v.xyz();
      const Vec4<double> w = grains.spin[g];
      t.spin += share * v.w * w.xyz();
      t.touching += share * w.w;
      if (grains.temperature)
        t.heat += share * v.w * grains.temperature[g];
      if (of_species)
        of_species[species > 1 ? grains.material[g] : 0] += of_volume;
    }
    return t;
  }
  /// Sum of s m (v - u)(v - u) over entries [begin, end).
  DEM_HD TensorSum fluctuation(std::uint32_t begin, std::uint32_t end, const Vec3d& u) const
  {
    TensorSum t;
    for (std::uint32_t s = begin; s < end; ++s)
    {
      const Vec4<double> v = grains.velocity[grain[entry[s]]];
      const Vec3d d = v.xyz() - u;
      t.add(shares[entry[s]] * v.w * d, d);
    }
    return t;
  }

  DEM_HD void operator()(std::uint32_t c) const
  {
    const std::uint32_t begin = parts.cell_start[c], end = parts.cell_start[c + 1],
                        first = parts.first[c], last = parts.first[c + 1];
    const bool divided = first < last;
    double* of_species =
      out.species_fraction ? out.species_fraction + std::size_t(c) * species : nullptr;
    const GrainSum t = divided ? part_sums[first] : sum(begin, end, of_species);
    for (int k = 0; divided && of_species && k < species; ++k)
    {
      of_species[k] = 0;
      for (std::uint32_t part = first; part < last; ++part)
        of_species[k] += part_species[std::size_t(part) * species + k];
    }
    const double per_volume = 1 / volume(c), per_mass = t.mass > 0 ? 1 / t.mass : 0;
    const Vec3d u = t.velocity();
    TensorSum f;
    if (fluctuates() && !divided)
      f = fluctuation(begin, end, u);
    for (std::uint32_t part = first; fluctuates() && part < last; ++part)
      f += part_fluctuation[part];

    if (out.mass_density)
      out.mass_density[c] = t.mass * per_volume;
    if (out.number_density)
      out.number_density[c] = t.count * per_volume;
    if (out.solid_fraction)
      out.solid_fraction[c] = t.solid * per_volume;
    for (int k = 0; k < 3; ++k)
    {
      if (out.velocity)
        out.velocity[3 * std::size_t(c) + k] = u[k];
      if (out.angular_velocity)
        out.angular_velocity[3 * std::size_t(c) + k] = per_mass * t.spin[k];
    }
    if (out.granular_temperature)
      out.granular_temperature[c] = per_mass * (f.value[0] + f.value[1] + f.value[2]) / 3;
    for (int k = 0; out.kinetic_stress && k < 6; ++k)
      out.kinetic_stress[6 * std::size_t(c) + k] = -f.value[k] * per_volume;
    if (out.temperature)
      out.temperature[c] = per_mass * t.heat;
    if (out.coordination_number)
      out.coordination_number[c] = t.count > 0 ? t.touching / t.count : 0;
    for (int k = 0; of_species && k < species; ++k)
      of_species[k] = t.solid > 0 ? of_species[k] / t.solid : 0;
  }
};

struct SumGrainParts
{
  CellSums cells;

  DEM_HD void operator()(std::uint32_t part) const
  {
    cells.part_sums[part] = cells.sum(cells.parts.begin(part), cells.parts.end(part),
      cells.out.species_fraction ? cells.part_species + std::size_t(part) * cells.species
                                 : nullptr);
  }
};

struct JoinGrainParts
{
  CellSums cells;

  DEM_HD void operator()(std::uint32_t c) const
  {
    for (std::uint32_t first = cells.parts.first[c], part = first + 1;
         part < cells.parts.first[c + 1]; ++part)
      cells.part_sums[first] += cells.part_sums[part];
  }
};

struct SumFluctuationParts
{
  CellSums cells;

  DEM_HD void operator()(std::uint32_t part) const
  {
    const PartsView& parts = cells.parts;
    cells.part_fluctuation[part] = cells.fluctuation(parts.begin(part), parts.end(part),
      cells.part_sums[parts.first[parts.cell[part]]].velocity());
  }
};

} // namespace detail
} // namespace dem
