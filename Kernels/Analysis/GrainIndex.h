// From the Id of a grain to its place in the arrays.
#pragma once

#include "Analysis/Grains.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace dem
{

class GrainIndex
{
public:
  static constexpr std::int64_t kNone = -1;

  /// Throws dem::Error when two grains have the same Id. Keeps a pointer to nothing.
  explicit GrainIndex(const Grains& grains);

  /// The place of the grain with this Id, or kNone.
  std::int64_t find(std::int64_t id) const;

  /// Ids of n contacts (two each, walls below 0 as second) to indices, on all CPU threads. Returns
  /// n, or the first contact with an Id that no grain has; then the indices of the others are not
  /// to be used.
  std::size_t contacts(
    const std::int64_t* ids, std::size_t n, std::int64_t* first, std::int64_t* second) const;

private:
  std::size_t size_ = 0;
  bool by_place_ = false; // Ids are the indices
  std::int64_t lowest_ = 0;
  std::vector<std::int64_t> table_; // of Id - lowest_, where Ids lie close together
  std::vector<std::pair<std::int64_t, std::int64_t>> sorted_; // else (Id, index)
};

} // namespace dem
