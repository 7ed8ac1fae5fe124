#include "Domain/Meeting.h"

#include <cstring>
#include <thread>

namespace dem
{

Meeting::Meeting(int parts)
  : parts_(parts)
  , turn_(parts)
{
  for (auto& board : boards_)
    board.resize(parts);
}

void Meeting::await(int)
{
  constexpr int kSpins = 2000; // a few microseconds, as long as a step of few particles
  const unsigned round = round_.load(std::memory_order_acquire);
  if (came_.fetch_add(1, std::memory_order_acq_rel) + 1 == static_cast<unsigned>(parts_))
  {
    came_.store(0, std::memory_order_relaxed);
    round_.store(round + 1, std::memory_order_release);
    return;
  }
  for (int spin = 0; round_.load(std::memory_order_acquire) == round; ++spin)
  {
    if (failed_)
      throw OtherPartFailed("Another part of the run failed.");
    if (spin > kSpins)
      std::this_thread::yield();
  }
}

void Meeting::gatherBytes(int own, const void* value, std::size_t bytes, void* all)
{
  std::vector<std::vector<unsigned char>>& board = boards_[turn_[own].now];
  turn_[own].now = 1 - turn_[own].now;
  board[own].resize(bytes);
  std::memcpy(board[own].data(), value, bytes);
  await(own);
  for (int p = 0; p < parts_; ++p)
    std::memcpy(static_cast<unsigned char*>(all) + p * bytes, board[p].data(), bytes);
}

void Meeting::reset()
{
  came_ = 0;
  failed_ = false;
  for (Turn& turn : turn_)
    turn.now = 0;
}

} // namespace dem
