// Kernels that build the rows of a list on the CPU with one search a particle. The results are
// stored by blocks of particles until the list has been allocated.
#pragma once

#include "BroadPhase/SortedGrid.cuh"
#include "Core/PackRows.h"
#include "Core/SortRow.cuh"
#include "NeighborList/ListView.cuh"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace dem
{

/// Visitor of a search for particle i. It takes single candidates, or runs of positions in a cell,
/// which it tests in packs.
class RowFinder
{
public:
  RowFinder(const Vec4<double>* position, const PairTest& near, std::uint32_t i,
    std::vector<std::uint32_t>& row)
    : position_(position)
    , near_(near)
    , p_(position[i])
    , i_(i)
    , row_(row)
  {
  }

  void operator()(std::uint32_t j) const { row_.push_back(j); }

  void run(const CellContents& cells, std::uint32_t begin, std::uint32_t end) const
  {
    while (begin < end)
    {
      if (waiting_ >= kRoom)
        test();
      // Whole runs are written, since most are shorter than kRun.
      const std::uint32_t some = std::min(end - begin, kRun);
      for (std::uint32_t s = 0; s < kRun; ++s)
        place_[waiting_ + s] = begin + s;
      if (cells.item)
        for (std::uint32_t s = 0; s < some; ++s)
          place_[waiting_ + s] = cells.item[begin + s];
      begin += some;
      waiting_ += some;
    }
  }

  /// Tests the collected particles as PairTest does and appends the candidates to the row. Unused
  /// lanes hold i, which is never a candidate.
  void test() const
  {
    std::fill(place_ + waiting_, place_ + waiting_ + kPlaces, i_);
    std::uint32_t found[kRoom + kRun + kPlaces], n = 0;
    for (std::uint32_t k = 0; k < waiting_; k += kPlaces)
    {
      const auto q =
        loadRows<kPlaces>([&](int l) -> const Vec4<double>& { return position_[place_[k + l]]; });
      Vec3<Places> d{ q.x - p_.x, q.y - p_.y, q.z - p_.z };
      if (near_.box.any())
        d = near_.box.image(d);
      const Places reach = p_.w + q.w + near_.skin;
      const unsigned ones = (dot(d, d) < reach * reach).ones() & ~isSelf(place_ + k);
      storeSome<kPlaces>(place_ + k, ones, found + n);
      n += __builtin_popcount(ones);
    }
    row_.insert(row_.end(), found, found + n);
    waiting_ = 0;
  }

private:
  using Places = Pack<double>;
  static constexpr std::uint32_t kPlaces = Places::kLanes, kRun = 8, kRoom = 64;

  unsigned isSelf(const std::uint32_t* places) const
  {
    using Numbers = Pack<float, kPlaces>;
    typename Numbers::Bits bits;
    std::memcpy(&bits, places, sizeof bits);
    return typename Numbers::Mask(bits == static_cast<std::int32_t>(i_)).ones();
  }

  const Vec4<double>* position_;
  PairTest near_;
  Vec4<double> p_;
  std::uint32_t i_;
  std::vector<std::uint32_t>& row_;
  mutable std::uint32_t place_[kRoom + kRun + kPlaces], waiting_ = 0;
};

/// Finds the candidates of a block's particles and stores them contiguously.
template <class Search>
struct FindRows
{
  static constexpr std::uint32_t kParticles = 256;
  struct Shared
  {
  };

  Search search;
  const Vec4<double>* position;
  PairTest near;
  std::uint32_t n;
  GhostBits ghosts; // pairs of two ghosts are left out
  std::uint32_t* count;
  std::vector<std::uint32_t>* found; // results of each block

  static std::size_t blocks(std::size_t n) { return (n + kParticles - 1) / kParticles; }

  void operator()(unsigned block, Shared&) const
  {
    std::vector<std::uint32_t> rows;
    rows.reserve(8 * kParticles);
    for (std::uint32_t i = block * kParticles; i < n && i / kParticles == block; ++i)
    {
      const std::size_t before = rows.size();
      const RowFinder finder(position, near, i, rows);
      search.candidates(i, finder);
      finder.test();
      if (ghosts.has(i))
        rows.erase(std::remove_if(rows.begin() + static_cast<std::ptrdiff_t>(before), rows.end(),
                     [this](std::uint32_t j) { return ghosts.has(j); }),
          rows.end());
      count[i] = static_cast<std::uint32_t>(rows.size() - before);
    }
    found[block] = std::move(rows);
  }
};

/// Writes the results of a block to its rows, in ascending Id, and frees them.
struct FillFoundRows
{
  using Shared = FindRows<GridSearch>::Shared;
  static constexpr std::uint32_t kParticles = FindRows<GridSearch>::kParticles;

  ListView list;
  const std::int64_t* id;
  std::uint32_t n;
  std::vector<std::uint32_t>* found;

  void operator()(unsigned block, Shared&) const
  {
    const std::vector<std::uint32_t> rows = std::move(found[block]);
    const std::uint32_t* from = rows.data();
    for (std::uint32_t i = block * kParticles; i < n && i / kParticles == block; ++i)
    {
      fill(i, from);
      from += list.count[i];
    }
  }

private:
  static constexpr std::uint32_t kFew = 16;

  // Short rows are sorted by rank: the position of an entry is the number of entries with lower
  // Ids.
  void fill(std::uint32_t i, const std::uint32_t* from) const
  {
    const std::uint32_t c = list.count[i];
    const std::int64_t own = id[i];
    std::uint32_t* row = list.entries + list.start(i);
    const auto entry = [&](std::uint32_t s) {
      return from[s] | (id[from[s]] < own ? ListView::kLowerId : 0u);
    };
    if (c > kFew)
    {
      for (std::uint32_t s = 0; s < c; ++s)
        row[s] = entry(s);
      return sortRow(row, c, [this](std::uint32_t e) { return id[e & ListView::kIndex]; });
    }
    std::int64_t ids[kFew], rank[kFew] = {};
    std::fill(ids, ids + kFew, std::numeric_limits<std::int64_t>::max());
    for (std::uint32_t s = 0; s < c; ++s)
      ids[s] = id[from[s]];
    for (std::uint32_t s = 0; s < c; ++s)
      for (std::uint32_t t = 0; t < kFew; ++t)
        rank[t] += ids[t] > ids[s];
    for (std::uint32_t s = 0; s < c; ++s)
      row[rank[s]] = entry(s);
  }
};

} // namespace dem
