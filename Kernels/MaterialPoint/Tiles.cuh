// From points to nodes, block by block (Meyer 2019, 4.5.3 and 4.6.2).
//
// All points of a bin see the same nodes. A block first stores what its points give side by side, a
// thread a point. Then kNodes threads a bin, one a layer of nodes, add the points in registers in
// ascending place in memory. Then each node of the block's tile adds the sums of its bins in
// ascending bin. Finally each node of the grid adds the tiles of up to eight blocks in ascending
// block (TileSum). There are no atomics, so the order of addition depends on neither the number of
// threads nor the device.
#pragma once

#include "MaterialPoint/Blocks.cuh"
#include "MaterialPoint/PointLoads.cuh"
#include "MaterialPoint/SplineWeights.cuh"
#include "MaterialPoint/detail/Team.cuh"

#include <cstring>

namespace mpm
{

/// Adds a point to the nodes of one layer: sum[component][x + kNodes y], momentum first, then mass.
template <bool kMomentum, int kStress, Spline spline, class Real>
DEM_HD void addToLayer(const PointLoad<Real>& p, const Vec3<Real>& f, int layer,
  Real (&sum)[4][SplineTraits<spline>::kNodes * SplineTraits<spline>::kNodes])
{
  constexpr int N = SplineTraits<spline>::kNodes;
  const SplineWeights<spline, Real> x(f.x), y(f.y), z(f.z);
  const Real wz = pick(z.w, layer), gz = pick(z.g, layer), dz = pick(z.d, layer);
  Vec3<Real> base{};
  if constexpr (kMomentum)
    base = multiplyAdd(dz, p.mc.c[2], p.mv);
  MPM_UNROLL
  for (int j = 0; j < N; ++j)
  {
    const Real w = y.w[j] * wz;
    Vec3<Real> row{}, slope{}, push{};
    if constexpr (kMomentum)
    {
      row = w * multiplyAdd(y.d[j], p.mc.c[1], base);
      slope = w * p.mc.c[0];
    }
    if constexpr (kStress > 0)
    {
      row = multiplyAdd(y.w[j] * gz, p.t.c[2], multiplyAdd(y.g[j] * wz, p.t.c[1], row));
      push = w * p.t.c[0];
    }
    const Real mass = w * p.m;
    MPM_UNROLL
    for (int i = 0; i < N; ++i)
    {
      Real(&s)[4][N * N] = sum;
      const int k = i + N * j;
      const Real wx = x.w[i], wd = wx * x.d[i], g = x.g[i];
      Vec3<Real> v{ s[0][k], s[1][k], s[2][k] };
      v = multiplyAdd(wx, row, v);
      if constexpr (kMomentum)
      {
        v = multiplyAdd(wd, slope, v);
        s[3][k] = multiplyAdd(wx, mass, s[3][k]);
      }
      if constexpr (kStress > 0)
        v = multiplyAdd(g, push, v);
      s[0][k] = v.x;
      s[1][k] = v.y;
      s[2][k] = v.z;
    }
  }
}

/// What a point adds, in shared memory: one array a number, so that neighbouring threads read
/// neighbouring numbers. Slots are permuted such that bins of eight points lie in different banks.
template <bool kMomentum, int kStress, class Real>
struct PointRecord
{
  static constexpr int kNumbers = 3 + (kMomentum ? 13 : 0) + kStress;

