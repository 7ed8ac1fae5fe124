// The bodies of CellAverage. Grains, and pieces of contacts, are entered into every cell that they
// touch and sorted by cell; then each cell adds up its own: a thread where they are few, else a
// thread for each kPart of them from the first on, then part after part.
#pragma once

#include "Analysis/SphereBoxOverlap.cuh"
#include "Analysis/detail/CellAverageEngine.h"
#include "Analysis/detail/ContactInput.cuh"
#include "Analysis/detail/GrainInput.cuh"
#include "BroadPhase/SortedGrid.cuh"
#include "Core/Atomic.cuh"
#include "Core/Error.h"

#include <string>

namespace dem
{
namespace detail
{

/// Cells between planes. On a periodic axis cell numbers go on beyond the ends, for the images.
struct CellPlanes
{
  const double* edges[3];
  int size[3];
  bool periodic[3];
  double per_meter[3]; // cells, on the average

  DEM_HD static int floorDiv(int a, int b) { return a >= 0 ? a / b : -1 - (-1 - a) / b; }

  /// The cell of a place on an axis: -1 and `size` are outside.
  DEM_HD int cellOf(double x, int axis) const
  {
    const double* e = edges[axis];
    const int n = size[axis];
    int image = 0;
    if (periodic[axis])
    {
      const double period = e[n] - e[0];
      image = static_cast<int>(std::floor((x - e[0]) / period));
      x -= image * period;
      x = x < e[0] ? e[0] : x; // rounding
    }
    else if (!(x >= e[0]))
      return -1;
    else if (x > e[n])
      return n;
    int low = 0, high = n; // e[low] <= x, and x < e[high] or high = n
    const int guess =
      static_cast<int>((x - e[0]) * per_meter[axis]); // right in a grid of equal cells
    if (guess >= 0 && guess < n && x >= e[guess] && x < e[guess + 1])
    {
      low = guess;
      high = guess + 1;
    }
    while (high - low > 1)
    {
      const int middle = low + (high - low) / 2;
      if (x >= e[middle])
        low = middle;
      else
        high = middle;
    }
    return low + image * n;
  }
  DEM_HD double edge(int cell, int axis) const
  {
    if (!periodic[axis])
      return edges[axis][cell];
    const int image = floorDiv(cell, size[axis]);
    return edges[axis][cell - image * size[axis]] +
      image * (edges[axis][size[axis]] - edges[axis][0]);
  }
  DEM_HD int wrap(int cell, int axis) const
  {
    return periodic[axis] ? cell - floorDiv(cell, size[axis]) * size[axis] : cell;
  }
  DEM_HD std::uint32_t cells() const
  {
    return static_cast<std::uint32_t>(size[0]) * size[1] * size[2];
  }
  /// The number of a cell; outside all: cells().
  DEM_HD std::uint32_t key(const int (&cell)[3]) const
  {
    int c[3];
    for (int k = 0; k < 3; ++k)
    {
      c[k] = wrap(cell[k], k);
      if (c[k] < 0 || c[k] >= size[k])
        return cells();
    }
    return (static_cast<std::uint32_t>(c[2]) * size[1] + c[1]) * size[0] + c[0];
  }
  DEM_HD void place(std::uint32_t key, int (&cell)[3]) const
  {
    cell[0] = static_cast<int>(key % size[0]);
    cell[1] = static_cast<int>(key / size[0] % size[1]);
    cell[2] = static_cast<int>(key / size[0] / size[1]);
  }
};

/// The cells that a grain is entered into: on each axis `count` of them from `first`, each once
/// although images may fall together.
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
  std::uint32_t* grain; // of an entry

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

/// The shares of a grain in the cells that it is entered into; those of all add up to 1.
struct ComputeShares
{
  CellPlanes grid;
  GrainShare share;
  const Vec4<double>* position;
  const std::uint32_t* offsets;
  double* shares; // of an entry

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
      span[k] = cells.last[k] - cells.first[k] + 1; // above the count where images fall together
    const double inverse = 1 / p.w;
    constexpr int kMost = 8; // planes are asked for again and again
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
      out[i] = out[i] > 0 ? out[i] : 0; // rounding
  }
};

/// Contacts of each grain beside its spin.
struct SetTouching
{
  const std::uint32_t* contacts_of; // by place in the input
  const std::uint32_t* place;
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

constexpr std::uint32_t kPart = 128; ///< entries

/// Cells with more entries than kPart, in parts.
struct PartsView
{
  const std::uint32_t* cell_start;
  const std::uint32_t* first; // part of a cell; cells + 1, none for a cell with few entries
  const std::uint32_t* cell;  // of a part

