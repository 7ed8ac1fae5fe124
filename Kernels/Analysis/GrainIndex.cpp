#include "Analysis/GrainIndex.h"

#include "Core/Error.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <string>

namespace dem
{
namespace
{

[[noreturn]] void throwTwice(std::int64_t id, std::int64_t a, std::int64_t b)
{
  throw Error("Grains " + std::to_string(std::min(a, b)) + " and " +
    std::to_string(std::max(a, b)) + " (counted from 0) have the same Id " + std::to_string(id) +
    ". Ids identify grains and must be unique.");
}

} // namespace

GrainIndex::GrainIndex(const Grains& grains)
  : size_(grains.size)
  , by_place_(!grains.id)
{
  if (by_place_ || size_ == 0)
    return;
  const auto ends = std::minmax_element(grains.id, grains.id + size_);
  lowest_ = *ends.first;
  // unsigned, because the difference of two signed numbers may overflow
  const std::uint64_t width =
    static_cast<std::uint64_t>(*ends.second) - static_cast<std::uint64_t>(lowest_);
  if (width < 4 * std::uint64_t(size_) + 1024)
  {
    table_.assign(static_cast<std::size_t>(width) + 1, kNone);
    for (std::size_t i = 0; i < size_; ++i)
    {
      std::int64_t& place = table_[static_cast<std::size_t>(grains.id[i] - lowest_)];
      if (place != kNone)
        throwTwice(grains.id[i], place, static_cast<std::int64_t>(i));
      place = static_cast<std::int64_t>(i);
    }
    return;
  }
  sorted_.reserve(size_);
  for (std::size_t i = 0; i < size_; ++i)
    sorted_.emplace_back(grains.id[i], static_cast<std::int64_t>(i));
  std::sort(sorted_.begin(), sorted_.end());
  for (std::size_t i = 1; i < size_; ++i)
    if (sorted_[i].first == sorted_[i - 1].first)
      throwTwice(sorted_[i].first, sorted_[i - 1].second, sorted_[i].second);
}

std::int64_t GrainIndex::find(std::int64_t id) const
{
  if (by_place_)
    return id >= 0 && static_cast<std::uint64_t>(id) < size_ ? id : kNone;
  if (!table_.empty())
  {
    const std::uint64_t place =
      static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(lowest_);
    return id >= lowest_ && place < table_.size() ? table_[static_cast<std::size_t>(place)] : kNone;
  }
  const auto found =
    std::lower_bound(sorted_.begin(), sorted_.end(), std::make_pair(id, std::int64_t(0)));
  return found != sorted_.end() && found->first == id ? found->second : kNone;
}

std::size_t GrainIndex::contacts(
  const std::int64_t* ids, std::size_t n, std::int64_t* first, std::int64_t* second) const
{
  using Range = tbb::blocked_range<std::size_t>;
  return tbb::parallel_reduce(
    Range(0, n, 4096), n,
    [&](const Range& range, std::size_t bad) {
      for (std::size_t c = range.begin(); c != range.end(); ++c)
      {
        const std::int64_t a = ids[2 * c], b = ids[2 * c + 1];
        first[c] = a < 0 ? kNone : find(a);
        second[c] = b < 0 ? b : find(b);                         // a wall keeps its number
        if (first[c] == kNone || (b >= 0 && second[c] == kNone)) // kNone would mean wall 0
          bad = std::min(bad, c);
      }
      return bad;
    },
    [](std::size_t a, std::size_t b) { return std::min(a, b); });
}

} // namespace dem
