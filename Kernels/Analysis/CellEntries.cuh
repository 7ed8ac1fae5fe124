// Entries of things (grains, pieces of contacts) into the cells that they touch, sorted by cell. A
// cell with many entries is divided into parts, so that one thread never adds up a long run.
#pragma once

#include "Analysis/detail/GrainInput.cuh"
#include "BroadPhase/SortedGrid.cuh"
#include "Core/Algorithms.h"
#include "Core/Array.h"

#include <cstddef>
#include <cstdint>

namespace dem
{
namespace detail
{

constexpr std::uint32_t kPart = 128; ///< entries of one part

/// Cells with more than kPart entries, divided into parts.
struct PartsView
{
  const std::uint32_t* cell_start; // first entry of each cell; cells + 1
  const std::uint32_t* first;      // first part of each cell; cells + 1; no parts if not divided
  const std::uint32_t* cell;       // of each part

  DEM_HD bool divided(std::uint32_t c) const { return first[c] < first[c + 1]; }
  /// The entries of a part: [begin, end).
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

/// Things entered into cells. Fill `counts` with the number of cells of each thing, call total()
/// and reserve(), write keys and entries at the offsets, then sort(). Keeps its memory from use to
/// use.
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

  /// Sum of the counts of n things, in 64 bits.
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
  /// Sets the offset of each thing's first entry and gets memory for the entries.
  void reserve(std::size_t n, std::size_t entries)
  {
    offsets.resize(n + 1);
    scanCounts(exec_, counts.data(), offsets.data(), n);
    keys.resize(entries, 1.1);
    entry.resize(entries, 1.1);
    keys_other_.resize(entries, 1.1);
    entry_other_.resize(entries, 1.1);
  }
  /// Sorts the entries by cell, in a stable way, and finds the first one of each cell. Entries with
  /// the key `cells` are outside the grid and end up behind the last cell.
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
  /// Divides cells with more than kPart sorted entries; `parts`: number of parts.
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
} // namespace dem