  DEM_HD bool divided(std::uint32_t c) const { return first[c] < first[c + 1]; }
  /// The entries of a part.
  DEM_HD std::uint32_t begin(std::uint32_t part) const
  {
    return cell_start[cell[part]] + (part - first[cell[part]]) * kPart;
  }
  DEM_HD std::uint32_t end(std::uint32_t part) const
  {
    const std::uint32_t next = begin(part) + kPart, last = cell_start[cell[part] + 1];
    return next < last ? next : last;
  }
};

struct CountParts
{
  const std::uint32_t* cell_start;
  std::uint32_t* count;

  DEM_HD void operator()(std::uint32_t c) const
  {
    const std::uint32_t entries = cell_start[c + 1] - cell_start[c];
    count[c] = entries > kPart ? (entries + kPart - 1) / kPart : 0;
  }
};

struct EnterParts
{
  const std::uint32_t* first;
  std::uint32_t* cell;

  DEM_HD void operator()(std::uint32_t c) const
  {
    for (std::uint32_t part = first[c]; part < first[c + 1]; ++part)
      cell[part] = c;
  }
};

/// Over grains, weighed by their shares.
struct GrainSum
{
  double count = 0, mass = 0, solid = 0, touching = 0;
  Vec3d momentum, spin;

  DEM_HD GrainSum& operator+=(const GrainSum& o)
  {
    count += o.count;
    mass += o.mass;
    solid += o.solid;
    touching += o.touching;
    momentum += o.momentum;
    spin += o.spin;
    return *this;
  }
  DEM_HD Vec3d velocity() const { return (mass > 0 ? 1 / mass : 0) * momentum; }
};

/// Where a field goes on the device; null: not wanted.
struct CellSums
{
  CellPlanes grid;
  PackedGrains grains;
  const std::uint32_t *entry, *grain;
  const double* shares;
  int species;
  PartsView parts;
  GrainSum*
    part_sums; // of a part; of a divided cell, in the place of its first part, once they are joined
  double* part_species; // `species` a part
  TensorSum* part_fluctuation;
  CellAverageFields out;

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
      if (of_species)
        of_species[species > 1 ? grains.material[g] : 0] += of_volume;
    }
    return t;
  }
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

// ---- contacts  ----

struct ContactBranches
{
  CellPlanes grid;
  const double *first_place, *second_place;

  DEM_HD Vec3d first(std::uint32_t c) const { return PackGrains::at(first_place, c); }
  DEM_HD Vec3d second(std::uint32_t c) const { return PackGrains::at(second_place, c); }
};

/// A branch has one piece, and one more for each plane that it crosses.
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

/// Walks from cell to cell after Amanatides and Woo (Eurographics 1987). Pieces outside the grid
/// sort behind the last cell.
struct EnterPieces
{
  ContactBranches branches;
  const std::uint32_t* offsets;
  std::uint32_t* keys;
  std::uint32_t* entry;
  std::uint32_t* contact; // of an entry
  double* part;           // of the branch, of an entry

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

/// Of a whole branch: a cell reads one place for it.
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

struct SumContactStress
{
  CellSums cells;
  const TensorSum* stress; // of a contact
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

struct SumCounts
{
  static constexpr std::uint32_t kBlock = 1024;
  const std::uint32_t* counts;
  std::uint32_t n;
  std::uint64_t* partial;

  DEM_HD void operator()(std::uint32_t block) const
  {
    std::uint64_t sum = 0;
    for (std::uint32_t i = block * kBlock, end = n - i < kBlock ? n : i + kBlock; i < end; ++i)
      sum += counts[i];
    partial[block] = sum;
  }
};

/// Things entered into cells, and the run of entries of each cell.
template <class Exec>
class CellEntries
{
public:
  explicit CellEntries(Exec& exec)
    : exec_(exec)
    , counts(exec)
    , offsets(exec)
    , keys(exec)
    , entry(exec)
    , cell_start(exec)
    , part_first_(exec)
    , part_cell_(exec)
    , partial_(exec)
    , keys_other_(exec)
    , entry_other_(exec)
  {
  }

