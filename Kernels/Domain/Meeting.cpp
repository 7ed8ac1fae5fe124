#include "Domain/Meeting.h"

#include <thread>

namespace dem
{

Meeting::Meeting(int parts)
  : parts_(parts)
  , turn_(parts)
{
  for (int b = 0; b < 2; ++b)
  {
    posts_[b].resize(parts);
    boards_[b] = posts_[b].data();
  }
}

void Meeting::await()
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
      throw OtherPartFailed();
    if (spin > kSpins)
      std::this_thread::yield();
  }
}

void Meeting::reset()
{
  came_ = 0;
  failed_ = false;
  for (Turn& turn : turn_)
    turn.now = 0;
}

} // namespace dem
