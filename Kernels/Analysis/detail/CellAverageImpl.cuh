// The bodies of CellAverage. Grains, and pieces of contacts, are entered into every cell that they touch and sorted by cell; then each cell adds
// up its own. No sum is shared between threads.
#pragma once

#include "Analysis/SphereBoxOverlap.cuh"
#include "Analysis/detail/CellAverageEngine.h"
#include "Analysis/detail/DeviceData.cuh"
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
    return edges[axis][cell - image * size[axis]] + image * (edges[axis][size[axis]] - edges[axis][0]);
  }
  DEM_HD int wrap(int cell, int axis) const { return periodic[axis] ? cell - floorDiv(cell, size[axis]) * size[axis] : cell; }
  DEM_HD std::uint32_t cells() const { return static_cast<std::uint32_t>(size[0]) * size[1] * size[2]; }
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

/// The cells that a grain is entered into: on each axis `count` of them from `first`, each once although images may fall together.
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
  DEM_HD std::uint32_t size() const { return static_cast<std::uint32_t>(count[0]) * count[1] * count[2]; }
};

struct CountGrainCells
{
  CellPlanes grid;
  GrainShare share;
  const Vec4<double>* position;
  std::uint32_t* counts;

  DEM_HD void operator()(std::uint32_t k) const { counts[k] = GrainCells(grid, position[k], share).size(); }
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
    unitSphereInCells(
      span, [&](int k, int i) { return (grid.edge(cells.first[k] + i, k) - p.xyz()[k]) * inverse; },
      [&](const int (&cell)[3], double volume) {
        int at[3];
        for (int k = 0; k < 3; ++k)
          at[k] = cell[k] < cells.count[k] ? cell[k] : cell[k] % cells.count[k];
        out[(at[2] * cells.count[1] + at[1]) * cells.count[0] + at[0]] += volume * (1 / kUnitSphere);
      });
    for (std::uint32_t i = 0; i < n; ++i)
      out[i] = out[i] > 0 ? out[i] : 0; // rounding
  }
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

/// Where a field goes on the device; null: not wanted.
struct CellSums
{
  CellPlanes grid;
  PackedGrains grains;
  const std::uint32_t *cell_start, *entry, *grain;
  const double* shares;
  const std::uint32_t* contacts_of; // by place in the input, or null
  int species;
  CellAverageFields out;

  DEM_HD double volume(std::uint32_t c) const
  {
    int cell[3];
    grid.place(c, cell);
    double v = 1;
    for (int k = 0; k < 3; ++k)
      v *= grid.edges[k][cell[k] + 1] - grid.edges[k][cell[k]];
    return v;
  }

  DEM_HD void operator()(std::uint32_t c) const
  {
    const std::uint32_t begin = cell_start[c], end = cell_start[c + 1];
    double count = 0, mass = 0, solid = 0, touching = 0;
    Vec3d momentum, spin;
    double* of_species = out.species_fraction ? out.species_fraction + std::size_t(c) * species : nullptr;
    for (int k = 0; of_species && k < species; ++k)
      of_species[k] = 0;
    for (std::uint32_t s = begin; s < end; ++s)
    {
      const std::uint32_t g = grain[entry[s]];
      const double share = shares[entry[s]];
      const Vec4<double> p = grains.position[g], v = grains.velocity[g];
      const double of_volume = share * kUnitSphere * p.w * p.w * p.w;
      count += share;
      solid += of_volume;
      mass += share * v.w;
      momentum += share * v.w * v.xyz();
      spin += share * v.w * grains.spin[g].xyz();
      if (contacts_of)
        touching += share * contacts_of[grains.place[g]];
      if (of_species)
        of_species[grains.material[g]] += of_volume;
    }
    const double per_volume = 1 / volume(c), per_mass = mass > 0 ? 1 / mass : 0;
    const Vec3d u = per_mass * momentum;
    double fluctuation[6] = { 0, 0, 0, 0, 0, 0 };
    if (out.granular_temperature || out.kinetic_stress)
      for (std::uint32_t s = begin; s < end; ++s)
      {
        const Vec4<double> v = grains.velocity[grain[entry[s]]];
        const Vec3d d = v.xyz() - u;
        const double m = shares[entry[s]] * v.w;
        fluctuation[0] += m * d.x * d.x;
        fluctuation[1] += m * d.y * d.y;
        fluctuation[2] += m * d.z * d.z;
        fluctuation[3] += m * d.x * d.y;
        fluctuation[4] += m * d.y * d.z;
        fluctuation[5] += m * d.x * d.z;
      }

    if (out.mass_density)
      out.mass_density[c] = mass * per_volume;
    if (out.number_density)
      out.number_density[c] = count * per_volume;
    if (out.solid_fraction)
      out.solid_fraction[c] = solid * per_volume;
    for (int k = 0; k < 3; ++k)
    {
      if (out.velocity)
        out.velocity[3 * std::size_t(c) + k] = u[k];
      if (out.angular_velocity)
        out.angular_velocity[3 * std::size_t(c) + k] = per_mass * spin[k];
    }
    if (out.granular_temperature)
      out.granular_temperature[c] = per_mass * (fluctuation[0] + fluctuation[1] + fluctuation[2]) / 3;
    for (int k = 0; out.kinetic_stress && k < 6; ++k)
      out.kinetic_stress[6 * std::size_t(c) + k] = -fluctuation[k] * per_volume;
    if (out.coordination_number)
      out.coordination_number[c] = count > 0 ? touching / count : 0;
    for (int k = 0; of_species && k < species; ++k)
      of_species[k] = solid > 0 ? of_species[k] / solid : 0;
  }
};

