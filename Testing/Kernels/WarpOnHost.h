// A warp of 32 lanes on the host, so that device code that works by warps is tested where there is no device. Lanes run one after another up to
// the next instruction that they share. A file that includes this reads device code of one warp behind it, and no other.
#pragma once

#include <ucontext.h>

#include <cstring>
#include <functional>
#include <stdexcept>
#include <vector>

namespace warp_on_host
{

struct Index
{
  unsigned x;
};
inline Index lane;

class Warp
{
public:
  /// Runs `body` on every lane; throws when lanes took different ways through what they share.
  static void run(const std::function<void()>& body)
  {
    Warp& w = self();
    w.body_ = body;
    w.stacks_.resize(32 * kStack);
    for (unsigned l = 0; l < 32; ++l)
    {
      w.over_[l] = false;
      w.shared_[l] = 0;
      getcontext(&w.context_[l]);
      w.context_[l].uc_stack.ss_sp = w.stacks_.data() + l * kStack;
      w.context_[l].uc_stack.ss_size = kStack;
      w.context_[l].uc_link = &w.host_;
      makecontext(&w.context_[l], &Warp::enter, 0);
    }
    for (bool any = true; any;)
    {
      any = false;
      for (unsigned l = 0; l < 32; ++l)
        if (!w.over_[l])
        {
          any = true;
          lane.x = l;
          swapcontext(&w.host_, &w.context_[l]);
        }
    }
    for (unsigned l = 1; l < 32; ++l)
      if (w.shared_[l] != w.shared_[0])
        throw std::logic_error("The lanes of a warp are out of step.");
  }

  /// What every lane gives to a shared instruction; the others' are there to be read when this returns.
  template <class T>
  static unsigned give(const T& value)
  {
    static_assert(sizeof(T) <= kValue, "a register or two");
    Warp& w = self();
    const unsigned l = lane.x, turn = w.shared_[l]++ % 2; // a lane is one instruction ahead at most
    std::memcpy(w.values_[turn][l], &value, sizeof value);
    swapcontext(&w.context_[l], &w.host_);
    return turn;
  }
  template <class T>
  static T given(unsigned turn, unsigned by)
  {
    T value;
    std::memcpy(&value, self().values_[turn][by % 32], sizeof value);
    return value;
  }

private:
  static constexpr std::size_t kStack = 1 << 18, kValue = 16;

  static Warp& self()
  {
    static Warp warp;
    return warp;
  }
  static void enter()
  {
    Warp& w = self();
    const unsigned l = lane.x;
    w.body_();
    w.over_[l] = true;
  }

  std::function<void()> body_;
  std::vector<char> stacks_;
  ucontext_t host_, context_[32];
  bool over_[32];
  unsigned shared_[32]; // instructions that each lane has come through
  unsigned char values_[2][32][kValue];
};

template <class T>
T __shfl_sync(unsigned, T value, unsigned from)
{
  return Warp::given<T>(Warp::give(value), from);
}
template <class T>
T __shfl_up_sync(unsigned, T value, unsigned by)
{
  const unsigned l = lane.x, turn = Warp::give(value);
  return Warp::given<T>(turn, l >= by ? l - by : l);
}
template <class T>
T __shfl_xor_sync(unsigned, T value, unsigned with)
{
  const unsigned l = lane.x;
  return Warp::given<T>(Warp::give(value), l ^ with);
}
inline unsigned __ballot_sync(unsigned, bool vote)
{
  const unsigned turn = Warp::give<int>(vote);
  unsigned votes = 0;
  for (unsigned l = 0; l < 32; ++l)
    votes |= (Warp::given<int>(turn, l) ? 1u : 0u) << l;
  return votes;
}
inline bool __any_sync(unsigned lanes, bool vote)
{
  return __ballot_sync(lanes, vote) != 0;
}
inline void __syncwarp()
{
  Warp::give<int>(0);
}
inline int __popc(unsigned x)
{
  return __builtin_popcount(x);
}

} // namespace warp_on_host

using namespace warp_on_host; // as device code finds them
#define __device__
#define threadIdx warp_on_host::lane
