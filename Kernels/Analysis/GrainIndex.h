// Finds the index of a grain in the arrays from its Id.
#pragma once

#include "Analysis/Grains.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace dem
{

/// A table if the Ids are dense, else a sorted list. Does not refer to the arrays after
/// construction.
class GrainIndex
{
public:
  static constexpr std::int64_t kNone = -1;

  /// `grains`: in host memory. Throws dem::Error if two grains have the same Id.
  explicit GrainIndex(const Grains& grains);

  /// The index of the grain with this Id, or kNone.
  std::int64_t find(std::int64_t id) const;

  /// Converts the Ids of n contacts to indices, on all CPU threads. `ids`: two per contact; a
  /// second one below 0 is a wall and stays. Returns n, or the number of the first contact with an
  /// unknown Id; then `first` and `second` must not be used.
  std::size_t contacts(
    const std::int64_t* ids, std::size_t n, std::int64_t* first, std::int64_t* second) const;

private:
  std::size_t size_ = 0;
  bool by_place_ = false; // no Ids given: they are the indices
  std::int64_t lowest_ = 0;
  std::vector<std::int64_t> table_; // index of Id - lowest_, if the Ids are dense
  std::vector<std::pair<std::int64_t, std::int64_t>> sorted_; // else pairs of Id and index
};

} // namespace dem