// ---- contacts ---------------------------------------------------------------------------------------------------------------------------

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

/// Walks from cell to cell after Amanatides and Woo (Eurographics 1987). Pieces outside the grid sort behind the last cell.
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
        const double t = (grid.edge(last[k] > cell[k] ? cell[k] + 1 : cell[k], k) - a[k]) / (b[k] - a[k]);
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

struct SumContactStress
{
  CellSums cells;
  ContactBranches branches;
  const double *normal_force, *tangential_force;
  const std::uint32_t *cell_start, *entry, *contact;
  const double* part;

  DEM_HD void operator()(std::uint32_t c) const
  {
    double s[6] = { 0, 0, 0, 0, 0, 0 };
    for (std::uint32_t i = cell_start[c], end = cell_start[c + 1]; i < end; ++i)
    {
      const std::uint32_t e = entry[i], k = contact[e];
      const Vec3d f = PackGrains::at(normal_force, k) + PackGrains::at(tangential_force, k);
      const Vec3d l = part[e] * (branches.second(k) - branches.first(k));
      s[0] += f.x * l.x;
      s[1] += f.y * l.y;
      s[2] += f.z * l.z;
      s[3] += 0.5 * (f.x * l.y + f.y * l.x);
      s[4] += 0.5 * (f.y * l.z + f.z * l.y);
      s[5] += 0.5 * (f.x * l.z + f.z * l.x);
    }
    const double per_volume = 1 / cells.volume(c);
    for (int k = 0; k < 6; ++k)
      cells.out.contact_stress[6 * std::size_t(c) + k] = s[k] * per_volume;
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
    , partial_(exec)
    , keys_other_(exec)
    , entry_other_(exec)
  {
  }

  std::uint64_t total(std::size_t n)
  {
    const std::size_t blocks = (n + SumCounts::kBlock - 1) / SumCounts::kBlock;
    partial_.resize(blocks);
    exec_.forEach(blocks, SumCounts{ counts.data(), static_cast<std::uint32_t>(n), partial_.data() });
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
    sortPairs(exec_, keys.data(), keys_other_.data(), entry.data(), entry_other_.data(), n, bitsOf(cells));
    exec_.forEach(std::size_t(n) + 1, FindCellStarts{ keys.data(), n, cells, 64, cell_start.data() });
    exec_.forEach(std::size_t(cells) + 1, FillEmptyCells{ keys.data(), n, cell_start.data() });
  }

private:
  Exec& exec_;

public:
  Array<std::uint32_t, Exec> counts, offsets, keys, entry, cell_start;

private:
  Array<std::uint64_t, Exec> partial_;
  Array<std::uint32_t, Exec> keys_other_, entry_other_;
};

} // namespace detail

template <class Exec>
class CellAverageImpl : public CellAverageEngine
{
public:
  template <class... Args>
  explicit CellAverageImpl(Args&&... args)
    : exec_(std::forward<Args>(args)...)
    , edges_{ Array<double, Exec>(exec_), Array<double, Exec>(exec_), Array<double, Exec>(exec_) }
    , data_(exec_)
    , by_grain_(exec_)
    , by_contact_(exec_)
    , shares_(exec_)
    , part_(exec_)
    , contact_(exec_)
    , grain_(exec_)
    , contacts_of_(exec_)
    , first_(exec_)
    , second_(exec_)
    , first_place_(exec_)
    , second_place_(exec_)
    , normal_force_(exec_)
    , tangential_force_(exec_)
  {
    for (int k = 0; k < 10; ++k)
      outputs_.emplace_back(exec_);
  }