  std::uint64_t total(std::size_t n)
  {
    const std::size_t blocks = (n + SumCounts::kBlock - 1) / SumCounts::kBlock;
    partial_.resize(blocks);
    exec_.forEach(
      blocks, SumCounts{ counts.data(), static_cast<std::uint32_t>(n), partial_.data() });
    std::uint64_t sum = 0;
    for (std::uint64_t part : partial_.host())
      sum += part;
    return sum;
  }
  void reserve(std::size_t n, std::size_t entries)
  {
    offsets.resize(n + 1);
    scanCounts(exec_, counts.data(), offsets.data(), n);
    keys.resize(entries, 1.1);
    entry.resize(entries, 1.1);
    keys_other_.resize(entries, 1.1);
    entry_other_.resize(entries, 1.1);
  }
  void sort(std::uint32_t cells)
  {
    const auto n = static_cast<std::uint32_t>(keys.size());
    cell_start.resize(std::size_t(cells) + 1);
    cell_start.zero();
    if (n == 0)
      return;
    sortPairs(
      exec_, keys.data(), keys_other_.data(), entry.data(), entry_other_.data(), n, bitsOf(cells));
    exec_.forEach(
      std::size_t(n) + 1, FindCellStarts{ keys.data(), n, cells, 64, cell_start.data() });
    exec_.forEach(std::size_t(cells) + 1, FillEmptyCells{ keys.data(), n, cell_start.data() });
  }
  /// The parts of cells with many entries, once they are sorted; how many there are.
  PartsView divide(std::uint32_t cells, std::size_t& parts)
  {
    part_first_.resize(std::size_t(cells) + 1);
    counts.resize(cells);
    exec_.forEach(cells, CountParts{ cell_start.data(), counts.data() });
    parts = static_cast<std::size_t>(scanCounts(exec_, counts.data(), part_first_.data(), cells));
    part_cell_.resize(parts);
    if (parts)
      exec_.forEach(cells, EnterParts{ part_first_.data(), part_cell_.data() });
    return { cell_start.data(), part_first_.data(), part_cell_.data() };
  }

private:
  Exec& exec_;

public:
  Array<std::uint32_t, Exec> counts, offsets, keys, entry, cell_start;

private:
  Array<std::uint32_t, Exec> part_first_, part_cell_;
  Array<std::uint64_t, Exec> partial_;
  Array<std::uint32_t, Exec> keys_other_, entry_other_;
};

} // namespace detail

template <class Exec>
class CellAverageOn : public CellAverageEngine
{
public:
  template <class... Args>
  explicit CellAverageOn(Args&&... args)
    : exec_(std::forward<Args>(args)...)
    , edges_{ Array<double, Exec>(exec_), Array<double, Exec>(exec_), Array<double, Exec>(exec_) }
    , grains_(exec_)
    , contacts_(exec_)
    , by_grain_(exec_)
    , by_contact_(exec_)
    , shares_(exec_)
    , part_(exec_)
    , contact_(exec_)
    , grain_(exec_)
    , contacts_of_(exec_)
    , part_sums_(exec_)
    , part_fluctuation_(exec_)
    , stress_(exec_)
    , part_species_(exec_)
  {
    for (int k = 0; k < 10; ++k)
      outputs_.emplace_back(exec_);
  }

