// Link between parts in one process, each in its own host thread. Used by PartThreads.h.
#pragma once

#include "Domain/PartLink.h"

#include <atomic>
#include <cstddef>
#include <vector>

namespace dem
{

class Meeting final : public PartLink
{
public:
  explicit Meeting(int parts);

  int parts() const override { return parts_; }
  bool sharesMemory() const override { return true; }
  void await(int own) override;
  std::vector<Bytes> exchange(int, const std::vector<Bytes>&) override { return {}; }

  /// Ends the calls of all parts with an exception, after one has failed.
  void fail() { failed_ = true; }
  /// Must be called between two runs of the parts, when no part is in a call.
  void reset();

private:
  struct alignas(64) Turn
  {
    int now = 0;
  };

  void gatherBytes(int own, const void* value, std::size_t bytes, void* all) override;

  const int parts_;
  std::vector<std::vector<unsigned char>> boards_[2];
  std::vector<Turn> turn_; // the board that each part writes next; two alternate, so that all have
                           // read a board before it is written again
  alignas(64) std::atomic<unsigned> came_{ 0 };
  alignas(64) std::atomic<unsigned> round_{ 0 };
  std::atomic<bool> failed_{ false };
};

} // namespace dem
