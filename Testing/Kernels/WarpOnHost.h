// A warp of 32 lanes on the host, or a block of some, so that device code that works by warps is tested where there is no device. Lanes run one
// after another up to the next instruction that they share. A file that includes this reads device code of one block behind it, and no other.
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
inline Index blocks{ 1 }; // of the launch

class Warp
{
public:
  static constexpr unsigned kMost = 128;

  /// Runs `body` on every lane; throws when lanes of a warp took different ways through what they share. Warps that meet at barriers come
  /// there after as many shared instructions.
  static void run(const std::function<void()>& body, unsigned lanes = 32)
  {
    Warp& w = self();
    w.body_ = body;
    w.lanes_ = lanes;
    w.stacks_.resize(kMost * kStack);
    for (unsigned l = 0; l < lanes; ++l)
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
      for (unsigned l = 0; l < lanes; ++l)
        if (!w.over_[l])
        {
          any = true;
          lane.x = l;
          swapcontext(&w.host_, &w.context_[l]);
        }
    }
    for (unsigned l = 1; l < lanes; ++l)
      if (w.shared_[l] != w.shared_[l / 32 * 32])
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
  /// What lane `by` of the same warp gave.
  template <class T>
  static T given(unsigned turn, unsigned by)
  {
    T value;
    std::memcpy(&value, self().values_[turn][lane.x / 32 * 32 + by % 32], sizeof value);
    return value;
  }
  static bool allGave(unsigned turn)
  {
    bool all = true;
    for (unsigned l = 0; l < self().lanes_; ++l)
    {
      int value;
      std::memcpy(&value, self().values_[turn][l], sizeof value);
      all = all && value != 0;
    }
    return all;
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
  unsigned lanes_ = 0;
  ucontext_t host_, context_[kMost];
  bool over_[kMost];
  unsigned shared_[kMost]; // instructions that each lane has come through
  unsigned char values_[2][kMost][kValue];
};

template <class T>
T __ldcg(const T* address)
{
  return *address;
}
template <class T>
T __shfl_sync(unsigned, T value, unsigned from)
{
  return Warp::given<T>(Warp::give(value), from);
}
template <class T>
T __shfl_up_sync(unsigned, T value, unsigned by)
{
  const unsigned l = lane.x % 32, turn = Warp::give(value);
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
template <class T>
unsigned __match_any_sync(unsigned, T value)
{
  const unsigned turn = Warp::give(value);
  unsigned same = 0;
  for (unsigned l = 0; l < 32; ++l)
    same |= (Warp::given<T>(turn, l) == value ? 1u : 0u) << l;
  return same;
}
inline bool __any_sync(unsigned lanes, bool vote)
{
  return __ballot_sync(lanes, vote) != 0;
}
inline void __syncwarp()
{
  Warp::give<int>(0);
}
inline void __syncthreads()
{
  Warp::give<int>(0);
}
inline bool __syncthreads_and(bool vote)
{
  return Warp::allGave(Warp::give<int>(vote));
}
template <class T>
T atomicAdd(T* address, T value)
{
  const T old = *address;
  *address += value;
  return old;
}
inline int __popc(unsigned x)
{
  return __builtin_popcount(x);
}
inline int __ffs(unsigned x)
{
  return __builtin_ffs(static_cast<int>(x));
}


} // namespace warp_on_host

struct alignas(16) float4
{
  float x, y, z, w;
};
struct alignas(16) uint4
{
  unsigned x, y, z, w;
};

using namespace warp_on_host; // as device code finds them
#define __host__
#define __device__
#define __forceinline__
#define __noinline__
#define threadIdx warp_on_host::lane
#define gridDim warp_on_host::blocks