  template <int kStage>
  DEM_HD static void put(Real (&record)[kNumbers][kStage], std::uint32_t slot,
    const Vec3<Real>& place, const PointLoad<Real>& p)
  {
    const std::uint32_t s = bent(slot);
    int n = 0;
    const auto put = [&](const Vec3<Real>& v) {
      record[n++][s] = v.x;
      record[n++][s] = v.y;
      record[n++][s] = v.z;
    };
    put(place);
    if constexpr (kMomentum)
    {
      record[n++][s] = p.m;
      put(p.mv);
      put(p.mc.c[0]);
      put(p.mc.c[1]);
      put(p.mc.c[2]);
    }
    if constexpr (kStress == 6)
    {
      put(p.t.c[0]);
      record[n++][s] = p.t.c[1].y;
      record[n++][s] = p.t.c[1].z;
      record[n++][s] = p.t.c[2].z;
    }
    if constexpr (kStress == 9)
    {
      put(p.t.c[0]);
      put(p.t.c[1]);
      put(p.t.c[2]);
    }
  }
  template <int kStage>
  DEM_HD static PointLoad<Real> get(
    const Real (&record)[kNumbers][kStage], std::uint32_t slot, Vec3<Real>& place)
  {
    const std::uint32_t s = bent(slot);
    int n = 0;
    const auto get = [&]() -> Vec3<Real> {
      n += 3;
      return { record[n - 3][s], record[n - 2][s], record[n - 1][s] };
    };
    PointLoad<Real> p{};
    place = get();
    if constexpr (kMomentum)
    {
      p.m = record[n++][s];
      p.mv = get();
      p.mc.c[0] = get();
      p.mc.c[1] = get();
      p.mc.c[2] = get();
    }
    if constexpr (kStress == 6)
    {
      const Vec3<Real> x = get(), y = get();
      p.t = { { x, { x.y, y.x, y.y }, { x.z, y.y, y.z } } };
    }
    if constexpr (kStress == 9)
    {
      p.t.c[0] = get();
      p.t.c[1] = get();
      p.t.c[2] = get();
    }
    return p;
  }

private:
  DEM_HD static std::uint32_t bent(std::uint32_t slot) { return slot ^ (slot >> 5 & 7); }
};

/// Adds the points of a block to its tile; one team a block. Layout: tile[(4 block + component)
/// kTile^3 + node]. Tiles of blocks without points keep their old values, as does the fourth
/// component for loads without momentum.
template <Spline spline, class Real, bool kMomentum, int kStress>
struct TileSums
{
  static constexpr int N = SplineTraits<spline>::kNodes, kEdge = SplineTraits<spline>::kTile,
                       kTile = kEdge * kEdge * kEdge;
  static constexpr unsigned kThreads = kBlockBins * N;
  // leaves enough registers for 16 warps or more
  static constexpr unsigned kResidentBlocks = sizeof(Real) == 4 ? (N == 3 ? 3 : 2) : 1;
  static constexpr int kRow = kBlockBins + 1, kComponents = kMomentum ? 4 : 3,
                       kAtOnce = N == 3 ? kComponents : 2;
  static constexpr int kStage = sizeof(Real) == 4 ? 640 : 320;
  using Record = PointRecord<kMomentum, kStress, Real>;
  struct Shared
  {
#if defined(__CUDACC__)
    union
    {
      Real record[Record::kNumbers][kStage];
      Real part[kAtOnce][N * N * N][kRow]; // what each bin adds to its node (x, y, z)
    };
#else
    Real tile[kComponents][kTile];
#endif
  };

  /// `load(k, place)` returns what entry k of the order adds, and sets its place in its bin.
  template <class Load>
  DEM_HD static void add(const std::uint32_t* first, Shared& shared, const Load& load, Real* tile)
  {
#if defined(__CUDA_ARCH__)
    addByTeam(first, shared, load, tile);
#elif !defined(__CUDACC__)
    addByOne(first, shared, load, tile);
#endif
  }

private:
#if defined(__CUDA_ARCH__)
  /// kNodes threads a bin, each of which adds up one layer of nodes.
  template <class Load>
  __device__ static void addByTeam(
    const std::uint32_t* first, Shared& shared, const Load& load, Real* tile)
  {
    const unsigned bin = threadIdx.x / N, layer = threadIdx.x % N;
    const std::uint32_t begin = first[0], end = first[kBlockBins], own = first[bin],
                        own_end = first[bin + 1];
    Real sum[4][N * N];
    MPM_UNROLL
    for (int c = 0; c < 4; ++c)
      MPM_UNROLL
    for (int k = 0; k < N * N; ++k)
      sum[c][k] = 0;
    for (std::uint32_t stage = begin; stage < end; stage += kStage)
    {
      const std::uint32_t stage_end = end - stage < kStage ? end : stage + kStage;
      for (std::uint32_t k = stage + threadIdx.x; k < stage_end; k += kThreads)
      {
        Vec3<Real> place;
        const PointLoad<Real> p = load(k, place);
        Record::put(shared.record, k - stage, place, p);
      }
      __syncthreads();
      const std::uint32_t to = own_end < stage_end ? own_end : stage_end;
      for (std::uint32_t k = own > stage ? own : stage; k < to; ++k)
      {
        Vec3<Real> place;
        const PointLoad<Real> p = Record::get(shared.record, k - stage, place);
        addToLayer<kMomentum, kStress, spline>(p, place, static_cast<int>(layer), sum);
      }
      __syncthreads();
    }
    MPM_UNROLL
    for (int pass = 0; pass < (kComponents + kAtOnce - 1) / kAtOnce; ++pass)
    {
      if (pass > 0)
        __syncthreads();
      MPM_UNROLL
      for (int a = 0; a < kAtOnce; ++a)
        if (pass * kAtOnce + a < kComponents)
        {
          MPM_UNROLL
          for (int k = 0; k < N * N; ++k)
            shared.part[a][layer * (N * N) + k][bin] = sum[pass * kAtOnce + a][k];
        }
      __syncthreads();
      for (int node = threadIdx.x; node < kTile; node += kThreads)
      {
        const int z = node / (kEdge * kEdge), y = node / kEdge % kEdge, x = node % kEdge;
        Real total[kAtOnce] = {};
        for (int k = z < N ? z : N - 1; k >= 0 && z - k < kBlockEdge; --k)
          for (int j = y < N ? y : N - 1; j >= 0 && y - j < kBlockEdge; --j)
            for (int i = x < N ? x : N - 1; i >= 0 && x - i < kBlockEdge; --i)
            {
              const int from = (k * N + j) * N + i,
                        bin_of = ((z - k) * kBlockEdge + (y - j)) * kBlockEdge + (x - i);
              MPM_UNROLL
              for (int a = 0; a < kAtOnce; ++a)
                total[a] += shared.part[a][from][bin_of];
            }
        MPM_UNROLL
        for (int a = 0; a < kAtOnce; ++a)
          if (pass * kAtOnce + a < kComponents)
            tile[(pass * kAtOnce + a) * kTile + node] = total[a];
      }
    }
  }
#elif !defined(__CUDACC__)
  template <class Load>
  static void addByOne(const std::uint32_t* first, Shared& shared, const Load& load, Real* tile)
  {
    std::memset(&shared, 0, sizeof shared);
    for (int bin = 0; bin < kBlockBins; ++bin)
    {
      if (first[bin] == first[bin + 1])
        continue;
      Real sum[N][4][N * N] = {};
      for (std::uint32_t k = first[bin]; k < first[bin + 1]; ++k)
      {
        Vec3<Real> place;
        const PointLoad<Real> p = load(k, place);
        for (int layer = 0; layer < N; ++layer)
          addToLayer<kMomentum, kStress, spline>(p, place, layer, sum[layer]);
      }
      for (int c = 0; c < kComponents; ++c)
        for (int layer = 0; layer < N; ++layer)
          for (int j = 0; j < N; ++j)
            for (int i = 0; i < N; ++i)
              shared.tile[c][(((bin >> 4) + layer) * kEdge + (bin >> 2 & 3) + j) * kEdge +
                (bin & 3) + i] += sum[layer][c][j * N + i];
    }
    std::memcpy(tile, &shared, sizeof shared);
  }
#endif
};

template <Spline spline, class Real, class Load>
struct PointsToTiles
{
  using Sums = TileSums<spline, Real, Load::kMomentum, Load::kStress>;
  using Shared = typename Sums::Shared;
  static constexpr unsigned kThreads = Sums::kThreads, kResidentBlocks = Sums::kResidentBlocks;