  void compute(const Grains& grains, const GrainContacts* contacts, const CellGrid& grid,
    const CellAverageOptions& options, const CellAverageFields& fields) override
  {
    try
    {
      exec_.inArena([&] { run(grains, contacts, grid, options, fields); });
    }
    catch (...)
    {
      exec_.finishCopies(); // into memory that the caller lets go
      throw;
    }
  }

private:
  void run(const Grains& grains, const GrainContacts* contacts, const CellGrid& grid,
    const CellAverageOptions& options, const CellAverageFields& fields)
  {
    detail::CellPlanes planes{};
    for (int k = 0; k < 3; ++k)
    {
      edges_[k].assign(grid.edges[k]);
      planes.edges[k] = edges_[k].data();
      planes.size[k] = static_cast<int>(grid.edges[k].size()) - 1;
      planes.periodic[k] = grid.periodic[k];
      planes.per_meter[k] = planes.size[k] / (grid.edges[k].back() - grid.edges[k].front());
    }
    const std::uint32_t cells = planes.cells();
    const double results = CellAverage::bytes(cells, options.species);
    const auto require = [&](std::uint64_t entries, double each, const char* what) {
      // keys, entries, what the sort needs beside them, and sums of parts
      const double bytes = results + static_cast<double>(entries) * each;
      requireMemory("Averaging on " + std::to_string(planes.size[0]) + " x " +
          std::to_string(planes.size[1]) + " x " + std::to_string(planes.size[2]) +
          " cells, with " + std::to_string(entries) + what,
        entries > 0xffffffffull - 4096 ? 1e300 : bytes, options.memory_limit,
        "Use larger cells, or raise the memory limit.");
    };

    // results
    CellAverageFields wanted = fields, out = fields;
    const auto info = cellAverageFields(options.species);
    const auto host = pointersOf(wanted), device = pointersOf(out);
    detail::requireReachable(exec_, fields.memory);
    for (std::size_t k = 0; k < host.size(); ++k)
      *device[k] = outputs_[k](*host[k], std::size_t(cells) * info[k].components, fields.memory);

    // grains by cell
    const std::size_t n = grains.size;
    const detail::PackedGrains packed =
      grains_.pack(grains_.stage(grains), options.density, options.species);
    const std::size_t m = contacts ? contacts->size : 0;
    detail::ContactsOnDevice touching{};
    if (m)
    {
      touching = contacts_.stage(*contacts);
      contacts_.check(touching, n);
    }
    by_grain_.counts.resize(n);
    exec_.forEach(n,
      detail::CountGrainCells{ planes, options.share, packed.position, by_grain_.counts.data() });
    const std::uint64_t entries = by_grain_.total(n);
    require(entries, 30, " entries of grains into them,");
    by_grain_.reserve(n, entries);
    shares_.resize(entries, 1.1);
    grain_.resize(entries, 1.1);
    exec_.forEach(n,
      detail::EnterGrains{ planes, options.share, packed.position, by_grain_.offsets.data(),
        by_grain_.keys.data(), by_grain_.entry.data(), grain_.data() });
    exec_.forEach(n,
      detail::ComputeShares{
        planes, options.share, packed.position, by_grain_.offsets.data(), shares_.data() });
    by_grain_.sort(cells);

    // contacts of each grain
    if (m)
    {
      contacts_of_.resize(n);
      contacts_of_.zero();
      exec_.forEach(
        m, detail::CountContactsOfGrains{ touching.first, touching.second, contacts_of_.data() });
      exec_.forEach(n, detail::SetTouching{ contacts_of_.data(), packed.place, packed.spin });
    }
    std::size_t parts = 0;
    detail::CellSums sums{ planes, packed, by_grain_.entry.data(), grain_.data(), shares_.data(),
      options.species, by_grain_.divide(cells, parts), nullptr, nullptr, nullptr, out };
    if (parts)
    {
      part_sums_.resize(parts, 1.1);
      part_species_.resize(parts * options.species, 1.1);
      part_fluctuation_.resize(parts, 1.1);
      sums.part_sums = part_sums_.data();
      sums.part_species = part_species_.data();
      sums.part_fluctuation = part_fluctuation_.data();
      exec_.forEach(parts, detail::SumGrainParts{ sums });
      exec_.forEach(cells, detail::JoinGrainParts{ sums });
      if (sums.fluctuates())
        exec_.forEach(parts, detail::SumFluctuationParts{ sums });
    }
    exec_.forEach(cells, sums);
    const auto fetch = [&](bool stress) {
      for (std::size_t k = 0; k < outputs_.size(); ++k)
        if ((device[k] == &out.contact_stress) == stress)
          outputs_[k].fetch();
    };

    // contacts by cell
    if (out.contact_stress && touching.normal_force)
    {
      const detail::ContactBranches branches{ planes, touching.first_place, touching.second_place };
      by_contact_.counts.resize(m);
      exec_.forEach(m, detail::CountPieces{ branches, by_contact_.counts.data() });
      const std::uint64_t pieces = by_contact_.total(m);
      require(pieces, 30 + sizeof(TensorSum) * static_cast<double>(m) / static_cast<double>(pieces),
        " pieces of contacts in them,");
      by_contact_.reserve(m, pieces);
      part_.resize(pieces, 1.1);
      contact_.resize(pieces, 1.1);
      fetch(false); // while the contacts are added up
      exec_.forEach(m,
        detail::EnterPieces{ branches, by_contact_.offsets.data(), by_contact_.keys.data(),
          by_contact_.entry.data(), contact_.data(), part_.data() });
      by_contact_.sort(cells);
      stress_.resize(m, 1.1);
      exec_.forEach(m,
        detail::PackContactStress{
          branches, touching.normal_force, touching.tangential_force, stress_.data() });
      detail::SumContactStress stress{ sums, stress_.data(), by_contact_.entry.data(),
        contact_.data(), part_.data(), by_contact_.divide(cells, parts), nullptr };
      if (parts)
      {
        part_fluctuation_.resize(parts, 1.1);
        stress.part_sums = part_fluctuation_.data();
        exec_.forEach(parts, detail::SumContactParts{ stress });
      }
      exec_.forEach(cells, stress);
    }
    else
    {
      fetch(false);
      if (out.contact_stress)
        exec_.zero(out.contact_stress, std::size_t(cells) * 6 * sizeof(double));
    }
    fetch(true);
    exec_.finishCopies();
  }

  Exec exec_;
  Array<double, Exec> edges_[3];
  detail::GrainInput<Exec> grains_;
  detail::ContactInput<Exec> contacts_;
  detail::CellEntries<Exec> by_grain_, by_contact_;
  Array<double, Exec> shares_, part_;
  Array<std::uint32_t, Exec> contact_, grain_, contacts_of_;
  Array<detail::GrainSum, Exec> part_sums_;
  Array<TensorSum, Exec> part_fluctuation_, stress_;
  Array<double, Exec> part_species_;
  std::vector<detail::Output<double, Exec>> outputs_;
};

} // namespace dem
