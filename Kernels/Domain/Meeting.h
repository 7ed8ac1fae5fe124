// Meetings of the host threads that compute the parts of a run in one process. Used by
// Subdomain.cuh and PartThreads.h.
#pragma once

#include "Core/Error.h"

#include <atomic>
#include <cstddef>
#include <cstring>
#include <vector>

namespace dem
{

/// Thrown from a meeting if another part failed; the message of that part counts.
class OtherPartFailed : public Error
{
public:
  OtherPartFailed()
    : Error("Another part of the run failed.")
  {
  }
};

/// Each part calls the same functions in the same order, each in its own thread.
class Meeting
{
public:
  explicit Meeting(int parts);

  int parts() const { return parts_; }

  /// Waits until all parts have called it. Throws OtherPartFailed if a part failed.
  void await();

  /// Returns the values of all parts, by part. Waits for all. Value is trivially copyable.
  template <class Value>
  std::vector<Value> gather(int own, const Value& value)
  {
    std::vector<unsigned char>* board = boards_[turn_[own].now];
    turn_[own].now = 1 - turn_[own].now;
    board[own].resize(sizeof(Value));
    std::memcpy(board[own].data(), &value, sizeof(Value));
    await();
    std::vector<Value> all(parts_);
    for (int p = 0; p < parts_; ++p)
      std::memcpy(&all[p], board[p].data(), sizeof(Value));
    return all;
  }
  /// The largest of the values of all parts.
  template <class Value>
  Value most(int own, const Value& value)
  {
    Value largest = value;
    for (const Value& other : gather(own, value))
      largest = largest < other ? other : largest;
    return largest;
  }
  template <class Value>
  Value least(int own, const Value& value)
  {
    Value smallest = value;
    for (const Value& other : gather(own, value))
      smallest = other < smallest ? other : smallest;
    return smallest;
  }
  bool any(int own, bool value) { return most(own, value ? 1 : 0) != 0; }

  /// Ends the meetings of all parts with an exception, after one has failed.
  void fail() { failed_ = true; }
  /// Must be called between two runs of the parts, when no part is in a meeting.
  void reset();

private:
  struct alignas(64) Turn
  {
    int now = 0;
  };

  const int parts_;
  std::vector<std::vector<unsigned char>> posts_[2];
  std::vector<unsigned char>* boards_[2];
  std::vector<Turn> turn_; // the board that each part writes next; two alternate, so that all have
                           // read a board before it is written again
  alignas(64) std::atomic<unsigned> came_{ 0 };
  alignas(64) std::atomic<unsigned> round_{ 0 };
  std::atomic<bool> failed_{ false };
};

/// The part of a run that an engine computes.
struct PartOfRun
{
  Meeting* meeting = nullptr; // null: the engine computes the whole run
  int part = 0;
  bool peer_access = true; // kernels read the memory of other devices where they can
};

} // namespace dem
