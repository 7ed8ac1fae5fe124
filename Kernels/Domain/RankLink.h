// Link between parts in several processes, one part each. Used by Solver/RunParts.cuh.
#pragma once

#include "Core/RankChannel.h"
#include "Domain/PartLink.h"

namespace dem
{

/// Every call begins by telling whether a part failed, so that no part waits for a failed one.
class RankLink final : public PartLink
{
public:
  explicit RankLink(RankChannel& channel)
    : channel_(channel)
  {
  }

  int parts() const override { return channel_.ranks(); }
  int own() const { return channel_.rank(); }
  bool sharesMemory() const override { return false; }
  void await(int own) override;
  std::vector<Bytes> exchange(int own, const std::vector<Bytes>& out) override;

  /// Must be called by a part that failed by itself, once, while the others are in a call or come
  /// to one. Their calls throw this message, or that of the first part if several fail.
  std::string fail(const std::string& message);

private:
  void gatherBytes(int own, const void* value, std::size_t bytes, void* all) override;
  // Returns the message of the first part that failed; empty if none did.
  std::string failureOfAny(const std::string& mine);

  RankChannel& channel_;
};

} // namespace dem