  Load load;
  const Vec4<Real>* place;
  const std::uint32_t *start, *order;
  Real* tile;

  DEM_HD void operator()(std::uint32_t block, Shared& shared) const
  {
    const std::uint32_t* first = start + std::size_t(block) * kBlockBins;
    if (first[0] == first[kBlockBins])
      return;
    Sums::add(
      first, shared,
      [&](std::uint32_t k, Vec3<Real>& at) {
        const std::uint32_t i = order[k];
        at = place[i].xyz();
        return load(i);
      },
      tile + std::size_t(block) * 4 * Sums::kTile);
  }
};

/// The sum of the tiles at a node, in ascending block. Three components if the loads have no
/// momentum.
template <Spline spline, class Real, int kComponents = 4>
struct TileSum
{
  static constexpr int kEdge = SplineTraits<spline>::kTile, kTile = kEdge * kEdge * kEdge;
  BlockGrid grid;
  const std::uint32_t* start;
  const Real* tile;

  /// Sets the node's place on the grid and returns what all blocks add to it: momentum and mass.
  DEM_HD Vec4<Real> operator()(std::uint32_t node, int (&place)[3]) const
  {
    const std::uint32_t t = node / kBlockBins;
    const int c = static_cast<int>(node % kBlockBins), cx = c & 3, cy = c >> 2 & 3, cz = c >> 4;
    int x, y, z;
    grid.split(grid.list[t], x, y, z);
    place[0] = 4 * x + cx;
    place[1] = 4 * y + cy;
    place[2] = 4 * z + cz;
    Vec4<Real> sum{};
    for (int k = cz + 4 < kEdge ? 1 : 0; k >= 0; --k)
      for (int j = cy + 4 < kEdge ? 1 : 0; j >= 0; --j)
        for (int i = cx + 4 < kEdge ? 1 : 0; i >= 0; --i)
        {
          const std::uint32_t b = k | j | i ? grid.find(x - i, y - j, z - k) : t;
          if (b == BlockGrid::kNone ||
            start[std::size_t(b) * kBlockBins] == start[std::size_t(b + 1) * kBlockBins])
            continue;
          const Real* own = tile + std::size_t(b) * 4 * kTile +
            ((cz + 4 * k) * kEdge + cy + 4 * j) * kEdge + cx + 4 * i;
          sum = sum +
            Vec4<Real>{ own[0], own[kTile], own[2 * kTile],
              kComponents > 3 ? own[3 * kTile] : Real(0) };
        }
    return sum;
  }
};

} // namespace mpm