  void compute(const Grains& grains, const GrainContacts* contacts, const CellGrid& grid, const CellAverageOptions& options,
    const CellAverageFields& fields) override
  {
    exec_.inArena([&] { run(grains, contacts, grid, options, fields); });
  }

private:
  void run(const Grains& grains, const GrainContacts* contacts, const CellGrid& grid, const CellAverageOptions& options,
    const CellAverageFields& fields)
  {
    detail::CellPlanes planes{};
    for (int k = 0; k < 3; ++k)
    {
      edges_[k].assign(grid.edges[k]);
      planes.edges[k] = edges_[k].data();
      planes.size[k] = static_cast<int>(grid.edges[k].size()) - 1;
      planes.periodic[k] = grid.periodic[k];
    }
    const std::uint32_t cells = planes.cells();
    const double results = CellAverage::bytes(cells, options.species);
    const auto require = [&](std::uint64_t entries, double each, const char* what) {
      // keys, entries and what the sort needs beside them
      const double bytes = results + static_cast<double>(entries) * each;
      requireMemory("Averaging on " + std::to_string(planes.size[0]) + " x " + std::to_string(planes.size[1]) + " x " +
          std::to_string(planes.size[2]) + " cells, with " + std::to_string(entries) + what,
        entries > 0xffffffffull - 4096 ? 1e300 : bytes, options.memory_limit, "Use larger cells, or raise the memory limit.");
    };

    // results
    CellAverageFields wanted = fields, out = fields;
    const auto info = cellAverageFields(options.species);
    const auto host = pointersOf(wanted), device = pointersOf(out);
    for (std::size_t k = 0; k < host.size(); ++k)
      *device[k] = outputs_[k](*host[k], std::size_t(cells) * info[k].components);

    // grains by cell
    const std::size_t n = grains.size;
    const detail::PackedGrains packed = data_.pack(grains, options.density);
    by_grain_.counts.resize(n);
    exec_.forEach(n, detail::CountGrainCells{ planes, options.share, packed.position, by_grain_.counts.data() });
    const std::uint64_t entries = by_grain_.total(n);
    require(entries, 28, " entries of grains into them,");
    by_grain_.reserve(n, entries);
    shares_.resize(entries, 1.1);
    grain_.resize(entries, 1.1);
    exec_.forEach(n,
      detail::EnterGrains{ planes, options.share, packed.position, by_grain_.offsets.data(), by_grain_.keys.data(), by_grain_.entry.data(),
        grain_.data() });
    exec_.forEach(n, detail::ComputeShares{ planes, options.share, packed.position, by_grain_.offsets.data(), shares_.data() });
    by_grain_.sort(cells);

    // contacts of each grain
    const std::size_t m = contacts ? contacts->size : 0;
    if (m)
    {
      contacts_of_.resize(n);
      contacts_of_.zero();
      exec_.forEach(m, detail::CountContactsOfGrains{ first_(contacts->first, m), second_(contacts->second, m), contacts_of_.data() });
    }
    const detail::CellSums sums{ planes, packed, by_grain_.cell_start.data(), by_grain_.entry.data(), grain_.data(),
      shares_.data(), m ? contacts_of_.data() : nullptr, options.species, out };
    exec_.forEach(cells, sums);

    // contacts by cell
    if (out.contact_stress && m && contacts->normal_force)
    {
      const detail::ContactBranches branches{ planes, first_place_(contacts->first_place, 3 * m), second_place_(contacts->second_place, 3 * m) };
      by_contact_.counts.resize(m);
      exec_.forEach(m, detail::CountPieces{ branches, by_contact_.counts.data() });
      const std::uint64_t pieces = by_contact_.total(m);
      require(pieces, 28, " pieces of contacts in them,");
      by_contact_.reserve(m, pieces);
      part_.resize(pieces, 1.1);
      contact_.resize(pieces, 1.1);
      exec_.forEach(m,
        detail::EnterPieces{ branches, by_contact_.offsets.data(), by_contact_.keys.data(), by_contact_.entry.data(), contact_.data(),
          part_.data() });
      by_contact_.sort(cells);
      exec_.forEach(cells,
        detail::SumContactStress{ sums, branches, normal_force_(contacts->normal_force, 3 * m),
          tangential_force_(contacts->tangential_force, 3 * m), by_contact_.cell_start.data(), by_contact_.entry.data(), contact_.data(),
          part_.data() });
    }
    else if (out.contact_stress)
      exec_.zero(out.contact_stress, std::size_t(cells) * 6 * sizeof(double));

    for (auto& output : outputs_)
      output.finish();
    exec_.synchronize();
  }

  Exec exec_;
  Array<double, Exec> edges_[3];
  detail::GrainData<Exec> data_;
  detail::CellEntries<Exec> by_grain_, by_contact_;
  Array<double, Exec> shares_, part_;
  Array<std::uint32_t, Exec> contact_, grain_, contacts_of_;
  detail::Input<std::int64_t, Exec> first_, second_;
  detail::Input<double, Exec> first_place_, second_place_, normal_force_, tangential_force_;
  std::vector<detail::Output<double, Exec>> outputs_;
};

} // namespace dem
