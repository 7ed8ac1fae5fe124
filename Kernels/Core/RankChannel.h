// Connection between the processes (ranks) that share a run. The host program implements it, with
// MPI or otherwise: the solver links no MPI. Domain/RankLink.h uses it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dem
{

/// All functions are collective: each rank calls the same ones in the same order.
class RankChannel
{
public:
  using Bytes = std::vector<std::uint8_t>;

  virtual ~RankChannel() = default;
  virtual int ranks() const = 0;
  virtual int rank() const = 0;
  /// Fills `all` with the `bytes` bytes of each rank, by rank.
  virtual void allGather(const void* mine, std::size_t bytes, void* all) = 0;
  /// Sends out[r] to rank r, and returns what each rank sent here.
  virtual std::vector<Bytes> exchange(const std::vector<Bytes>& out) = 0;
};

} // namespace dem
