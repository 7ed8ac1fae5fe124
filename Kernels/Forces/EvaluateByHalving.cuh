// Force loop of the list kinds with Kureck's reductions in the warp. Used by KindLists.cuh.
#pragma once

#include "Forces/ForceKinds.cuh"

#include <cstdint>

namespace dem
{

/// One thread per contact with Kureck's reductions in the warp, on CUDA. A thread for each slot,
/// `size` of them a particle, then one for each pair, from a new warp on. The slots of a particle
/// are summed by halving the number of active lanes (5.1). Pairs of a warp with the same owner are
/// found by a vote and summed two by two (5.2; Westphal, "Voting and shuffling to optimize atomic
/// operations", NVIDIA 2015). One lane adds each sum by atomics. Runs with whole warps.
template <class Real, bool kPlain>
struct EvaluateByHalving
{
  ListedContacts<Real, kPlain> pairs;
  bool symmetric;
  std::uint32_t pair_count;

  /// Number of threads for the slots: whole warps.
  DEM_HD static std::uint64_t slotThreads(std::uint32_t slots) { return (slots + 31ull) / 32 * 32; }
  static std::uint64_t threads(const SlotList& list, std::uint32_t pairs)
  {
    return slotThreads(list.slots()) + slotThreads(pairs);
  }

  DEM_HD void operator()(std::uint32_t thread) const
  {
#if defined(__CUDA_ARCH__)
    const StateView<Real>& state = pairs.contact.state;
    if (pairs.contact.control->forceHalted(pairs.contact.batch_step))
      return;
    const SlotList& list = pairs.list;
    const std::uint32_t beyond = static_cast<std::uint32_t>(slotThreads(list.slots()));
    const bool in_slots = thread < beyond;
    std::uint32_t i = 0, place = 0;
    bool used;
    if (in_slots)
    {
      i = thread / list.size;
      used = thread < list.slots() && thread % list.size < list.count[i];
      place = thread % list.size * list.n + i;
    }
    else
    {
      used = thread - beyond < pair_count;
      place = list.slots() + (thread - beyond);
      i = used ? list.owner[thread - beyond] : 0xffffffffu;
    }
    bool touches = false;
    EntryLoad<Real> load{};
    RowEnergy<Real> booked;
    if (used)
      pairs.evaluate(
        i, state.position[i], place, [&](std::uint32_t j, bool lower, const PairContact<Real>& c) {
          touches = true;
          load = EntryContact<Real, kPlain>::loadOf(c, lower);
          if (!lower)
            booked.add(state.books, load.force.w, load.torque.w);
          if (symmetric)
            addLoad(state, j, -c.on_a, c.torque_b);
        });
    __syncwarp();
    booked.close(state.books, used ? i : 0); // the lanes of a warp are summed there
    const bool adds =
      in_slots ? halve(list.size, touches, load) : sumPeers(touches ? i : 0xffffffffu, load);
    if (adds)
      addLoad(state, i, load.force.xyz(), load.torque.xyz());
#else
    (void)thread;
#endif
  }

private:
#if defined(__CUDACC__)
  __device__ static void take(EntryLoad<Real>& load, int lane, bool adds)
  {
    const Vec4<Real> force = fromLane(0xffffffffu, load.force, lane, 32),
                     torque = fromLane(0xffffffffu, load.torque, lane, 32);
    if (!adds)
      return;
    load.force = load.force + force;
    load.torque = load.torque + torque;
  }
  // Sums the loads of `size` neighbouring lanes, a power of two. Returns true in the lane that has
  // the sum, if one of the lanes touches.
  __device__ static bool halve(std::uint32_t size, bool touches, EntryLoad<Real>& load)
  {
    const std::uint32_t lane = threadIdx.x % 32, within = lane % size;
    const unsigned touching = __ballot_sync(0xffffffffu, touches) >> (lane - within);
    for (std::uint32_t half = size / 2; half > 0; half /= 2)
      take(load, static_cast<int>(within < half ? lane + half : lane), within < half);
    return within == 0 && (size == 32 ? touching : touching & ((1u << size) - 1));
  }
  // Sums the loads of the lanes with the same owner, two by two. Returns true in the lowest of
  // these lanes. Owner 0xffffffff: the lane has no load.
  __device__ static bool sumPeers(std::uint32_t owner, EntryLoad<Real>& load)
  {
    constexpr unsigned kAll = 0xffffffffu;
    const unsigned lane = threadIdx.x % 32, below = (1u << lane) - 1;
    const unsigned peers = __match_any_sync(kAll, owner);
    unsigned rank = __popc(peers & below); // among the peers that are left
    unsigned above = peers & ~below & ~(1u << lane);
    while (__any_sync(kAll, above != 0))
    {
      const int next = __ffs(static_cast<int>(above));
      take(load, next ? next - 1 : static_cast<int>(lane), next != 0);
      above &= __ballot_sync(kAll, rank % 2 == 0); // odd ones were added to their lower peer
      rank /= 2;
    }
    return owner != 0xffffffffu && !(peers & below);
  }
#endif
};

} // namespace dem
