// CandidateSearch::build(): the data structures that the methods search in.
#pragma once

#include "BroadPhase/FixedCells.cuh"
#include "Core/Error.h"
#include "NeighborList/CandidateSearch.cuh"

#include <algorithm>
#include <cmath>
#include <string>

namespace dem
{

template <class Exec>
void CandidateSearch<Exec>::build(const SearchedCloud& cloud, bool ordered)
{
  cloud_ = cloud;
  items_ = false;
  if (cloud.n == 0)
    return;
  if (!ordered)
    measure(cloud);
  switch (options_.kind)
  {
    case BroadPhaseKind::Automatic:
    case BroadPhaseKind::SortedGrid:
    case BroadPhaseKind::HierarchicalGrid:
      buildCells(ordered);
      break;
    case BroadPhaseKind::LinkedCells:
      buildLinks();
      break;
    case BroadPhaseKind::FixedCells:
      if (counted())
        buildCountedCells();
      else
        buildFixedCells();
      break;
    case BroadPhaseKind::HashedGrid:
      buildTable(ordered);
      break;
    case BroadPhaseKind::Bvh:
      if (options_.bvh_key_bits == 30)
        buildTree(codes_, ordered);
      else
        buildTree(long_codes_, ordered);
      break;
  }
}

template <class Exec>
void CandidateSearch<Exec>::buildCells(bool ordered)
{
  items_ = !ordered;
  if (!ordered)
  {
    item_.resize(cloud_.n);
    item_other_.resize(cloud_.n);
    computeKeys(cloud_, item_.data());
    sortKeys(cloud_.n, cells_, item_.data(), item_other_.data());
  }
  else if (sortsCells())
    return; // order() has found where cells start
  findCellStarts();
}

template <class Exec>
void CandidateSearch<Exec>::findCellStarts()
{
  const std::uint32_t n = cloud_.n;
  // up to this number one thread of a device may fill empty cells
  constexpr std::uint32_t kFewCells = 8192;
  const bool sparse = cells_ / 2 > n || options_.kind == BroadPhaseKind::HashedGrid ||
    (Exec::kDevice && cells_ > kFewCells);
  cell_start_.resize(std::size_t(cells_) + 1, 1.2);
  constexpr std::uint32_t kManyCells = 1u << 20;
  if (cells_ > kManyCells && cells_ / 16 > n) // only without the limit of CellsPerParticle
  {
    cell_count_.resize(cells_, 1.2);
    cell_count_.zero();
    cleared_ = 0;
    exec_.forEach(n, CountRuns{ keys_.data(), n, cell_count_.data() });
    return queueScan(exec_, cell_count_.data(), cell_start_.data(), cells_);
  }
  if (sparse)
    cell_start_.zero();
  exec_.forEach(std::size_t(n) + 1,
    FindCellStarts{ keys_.data(), n, cells_, sparse ? 64u : 0xffffffffu, cell_start_.data() });
  if (sparse)
    exec_.forEach(std::size_t(cells_) + 1, FillEmptyCells{ keys_.data(), n, cell_start_.data() });
}

template <class Exec>
void CandidateSearch<Exec>::buildLinks()
{
  const std::uint32_t n = cloud_.n;
  cell_start_.resize(cells_, 1.2);
  cell_start_.zero();
  if (options_.linked_cells == LinkedCellsForm::LoosePacked)
  {
    links_.resize(n);
    exec_.forEach(
      n, LinkLoosePacked{ grid_, cloud_.position, cloud_.skin, cell_start_.data(), links_.data() });
  }
  else if (options_.linked_cells == LinkedCellsForm::Loose)
  {
    next_.resize(n);
    exec_.forEach(
      n, LinkLoose{ grid_, cloud_.position, cloud_.skin, cell_start_.data(), next_.data() });
  }
  else
  {
    if (n > kMostTight)
      throw Error("BroadPhase Linked Cells: the form Tight holds " + std::to_string(kMostTight) +
        " particles at most, there are " + std::to_string(n) + ". Use Loose.");
    next_.resize(8 * std::size_t(n));
    exec_.forEach(
      n, LinkTight{ grid_, cloud_.position, cloud_.skin, cell_start_.data(), next_.data() });
  }
}

template <class Exec>
void CandidateSearch<Exec>::buildFixedCells()
{
  cell_count_.resize(cells_, 1.2);
  most_.resize(1);
  for (;;)
  {
    const std::uint64_t slots = std::uint64_t(cells_) * capacity_;
    if (slots > 0xffffffffull)
      throw Error("BroadPhase Fixed Cells: " + std::to_string(cells_) + " cells of " +
        std::to_string(capacity_) + " slots pass 2^32. Use its form Counted, or Sorted Grid.");
    slot_.resize(slots, 1.1);
    cell_count_.zero();
    most_.zero();
    const bool rows = options_.fixed_cells == FixedCellsForm::RowMajor;
    exec_.forEach(cloud_.n,
      FillFixedCells{ grid_, cloud_.position,
        { slot_.data(), cell_count_.data(), capacity_, rows ? capacity_ : 1u, rows ? 1u : cells_ },
        most_.data() });
    const std::uint32_t most = most_.host()[0];
    if (most <= capacity_)
      return;
    capacity_ = most + most / 4;
    ++redone_;
  }
}

template <class Exec>
void CandidateSearch<Exec>::buildCountedCells()
{
  const std::uint32_t n = cloud_.n;
  items_ = true;
  cell_count_.resize(cells_, 1.2);
  cell_count_.zero();
  cell_start_.resize(std::size_t(cells_) + 1, 1.2);
  next_.resize(n);
  item_.resize(n);
  exec_.forEach(n, CountCells{ grid_, cloud_.position, cell_count_.data(), next_.data() });
  scanCounts(exec_, cell_count_.data(), cell_start_.data(), cells_);
  exec_.forEach(
    n, FillCountedCells{ grid_, cloud_.position, cell_start_.data(), next_.data(), item_.data() });
}

// Sets the size of the hash table and the cells for the bounds of the present particles.
template <class Exec>
void CandidateSearch<Exec>::makeTable()
{
  const std::uint32_t n = cloud_.n;
  const std::uint64_t buckets = std::uint64_t(n) * options_.hash_table_factor;
  if (buckets > 0xfffffff0ull)
    throw Error("BroadPhase Hashed Infinite Grid: a table of " +
      std::to_string(options_.hash_table_factor) + " x " + std::to_string(n) +
      " buckets passes 2^32. Use a smaller HashTableFactor.");
  cells_ = static_cast<std::uint32_t>(buckets);
  table_ = HashedGrid{};
  table_.lower = lower_;
  table_.pad = pad_;
  table_.hash = options_.hash;
  table_.buckets = cells_;
  const double cell = smallestCell(2 * cloud_.radius_max + cloud_.skin, pad_);
  for (int k = 0; k < 3; ++k)
  {
    const double extent = upper_[k] - lower_[k];
    table_.inverse_cell[k] = 1 / cell;
    if (cloud_.box.period[k] > 0)
    {
      const double count = std::min(std::floor(extent / cell), 1e15);
      table_.size[k] = count < 3 ? 1 : static_cast<std::int64_t>(count);
      table_.inverse_cell[k] = count < 3 ? 0 : count / extent;
    }
    if (k < 2)
      table_.extent[k] =
        static_cast<std::uint64_t>(std::min(extent * table_.inverse_cell[k], 1e15)) + 1;
  }
}

template <class Exec>
void CandidateSearch<Exec>::buildTable(bool ordered)
{
  const std::uint32_t n = cloud_.n;
  if (ordered && sortsBuckets())
    return findCellStarts(); // order() has made the table and sorted its keys
  makeTable();
  items_ = true;
  keys_.resize(n);
  item_.resize(n);
  item_other_.resize(n);
  exec_.forEach(n, ComputeBuckets{ table_, cloud_.position, keys_.data(), item_.data() });
  sortKeys(n, cells_, item_.data(), item_other_.data());
  findCellStarts();
}

template <class Exec>
template <class Code>
void CandidateSearch<Exec>::buildTree(Buffer<Code>& codes, bool ordered)
{
  const std::uint32_t n = cloud_.n;
  item_.resize(n);
  if (ordered)
    exec_.forEach(n, CountUp{ item_.data() });
  else
  {
    item_other_.resize(n);
    sortCodes(codes, cloud_, item_.data(), item_other_.data());
  }
  box_.resize(2 * std::size_t(n) - 1);
  left_.resize(n - 1);
  right_.resize(n - 1);
  last_leaf_.resize(n - 1);
  parent_.resize(2 * std::size_t(n) - 1);
  exec_.forEach(n, ComputeLeafBoxes{ cloud_.position, item_.data(), n, box_.data() });
  if (n == 1)
    return;
  arrived_.resize(n - 1);
  arrived_.zero();
  exec_.forEach(n - 1,
    BuildBvhNodesOf<Code>{
      codes.data(), n, left_.data(), right_.data(), parent_.data(), last_leaf_.data() });
  exec_.forEach(n,
    BuildBvhBoxes{ left_.data(), right_.data(), parent_.data(), n, box_.data(), arrived_.data() });
}

} // namespace dem
