// Rows made in one pass over the candidates of a grid, on CUDA: counted, placed one behind the other and sorted by Id by the block that
// found them, several threads a particle. For few particles: many fill the device by themselves, and then two passes are no slower. Only
// nvcc reads this file.
#pragma once

#include "BroadPhase/SortedGrid.cuh"
#include "Core/Error.h"
#include "NeighborList/BuildList.cuh"

#include <cub/agent/single_pass_scan_operators.cuh>
#include <cub/block/block_scan.cuh>

#include <cstdint>
#include <string>

namespace dem
{

/// A sum that stays at 2^32 - 1 once it is there.
struct AddRowSizes
{
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const
  {
    const std::uint64_t sum = std::uint64_t(a) + b;
    return static_cast<std::uint32_t>(sum < 0xffffffffu ? sum : 0xffffffffu);
  }
};

using RowSizesBefore = cub::ScanTileState<std::uint32_t>;

/// A block that waits for those before it learns there where its rows begin.
struct ClearRowSizes
{
  RowSizesBefore before;
  int blocks;

  __device__ void operator()(unsigned) const
  {
    RowSizesBefore state = before;
    state.InitializeStatus(blocks);
  }
};

struct BuildRows
{
  static constexpr unsigned kThreads = 256;
  static constexpr unsigned kLanes = 4;                     // threads of a particle
  static constexpr unsigned kParticles = kThreads / kLanes; // of a block
  static constexpr unsigned kKept = 24;                     // candidates of a particle; who has more is searched for again

  using Scan = cub::BlockScan<std::uint32_t, kThreads>;
  using Before = cub::TilePrefixCallbackOp<std::uint32_t, AddRowSizes, RowSizesBefore>;

  struct Shared
  {
    std::int64_t id[kKept][kParticles];
    std::uint32_t entry[kKept][kParticles];
    std::uint32_t count[kParticles];
    typename Scan::TempStorage scan;
    typename Before::TempStorage before;
  };

  GridSearch search;
  NewRows rows;
  RowSizesBefore before;
  std::uint32_t n;

  /// `memory`: of the scan.
  template <class Exec, class Memory>
  static void queue(Exec& exec, Memory& memory, const GridSearch& search, const NewRows& rows, std::uint32_t n)
  {
    const unsigned blocks = (n + kParticles - 1) / kParticles;
    std::size_t bytes = 0;
    RowSizesBefore before;
    check(before.AllocationSize(static_cast<int>(blocks), bytes));
    memory.resize(bytes, 1.1);
    check(before.Init(static_cast<int>(blocks), memory.data(), bytes));
    exec.forEach(blocks + 32, ClearRowSizes{ before, static_cast<int>(blocks) }); // as many more stand before the first block
    exec.forEachBlock(blocks, BuildRows{ search, rows, before, n });
  }

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    const unsigned p = threadIdx.x / kLanes, lane = threadIdx.x % kLanes;
    const std::uint32_t i = block * kParticles + p;
    if (lane == 0)
      shared.count[p] = 0;
    __syncthreads();
    if (i < n)
      find(i, p, lane, shared);
    __syncthreads();

    const std::uint32_t size = lane == 0 && i < n ? shared.count[p] : 0;
    std::uint32_t start = 0;
    RowSizesBefore state = before;
    if (block == 0)
    {
      std::uint32_t sum;
      Scan(shared.scan).ExclusiveScan(size, start, 0u, AddRowSizes{}, sum);
      if (threadIdx.x == 0)
        state.SetInclusive(0, sum);
    }
    else
    {
      Before of_blocks(state, shared.before, AddRowSizes{}, static_cast<int>(block));
      Scan(shared.scan).ExclusiveScan(size, start, AddRowSizes{}, of_blocks);
    }
    if (lane == 0 && i < n)
    {
      rows.row_start[i] = start;
      rows.count[i] = shared.count[p];
      if (i + 1 == n)
        rows.row_start[n] = AddRowSizes{}(start, size);
    }
    start = __shfl_sync(0xffffffffu, start, threadIdx.x % 32 / kLanes * kLanes);
    if (i < n)
      write(i, p, lane, start, shared);
  }

private:
  static void check(cudaError_t status)
  {
    if (status != cudaSuccess)
      throw Error(std::string("CUDA failed while making rows: ") + cudaGetErrorString(status) + ".");
  }

  __device__ void find(std::uint32_t i, unsigned p, unsigned lane, Shared& shared) const
  {
    const std::int64_t own = rows.id[i];
    const auto enter = [&](std::uint32_t j) {
      const std::int64_t id = rows.id[j];
      const std::uint32_t entry = j | (id < own ? ListView::kLowerId : 0u);
      const std::uint32_t at = atomicAdd(&shared.count[p], 1u);
      if (at < kKept)
      {
        shared.id[at][p] = id;
        shared.entry[at][p] = entry;
      }
    };
    search.candidatesOfLane(i, lane, kLanes, enter);
  }

  // Each entry to its place among the others of the row, which it finds by counting lower Ids.
  __device__ void write(std::uint32_t i, unsigned p, unsigned lane, std::uint32_t start, const Shared& shared) const
  {
    const std::uint32_t count = shared.count[p];
    if (start > rows.room || rows.room - start < count)
      return;
    if (count > kKept)
    {
      if (lane == 0)
        fillRow(search, i, rows.entries + start, rows.id);
      return;
    }
    for (std::uint32_t s = lane; s < count; s += kLanes)
    {
      const std::int64_t id = shared.id[s][p];
      std::uint32_t place = 0;
      for (std::uint32_t t = 0; t < count; ++t)
        place += shared.id[t][p] < id ? 1u : 0u;
      rows.entries[start + place] = shared.entry[s][p];
    }
  }
};

} // namespace dem
