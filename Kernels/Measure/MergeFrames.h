// Joins the frames of the parts of a run into one. Used by Solver/RunParts.cuh.
#pragma once

#include "Measure/Frame.h"

#include <cstdint>
#include <vector>

namespace dem
{

/// Order of the entries of all parts in ascending Id, each part being in ascending Id.
class IdMerge
{
public:
  /// `ids`: of each part.
  explicit IdMerge(std::vector<std::vector<std::int64_t>> ids);

  std::size_t size() const { return size_; }
  /// Index in the whole of each entry of a part.
  const std::vector<std::uint32_t>& ranks(std::size_t part) const { return ranks_[part]; }

private:
  std::size_t size_ = 0;
  std::vector<std::vector<std::uint32_t>> ranks_;
};

/// Returns the frame of the whole run: grains and exits in ascending Id, contacts in the order of
/// the Id of their first grain. Walls and statistics stay empty.
Frame mergeFrames(const std::vector<Frame>& parts);

/// The contacts of a frame with walls, with the arrays that makeWallFrames() reads.
Frame contactsWithWalls(const Frame& frame);

/// The arrays of a part that mergeFrames() reads, as bytes.
std::vector<std::uint8_t> frameBytes(const Frame& part);
/// A part from its bytes; what is no array comes from `like`. Throws dem::Error if they are broken.
Frame frameFromBytes(const std::vector<std::uint8_t>& bytes, const Frame& like);

} // namespace dem
