// Definitions of CandidateSearch. A new search needs a case in order(), build()
// (SearchStructures.cuh) and withSearch().
#pragma once

#include "BroadPhase/FixedCells.cuh"
#include "Core/Error.h"
#include "NeighborList/BuildList.cuh"
#include "NeighborList/CandidateSearch.cuh"
#include "NeighborList/detail/SearchStructures.cuh"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#if defined(__CUDACC__)
#include "BroadPhase/CountKeys.cuh"
#include "NeighborList/BuildLongRows.cuh"
#include "NeighborList/BuildRows.cuh"
#else
#include "NeighborList/detail/FindRows.h"
#endif

namespace dem
{
namespace detail
{

/// Upper limit for the number of cells for n particles. A grid over clusters far apart gets larger
/// cells. `each`: cells for each particle; 0: no limit but 2e9.
inline double mostCells(double n, double least, int each = 8)
{
  return each == 0 ? 2e9 : std::min(std::max(least, each * n), 2e9);
}

/// Returns whether one grid for each level is faster than one grid for the largest particles. Level
/// l has n[l] particles of radius r[l] at most, ascending. Compares the number of pairs to test in
/// an evenly filled space, plus the cost of reading the cells of a level.
inline bool hierarchyPays(const std::vector<double>& r, const std::vector<double>& n)
{
  constexpr double kCellsOfLevel = 30; // cost in units of a pair test
  double all = 0, filled = 0;
  for (std::size_t l = 0; l < r.size(); ++l)
  {
    all += n[l];
    filled += 8 * n[l] * r[l] * r[l] * r[l];
  }
  const auto cube = [](double x) { return x * x * x; };
  const double one_grid = kCellsOfLevel + cube(6 * r.back()) * all / filled;
  double many = 0;
  for (std::size_t a = 0; a < r.size(); ++a)
    for (std::size_t b = 0; b < r.size(); ++b)
      many += n[a] / all * (kCellsOfLevel + cube(2 * (r[a] + r[b]) + 2 * r[b]) * n[b] / filled);
  return many < one_grid;
}

/// Returns the first level whose particles have many neighbours. The estimate assumes that
/// neighbours share the surface of a particle in proportion to the surface of their level.
inline int firstOfLongRows(const std::vector<double>& r, const std::vector<double>& n)
{
  constexpr double kTouching = 7, kLong = 48;
  double surface = 0;
  for (std::size_t l = 0; l < r.size(); ++l)
    surface += n[l] * r[l] * r[l];
  std::size_t first = 0;
  for (; first < r.size(); ++first)
  {
    double row = 0;
    for (std::size_t l = 0; l < r.size(); ++l)
      row += kTouching * n[l] * (r[first] + r[l]) * (r[first] + r[l]) / (4 * surface);
    if (row > kLong)
      break;
  }
  return static_cast<int>(first);
}

/// Number of bits needed for values up to `largest`, at least 1.
inline int bitsFor(std::uint64_t largest)
{
  int bits = 1;
  while (bits < 64 && largest >> bits)
    ++bits;
  return bits;
}

} // namespace detail

template <class Exec>
void CandidateSearch<Exec>::choose(
  const BroadPhaseOptions& options, const std::vector<double>& radii)
{
  options_ = options;
  capacity_ = static_cast<std::uint32_t>(options.cell_capacity);
  level_radius_.clear();
  level_count_.clear();
  have_bounds_ = false;
  cleared_ = 0;
  const bool automatic = options.kind == BroadPhaseKind::Automatic;
  if (automatic)
  {
    options_.kind = BroadPhaseKind::SortedGrid;
    // On a device contacts are grouped by neighbouring particles, so compact tiles suit it
    // (ListView).
    options_.cell_order = Exec::kDevice ? CellOrder::Tiles : CellOrder::RowMajor;
  }
  if ((!automatic && options.kind != BroadPhaseKind::HierarchicalGrid) || radii.empty())
    return;
  const double largest = *std::max_element(radii.begin(), radii.end());
  std::vector<double> most(kMostLevels), count(kMostLevels);
  for (double r : radii)
  {
    int halvings = 0;
    for (double half = 0.5 * largest; halvings < kMostLevels - 1 && r <= half; half *= 0.5)
      ++halvings;
    most[halvings] = std::max(most[halvings], r);
    count[halvings] += 1;
  }
  for (int l = kMostLevels; l-- > 0;)
    if (count[l] > 0)
    {
      level_radius_.push_back(most[l]);
      level_count_.push_back(count[l]);
    }
  if (automatic && detail::hierarchyPays(level_radius_, level_count_))
    options_.kind = BroadPhaseKind::HierarchicalGrid;
}

// ---- order of the particle data  ----

template <class Exec>
void CandidateSearch<Exec>::queueBounds(const SearchedCloud& cloud, Vec3d* corners)
{
  dem::queueBounds(exec_, cloud.position, cloud.n, corners);
}

template <class Exec>
void CandidateSearch<Exec>::takeBounds(const Vec3d (&corners)[2])
{
  lower_ = corners[0];
  upper_ = corners[1];
  if (lower_.x > upper_.x)
    lower_ = upper_ = Vec3d{};
  have_bounds_ = true;
}

template <class Exec>
void CandidateSearch<Exec>::measure(const SearchedCloud& cloud)
{
  // Grids need no current bounds: particles outside belong to the cells at the border. The keys of
  // a tree and a table do.
  if (!have_bounds_ || options_.kind == BroadPhaseKind::HashedGrid ||
    options_.kind == BroadPhaseKind::Bvh)
  {
    Vec3d corners[2];
    bounds_.resize(2);
    queueBounds(cloud, bounds_.data());
    exec_.toHost(corners, bounds_.data(), sizeof corners);
    exec_.synchronize();
    takeBounds(corners);
  }
  for (int k = 0; k < 3; ++k)
    if (cloud.box.period[k] > 0)
    {
      lower_[k] = cloud.box.lower[k];
      upper_[k] = lower_[k] + cloud.box.period[k];
    }
  pad_ = positionPad(lower_, upper_);
  const double reach = 2 * cloud.radius_max + cloud.skin;
  switch (options_.kind)
  {
    case BroadPhaseKind::Automatic: // not possible after choose()
    case BroadPhaseKind::SortedGrid:
    case BroadPhaseKind::LinkedCells:
    case BroadPhaseKind::FixedCells:
      grid_ = chooseGrid(lower_, upper_, cloud.box, reach,
        detail::mostCells(cloud.n, 65536, options_.cells_per_particle), morton(), tiles() ? 2 : 0);
      cells_ = grid_.cells();
      break;
    case BroadPhaseKind::HierarchicalGrid:
      measureLevels(cloud);
      break;
    case BroadPhaseKind::HashedGrid:
    case BroadPhaseKind::Bvh:
      break;
  }
  if (morton())
  {
    ComputeAxisCodes codes{ { grid_.size[0], grid_.size[1], grid_.size[2] }, {}, nullptr };
    int bits = 0;
    for (int k = 0; k < 3; ++k)
    {
      codes.bits[k] = grid_.size[k] > 1 ? detail::bitsFor(grid_.size[k] - 1) : 0;
      bits += codes.bits[k];
    }
    const std::size_t numbers = std::size_t(grid_.size[0]) + grid_.size[1] + grid_.size[2];
    axis_code_.resize(numbers, 1.2);
    codes.code = axis_code_.data();
    exec_.forEach(numbers, codes);
    cells_ = std::uint32_t(1) << bits;
  }
}

template <class Exec>
void CandidateSearch<Exec>::measureLevels(const SearchedCloud& cloud)
{
  levels_.clear();
  std::uint64_t cells = 0;
  for (std::size_t l = 0; l < level_radius_.size(); ++l)
  {
    const double most = std::min(detail::mostCells(level_count_[l], 4096), 4e9 / kMostLevels);
    const double reach = 2 * level_radius_[l] + cloud.skin;
    Grid grid = chooseGrid(lower_, upper_, cloud.box, reach, most, false);
    if (Exec::kDevice && l == 0)
    {
      // use tiles unless whole tiles would widen the cells
      const Grid tiled = chooseGrid(lower_, upper_, cloud.box, reach, most, false, 2);
      if (std::equal(tiled.size, tiled.size + 3, grid.size))
        grid = tiled;
    }
    levels_.push_back({ grid, level_radius_[l], static_cast<std::uint32_t>(cells) });
    cells += grid.cells();
  }
  cells_ = static_cast<std::uint32_t>(cells);
  device_levels_.assign(levels_);
}

// Calls use(kernel) with the kernel that computes the keys of the method.
template <class Exec>
template <class Use>
void CandidateSearch<Exec>::withKeys(
  const SearchedCloud& cloud, std::uint32_t* index, const Use& use)
{
  keys_.resize(cloud.n);
  if (morton())
    use(ComputeMortonCellKeys{
      { grid_, axis_code_.data(), cells_ }, cloud.position, keys_.data(), index });
  else if (options_.kind == BroadPhaseKind::HierarchicalGrid)
    use(ComputeLevelKeys{ device_levels_.data(), static_cast<int>(levels_.size()), cells_,
      cloud.position, keys_.data(), index });
  else
    use(ComputeCellKeys{ grid_, cloud.position, keys_.data(), index });
}

template <class Exec>
void CandidateSearch<Exec>::computeKeys(const SearchedCloud& cloud, std::uint32_t* index)
{
  withKeys(cloud, index, [&](const auto& compute) { exec_.forEach(cloud.n, compute); });
}

template <class Exec>
void CandidateSearch<Exec>::sortKeys(
  std::uint32_t n, std::uint64_t largest, std::uint32_t* index, std::uint32_t* index_other)
{
  if (Exec::kDevice)
    keys_other_.resize(n);
  sortPairs(
    exec_, keys_.data(), keys_other_.data(), index, index_other, n, detail::bitsFor(largest));
}

template <class Exec>
template <class Code>
void CandidateSearch<Exec>::sortCodes(
  Buffer<Code>& codes, const SearchedCloud& cloud, std::uint32_t* index, std::uint32_t* index_other)
{
  Buffer<Code>* other;
  if constexpr (sizeof(Code) == 4)
    other = &codes_other_;
  else
    other = &long_codes_other_;
  codes.resize(cloud.n);
  if (Exec::kDevice)
    other->resize(cloud.n);
  Vec3d inverse{};
  for (int k = 0; k < 3; ++k)
    inverse[k] = upper_[k] > lower_[k] ? 1 / (upper_[k] - lower_[k]) : 0;
  exec_.forEach(
    cloud.n, ComputeMortonCodes<Code>{ cloud.position, lower_, inverse, codes.data(), index });
  sortPairs(exec_, codes.data(), other->data(), index, index_other, cloud.n,
    ComputeMortonCodes<Code>::kBits + 1);
}

template <class Exec>
void CandidateSearch<Exec>::order(
  const SearchedCloud& cloud, std::uint32_t* index, std::uint32_t* index_other)
{
  CellPlaces places{};
  order(cloud, index, index_other, places);
  if (places.place)
    exec_.forEach(cloud.n, places);
}

template <class Exec>
void CandidateSearch<Exec>::order(
  const SearchedCloud& cloud, std::uint32_t* index, std::uint32_t* index_other, CellPlaces& places)
{
  measure(cloud);
  places = {};
  if (sortsBuckets())
  {
    cloud_ = cloud;
    makeTable();
    keys_.resize(cloud.n);
    exec_.forEach(cloud.n, ComputeBuckets{ table_, cloud.position, keys_.data(), index });
    return sortKeys(cloud.n, cells_, index, index_other);
  }
  if (options_.kind == BroadPhaseKind::Bvh && options_.bvh_key_bits == 30)
    sortCodes(codes_, cloud, index, index_other);
  else if (options_.kind == BroadPhaseKind::Bvh || options_.kind == BroadPhaseKind::HashedGrid)
    sortCodes(long_codes_, cloud, index, index_other);
  else if (sortsCells())
    places = countKeys(cloud, index, index_other);
  else
  {
    computeKeys(cloud, index);
    sortKeys(cloud.n, cells_, index, index_other);
  }
}

template <class Exec>
CellPlaces CandidateSearch<Exec>::countKeys(
  const SearchedCloud& cloud, std::uint32_t* index, std::uint32_t* place)
{
#if defined(__CUDACC__)
  const std::uint32_t n = cloud.n, counts = cells_ + 1;
  cell_count_.resize(counts, 1.2);
  cell_start_.resize(std::size_t(counts) + 1, 1.2);
  if (cleared_ < counts)
    cell_count_.zero();
  cleared_ = 0; // stays 0 if an exception is thrown below
  withKeys(cloud, index, [&](const auto& compute) {
    using Count = CountKeys<std::decay_t<decltype(compute)>>;
    exec_.forEachBlock(
      (n + Count::kTile - 1) / Count::kTile, Count{ compute, cell_count_.data(), place, n });
  });
  queueScan(exec_, cell_count_.data(), cell_start_.data(), counts);
  cleared_ = counts;
  return { keys_.data(), cell_start_.data(), place, cells_, index, cell_count_.data(), n };
#else
  static_cast<void>(cloud);
  static_cast<void>(index);
  static_cast<void>(place);
  return {}; // not reached: sortsCells() is false
#endif
}

template <class Exec>
void CandidateSearch<Exec>::dropGone(
  const SearchedCloud& cloud, std::uint32_t* index, std::uint32_t* index_other)
{
  keys_.resize(cloud.n);
  exec_.forEach(cloud.n, ComputeGoneKeys{ cloud.position, keys_.data(), index });
  sortKeys(cloud.n, 1, index, index_other);
}

// ---- rows  ----

template <class Exec>
GridSearch CandidateSearch<Exec>::gridSearch() const
{
  return { grid_, near(), { cloud_.position, cell_start_.data(), items_ ? item_.data() : nullptr },
    cloud_.radius_max };
}

template <class Exec>
BvhSearch CandidateSearch<Exec>::bvhSearch() const
{
  return { { left_.data(), right_.data(), box_.data(), item_.data(), cloud_.n, last_leaf_.data() },
    near(), cloud_.position, pad_ };
}

template <class Exec>
template <class Call>
void CandidateSearch<Exec>::withSearch(const Call& call)
{
  const CellContents contents{ cloud_.position, cell_start_.data(),
    items_ ? item_.data() : nullptr };
  const double radius = cloud_.radius_max;
  switch (options_.kind)
  {
    case BroadPhaseKind::Automatic:
    case BroadPhaseKind::SortedGrid:
      if (morton())
        return call(
          MortonGridSearch{ { grid_, axis_code_.data(), cells_ }, near(), contents, radius });
      return call(gridSearch());
    case BroadPhaseKind::LinkedCells:
      if (options_.linked_cells == LinkedCellsForm::Tight)
        return call(
          LinkedTightSearch{ grid_, near(), cloud_.position, cell_start_.data(), next_.data() });
      if (options_.linked_cells == LinkedCellsForm::LoosePacked)
        return call(LinkedPackedSearch{ grid_, near(), cell_start_.data(), links_.data(), radius });
      return call(LinkedLooseSearch{
        grid_, near(), cloud_.position, cell_start_.data(), next_.data(), radius });
    case BroadPhaseKind::FixedCells:
    {
      if (counted())
        return call(gridSearch()); // its cells are contiguous, like sorted ones
      const bool rows = options_.fixed_cells == FixedCellsForm::RowMajor;
      return call(FixedCellsSearch{ grid_, near(), cloud_.position,
        { slot_.data(), cell_count_.data(), capacity_, rows ? capacity_ : 1u, rows ? 1u : cells_ },
        radius });
    }
    case BroadPhaseKind::HashedGrid:
      return call(HashedSearch{ table_, near(), contents, radius });
    case BroadPhaseKind::Bvh:
      return call(bvhSearch());
    case BroadPhaseKind::HierarchicalGrid:
      return call(HierarchicalSearch{
        device_levels_.data(), static_cast<int>(levels_.size()), near(), contents, levels_[0] });
  }
}

template <class Exec>
template <class Call>
void CandidateSearch<Exec>::withHalfSearch(const Call& call)
{
  if (options_.kind == BroadPhaseKind::Bvh)
    call(bvhSearch());
  else
    call(gridSearch());
}

template <class Exec>
void CandidateSearch<Exec>::count(std::uint32_t* counts)
{
  const std::uint32_t n = cloud_.n;
  if (!options_.half_search)
    return withSearch([&](const auto& search) {
      using Search = std::decay_t<decltype(search)>;
#if defined(__CUDACC__)
      exec_.forEach(n, CountCandidates<Search>{ search, counts });
#else
      using Find = FindRows<Search>;
      found_.resize(Find::blocks(n));
      exec_.forEachBlock(found_.size(),
        Find{ search, cloud_.position, near(), n, cloud_.ghosts, counts, found_.data() });
#endif
    });
  exec_.zero(counts, n * sizeof(std::uint32_t));
  withHalfSearch([&](const auto& search) {
    exec_.forEach(n, CountHalf<std::decay_t<decltype(search)>>{ search, counts });
  });
}

template <class Exec>
void CandidateSearch<Exec>::fill(const ListView& list, const std::int64_t* id)
{
  const std::uint32_t n = cloud_.n;
  if (!options_.half_search)
  {
#if defined(__CUDACC__)
    withSearch([&](const auto& search) {
      exec_.forEach(n, FillCandidates<std::decay_t<decltype(search)>>{ search, list, id });
    });
#else
    exec_.forEachBlock(found_.size(), FillFoundRows{ list, id, n, found_.data() });
#endif
    return;
  }
  used_.resize(n);
  used_.zero();
  withHalfSearch([&](const auto& search) {
    exec_.forEach(n, FillHalf<std::decay_t<decltype(search)>>{ search, list, id, used_.data() });
  });
  exec_.forEach(n, SortRows{ list, id });
}

#if defined(__CUDACC__)
// Rows of levels with many neighbours have their own kernels. Their particles come last.
template <class Exec>
template <class Real, class Also>
void CandidateSearch<Exec>::queueLongRows(const HierarchicalSearch& search, const NewRows& rows,
  const OldRows<Real>& old, const Also& also, bool beside)
{
  const int level = detail::firstOfLongRows(level_radius_, level_count_);
  double most = 31;
  for (std::size_t l = level; l < level_count_.size(); ++l)
    most += level_count_[l];
  const std::uint32_t n = cloud_.n, blocks = static_cast<std::uint32_t>(std::min<double>(n, most));
  const std::uint32_t* first = level < static_cast<int>(levels_.size())
    ? cell_start_.data() + levels_[level].first_key
    : nullptr;
  using Build = BuildRows<HierarchicalSearch, Real, Also>;
  exec_.forEachBlockBeside(
    Build::blocks(n), Build::make(search, rows, old, also, n, first), beside);
  if (!first)
    return;
  exec_.forEachBlock(
    blocks, CountLongRows<HierarchicalSearch, Also>{ search, rows, also, first, n });
  exec_.forEach((blocks + 31) / 32, PlaceLongRows{ rows, first, n });
  exec_.forEachBlock(blocks, FillLongRows<HierarchicalSearch, Real>{ search, rows, old, first, n });
}

template <class Exec>
template <class Real, class Also>
bool CandidateSearch<Exec>::queueRows(
  const NewRows& rows, const OldRows<Real>& old, const Also& also, bool beside)
{
  if (options_.half_search)
    return false;
  withSearch([&](const auto& search) {
    using Search = std::decay_t<decltype(search)>;
    if constexpr (std::is_same_v<Search, HierarchicalSearch>)
      if (!items_)
        return queueLongRows(search, rows, old, also, beside);
    using Build = BuildRows<Search, Real, Also>;
    exec_.forEachBlockBeside(
      Build::blocks(cloud_.n), Build::make(search, rows, old, also, cloud_.n, nullptr), beside);
  });
  return true;
}
#endif

template <class Exec>
void CandidateSearch<Exec>::emit(const CandidateSink& sink)
{
  const std::uint32_t n = cloud_.n;
  if (!options_.half_search)
    return withSearch([&](const auto& search) {
      exec_.forEach(n, EmitCandidates<std::decay_t<decltype(search)>>{ search, sink });
    });
  exec_.zero(sink.list.count, n * sizeof(std::uint32_t));
  withHalfSearch([&](const auto& search) {
    exec_.forEach(n, EmitHalf<std::decay_t<decltype(search)>>{ search, sink });
  });
}

template <class Exec>
StepSearch CandidateSearch<Exec>::stepSearch() const
{
  return { options_.kind == BroadPhaseKind::Bvh, gridSearch(), bvhSearch() };
}

template <class Exec>
SearchChoice CandidateSearch<Exec>::choice() const
{
  SearchChoice c;
  c.kind = options_.kind;
  if (cloud_.n == 0)
    return c;
  double finest = 0; // 1/m
  const auto consider = [&](const Vec3d& inverse) {
    finest = std::max({ finest, inverse.x, inverse.y, inverse.z });
  };
  switch (options_.kind)
  {
    case BroadPhaseKind::Bvh:
      break;
    case BroadPhaseKind::HashedGrid:
      c.buckets = table_.buckets;
      consider(table_.inverse_cell);
      break;
    case BroadPhaseKind::HierarchicalGrid:
      for (const GridLevel& level : levels_)
        consider(level.grid.inverse_cell);
      c.levels = static_cast<int>(levels_.size());
      c.cells = cells_;
      break;
    default:
      consider(grid_.inverse_cell);
      c.cells = cells_;
  }
  c.cell_size = finest > 0 ? 1 / finest : 0;
  if (options_.kind == BroadPhaseKind::FixedCells && !counted())
  {
    c.cell_capacity = capacity_;
    c.cells_redone = redone_;
  }
  const auto add = [&](const auto&... buffers) {
    c.bytes = (std::uint64_t(0) + ... + (buffers.size() * sizeof(*buffers.data())));
  };
  add(keys_, keys_other_, item_, item_other_, codes_, codes_other_, long_codes_, long_codes_other_,
    axis_code_, cell_start_, cell_count_, next_, slot_, most_, used_, links_, device_levels_, left_,
    right_, parent_, last_leaf_, arrived_, box_);
  return c;
}

} // namespace dem
