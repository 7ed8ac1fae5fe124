// The CUDA threads that other tests run device code on (Testing/EmulatedDevice): operations of
// warps and blocks as the CUDA C++ Programming Guide defines them (Warp Shuffle, Vote, Match and
// Reduce Functions; Synchronization Functions), and what nobody defines ends the program.
#include "Threads.h"

#include <gtest/gtest.h>

#include <vector>

namespace
{
constexpr unsigned kAll = 0xffffffffu;

TEST(DeviceThreads, LanesExchangeValues)
{
  unsigned wrong = 0;
  emulated::run(2, 64, [&] {
    const unsigned lane = threadIdx.x % 32, own = 100 * blockIdx.x + threadIdx.x,
                   first = own - lane;
    wrong += __shfl_sync(kAll, own, 5) != first + 5;
    wrong += __shfl_sync(kAll, own, 9, 8) !=
      first + lane / 8 * 8 + 1; // by the width's remainder, in the own eighth
    wrong += __shfl_xor_sync(kAll, own, 3) != first + (lane ^ 3u);
    wrong += __shfl_up_sync(kAll, own, 2) != (lane < 2 ? own : own - 2);
    wrong += __shfl_up_sync(kAll, own, 3, 4) != (lane % 4 < 3 ? own : own - 3);
    wrong += __ballot_sync(kAll, lane % 2) != 0xaaaaaaaau;
    wrong += __any_sync(kAll, lane == 7) != 1 || __any_sync(kAll, 0) != 0 ||
      __all_sync(kAll, 1) != 1 || __all_sync(kAll, lane != 7) != 0;
    wrong += __match_any_sync(kAll, lane % 4) != 0x11111111u << lane % 4;
    wrong += __reduce_add_sync(kAll, -static_cast<int>(lane)) != -496 ||
      __reduce_max_sync(kAll, lane ^ 5u) != 31u;
    if (lane < 8) // some of a warp, whatever the others do
      wrong += __reduce_or_sync(0xffu, 1u << lane) != 0xffu;
    if (lane >= 20)
      return;
    wrong += __reduce_add_sync(kAll, 1u) != 20; // who has ended is not waited for
  });
  EXPECT_EQ(wrong, 0u);
}

TEST(DeviceThreads, NobodyPassesABarrierBeforeAllCame)
{
  unsigned came = 0, wrong = 0;
  emulated::run(3, 96, [&] {
    ++came;
    __syncthreads();
    wrong += came != 96 * (blockIdx.x + 1);
    wrong += __syncthreads_and(threadIdx.x != 40) != 0;
    wrong += __syncthreads_and(1) != 1;
  });
  EXPECT_EQ(wrong, 0u);
}

TEST(DeviceThreads, LanesRunAheadOfEachOtherBetweenBarriers)
{
  std::vector<unsigned> seen(32);
  emulated::run(1, 32, [&] {
    seen[threadIdx.x] = 1;
    if (threadIdx.x == 0)
    {
      EXPECT_EQ(seen[31], 0u); // in lockstep it would stand there
    }
    __syncwarp();
    EXPECT_EQ(seen[31], 1u);
  });
}

TEST(DeviceThreads, MemoryOfABlockBeginsAsRubbish)
{
  unsigned shared = 0;
  emulated::run(2, 32, [&] {
    emulated::undefined(shared);
    if (threadIdx.x == 0)
    {
      EXPECT_EQ(shared, 0xcbcbcbcbu);
    }
    __syncwarp();
    shared = 1;
  });
}

TEST(DeviceThreadsDeathTest, WhatWouldHangOrIsUndefinedEnds)
{
  EXPECT_DEATH(emulated::run(1, 64, [] { threadIdx.x % 32 < 4 ? __syncthreads() : __syncwarp(); }),
    "threads wait for each other");
  EXPECT_DEATH(
    emulated::run(1, 32, [] { threadIdx.x % 2 ? __syncwarp() : void(__ballot_sync(kAll, 1)); }),
    "different operations");
  EXPECT_DEATH(emulated::run(1, 32, [] { __syncwarp(2u); }), "not in its own mask");
  EXPECT_DEATH(emulated::run(2, 32,
                 [] {
                   while (blockIdx.x == 0)
                     __nanosleep(100);
                 }),
    "no earlier block");
  EXPECT_DEATH(emulated::run(1, 2048, [] {}), "configuration is invalid");
}

} // namespace
